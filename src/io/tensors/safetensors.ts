import { checkBound } from '../../core/bounds/check.ts';
import { ReadError } from '../../core/errors.ts';
import type { Job } from '../../core/job.ts';
import {
  type Container,
  type ContainerFormat,
  partsOf,
  rowsAndCols,
  shapeRefusal,
  type TensorInfo,
  noTensor,
} from '../archives/container.ts';
import { makeCells, matrixOfCells, readDense } from '../dense-cells.ts';
import { allocate, checkDimensions, type ReadResult } from '../file-format.ts';
import { AT_ONCE, mapAtOnce } from '../map-at-once.ts';
import { sortedInSlices } from '../sorted-in-slices.ts';
import { refuseKnown } from '../known-kinds.ts';
import { type RandomAccessSource, readBytes, readHead } from '../source.ts';
import type { StoredCells } from '../../core/matrix/index.ts';
import { ELEMENT_BYTES, elementConverter, elementTable, type ElementType, narrowBits } from '../elements.ts';
import { readPieces } from '../pieces.ts';
import { ValueLosses } from '../value-losses.ts';
import { Pacer, throwIfCancelled } from '../../core/pace.ts';
import { counted } from '../../core/story/words.ts';
import { jsonEntries, parseJson } from './json-entries.ts';

/** A tensor of a safetensors file: bytes [from, to) of the file, which may end earlier. */
interface StoredTensor {
  readonly name: string;
  /** as in the file: 'BF16' */
  readonly dtype: string;
  /** null for types that are not supported */
  readonly type: ElementType | null;
  readonly shape: readonly number[];
  readonly from: number;
  readonly to: number;
  /** why it is not whole, as found and expected; null if it is */
  readonly cut: string | null;
}

/** 500 bytes for each tensor. */
const MAX_HEADER_BYTES = 25_000_000;

/** Tensors of a file: several times those of the largest models, which are many files. Sorting more takes seconds. */
const MAX_TENSORS = 50_000;

/** Tensors between two checks of the clock. */
const TENSORS_AT_ONCE = 256;

const TYPES: ReadonlyMap<string, ElementType> = new Map(
  Object.keys(ELEMENT_BYTES).map((type) => [type.toUpperCase(), type as ElementType]),
);

/** Whether a file begins like safetensors: a length below 2^32 in 8 bytes, then a JSON object. */
function isSafetensors(head: Uint8Array): boolean {
  return head.length > 9 && head[4] === 0 && head[5] === 0 && head[6] === 0 && head[7] === 0 && head[8] === 0x7b;
}

/**
 * The tensors of a file, checked before anything of their size is allocated: no two overlap, and each is as long as its
 * shape and type require. A file that ends early does not hold all of them. Yields the thread meanwhile. Throws ReadError with found
 * and expected, and CancelledError.
 */
export async function readSafetensorsHeader(source: RandomAccessSource, job: Job): Promise<readonly StoredTensor[]> {
  const start = await readBytes(source, 0, 8);
  const length = Number(new DataView(start.buffer, start.byteOffset, 8).getBigUint64(0, true));
  const max = Math.min(MAX_HEADER_BYTES, source.size - 8);
  if (length > max) {
    // Such a length is nonsense: perhaps the file is of another kind, or it ends early.
    const head = await readHead(source, 512);
    refuseKnown(head, source.name);
    const early = length - max;
    if (isSafetensors(head) && length <= MAX_HEADER_BYTES)
      throw new ReadError(`header: found ${max} of ${length} bytes: the file ends ${counted(early, 'byte')} early`);
    throw new ReadError(`byte 0: found a header of ${length} bytes, expected at most ${max}`);
  }
  const text = new TextDecoder().decode(await readBytes(source, 8, 8 + length));
  if (/^\s*\[/.test(text)) throw noObject('a list');
  const tensors: StoredTensor[] = [];
  const pacer = new Pacer();
  let done = 0;
  for (const [name, value, size] of entriesOf(text)) {
    done += size;
    if (name !== '__metadata__') tensors.push(parseTensor(name, value, 8 + length));
    checkBound('header', tensors.length, MAX_TENSORS, 'tensors', ReadError);
    if (tensors.length % TENSORS_AT_ONCE > 0) continue;
    throwIfCancelled(job);
    job.report({ what: 'Reading the header', done, total: text.length });
    await pacer.breathe();
  }
  refuseOverlaps(tensors);
  const early = missingBytes(tensors, source.size);
  return early <= 0 ? tensors : tensors.map((t) => ({ ...t, cut: cutText(t, source.size, early) }));
}

/** Bytes by which a file ends before its last tensor does; 0 or less if it is whole. */
function missingBytes(tensors: readonly StoredTensor[], size: number): number {
  return tensors.reduce((end, { to }) => Math.max(end, to), 0) - size;
}

function cutText({ from, to }: StoredTensor, size: number, early: number): string | null {
  if (to <= size) return null;
  return `found ${Math.max(0, size - from)} of ${to - from} bytes: the file ends ${counted(early, 'byte')} early`;
}

function parseTensor(name: string, value: unknown, dataStart: number): StoredTensor {
  const fields = new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
  const dtype: unknown = fields.get('dtype');
  const shape: unknown = fields.get('shape');
  const offsets: unknown = fields.get('data_offsets');
  const wrong = (field: string, found: unknown, expected: string): ReadError =>
    new ReadError(`${name}: found ${field} ${JSON.stringify(found)?.slice(0, 60) ?? 'missing'}, expected ${expected}`);
  if (typeof dtype !== 'string') throw wrong('dtype', dtype, 'the name of a type');
  if (!isCounts(shape)) throw wrong('shape', shape, 'a list of whole numbers');
  if (!isCounts(offsets) || offsets.length !== 2 || offsets[0] > offsets[1]) {
    throw wrong('data_offsets', offsets, 'begin and end');
  }
  const [from, to] = offsets;
  const type = TYPES.get(dtype) ?? null;
  if (type !== null) {
    const bytes = shape.reduce((product, n) => product * n, ELEMENT_BYTES[type]);
    if (bytes !== to - from) {
      throw new ReadError(
        `${name}: found ${to - from} bytes for shape (${shape.join(', ')}) of ${dtype}, expected ${bytes}`,
      );
    }
  }
  return { name, dtype, type, shape, from: dataStart + from, to: dataStart + to, cut: null };
}

function isCounts(value: unknown): value is readonly number[] {
  return (
    Array.isArray(value) && value.every((n: unknown) => typeof n === 'number' && Number.isSafeInteger(n) && n >= 0)
  );
}

function refuseOverlaps(tensors: readonly StoredTensor[]): void {
  const sorted = tensors.filter((t) => t.to > t.from).toSorted((a, b) => a.from - b.from);
  for (let i = 1; i < sorted.length; i++) {
    if (sorted[i].from >= sorted[i - 1].to) continue;
    throw new ReadError(`${sorted[i].name}: found its bytes inside those of ${sorted[i - 1].name}`);
  }
}

/** The entries of a header, whose values are JSON. Throws ReadError. */
function* entriesOf(text: string): Generator<readonly [name: string, value: unknown, size: number], void, void> {
  try {
    for (const [name, value] of jsonEntries(text)) yield [name, parseJson(value), value.length];
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw noObject('no JSON');
  }
}

function noObject(found: string): ReadError {
  return new ReadError(`byte 8: found ${found}, expected an object of tensors`);
}

/** Tensors by name after a header (huggingface/safetensors), and the sparse weights of compressed-tensors. */
export const safetensors: ContainerFormat = {
  id: 'safetensors',
  title: 'safetensors',
  extensions: ['.safetensors'],
  reads: 'parts',
  sniff: isSafetensors,
  open: (source, { job }) => openSafetensors(partsOf(source, 'a safetensors file'), job),
};

/** Reads the header of a file. Throws ReadError. */
export async function openSafetensors(source: RandomAccessSource, job: Job): Promise<Container> {
  const stored = await readSafetensorsHeader(source, job);
  const { packed, parts } = findPacked(stored);
  const plain = new Map(stored.filter((t) => !parts.has(t.name)).map((t) => [t.name, t]));
  const sparse = new Map(packed.map((p) => [p.name, p]));
  const tensors = [...plain.values()].map(tensorInfo);
  const cut = stored.filter((t) => t.cut !== null).length;
  const cutNotes =
    cut === 0
      ? []
      : [
          `The file ends ${counted(missingBytes(stored, source.size), 'byte')} early: ${cut} of ${stored.length} tensors cannot be read.`,
        ];
  // Each packed tensor needs its shape, which is a request for a remote file.
  for (const info of await mapAtOnce(packed, AT_ONCE, (p) => packedInfo(source, p))) tensors.push(info);
  return {
    tensors: await sortedByName(tensors, job),
    preferred: null,
    async read(name, reading) {
      const weights = sparse.get(name);
      const tensor = plain.get(name);
      const reads = weights ? readPacked(source, weights, reading) : tensor && readStored(source, tensor, reading);
      if (!reads) throw noTensor(name, tensors.length);
      const { matrix, notes } = await reads;
      return { matrix, notes: [...notes, ...cutNotes] };
    },
  };
}

function tensorInfo({ name, dtype, type, shape, from, to, cut }: StoredTensor): TensorInfo {
  const refused = type === null ? strangeType(dtype) : (shapeRefusal(shape) ?? cut);
  return { name, shape, dtype: dtype.toLowerCase(), bytes: to - from, refused };
}

function strangeType(dtype: string): string {
  return `found elements of ${dtype}, expected F64 to F8, I, U or BOOL`;
}

async function packedInfo(source: RandomAccessSource, packed: PackedTensor): Promise<TensorInfo> {
  const { name, compressed, bitmask, shape, rowOffsets } = packed;
  const bytes = [compressed, bitmask, shape, rowOffsets].reduce((sum, t) => sum + (t ? t.to - t.from : 0), 0);
  const known = { name, dtype: `${compressed.dtype.toLowerCase()}, bitmask`, bytes };
  const refused = packedRefusal(packed);
  if (refused !== null) return { ...known, shape: [], refused };
  try {
    return { ...known, shape: await readPackedShape(source, packed), refused: null };
  } catch (error) {
    if (!(error instanceof ReadError)) throw error;
    return { ...known, shape: [], refused: error.message };
  }
}

async function readStored(source: RandomAccessSource, tensor: StoredTensor, job: Job): Promise<ReadResult> {
  const { name, dtype, type, shape, from, to } = tensor;
  if (type === null) throw new ReadError(`${name}: ${strangeType(dtype)}`);
  const { rows, cols, notes } = rowsAndCols(shape);
  checkDimensions(name, rows, cols, to - from);
  const layout = { rows, cols, type, isBigEndian: false, isFortranOrder: false, dataOffset: 0, typeName: dtype };
  const result = await readDense(source.slice(from, to), layout, job);
  return { matrix: result.matrix, notes: [...notes, ...result.notes] };
}

const names = new Intl.Collator('en', { numeric: true });

/** layers.2 before layers.10. */
export function sortedByName(tensors: readonly TensorInfo[], job: Job): Promise<readonly TensorInfo[]> {
  return sortedInSlices(tensors, (a, b) => names.compare(a.name, b.name), job);
}

/**
 * A weight W that compressed-tensors has packed: `W.compressed` has the values that the mask names, row by row,
 * `W.bitmask` a bit for each cell (rows x ceil(cols / 8) bytes, lowest bit first), `W.shape` rows and cols as I64, and,
 * for 'sparse-bitmask', `W.row_offsets` the number of values before each row. 'sparse-24-bitmask' has cols / 2 values
 * in every row and no offsets.
 * Source: vllm-project/compressed-tensors, src/compressed_tensors/compressors/sparse_compressors.
 */
interface PackedTensor {
  /** W */
  readonly name: string;
  readonly compressed: StoredTensor;
  readonly bitmask: StoredTensor;
  readonly shape: StoredTensor;
  readonly rowOffsets: StoredTensor | null;
}

/** The packed weights among the tensors, and the names of the tensors that they consist of. */
function findPacked(tensors: readonly StoredTensor[]): {
  packed: readonly PackedTensor[];
  parts: ReadonlySet<string>;
} {
  const byName = new Map(tensors.map((t) => [t.name, t]));
  const packed: PackedTensor[] = [];
  const parts = new Set<string>();
  for (const compressed of tensors) {
    if (!compressed.name.endsWith('.compressed')) continue;
    const name = compressed.name.slice(0, -'.compressed'.length);
    const bitmask = byName.get(`${name}.bitmask`);
    const shape = byName.get(`${name}.shape`);
    if (!bitmask || !shape) continue;
    const rowOffsets = byName.get(`${name}.row_offsets`) ?? null;
    packed.push({ name, compressed, bitmask, shape, rowOffsets });
    for (const part of [compressed, bitmask, shape, rowOffsets]) if (part) parts.add(part.name);
  }
  return { packed, parts };
}

/** Why a packed weight cannot be opened, as far as its header tells; null if it can. */
function packedRefusal({ compressed, bitmask, shape, rowOffsets }: PackedTensor): string | null {
  if (compressed.type === null) return `found ${compressed.dtype}, expected a type of numbers`;
  if (bitmask.type !== 'u8' || bitmask.shape.length !== 2) {
    return `found a bitmask of ${bitmask.dtype} and ${bitmask.shape.length} dimensions, expected U8 and two`;
  }
  if (shape.type !== 'i64' || shape.shape.length !== 1 || shape.shape[0] !== 2) {
    return `found a shape of ${shape.dtype} (${shape.shape.join(', ')}), expected two numbers of I64`;
  }
  return compressed.cut ?? bitmask.cut ?? shape.cut ?? rowOffsets?.cut ?? null;
}

/** Rows and cols from `W.shape`, checked against the bitmask. Throws ReadError. */
async function readPackedShape(
  source: RandomAccessSource,
  { name, bitmask, shape }: PackedTensor,
): Promise<readonly [rows: number, cols: number]> {
  const bytes = await readBytes(source, shape.from, shape.to);
  const [rows, cols] = Array.from(new BigInt64Array(bytes.slice().buffer), Number);
  const isRight = rows === bitmask.shape[0] && cols >= 0 && Math.ceil(cols / 8) === bitmask.shape[1];
  if (!isRight) {
    throw new ReadError(
      `${name}: found shape (${rows}, ${cols}) with a bitmask of (${bitmask.shape.join(', ')}), expected as many rows, and a bit for each column`,
    );
  }
  checkDimensions(name, rows, cols, source.size);
  return [rows, cols];
}

/** Reads a packed weight. Memory: the cells, the packed values, the bitmask. Throws ReadError. */
async function readPacked(source: RandomAccessSource, packed: PackedTensor, job: Job): Promise<ReadResult> {
  const { name, compressed, bitmask, rowOffsets } = packed;
  const refusal = packedRefusal(packed);
  if (refusal !== null || compressed.type === null) throw new ReadError(`${name}: ${refusal ?? ''}`);
  const [rows, cols] = await readPackedShape(source, packed);
  const { type } = compressed;
  const losses = new ValueLosses();
  const mask = await readWhole(source, bitmask, job);
  const offsets = rowOffsets ? await readWhole(source, rowOffsets, job) : null;
  const values = valuesOf(await readWhole(source, compressed, job), type, losses);
  const cells = makeCells(rows, cols, type);
  checkOffsets(name, offsets, rowOffsets, rows);
  unpack(packed, mask, offsets, values, cells, rows, cols);
  return { matrix: matrixOfCells(rows, cols, cells, type), notes: losses.notes() };
}

function unpack(
  { name, bitmask }: PackedTensor,
  mask: Uint8Array,
  offsets: Uint8Array | null,
  values: StoredCells | Float32Array,
  cells: StoredCells | Float32Array,
  rows: number,
  cols: number,
): void {
  const stride = bitmask.shape[1];
  const starts = offsets && new BigInt64Array(offsets.buffer, offsets.byteOffset, rows);
  let taken = 0;
  const wrongCount = (found: string): ReadError =>
    new ReadError(`${name}.bitmask: found ${found} bits, expected ${values.length}, one for each compressed value`);
  for (let r = 0; r < rows; r++) {
    if (starts && Number(starts[r]) !== taken) {
      throw new ReadError(`${name}.row_offsets: found ${starts[r]} for row ${r}, expected ${taken} by the bitmask`);
    }
    for (let c = 0; c < 8 * stride; c++) {
      if (((mask[r * stride + (c >>> 3)] >>> (c & 7)) & 1) === 0) continue;
      if (c >= cols) throw new ReadError(`${name}.bitmask: found a bit for column ${c}, expected below ${cols}`);
      if (taken === values.length) throw wrongCount(`more than ${taken}`);
      cells[r * cols + c] = values[taken++];
    }
  }
  if (taken < values.length) throw wrongCount(String(taken));
}

function checkOffsets(name: string, offsets: Uint8Array | null, tensor: StoredTensor | null, rows: number): void {
  if (!offsets || !tensor || (tensor.type === 'i64' && offsets.length === 8 * rows)) return;
  throw new ReadError(
    `${name}.row_offsets: found ${tensor.dtype} of shape (${tensor.shape.join(', ')}), expected I64 of shape (${rows})`,
  );
}

function valuesOf(bytes: Uint8Array, type: ElementType, losses: ValueLosses): StoredCells | Float32Array {
  return elementTable(type)
    ? narrowBits(bytes, bytes.length, ELEMENT_BYTES[type])
    : elementConverter(type, false, losses)(bytes, bytes.length);
}

async function readWhole(source: RandomAccessSource, { name, from, to }: StoredTensor, job: Job): Promise<Uint8Array> {
  const bytes = allocate(name, to - from, () => new Uint8Array(to - from));
  const end = await readPieces(source.slice(from, to), 0, to - from, job, (piece, at) => bytes.set(piece, at));
  if (end < to - from) throw new ReadError(`${name}: found ${end} bytes, expected ${to - from}`);
  return bytes;
}
