/** For tests: a tensor in the terms of a safetensors file. */
export interface TestTensor {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
}

/** For tests: a safetensors file of these tensors. */
export function safetensorsFile(tensors: Readonly<Record<string, TestTensor>>): Uint8Array<ArrayBuffer> {
  let end = 0;
  const header: Record<string, unknown> = { __metadata__: { format: 'pt' } };
  for (const [name, { dtype, shape, bytes }] of Object.entries(tensors)) {
    header[name] = { dtype, shape, data_offsets: [end, end + bytes.length] };
    end += bytes.length;
  }
  return safetensorsWith(JSON.stringify(header), ...Object.values(tensors).map((t) => t.bytes));
}

/** For tests: a safetensors file with any text for its header. */
export function safetensorsWith(header: string, ...data: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(header);
  const out = new Uint8Array(8 + text.length + data.reduce((sum, part) => sum + part.length, 0));
  new DataView(out.buffer).setBigUint64(0, BigInt(text.length), true);
  out.set(text, 8);
  let offset = 8 + text.length;
  for (const part of data) {
    out.set(part, offset);
    offset += part.length;
  }
  return out;
}

/** For tests: whole numbers as I64. */
export function int64(...values: readonly number[]): TestTensor {
  return { dtype: 'I64', shape: [values.length], bytes: bytesOf(BigInt64Array.from(values, BigInt)) };
}

/** For tests: the bytes of a typed array. */
export function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buffer, byteOffset, byteLength).slice();
}
