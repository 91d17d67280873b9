/** Puts one number at a byte offset, little-endian or not. */
export type NpyWriter = (view: DataView, at: number, value: number, littleEndian: boolean) => void;

export interface NpyParts {
  readonly descr: string;
  readonly shape: readonly number[];
  readonly isFortranOrder?: boolean;
  readonly version?: number;
}

/** For tests: an .npy file of row-major cells, as NumPy writes it. */
export function npyFile(parts: NpyParts, cells: readonly number[], write: NpyWriter): Uint8Array<ArrayBuffer> {
  const { descr, shape, isFortranOrder = false, version = 1 } = parts;
  const tuple = shape.length === 1 ? `${shape[0]},` : shape.join(', ');
  const size = Number(descr.slice(2));
  const bytes = npyWithHeader(
    `{'descr': '${descr}', 'fortran_order': ${isFortranOrder ? 'True' : 'False'}, 'shape': (${tuple}), }`,
    cells.length * size,
    version,
  );
  const view = new DataView(bytes.buffer);
  const dataStart = bytes.length - cells.length * size;
  const [rows, cols] = shape.length === 2 ? shape : [1, cells.length];
  cells.forEach((value, i) => {
    const k = isFortranOrder ? (i % cols) * rows + Math.floor(i / cols) : i;
    write(view, dataStart + k * size, value, !descr.startsWith('>'));
  });
  return bytes;
}

/** For tests: an .npy file with any text for its header, and space for data. */
export function npyWithHeader(dictionary: string, dataBytes: number, version = 1): Uint8Array<ArrayBuffer> {
  const start = version === 1 ? 10 : 12;
  const padded = `${dictionary}${' '.repeat(63 - ((start + dictionary.length) % 64))}\n`;
  const bytes = new Uint8Array(start + padded.length + dataBytes);
  bytes.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, version, 0]);
  const view = new DataView(bytes.buffer);
  if (version === 1) view.setUint16(8, padded.length, true);
  else view.setUint32(8, padded.length, true);
  bytes.set(new TextEncoder().encode(padded), start);
  return bytes;
}
