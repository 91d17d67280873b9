/** For tests: a tensor of a GGUF file; `shape` has the rows first. */
export interface TestGgufTensor {
  readonly name: string;
  readonly kind: number;
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
}

/** For tests: a GGUF file with some metadata of each kind; `alignmentType`: 4 for u32, 10 for u64. */
export function ggufFile(
  tensors: readonly TestGgufTensor[],
  version = 3,
  alignmentType: 4 | 10 = 4,
): Uint8Array<ArrayBuffer> {
  const out: number[] = [];
  const u32 = (value: number): void => void out.push(...new Uint8Array(Uint32Array.of(value).buffer));
  const u64 = (value: number): void => void out.push(...new Uint8Array(BigUint64Array.of(BigInt(value)).buffer));
  const text = (value: string): void => {
    u64(value.length);
    out.push(...new TextEncoder().encode(value));
  };
  out.push(...new TextEncoder().encode('GGUF'));
  u32(version);
  u64(tensors.length);
  u64(3);
  text('general.architecture');
  u32(8);
  text('llama');
  text('general.alignment');
  u32(alignmentType);
  if (alignmentType === 4) u32(64);
  else u64(64);
  text('tokenizer.ggml.tokens');
  u32(9);
  u32(8);
  u64(2);
  text('a');
  text('bc');
  let offset = 0;
  for (const { name, kind, shape, bytes } of tensors) {
    text(name);
    u32(shape.length);
    for (const n of shape.toReversed()) u64(n);
    u32(kind);
    u64(offset);
    offset += Math.ceil(bytes.length / 64) * 64;
  }
  const align = (): void => {
    while (out.length % 64 !== 0) out.push(0);
  };
  align();
  for (const { bytes } of tensors) {
    out.push(...bytes);
    align();
  }
  return Uint8Array.from(out);
}
