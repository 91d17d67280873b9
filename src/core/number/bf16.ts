/** bfloat16: the upper half of an f32 (8 exponent bits, 7 fraction bits), as bits in a u16. */

let table: Float32Array | null = null;

/** The value of every bf16 by its bits, built once: for loops over millions of values. */
export function bf16Table(): Float32Array {
  table ??= new Float32Array(Uint32Array.from({ length: 65536 }, (_, bits) => bits << 16).buffer);
  return table;
}

/** The value of a bf16, exact. */
export function bf16Value(bits: number): number {
  return bf16Table()[bits & 0xffff];
}
