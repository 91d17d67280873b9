import './rows.css';
import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  useMemo,
  useState,
} from 'react';
import { flagChoice, wordChoice, useChoices } from '../../../kit/browser/choices.ts';
import { useApp } from '../../../kit/app-context.ts';
import { BytesLegend } from '../../../kit/controls/BytesLegend.tsx';
import { Checkbox } from '../../../kit/controls/Checkbox.tsx';
import { Swatch } from '../../../kit/controls/Swatch.tsx';
import { largest } from '../../../core/number/statistics.ts';
import { threeDigits } from '../../../core/text/words.ts';
import type { Column, OnMeasure } from './TableColumns.tsx';
import { matrixColumns, modelColumns } from './TableColumns.tsx';
import { hasRowAction, RowAction, RowJob, useChooseSide } from './RowAction.tsx';
import { type ComparedFormats, type CompareRow, type Role, ROLES } from './compare-row.ts';
import { cardsFor, marksWithSpace } from './bar-marks.ts';
import { hasBar, visibleRows, type SortColumn, sortedRows, SORT_COLUMNS } from './table-rows.ts';
import { classes } from '../../../kit/primitives/classes.ts';
import { SPENSE_SOURCE, spenseRow } from './spense-row.ts';

interface BarMark {
  readonly bytes: number;
  readonly text: string;
}

interface RowBarProps {
  readonly row: CompareRow;
  /** bytes at the end of the scale */
  readonly max: number;
  /** bytes of dense f16, of which a bar longer than its column shows the multiple */
  readonly f16Bytes: number;
  readonly marks: readonly BarMark[];
}

/** A row's bytes by purpose as a bar, with the marks, on the scale that all rows share. */
function RowBar({ row, max, f16Bytes, marks }: RowBarProps) {
  const { bytes, parts, state } = row;
  const widthOf = (count: number): string => `${Math.min(100, (100 * count) / max)}%`;
  const timesF16 = bytes !== null && bytes > max ? bytes / f16Bytes : null;
  return (
    <div className="h-3.5" aria-hidden="true">
      {marks.map((mark) => (
        <i
          className="absolute z-1 inset-y-0 left-[calc(0.5rem+(100%-1rem)*var(--at))] max-sm:left-[calc(0.25rem+(100%-0.5rem)*var(--at))] [border-inline-start:1px_dotted_var(--text-muted)]"
          key={mark.text}
          style={{ '--at': mark.bytes / max }}
        />
      ))}
      {state === 'known' && bytes !== null && (
        <span className="relative flex h-full overflow-hidden">
          {parts === null || parts.length === 1 ? (
            <span
              className="flex-none bg-[color-mix(in_oklab,var(--neutral)_40%,var(--ground))]"
              style={{ width: widthOf(bytes) }}
            />
          ) : (
            ROLES.map((role) => {
              const bytesOfRole = parts.find((part) => part.role === role)?.bytes ?? 0;
              return bytesOfRole > 0 ? (
                <span key={role} className={`flex-none bytes--${role}`} style={{ width: widthOf(bytesOfRole) }} />
              ) : null;
            })
          )}
          {timesF16 !== null && <BarBreak timesF16={timesF16} />}
        </span>
      )}
    </div>
  );
}

/** The end of a bar that is longer than its column: a gap in it, and how many times dense f16 it is. */
function BarBreak({ timesF16 }: { readonly timesF16: number }) {
  return (
    <span className="absolute inset-y-0 end-0 flex items-center bg-ground ps-1 text-12 leading-none number text-muted">
      <i className="bar-break absolute inset-y-0 -start-2 w-1 -skew-x-20 bg-ground" />
      {threeDigits(timesF16)}×
    </span>
  );
}

/** Classes of the marks' names above the bars. */
const BAR_MARKS = 'absolute inset-x-2 bottom-2 h-5 max-sm:inset-x-1 max-sm:bottom-0 whitespace-nowrap tabular-nums';

/** The legend's entries for bytes that are neither values nor zeros. */
const OTHER_BYTES = [
  ['indices', 'positions'],
  ['metadata', 'row starts, scales'],
] as const;

const LEGEND: Readonly<Record<ComparedFormats['level'], readonly (readonly [Role, string])[]>> = {
  matrix: [['values', 'values'], ...OTHER_BYTES, ['padding', 'zeros, padding']],
  model: [['kept', 'lm_head, embedding: dense'], ['values', 'weights'], ...OTHER_BYTES, ['padding', 'zeros stored']],
};

/** The choices of the table, kept in the address: order, direction, and whether values of few bits are shown. */
const TABLE_CHOICES = { sort: wordChoice(SORT_COLUMNS, 'bytes'), down: flagChoice(false), few: flagChoice(false) };

interface CompareTableProps {
  readonly compared: ComparedFormats;
  readonly onMeasure: OnMeasure;
}

/** The bars' scale ends at the longest, at most at this multiple of dense f16, so that short bars remain visible. */
const MAX_TIMES_F16 = 2;

/** What the bars are compared with: dense f16 or, for a model, the memory of graphics cards. */
function marksOf(compared: ComparedFormats, cardSizesGB: readonly number[], max: number): readonly BarMark[] {
  if (compared.level === 'matrix') return [{ bytes: compared.f16Bytes, text: 'dense f16' }];
  return cardSizesGB
    .filter((size) => size * 1e9 < max * 0.99)
    .map((size) => ({ bytes: size * 1e9, text: `${size} GB` }));
}

/** Columns that show a figure for Spense, since they are computed from the bytes of a row alone. */
const BY_BYTES: ReadonlySet<SortColumn> = new Set(['bytes', 'share', 'fits']);

/** A row for each format, with its bytes as a bar. A click makes the row A, with Shift B: the formats compared. */
export function CompareTable({ compared, onMeasure }: CompareTableProps) {
  const [{ sort, down: isDescending, few: showsFewBits }, choose] = useChoices(TABLE_CHOICES);
  const chooseSide = useChooseSide();
  const { level, a, b, f16Bytes, model } = compared;
  const rows = useMemo(
    () => sortedRows(visibleRows({ rows: compared.rows, a, b }, showsFewBits), sort, isDescending),
    [compared.rows, a, b, showsFewBits, sort, isDescending],
  );
  const [lastKey, setLastKey] = useState<string | null>(null);
  const { hoveredKey, focusedKey, tracking } = useRowTracking();
  const focusable = rows.find(({ key }) => key === lastKey) ?? rows.find(({ key }) => key === a?.key) ?? rows.at(0);
  const cardSizesGB = cardsFor(f16Bytes);
  const sizes = rows.map(({ bytes }) => bytes ?? 0);
  // The longest bar ends a little before the edge.
  const max = Math.min(largest(sizes, f16Bytes), MAX_TIMES_F16 * f16Bytes) * 1.02;
  const marks = marksOf(compared, cardSizesGB, max);
  const columns =
    level === 'matrix' ? matrixColumns(compared, onMeasure) : modelColumns(compared, onMeasure, cardSizesGB);
  const sortColumn = columns.some(({ id }) => id === sort) ? sort : 'bytes';

  const pick = (row: CompareRow, side: 'a' | 'b'): void => {
    setLastKey(row.key);
    chooseSide(side, row.stored, row.state === 'refused' ? row.remedy : null);
  };
  const { onClick, onDoubleClick, onKeyDown } = useChoosingListeners(rows, pick, setLastKey);
  const onSort = (id: SortColumn): void => choose({ sort: id, down: id === sortColumn ? !isDescending : false });
  // A model's columns of times show tokens per second, which fall as times rise.
  const areRates = level === 'model' && (sortColumn === 'atMost' || sortColumn === 'measured');
  const order = isDescending === areRates ? 'ascending' : 'descending';
  const headCell = (column: Column): ReactNode => (
    <HeadCell key={column.id} column={column} order={column.id === sortColumn ? order : undefined} onSort={onSort} />
  );
  const [formatColumn, ...otherColumns] = columns;
  const columnsBeforeBar = otherColumns.filter(({ id }) => id === 'needs');
  const columnsAfterBar = otherColumns.filter(({ id }) => id !== 'needs');
  const explainedRow =
    rows.find(({ key }) => key === hoveredKey) ?? rows.find(({ key }) => key === (focusedKey ?? lastKey)) ?? null;
  return (
    <div>
      <div className="flex flex-wrap items-center justify-between gap-y-1 gap-x-4 mt-3">
        <BytesLegend roles={LEGEND[level]} />
        <Checkbox className="text-13" checked={showsFewBits} onChange={(few) => choose({ few })}>
          8 and 4 bits
        </Checkbox>
      </div>
      <table className="ranked underlined text-15 w-full leading-[1.3]" data-level={level}>
        <caption className="unseen">All formats {model ? `for ${model.shape.name}` : 'on this matrix'}</caption>
        <thead>
          <tr>
            <td />
            {headCell(formatColumn)}
            {columnsBeforeBar.map(headCell)}
            <th scope="col" className="bars h-7 max-sm:h-5">
              <span className="unseen">bytes by purpose</span>
              <span className={BAR_MARKS} aria-hidden="true">
                {marksWithSpace(marks, max).map(({ bytes, text }) => (
                  <span className="absolute -translate-x-1/2" key={text} style={{ left: `${(100 * bytes) / max}%` }}>
                    {text}
                  </span>
                ))}
              </span>
            </th>
            {columnsAfterBar.map(headCell)}
            <td />
          </tr>
        </thead>
        {/* The keys belong to the buttons inside, which do what a click does. */}
        {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions */}
        <tbody onClick={onClick} onDoubleClick={onDoubleClick} onKeyDown={onKeyDown} {...tracking}>
          {rows.map((row) => (
            <TableRow
              key={row.key}
              row={row}
              side={row.key === a?.key ? 'a' : row.key === b?.key ? 'b' : undefined}
              isFocusable={row === focusable}
              showsBothSides={row.key === hoveredKey || row.key === focusedKey}
              onFocus={setLastKey}
              onPick={pick}
              cellsBeforeBar={columnsBeforeBar.map((column) => cellOf(column, row, sortColumn))}
              bar={
                row.job ? <RowJob job={row.job} /> : <RowBar row={row} max={max} f16Bytes={f16Bytes} marks={marks} />
              }
              cellsAfterBar={columnsAfterBar.map((column) => cellOf(column, row, sortColumn))}
              columns={otherColumns.length + 2}
              action={<RowAction row={row} compared={compared} />}
              hasAction={hasRowAction(row, compared)}
            />
          ))}
        </tbody>
        <SpenseBody compared={compared} table={{ columnsBeforeBar, columnsAfterBar, max, marks, sortColumn }} />
      </table>
      {level === 'matrix' && <RowReason row={explainedRow} compared={compared} />}
    </div>
  );
}

interface SpenseBodyProps {
  readonly compared: ComparedFormats;
  /** the columns on both sides of the bar, and the scale of the bars */
  readonly table: {
    readonly columnsBeforeBar: readonly Column[];
    readonly columnsAfterBar: readonly Column[];
    readonly max: number;
    readonly marks: readonly BarMark[];
    readonly sortColumn: SortColumn;
  };
}

/** Below the formats: the bytes of Spense, which is known by its closed form alone. */
function SpenseBody({
  compared,
  table: { columnsBeforeBar, columnsAfterBar, max, marks, sortColumn },
}: SpenseBodyProps) {
  const spense = spenseRow(compared);
  if (spense === null) return null;
  const { row, detail, why } = spense;
  return (
    <tbody>
      <tr className="border-b border-hairline" title={why}>
        <td className="row-sides" />
        <th scope="row" className="whitespace-nowrap max-sm:whitespace-normal">
          <a href={SPENSE_SOURCE} rel="noreferrer">
            Spense
          </a>{' '}
          <span className="text-muted text-13">{detail}</span>
        </th>
        {columnsBeforeBar.map((column) => (
          <td key={column.id} data-col={column.id}>
            {row.needs}
          </td>
        ))}
        <td className="bars">
          <RowBar row={row} max={max} f16Bytes={compared.f16Bytes} marks={marks} />
        </td>
        {columnsAfterBar.map((column) =>
          cellOf(BY_BYTES.has(column.id) ? column : { ...column, cell: () => '–' }, row, sortColumn),
        )}
        <td />
      </tr>
    </tbody>
  );
}

/** Below the table: the reason for the bytes of the row that is pointed at, has the focus, or was pressed last. */
function RowReason({ row, compared }: { readonly row: CompareRow | null; readonly compared: ComparedFormats }) {
  // Its space is reserved, so that nothing moves when a row is pointed at.
  if (!row || row.why === null) return <p className="text-13 mt-1 min-h-6" />;
  const { format, detail, why } = row;
  return (
    <p className="flex flex-wrap gap-y-1 gap-x-3 text-muted text-13 mt-1 min-h-6">
      <span>
        <b className="text-ink">{format.title}</b> {detail}: {why}
      </span>
      <span>{hasBar(row) && <RowAction row={row} compared={compared} isLong />}</span>
    </p>
  );
}

function keyAt(target: EventTarget): string | undefined {
  return target instanceof Element ? target.closest<HTMLElement>('tr[data-key]')?.dataset.key : undefined;
}

/** Listeners of the rows: a click or A and B choose a row, a double click opens its story, arrow keys move the focus. */
function useChoosingListeners(
  rows: readonly CompareRow[],
  onPick: (row: CompareRow, side: 'a' | 'b') => void,
  onFocus: (key: string) => void,
) {
  const { session } = useApp();
  const rowAt = (target: EventTarget): CompareRow | undefined => rows.find(({ key }) => key === keyAt(target));
  const onClick = (event: MouseEvent): void => {
    const row = rowAt(event.target);
    const button = (event.target as Element).closest('button');
    if (!row || (button && !button.classList.contains('row-name'))) return;
    onPick(row, event.shiftKey ? 'b' : 'a');
  };
  const onDoubleClick = (event: MouseEvent): void => {
    if (rowAt(event.target) && !(event.target as Element).closest('button:not(.row-name)')) session.follow('stage');
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rowAt(event.target);
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return;
    const index = rows.indexOf(row);
    const nextIndex = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: rows.length - 1 }[event.key];
    const side = ({ a: 'a', b: 'b' } as const)[event.key.toLowerCase()];
    if (nextIndex !== undefined) {
      const { key } = rows[Math.max(0, Math.min(nextIndex, rows.length - 1))];
      onFocus(key);
      event.currentTarget.querySelector<HTMLElement>(`tr[data-key="${CSS.escape(key)}"] .row-name`)?.focus();
    } else if (side) onPick(row, side);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return { onClick, onDoubleClick, onKeyDown };
}

/** Keys of the hovered and of the focused row, which show the buttons A and B, and the listeners that track them. */
function useRowTracking() {
  const [hoveredKey, setHoveredKey] = useState<string | undefined>();
  const [focusedKey, setFocusedKey] = useState<string | undefined>();
  const tracking = {
    onPointerOver: (event: PointerEvent) => setHoveredKey(keyAt(event.target)),
    onPointerLeave: () => setHoveredKey(undefined),
    onFocus: (event: FocusEvent) => setFocusedKey(keyAt(event.target)),
    onBlur: () => setFocusedKey(undefined),
  };
  return { hoveredKey, focusedKey, tracking };
}

/** A cell with a number, in the typeface and size of the table's text. */
const NUMBER = 'number [font-family:inherit] [font-size:inherit]';

function cellOf({ id, isText, cell }: Column, row: CompareRow, sortColumn: SortColumn): ReactNode {
  return (
    <td key={id} data-col={id} data-shown={id === sortColumn || undefined} className={isText ? undefined : NUMBER}>
      {cell(row)}
    </td>
  );
}

interface HeadCellProps {
  readonly column: Column;
  /** order of the table, if it is sorted by this column */
  readonly order: 'ascending' | 'descending' | undefined;
  readonly onSort: (sort: SortColumn) => void;
}

function HeadCell({ column: { id, title, name, chip, isText }, order, onSort }: HeadCellProps) {
  return (
    <th scope="col" data-col={id} className={isText ? undefined : NUMBER} aria-sort={order}>
      <button
        type="button"
        className={classes(
          '[text-align:inherit] hover:text-ink max-sm:px-3 max-sm:py-1.5 max-sm:rounded-md max-sm:text-13 cursor-pointer',
          order ? 'font-semibold text-ink max-sm:bg-(--strong) max-sm:text-on-strong' : 'max-sm:bg-word',
        )}
        aria-label={`Sort by ${name}`}
        onClick={() => onSort(id)}
      >
        <span className="max-sm:hidden">{title}</span>
        <span className="hidden max-sm:inline">{chip ?? title}</span>
        {order && <span aria-hidden="true"> {order === 'descending' ? '↓' : '↑'}</span>}
      </button>
    </th>
  );
}

const SIDES = ['a', 'b'] as const;

interface TableRowProps {
  readonly row: CompareRow;
  readonly side: 'a' | 'b' | undefined;
  readonly isFocusable: boolean;
  /** whether the row shows both buttons, A and B; otherwise only the button of its side */
  readonly showsBothSides: boolean;
  readonly onFocus: (key: string) => void;
  readonly onPick: (row: CompareRow, side: 'a' | 'b') => void;
  readonly cellsBeforeBar: ReactNode;
  readonly bar: ReactNode;
  readonly cellsAfterBar: ReactNode;
  /** number of columns after the name of the format */
  readonly columns: number;
  readonly action: ReactNode;
  readonly hasAction: boolean;
}

function TableRow(props: TableRowProps) {
  const {
    row,
    side,
    isFocusable,
    showsBothSides,
    onFocus,
    onPick,
    cellsBeforeBar,
    bar,
    cellsAfterBar,
    columns,
    action,
    hasAction,
  } = props;
  const { key, format, detail, state, why, figures } = row;
  return (
    <tr
      className="border-t last:border-b border-hairline cursor-pointer hover:bg-sunken data-side:bg-word"
      data-key={key}
      data-state={state}
      data-side={side}
    >
      <td className="row-sides w-13 max-sm:w-auto">
        <span className="flex justify-end gap-0.5">
          {SIDES.filter((choice) => showsBothSides || choice === side).map((choice) => (
            <button
              key={choice}
              type="button"
              tabIndex={-1}
              className={classes(
                'w-5 rounded-[4px] text-12 leading-5 font-semibold cursor-pointer',
                side === choice
                  ? 'order-1 shadow-[inset_0_0_0_1.5px_var(--strong)]'
                  : 'shadow-[inset_0_0_0_1.5px_var(--hairline)] text-muted',
                side === choice && (choice === 'a' ? 'bg-(--strong) text-on-strong' : 'text-ink'),
              )}
              aria-pressed={side === choice}
              aria-label={`${format.title} ${detail} as ${choice.toUpperCase()}`}
              onClick={() => onPick(row, choice)}
            >
              {choice.toUpperCase()}
            </button>
          ))}
        </span>
      </td>
      <th scope="row">
        <button
          type="button"
          className="row-name whitespace-nowrap max-sm:whitespace-normal text-start cursor-pointer"
          tabIndex={isFocusable ? 0 : -1}
          aria-keyshortcuts="A B"
          onFocus={() => onFocus(key)}
        >
          <Swatch format={format.id} /> <b>{format.title}</b> <span className="text-muted text-13">{detail}</span>
        </button>
        {figures?.isSound === false && <b className="text-danger font-semibold">Its arrays are wrong.</b>}
      </th>
      {hasBar(row) ? (
        <>
          {cellsBeforeBar}
          <td className="bars">{bar}</td>
          {cellsAfterBar}
          <td className="row-action text-end whitespace-nowrap">{action}</td>
        </>
      ) : (
        <td
          className="row-none max-w-0 max-sm:max-w-none max-sm:col-span-full text-muted text-13"
          colSpan={columns}
          title={why ?? undefined}
        >
          <span className="flex gap-3 [&>.text-button]:flex-none">
            {/* The button tells enough; the reason is below the table while the row is pointed at. */}
            <span className={hasAction ? 'unseen' : 'line-clamp-3'}>
              {state === 'open' ? 'its size depends on the matrix' : why}
            </span>
            {action}
          </span>
        </td>
      )}
    </tr>
  );
}
