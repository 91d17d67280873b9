import { entryValue, VALUE_BITS } from '../../../core/number/index.ts';
import { cellUnit, unitText } from '../../../core/story/drawing.ts';
import type { DrawnWeight, DrawnWindow } from '../../../core/story/drawn-rows.ts';
import { entryCount, GROUP, placesFor, storedDelta } from '../layout.ts';
import { reachOf } from '../params.ts';
import { entryName } from './scene-entries.ts';
import { alignedStart, type MackoStep, type MackoTrace } from './trace.ts';

/** A weight of the window, with the empty columns before it. */
export interface Weight extends DrawnWeight {
  readonly entry: number;
  /** empty columns since the weight before it, or since the start of the row */
  readonly skip: number;
}

/** The eight places of the list that one lane takes, as far as they belong to its row. */
export interface Lane {
  /** its first place, also if another row holds that */
  readonly from: number;
  /** entries of the row: [first, end) */
  readonly first: number;
  readonly end: number;
  readonly skipped: number;
  readonly weights: number;
  readonly zeros: number;
  /** columns that its entries pass, and those that the lanes before it passed */
  readonly passes: number;
  readonly startsAfter: number;
}

/** Bytes by what they are for. */
export interface Bytes {
  readonly weights: number;
  readonly zeros: number;
  readonly skips: number;
  readonly marks: number;
  readonly scales: number;
}

/** A weight with too many empty columns before it: how many zeros are stored on the way, and what is left to skip. */
interface WideSkip extends Weight {
  readonly zeros: number;
  readonly rest: number;
}

/** What the frames of a window show, found by what happens in it. */
export interface WindowFacts extends DrawnWindow<Weight> {
  readonly t: MackoTrace;
  /** bits of a skip, and the longest one that they write */
  readonly skipBits: number;
  readonly maxSkip: number;
  /** the row whose first weights are stored slowly, and up to three of these; neither in a window without weights */
  readonly lead: { readonly row: number; readonly slow: readonly Weight[] } | null;
  readonly wide: WideSkip | null;
  /** the weight with the longest skip */
  readonly longest: Weight | null;
  /** the row with the most weights, and its lanes */
  readonly lanes: { readonly row: number; readonly all: readonly Lane[] } | null;
  readonly bytes: Bytes;
  readonly total: number;
  /** of the list, with those that fill it up */
  readonly places: number;
  /** those that hold a weight in any row */
  readonly columns: ReadonlySet<number>;
  /** what cells write of the weights, each once */
  readonly texts: readonly string[];
  /** weights by their entries; entries without one are stored zeros */
  readonly weightOf: ReadonlyMap<number, Weight>;
  /** the numbers of a row and of a column in the matrix */
  rowNumber(row: number): number;
  columnNumber(column: number): number;
}

/** Weights that are stored one by one. */
const SLOW = 3;

/** O(entries + rows). */
export function windowFacts(t: MackoTrace): WindowFacts {
  const { encoded: e, window } = t;
  const valueBits = VALUE_BITS[e.valueType];
  const ofRow = Array.from({ length: window.rows }, (_, row) => weightsOf(t, row));
  const weights = ofRow.flat();
  const maxSkip = reachOf(e.deltaBits) - 1;
  const lead = leadOf(ofRow, maxSkip);
  const bytes = allBytes(t);
  const longest = weights.reduce<Weight | null>((max, one) => (max && max.skip >= one.skip ? max : one), null);
  const unit = cellUnit(weights.map(({ value }) => value));
  return {
    t,
    weights,
    ofRow,
    unit,
    columns: new Set(weights.map(({ column }) => column)),
    texts: [...new Set(weights.map(({ value }) => unitText(value, unit)))],
    valueBits,
    skipBits: e.deltaBits,
    maxSkip,
    lead,
    wide: wideOf(longest, maxSkip),
    longest,
    lanes: lanesOf(t, ofRow),
    bytes,
    total: sumOf(bytes),
    dense: (window.rows * window.cols * valueBits) / 8,
    places: placesFor(entryCount(e)),
    weightOf: new Map(weights.map((weight) => [weight.entry, weight])),
    rowNumber: (row) => (t.place?.row ?? 0) + row,
    columnNumber: (column) => (t.place?.col ?? 0) + column,
    sums: ofRow.map((row) => row.reduce((sum, { value, column }) => sum + value * t.x[column], 0)),
  };
}

function weightsOf(t: MackoTrace, row: number): readonly Weight[] {
  const { encoded: e } = t;
  const found: Weight[] = [];
  let previous = -1;
  for (let entry = e.indptr[row]; entry < e.indptr[row + 1]; entry++) {
    if (t.isPadding[entry]) continue;
    const column = t.columnOf[entry];
    const skip = column - previous - 1;
    found.push({ row, column, entry, value: entryValue(e, row, entry), skip, name: entryName(entry) });
    previous = column;
  }
  return found;
}

/** The first row that begins with three weights without a zero between, or else with the most of them. */
function leadOf(ofRow: readonly (readonly Weight[])[], maxSkip: number): WindowFacts['lead'] {
  let best: { row: number; slow: readonly Weight[] } | null = null;
  for (const [row, weights] of ofRow.entries()) {
    if (weights.length === 0) continue;
    const wide = weights.findIndex(({ skip }) => skip > maxSkip);
    const slow = weights.slice(0, Math.min(SLOW, wide < 0 ? SLOW : wide));
    if (best === null || slow.length > best.slow.length) best = { row, slow };
  }
  return best;
}

/** The longest skip, if it needs a stored zero. */
function wideOf(longest: Weight | null, maxSkip: number): WideSkip | null {
  if (!longest || longest.skip <= maxSkip) return null;
  const zeros = Math.floor(longest.skip / (maxSkip + 1));
  return { ...longest, zeros, rest: longest.skip - zeros * (maxSkip + 1) };
}

function lanesOf(t: MackoTrace, ofRow: readonly (readonly Weight[])[]): WindowFacts['lanes'] {
  const row = ofRow.reduce((longest, { length }, i) => (length > ofRow[longest].length ? i : longest), 0);
  if ((ofRow.at(row)?.length ?? 0) === 0) return null;
  const { encoded: e } = t;
  const [start, rowEnd] = [e.indptr[row], e.indptr[row + 1]];
  const all: Lane[] = [];
  let startsAfter = 0;
  for (let from = alignedStart(start); from < rowEnd; from += GROUP) {
    const [first, end] = [Math.max(start, from), Math.min(rowEnd, from + GROUP)];
    let skipped = 0;
    let zeros = 0;
    for (let i = first; i < end; i++) {
      skipped += storedDelta(e, i);
      zeros += t.isPadding[i];
    }
    const passes = skipped + end - first;
    all.push({ from, first, end, skipped, weights: end - first - zeros, zeros, passes, startsAfter });
    startsAfter += passes;
  }
  return { row, all };
}

function allBytes({ encoded: e }: MackoTrace): Bytes {
  const each = VALUE_BITS[e.valueType] / 8;
  return {
    weights: e.nnz * each,
    zeros: (placesFor(entryCount(e)) - e.nnz) * each,
    skips: e.deltas.byteLength,
    marks: e.indptr.byteLength,
    scales: e.scales.byteLength,
  };
}

/** The bytes of entries [from, to) alone, as bits are counted: nothing is filled up yet. */
export function bytesOfEntries({ t, valueBits, skipBits }: WindowFacts, from: number, to: number): Bytes {
  let zeros = 0;
  for (let i = from; i < to; i++) zeros += t.isPadding[i];
  const each = valueBits / 8;
  return {
    weights: (to - from - zeros) * each,
    zeros: zeros * each,
    skips: ((to - from) * skipBits) / 8,
    marks: 0,
    scales: 0,
  };
}

function sumOf({ weights, zeros, skips, marks, scales }: Bytes): number {
  return weights + zeros + skips + marks + scales;
}

/** The step after which something has happened for the last time; 0 if it never does. */
export function stepAfter({ t }: WindowFacts, happens: (step: MackoStep) => boolean): number {
  return t.steps.findLastIndex(({ detail }) => happens(detail)) + 1;
}
