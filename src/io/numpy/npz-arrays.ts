import { ReadError } from '../../core/errors.ts';
import type { Job } from '../../core/job.ts';
import { ELEMENT_BYTES, elementConverter, type ElementType, swapBytes, swapsBytes } from '../elements.ts';
import { allocate } from '../file-format.ts';
import { numberType, readNpyHeader } from './npy.ts';
import type { NpyHeader } from './npy-header.ts';
import { readBatches, readPieces } from '../pieces.ts';
import type { FileSource } from '../source.ts';
import type { ValueLosses } from '../value-losses.ts';

/** Longest text that is read from an array. */
const MAX_TEXT_BYTES = 1024;

/**
 * The text of a zero-dimensional array of text, such as `format` of a sparse matrix. The file is read to its end, where
 * an archive compares its checksum.
 */
export async function readNpyText(source: FileSource, job: Job): Promise<string> {
  const header = await readNpyHeader(source);
  const { type, dataOffset } = header;
  if ((type.kind !== 'S' && type.kind !== 'U') || type.bytes > MAX_TEXT_BYTES) {
    throw new ReadError(`${source.name}: found ${type.descr}, expected a short text`);
  }
  const bytes = new Uint8Array(type.bytes);
  const end = await readPieces(source, dataOffset, bytes.length, job, (piece, at) => bytes.set(piece, at));
  checkEnd(source, header, bytes.length, end);
  // ASCII characters of four bytes have three zeros, like padding.
  return new TextDecoder().decode(bytes.filter((b) => b !== 0));
}

/** Whole numbers in any integer type, in the order of the array. Throws ReadError with the one that does not fit. */
export async function readNpyIntegers<A extends Uint32Array | Int32Array>(
  source: FileSource,
  make: (length: number) => A,
  job: Job,
): Promise<A> {
  const header = await readNpyHeader(source);
  const type = numberType(header);
  if (!/^[iu]/.test(type) || header.shape.length !== 1) {
    throw new ReadError(
      `${source.name}: found ${header.type.descr} of shape (${header.shape.join(', ')}), expected whole numbers in one dimension`,
    );
  }
  const length = checkedLength(source, header, type);
  const out = allocate(`${source.name}, ${length} numbers`, 4 * length, () => make(length));
  const size = ELEMENT_BYTES[type];
  const swaps = swapsBytes(type, header.type.isBigEndian);
  const end = await readBatches(source, header.dataOffset, length * size, job, (batch, batchLength, at) => {
    if (swaps) swapBytes(batch, batchLength, size);
    const view = new DataView(batch.buffer, batch.byteOffset, batchLength);
    const first = at / size;
    for (let i = 0; i * size < batchLength; i++) {
      const value = integerAt(view, type, i * size);
      out[first + i] = value;
      if (out[first + i] === value) continue;
      throw new ReadError(
        `${source.name}: found ${value} at index ${first + i}, expected a whole number from ${out instanceof Int32Array ? '-2147483648 to 2147483647' : '0 to 4294967295'}`,
      );
    }
  });
  checkEnd(source, header, length * size, end);
  return out;
}

function integerAt(view: DataView, type: ElementType, at: number): number {
  switch (type) {
    case 'i64':
      return Number(view.getBigInt64(at, true));
    case 'u64':
      return Number(view.getBigUint64(at, true));
    case 'i32':
      return view.getInt32(at, true);
    case 'u32':
      return view.getUint32(at, true);
    case 'i16':
      return view.getInt16(at, true);
    case 'u16':
      return view.getUint16(at, true);
    default:
      return type === 'i8' ? view.getInt8(at) : view.getUint8(at);
  }
}

export interface NpyValues {
  readonly shape: readonly number[];
  /** in C order */
  readonly data: Float32Array;
}

/** Numbers of any type and of one to three dimensions as f32. Losses are counted. */
export async function readNpyValues(source: FileSource, losses: ValueLosses, job: Job): Promise<NpyValues> {
  const header = await readNpyHeader(source);
  const type = numberType(header);
  if (header.isFortranOrder && header.shape.length > 1) {
    throw new ReadError(`${source.name}: found Fortran order, expected C order`);
  }
  const length = checkedLength(source, header, type);
  const data = allocate(`${source.name}, ${length} values`, 4 * length, () => new Float32Array(length));
  const size = ELEMENT_BYTES[type];
  const convert = elementConverter(type, header.type.isBigEndian, losses);
  const end = await readBatches(source, header.dataOffset, length * size, job, (batch, batchLength, at) => {
    data.set(convert(batch, batchLength), at / size);
  });
  checkEnd(source, header, length * size, end);
  return { shape: header.shape, data };
}

/** Elements of an array, bounded by the size of the file. */
function checkedLength(
  source: FileSource,
  { shape, dataOffset, type: { descr } }: NpyHeader,
  type: ElementType,
): number {
  const length = shape.reduce((product, n) => product * n, 1);
  const bytes = length * ELEMENT_BYTES[type];
  if (bytes <= source.maxSize - dataOffset) return length;
  throw new ReadError(
    `${source.name}: found shape (${shape.join(', ')}) of ${descr}, which takes ${bytes} bytes, expected at most ${source.maxSize - dataOffset} in this file`,
  );
}

function checkEnd(source: FileSource, { dataOffset }: NpyHeader, bytes: number, end: number): void {
  if (end >= dataOffset + bytes) return;
  throw new ReadError(`${source.name}: found ${end - dataOffset} bytes of data, expected ${bytes}`);
}
