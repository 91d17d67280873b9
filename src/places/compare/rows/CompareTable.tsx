import './rows.css';
import { type KeyboardEvent, type MouseEvent, type ReactNode, useMemo, useRef, useState } from 'react';
import { countText } from '../../../core/story/words.ts';
import { bytes as bytesText, percent } from '../../../kit/words/quantity.ts';
import { gigabytes } from '../../../kit/words/weights.ts';
import { flagChoice, oneOf, useChoices } from '../../../kit/browser/choices.ts';
import { useApp } from '../../../kit/app-context.ts';
import { Swatch } from '../../../kit/controls/Swatch.tsx';
import { largest } from '../../../core/number/statistics.ts';
import { useChoose } from './choose-row.ts';
import type { Compared, CompareRow, Role } from './compare-row.ts';
import { type BarMark, RowBar } from './RowBar.tsx';
import { RowWhy } from './RowWhy.tsx';
import { AtMost, Measured } from './RowTimes.tsx';
import { cardsFor, isInFoot, type Sort, sortedRows, SORTS } from './sorting.ts';

const FIELDS = { sort: oneOf(SORTS, 'bytes'), down: flagChoice(false) };

interface CompareTableProps {
  readonly compared: Compared;
  /** Measures a row here; null where nothing can be, or something is. */
  readonly onMeasure: ((row: CompareRow) => void) | null;
}

interface Column {
  readonly id: Sort;
  /** under which it is grouped, with the next ones of the same group */
  readonly over?: string;
  readonly title: ReactNode;
  /** for the list of columns on a phone, and for screen readers */
  readonly name: string;
  readonly isNumber: boolean;
  readonly cell: (row: CompareRow) => ReactNode;
}

/** The scale ends at the longest bar, but not far beyond dense f16, so that the others remain visible. */
const LONGEST = 2;

/** All formats, a row each: a click puts one in A, with Shift in B, a double click watches it. */
export function CompareTable({ compared, onMeasure }: CompareTableProps) {
  const { session } = useApp();
  const [{ sort, down }, choose] = useChoices(FIELDS);
  const put = useChoose();
  const { level, a, b, f16Bytes, model } = compared;
  const rows = useMemo(
    () =>
      sortedRows(
        compared.rows.filter((row) => !isInFoot(row, { a, b })),
        sort,
        down,
      ),
    [compared.rows, a, b, sort, down],
  );
  const [current, setCurrent] = useState<string | null>(null);
  const focusable = rows.find(({ key }) => key === current) ?? rows.find(({ key }) => key === a?.key) ?? rows.at(0);
  const body = useRef<HTMLTableSectionElement>(null);
  const cards = cardsFor(f16Bytes);
  const most =
    Math.min(
      largest(
        rows.map(({ bytes }) => bytes ?? 0),
        f16Bytes,
      ),
      LONGEST * f16Bytes,
    ) * 1.02;
  const marks: readonly BarMark[] =
    level === 'matrix'
      ? [{ bytes: f16Bytes, text: 'dense f16' }]
      : cards.filter((card) => card * 1e9 < most * 0.99).map((card) => ({ bytes: card * 1e9, text: `${card} GB` }));
  const columns = level === 'matrix' ? matrixColumns(compared, onMeasure) : modelColumns(compared, onMeasure, cards);
  const shown = columns.some(({ id }) => id === sort) ? sort : 'bytes';

  const pick = (row: CompareRow, side: 'a' | 'b'): void => {
    setCurrent(row.key);
    put(side, row.stored, row.state === 'refused' ? row.remedy : null);
  };
  const rowAt = (target: EventTarget): CompareRow | undefined =>
    target instanceof Element
      ? rows.find(({ key }) => key === target.closest<HTMLElement>('tr[data-key]')?.dataset.key)
      : undefined;
  const onClick = (event: MouseEvent): void => {
    const row = rowAt(event.target);
    const button = (event.target as Element).closest('button');
    if (!row || (button && !button.classList.contains('row-name'))) return;
    pick(row, event.shiftKey ? 'b' : 'a');
  };
  const onDoubleClick = (event: MouseEvent): void => {
    if (rowAt(event.target) && !(event.target as Element).closest('button:not(.row-name)')) session.follow('stage');
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rowAt(event.target);
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return;
    const at = rows.indexOf(row);
    const goal = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
    const side = ({ a: 'a', b: 'b' } as const)[event.key.toLowerCase()];
    if (goal !== undefined) {
      const next = rows.at(Math.max(0, Math.min(goal, rows.length - 1)));
      setCurrent(next?.key ?? null);
      body.current?.querySelector<HTMLElement>(`tr[data-key="${CSS.escape(next?.key ?? '')}"] .row-name`)?.focus();
    } else if (side) pick(row, side);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const head = ({ id, title, name, isNumber }: Column): ReactNode => (
    <th
      key={id}
      scope="col"
      data-col={id}
      className={isNumber ? 'number' : undefined}
      aria-sort={shown === id ? (down ? 'descending' : 'ascending') : undefined}
    >
      <button
        type="button"
        className="sort"
        aria-label={`Sort by ${name}`}
        onClick={() => choose({ sort: id, down: id === shown ? !down : false })}
      >
        {title}
        {shown === id && <span aria-hidden="true"> {down ? '↓' : '↑'}</span>}
      </button>
    </th>
  );
  const [format, ...others] = columns;
  const before = others.filter(({ id }) => id === 'needs');
  const after = others.filter(({ id }) => id !== 'needs');
  return (
    <table className="ranked" data-level={level}>
      <caption className="unseen">
        {model ? `All formats for ${model.shape.name}` : 'All formats on this matrix'}, those that cannot store it last
      </caption>
      <thead>
        <tr>
          <td />
          {head(format)}
          {before.map(head)}
          <th scope="col" className="bars">
            <Legend level={level} />
            <span className="unseen">bytes by purpose</span>
            <span className="bar-marks" aria-hidden="true">
              {marks.map(({ bytes, text }) => (
                <span key={text} style={{ left: `${(100 * bytes) / most}%` }}>
                  {text}
                </span>
              ))}
            </span>
          </th>
          {after.map(head)}
        </tr>
      </thead>
      {/* Its keys are those of the buttons inside, and what a click does they do. */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions */}
      <tbody ref={body} onClick={onClick} onDoubleClick={onDoubleClick} onKeyDown={onKeyDown}>
        {rows.map((row) => {
          const side = row.key === a?.key ? 'a' : row.key === b?.key ? 'b' : undefined;
          return (
            <tr key={row.key} data-key={row.key} data-state={row.state} data-side={side}>
              <td className="row-sides">
                <span>
                  {(['a', 'b'] as const).map((one) => (
                    <button
                      key={one}
                      type="button"
                      tabIndex={-1}
                      className="row-side"
                      data-side={one}
                      aria-pressed={side === one}
                      aria-label={`${row.format.title} ${row.detail} as ${one.toUpperCase()}`}
                      onClick={() => pick(row, one)}
                    >
                      {one.toUpperCase()}
                    </button>
                  ))}
                </span>
              </td>
              <th scope="row">
                <button
                  type="button"
                  className="row-name"
                  tabIndex={row === focusable ? 0 : -1}
                  aria-keyshortcuts="A B"
                  onFocus={() => setCurrent(row.key)}
                >
                  <Swatch format={row.format.id} /> <b>{row.format.title}</b>{' '}
                  <span className="row-detail">{row.detail}</span>
                </button>
              </th>
              {before.map((column) => cellOf(column, row, shown))}
              <td className="bars">
                <RowBar row={row} most={most} marks={marks} />
              </td>
              {after.map((column) => cellOf(column, row, shown))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function cellOf({ id, isNumber, cell }: Column, row: CompareRow, shown: Sort): ReactNode {
  return (
    <td key={id} data-col={id} data-shown={id === shown || undefined} className={isNumber ? 'number' : undefined}>
      {cell(row)}
    </td>
  );
}

const LEGEND: Readonly<Record<Compared['level'], readonly (readonly [Role, string])[]>> = {
  matrix: [
    ['values', 'values'],
    ['indices', 'where they are'],
    ['metadata', 'row starts, scales'],
    ['padding', 'zeros stored, padding'],
  ],
  model: [
    ['kept', 'lm_head, embedding: dense'],
    ['values', 'weights'],
    ['indices', 'where they are'],
    ['metadata', 'row starts, scales'],
    ['padding', 'zeros stored'],
  ],
};

function Legend({ level }: Pick<Compared, 'level'>) {
  return (
    <span className="bar-legend" aria-hidden="true">
      {LEGEND[level].map(([role, text]) => (
        <span key={role}>
          <span className={`bar-key row-bar-${role}`} />
          {text}
        </span>
      ))}
    </span>
  );
}

const FORMAT: Column = { id: 'format', title: 'format, values', name: 'format', isNumber: false, cell: () => null };

/** From here on bytes are written with a unit. */
const IN_FULL = 1e7;

function bytesOf({ bytes, isExpected, state }: CompareRow): string {
  if (bytes === null) return state === 'waiting' ? '…' : '–';
  const text = bytes < IN_FULL ? countText(bytes) : bytesText(bytes);
  return isExpected ? `≈ ${text}` : text;
}

function matrixColumns(compared: Compared, onMeasure: CompareTableProps['onMeasure']): readonly Column[] {
  const { f16Bytes } = compared;
  return [
    FORMAT,
    { id: 'bytes', title: 'bytes', name: 'bytes', isNumber: true, cell: bytesOf },
    {
      id: 'share',
      title: 'of f16',
      name: 'share of dense f16',
      isNumber: true,
      cell: ({ bytes }) => (bytes === null ? '' : percent(bytes / f16Bytes, 0)),
    },
    {
      id: 'atMost',
      title: 'at least',
      name: 'time, at least',
      isNumber: true,
      cell: (row) => <AtMost row={row} compared={compared} />,
    },
    {
      id: 'measured',
      title: 'measured',
      name: 'time, measured',
      isNumber: true,
      cell: (row) => <Measured row={row} compared={compared} onMeasure={onMeasure} />,
    },
    { id: 'why', title: 'why', name: 'reason', isNumber: false, cell: (row) => <RowWhy row={row} /> },
  ];
}

function modelColumns(
  compared: Compared,
  onMeasure: CompareTableProps['onMeasure'],
  cards: readonly number[],
): readonly Column[] {
  const besides = compared.model?.contextBytes ?? 0;
  return [
    FORMAT,
    {
      id: 'needs',
      title: 'pruning needed',
      name: 'pruning needed',
      isNumber: false,
      cell: (row) => <Needs row={row} />,
    },
    {
      id: 'bytes',
      title: 'GB',
      name: 'gigabytes',
      isNumber: true,
      cell: ({ bytes, state }) => (bytes === null || state === 'refused' ? '–' : gigabytes(bytes, false)),
    },
    {
      id: 'fits',
      title: (
        <>
          <span className="head-over">fits a card of</span>
          <span className="fits-head">
            {cards.map((card) => (
              <span key={card}>{card}</span>
            ))}
          </span>
        </>
      ),
      name: 'cards that it fits',
      isNumber: false,
      cell: (row) => <Fits row={row} cards={cards} besides={besides} />,
    },
    {
      id: 'atMost',
      title: (
        <>
          <span className="head-over">tokens/s</span> at most
        </>
      ),
      name: 'tokens per second, at most',
      isNumber: true,
      cell: (row) => <AtMost row={row} compared={compared} />,
    },
    {
      id: 'measured',
      title: 'measured',
      name: 'tokens per second, measured',
      isNumber: true,
      cell: (row) => <Measured row={row} compared={compared} onMeasure={onMeasure} />,
    },
    {
      id: 'same',
      title: (
        <>
          <span className="head-over">as small as dense i4</span> with so much left
        </>
      ),
      name: 'share left with which it is as small as dense i4',
      isNumber: true,
      cell: ({ sameAsI4 }) => (sameAsI4 === undefined ? '–' : sameAsI4 === null ? 'never' : percent(sameAsI4, 0)),
    },
  ];
}

function Needs({ row }: { readonly row: CompareRow }) {
  const put = useChoose();
  const { needs, remedy, state, why } = row;
  if (state === 'refused') return <RowWhy row={{ ...row, why }} />;
  if (remedy?.kind !== 'prune') return <>{needs ?? why}</>;
  return (
    <button
      type="button"
      className="text-button"
      title={`Prune to ${remedy.kept}:${remedy.group}`}
      onClick={() => put('a', row.stored, remedy)}
    >
      {needs}
    </button>
  );
}

function Fits({
  row,
  cards,
  besides,
}: {
  readonly row: CompareRow;
  readonly cards: readonly number[];
  readonly besides: number;
}) {
  const { bytes, state } = row;
  if (bytes === null || state === 'refused') return null;
  const fitting = cards.filter((card) => bytes + besides < card * 1e9);
  return (
    <span className="fits">
      {cards.map((card) => (
        <span key={card} data-fits={fitting.includes(card) || undefined} aria-hidden="true" />
      ))}
      <span className="unseen">{fitting.length === 0 ? 'none of them' : `${fitting.join(', ')} GB`}</span>
    </span>
  );
}
