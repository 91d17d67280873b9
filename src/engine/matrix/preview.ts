import { rowsPerYield, type Steps } from '../../core/job.ts';
import { type Matrix, rowBuffer } from '../../core/matrix/index.ts';

/** N:M patterns (at most N non-zeros in M neighbours of a row) to detect, the strictest first. */
const PREVIEW_PATTERNS: readonly (readonly [kept: number, group: number])[] = [
  [1, 4],
  [2, 4],
  [4, 8],
  [6, 8],
];

/** Sizes and counts of a tensor, displayed before it is opened. */
export interface MatrixPreview {
  readonly rows: number;
  readonly cols: number;
  /** cells that are +0 or -0, from 0 to 1 */
  readonly zeroShare: number;
  /** non-zeros with 2^(firstExponent + i) <= |value| < 2^(firstExponent + i + 1), of normal f32 numbers */
  readonly histogram: { readonly firstExponent: number; readonly counts: readonly number[] };
  /** share of groups of M neighbours in a row with at most N non-zeros, from 0 to 1 */
  readonly patterns: readonly { readonly kept: number; readonly group: number; readonly share: number }[];
}

/** Counts a matrix for its preview, in one pass. O(rows * cols) at worst. */
export function* previewSteps(m: Matrix): Steps<MatrixPreview> {
  const { rows, cols } = m;
  const exponents = new Float64Array(256);
  const violations = PREVIEW_PATTERNS.map(() => 0);
  const { columns, values } = rowBuffer(cols);
  const bits = new Uint32Array(values.buffer);
  const pause = rowsPerYield(cols);
  for (let r = 0; r < rows; r++) {
    const n = m.readRow(r, { columns, values });
    for (let i = 0; i < n; i++) exponents[(bits[i] >>> 23) & 0xff]++;
    PREVIEW_PATTERNS.forEach(([kept, group], p) => {
      violations[p] += groupsAbove(columns, n, kept, group);
    });
    if (r % pause === pause - 1) yield { what: 'Looking', done: r + 1, total: rows };
  }
  const normal = exponents.subarray(1, 255);
  const first = normal.findIndex((count) => count > 0);
  const last = normal.findLastIndex((count) => count > 0);
  return {
    rows,
    cols,
    zeroShare: rows * cols === 0 ? 0 : 1 - m.nnz / (rows * cols),
    histogram: {
      // 127 is the bias of f32, and the array begins at the exponent 1.
      firstExponent: first < 0 ? 0 : first + 1 - 127,
      counts: first < 0 ? [] : [...normal.subarray(first, last + 1)],
    },
    patterns: PREVIEW_PATTERNS.map(([kept, group], p) => {
      const groups = rows * Math.ceil(cols / group);
      return { kept, group, share: groups === 0 ? 1 : 1 - violations[p] / groups };
    }),
  };
}

/** The number of groups of a row with more than `kept` entries. */
function groupsAbove(columns: Uint32Array, n: number, kept: number, group: number): number {
  let above = 0;
  for (let i = 0; i < n;) {
    const limit = Math.floor(columns[i] / group) * group + group;
    const start = i;
    while (i < n && columns[i] < limit) i++;
    if (i - start > kept) above++;
  }
  return above;
}
