import type { ArrayConstructor } from '../allocate.ts';
import { f16FromF32Bits, f32Bits, storeFloats } from '../number/index.ts';
import { type ElementType, halfConversionOf, rangeOf, readElement, writeElement } from './element-type.ts';
import { Builder, type Lengths, type Numbers } from './builder.ts';

// Builders that store numbers in an element type, one class for each way to store an element.

/** Whole numbers of 8, 16 or 32 bits, and f32. */
export class PlainBuilder extends Builder {
  /** Numbers of i16 are stored as their bits. */
  override get(index: number): number {
    const element = this.memory[index];
    return this.type.name === 'i16' ? (element << 16) >> 16 : element;
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

  override setAt(indices: Uint32Array, values: Numbers | number, count: number, from = 0): number {
    const { memory } = this;
    if (!(memory instanceof Float32Array && values instanceof Float32Array))
      return super.setAt(indices, values, count, from);
    let zeros = 0;
    for (let i = 0; i < count; i++) {
      const value = values[i];
      memory[from + indices[i]] = value;
      zeros += value === 0 ? 1 : 0;
    }
    return count - zeros;
  }
}

/** Floats of 16 bits. */
export class HalfBuilder extends Builder<Uint16Array> {
  readonly #conversion;
  #values: Float32Array | null = null;
  #bits: Uint32Array = new Uint32Array(0);

  constructor(name: string, type: ElementType, lengths: Lengths) {
    super(name, type, Uint16Array, lengths);
    const conversion = halfConversionOf(type);
    if (!conversion) throw new RangeError(`${name}: found ${type.name}, expected a float of 16 bits`);
    this.#conversion = conversion;
  }

  override get(index: number): number {
    return this.#conversion.table()[this.memory[index]];
  }

  set(index: number, value: number): void {
    this.memory[index] = this.#conversion.bitsOf(f32Bits(value));
  }

  /** Whether a list can be converted as a whole, from the bits of f32 to f16; else number by number. */
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

  override setAt(indices: Uint32Array, values: Numbers | number, count: number, from = 0): number {
    if (!this.#hasBits(values)) return super.setAt(indices, values, count, from);
    const bits = this.#bitsOf(values);
    const { memory } = this;
    let nonZeros = 0;
    for (let i = 0; i < count; i++) {
      const half = f16FromF32Bits(bits[i]);
      memory[from + indices[i]] = half;
      nonZeros += (half & 0x7fff) === 0 ? 0 : 1;
    }
    return nonZeros;
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
export class PackedBuilder extends Builder<Uint8Array | Uint32Array> {
  readonly #min: number;
  readonly #max: number;
  /** base 2 logarithm of the elements in a unit (byte or word) of the memory; -1 if some elements lie in two units */
  readonly #unitShift: number;

  constructor(name: string, type: ElementType, Kind: ArrayConstructor<Uint8Array | Uint32Array>, lengths: Lengths) {
    super(name, type, Kind, lengths, (n) => Math.ceil((n * type.bits) / (8 * Kind.BYTES_PER_ELEMENT)));
    ({ min: this.#min, max: this.#max } = rangeOf(type));
    const perUnit = (8 * Kind.BYTES_PER_ELEMENT) / type.bits;
    this.#unitShift = Number.isInteger(perUnit) ? 31 - Math.clz32(perUnit) : -1;
  }

  override get(index: number): number {
    return readElement(this.memory, this.type, index);
  }

  set(index: number, value: number): void {
    if (!(value >= this.#min && value <= this.#max && Number.isInteger(value))) this.reject(index, value);
    const { memory, type } = this;
    const unitShift = this.#unitShift;
    if (unitShift < 0 || index >>> 0 !== index) {
      writeElement(memory, type, index, value);
      return;
    }
    // As `writeElement` does, without its divisions, which would take most of the time of an encoder.
    const unit = index >>> unitShift;
    const shift = (index & ((1 << unitShift) - 1)) * type.bits;
    const mask = 0xffffffff >>> (32 - type.bits);
    memory[unit] = (memory[unit] & ~(mask << shift)) | ((value & mask) << shift);
  }

  override pushAll(values: Numbers, count = values.length): void {
    const { bits, kind } = this.type;
    const unitShift = this.#unitShift;
    const end = this.length + count;
    if (!(values instanceof Uint32Array && kind === 'unsigned' && unitShift >= 0 && end <= 2 ** 32))
      return super.pushAll(values, count);
    this.reserve(count);
    const { memory, length } = this;
    let allBits = 0;
    for (let i = 0; i < count; i++) {
      const index = length + i;
      allBits |= values[i];
      memory[index >>> unitShift] |= values[i] << ((index & ((1 << unitShift) - 1)) * bits);
    }
    this.length = length + count;
    // If a number does not fit, setting all again throws.
    if (allBits >>> bits !== 0) this.setEvery(length, 1, values, count);
  }

  override setAt(indices: Uint32Array, values: Numbers | number, count: number, from = 0): number {
    const { memory } = this;
    if (!(values === 1 && this.type.bits === 1 && memory instanceof Uint32Array && from % 32 === 0)) {
      return super.setAt(indices, values, count, from);
    }
    // The bits of a bitmap row that begins at a word, set without `writeElement`.
    const first = from / 32;
    for (let i = 0; i < count; i++) memory[first + (indices[i] >>> 5)] |= 1 << (indices[i] & 31);
    return count;
  }
}
