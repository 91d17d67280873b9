import { firstNonFinite, rejectNonFinite } from '../../core/encoded/admission.ts';
import { allocate } from '../../core/allocate.ts';
import { addChecksumSteps } from '../../core/encoded/checksum.ts';
import { FormatError } from '../../core/errors.ts';
import { rowsPerYield, type Steps } from '../../core/job.ts';
import { type Matrix, rowBuffer } from '../../core/matrix/index.ts';
import { i8Of, i8Scale, storeFloats } from '../../core/number/index.ts';
import { firstOverfullGroup, overfullGroup, overfullText } from './encoding.ts';
import { EMPTY_NIBBLE, groupTable } from './group-table.ts';
import { type SlideSparseEncoded, WINDOWS_PER_WORD, windowsPerRowOf } from './layout.ts';
import { KEPT, type SlideSparseParams } from './params.ts';

/** Metadata of eight windows without non-zeros. */
const EMPTY_WORD = EMPTY_NIBBLE * 0x11111111;
/** A sentinel beyond every column. */
const END = 0x7fffffff;

/**
 * Encodes a matrix like the declared encoder (encoding.ts), but faster: in one pass, with a table of groups. A group of
 * columns becomes windows of 4 columns, each with 2 stored values. O(rows * cols) at worst; memory: the result and
 * one row. Throws FormatError if a group is too full, or for NaN and infinities in i8.
 */
export function* encodeSteps(m: Matrix, p: SlideSparseParams): Steps<SlideSparseEncoded> {
  const { rows, cols, nnz } = m;
  const windowsPerRow = windowsPerRowOf(cols, p);
  const wordsPerRow = windowsPerRow / WINDOWS_PER_WORD;
  const length = rows * windowsPerRow * KEPT;
  const values =
    p.valueType === 'f16' ? allocate('values', Uint16Array, length) : allocate('values', Int8Array, length);
  const metadata = allocate('metadata', Uint32Array, rows * wordsPerRow);
  const scales = new Float32Array(p.valueType === 'i8' ? rows : 0);
  // One more, for a sentinel past the last entry.
  const buffer = rowBuffer(cols + 1);
  const bits = new Uint32Array(buffer.values.buffer);
  const columns = new Int32Array(buffer.columns.buffer);
  const rowValues = p.valueType === 'f16' ? new Uint16Array(cols + 1) : new Int8Array(cols + 1);
  const arrays: RowArrays = { columns, rowValues, metadata, values };
  const pause = rowsPerYield(cols);
  metadata.fill(EMPTY_WORD);
  for (let r = 0; r < rows; r++) {
    const n = m.readRow(r, buffer);
    if (rowValues instanceof Uint16Array) {
      storeFloats(buffer.values, n, rowValues, 0);
    } else {
      const badIndex = firstNonFinite(bits, n);
      if (badIndex >= 0) {
        // Like the reason of `admits`, the error names the first overfull group, in whichever row, if there is one.
        const overfull = firstOverfullGroup(m, p);
        if (overfull) throw new FormatError(overfullText(m, overfull.row, overfull, p));
        throw new FormatError(rejectNonFinite(r, buffer.columns[badIndex], buffer.values[badIndex]).reason);
      }
      const scale = i8Scale(buffer.values, n);
      scales[r] = scale;
      for (let i = 0; i < n; i++) rowValues[i] = i8Of(buffer.values[i], scale);
    }
    if (!slideRow(arrays, n, p, r * windowsPerRow)) {
      const full = overfullGroup(buffer.columns, n, p);
      if (full) throw new FormatError(overfullText(m, r, full, p));
    }
    if (r % pause === 0) yield { what: 'sliding rows', done: r, total: rows };
  }
  return yield* addChecksumSteps({ rows, cols, nnz, ...p, windowsPerRow, values, metadata, scales }, rows);
}

/** The arrays that `slideRow` reads and writes; one object for a whole matrix. */
interface RowArrays {
  /** columns of the row's non-zeros, ascending, followed by a sentinel that is beyond every column */
  readonly columns: Int32Array;
  /** the stored values of these non-zeros, and one more element */
  readonly rowValues: Uint16Array | Int8Array;
  /** filled with empty windows: zeros in slots 0 and 1 */
  readonly metadata: Uint32Array;
  readonly values: Uint16Array | Int8Array;
}

/** Stores a row's `n` non-zeros in windows by groups; false, row incomplete, if a group is too full. O(n halfGroup). */
function slideRow(arrays: RowArrays, n: number, { halfGroup }: SlideSparseParams, firstWindow: number): boolean {
  const { columns, rowValues, metadata, values } = arrays;
  const { nibbles, filled } = groupTable(halfGroup);
  const group = 2 * halfGroup;
  const perGroup = halfGroup - 1;
  const slots = perGroup * KEPT;
  const bitsPerGroup = perGroup * 4;
  const emptyGroup = nibbles[0];
  columns[n] = END;
  let g = 0;
  let start = 0;
  for (let next = 0; next < n;) {
    // The next group is one step away, or found by a division if groups between are empty.
    if (columns[next] >= start + 2 * group) g = Math.floor(columns[next] / group);
    else if (columns[next] >= start + group) g++;
    start = g * group;
    const limit = start + group;
    let entry = next;
    let set = 0;
    for (; columns[next] < limit; next++) set |= 1 << (columns[next] - start);
    if (next - entry > slots) return false;
    const window = firstWindow + g * perGroup;
    const filledSlots = filled[set];
    const firstSlot = window * KEPT;
    for (let slot = 0; slot < slots; slot++) {
      // Branchless: a slot without a non-zero stores 0 and leaves the entry to the next slot.
      const isFilled = (filledSlots >>> slot) & 1;
      values[firstSlot + slot] = rowValues[entry] & -isFilled;
      entry += isFilled;
    }
    const changed = nibbles[set] ^ emptyGroup;
    const word = Math.floor(window / WINDOWS_PER_WORD);
    const shift = 4 * (window % WINDOWS_PER_WORD);
    metadata[word] ^= changed << shift;
    if (shift + bitsPerGroup > 32) metadata[word + 1] ^= changed >>> (32 - shift);
  }
  return true;
}
