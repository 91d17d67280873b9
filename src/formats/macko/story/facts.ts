import type { DeclaredTrace } from '../../../story/declared/trace.ts';
import { entryValue, VALUE_BITS } from '../../../core/number/index.ts';
import { cellUnit, unitText } from '../../../story/cell-unit.ts';
import { type CountedBytes, totalOf } from '../../../story/flow/counter-bar.ts';
import { numbersIn } from '../../../story/trace.ts';
import { entryCount, GROUP, type MackoEncoded, paddedLength, storedDelta } from '../layout.ts';
import { reachOf } from '../params.ts';

/** The steps of encoding and multiplying a window (part of a matrix) in MACKO. */
export type MackoTrace = DeclaredTrace<MackoEncoded>;

/** An entry of values and deltas (the list): a weight, or a zero in a skip (empty columns) too long for one delta. */
export interface Entry {
  /** its index in the list */
  readonly index: number;
  readonly row: number;
  readonly column: number;
  readonly value: number;
  /** the skip that its delta stores */
  readonly stored: number;
  readonly isZero: boolean;
}

/** A weight, with the number of empty columns since the weight before it, or since the start of the row. */
export interface Weight extends Entry {
  readonly skip: number;
}

/** Eight entries of the list, which a GPU lane reads at a time to multiply a row. */
export interface Lane {
  /** its first entry, of this row or of an earlier one */
  readonly from: number;
  /** entries of the row among these eight */
  readonly rowEntries: readonly Entry[];
  /** columns that its entries skip */
  readonly skipped: number;
  /** columns that its entries pass: those that they skip, and their own */
  readonly passes: number;
  /** columns of the row that the lanes before it pass */
  readonly startsAfter: number;
}

/** A weight whose skip is too long for one delta: number of zeros stored before it, and the remaining skip. */
interface LongSkip extends Weight {
  readonly zeros: number;
  readonly lastSkip: number;
}

/** What the frames (pictures) of the story show of its window, the part of a matrix that it is about. */
export type WindowFacts = ReturnType<typeof windowFacts>;

/** Maximum number of weights that are stored one by one, each in a separate frame. */
const ONE_BY_ONE = 3;

/** Entries, weights, lanes and bytes of the window of `t`. O(entries + rows). */
export function windowFacts(t: MackoTrace) {
  const { encoded: e, window } = t;
  const valueBits = VALUE_BITS[e.valueType];
  const maxSkip = reachOf(e.deltaBits) - 1;
  const entries = entriesOf(t);
  const ofRow = Array.from({ length: window.rows }, (_, r) => weightsOf(entries.slice(e.indptr[r], e.indptr[r + 1])));
  const weights = ofRow.flat();
  // The story follows the row that was changed last, unless it has no weights left.
  const editedRow = t.editedCell && ofRow[t.editedCell.row].length > 0 ? t.editedCell.row : null;
  const candidates = editedRow === null ? weights : ofRow[editedRow];
  const longest = candidates.reduce<Weight | null>(
    (max, weight) => (max && max.skip >= weight.skip ? max : weight),
    null,
  );
  const positions = paddedLength(entries.length);
  const bytes = countedBytes({
    weights: (e.nnz * valueBits) / 8,
    zeros: ((positions - e.nnz) * valueBits) / 8,
    skips: e.deltas.byteLength,
    rowStarts: e.indptr.byteLength,
    scales: e.scales.byteLength,
  });
  const unit = cellUnit(weights.map(({ value }) => value));
  return {
    ...numbersIn(t),
    t,
    entries,
    /** weights of all rows, and by row */
    weights,
    ofRow,
    unit,
    /** columns with a weight in any row */
    columns: new Set(weights.map(({ column }) => column)) as ReadonlySet<number>,
    /** the texts of weights in cells, each once */
    texts: [...new Set(weights.map(({ value }) => unitText(value, unit)))] as readonly string[],
    valueBits,
    /** bits of a delta, and the longest skip that they write */
    skipBits: e.deltaBits as number,
    maxSkip,
    /** the row that the user edited, if it has weights: the frames are about it */
    editedRow,
    /** the row whose first weights are stored one by one, and these weights; null in a window without weights */
    lead: leadOf(ofRow, maxSkip, editedRow),
    /** the weight with the longest skip, and the stored zeros that this skip needs, if any */
    longest,
    tooLong: longest && longest.skip > maxSkip ? longSkipOf(longest, maxSkip + 1) : null,
    /** the row with the most weights, and its lanes */
    lanes: lanesOf(entries, ofRow, editedRow),
    /** bytes of all arrays, their sum, and the bytes of all cells in dense */
    bytes,
    total: totalOf(bytes),
    dense: (window.rows * window.cols * valueBits) / 8,
    /** length of the list, with the zeros that fill it up to a multiple of eight */
    positions,
  };
}

/** All entries, in order. O(stores). */
export function entriesOf({ encoded: e, stores }: MackoTrace): readonly Entry[] {
  // Indices of stored zeros in values and deltas; those past the last entry do no harm.
  const padding = new Set(stores.at.filter((_, i) => stores.isPadding[i] === 1));
  let row = 0;
  let column = -1;
  return Array.from({ length: entryCount(e) }, (_, index): Entry => {
    while (index === e.indptr[row + 1]) row++;
    if (index === e.indptr[row]) column = -1;
    const stored = storedDelta(e, index);
    column += stored + 1;
    return { index, row, column, value: entryValue(e, row, index), stored, isZero: padding.has(index) };
  });
}

/** The weights among the entries of a row, each with its whole skip. */
function weightsOf(row: readonly Entry[]): readonly Weight[] {
  const weights = row.filter(({ isZero }) => !isZero);
  return weights.map((weight, i) => ({ ...weight, skip: weight.column - (weights[i - 1]?.column ?? -1) - 1 }));
}

/** The first row with the most weights (up to `ONE_BY_ONE`) before any stored zero, and these weights. */
function leadOf(ofRow: readonly (readonly Weight[])[], maxSkip: number, editedRow: number | null) {
  let best: { readonly row: number; readonly oneByOne: readonly Weight[] } | null = null;
  for (const [row, weights] of ofRow.entries()) {
    if (weights.length === 0 || row !== (editedRow ?? row)) continue;
    const firstTooLong = weights.findIndex(({ skip }) => skip > maxSkip);
    const oneByOne = weights.slice(0, Math.min(ONE_BY_ONE, firstTooLong < 0 ? ONE_BY_ONE : firstTooLong));
    if (best === null || oneByOne.length > best.oneByOne.length) best = { row, oneByOne };
  }
  return best;
}

function longSkipOf(weight: Weight, reach: number): LongSkip {
  return { ...weight, zeros: Math.floor(weight.skip / reach), lastSkip: weight.skip % reach };
}

/** `editedRow`, or else the row with the most weights, with its lanes; null if the row has no entry. */
function lanesOf(entries: readonly Entry[], ofRow: readonly (readonly Weight[])[], editedRow: number | null) {
  const row = editedRow ?? ofRow.reduce((longest, { length }, i) => (length > ofRow[longest].length ? i : longest), 0);
  const lanes: Lane[] = [];
  let startsAfter = 0;
  for (let remaining = entries.filter((entry) => entry.row === row); remaining.length > 0;) {
    const from = remaining[0].index - (remaining[0].index % GROUP);
    const laneEntries = remaining.filter(({ index }) => index < from + GROUP);
    const skipped = laneEntries.reduce((sum, { stored }) => sum + stored, 0);
    const passes = skipped + laneEntries.length;
    lanes.push({ from, rowEntries: laneEntries, skipped, passes, startsAfter });
    startsAfter += passes;
    remaining = remaining.slice(laneEntries.length);
  }
  return lanes.length === 0 ? null : { row, all: lanes };
}

/** Bytes by purpose. */
type Bytes = Readonly<Record<'weights' | 'zeros' | 'skips' | 'rowStarts' | 'scales', number>>;

function countedBytes({ weights, zeros, skips, rowStarts, scales }: Bytes): readonly CountedBytes[] {
  return [
    { tone: 'values', bytes: weights, name: 'weights' },
    { tone: 'padding', bytes: zeros, name: 'stored zeros' },
    { tone: 'indices', bytes: skips, name: 'skips' },
    { tone: 'metadata', bytes: rowStarts, name: 'row starts' },
    { tone: 'metadata', bytes: scales, name: 'scales' },
  ];
}

/** The bytes of some entries alone, not rounded up to words. */
export function bytesOfEntries(
  { valueBits, skipBits }: WindowFacts,
  entries: readonly Entry[],
): readonly CountedBytes[] {
  const zeros = entries.filter(({ isZero }) => isZero).length;
  const each = valueBits / 8;
  const skips = (entries.length * skipBits) / 8;
  return countedBytes({
    weights: (entries.length - zeros) * each,
    zeros: zeros * each,
    skips,
    rowStarts: 0,
    scales: 0,
  });
}
