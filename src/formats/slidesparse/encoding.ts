import { countFrom, groupCounts } from '../../core/comparison/counts.ts';
import { declareEncoding } from '../../core/declared/declare.ts';
import type { Violations } from '../../core/encoded/violations.ts';
import { type Matrix, rowBuffer } from '../../core/matrix/index.ts';
import { shareText } from '../../core/text/rounded.ts';
import { counted, countText } from '../../core/text/words.ts';
import {
  arrays,
  keptColumn,
  keptValue,
  nibbleAt,
  type SlideSparseArray,
  type SlideSparseEncoded,
  usedWindows,
  windowsPerRowOf,
  windowStart,
  WINDOWS_PER_WORD,
} from './layout.ts';
import {
  HALF_GROUPS,
  KEPT,
  params,
  patternName,
  sizeReason,
  type SlideSparseParams,
  STRIDE,
  WINDOW,
  windowsPerGroup,
} from './params.ts';

/** How SlideSparse is encoded (algorithm 2 of its paper; the layout of windows is ours), and reasons for its size. */
export const encoding = declareEncoding<SlideSparseArray, SlideSparseParams, SlideSparseEncoded>({
  id: 'slidesparse',
  params,
  arrays,
  *encode(A, { values, metadata }, p, narrate) {
    const windowsPerRow = windowsPerRowOf(p.cols, p);
    for (const row of A) {
      const { columns, length } = row;
      let next = 0;
      // Windows from left to right: by the paper's theorem 1, they leave no weight in columns before this window.
      for (let w = 0; w < windowsPerRow; w++) {
        const start = windowStart(p, w);
        // A window takes at most two weights, the lowest columns first.
        let weightCount = 0;
        while (weightCount < KEPT && next + weightCount < length && columns[next + weightCount] < start + WINDOW)
          weightCount++;
        const end = next + weightCount;
        // A window always stores two slots: zeros in its lowest other slots replace missing weights.
        let zeros = KEPT - weightCount;
        for (let slot = 0; next < end || zeros > 0; slot++) {
          if (next < end && columns[next] === start + slot) {
            // step: take
            values.push(row.values[next++]);
            metadata.push(slot);
            narrate?.(takesText(w, slot, p), row, start + slot);
          } else if (zeros > 0) {
            zeros--;
            // step: fill
            values.pad();
            metadata.pad(slot);
            narrate?.(`Window ${w} finds ${weightCount === 0 ? 'no weight' : 'only one'}: a zero fills its box.`, row);
          }
        }
      }
      yield;
    }
    return { windowsPerRow };
  },
  decode({ values, metadata }, size, put) {
    const windowsPerRow = windowsPerRowOf(size.cols, size);
    for (let r = 0; r < size.rows; r++) {
      for (let w = 0; w < windowsPerRow; w++) {
        const first = (r * windowsPerRow + w) * KEPT;
        for (let i = first; i < first + KEPT; i++) put(r, windowStart(size, w) + metadata[i], values[i]);
      }
    }
  },
  // Windows overlap, so decode does not visit the columns in order.
  order: 'any',
  refuses(m, p) {
    const overfull = firstOverfullGroup(m, p);
    if (overfull === null) return null;
    const group = 2 * p.halfGroup;
    const remedy = `Prune to ${patternName(p.halfGroup)}.`;
    return { reason: overfullText(m, overfull.row, overfull, p), remedy, prune: { kept: group - 2, group } };
  },
  rules: {
    values: 'no column twice, below cols; at most nnz of them not 0',
    metadata: 'two slots of a window ascend; no column twice, below cols',
    scales: 'finite, above 0',
  },
  checkLengths(e, v) {
    const windows = e.rows * e.windowsPerRow;
    const scales = e.valueType === 'i8' ? e.rows : 0;
    const words = windows / WINDOWS_PER_WORD;
    v.expect('metadata', null, 'windowsPerRow', e.windowsPerRow, windowsPerRowOf(e.cols, e));
    v.expect('values', null, 'values', e.values.length, windows * KEPT, 'two per window');
    v.expect('metadata', null, 'metadata', e.metadata.length, words, 'a nibble per window in words');
    v.expect('scales', null, 'scales', e.scales.length, scales, 'one per row for i8, else none');
  },
  check(e, v) {
    let nonZeros = 0;
    for (let r = 0; r < e.rows && !v.full; r++) nonZeros += checkRow(e, r, v);
    if (v.found.length === 0 && nonZeros > e.nnz) {
      v.add('values', null, `values that are not 0: found ${nonZeros}, expected at most nnz = ${e.nnz}`);
    }
  },
  sizeReason: (e) => sizeReason(e, e),
  comparison: {
    groups: HALF_GROUPS.map((halfGroup) => 2 * halfGroup),
    why(s, p) {
      const slots = s.rows * windowsPerRowOf(s.cols, p) * KEPT;
      const empty = slots === 0 ? 0 : 1 - s.nnz / slots;
      return `Stores two of every four slots: ${shareText(empty)} of them are empty.`;
    },
    whyRefused(s, { halfGroup }) {
      const group = 2 * halfGroup;
      const counts = groupCounts(s, group);
      const overfull = countFrom(counts, group - 1);
      if (overfull === 0) return null;
      const dropped = counts.reduce((sum, count, k) => sum + count * Math.max(0, k - (group - 2)), 0);
      return `${countText(overfull)} of ${counted(countFrom(counts, 0), 'group')} of ${group} ${overfull === 1 ? 'has' : 'have'} more than ${group - 2} non-zeros; pruning to ${patternName(halfGroup)} drops ${countText(dropped)} of the non-zeros.`;
    },
    marks(s, { halfGroup }) {
      const group = 2 * halfGroup;
      const counts = groupCounts(s, group);
      const overfull = countFrom(counts, group - 1);
      const ofGroups = `of ${countText(countFrom(counts, 0))} groups`;
      return [
        {
          chart: { of: 'groups', width: group },
          at: group - 2,
          title: `SlideSparse ${patternName(halfGroup)}, at most ${group - 2}`,
          lines: [overfull === 0 ? 'none over' : `${countText(overfull)} over`, ofGroups],
          isLimit: true,
        },
      ];
    },
  },
});

/** Whether a weight in this slot of window w slid on: the previous window covers it too, and was full. */
export const slidesOn = (w: number, slot: number, p: SlideSparseParams): boolean =>
  slot < WINDOW - STRIDE && w % windowsPerGroup(p) > 0;

/** The text on a weight that a window stores. */
function takesText(w: number, slot: number, p: SlideSparseParams): string {
  return `Window ${w} takes it in slot ${slot}${slidesOn(w, slot, p) ? `: window ${w - 1} is full` : ''}.`;
}

/** A group with more non-zeros than the pattern allows. */
interface OverfullGroup {
  /** first column of the group */
  readonly start: number;
  /** its non-zeros */
  readonly count: number;
}

/** The first group with more non-zeros than the pattern allows, null if there is none. O(rows * cols) at worst. */
export function firstOverfullGroup(m: Matrix, p: SlideSparseParams): (OverfullGroup & { readonly row: number }) | null {
  const buffer = rowBuffer(m.cols);
  for (let row = 0; row < m.rows; row++) {
    const overfull = overfullGroup(buffer.columns, m.readRow(row, buffer), p);
    if (overfull) return { row, ...overfull };
  }
  return null;
}

/** The first group of a row with more non-zeros than the pattern allows; null if there is none. */
export function overfullGroup(columns: Uint32Array, n: number, { halfGroup }: SlideSparseParams): OverfullGroup | null {
  const group = 2 * halfGroup;
  const allowed = group - 2;
  for (let i = 0; i + allowed < n; i++) {
    // Ascending columns: the allowed-th entry after i is in the same group only if the group is too full.
    const start = Math.floor(columns[i] / group) * group;
    if (columns[i + allowed] >= start + group) continue;
    let count = allowed + 1;
    while (i + count < n && columns[i + count] < start + group) count++;
    return { start, count };
  }
  return null;
}

/** Why a row with a group that is too full is rejected. */
export function overfullText(
  { cols }: Matrix,
  row: number,
  { start, count }: OverfullGroup,
  { halfGroup }: SlideSparseParams,
): string {
  const group = 2 * halfGroup;
  const end = Math.min(cols, start + group) - 1;
  return `row ${row} has ${count} non-zeros in columns ${start} to ${end}, more than the ${group - 2} that ${patternName(halfGroup)} allows`;
}

/** Checks that slots ascend, values are inside the matrix, and no column is stored twice. Returns the row's non-zeros. */
function checkRow(e: SlideSparseEncoded, row: number, v: Violations): number {
  let nonZeros = 0;
  // Windows overlap by half, so only neighbouring windows can store the same column.
  let previousColumns: readonly number[] = [];
  for (let w = 0; w < e.windowsPerRow && !v.full; w++) {
    const nibble = nibbleAt(e, row, w);
    if ((nibble & 3) >= nibble >>> 2) {
      v.add(
        'metadata',
        null,
        `metadata of row ${row}, window ${w}: found slots ${nibble & 3} and ${nibble >>> 2}, expected ascending`,
      );
    }
    const columns: number[] = [];
    for (let k = 0; k < KEPT; k++) {
      if (keptValue(e, row, w, k) === 0) continue;
      nonZeros++;
      const column = keptColumn(e, row, w, k);
      const where = `values of row ${row}, window ${w}: column ${column}`;
      if (column >= e.cols || w >= usedWindows(e.cols, e)) v.add('values', null, `${where}, expected below ${e.cols}`);
      if (previousColumns.includes(column)) v.add('values', null, `${where} is stored twice, expected once`);
      columns.push(column);
    }
    previousColumns = columns;
  }
  return nonZeros;
}
