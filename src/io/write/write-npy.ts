import { f16Bits } from '../../core/number/index.ts';

/** Data begin at a multiple of this, as in NumPy. */
const ALIGNMENT = 64;

/** The header of an .npy file, version 1, for C order. `descr` is NumPy's name of the type, such as '<f4'. */
export function npyHeader(descr: string, shape: readonly number[]): Uint8Array<ArrayBuffer> {
  const tuple = shape.length === 1 ? `${shape[0]},` : shape.join(', ');
  const dictionary = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${tuple}), }`;
  const length = Math.ceil((10 + dictionary.length + 1) / ALIGNMENT) * ALIGNMENT;
  const bytes = new Uint8Array(length);
  bytes.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, (length - 10) & 0xff, (length - 10) >>> 8]);
  bytes.set(new TextEncoder().encode(`${dictionary.padEnd(length - 11)}\n`), 10);
  return bytes;
}

/**
 * Row-major cells as an .npy file, version 1, little-endian. f16 rounds to nearest, ties to even.
 * Throws RangeError when `cells` does not have rows * cols values.
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
    if (type === 'f16') view.setUint16(2 * i, f16Bits(cells[i]), true);
    else view.setFloat32(4 * i, cells[i], true);
  }
  return bytes;
}
