import { Zip, ZipPassThrough } from 'fflate';
import { SparseScopeError } from '../../core/errors.ts';
import type { Steps } from '../../core/job.ts';
import type { CsrArrays } from '../../core/matrix/index.ts';
import { type NamedTensor, tensorBytes, tensorLength } from '../tensors/named-tensors.ts';
import { f16Bits } from '../../core/number/index.ts';

// Writes NumPy's files, .npy and .npz.

const textBytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

/** Data begin at a multiple of this, as in NumPy. */
const ALIGNMENT = 64;
/** Bytes of an .npy before its dictionary: mark, version, and the length of the rest of the header. */
const PREFIX_BYTES = 10;

/** The header of an .npy file, version 1, for C order. `descr` is NumPy's name of the type, such as '<f4'. */
export function npyHeader(descr: string, shape: readonly number[]): Uint8Array<ArrayBuffer> {
  const tuple = shape.length === 1 ? `${shape[0]},` : shape.join(', ');
  const dictionary = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${tuple}), }`;
  const length = Math.ceil((PREFIX_BYTES + dictionary.length + 1) / ALIGNMENT) * ALIGNMENT;
  const restLength = length - PREFIX_BYTES;
  const bytes = new Uint8Array(length);
  bytes.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, restLength & 0xff, restLength >>> 8]);
  bytes.set(textBytes(`${dictionary.padEnd(restLength - 1)}\n`), PREFIX_BYTES);
  return bytes;
}

/**
 * Row-major cells as an .npy file, version 1; f16 rounds to nearest. Throws RangeError if the number of cells is wrong,
 * or for a finite cell that f16 would make infinite.
 */
export function writeNpy(
  rows: number,
  cols: number,
  cells: Float32Array,
  type: 'f16' | 'f32',
): Uint8Array<ArrayBuffer> {
  if (cells.length !== rows * cols) {
    throw new RangeError(`cells: found ${cells.length}, expected ${rows} × ${cols} = ${rows * cols}`);
  }
  const size = type === 'f16' ? 2 : 4;
  const header = npyHeader(`<f${size}`, [rows, cols]);
  const bytes = new Uint8Array(header.length + cells.length * size);
  bytes.set(header);
  const view = new DataView(bytes.buffer, header.length);
  for (let i = 0; i < cells.length; i++) {
    if (type === 'f16') {
      const bits = f16Bits(cells[i]);
      if ((bits & 0x7fff) === F16_INFINITY && Number.isFinite(cells[i])) {
        const position = `row ${Math.floor(i / cols)}, column ${i % cols}`;
        throw new RangeError(`cells: found ${cells[i]} at ${position}, expected magnitudes below 65520 for f16`);
      }
      view.setUint16(2 * i, bits, true);
    } else view.setFloat32(4 * i, cells[i], true);
  }
  return bytes;
}

/** Bits of an infinity, without its sign. */
const F16_INFINITY = 0x7c00;

/** The maximum size of the archive: its fields have 32 bits. */
const MAX_ARCHIVE_BYTES = 2 ** 32 - 2 ** 20;

/** Bytes whose checksum is computed between two yields: about 10 ms. */
const SLICE_BYTES = 2 ** 22;

/** Fixed, so that the same arrays give the same bytes. */
const MODIFIED = new Date(2020, 0, 1);

const NUMPY_TYPES: Readonly<Record<string, string>> = {
  f32: '<f4',
  f16: '<f2',
  // NumPy has no bf16, so its bits are written.
  bf16: '<u2',
  i32: '<i4',
  u32: '<u4',
  u16: '<u2',
  i8: '|i1',
  u8: '|u1',
};

/** Arrays as an uncompressed .npz, with the metadata `facts` in meta.json. Throws SparseScopeError above 4 GiB. */
export function writeNpzSteps(
  tensors: readonly NamedTensor[],
  facts: Readonly<Record<string, string>>,
): Steps<readonly Uint8Array<ArrayBuffer>[]> {
  const files = tensors.map((tensor): ArchiveFile => {
    const header = npyHeader(NUMPY_TYPES[tensor.type], [tensorLength(tensor)]);
    return [`${tensor.name}.npy`, [header, tensorBytes(tensor)]];
  });
  return archiveOf([...files, ['meta.json', [textBytes(`${JSON.stringify(facts, null, 2)}\n`)]]]);
}

/** A matrix in CSR in the layout of scipy.sparse.save_npz (f4 values, i4 indices). Throws SparseScopeError above 4 GiB. */
export function writeSparseNpzSteps(csr: CsrArrays): Steps<readonly Uint8Array<ArrayBuffer>[]> {
  const { rows, cols, indptr, indices, data } = csr;
  if (data.length >= 2 ** 31) {
    throw new SparseScopeError(`npz: found ${data.length} entries, expected fewer than 2147483648 for i4 offsets`);
  }
  const array = (descr: string, content: ArrayBufferView & { readonly length: number }): Uint8Array<ArrayBuffer>[] => [
    npyHeader(descr, [content.length]),
    new Uint8Array(content.buffer as ArrayBuffer, content.byteOffset, content.byteLength),
  ];
  return archiveOf([
    ['indices.npy', array('<i4', indices)],
    ['indptr.npy', array('<i4', indptr)],
    ['format.npy', [npyHeader('|S3', []), textBytes('csr')]],
    ['shape.npy', array('<i8', BigInt64Array.of(BigInt(rows), BigInt(cols)))],
    ['data.npy', array('<f4', data)],
  ]);
}

type ArchiveFile = readonly [name: string, parts: readonly Uint8Array<ArrayBuffer>[]];

function* archiveOf(files: readonly ArchiveFile[]): Steps<readonly Uint8Array<ArrayBuffer>[]> {
  let total = 0;
  for (const [, parts] of files) for (const part of parts) total += part.length;
  if (total > MAX_ARCHIVE_BYTES) {
    throw new SparseScopeError(
      `npz: found ${total} bytes to write, expected at most ${MAX_ARCHIVE_BYTES}; choose safetensors`,
    );
  }
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  const zip = new Zip((error, piece) => {
    if (error) throw error;
    pieces.push(piece);
  });
  let done = 0;
  for (const [name, parts] of files) {
    const entry = new ZipPassThrough(name);
    entry.mtime = MODIFIED;
    zip.add(entry);
    for (const part of parts) {
      for (let at = 0; at < part.length; at += SLICE_BYTES) {
        const slice = part.subarray(at, at + SLICE_BYTES);
        entry.push(slice, false);
        done += slice.length;
        yield { what: 'Writing', done, total };
      }
    }
    entry.push(new Uint8Array(0), true);
  }
  zip.end();
  return pieces;
}
