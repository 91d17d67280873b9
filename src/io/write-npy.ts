import { f16Bits } from '../core/number/index.ts';

/** Where data begin: a multiple of 64, as NumPy writes it. */
const DATA_OFFSET = 128;

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
    throw new RangeError(`cells: found ${cells.length}, expected ${rows} x ${cols} = ${rows * cols}`);
  }
  const size = type === 'f16' ? 2 : 4;
  const bytes = new Uint8Array(DATA_OFFSET + cells.length * size);
  const dictionary = `{'descr': '<f${size}', 'fortran_order': False, 'shape': (${rows}, ${cols}), }`;
  bytes.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, DATA_OFFSET - 10, 0]);
  bytes.set(new TextEncoder().encode(`${dictionary.padEnd(DATA_OFFSET - 11)}\n`), 10);
  const view = new DataView(bytes.buffer, DATA_OFFSET);
  for (let i = 0; i < cells.length; i++) {
    if (type === 'f16') view.setUint16(2 * i, f16Bits(cells[i]), true);
    else view.setFloat32(4 * i, cells[i], true);
  }
  return bytes;
}
