import type { NamedArray } from '../encoded/encoded.ts';
import { bf16FromF32Bits, bf16Table, f16FromF32Bits, f16Table, f32Bits } from '../number/index.ts';

/** Purposes of an array. A storage ledger counts the bits of each purpose, and padding besides. */
export const ARRAY_CLASSES = ['values', 'indices', 'metadata'] as const;
export type ArrayClass = (typeof ARRAY_CLASSES)[number];

type Bits =
  | (1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16)
  | (17 | 18 | 19 | 20 | 21 | 22 | 23 | 24 | 25 | 26 | 27 | 28 | 29 | 30 | 31 | 32);

/** The name of an element type in the declaration of an array. */
export type TypeName = `u${Bits}` | `i${Exclude<Bits, 1>}` | 'f16' | 'bf16' | 'f32';

/** The type of an array's elements: u1 to u32, i2 to i32, f16, bf16 or f32. */
export interface ElementType {
  readonly kind: 'unsigned' | 'signed' | 'float';
  readonly bits: number;
  /** as its author wrote it: 'u4' */
  readonly name: string;
}

/** Unpacked elements: u1 to u8 take a byte each, f16 and bf16 an f32. */
export type Elements = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array;

/**
 * Conversions of the 16-bit floats. bitsOf: converts the bits of an f32 to 16 bits. table: the number for each of the 2^16
 * bit patterns.
 */
export const HALF_CONVERSIONS = {
  f16: { bitsOf: f16FromF32Bits, table: f16Table },
  bf16: { bitsOf: bf16FromF32Bits, table: bf16Table },
} as const;

/** The conversions of a 16-bit float type; null for all other types. */
export function halfConversionOf({
  name,
}: ElementType): (typeof HALF_CONVERSIONS)[keyof typeof HALF_CONVERSIONS] | null {
  return name === 'f16' || name === 'bf16' ? HALF_CONVERSIONS[name] : null;
}

/** The type with a name such as 'u4'; null for any other text. */
export function elementType(name: string): ElementType | null {
  if (name === 'f16' || name === 'bf16' || name === 'f32')
    return { kind: 'float', bits: name === 'f32' ? 32 : 16, name };
  const [, letter, digits] = /^([ui])([1-9]\d?)$/.exec(name) ?? [];
  if (letter === undefined) return null;
  const kind = letter === 'u' ? 'unsigned' : 'signed';
  const bits = Number(digits);
  return bits > 32 || (kind === 'signed' && bits < 2) ? null : { kind, bits, name };
}

/** The least and the largest whole number of a type. */
export function rangeOf({ kind, bits }: ElementType): { readonly min: number; readonly max: number } {
  if (kind === 'float') return { min: Number.NEGATIVE_INFINITY, max: Number.POSITIVE_INFINITY };
  return kind === 'unsigned' ? { min: 0, max: 2 ** bits - 1 } : { min: -(2 ** (bits - 1)), max: 2 ** (bits - 1) - 1 };
}

/** Unpacked elements, all 0. Throws RangeError where memory is short. */
export function zeroElements({ kind, bits }: ElementType, length: number): Elements {
  if (kind === 'float') return new Float32Array(length);
  if (kind === 'signed') return new Int32Array(length);
  if (bits <= 8) return new Uint8Array(length);
  return bits <= 16 ? new Uint16Array(length) : new Uint32Array(length);
}

/** Bytes of `length` packed elements, rounded up. */
export function bytesOf({ bits }: ElementType, length: number): number {
  return Math.ceil((length * bits) / 8);
}

/** Index of the first element outside the range of the type; -1 if there is none. O(length). */
export function firstOutside(elements: Elements, type: ElementType): number {
  const { min, max } = rangeOf(type);
  // A typed array of the same width can contain no other number.
  const isFull = elements.BYTES_PER_ELEMENT * 8 === type.bits;
  if (type.kind === 'float' || isFull) return -1;
  for (let i = 0; i < elements.length; i++) if (elements[i] < min || elements[i] > max) return i;
  return -1;
}

/** Rounds numbers in place to f16 or bf16 if `type` is one of the two. O(length). */
export function rounded(elements: Elements, type: ElementType): Elements {
  const conversion = halfConversionOf(type);
  if (!conversion) return elements;
  const table = conversion.table();
  const bits = new Uint32Array(elements.buffer, elements.byteOffset, elements.length);
  for (let i = 0; i < bits.length; i++) elements[i] = table[conversion.bitsOf(bits[i])];
  return elements;
}

/**
 * Packed elements, all 0: f16, bf16 and i16 as their bits, widths other than 8, 16 and 32 bits one after the other,
 * lowest bit first.
 */
export function zeroMemory(type: ElementType, length: number): NamedArray {
  const { kind, bits } = type;
  if (kind === 'float') return bits === 16 ? new Uint16Array(length) : new Float32Array(length);
  if (bits === 8) return kind === 'signed' ? new Int8Array(length) : new Uint8Array(length);
  if (bits === 16) return new Uint16Array(length);
  if (bits === 32) return kind === 'signed' ? new Int32Array(length) : new Uint32Array(length);
  return new Uint8Array(bytesOf(type, length));
}

/** Whether elements share bytes when packed: true for all types except those with 8, 16 or 32 bits. */
export function sharesBytes({ bits }: ElementType): boolean {
  return bits !== 8 && bits !== 16 && bits !== 32;
}

/** Writes element `index` into packed memory. Returns the first and the last index of `memory` that changed. O(bits). */
export function writeElement(
  memory: NamedArray,
  type: ElementType,
  index: number,
  value: number,
): { readonly first: number; readonly last: number } {
  /** bits of an element of the memory: a byte, a half word or a word */
  const unitBits = 8 * memory.BYTES_PER_ELEMENT;
  if (unitBits === type.bits) {
    const conversion = halfConversionOf(type);
    memory[index] = conversion ? conversion.bitsOf(f32Bits(value)) : value;
    return { first: index, last: index };
  }
  const perUnit = unitBits / type.bits;
  if (Number.isInteger(perUnit)) {
    const unit = Math.floor(index / perUnit);
    const shift = (index % perUnit) * type.bits;
    const mask = (2 ** type.bits - 1) << shift;
    memory[unit] = (memory[unit] & ~mask) | ((value << shift) & mask);
    return { first: unit, last: unit };
  }
  // Elements may lie across units: bit by bit.
  const firstBit = index * type.bits;
  const unitOf = (bit: number): number => Math.floor(bit / unitBits);
  for (let b = 0; b < type.bits; b++) {
    const mask = 1 << ((firstBit + b) % unitBits);
    if ((value >>> b) & 1) memory[unitOf(firstBit + b)] |= mask;
    else memory[unitOf(firstBit + b)] &= ~mask;
  }
  return { first: unitOf(firstBit), last: unitOf(firstBit + type.bits - 1) };
}

/** The first element with bits in `memory[index]`. */
export function elementAt(type: ElementType, memory: NamedArray, index: number): number {
  return Math.floor((8 * memory.BYTES_PER_ELEMENT * index) / type.bits);
}

/** The packed memory of `elements`. O(length * bits) at worst. */
export function packed(elements: Elements, type: ElementType): NamedArray {
  const memory = zeroMemory(type, elements.length);
  const conversion = halfConversionOf(type);
  if (conversion) {
    const bits = new Uint32Array(elements.buffer, elements.byteOffset, elements.length);
    for (let i = 0; i < bits.length; i++) memory[i] = conversion.bitsOf(bits[i]);
  } else if (!sharesBytes(type)) memory.set(elements);
  else for (let i = 0; i < elements.length; i++) writeElement(memory, type, i, elements[i]);
  return memory;
}

/** The elements of memory that `packed` returned. */
export function unpacked(memory: NamedArray, type: ElementType, length: number): Elements {
  const { kind, bits } = type;
  const elements = zeroElements(type, length);
  const conversion = halfConversionOf(type);
  if (conversion) {
    const table = conversion.table();
    for (let i = 0; i < length; i++) elements[i] = table[memory[i]];
    return elements;
  }
  if (kind === 'float' || bits === 8 * memory.BYTES_PER_ELEMENT) {
    const isI16 = kind === 'signed' && bits === 16; // in memory as unsigned bits
    for (let i = 0; i < length; i++) elements[i] = isI16 ? (memory[i] << 16) >> 16 : memory[i];
    return elements;
  }
  const perUnit = (8 * memory.BYTES_PER_ELEMENT) / bits;
  if (kind === 'unsigned' && Number.isInteger(perUnit)) {
    const mask = 2 ** bits - 1;
    for (let i = 0, next = 0; next < length; i++) {
      for (let k = 0, unread = memory[i]; k < perUnit && next < length; k++, unread >>>= bits)
        elements[next++] = unread & mask;
    }
    return elements;
  }
  for (let i = 0; i < length; i++) elements[i] = readElement(memory, type, i);
  return elements;
}

/** Element `index` of packed memory, for integers that share bytes or words. O(bits). */
export function readElement(memory: NamedArray, { kind, bits }: ElementType, index: number): number {
  const unitBits = 8 * memory.BYTES_PER_ELEMENT;
  const perUnit = unitBits / bits;
  let element = 0;
  if (Number.isInteger(perUnit)) {
    element = (memory[Math.floor(index / perUnit)] >>> ((index % perUnit) * bits)) & (2 ** bits - 1);
  } else {
    for (let b = 0; b < bits; b++) {
      const bit = index * bits + b;
      element |= ((memory[Math.floor(bit / unitBits)] >>> (bit % unitBits)) & 1) << b;
    }
  }
  // The shifts extend the sign.
  return kind === 'signed' ? (element << (32 - bits)) >> (32 - bits) : element >>> 0;
}
