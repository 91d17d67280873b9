/** A file whose bytes are generated when they are read: arbitrarily large, without allocating anything. */
export interface VirtualFile {
  readonly size: number;
  /** the bytes [from, to) */
  bytes(from: number, to: number): Uint8Array<ArrayBuffer>;
}

/**
 * Returns the bits of the f16 number at an even offset of a file of `virtualSafetensors`: a hash of the offset, as a number
 * from 1 to 2.
 */
export function virtualBits(offset: number): number {
  const index = offset / 2;
  // Both halves of the offset count, so that truncation to 32 bits is detected.
  const low = Math.imul(index % 2 ** 20, 0x9e3779b1);
  const high = Math.imul(Math.floor(index / 2 ** 20), 0x85ebca6b);
  return 0x3c00 | (((low ^ high) >>> 16) & 0x3ff);
}

/**
 * Returns a safetensors file of f16 tensors, one after the other. An element depends on its offset in the file, as
 * `virtualBits` computes it.
 */
export function virtualSafetensors(
  tensors: readonly (readonly [name: string, rows: number, cols: number])[],
): VirtualFile & { readonly headerBytes: number; offsetOf(name: string): number } {
  const header: Record<string, unknown> = {};
  const starts = new Map<string, number>();
  let end = 0;
  for (const [name, rows, cols] of tensors) {
    starts.set(name, end);
    header[name] = { dtype: 'F16', shape: [rows, cols], data_offsets: [end, end + 2 * rows * cols] };
    end += 2 * rows * cols;
  }
  const json = JSON.stringify(header);
  const text = new TextEncoder().encode(json.padEnd(Math.ceil(json.length / 8) * 8));
  const headerBytes = 8 + text.length;
  const head = new Uint8Array(headerBytes);
  new DataView(head.buffer).setBigUint64(0, BigInt(text.length), true);
  head.set(text, 8);
  return {
    size: headerBytes + end,
    headerBytes,
    offsetOf: (name) => headerBytes + (starts.get(name) ?? Number.NaN),
    bytes(from, to) {
      const out = new Uint8Array(to - from);
      for (let offset = from; offset < to; offset++) {
        if (offset < headerBytes) out[offset - from] = head[offset];
        else out[offset - from] = (virtualBits(offset - (offset % 2)) >>> (8 * (offset % 2))) & 0xff;
      }
      return out;
    },
  };
}
