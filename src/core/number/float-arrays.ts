import { allocate } from '../allocate.ts';
import { f16FromF32Bits, f16Table } from './f16.ts';

/** Value types that store each number separately, without a scale. */
export type FloatType = 'f16' | 'f32';

/** Stored values: f16 as its bits, or f32. */
export type FloatArray = Uint16Array | Float32Array;

/** An array of zeros of a value type. Throws FormatError with limit and need if it is too long. */
export function allocateFloats(name: string, valueType: FloatType, length: number): FloatArray {
  return valueType === 'f16' ? allocate(name, Uint16Array, length) : allocate(name, Float32Array, length);
}

/** Rounds the first `n` values to the type of `into` and stores them in its elements at, at + step, at + 2 step ... */
export function storeFloats(values: Float32Array, n: number, into: FloatArray, at: number, step = 1): void {
  if (into instanceof Float32Array) {
    for (let i = 0; i < n; i++) into[at + i * step] = values[i];
    return;
  }
  const bits = new Uint32Array(values.buffer, values.byteOffset, n);
  for (let i = 0; i < n; i++) into[at + i * step] = f16FromF32Bits(bits[i]);
}

/** The number that element `index` stores. */
export function floatAt(array: FloatArray, index: number): number {
  return array instanceof Uint16Array ? f16Table()[array[index]] : array[index];
}

/** All stored numbers as f32; an f32 array is returned, not copied. */
export function floatsOf(array: FloatArray): Float32Array {
  if (array instanceof Float32Array) return array;
  const table = f16Table();
  const numbers = new Float32Array(array.length);
  for (let i = 0; i < array.length; i++) numbers[i] = table[array[i]];
  return numbers;
}
