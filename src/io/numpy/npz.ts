// Reads NumPy's archive of arrays (.npz), and the sparse matrix that scipy.sparse.save_npz writes as such an archive.
import { counted } from '../../core/text/words.ts';
import { ReadError } from '../../core/errors.ts';
import { isOpenedInArchive, openArchive } from '../archives/archive.ts';
import {
  type Container,
  type ContainerContext,
  type ContainerFormat,
  randomAccess,
  shapeRejection,
  type TensorInfo,
} from '../container.ts';
import { countNpy, npy, numberType, readNpyHeader, tooManyBytesText } from './npy.ts';
import { Pacer, throwIfCancelled } from '../../core/pace.ts';
import { type FileSource, windows1252Text } from '../source.ts';
import { isZip, readZipDirectory, type ZipMember, zipMember } from '../archives/zip.ts';
import type { Job } from '../../core/job.ts';
import { type AddEntry, cooNotes, csrOf, mergedColumns, mergedCoo, mergedRows, type Rows } from '../coo.ts';
import { fortranIndex, fromFortranOrder, rowMajor } from '../dense-cells.ts';
import { countOf, type MatrixCount, type ReadResult } from '../file-format.ts';
import { amount, allocate, checkDimensions } from '../read-checks.ts';
import { ValueLosses } from '../value-losses.ts';
import {
  ELEMENT_BYTES,
  elementConverter,
  type ElementType,
  swapBytes,
  swapsBytes,
  typedElements,
} from '../elements.ts';
import type { NpyHeader } from './npy-header.ts';
import { readBatches, readPieces } from '../pieces.ts';

/** Maximum length of a text array; the names of formats are far shorter. */
const MAX_TEXT_BYTES = 1024;

/** The text of a zero-dimensional array, such as format.npy of scipy.sparse; read to its end for the checksum. */
async function readNpyText(source: FileSource, job: Job): Promise<string> {
  const header = await readNpyHeader(source);
  const { type, dataOffset } = header;
  if ((type.kind !== 'S' && type.kind !== 'U') || type.bytes > MAX_TEXT_BYTES) {
    throw new ReadError(`${source.name}: found ${type.descr}, expected a short text`);
  }
  const bytes = new Uint8Array(type.bytes);
  const end = await readPieces(source, dataOffset, bytes.length, job, (piece, offset) => bytes.set(piece, offset));
  checkEnd(source, header, bytes.length, end);
  // ASCII characters of four bytes have three zeros, like padding.
  return new TextDecoder().decode(bytes.filter((b) => b !== 0));
}

/** The number of whole numbers in an array of one dimension, of any integer type. Throws ReadError for another array. */
function integersIn(source: FileSource, header: NpyHeader): number {
  const type = numberType(header);
  if (!/^[iu]/.test(type) || header.shape.length !== 1) {
    throw new ReadError(
      `${source.name}: found ${header.type.descr} of shape (${header.shape.join(', ')}), expected whole numbers in one dimension`,
    );
  }
  return checkedLength(source, header, type);
}

/** Reads whole numbers of any integer type, in the order of the array. Throws ReadError if a number does not fit. */
async function readNpyIntegers<A extends Uint32Array | Int32Array>(
  source: FileSource,
  make: (length: number) => A,
  job: Job,
): Promise<A> {
  const header = await readNpyHeader(source);
  const length = integersIn(source, header);
  const out = allocate(`${source.name}, ${length} numbers`, 4 * length, () => make(length));
  await eachNumber(source, header, job, (value, index) => {
    out[index] = value;
    if (out[index] !== value) throw misfit(source, value, index, out instanceof Int32Array);
  });
  return out;
}

function misfit({ name }: FileSource, value: number, index: number, isSigned: boolean): ReadError {
  const range = isSigned ? '-2147483648 to 2147483647' : '0 to 4294967295';
  return new ReadError(`${name}: found ${value} at index ${index}, expected a whole number from ${range}`);
}

/** Calls `visit` with every number of an array of whole numbers or f64, in the order of the file. */
async function eachNumber(
  source: FileSource,
  header: NpyHeader,
  job: Job,
  visit: (value: number, nth: number) => void,
): Promise<void> {
  const type = numberType(header);
  const size = ELEMENT_BYTES[type];
  const swaps = swapsBytes(type, header.type.isBigEndian);
  const bytes = checkedLength(source, header, type) * size;
  const end = await readBatches(source, header.dataOffset, bytes, job, (batch, length, from) => {
    if (swaps) swapBytes(batch, length, size);
    const elements = typedElements(type, batch, length / size);
    for (let i = 0; i < elements.length; i++) visit(Number(elements[i]), from / size + i);
  });
  checkEnd(source, header, bytes, end);
}

/** An array of numbers as f32. */
interface NpyValues {
  readonly shape: readonly number[];
  /** in C order */
  readonly data: Float32Array;
}

/** Numbers of any type and shape as f32; numbers that f32 cannot represent are counted in `losses`. */
async function readNpyValues(source: FileSource, losses: ValueLosses, job: Job): Promise<NpyValues> {
  const header = await readNpyHeader(source);
  const length = checkedLength(source, header, numberType(header));
  const data = allocate(`${source.name}, ${length} values`, 4 * length, () => new Float32Array(length));
  const setValues = header.isFortranOrder ? fromFortranOrder(data, header.shape) : rowMajor(data);
  await eachBatchOfValues(source, header, losses, job, setValues);
  return { shape: header.shape, data };
}

/** Calls `visit` with batches of an array's numbers as f32, in the order of the file; `first`: how many came before. */
async function eachBatchOfValues(
  source: FileSource,
  header: NpyHeader,
  losses: ValueLosses,
  job: Job,
  visit: (values: ReturnType<ReturnType<typeof elementConverter>>, first: number) => void,
): Promise<void> {
  const type = numberType(header);
  const size = ELEMENT_BYTES[type];
  const bytes = checkedLength(source, header, type) * size;
  const convert = elementConverter(type, header.type.isBigEndian, losses);
  const end = await readBatches(source, header.dataOffset, bytes, job, (batch, length, position) => {
    visit(convert(batch, length), position / size);
  });
  checkEnd(source, header, bytes, end);
}

/** Calls `visit` with every number, unrounded, of an array of whole numbers or f64, and its position in C order. */
async function eachNpyValue(
  source: FileSource,
  job: Job,
  visit: (value: number, position: number) => void,
): Promise<void> {
  const header = await readNpyHeader(source);
  const { shape, isFortranOrder } = header;
  const inCOrder = (nth: number): number =>
    fortranIndex(nth, shape).reduce((position, i, d) => position * shape[d] + i, 0);
  await eachNumber(source, header, job, (value, nth) => visit(value, isFortranOrder ? inCOrder(nth) : nth));
}

/** The number of elements of an array. Throws ReadError if the file is too short for them. */
function checkedLength(
  source: FileSource,
  { shape, dataOffset, type: { descr } }: NpyHeader,
  type: ElementType,
): number {
  const length = shape.reduce((product, n) => product * n, 1);
  const bytes = length * ELEMENT_BYTES[type];
  if (bytes <= source.maxSize - dataOffset) return length;
  throw new ReadError(`${source.name}: ${tooManyBytesText(shape, descr, bytes, source.maxSize - dataOffset)}`);
}

function checkEnd(source: FileSource, { dataOffset }: NpyHeader, bytes: number, end: number): void {
  if (end >= dataOffset + bytes) return;
  throw new ReadError(`${source.name}: found ${amount(end - dataOffset, 'byte')} of data, expected ${bytes}`);
}

/** Members that every file of scipy.sparse.save_npz has, by which such a file is recognised. */
const SPARSE_MARKS = ['format.npy', 'shape.npy', 'data.npy'] as const;

const SPARSE_FORMATS = ['csr', 'csc', 'coo', 'bsr', 'dia'] as const;
type SparseFormatName = (typeof SPARSE_FORMATS)[number];

/** The member of an archive by its name; null if there is none. */
type MemberByName = (name: string) => FileSource | null;

/** Format and shape of a matrix of scipy.sparse.save_npz. Throws ReadError for unknown formats. */
async function readSparseHead(
  member: MemberByName,
  job: Job,
): Promise<{ format: SparseFormatName; rows: number; cols: number }> {
  const text = await readNpyText(required(member, 'format.npy'), job);
  const format = SPARSE_FORMATS.find((name) => name === text);
  if (!format) throw new ReadError(`format.npy: found '${text}', expected one of ${SPARSE_FORMATS.join(', ')}`);
  const shape = await readNpyIntegers(required(member, 'shape.npy'), (n) => new Uint32Array(n), job);
  if (shape.length !== 2) throw new ReadError(`shape.npy: found (${shape.join(', ')}), expected two dimensions`);
  const data = required(member, 'data.npy');
  checkDimensions('shape.npy', shape[0], shape[1], data.maxSize);
  return { format, rows: shape[0], cols: shape[1] };
}

/** Reads a file of scipy.sparse.save_npz in CSR, CSC, COO, BSR or DIA; duplicates are summed. Throws ReadError. */
async function readSparse(member: MemberByName, job: Job): Promise<ReadResult> {
  const { format, rows, cols } = await readSparseHead(member, job);
  const losses = new ValueLosses();
  const { shape, data } = await readNpyValues(required(member, 'data.npy'), losses, job);
  const readIndices = (name: string): Promise<Uint32Array> =>
    readNpyIntegers(required(member, name), (n) => new Uint32Array(n), job);
  type ReadAgain = (add: AddEntry) => Promise<void>;
  const resultOf = async (merging: Parameters<typeof csrOf>[0], readAgain: ReadAgain | null): Promise<ReadResult> => {
    const result = await csrOf(merging, job, losses.notes().length > 0 ? readAgain : null, losses);
    return { matrix: result.matrix, notes: [...losses.notes(), ...cooNotes(result)] };
  };
  const eachValue = (visit: (value: number, position: number) => void): Promise<void> =>
    eachNpyValue(required(member, 'data.npy'), job, visit);

  if (format === 'coo') {
    const [rowIndices, colIndices] = [await readIndices('row.npy'), await readIndices('col.npy')];
    const { length } = data;
    checkCount('row.npy', rowIndices.length, length);
    checkCount('col.npy', colIndices.length, length);
    checkBelow('row.npy', rowIndices, rows, 'row');
    checkBelow('col.npy', colIndices, cols, 'column');
    const coo = { rows, cols, length, rowIndices, colIndices, data, sorted: false };
    return resultOf(mergedCoo(coo, 'general'), (add) =>
      eachValue((value, position) => add(rowIndices[position], colIndices[position], value)),
    );
  }
  if (format === 'dia') {
    const offsets = await readNpyIntegers(required(member, 'offsets.npy'), (n) => new Int32Array(n), job);
    if (shape.length !== 2) throw new ReadError(`data.npy: found ${counted(shape.length, 'dimension')}, expected two`);
    checkCount('offsets.npy', offsets.length, shape[0]);
    return resultOf(mergedRows(diagonalRows(rows, cols, offsets, data, shape[1])), null);
  }
  // Lines are rows of CSR and block rows of BSR, which are the major axis, or columns of CSC; indices are along the other,
  // minor axis.
  const [indptr, minorIndices] = [await readIndices('indptr.npy'), await readIndices('indices.npy')];
  const isColumns = format === 'csc';
  /** Adds all entries unrounded. Indices are read again, since merging overwrote them. */
  const readAgain: ReadAgain = async (add) => {
    const [starts, minorAgain] = [await readIndices('indptr.npy'), await readIndices('indices.npy')];
    const [height, width] = format === 'bsr' ? shape.slice(1) : [1, 1];
    /** the row of CSR, column of CSC or block row of BSR of the current value */
    let majorLine = 0;
    await eachValue((value, position) => {
      const block = Math.floor(position / (height * width));
      if (block >= starts[starts.length - 1]) return;
      if (block < starts[majorLine]) majorLine = 0;
      while (block >= starts[majorLine + 1]) majorLine++;
      const inBlock = position % (height * width);
      const major = majorLine * height + Math.floor(inBlock / width);
      const minor = minorAgain[block] * width + (inBlock % width);
      if (isColumns) add(minor, major, value);
      else add(major, minor, value);
    });
  };
  if (format === 'bsr')
    return resultOf(mergedRows(blockRows(rows, cols, indptr, minorIndices, shape, data)), readAgain);
  checkCount('indices.npy', minorIndices.length, data.length);
  checkPointers(indptr, isColumns ? cols : rows, data.length);
  checkBelow('indices.npy', minorIndices, isColumns ? rows : cols, isColumns ? 'row' : 'column');
  const end = indptr[indptr.length - 1];
  const lines: Rows = {
    rows: isColumns ? cols : rows,
    cols: isColumns ? rows : cols,
    indptr,
    indices: minorIndices.length === end ? minorIndices : minorIndices.slice(0, end),
    data: data.length === end ? data : data.slice(0, end),
  };
  return resultOf(isColumns ? mergedColumns(lines) : mergedRows(lines), readAgain);
}

/**
 * Like `readSparse`, but keeps no entries where those of CSR, CSC or BSR are in ascending order, as SciPy sorts them: a
 * number for each row or column. Null for others, which have to be read.
 */
async function countSparse(member: MemberByName, job: Job): Promise<MatrixCount | null> {
  const { format, rows, cols } = await readSparseHead(member, job);
  if (format === 'coo' || format === 'dia') return null;
  const values = required(member, 'data.npy');
  const header = await readNpyHeader(values);
  const { shape } = header;
  const length = checkedLength(values, header, numberType(header));
  const [count, height, width] = format === 'bsr' ? shape : [length, 1, 1];
  // Blocks in Fortran order and invalid matrices are left to readSparse, which reports errors.
  const canBeCounted =
    format === 'bsr' ? shape.length === 3 && height >= 1 && width >= 1 && !header.isFortranOrder : true;
  if (!canBeCounted || rows % height !== 0 || cols % width !== 0) return null;
  const [lineCount, minorLength] = format === 'csc' ? [cols, rows] : [rows / height, cols / width];
  const indptr = await readNpyIntegers(required(member, 'indptr.npy'), (n) => new Uint32Array(n), job);
  checkPointers(indptr, lineCount, count);
  if (!(await areAscending(required(member, 'indices.npy'), indptr, count, minorLength, job))) return null;
  const storedCount = indptr[lineCount] * height * width;
  const losses = new ValueLosses();
  let nnz = 0;
  await eachBatchOfValues(values, header, losses, job, (batch, first) => {
    const end = Math.min(batch.length, storedCount - first);
    for (let i = 0; i < end; i++) nnz += batch[i] === 0 ? 0 : 1;
  });
  const notes = [...losses.notes(), ...cooNotes({ summedCells: 0, zeros: storedCount - nnz })];
  return { rows, cols, nnz, notes };
}

/** Whether the indices of each row or column ascend and are below `minorLength`; false if readSparse has to read them. */
async function areAscending(
  source: FileSource,
  indptr: Uint32Array,
  count: number,
  minorLength: number,
  job: Job,
): Promise<boolean> {
  const header = await readNpyHeader(source);
  if (integersIn(source, header) !== count) return false;
  let [line, previous, isSorted] = [0, -1, true];
  await eachNumber(source, header, job, (index, position) => {
    if (index < 0 || index >= minorLength) isSorted = false;
    for (; position >= indptr[line + 1]; line++) previous = -1;
    if (line + 1 < indptr.length && index <= previous) isSorted = false;
    previous = index;
  });
  return isSorted;
}

function required(member: MemberByName, name: string): FileSource {
  const source = member(name);
  if (source) return source;
  throw new ReadError(`found no ${name} next to format.npy`);
}

function checkCount(name: string, found: number, expected: number): void {
  if (found !== expected)
    throw new ReadError(`${name}: found ${amount(found, 'entry', 'entries')}, expected ${expected}`);
}

function checkBelow(name: string, indices: Uint32Array, limit: number, what: string): void {
  for (let i = 0; i < indices.length; i++) {
    if (indices[i] >= limit) {
      throw new ReadError(`${name}: found ${what} ${indices[i]} at index ${i}, expected below ${limit}`);
    }
  }
}

function checkPointers(indptr: Uint32Array, lines: number, entries: number): void {
  checkCount('indptr.npy', indptr.length, lines + 1);
  if (indptr[0] !== 0) throw new ReadError(`indptr.npy: found ${indptr[0]} at index 0, expected 0`);
  for (let i = 1; i <= lines; i++) {
    if (indptr[i] >= indptr[i - 1] && indptr[i] <= entries) continue;
    throw new ReadError(
      `indptr.npy: found ${indptr[i]} at index ${i}, expected a whole number from ${indptr[i - 1]} to ${entries}`,
    );
  }
}

/** The rows of BSR: data[k] is block k, row-major; its first column is indices[k] times the columns of a block. */
function blockRows(
  rows: number,
  cols: number,
  indptr: Uint32Array,
  indices: Uint32Array,
  shape: readonly number[],
  data: Float32Array,
): Rows {
  const [blocks, blockRowCount, blockCols] = shape;
  if (shape.length !== 3 || blockRowCount < 1 || blockCols < 1) {
    throw new ReadError(`data.npy: found shape (${shape.join(', ')}), expected blocks of at least 1 × 1`);
  }
  if (rows % blockRowCount !== 0 || cols % blockCols !== 0) {
    throw new ReadError(
      `data.npy: found blocks of ${blockRowCount} × ${blockCols}, expected ones that divide ${rows} × ${cols}`,
    );
  }
  const lines = rows / blockRowCount;
  checkCount('indices.npy', indices.length, blocks);
  checkPointers(indptr, lines, blocks);
  checkBelow('indices.npy', indices, cols / blockCols, 'block column');
  const end = indptr[lines];
  const entries = end * blockRowCount * blockCols;
  const out = makeRows(rows, cols, entries);
  let position = 0;
  for (let r = 0; r < rows; r++) {
    const line = Math.floor(r / blockRowCount);
    for (let k = indptr[line]; k < indptr[line + 1]; k++) {
      const from = (k * blockRowCount + (r % blockRowCount)) * blockCols;
      for (let c = 0; c < blockCols; c++) {
        out.indices[position] = indices[k] * blockCols + c;
        out.data[position++] = data[from + c];
      }
    }
    out.indptr[r + 1] = position;
  }
  return out;
}

/** The rows of DIA: data[k][j] is cell (j - offsets[k], j). */
function diagonalRows(rows: number, cols: number, offsets: Int32Array, data: Float32Array, stride: number): Rows {
  const width = Math.min(cols, stride);
  if (new Set(offsets).size < offsets.length) throw new ReadError('offsets.npy: found the same diagonal twice');
  const counts = new Uint32Array(rows + 1);
  const diagonals = Array.from(offsets, (offset, k) => ({ offset, k })).toSorted((a, b) => a.offset - b.offset);
  const visit = (take: (row: number, col: number, value: number) => void): void => {
    for (const { offset, k } of diagonals) {
      const last = Math.min(width, rows + offset);
      for (let col = Math.max(0, offset); col < last; col++) take(col - offset, col, data[k * stride + col]);
    }
  };
  visit((row) => counts[row + 1]++);
  for (let r = 0; r < rows; r++) counts[r + 1] += counts[r];
  const out = makeRows(rows, cols, counts[rows]);
  out.indptr.set(counts);
  const next = counts;
  visit((row, col, value) => {
    out.indices[next[row]] = col;
    out.data[next[row]++] = value;
  });
  return out;
}

function makeRows(rows: number, cols: number, entries: number): Rows {
  return allocate(`${entries} entries`, 8 * entries, () => ({
    rows,
    cols,
    indptr: new Uint32Array(rows + 1),
    indices: new Uint32Array(entries),
    data: new Float32Array(entries),
  }));
}

/** Maximum number of arrays that are listed, since the header of each is read. */
const MAX_ARRAYS = 10_000;

/** NumPy's archive of arrays, which may be a sparse matrix of scipy.sparse.save_npz. */
export const npz: ContainerFormat = {
  id: 'npz',
  title: 'NumPy archive',
  extensions: ['.npz'],
  reads: 'parts',
  sniff: (head) => isZip(head) && windows1252Text(head).includes('.npy'),
  open,
};

async function open(source: FileSource, context: ContainerContext): Promise<Container> {
  const { job, maxDecompressedBytes } = context;
  const file = randomAccess(source, 'a NumPy archive');
  const members = await readZipDirectory(file, maxDecompressedBytes);
  const byName = new Map(members.map((member) => [member.name, member]));
  const member = (name: string): FileSource | null => {
    const zipEntry = byName.get(name);
    return zipEntry ? zipMember(file, zipEntry) : null;
  };
  if (SPARSE_MARKS.every((name) => byName.has(name))) {
    const { format, rows, cols } = await readSparseHead(member, job);
    const bytes = members.reduce((sum, m) => sum + m.compressedSize, 0);
    const matrixInfo: TensorInfo = { name: 'matrix', shape: [rows, cols], dtype: format, bytes, refused: null };
    const read = (reading: Job): Promise<ReadResult> => readSparse(member, reading);
    return {
      tensors: [matrixInfo],
      preferred: null,
      read: (_name, reading) => read(reading),
      count: async (_name, counting) => (await countSparse(member, counting)) ?? countOf(await read(counting)),
    };
  }
  // Not an archive of NumPy: arrays among other matrix files are opened like any zip archive.
  if (members.some(({ name }) => isOpenedInArchive(name) && !/\.npy$/i.test(name))) {
    const files = members.map((m) => ({ ...m, open: () => zipMember(file, m) }));
    return openArchive('zip', files, context);
  }
  const arrays = members.filter((m) => m.name.endsWith('.npy'));
  if (arrays.length > MAX_ARRAYS) {
    throw new ReadError(`zip: found ${amount(arrays.length, 'array')}, expected at most ${MAX_ARRAYS}`);
  }
  const tensors: TensorInfo[] = [];
  const pacer = new Pacer();
  for (const m of arrays) {
    throwIfCancelled(job);
    tensors.push(await arrayInfo(zipMember(file, m), m));
    await pacer.pauseIfDue();
  }
  const arrayOf = (name: string): FileSource => {
    const array = member(`${name}.npy`);
    if (!array) throw new ReadError(`found no ${name}.npy in the archive`);
    return array;
  };
  return {
    tensors,
    preferred: null,
    read: async (name, reading) => npy.read(arrayOf(name), reading),
    count: async (name, counting) => countNpy(arrayOf(name), counting),
  };
}

async function arrayInfo(source: FileSource, { name, compressedSize }: ZipMember): Promise<TensorInfo> {
  const common = { name: name.replace(/\.npy$/, ''), bytes: compressedSize };
  try {
    const header = await readNpyHeader(source);
    const dtype = header.type.kind === 'S' || header.type.kind === 'U' ? 'text' : numberType(header);
    const rejection = dtype === 'text' ? 'found text, expected numbers' : shapeRejection(header.shape);
    return { ...common, shape: header.shape, dtype, refused: rejection };
  } catch (error) {
    if (!(error instanceof ReadError)) throw error;
    return { ...common, shape: [], dtype: 'unknown', refused: error.message };
  }
}
