import type { EncodedMatrix, Violation } from '../../core/format.ts';
import { f16Value } from '../../core/number/index.ts';
import { Violations } from '../../core/encoded/violations.ts';
import { KEPT, type SlideSparseParams, STRIDE, windowsPerGroup } from './params.ts';

/** Windows that one metadata word describes. */
export const WINDOWS_PER_WORD = 8;

/**
 * A (2N-2):2N matrix, slid and compressed to 2:4. A row of `cols` columns is cut into groups of 2N; each group becomes
 * N - 1 windows of 4 columns, 2 apart; each window keeps two of its four slots. Rows are rounded up to whole metadata
 * words: `windowsPerRow` is a multiple of 8.
 *
 * | array    | dtype            | length                     | meaning |
 * |----------|------------------|----------------------------|---------|
 * | values   | f16 bits or i8   | rows x windowsPerRow x 2   | the two kept slots of each window |
 * | metadata | u32              | rows x windowsPerRow / 8   | a nibble per window, low first: i0, then i1 in its upper bits, i0 < i1 |
 * | scales   | f32              | rows for i8, else 0        | value of one i8 step in that row |
 *
 * Window w of a row belongs to group g = floor(w / (N - 1)), place l = w % (N - 1); its slot i is matrix column
 * 2N g + 2 l + i. A window with one non-zero at slot s keeps s and the smallest other slot; an empty one keeps 0 and 1.
 * Source: SlideSparse paper, algorithm 2; the 2:4 layout is ours.
 */
export interface SlideSparseEncoded extends EncodedMatrix, SlideSparseParams {
  readonly windowsPerRow: number;
  readonly values: Uint16Array | Int8Array;
  readonly metadata: Uint32Array;
  readonly scales: Float32Array;
}

/** Windows of a row, without those that pad it to whole words. */
export function usedWindows(cols: number, p: SlideSparseParams): number {
  return Math.ceil(cols / (2 * p.halfGroup)) * windowsPerGroup(p);
}

export function windowsPerRowOf(cols: number, p: SlideSparseParams): number {
  return Math.ceil(usedWindows(cols, p) / WINDOWS_PER_WORD) * WINDOWS_PER_WORD;
}

/** Metadata nibble of window w of a row. */
export function nibbleAt(e: { metadata: Uint32Array; windowsPerRow: number }, row: number, w: number): number {
  const window = row * e.windowsPerRow + w;
  return (e.metadata[Math.floor(window / WINDOWS_PER_WORD)] >>> (4 * (window % WINDOWS_PER_WORD))) & 15;
}

/** First matrix column of window w. */
export function windowStart(e: SlideSparseParams, w: number): number {
  const perGroup = windowsPerGroup(e);
  return Math.floor(w / perGroup) * 2 * e.halfGroup + (w % perGroup) * STRIDE;
}

/** Matrix column of the k-th kept slot (0 or 1) of window w. */
export function keptColumn(e: SlideSparseEncoded, row: number, w: number, k: number): number {
  return windowStart(e, w) + ((nibbleAt(e, row, w) >>> (2 * k)) & 3);
}

/** The number that the k-th kept slot of window w stores. */
export function keptValue(e: SlideSparseEncoded, row: number, w: number, k: number): number {
  const raw = e.values[(row * e.windowsPerRow + w) * KEPT + k];
  return e.valueType === 'f16' ? f16Value(raw) : Math.fround(raw * e.scales[row]);
}

/** The checks of `validate` per array besides length and checksum. */
export const rules = {
  values: 'no column twice, below cols; at most nnz of them not 0',
  metadata: 'two slots of a window ascend; no column twice, below cols',
  scales: 'finite, above 0',
} as const;

/** Checks lengths ('cheap') or every element ('full', O(windows)). */
export function validate(e: SlideSparseEncoded, level: 'cheap' | 'full'): readonly Violation[] {
  const v = new Violations();
  const windows = e.rows * e.windowsPerRow;
  v.expect('metadata', null, 'windowsPerRow', e.windowsPerRow, windowsPerRowOf(e.cols, e));
  v.expect('values', null, 'values', e.values.length, windows * KEPT, 'two per window');
  v.expect('metadata', null, 'metadata', e.metadata.length, windows / WINDOWS_PER_WORD, 'a nibble per window in words');
  v.expect(
    'scales',
    null,
    'scales',
    e.scales.length,
    e.valueType === 'i8' ? e.rows : 0,
    'one per row for i8, else none',
  );
  if (level === 'cheap' || v.found.length > 0) return v.found;
  v.scales(e.scales);
  let stored = 0;
  for (let r = 0; r < e.rows && !v.full; r++) stored += checkRow(e, r, v);
  if (v.found.length === 0 && stored > e.nnz) {
    v.add('values', null, `values that are not 0: found ${stored}, expected at most nnz = ${e.nnz}`);
  }
  v.unchanged(e);
  return v.found;
}

/**
 * Slots in order, values only inside the matrix, no column stored twice. Returns the number of values that are not 0.
 */
function checkRow(e: SlideSparseEncoded, row: number, v: Violations): number {
  let stored = 0;
  // Windows overlap by half, so a column can be stored twice only by neighbours.
  let before: readonly number[] = [];
  for (let w = 0; w < e.windowsPerRow && !v.full; w++) {
    const nibble = nibbleAt(e, row, w);
    if ((nibble & 3) >= nibble >>> 2) {
      v.add(
        'metadata',
        null,
        `metadata of row ${row}, window ${w}: found slots ${nibble & 3} and ${nibble >>> 2}, expected ascending`,
      );
    }
    const here: number[] = [];
    for (let k = 0; k < KEPT; k++) {
      if (keptValue(e, row, w, k) === 0) continue;
      stored++;
      const column = keptColumn(e, row, w, k);
      const where = `values of row ${row}, window ${w}: column ${column}`;
      if (column >= e.cols || w >= usedWindows(e.cols, e)) v.add('values', null, `${where}, expected below ${e.cols}`);
      if (before.includes(column)) v.add('values', null, `${where} is stored twice, expected once`);
      here.push(column);
    }
    before = here;
  }
  return stored;
}
