import { ReadError } from '../../core/errors.ts';
import type { Job } from '../../core/job.ts';
import { counted } from '../../core/text/words.ts';
import {
  type Container,
  type ContainerFormat,
  randomAccess,
  rowsAndCols,
  shapeRejection,
  type TensorInfo,
  truncationOf,
  unknownTensor,
} from '../container.ts';
import { countDense, type DenseLayout, readDense } from '../dense-cells.ts';
import { checkDimensions } from '../read-checks.ts';
import { MAX_CONCURRENT, mapConcurrently } from '../map-concurrently.ts';
import { sortedInSlices } from '../sorted-in-slices.ts';
import type { RandomAccessSource } from '../source.ts';
import { findPacked, packedInfo, readPacked } from './compressed-tensors.ts';
import { isSafetensors, missingBytes, readSafetensorsHeader, type StoredTensor } from './safetensors-header.ts';

/** safetensors, by Hugging Face: a header, then tensors by name; also sparse weights packed by compressed-tensors. */
export const safetensors: ContainerFormat = {
  id: 'safetensors',
  title: 'safetensors',
  extensions: ['.safetensors'],
  reads: 'parts', // of the file, in any order
  sniff: isSafetensors,
  open: (source, { job }) => openSafetensors(randomAccess(source, 'a safetensors file'), job),
};

/** Reads the header of a file. Throws ReadError. */
export async function openSafetensors(source: RandomAccessSource, job: Job): Promise<Container> {
  const stored = await readSafetensorsHeader(source, job);
  const { packed, parts: partNames } = findPacked(stored);
  const plainByName = new Map(stored.filter((t) => !partNames.has(t.name)).map((t) => [t.name, t]));
  const packedByName = new Map(packed.map((p) => [p.name, p]));
  const tensors = [...plainByName.values()].map(tensorInfo);
  const truncatedCount = stored.filter((t) => t.truncation !== null).length;
  const truncationNotes =
    truncatedCount === 0
      ? []
      : [
          `The file ends ${counted(missingBytes(stored, source.size), 'byte')} early: ${truncatedCount} of ${stored.length} tensors cannot be read.`,
        ];
  // The shape of each packed tensor has to be read: a request each if the file is remote.
  for (const info of await mapConcurrently(packed, MAX_CONCURRENT, (p) => packedInfo(source, p))) tensors.push(info);
  return {
    tensors: await sortedByName(tensors, job),
    preferred: null,
    truncation: truncationOf(
      source.size,
      stored.map(({ to }) => to),
    ),
    async read(name, reading) {
      const packedTensor = packedByName.get(name);
      const tensor = plainByName.get(name);
      const reads = packedTensor
        ? readPacked(source, packedTensor, reading)
        : tensor && withTensorBytes(source, tensor, (part, layout) => readDense(part, layout, reading));
      if (!reads) throw unknownTensor(name, tensors.length);
      const { matrix, notes } = await reads;
      return { matrix, notes: [...notes, ...truncationNotes] };
    },
    count(name, counting) {
      const tensor = plainByName.get(name);
      if (!tensor) return null;
      return withTensorBytes(source, tensor, async (part, layout) => {
        const found = await countDense(part, layout, counting);
        return { ...found, notes: [...found.notes, ...truncationNotes] };
      });
    },
  };
}

function tensorInfo({ name, dtype, type, shape, from, to, truncation }: StoredTensor): TensorInfo {
  const rejection = type === null ? unknownType(dtype) : (shapeRejection(shape) ?? truncation);
  return { name, shape, dtype: dtype.toLowerCase(), bytes: to - from, refused: rejection };
}

function unknownType(dtype: string): string {
  return `found elements of ${dtype}, expected F64 to F8, I, U or BOOL`;
}

/** Passes the bytes of a tensor to `read` and returns its result. Throws ReadError for a type that is not supported. */
async function withTensorBytes<T>(
  source: RandomAccessSource,
  { name, dtype, type, shape, from, to }: StoredTensor,
  read: (part: RandomAccessSource, layout: DenseLayout) => Promise<T>,
): Promise<T> {
  if (type === null) throw new ReadError(`${name}: ${unknownType(dtype)}`);
  const { rows, cols, notes } = rowsAndCols(shape);
  checkDimensions(name, rows, cols, to - from);
  return read(source.slice(from, to), { rows, cols, type, typeName: dtype, notes });
}

const collator = new Intl.Collator('en', { numeric: true });

/** The tensors sorted by name, with numbers by value: layers.2 before layers.10. */
export function sortedByName(tensors: readonly TensorInfo[], job: Job): Promise<readonly TensorInfo[]> {
  return sortedInSlices(tensors, (a, b) => collator.compare(a.name, b.name), job);
}
