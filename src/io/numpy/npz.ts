import { latin1Text } from '../latin1.ts';
import { ReadError } from '../../core/errors.ts';
import { openArchive } from '../archives/archive.ts';
import {
  type Container,
  type ContainerContext,
  type ContainerFormat,
  partsOf,
  shapeRefusal,
  type TensorInfo,
} from '../archives/container.ts';
import { npy, numberType, readNpyHeader } from './npy.ts';
import { readSparse, readSparseHead, SPARSE_MARKS } from './scipy-sparse.ts';
import { Pacer, throwIfCancelled } from '../../core/pace.ts';
import type { FileSource } from '../source.ts';
import { isZip, readZipDirectory, type ZipMember, zipMember } from '../archives/zip.ts';

/** Most arrays that are listed; the header of each is read. */
const MAX_ARRAYS = 10_000;

/** NumPy's archive of arrays, and the sparse matrices that scipy.sparse.save_npz keeps in one. */
export const npz: ContainerFormat = {
  id: 'npz',
  title: 'NumPy archive',
  extensions: ['.npz'],
  reads: 'parts',
  sniff: (head) => isZip(head) && latin1Text(head).includes('.npy'),
  open,
};

async function open(source: FileSource, context: ContainerContext): Promise<Container> {
  const { job, maxDecompressedBytes } = context;
  const file = partsOf(source, 'a NumPy archive');
  const members = await readZipDirectory(file, maxDecompressedBytes);
  const byName = new Map(members.map((member) => [member.name, member]));
  const member = (name: string): FileSource | null => {
    const found = byName.get(name);
    return found ? zipMember(file, found) : null;
  };
  if (SPARSE_MARKS.every((name) => byName.has(name))) {
    const { format, rows, cols } = await readSparseHead(member, job);
    const bytes = members.reduce((sum, m) => sum + m.compressedSize, 0);
    const only: TensorInfo = { name: 'matrix', shape: [rows, cols], dtype: format, bytes, refused: null };
    return { tensors: [only], preferred: null, read: (_name, reading) => readSparse(member, reading) };
  }
  // An archive packed by somebody else, with arrays among other files.
  if (members.some(({ name }) => /\.(mtx|smtx|csv|tsv)$/i.test(name))) {
    const files = members.map((m) => ({ name: m.name, size: m.size, open: () => zipMember(file, m) }));
    return openArchive('zip', files, context);
  }
  const arrays = members.filter((m) => m.name.endsWith('.npy'));
  if (arrays.length > MAX_ARRAYS) {
    throw new ReadError(`zip: found ${arrays.length} arrays, expected at most ${MAX_ARRAYS}`);
  }
  const tensors: TensorInfo[] = [];
  const pacer = new Pacer();
  for (const m of arrays) {
    throwIfCancelled(job);
    tensors.push(await arrayInfo(zipMember(file, m), m));
    await pacer.breathe();
  }
  return {
    tensors,
    preferred: null,
    async read(name, reading) {
      const found = member(`${name}.npy`);
      if (!found) throw new ReadError(`found no ${name}.npy in the archive, expected it`);
      return npy.read(found, reading);
    },
  };
}

async function arrayInfo(source: FileSource, { name, compressedSize }: ZipMember): Promise<TensorInfo> {
  const known = { name: name.replace(/\.npy$/, ''), bytes: compressedSize };
  try {
    const header = await readNpyHeader(source);
    const dtype = header.type.kind === 'S' || header.type.kind === 'U' ? 'text' : numberType(header);
    const refused = dtype === 'text' ? 'found text, expected numbers' : shapeRefusal(header.shape);
    return { ...known, shape: header.shape, dtype, refused };
  } catch (error) {
    if (!(error instanceof ReadError)) throw error;
    return { ...known, shape: [], dtype: 'unknown', refused: error.message };
  }
}
