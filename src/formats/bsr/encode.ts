import { allocate, lengthProblem } from '../../core/allocate.ts';
import { admitValues, requireHeld } from '../../core/encoded/admission.ts';
import { sealSteps } from '../../core/encoded/checksum.ts';
import { FormatError } from '../../core/errors.ts';
import type { Admission } from '../../core/format.ts';
import { finish, rowsPerYield, type Steps } from '../../core/job.ts';
import { type Matrix, rowBuffer } from '../../core/matrix/index.ts';
import { f16FromF32Bits, i8Of, i8Scale, VALUE_BITS, type ValueType } from '../../core/number/index.ts';
import { blocksAlong, type BsrEncoded } from './layout.ts';
import type { BsrParams } from './params.ts';

/** Why this many blocks do not fit into one array; null if they do. */
function tooMany(blocks: number, { blockSize, valueType }: BsrParams): string | null {
  return lengthProblem('data', blocks * blockSize ** 2, VALUE_BITS[valueType] / 8);
}

/**
 * Admits what fits into one array; i8 needs finite values. Blocks are counted only if their maximum would not fit.
 * O(rows * cols).
 */
export function admits(m: Matrix, p: BsrParams): Admission {
  const max = Math.min(m.nnz, blocksAlong(m.rows, p.blockSize) * blocksAlong(m.cols, p.blockSize));
  const reason = tooMany(max, p) === null ? null : tooMany(finish(countSteps(m, p)).at(-1) ?? 0, p);
  if (reason !== null) {
    const remedy = 'Choose smaller blocks, a narrower value type, or a part of the matrix.';
    return { ok: false, reason, remedy };
  }
  return admitValues(m, p.valueType);
}

/**
 * Two passes over the rows: the first counts the non-empty blocks, the second lays them out. O(rows * cols) at worst;
 * memory: the result, one row and one number per block column. Throws FormatError if the blocks do not fit into one
 * array, or for NaN and infinities in i8.
 */
export function* encodeSteps(m: Matrix, p: BsrParams): Steps<BsrEncoded> {
  const { rows, cols } = m;
  const { blockSize, valueType } = p;
  const shift = Math.log2(blockSize);
  const indptr = yield* countSteps(m, p);
  const blocks = indptr[indptr.length - 1];
  const reason = tooMany(blocks, p);
  if (reason !== null) throw new FormatError(reason);
  const indices = allocate('indices', Uint32Array, blocks);
  const data = allocateCells(valueType, blocks * blockSize ** 2);
  const scales = new Float32Array(valueType === 'i8' ? rows : 0);
  const buffer = rowBuffer(cols);
  const { columns, values } = buffer;
  const bits = new Uint32Array(values.buffer);
  // Block row in which a block column was last seen, plus 1; then the block that it got there.
  const seen = new Uint32Array(blocksAlong(cols, blockSize));
  const blockOf = new Uint32Array(seen.length);
  const pause = rowsPerYield(cols);
  let nnz = 0;
  for (let i = 0; i + 1 < indptr.length; i++) {
    const first = i * blockSize;
    const end = Math.min(rows, first + blockSize);
    // step: blocks
    for (let r = first; r < end; r++) markBlocks(columns, m.readRow(r, buffer), shift, seen, i + 1);
    for (let block = indptr[i], c = 0; block < indptr[i + 1]; c++) {
      if (seen[c] !== i + 1) continue;
      // step: index
      indices[block] = c;
      blockOf[c] = block++;
    }
    for (let r = first; r < end; r++) {
      const n = m.readRow(r, buffer);
      const line = (r - first) * blockSize;
      if (data instanceof Float32Array) {
        for (let k = 0; k < n; k++) {
          // step: cell-f32
          data[cellAt(columns[k], blockOf, line, shift)] = values[k];
        }
        nnz += n;
      } else if (data instanceof Uint16Array) {
        for (let k = 0; k < n; k++) {
          const half = f16FromF32Bits(bits[k]);
          // step: cell-f16
          data[cellAt(columns[k], blockOf, line, shift)] = half;
          nnz += (half & 0x7fff) === 0 ? 0 : 1;
        }
      } else {
        requireHeld({ columns, values }, n, r, p.valueType);
        const scale = i8Scale(values, n);
        scales[r] = scale;
        for (let k = 0; k < n; k++) {
          const steps = i8Of(values[k], scale);
          // step: cell-i8
          data[cellAt(columns[k], blockOf, line, shift)] = steps;
          nnz += steps === 0 ? 0 : 1;
        }
      }
      if (r % pause === pause - 1) yield { what: 'laying out blocks', done: rows + r + 1, total: 2 * rows };
    }
  }
  return yield* sealSteps({ rows, cols, nnz, ...p, data, indices, indptr, scales }, 2 * rows);
}

/** Element of data for a column of the matrix; `line` is where its row begins inside a block of 2^shift columns. */
function cellAt(column: number, blockOf: Uint32Array, line: number, shift: number): number {
  const blockColumn = column >>> shift;
  return blockOf[blockColumn] * (1 << (2 * shift)) + line + (column - (blockColumn << shift));
}

/** Sets `mark` for the block columns of the first `n` columns; returns how many did not have it yet. */
function markBlocks(columns: Uint32Array, n: number, shift: number, seen: Uint32Array, mark: number): number {
  let fresh = 0;
  for (let k = 0; k < n; k++) {
    const blockColumn = columns[k] >>> shift;
    if (seen[blockColumn] === mark) continue;
    seen[blockColumn] = mark;
    fresh++;
  }
  return fresh;
}

/** indptr: the non-empty blocks, counted block row by block row. O(rows * cols) at worst. */
function* countSteps(m: Matrix, { blockSize }: BsrParams): Steps<Uint32Array> {
  const { rows, cols } = m;
  const indptr = allocate('indptr', Uint32Array, blocksAlong(rows, blockSize) + 1);
  const buffer = rowBuffer(cols);
  const seen = new Uint32Array(blocksAlong(cols, blockSize));
  const shift = Math.log2(blockSize);
  const pause = rowsPerYield(cols);
  let blocks = 0;
  for (let r = 0; r < rows; r++) {
    const i = r >>> shift;
    blocks += markBlocks(buffer.columns, m.readRow(r, buffer), shift, seen, i + 1);
    // step: count
    indptr[i + 1] = blocks;
    if (r % pause === pause - 1) yield { what: 'counting blocks', done: r + 1, total: 2 * rows };
  }
  return indptr;
}

function allocateCells(valueType: ValueType, length: number): Uint16Array | Float32Array | Int8Array {
  if (valueType === 'f16') return allocate('data', Uint16Array, length);
  return valueType === 'f32' ? allocate('data', Float32Array, length) : allocate('data', Int8Array, length);
}
