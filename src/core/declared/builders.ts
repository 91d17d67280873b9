/* Builders: the arrays that a declared encoder appends to, one class for each way to store an element. */

import { allocate, type ArrayConstructor } from '../allocate.ts';
import type { NamedArray } from '../encoded/encoded.ts';
import { requireRepresentable } from '../encoded/admission.ts';
import { FormatError } from '../errors.ts';
import { f16FromF32Bits, f32Bits, i8Of, i8Scale, packQ4, Q4_GROUP, storeFloats } from '../number/index.ts';
import {
  type ElementType,
  halfConversionOf,
  zeroMemory,
  rangeOf,
  readElement,
  sharesBytes,
  writeElement,
} from './element-type.ts';
import type { Row } from './record.ts';
import type { OnStore } from './recorders.ts';

/** Numbers that an encoder passes to a builder at once. */
export type Numbers = Uint32Array | Float32Array;

/** An array that an encoder appends to. */
export interface ArrayBuilder {
  readonly length: number;
  /** Appends a number and returns its index. Throws FormatError if it does not fit the element type. */
  push(value: number): number;
  /** For an array whose words are split into fields: appends a word, a number for each field; returns its index. */
  pushFields(...numbers: readonly number[]): number;
  /** Appends the first `count` numbers of a list, by default all of them. */
  pushAll(values: Numbers, count?: number): void;
  /** Appends elements whose bytes are counted as padding. */
  pad(value?: number, count?: number): void;
  /** Appends zeros, to be set later. */
  zeros(count: number): void;
  get(index: number): number;
  set(index: number, value: number): void;
  /** Sets elements first, first + step ... to the first `count` of `values`. */
  setEvery(first: number, step: number, values: Numbers, count: number): void;
  /**
   * Sets element from + at[i], for each i below `count`, to values[i], or to one number. Returns how many of them are
   * not 0 as stored.
   */
  setAt(at: Uint32Array, values: Numbers | number, count: number, from?: number): number;
}

const FIRST_CAPACITY = 64;

/** exact: declared number of elements, or null. guess: elements to allocate at first if there is none. */
interface Lengths {
  readonly exact: number | null;
  readonly guess: number;
}

/** Base of the builders of a declared format's arrays. The memory has the declared length, or else grows. */
export abstract class Builder<A extends NamedArray = NamedArray> implements ArrayBuilder {
  readonly name: string;
  readonly type: ElementType;
  length = 0;
  padding = 0;
  protected memory: A;
  /** number of elements that fit into `memory` */
  protected capacity: number;
  readonly #exact: number | null;
  readonly #Kind: ArrayConstructor<A>;
  readonly #guess: number;
  /** length of the typed array for a number of elements */
  readonly #slots: (elements: number) => number;

  constructor(
    name: string,
    type: ElementType,
    Kind: ArrayConstructor<A>,
    { exact, guess }: Lengths,
    slots = (n: number) => n,
  ) {
    this.name = name;
    this.type = type;
    this.#Kind = Kind;
    this.#slots = slots;
    this.#exact = exact;
    this.#guess = guess;
    this.capacity = exact ?? 0;
    this.memory = allocate(name, Kind, slots(this.capacity));
  }

  abstract set(index: number, value: number): void;

  get(index: number): number {
    return this.memory[index];
  }

  push(value: number): number {
    const at = this.length;
    if (at === this.capacity) this.reserve(1);
    this.length = at + 1;
    this.set(at, value);
    return at;
  }

  pushFields(..._numbers: readonly number[]): number {
    throw new RangeError(`${this.name}: encode appends fields, expected its declaration to name some`);
  }

  pushAll(values: Numbers, count = values.length): void {
    this.reserve(count);
    const from = this.length;
    this.length = from + count;
    for (let i = 0; i < count; i++) this.set(from + i, values[i]);
  }

  pad(value = 0, count = 1): void {
    this.padding += count;
    if (!Object.is(value, 0)) {
      for (let i = 0; i < count; i++) this.push(value);
      return;
    }
    // The memory past the last element contains zeros.
    this.reserve(count);
    this.length += count;
  }

  zeros(count: number): void {
    // An encoder that begins with zeros mostly appends them all at once.
    if (this.#exact === null && this.length === 0) this.reallocate(count);
    this.reserve(count);
    this.length += count;
  }

  setEvery(first: number, step: number, values: Numbers, count: number): void {
    for (let i = 0; i < count; i++) this.set(first + i * step, values[i]);
  }

  setAt(at: Uint32Array, values: Numbers | number, count: number, from = 0): number {
    let stored = 0;
    for (let i = 0; i < count; i++) {
      this.set(from + at[i], typeof values === 'number' ? values : values[i]);
      if (this.get(from + at[i]) !== 0) stored++;
    }
    return stored;
  }

  /** Called before a row is encoded. Throws FormatError for values that cannot be quantised. */
  begin(_row: Row): void {}

  /**
   * The finished array, without spare capacity. Throws RangeError if the number of elements is not the declared one.
   */
  finish(): NamedArray {
    if (this.#exact !== null && this.length !== this.#exact) {
      throw new RangeError(
        `${this.name}: encode appended ${this.length} elements, its length is declared as ${this.#exact}`,
      );
    }
    const slots = this.#slots(this.length);
    return slots === this.memory.length ? this.memory : this.memory.slice(0, slots);
  }

  protected reject(index: number, value: number): never {
    throw new FormatError(`${this.name}[${index}]: found ${value}, which does not fit ${this.type.name}`);
  }

  protected reserve(more: number): void {
    const needed = this.length + more;
    if (needed <= this.capacity) return;
    if (this.#exact !== null)
      throw new RangeError(`${this.name}: encode appends more than the declared ${this.#exact}`);
    this.reallocate(Math.max(needed, 2 * this.capacity, this.#guess, FIRST_CAPACITY));
  }

  protected reallocate(capacity: number): void {
    const { memory, length } = this;
    this.capacity = capacity;
    this.memory = allocate(this.name, this.#Kind, this.#slots(capacity));
    if (length > 0) this.memory.set(memory);
  }
}

/** Whole numbers of 8, 16 or 32 bits, and f32. */
class PlainBuilder extends Builder {
  /** Numbers of i16 are stored as their bits. */
  override get(index: number): number {
    const stored = this.memory[index];
    return this.type.name === 'i16' ? (stored << 16) >> 16 : stored;
  }

  set(index: number, value: number): void {
    this.memory[index] = value;
    if (this.type.kind !== 'float' && this.get(index) !== value) this.reject(index, value);
  }

  override pushAll(values: Numbers, count = values.length): void {
    this.reserve(count);
    const { memory, length, type } = this;
    this.length = length + count;
    if (memory.constructor === values.constructor) {
      memory.set(count === values.length ? values : values.subarray(0, count), length);
      return;
    }
    if (type.kind === 'float') for (let i = 0; i < count; i++) memory[length + i] = values[i];
    else this.setEvery(length, 1, values, count);
  }

  override setEvery(first: number, step: number, values: Numbers, count: number): void {
    const { memory } = this;
    if (memory instanceof Float32Array && values instanceof Float32Array) {
      storeFloats(values, count, memory, first, step);
    } else if (values instanceof Uint32Array && memory instanceof Uint32Array) {
      for (let i = 0; i < count; i++) memory[first + i * step] = values[i];
    } else if (values instanceof Uint32Array && memory instanceof Uint16Array && this.type.kind === 'unsigned') {
      let bits = 0;
      for (let i = 0; i < count; i++) {
        memory[first + i * step] = values[i];
        bits |= values[i];
      }
      if (bits >>> 16 !== 0) super.setEvery(first, step, values, count);
    } else super.setEvery(first, step, values, count);
  }

  override setAt(at: Uint32Array, values: Numbers | number, count: number, from = 0): number {
    const { memory } = this;
    if (!(memory instanceof Float32Array && values instanceof Float32Array))
      return super.setAt(at, values, count, from);
    let zeros = 0;
    for (let i = 0; i < count; i++) {
      const value = values[i];
      memory[from + at[i]] = value;
      zeros += value === 0 ? 1 : 0;
    }
    return count - zeros;
  }
}

/** Floats of 16 bits. */
class HalfBuilder extends Builder<Uint16Array> {
  readonly #halves;
  #values: Float32Array | null = null;
  #bits: Uint32Array = new Uint32Array(0);

  constructor(name: string, type: ElementType, lengths: Lengths) {
    super(name, type, Uint16Array, lengths);
    const halves = halfConversionOf(type);
    if (!halves) throw new RangeError(`${name}: found ${type.name}, expected a float of 16 bits`);
    this.#halves = halves;
  }

  override get(index: number): number {
    return this.#halves.table()[this.memory[index]];
  }

  set(index: number, value: number): void {
    this.memory[index] = this.#halves.bitsOf(f32Bits(value));
  }

  /** Whether to convert a whole list by its bits: f32 to f16. Other lists are converted number by number. */
  #hasBits(values: Numbers | number): values is Float32Array {
    return this.type.name === 'f16' && values instanceof Float32Array;
  }

  override pushAll(values: Numbers, count = values.length): void {
    if (!this.#hasBits(values)) return super.pushAll(values, count);
    this.reserve(count);
    const bits = this.#bitsOf(values);
    const { memory, length } = this;
    for (let i = 0; i < count; i++) memory[length + i] = f16FromF32Bits(bits[i]);
    this.length = length + count;
  }

  override setEvery(first: number, step: number, values: Numbers, count: number): void {
    if (!this.#hasBits(values)) return super.setEvery(first, step, values, count);
    const bits = this.#bitsOf(values);
    const { memory } = this;
    for (let i = 0; i < count; i++) memory[first + i * step] = f16FromF32Bits(bits[i]);
  }

  override setAt(at: Uint32Array, values: Numbers | number, count: number, from = 0): number {
    if (!this.#hasBits(values)) return super.setAt(at, values, count, from);
    const bits = this.#bitsOf(values);
    const { memory } = this;
    let stored = 0;
    for (let i = 0; i < count; i++) {
      const half = f16FromF32Bits(bits[i]);
      memory[from + at[i]] = half;
      stored += (half & 0x7fff) === 0 ? 0 : 1;
    }
    return stored;
  }

  /** The bits of a list. Most calls pass the same row buffer, so the last view is kept. */
  #bitsOf(values: Float32Array): Uint32Array {
    if (values !== this.#values) {
      this.#values = values;
      this.#bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
    }
    return this.#bits;
  }
}

/** Elements that share bytes or words. */
class PackedBuilder extends Builder<Uint8Array | Uint32Array> {
  readonly #min: number;
  readonly #max: number;
  /** base 2 logarithm of the elements in a byte or word of the memory; -1 if some elements lie in two of them */
  readonly #slotShift: number;

  constructor(name: string, type: ElementType, Kind: ArrayConstructor<Uint8Array | Uint32Array>, lengths: Lengths) {
    super(name, type, Kind, lengths, (n) => Math.ceil((n * type.bits) / (8 * Kind.BYTES_PER_ELEMENT)));
    ({ min: this.#min, max: this.#max } = rangeOf(type));
    const perSlot = (8 * Kind.BYTES_PER_ELEMENT) / type.bits;
    this.#slotShift = Number.isInteger(perSlot) ? 31 - Math.clz32(perSlot) : -1;
  }

  override get(index: number): number {
    return readElement(this.memory, this.type, index);
  }

  set(index: number, value: number): void {
    if (!(value >= this.#min && value <= this.#max && Number.isInteger(value))) this.reject(index, value);
    const { memory, type } = this;
    const slotShift = this.#slotShift;
    if (slotShift < 0 || index >>> 0 !== index) {
      writeElement(memory, type, index, value);
      return;
    }
    // As `writeElement` does, without its divisions, which would take most of the time of an encoder.
    const slot = index >>> slotShift;
    const shift = (index & ((1 << slotShift) - 1)) * type.bits;
    const mask = 0xffffffff >>> (32 - type.bits);
    memory[slot] = (memory[slot] & ~(mask << shift)) | ((value & mask) << shift);
  }

  override pushAll(values: Numbers, count = values.length): void {
    const { bits, kind } = this.type;
    const slotShift = this.#slotShift;
    const end = this.length + count;
    if (!(values instanceof Uint32Array && kind === 'unsigned' && slotShift >= 0 && end <= 2 ** 32))
      return super.pushAll(values, count);
    this.reserve(count);
    const { memory, length } = this;
    let allBits = 0;
    for (let i = 0; i < count; i++) {
      const index = length + i;
      allBits |= values[i];
      memory[index >>> slotShift] |= values[i] << ((index & ((1 << slotShift) - 1)) * bits);
    }
    this.length = length + count;
    // If a number does not fit, setting all again throws.
    if (allBits >>> bits !== 0) this.setEvery(length, 1, values, count);
  }

  override setAt(at: Uint32Array, values: Numbers | number, count: number, from = 0): number {
    const { memory } = this;
    if (!(values === 1 && this.type.bits === 1 && memory instanceof Uint32Array && from % 32 === 0)) {
      return super.setAt(at, values, count, from);
    }
    // The bits of a bitmap row that begins at a word, set without `writeElement`.
    const first = from / 32;
    for (let i = 0; i < count; i++) memory[first + (at[i] >>> 5)] |= 1 << (at[i] & 31);
    return count;
  }
}

/** i8 with a scale for each row of the matrix; `get` returns the code, not the number. */
class RowQuantisedBuilder extends Builder<Int8Array> {
  readonly #scales: NamedArray;
  #rows = 0;
  #scale = 1;

  constructor(name: string, type: ElementType, lengths: Lengths, scales: NamedArray) {
    super(name, type, Int8Array, lengths);
    this.#scales = scales;
  }

  override begin(row: Row): void {
    const { index, length, values } = row;
    if (index >= this.#rows) {
      requireRepresentable(row, length, index, 'i8');
      this.#scales[index] = i8Scale(values, length);
      this.#rows = index + 1;
    }
    this.#scale = this.#scales[index];
  }

  set(index: number, value: number): void {
    this.memory[index] = i8Of(value, this.#scale);
  }

  override setAt(at: Uint32Array, values: Numbers | number, count: number, from = 0): number {
    if (typeof values === 'number') return super.setAt(at, values, count, from);
    const { memory } = this;
    const scale = this.#scale;
    let stored = 0;
    for (let i = 0; i < count; i++) {
      const code = i8Of(values[i], scale);
      memory[from + at[i]] = code;
      stored += code === 0 ? 0 : 1;
    }
    return stored;
  }
}

/** i4 with a scale for each 32 consecutive elements, quantised in `finish`. */
class GroupQuantisedBuilder extends Builder<Float32Array> {
  readonly #scales: Builder;

  constructor(name: string, type: ElementType, lengths: Lengths, scales: Builder) {
    super(name, type, Float32Array, lengths);
    this.#scales = scales;
  }

  override begin(row: Row): void {
    requireRepresentable(row, row.length, row.index, 'i4');
  }

  set(index: number, value: number): void {
    this.memory[index] = value;
  }

  override finish(): NamedArray {
    const numbers = super.finish();
    if (this.#scales.length === 0) this.#scales.zeros(Math.ceil(numbers.length / Q4_GROUP));
    const scales = this.#scales.finish();
    if (!(scales instanceof Uint16Array)) throw new RangeError(`${this.name}: expected its scales in f16`);
    const codes = allocate(this.name, Uint8Array, Math.ceil(numbers.length / 2));
    const packer = packQ4(codes, scales);
    for (let i = 0; i < numbers.length; i++) packer.put(i, numbers[i]);
    packer.finish();
    return codes;
  }
}

/** Options of a builder. */
export interface BuilderOptions extends Lengths {
  /** whether elements share words of 32 bits */
  readonly inWords: boolean;
  /** for quantised values: a scale for each row or 32 elements, and the builder of the scales */
  readonly quantised: { readonly by: 'row' | 32; readonly scales: Builder } | null;
}

/** A builder for an array of this type. Throws FormatError where memory is short. */
export function builderOf(name: string, type: ElementType, options: BuilderOptions): Builder {
  const { inWords, quantised } = options;
  if (quantised?.by === 'row') return new RowQuantisedBuilder(name, type, options, quantised.scales.finish());
  if (quantised) return new GroupQuantisedBuilder(name, type, options, quantised.scales);
  if (halfConversionOf(type)) return new HalfBuilder(name, type, options);
  if (inWords || sharesBytes(type)) return new PackedBuilder(name, type, inWords ? Uint32Array : Uint8Array, options);
  return new PlainBuilder(name, type, zeroMemory(type, 0).constructor as ArrayConstructor<NamedArray>, options);
}

/** A builder that appends to `inner`; it passes each stored number to `onStore`, each range of zeros to `onZeros`. */
export function reportingBuilder(
  inner: Builder,
  onStore: OnStore,
  onZeros: (from: number, to: number) => void,
): ArrayBuilder {
  const push = (value: number, isPadding = false): number => {
    const at = inner.push(value);
    onStore(at, value, isPadding);
    return at;
  };
  const set = (index: number, value: number): void => {
    inner.set(index, value);
    onStore(index, value, false);
  };
  return {
    get length() {
      return inner.length;
    },
    push: (value) => push(value),
    pushFields(...numbers) {
      const at = inner.pushFields(...numbers); // bounded: fields of a word
      onStore(at, inner.get(at), false);
      return at;
    },
    pushAll(values, count = values.length) {
      for (let i = 0; i < count; i++) push(values[i]);
    },
    pad(value = 0, count = 1) {
      for (let i = 0; i < count; i++) push(value, true);
      inner.padding += count;
    },
    zeros(count) {
      inner.zeros(count);
      onZeros(inner.length - count, inner.length);
    },
    get: (index) => inner.get(index),
    set,
    setEvery(first, step, values, count) {
      for (let i = 0; i < count; i++) set(first + i * step, values[i]);
    },
    setAt(at, values, count, from = 0) {
      for (let i = 0; i < count; i++) set(from + at[i], typeof values === 'number' ? values : values[i]);
      return at.subarray(0, count).reduce((stored, each) => stored + (inner.get(from + each) === 0 ? 0 : 1), 0);
    },
  };
}
