import { ReadError } from '../../core/errors.ts';
import { rowsAndCols, shapeRejection } from '../container.ts';
import { DeclaredSizeError } from '../archives/decompression-limit.ts';
import { countDense, type DenseLayout, readDense } from '../dense-cells.ts';
import type { Job } from '../../core/job.ts';
import { ELEMENT_BYTES, type ElementType } from '../elements.ts';
import type { FileFormat, MatrixCount } from '../file-format.ts';
import { amount, checkDimensions } from '../read-checks.ts';
import { isNpy, type NpyHeader, npyHeaderEnd, parseNpyHeader } from './npy-header.ts';
import { type FileSource, readHead } from '../source.ts';

/** NumPy's array file, versions 1 to 3, of one or two dimensions (numpy.lib.format). */
export const npy: FileFormat = {
  id: 'npy',
  title: 'NumPy array',
  extensions: ['.npy'],
  sniff: isNpy,
  read: async (source, job) => readDense(source, await layoutOf(source), job),
  count: countNpy,
};

/** The size and the non-zeros of an array, in pieces. Throws ReadError. */
export async function countNpy(source: FileSource, job: Job): Promise<MatrixCount> {
  return countDense(source, await layoutOf(source), job);
}

async function layoutOf(source: FileSource): Promise<DenseLayout> {
  const header = await readNpyHeader(source);
  const type = numberType(header);
  const { isBigEndian, descr } = header.type;
  const { isFortranOrder, dataOffset } = header;
  const stored = { type, isBigEndian, isFortranOrder, dataOffset, typeName: descr };
  return { ...checkedShape(header, type, source), ...stored };
}

/** The header of an .npy file. Throws ReadError. */
export async function readNpyHeader(source: FileSource): Promise<NpyHeader> {
  const end = npyHeaderEnd(await readHead(source, 12));
  const head = await readHead(source, end);
  if (head.length === end) return parseNpyHeader(head);
  throw new ReadError(`byte ${head.length}: found the end, expected a header of ${amount(end, 'byte')}`);
}

/** The shape that a header declares. Throws if the page cannot open it, or the file is too small for its cells. */
function checkedShape(
  { shape, dataOffset, type: { descr } }: NpyHeader,
  type: ElementType,
  source: FileSource,
): ReturnType<typeof rowsAndCols> {
  const rejection = shapeRejection(shape);
  if (rejection !== null) throw new ReadError(`header: ${rejection}`);
  const matrixShape = rowsAndCols(shape);
  const { rows, cols } = matrixShape;
  checkDimensions('header', rows, cols, source.maxSize);
  const bytes = rows * cols * ELEMENT_BYTES[type];
  const max = source.maxSize - dataOffset;
  if (bytes > max) throw new DeclaredSizeError(`header: ${tooManyBytesText(shape, descr, bytes, max)}`);
  return matrixShape;
}

/** The message that a file is too small for the array that its header declares. */
export function tooManyBytesText(shape: readonly number[], descr: string, bytes: number, max: number): string {
  return `found shape (${shape.join(', ')}) of ${descr}, which takes ${amount(bytes, 'byte')}, expected at most ${max} in this file`;
}

/** How the elements of an array of numbers are stored. Throws ReadError for text. */
export function numberType({ type: { kind, bytes, descr } }: NpyHeader): ElementType {
  if (kind === 'S' || kind === 'U') throw new ReadError(`header: found text (${descr}), expected numbers`);
  return kind === 'b' ? 'bool' : NUMBER_TYPES[kind][bytes];
}

const NUMBER_TYPES: Readonly<Record<'f' | 'i' | 'u', Readonly<Record<number, ElementType>>>> = {
  f: { 2: 'f16', 4: 'f32', 8: 'f64' },
  i: { 1: 'i8', 2: 'i16', 4: 'i32', 8: 'i64' },
  u: { 1: 'u8', 2: 'u16', 4: 'u32', 8: 'u64' },
};
