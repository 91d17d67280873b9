import { ReadError } from '../../core/errors.ts';
import type { Job } from '../../core/job.ts';
import { findPacked, type PackedTensor, packedRefusal, readPacked, readPackedShape } from './compressed-tensors.ts';
import {
  type Container,
  type ContainerFormat,
  partsOf,
  rowsAndCols,
  shapeRefusal,
  type TensorInfo,
} from '../archives/container.ts';
import { readDense } from '../dense-cells.ts';
import { checkDimensions, type ReadResult } from '../file-format.ts';
import { AT_ONCE, mapAtOnce } from '../map-at-once.ts';
import { sortedInSlices } from '../sorted-in-slices.ts';
import { isSafetensors, readSafetensorsHeader, type StoredTensor } from './safetensors-header.ts';
import type { RandomAccessSource } from '../source.ts';

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
  // Each asks for a shape: for a remote file that is a request.
  for (const info of await mapAtOnce(packed, AT_ONCE, (p) => packedInfo(source, p))) tensors.push(info);
  return {
    tensors: await sortedByName(tensors, job),
    preferred: null,
    read(name, reading) {
      const weights = sparse.get(name);
      if (weights) return readPacked(source, weights, reading);
      const tensor = plain.get(name);
      if (!tensor) throw new ReadError(`found no tensor '${name}', expected one of ${tensors.length}`);
      return readStored(source, tensor, reading);
    },
  };
}

function tensorInfo({ name, dtype, type, shape, from, to }: StoredTensor): TensorInfo {
  const refused = type === null ? `found elements of ${dtype}, expected F64 to F8, I, U or BOOL` : shapeRefusal(shape);
  return { name, shape, dtype: dtype.toLowerCase(), bytes: to - from, refused };
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
  if (type === null) throw new ReadError(`${name}: found elements of ${dtype}, expected F64 to F8, I, U or BOOL`);
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
