// For tests: .npy files, and zip archives of them as SciPy writes sparse matrices (.npz).

import { zipSync } from 'fflate';
import { npyFile, type NpyWriter } from './npy.ts';

const F4: NpyWriter = (view, at, value, le) => view.setFloat32(at, value, le);
const I4: NpyWriter = (view, at, value, le) => view.setInt32(at, value, le);

/** For tests: an .npy file of f4 cells. */
export function floats(shape: readonly number[], cells: readonly number[]): Uint8Array<ArrayBuffer> {
  return npyFile({ descr: '<f4', shape }, cells, F4);
}

/** For tests: an .npy file of i4 numbers in one dimension. */
export function integers(cells: readonly number[]): Uint8Array<ArrayBuffer> {
  return npyFile({ descr: '<i4', shape: [cells.length] }, cells, I4);
}

/** For tests: an .npy file of one text. */
export function textArray(text: string): Uint8Array<ArrayBuffer> {
  return npyFile({ descr: `|S${text.length}`, shape: [] }, [0], (view, at) => {
    for (let i = 0; i < text.length; i++) view.setUint8(at + i, text.charCodeAt(i));
  });
}

/** For tests: a zip archive. */
export function archive(
  files: Readonly<Record<string, Uint8Array>>,
  method: 'stored' | 'deflated' = 'deflated',
): Uint8Array<ArrayBuffer> {
  return new Uint8Array(zipSync({ ...files }, { level: method === 'stored' ? 0 : 6, mtime: '2020-01-01' }));
}

/** For tests: the files of a sparse matrix as scipy.sparse.save_npz writes it. */
export function sparseFiles(
  format: string,
  shape: readonly number[],
  data: Uint8Array,
  others: Readonly<Record<string, Uint8Array>>,
): Readonly<Record<string, Uint8Array>> {
  return { 'format.npy': textArray(format), 'shape.npy': integers(shape), 'data.npy': data, ...others };
}
