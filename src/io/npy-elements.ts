import { f16Value } from '../core/number/index.ts';
import type { NpyType } from './npy-header.ts';
import type { ValueLosses } from './value-losses.ts';

/** Turns the first `length` bytes of `batch` into f32; the result is valid until the next call. May change the batch. */
export type ElementConverter = (batch: Uint8Array, length: number) => Float32Array;

type Elements =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | BigUint64Array
  | BigInt64Array
  | Float32Array
  | Float64Array;

const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** The converter of an element type of numbers. Losses of f32 are counted. */
export function elementConverter(type: NpyType, losses: ValueLosses): ElementConverter {
  const swaps = type.bytes > 1 && type.isBigEndian === IS_LITTLE_ENDIAN;
  const view = elementsOf(type);
  const isExact = type.kind === 'b' || type.bytes < 4 || type.descr.endsWith('f4');
  const f16Table = type.kind === 'f' && type.bytes === 2 ? allF16() : null;
  let out = new Float32Array(0);
  return (batch, length) => {
    if (swaps) swapBytes(batch, length, type.bytes);
    const elements = view(batch.buffer, batch.byteOffset, length / type.bytes);
    if (out.length < elements.length) out = new Float32Array(elements.length);
    for (let i = 0; i < elements.length; i++) {
      const value = Number(elements[i]);
      if (f16Table) out[i] = f16Table[value];
      else if (type.kind === 'b') out[i] = value === 0 ? 0 : 1;
      else out[i] = value;
      if (!isExact && out[i] !== value) losses.count(value);
    }
    return out.subarray(0, elements.length);
  };
}

function elementsOf({ kind, bytes }: NpyType): (buffer: ArrayBufferLike, offset: number, length: number) => Elements {
  if (kind === 'f') {
    if (bytes === 8) return (b, o, n) => new Float64Array(b, o, n);
    return bytes === 4 ? (b, o, n) => new Float32Array(b, o, n) : (b, o, n) => new Uint16Array(b, o, n);
  }
  if (kind === 'i') {
    if (bytes === 8) return (b, o, n) => new BigInt64Array(b, o, n);
    if (bytes === 4) return (b, o, n) => new Int32Array(b, o, n);
    return bytes === 2 ? (b, o, n) => new Int16Array(b, o, n) : (b, o, n) => new Int8Array(b, o, n);
  }
  if (bytes === 8) return (b, o, n) => new BigUint64Array(b, o, n);
  if (bytes === 4) return (b, o, n) => new Uint32Array(b, o, n);
  return bytes === 2 ? (b, o, n) => new Uint16Array(b, o, n) : (b, o, n) => new Uint8Array(b, o, n);
}

/** The value of every f16 by its bits. */
function allF16(): Float32Array {
  return Float32Array.from({ length: 2 ** 16 }, (_, bits) => f16Value(bits));
}

function swapBytes(bytes: Uint8Array, length: number, size: number): void {
  for (let start = 0; start < length; start += size) {
    for (let i = start, j = start + size - 1; i < j; i++, j--) {
      const kept = bytes[i];
      bytes[i] = bytes[j];
      bytes[j] = kept;
    }
  }
}
