import { bf16Table, f16Table, f8E4m3Value, f8E5m2Value } from '../core/number/index.ts';
import type { ValueLosses } from './value-losses.ts';

/** The types in which files store a number, and their bytes. `bool` is a byte of 0 or 1. */
export const ELEMENT_BYTES = {
  f64: 8,
  f32: 4,
  f16: 2,
  bf16: 2,
  f8_e4m3: 1,
  f8_e5m2: 1,
  i64: 8,
  i32: 4,
  i16: 2,
  i8: 1,
  u64: 8,
  u32: 4,
  u16: 2,
  u8: 1,
  bool: 1,
} as const;

export type ElementType = keyof typeof ELEMENT_BYTES;

const tables = new Map<ElementType, Float32Array>();

/** The f32 of every bit pattern of a type of 8 or 16 bits, all exact; null for wider types. */
export function elementTable(type: ElementType): Float32Array | null {
  if (ELEMENT_BYTES[type] > 2) return null;
  if (type === 'f16') return f16Table();
  if (type === 'bf16') return bf16Table();
  const cached = tables.get(type);
  if (cached) return cached;
  const table = Float32Array.from({ length: 2 ** (8 * ELEMENT_BYTES[type]) }, (_, bits) => narrowValue(type, bits));
  tables.set(type, table);
  return table;
}

function narrowValue(type: ElementType, bits: number): number {
  switch (type) {
    case 'f8_e4m3':
      return f8E4m3Value(bits);
    case 'f8_e5m2':
      return f8E5m2Value(bits);
    case 'i8':
      return (bits << 24) >> 24;
    case 'i16':
      return (bits << 16) >> 16;
    case 'bool':
      return bits === 0 ? 0 : 1;
    default:
      return bits;
  }
}

type TypedArray = ArrayLike<number> | ArrayLike<bigint>;

/** The typed array of each type that has one. */
const ARRAYS: Readonly<Record<string, new (buffer: ArrayBufferLike, offset: number, length: number) => TypedArray>> = {
  f64: Float64Array,
  f32: Float32Array,
  i64: BigInt64Array,
  i32: Int32Array,
  i16: Int16Array,
  i8: Int8Array,
  u64: BigUint64Array,
  u32: Uint32Array,
  u16: Uint16Array,
  u8: Uint8Array,
};

const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** Whether elements have to be byte-swapped before a typed array reads them. */
export function swapsBytes(type: ElementType, isBigEndian: boolean): boolean {
  return ELEMENT_BYTES[type] > 1 && isBigEndian === IS_LITTLE_ENDIAN;
}

/** Returns a function that converts bytes to f32, valid until its next call. It may swap the input's bytes. */
export function elementConverter(type: ElementType, isBigEndian: boolean, losses: ValueLosses) {
  const size = ELEMENT_BYTES[type];
  const swaps = swapsBytes(type, isBigEndian);
  const table = elementTable(type);
  let out = new Float32Array(0);
  return (batch: Uint8Array, length: number): Float32Array => {
    if (swaps) swapBytes(batch, length, size);
    const n = length / size;
    if (out.length < n) out = new Float32Array(n);
    if (table) {
      const bits = narrowBits(batch, length, size);
      for (let i = 0; i < n; i++) out[i] = table[bits[i]];
    } else {
      const elements = typedElements(type, batch, n);
      for (let i = 0; i < n; i++) {
        const element = elements[i];
        const value = typeof element === 'bigint' ? wholeValue(element) : element;
        out[i] = value;
        if (out[i] !== value) losses.count(value);
      }
    }
    return out.subarray(0, n);
  };
}

/**
 * A whole number of 64 bits as a double that rounds to the same f32 as the number itself. Above 2^53 a double cannot
 * represent every whole number: there the truncated bits set the last remaining bit (rounding to odd), since rounding
 * twice to nearest would move some ties.
 */
function wholeValue(whole: bigint): number {
  const nearest = Number(whole);
  if (Number.isSafeInteger(nearest)) return nearest;
  return Number((whole >> 11n) | ((whole & 0x7ffn) === 0n ? 0n : 1n)) * 2 ** 11;
}

/** Bytes as the bit patterns of a type of 8 or 16 bits. */
export function narrowBits(bytes: Uint8Array, length: number, size: number): Uint8Array | Uint16Array {
  return size === 1 ? bytes.subarray(0, length) : new Uint16Array(bytes.buffer, bytes.byteOffset, length / 2);
}

/** Bytes in this machine's order as elements of a type that has a typed array: whole numbers, f32 and f64. */
export function typedElements(type: ElementType, { buffer, byteOffset }: Uint8Array, length: number): TypedArray {
  return new ARRAYS[type](buffer, byteOffset, length);
}

/** Byte-swaps every element of `size` bytes, overwriting it. */
export function swapBytes(bytes: Uint8Array, length: number, size: number): void {
  for (let start = 0; start < length; start += size) {
    for (let i = start, j = start + size - 1; i < j; i++, j--) {
      [bytes[i], bytes[j]] = [bytes[j], bytes[i]];
    }
  }
}
