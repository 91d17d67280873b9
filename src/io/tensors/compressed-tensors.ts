import { ReadError } from '../../core/errors.ts';
import type { Job } from '../../core/job.ts';
import type { StoredCells } from '../../core/matrix/index.ts';
import type { TensorInfo } from '../container.ts';
import { makeCells, matrixOfCells } from '../dense-cells.ts';
import { ELEMENT_BYTES, elementConverter, elementTable, type ElementType, narrowBits } from '../elements.ts';
import { type ReadResult } from '../file-format.ts';
import { amount, allocate, checkDimensions } from '../read-checks.ts';
import { readPieces } from '../pieces.ts';
import { type RandomAccessSource, readBytes } from '../source.ts';
import { ValueLosses } from '../value-losses.ts';
import type { StoredTensor } from './safetensors-header.ts';

/**
 * A weight W that the library compressed-tensors packed: `W.compressed` has the values whose bits are set, row by row,
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
export function findPacked(tensors: readonly StoredTensor[]): {
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

/** Why a packed weight cannot be opened, as far as the header of the file shows; null if it can. */
function packedRejection({ compressed, bitmask, shape, rowOffsets }: PackedTensor): string | null {
  if (compressed.type === null) return `found ${compressed.dtype}, expected a type of numbers`;
  if (bitmask.type !== 'u8' || bitmask.shape.length !== 2) {
    return `found a bitmask of ${bitmask.dtype} and ${amount(bitmask.shape.length, 'dimension')}, expected U8 and two`;
  }
  if (shape.type !== 'i64' || shape.shape.length !== 1 || shape.shape[0] !== 2) {
    return `found a shape of ${shape.dtype} (${shape.shape.join(', ')}), expected two numbers of I64`;
  }
  return compressed.truncation ?? bitmask.truncation ?? shape.truncation ?? rowOffsets?.truncation ?? null;
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

/** A packed weight in a list of tensors: its shape, or why it cannot be opened. */
export async function packedInfo(source: RandomAccessSource, packed: PackedTensor): Promise<TensorInfo> {
  const { name, compressed, bitmask, shape, rowOffsets } = packed;
  const bytes = [compressed, bitmask, shape, rowOffsets].reduce((sum, t) => sum + (t ? t.to - t.from : 0), 0);
  const common = { name, dtype: `${compressed.dtype.toLowerCase()}, bitmask`, bytes };
  const rejected = packedRejection(packed);
  if (rejected !== null) return { ...common, shape: [], refused: rejected };
  try {
    return { ...common, shape: await readPackedShape(source, packed), refused: null };
  } catch (error) {
    if (!(error instanceof ReadError)) throw error;
    return { ...common, shape: [], refused: error.message };
  }
}

/** Reads a packed weight. Memory: the cells, the packed values, the bitmask. Throws ReadError. */
export async function readPacked(source: RandomAccessSource, packed: PackedTensor, job: Job): Promise<ReadResult> {
  const { name, compressed, bitmask, rowOffsets } = packed;
  const rejection = packedRejection(packed);
  if (rejection !== null || compressed.type === null) throw new ReadError(`${name}: ${rejection ?? ''}`);
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

/** Writes the packed values into the cells whose bits are set. Throws ReadError if bits, offsets and values disagree. */
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
  let unpacked = 0;
  const wrongCount = (found: string): ReadError =>
    new ReadError(
      `${name}.bitmask: found ${amount(found, 'bit')}, expected ${values.length}, one for each compressed value`,
    );
  for (let r = 0; r < rows; r++) {
    if (starts && Number(starts[r]) !== unpacked) {
      throw new ReadError(`${name}.row_offsets: found ${starts[r]} for row ${r}, expected ${unpacked} by the bitmask`);
    }
    for (let c = 0; c < 8 * stride; c++) {
      if (((mask[r * stride + (c >>> 3)] >>> (c & 7)) & 1) === 0) continue;
      if (c >= cols) throw new ReadError(`${name}.bitmask: found a bit for column ${c}, expected below ${cols}`);
      if (unpacked === values.length) throw wrongCount(`more than ${unpacked}`);
      cells[r * cols + c] = values[unpacked++];
    }
  }
  if (unpacked < values.length) throw wrongCount(String(unpacked));
}

function checkOffsets(name: string, offsets: Uint8Array | null, tensor: StoredTensor | null, rows: number): void {
  if (!offsets || !tensor || (tensor.type === 'i64' && offsets.length === 8 * rows)) return;
  throw new ReadError(
    `${name}.row_offsets: found ${tensor.dtype} of shape (${tensor.shape.join(', ')}), expected I64 of shape (${rows})`,
  );
}

/** The packed values, in the same element type as the cells. */
function valuesOf(bytes: Uint8Array, type: ElementType, losses: ValueLosses): StoredCells | Float32Array {
  return elementTable(type)
    ? narrowBits(bytes, bytes.length, ELEMENT_BYTES[type])
    : elementConverter(type, false, losses)(bytes, bytes.length);
}

async function readWhole(source: RandomAccessSource, { name, from, to }: StoredTensor, job: Job): Promise<Uint8Array> {
  const bytes = allocate(name, to - from, () => new Uint8Array(to - from));
  const end = await readPieces(source.slice(from, to), 0, to - from, job, (piece, offset) => bytes.set(piece, offset));
  if (end < to - from) throw new ReadError(`${name}: found ${amount(end, 'byte')}, expected ${to - from}`);
  return bytes;
}
