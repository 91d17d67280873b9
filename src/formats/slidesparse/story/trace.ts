import { finish } from '../../../core/job.ts';
import { type Matrix, rowBuffer, toDense } from '../../../core/matrix/index.ts';
import type { StorageLedger } from '../../../core/encoded/ledger.ts';
import { type Effect, type Trace, TraceBuilder, traceVector } from '../../../core/story/trace.ts';
import { encodeSteps } from '../encode.ts';
import { encoding, firstFullGroup } from '../encoding.ts';
import { keptColumn, keptValue, nibbleAt, type SlideSparseEncoded, usedWindows, WINDOWS_PER_WORD } from '../layout.ts';
import { type Quantised, quantise } from '../../../core/number/quantise.ts';
import { KEPT, type SlideSparseParams, windowsPerGroup } from '../params.ts';
import { pruneToPatternSteps } from '../../../core/matrix/prune-pattern.ts';
import { assignWindows } from '../slide.ts';
import { refuteTheorem2 } from '../../../theory/sliding-theorems.ts';
import { assignGreedily, HARDWARE_2_4, slidingOf, type Sliding } from '../../../theory/sliding-windows.ts';

/** A group of a row that holds non-zeros, before pruning or after. */
export interface Group {
  readonly row: number;
  /** number of the group in its row */
  readonly group: number;
  /** columns of its non-zeros, counted from the group's start, ascending */
  readonly columns: readonly number[];
  /** per column: the window of the group that takes it; -1 for one that is pruned */
  readonly windowOf: readonly number[];
}

/** The content of a step. Windows are numbered within their row, as in the encoded arrays. */
export type SlideSparseStep =
  /** why 2:4 alone is not enough: published accuracy */
  | { readonly kind: 'accuracy' }
  /** no group is too full */
  | { readonly kind: 'fits' }
  /** the smallest non-zeros of a group that is too full are removed */
  | { readonly kind: 'prune'; readonly group: number }
  /** window `window` of the row takes what it can hold */
  | { readonly kind: 'slide'; readonly group: number; readonly window: number }
  | { readonly kind: 'nothing'; readonly chapter: 'slide' | 'compress' | 'lift' | 'multiply' }
  | { readonly kind: 'scale'; readonly row: number }
  | { readonly kind: 'compress'; readonly group: number; readonly window: number }
  /** windows without non-zeros: empty groups, and those that pad the row */
  | { readonly kind: 'fill'; readonly row: number; readonly window: number; readonly count: number }
  /** activations in f16 are not copied */
  | { readonly kind: 'in-place' }
  | { readonly kind: 'absmax' }
  | { readonly kind: 'quantise' }
  | { readonly kind: 'lift'; readonly window: number }
  /** the traffic of quantising and lifting separately */
  | { readonly kind: 'fused' }
  | { readonly kind: 'multiply'; readonly group: number; readonly window: number }
  | { readonly kind: 'sum'; readonly row: number }
  | { readonly kind: 'pays'; readonly about: 'gamma' | 'speed' | 'bytes' | 'window' }
  | { readonly kind: 'theorem'; readonly example: number };

/** A pattern on hardware with a placement, for the last chapter. */
export interface Example {
  readonly sliding: Sliding;
  readonly columns: readonly number[];
  readonly windowOf: readonly number[];
  readonly placed: number;
}

export interface SlideSparseTrace extends Trace<SlideSparseStep> {
  readonly window: Matrix;
  readonly params: SlideSparseParams;
  /** the window of the story from chapter 2 on: `window` itself if it fits the pattern, else pruned to it */
  readonly pruned: Matrix;
  readonly encoded: SlideSparseEncoded;
  /** the activations before they are quantised; `x` holds the multiply's operands */
  readonly activations: Float32Array;
  /** the multiply's operands in i8; null for f16 values, whose activations are not quantised */
  readonly quantised: Quantised | null;
  /** the activations quantised by algorithm 1, which the chapter Lift shows for either value type */
  readonly lifting: Quantised;
  /** groups with non-zeros, in row-major order */
  readonly groups: readonly Group[];
  readonly examples: readonly Example[];
  /** every cell of the window, row by row */
  readonly cells: Float32Array;
  readonly ledger: StorageLedger;
  /** per step: windows of all rows that are stored so far */
  readonly stored: Uint32Array;
  /** per step: the sums so far */
  readonly y: readonly Float64Array[];
}

/**
 * The story of one window. A window with groups that are too full is pruned first, and the rest of the story is that of
 * the pruned window. Throws FormatError for NaN and infinities in i8. O(windows).
 */
export function trace(m: Matrix, params: SlideSparseParams): SlideSparseTrace {
  const group = 2 * params.halfGroup;
  const pruned = firstFullGroup(m, params) === null ? m : finish(pruneToPatternSteps(m, group - 2, group));
  const encoded = finish(encodeSteps(pruned, params));
  const groups = groupsOf(m, pruned, params);
  const activations = traceVector(m.cols);
  const lifting = quantise(activations);
  const quantised = params.valueType === 'i8' ? lifting : null;
  const x = quantised ? Float32Array.from(quantised.values, (q) => q * quantised.scale) : activations;
  const builder = new TraceBuilder<SlideSparseStep>();
  const examples = examplesOf(params);

  builder.chapter('prune', 'Prune');
  builder.step({ kind: 'accuracy' });
  const full = groups.flatMap(({ windowOf }, i) => (windowOf.includes(-1) ? [i] : []));
  for (const i of full) builder.step({ kind: 'prune', group: i });
  if (full.length === 0) builder.step({ kind: 'fits' });
  builder.chapter('slide', 'Slide');
  slideChapter(groups, params, builder);
  builder.chapter('compress', 'Compress');
  compressChapter(encoded, groups, builder);
  builder.chapter('lift', 'Lift');
  liftChapter(encoded, builder);
  builder.chapter('multiply', 'Multiply');
  multiplyChapter(encoded, groups, x, builder);
  builder.chapter('pays', 'Pays?');
  for (const about of ['gamma', 'speed', 'bytes', 'window'] as const) builder.step({ kind: 'pays', about });
  builder.chapter('theorem', 'Theorem');
  examples.forEach((_, example) => builder.step({ kind: 'theorem', example }));

  return {
    format: 'slidesparse',
    window: m,
    params,
    pruned,
    encoded,
    x,
    activations,
    quantised,
    lifting,
    chapters: builder.chapters,
    steps: builder.steps,
    groups,
    examples,
    cells: toDense(m),
    ledger: encoding.storage(encoded),
    ...progressOf(builder.steps, m.rows),
  };
}

/** Number of a step's first window in its row. */
export function firstWindow({ group }: Group, params: SlideSparseParams): number {
  return group * windowsPerGroup(params);
}

function groupsOf(m: Matrix, pruned: Matrix, params: SlideSparseParams): Group[] {
  const width = 2 * params.halfGroup;
  const groups: Group[] = [];
  const all = rowBuffer(m.cols);
  const left = rowBuffer(m.cols);
  const windowOf = new Int8Array(width);
  for (let row = 0; row < m.rows; row++) {
    const n = m.readRow(row, all);
    const kept = Array.from(left.columns.subarray(0, pruned.readRow(row, left)));
    for (let start = 0; start < n;) {
      const group = Math.floor(all.columns[start] / width);
      let end = start;
      while (end < n && all.columns[end] < (group + 1) * width) end++;
      const columns = Array.from(all.columns.subarray(start, end), (c) => c - group * width);
      const stay = columns.filter((c) => kept.includes(c + group * width));
      assignWindows(stay, stay.length, params.halfGroup, windowOf);
      const taken = new Map(stay.map((c, i) => [c, windowOf[i]]));
      groups.push({ row, group, columns, windowOf: columns.map((c) => taken.get(c) ?? -1) });
      start = end;
    }
  }
  return groups;
}

function slideChapter(
  groups: readonly Group[],
  params: SlideSparseParams,
  builder: TraceBuilder<SlideSparseStep>,
): void {
  groups.forEach((g, group) => {
    const start = g.group * 2 * params.halfGroup;
    for (let w = 0; w < windowsPerGroup(params); w++) {
      const visits: Effect[] = [];
      g.columns.forEach((c, i) => {
        if (g.windowOf[i] === w) visits.push({ kind: 'visit', row: g.row, col: start + c });
      });
      builder.step({ kind: 'slide', group, window: firstWindow(g, params) + w }, visits);
    }
  });
  if (groups.length === 0) builder.step({ kind: 'nothing', chapter: 'slide' });
}

function compressChapter(
  e: SlideSparseEncoded,
  groups: readonly Group[],
  builder: TraceBuilder<SlideSparseStep>,
): void {
  const metadata = new Uint32Array(e.metadata.length);
  const stores = (row: number, window: number): Effect[] => {
    const at = row * e.windowsPerRow + window;
    const word = Math.floor(at / WINDOWS_PER_WORD);
    metadata[word] |= nibbleAt(e, row, window) << (4 * (at % WINDOWS_PER_WORD));
    return [
      { kind: 'store', array: 'values', index: at * KEPT, value: e.values[at * KEPT] },
      { kind: 'store', array: 'values', index: at * KEPT + 1, value: e.values[at * KEPT + 1] },
      { kind: 'store', array: 'metadata', index: word, value: metadata[word] },
    ];
  };
  const fill = (row: number, from: number, to: number): void => {
    if (from === to) return;
    const effects: Effect[] = [];
    for (let window = from; window < to; window++) for (const effect of stores(row, window)) effects.push(effect);
    builder.step({ kind: 'fill', row, window: from, count: to - from }, effects);
  };
  let next = 0;
  for (let row = 0; row < e.rows; row++) {
    if (e.valueType === 'i8') {
      builder.step({ kind: 'scale', row }, [{ kind: 'store', array: 'scales', index: row, value: e.scales[row] }]);
    }
    let window = 0;
    for (; next < groups.length && groups[next].row === row; next++) {
      fill(row, window, firstWindow(groups[next], e));
      window = firstWindow(groups[next], e);
      for (const end = window + windowsPerGroup(e); window < end; window++) {
        builder.step({ kind: 'compress', group: next, window }, stores(row, window));
      }
    }
    fill(row, window, e.windowsPerRow);
  }
  if (e.rows * e.windowsPerRow === 0) builder.step({ kind: 'nothing', chapter: 'compress' });
}

function liftChapter(e: SlideSparseEncoded, builder: TraceBuilder<SlideSparseStep>): void {
  if (e.cols === 0) {
    builder.step({ kind: 'nothing', chapter: 'lift' });
    return;
  }
  if (e.valueType === 'f16') builder.step({ kind: 'in-place' });
  builder.step({ kind: 'absmax' });
  builder.step({ kind: 'quantise' });
  for (let window = 0; window < usedWindows(e.cols, e); window++) builder.step({ kind: 'lift', window });
  builder.step({ kind: 'fused' });
}

function multiplyChapter(
  e: SlideSparseEncoded,
  groups: readonly Group[],
  x: Float32Array,
  builder: TraceBuilder<SlideSparseStep>,
): void {
  let next = 0;
  for (let row = 0; row < e.rows; row++) {
    for (; next < groups.length && groups[next].row === row; next++) {
      const first = firstWindow(groups[next], e);
      for (let window = first; window < first + windowsPerGroup(e); window++) {
        const effects: Effect[] = [];
        for (let k = 0; k < KEPT; k++) {
          const value = keptValue(e, row, window, k);
          if (value !== 0) effects.push({ kind: 'accumulate', row, value: value * x[keptColumn(e, row, window, k)] });
        }
        builder.step({ kind: 'multiply', group: next, window }, effects);
      }
    }
    builder.step({ kind: 'sum', row });
  }
  if (e.rows === 0) builder.step({ kind: 'nothing', chapter: 'multiply' });
}

/** This pattern at its fullest, then every smallest counterexample to theorem 2 that the search finds. */
function examplesOf({ halfGroup }: SlideSparseParams): Example[] {
  const group = 2 * halfGroup;
  const own = slidingOf({ kept: group - 2, group }, HARDWARE_2_4);
  if (typeof own === 'string') throw new RangeError(own);
  const fullest = Array.from({ length: group - 2 }, (_, c) => c);
  return [{ sliding: own, columns: fullest }, ...counterexamples()].map((example) => ({
    ...example,
    ...assignGreedily(example.sliding, example.columns),
  }));
}

let found: ReturnType<typeof refuteTheorem2> | null = null;

/** Hardware with windows of up to 5 columns, groups of up to 8: searched once. */
function counterexamples(): ReturnType<typeof refuteTheorem2> {
  found ??= refuteTheorem2(5, 8);
  return found;
}

function progressOf(
  steps: SlideSparseTrace['steps'],
  rows: number,
): { readonly stored: Uint32Array; readonly y: readonly Float64Array[] } {
  const stored = new Uint32Array(steps.length + 1);
  // A step that adds nothing shares the sums of the step before.
  const y = [new Float64Array(rows)];
  steps.forEach(({ detail, effects }, i) => {
    const count = detail.kind === 'compress' ? 1 : detail.kind === 'fill' ? detail.count : 0;
    stored[i + 1] = stored[i] + count;
    let sums = y[i];
    for (const effect of effects) {
      if (effect.kind !== 'accumulate') continue;
      if (sums === y[i]) sums = sums.slice();
      sums[effect.row] += effect.value;
    }
    y.push(sums);
  });
  return { stored, y };
}
