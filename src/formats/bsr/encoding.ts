import { lengthProblem } from '../../core/allocate.ts';
import { storedBlocks } from '../../core/comparison/counts.ts';
import { declareEncoding } from '../../core/declared/declare.ts';
import type { Violations } from '../../core/encoded/violations.ts';
import { FormatError } from '../../core/errors.ts';
import { type Matrix, rowBuffer } from '../../core/matrix/index.ts';
import { VALUE_BITS } from '../../core/number/index.ts';
import { meanText, shareText } from '../../core/text/rounded.ts';
import { fact, stated } from '../../core/text/stated.ts';
import { arrays, type BsrArray, type BsrEncoded } from './layout.ts';
import { BLOCK_SIZES, blocksAlong, type BsrParams, params } from './params.ts';

/** Why this many blocks do not fit into one array; null if they do. */
function blocksProblem(blocks: number, { blockSize, valueType }: BsrParams): string | null {
  return lengthProblem('data', blocks * blockSize ** 2, VALUE_BITS[valueType] / 8);
}

/** Block columns that can be searched in the time of sorting one in. */
const SEARCHED_PER_BLOCK = 16;

/** Finds the blocks of a block row that contain a non-zero, row by row. */
export class BlockFinder {
  /** blocks found in the current block row */
  count = 0;
  /** block columns that `ascending` has looked at, in all block rows */
  searched = 0;
  readonly #shift: number;
  /** by block column, the number of the last block row with a non-zero there, plus 1 */
  readonly #lastBlockRow: Uint32Array;
  /** the block columns found in the current block row, `count` of them */
  readonly #blockColumns: Uint32Array;
  /** the number of the current block row, plus 1, as in `#lastBlockRow` */
  #mark = 0;

  constructor(cols: number, blockSize: number) {
    this.#shift = Math.log2(blockSize);
    this.#lastBlockRow = new Uint32Array(blocksAlong(cols, blockSize));
    this.#blockColumns = new Uint32Array(this.#lastBlockRow.length);
  }

  /** Adds the first `n` columns of a row; returns how many blocks are new. Another `blockRow` resets the count. O(n). */
  add(columns: Uint32Array, n: number, blockRow: number): number {
    const lastBlockRow = this.#lastBlockRow;
    const blockColumns = this.#blockColumns;
    const shift = this.#shift;
    const mark = blockRow + 1;
    const previousCount = mark === this.#mark ? this.count : 0;
    let count = previousCount;
    for (let k = 0; k < n; k++) {
      const blockColumn = columns[k] >>> shift;
      if (lastBlockRow[blockColumn] === mark) continue;
      lastBlockRow[blockColumn] = mark;
      blockColumns[count++] = blockColumn;
    }
    this.#mark = mark;
    this.count = count;
    return count - previousCount;
  }

  /**
   * A list whose first `count` elements are the block columns found, in ascending order; valid until the next `add`.
   * All block columns are searched only where many of them were found. O(count log count).
   */
  ascending(): Uint32Array {
    const { count } = this;
    const mark = this.#mark;
    const blockColumns = this.#blockColumns;
    const lastBlockRow = this.#lastBlockRow;
    if (count * SEARCHED_PER_BLOCK < lastBlockRow.length) {
      if (count > 1) blockColumns.subarray(0, count).sort();
      this.searched += count;
      return blockColumns;
    }
    let n = 0;
    let column = 0;
    for (; n < count; column++) if (lastBlockRow[column] === mark) blockColumns[n++] = column;
    this.searched += column;
    return blockColumns;
  }
}

/** Writes the index in `data` of each of the first `n` columns to `cells`; `firstOf`: starts of blocks, by column. */
function placeCells(columns: Uint32Array, n: number, shift: number, firstOf: Uint32Array, cells: Uint32Array): void {
  const inBlock = (1 << shift) - 1;
  for (let k = 0; k < n; k++) {
    const column = columns[k];
    cells[k] = firstOf[column >>> shift] + (column & inBlock);
  }
}

/** The number of blocks of a matrix that contain a non-zero. O(rows * cols) at worst. */
function countBlocks(m: Matrix, { blockSize }: BsrParams): number {
  const buffer = rowBuffer(m.cols);
  const finder = new BlockFinder(m.cols, blockSize);
  const shift = Math.log2(blockSize);
  let blocks = 0;
  for (let r = 0; r < m.rows; r++) blocks += finder.add(buffer.columns, m.readRow(r, buffer), r >>> shift);
  return blocks;
}

/** How BSR is encoded, decoded and checked. Its story on the page quotes the line after each `// step: NAME`. */
export const encoding = declareEncoding<BsrArray, BsrParams, BsrEncoded>({
  id: 'bsr',
  params,
  arrays,
  passes: 3,
  *encode(A, { data, indices, indptr }, { rows, cols, blockSize, valueType }) {
    const shift = Math.log2(blockSize);
    const finder = new BlockFinder(cols, blockSize);
    const blockRows = blocksAlong(rows, blockSize);
    let blocks = 0;
    indptr.push(0);
    for (const { index, columns, length } of A) {
      blocks += finder.add(columns, length, index >>> shift);
      // step: count
      if ((index + 1) % blockSize === 0 || index + 1 === rows) indptr.push(blocks);
      yield;
    }
    const reason = blocksProblem(blocks, { blockSize, valueType });
    if (reason !== null) throw new FormatError(reason);
    data.zeros(blocks * blockSize ** 2);
    indices.zeros(blocks);
    // By block column, where its block begins in `data`.
    const firstOf = new Uint32Array(blocksAlong(cols, blockSize));
    // By element of a row, its index in `data`, without the row's offset in its block.
    const cells = new Uint32Array(cols);
    let block = 0;
    let nnz = 0;
    for (let i = 0; i < blockRows; i++) {
      const end = Math.min(rows, (i + 1) * blockSize);
      for (let r = i * blockSize; r < end; r++) {
        const { columns, length } = A.row(r);
        // Other numbers than in the first pass, which has marked these blocks as seen.
        finder.add(columns, length, blockRows + i);
      }
      const filled = finder.ascending();
      const n = finder.count;
      for (let b = 0; b < n; b++) firstOf[filled[b]] = (block + b) * blockSize ** 2;
      // step: index
      indices.setEvery(block, 1, filled, n);
      block += n;
      for (let r = i * blockSize; r < end; r++) {
        const { columns, values, length } = A.row(r);
        const rowOffset = (r - i * blockSize) * blockSize;
        placeCells(columns, length, shift, firstOf, cells);
        // step: cell
        nnz += data.setAt(cells, values, length, rowOffset);
      }
      yield;
    }
    return { nnz };
  },
  decode({ data, indices, indptr }, { rows, blockSize }, put) {
    for (let r = 0; r < rows; r++) {
      const blockRow = Math.floor(r / blockSize);
      for (let b = indptr[blockRow]; b < indptr[blockRow + 1]; b++) {
        const rowStart = (b * blockSize + (r % blockSize)) * blockSize;
        for (let c = 0; c < blockSize; c++) put(r, indices[b] * blockSize + c, data[rowStart + c]);
      }
    }
  },
  refuses(m, p) {
    // Blocks are counted only if their largest possible number does not fit.
    const max = Math.min(m.nnz, blocksAlong(m.rows, p.blockSize) * blocksAlong(m.cols, p.blockSize));
    const reason = blocksProblem(max, p) === null ? null : blocksProblem(countBlocks(m, p), p);
    const remedy = 'Choose smaller blocks, a narrower value type, or a part of the matrix.';
    return reason === null ? null : { reason, remedy };
  },
  rules: {
    data: '0 beyond the last row and column; exactly nnz cells that are not 0',
    indices: 'ascend in a block row, below the number of block columns',
    scales: 'finite, above 0',
  },
  check,
  sizeReason({ rows, cols, nnz, indices, blockSize }) {
    const count = blocksAlong(rows, blockSize) * blocksAlong(cols, blockSize);
    const all = fact('blocks', count, 'count', ['block', 'blocks']);
    const stored = indices.length;
    if (stored === 0) return stated`none of ${all} contains a non-zero`;
    return stated`${fact('stored blocks', stored)} of ${all} ${stored === 1 ? 'is' : 'are'} stored, on average with ${fact('non-zeros per block', nnz / stored, 1)} non-zeros in ${fact('cells of a block', blockSize ** 2)} cells`;
  },
  comparison: {
    blocks: BLOCK_SIZES,
    why(s, { blockSize }) {
      const name = `${blockSize} × ${blockSize} blocks`;
      const stored = storedBlocks(s, blockSize);
      if (stored === 0) return `All of the ${name} are empty.`;
      const all = blocksAlong(s.rows, blockSize) * blocksAlong(s.cols, blockSize);
      const filling = stored === all ? `All ${name} contain` : `${shareText(stored / all)} of the ${name} contain`;
      if (s.nnz === stored * blockSize ** 2) return `${filling} non-zeros, in each of their ${blockSize ** 2} cells.`;
      return `${filling} non-zeros, but on average in only ${meanText(s.nnz / stored)} of their ${blockSize ** 2} cells.`;
    },
  },
});

/** Checks that cells beyond the matrix are 0, and that nnz of the others are not. O(blocks * blockSize²). */
function check({ rows, cols, nnz, blockSize, valueType, data, indices, indptr }: BsrEncoded, v: Violations): void {
  let nonZeros = 0;
  for (let i = 0; i + 1 < indptr.length && !v.full; i++) {
    for (let b = indptr[i]; b < indptr[i + 1]; b++) {
      for (let cell = 0; cell < blockSize ** 2; cell++) {
        const index = b * blockSize ** 2 + cell;
        const row = i * blockSize + Math.floor(cell / blockSize);
        const col = indices[b] * blockSize + (cell % blockSize);
        if (row >= rows || col >= cols) v.expect('data', index, `data[${index}], beyond the matrix`, data[index], 0);
        // Bit 15 of an f16 is its sign, and -0 is 0.
        else if ((valueType === 'f16' ? data[index] & 0x7fff : data[index]) !== 0) nonZeros++;
      }
    }
  }
  if (v.found.length === 0) v.expect('data', null, 'cells that are not 0', nonZeros, nnz, 'nnz');
}
