/* The columns of Compare's table besides the bars, for a matrix and for a model. */

import type { ReactNode } from 'react';
import { fact, type NamedFact, numberText, sizeFact } from '../../../core/text/stated.ts';
import { countText } from '../../../core/text/words.ts';
import { bytes as bytesText, percent, time } from '../../../kit/words/quantity.ts';
import { substituteOf } from '../../../kit/words/ran-instead.ts';
import { isOfSimpleKernel, SIMPLE_KERNEL } from '../../../kit/words/speed-of.ts';
import { modelSize } from '../../../kit/words/model-sizes.ts';
import type { ComparedFormats, CompareRow } from './compare-row.ts';
import { useChooseSide } from './RowAction.tsx';
import type { SortColumn } from './table-rows.ts';
import { useSession } from '../../../kit/app-context.ts';
import { boundText, isMeaningful } from '../../../kit/report/time-bound.ts';
import { oneDecimal } from '../../../kit/words/rates.ts';
import { TextButton } from '../../../kit/controls/Button.tsx';

/** Measures a row here; null in the table of a model, which is measured as a whole. */
export type OnMeasure = ((row: CompareRow) => (() => void) | null) | null;

/** A column of the table next to the bars. */
export interface Column {
  readonly id: SortColumn;
  readonly title: ReactNode;
  /** for screen readers */
  readonly name: string;
  /** the title on a phone, if it differs */
  readonly chip?: string;
  /** words, not a number */
  readonly isText?: true;
  readonly cell: (row: CompareRow) => ReactNode;
}

const FORMAT: Column = {
  id: 'format',
  title: 'format',
  name: 'format',
  chip: 'format',
  isText: true,
  cell: () => null, // each row draws its name
};

/** If a row has this many bytes, all rows are written with a unit: longer numbers would not fit. */
const MIN_WITH_UNIT = 1e7;

/** A heading of two lines; the first is quieter. */
function TwoLines({ first, second }: { readonly first: string; readonly second: string }) {
  return (
    <>
      <span className="text-muted block">{first}</span> {second}
    </>
  );
}

/** The bytes of a row and their share of dense f16, named, so that a test can compute them again; null if unknown. */
export function sizeFacts(
  { key, bytes }: CompareRow,
  f16Bytes: number,
): Readonly<Record<'size' | 'share', NamedFact>> | null {
  if (bytes === null) return null;
  const share = fact(`share of dense f16, ${key}`, bytes / f16Bytes, 'share');
  return { size: sizeFact(key, bytes), share: { ...share, scope: 'matrix' } };
}

/** The unit that the bytes of all rows are written in, for the heading; null if they differ, or have none. */
function commonUnit({ rows, f16Bytes }: ComparedFormats): string | null {
  const texts = rows.flatMap((row) => {
    const size = sizeFacts(row, f16Bytes)?.size.value;
    return size === undefined ? [] : [bytesText(size)];
  });
  const units = new Set(texts.map((text) => UNIT.exec(text)?.[1] ?? ''));
  const [unit] = units;
  return units.size === 1 && hasUnits(rows) ? unit : null;
}

/** The unit at the end of a size. */
const UNIT = /\s([A-Za-z]+)$/;

function hasUnits(rows: readonly CompareRow[]): boolean {
  return rows.some(({ bytes }) => (bytes ?? 0) >= MIN_WITH_UNIT);
}

/** The bytes of a row; '…' until computed. '≈' marks an estimate, unless all are: only some rows were generated. */
function bytesCellText(row: CompareRow, { summary, rows, f16Bytes }: ComparedFormats, unit: string | null): string {
  const { isExpected, state } = row;
  const size = sizeFacts(row, f16Bytes)?.size.value;
  if (size === undefined) return state === 'waiting' ? '…' : '–';
  const withUnit = hasUnits(rows) ? bytesText(size) : countText(size);
  const text = unit === null ? withUnit : withUnit.replace(UNIT, '');
  return isExpected && summary.sampledRows === undefined ? `≈ ${text}` : text;
}

/** The columns for a matrix: bytes and times. */
export function matrixColumns(compared: ComparedFormats, onMeasure: OnMeasure): readonly Column[] {
  const { f16Bytes, rows } = compared;
  const unit = commonUnit(compared);
  const bounds = new Set(rows.flatMap(({ state, minNs }) => (state === 'known' ? [minNs] : [])));
  return [
    FORMAT,
    { id: 'bytes', title: unit ?? 'bytes', name: 'bytes', cell: (row) => bytesCellText(row, compared, unit) },
    {
      id: 'share',
      title: '% of f16',
      name: 'share of dense f16',
      cell: (row) => {
        const share = sizeFacts(row, f16Bytes)?.share;
        return share === undefined ? '' : numberText(share).replace(/\s*%$/, '');
      },
    },
    {
      id: 'measured',
      title: 'time',
      name: 'time, measured',
      // If all rows have the same bound, it is the time to start a kernel, and does not distinguish them.
      cell: (row) => <MeasuredTime row={row} compared={compared} onMeasure={onMeasure} showsBound={bounds.size > 1} />,
    },
  ];
}

/** The columns for a model: its pruning, tokens per second, and on which graphics cards (memory in GB) it fits. */
export function modelColumns(
  compared: ComparedFormats,
  onMeasure: OnMeasure,
  cards: readonly number[],
): readonly Column[] {
  const contextBytes = compared.model?.contextBytes ?? 0;
  const isMixture = compared.model?.shape.experts !== undefined;
  return [
    FORMAT,
    {
      id: 'needs',
      title: 'pruning needed',
      name: 'pruning needed',
      isText: true,
      cell: (row) => <PruningNeeded row={row} />,
    },
    {
      id: 'bytes',
      title: 'GB',
      name: 'gigabytes',
      cell: ({ bytes, state }) => (bytes === null || state === 'refused' ? '–' : modelSize(bytes, false)),
    },
    ...(isMixture
      ? [
          {
            id: 'read',
            title: <TwoLines first="GB read" second="a token" />,
            name: 'gigabytes read for a token',
            chip: 'GB a token',
            cell: ({ readBytes, state }: CompareRow) =>
              readBytes === undefined || state === 'refused' ? '–' : modelSize(readBytes, false),
          } as const,
        ]
      : []),
    {
      id: 'fits',
      title: (
        <>
          <span className="text-muted block">fits a card, in GB</span>
          <span className="grid grid-cols-[repeat(4,1.5rem)] justify-items-center">
            {cards.map((card) => (
              <span key={card}>{card}</span>
            ))}
          </span>
        </>
      ),
      name: 'cards that it fits',
      chip: `fits ${cards.join(', ')} GB`,
      isText: true,
      cell: (row) => <FittingCards row={row} cards={cards} contextBytes={contextBytes} />,
    },
    {
      id: 'atMost',
      title: <TwoLines first="tokens/s" second="at most" />,
      name: 'tokens per second, at most',
      chip: 'tokens/s at most',
      cell: ({ minNs }) => <span className="text-quiet">{minNs ? oneDecimal(1e9 / minNs) : '–'}</span>,
    },
    {
      id: 'measured',
      title: <TwoLines first="measured," second="% of at most" />,
      name: 'tokens per second, measured',
      chip: 'tokens/s measured',
      cell: (row) => <MeasuredTime row={row} compared={compared} onMeasure={onMeasure} />,
    },
    {
      id: 'same', // as many bytes as dense i4; the id is part of addresses
      title: <TwoLines first="smaller than" second="dense i4 below" />,
      name: 'smaller than dense i4 below',
      chip: 'smaller than dense i4 below',
      cell: ({ evenWithI4 }) =>
        evenWithI4 === undefined ? '–' : evenWithI4 === null ? 'never' : `${percent(evenWithI4, 0)} left`,
    },
  ];
}

/** The pruning that a row assumes; a click prunes the matrix so. */
function PruningNeeded({ row }: { readonly row: CompareRow }) {
  const chooseSide = useChooseSide();
  const { needs, remedy, why } = row;
  if (remedy?.kind !== 'prune') return <>{needs ?? why}</>;
  return (
    <TextButton title={`Prune to ${remedy.kept}:${remedy.group}`} onClick={() => chooseSide('a', row.stored, remedy)}>
      {needs}
    </TextButton>
  );
}

interface FittingCardsProps {
  readonly row: CompareRow;
  /** memory of each card, in GB */
  readonly cards: readonly number[];
  /** of the KV cache */
  readonly contextBytes: number;
}

/** A dot for each card, filled if the model and its KV cache fit. */
function FittingCards({ row: { bytes, state }, cards, contextBytes }: FittingCardsProps) {
  if (bytes === null || state === 'refused') return null;
  const fitting = cards.filter((card) => bytes + contextBytes < card * 1e9);
  return (
    <span
      className="grid grid-cols-[repeat(4,1.5rem)] justify-items-center"
      role="img"
      aria-label={fitting.length === 0 ? 'none of them' : `${fitting.join(', ')} GB`}
    >
      {cards.map((card) => (
        <span
          key={card}
          className={`w-2.5 h-2.5 rounded-[50%] ${fitting.includes(card) ? 'bg-good' : 'shadow-[inset_0_0_0_1.5px_var(--text-quiet)]'}`}
        />
      ))}
    </span>
  );
}

/** Whether a time of the row, for the matrix or a shape of the model, is of a simple kernel, which is not tuned. */
function isSimple(row: CompareRow, model: ComparedFormats['model']): boolean {
  const { format, figures } = row;
  if (!format.kernels.some((kernel) => kernel.isSimple)) return false;
  const timedRows =
    model === null
      ? [figures?.measurement?.timedRow.row]
      : model.viewOf(row)?.lines.map((line) => line.measurement?.stored);
  return timedRows?.some((timedRow) => isOfSimpleKernel(format, timedRow)) ?? false;
}

interface MeasuredTimeProps {
  readonly row: CompareRow;
  readonly compared: ComparedFormats;
  readonly onMeasure: OnMeasure;
  /** if there is no time, the lower bound from bytes is shown */
  readonly showsBound?: boolean;
}

/** The measured time and, for a model, the bound as a share of it; else 'wrong', a button to measure, or the bound. */
function MeasuredTime({ row, compared, onMeasure, showsBound = false }: MeasuredTimeProps) {
  const { level, tokens, visibleDevice, model } = compared;
  const isRunning = useSession((s) => s.bench.running !== null);
  const { measuredNs, tokenNs, matricesNs = null, minNs, figures, format, detail, state } = row;
  if (tokenNs !== null) return <WholeTokens tokenNs={tokenNs} matricesNs={matricesNs} />;
  if (measuredNs !== null) {
    const substitute = figures?.measurement ? substituteOf(figures.measurement.timedRow.report) : null;
    return (
      <>
        <b className={substitute === null ? undefined : 'row-no-gpu text-quiet'}>
          {level === 'model' ? oneDecimal((tokens * 1e9) / measuredNs) : time(measuredNs)}
        </b>
        {substitute !== null && <span className="text-muted text-13">, {substitute}</span>}
        {isSimple(row, model) && <span className="text-muted text-13">, {SIMPLE_KERNEL}</span>}
        {figures?.measurement?.isOtherRun && <span className="text-muted text-13">, other run</span>}
        {minNs !== null && level === 'model' && (
          <span className="text-muted text-13"> {percent(minNs / measuredNs, 0)}</span>
        )}
      </>
    );
  }
  if (figures?.verification && !figures.verification.timedRow.row.verified.ok)
    return <span className="text-danger font-semibold">wrong</span>;
  const canMeasure = state === 'known' && level === 'matrix' && visibleDevice.device.kind === 'this' && !isRunning;
  const measure = (canMeasure && onMeasure?.(row)) || null;
  if (measure !== null) {
    return (
      <TextButton aria-label={`Measure ${format.title} ${detail}`} onClick={measure}>
        measure
      </TextButton>
    );
  }
  return (
    <span className="text-quiet">
      {showsBound && minNs !== null && minNs > 0
        ? `${isMeaningful({ ns: minNs }) ? 'at least ' : ''}${boundText({ ns: minNs })}`
        : '–'}
    </span>
  );
}

/** Whole tokens per second and, from the same measurement, what their matrices alone would allow. */
function WholeTokens({ tokenNs, matricesNs }: { readonly tokenNs: number; readonly matricesNs: number | null }) {
  const isPart = matricesNs !== null && matricesNs > 0 && matricesNs < tokenNs;
  return (
    <>
      <b>{oneDecimal(1e9 / tokenNs)}</b>
      <span className="text-muted text-13">
        {' '}
        whole{isPart && `; matrices ${oneDecimal(1e9 / matricesNs)}, ${time(tokenNs - matricesNs)} less`}
      </span>
    </>
  );
}
