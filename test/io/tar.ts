const text = new TextEncoder();

/** A tar archive of files in the POSIX format (ustar). A `type` other than '0' writes an extension header. Names are UTF-8 text, or bytes. */
export function tarFile(
  files: readonly { readonly name: string | Uint8Array; readonly bytes: Uint8Array; readonly type?: string }[],
): Uint8Array<ArrayBuffer> {
  const blocks: Uint8Array[] = [];
  for (const { name, bytes, type = '0' } of files) {
    const header = new Uint8Array(512);
    const put = (offset: number, field: string): void => header.set(text.encode(field), offset);
    header.set(typeof name === 'string' ? text.encode(name) : name);
    // Mode, size in octal, checksum (spaces while it is computed), type, magic number and version.
    put(100, '0000644\0');
    put(124, `${bytes.length.toString(8).padStart(11, '0')}\0`);
    put(148, ' '.repeat(8));
    put(156, type);
    put(257, 'ustar\0');
    put(263, '00');
    const sum = header.reduce((total, byte) => total + byte, 0);
    put(148, `${sum.toString(8).padStart(6, '0')}\0 `);
    const padded = new Uint8Array(Math.ceil(bytes.length / 512) * 512);
    padded.set(bytes);
    blocks.push(header, padded);
  }
  const out = new Uint8Array(blocks.reduce((sum, b) => sum + b.length, 1024));
  let offset = 0;
  for (const block of blocks) {
    out.set(block, offset);
    offset += block.length;
  }
  return out;
}
