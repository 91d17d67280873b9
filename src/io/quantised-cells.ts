import { ReadError } from '../core/errors.ts';
import type { Job } from '../core/job.ts';
import { type QuantisedCells, QUANTISED_GROUP, QuantisedMatrix } from '../core/matrix/quantised-matrix.ts';
import { Q4_GROUP_BYTES } from '../core/number/index.ts';
import { allocate, endedEarly } from './read-checks.ts';
import { readBatches, readPieces } from './pieces.ts';
import type { FileSource } from './source.ts';

/** Supported quantised types: groups of 32 values, each a scale in f16 followed by 4 or 8 bits per value. */
export type QuantisedType = 'q4_0' | 'q8_0';

const SCALE_BYTES = 2;

/** Bytes of a group with its scale. */
export const QUANTISED_BLOCK_BYTES: Readonly<Record<QuantisedType, number>> = {
  q4_0: SCALE_BYTES + Q4_GROUP_BYTES,
  q8_0: SCALE_BYTES + QUANTISED_GROUP,
};

/** A matrix whose rows are whole groups. */
interface QuantisedShape {
  readonly rows: number;
  readonly cols: number;
  readonly type: QuantisedType;
}

/** The number of groups that `countQuantised` reads at once. */
const COUNTED_GROUPS = 2 ** 11;

/** Reads rows of whole groups; scales and values stay as stored. Throws ReadError if the source ends too early. */
export async function readQuantised(source: FileSource, shape: QuantisedShape, job: Job): Promise<QuantisedMatrix> {
  const { rows, cols, type } = shape;
  const groups = (rows * cols) / QUANTISED_GROUP;
  const expected = groups * QUANTISED_BLOCK_BYTES[type];
  const cells = allocate(`${rows} × ${cols} cells`, expected, () => new GroupArrays(type, groups));
  checkEnd(await readPieces(source, 0, expected, job, (piece, at) => cells.set(piece, at)), shape);
  return new QuantisedMatrix(rows, cols, cells.cells());
}

/** Like `readQuantised`, but only counts the non-zeros, in pieces: no cells are kept. */
export async function countQuantised(source: FileSource, shape: QuantisedShape, job: Job): Promise<number> {
  const { rows, cols, type } = shape;
  const block = QUANTISED_BLOCK_BYTES[type];
  let nnz = 0;
  const visit = (batch: Uint8Array, length: number): void => {
    const groups = new GroupArrays(type, length / block);
    groups.set(batch.subarray(0, length), 0);
    nnz += new QuantisedMatrix(1, (length / block) * QUANTISED_GROUP, groups.cells()).nnz;
  };
  const expected = ((rows * cols) / QUANTISED_GROUP) * block;
  checkEnd(await readBatches(source, 0, expected, job, visit, COUNTED_GROUPS * block), shape);
  return nnz;
}

/** Throws ReadError if the source ended before the last group. */
function checkEnd(end: number, { rows, cols, type }: QuantisedShape): void {
  const expected = ((rows * cols) / QUANTISED_GROUP) * QUANTISED_BLOCK_BYTES[type];
  if (end < expected) throw new ReadError(endedEarly(end, `${end} of ${expected}`, `${rows} × ${cols} of ${type}`));
}

/** Separates the scales of groups from their values; in a file, each group has its scale, then its values. */
class GroupArrays {
  readonly #type: QuantisedType;
  readonly #scales: Uint16Array<ArrayBuffer>;
  readonly #data: Uint8Array<ArrayBuffer>;

  constructor(type: QuantisedType, groups: number) {
    this.#type = type;
    this.#scales = new Uint16Array(groups);
    this.#data = new Uint8Array(groups * (QUANTISED_BLOCK_BYTES[type] - SCALE_BYTES));
  }

  /** Stores bytes of the file; `at`: their offset from the first group. */
  set(piece: Uint8Array, at: number): void {
    const block = QUANTISED_BLOCK_BYTES[this.#type];
    const scaleBytes = new Uint8Array(this.#scales.buffer);
    for (let i = 0; i < piece.length;) {
      const group = Math.floor((at + i) / block);
      const inBlock = (at + i) % block;
      const isScale = inBlock < SCALE_BYTES;
      const n = Math.min(piece.length - i, (isScale ? SCALE_BYTES : block) - inBlock);
      const bytes = piece.subarray(i, i + n);
      if (isScale) scaleBytes.set(bytes, group * SCALE_BYTES + inBlock);
      else this.#data.set(bytes, group * (block - SCALE_BYTES) + inBlock - SCALE_BYTES);
      i += n;
    }
  }

  cells(): QuantisedCells {
    const [scales, data] = [this.#scales, this.#data];
    return this.#type === 'q4_0'
      ? { kind: 'q4_0', scales, data }
      : { kind: 'q8_0', scales, data: new Int8Array(data.buffer) };
  }
}
