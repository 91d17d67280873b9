import { allocate, type ArrayConstructor } from '../allocate.ts';
import type { NamedArray } from '../encoded/encoded.ts';
import { FormatError } from '../errors.ts';
import type { ElementType } from './element-type.ts';
import type { Row } from './record.ts';

// A builder: an array that a declared encoder appends to.

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
   * Sets element from + indices[i], for each i below `count`, to values[i], or to one number. Returns how many of these
   * elements are not 0 as stored.
   */
  setAt(indices: Uint32Array, values: Numbers | number, count: number, from?: number): number;
}

/** Minimum number of elements that are allocated if no number is declared. */
const FIRST_CAPACITY = 64;

/** How many elements a builder allocates. */
export interface Lengths {
  /** declared number of elements; null if none is declared */
  readonly exact: number | null;
  /** elements to allocate at first if no number is declared */
  readonly guess: number;
}

/** Base class of all builders. The memory has the declared length, or grows if no length is declared. */
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
  /** length of the typed array for a number of elements, several of which may share a byte or word */
  readonly #memoryLength: (elements: number) => number;

  constructor(
    name: string,
    type: ElementType,
    Kind: ArrayConstructor<A>,
    { exact, guess }: Lengths,
    memoryLength = (elements: number) => elements,
  ) {
    this.name = name;
    this.type = type;
    this.#Kind = Kind;
    this.#memoryLength = memoryLength;
    this.#exact = exact;
    this.#guess = guess;
    this.capacity = exact ?? 0;
    this.memory = allocate(name, Kind, memoryLength(this.capacity));
  }

  abstract set(index: number, value: number): void;

  get(index: number): number {
    return this.memory[index];
  }

  push(value: number): number {
    const index = this.length;
    if (index === this.capacity) this.reserve(1);
    this.length = index + 1;
    this.set(index, value);
    return index;
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

  setAt(indices: Uint32Array, values: Numbers | number, count: number, from = 0): number {
    let nonZeros = 0;
    for (let i = 0; i < count; i++) {
      this.set(from + indices[i], typeof values === 'number' ? values : values[i]);
      if (this.get(from + indices[i]) !== 0) nonZeros++;
    }
    return nonZeros;
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
    const length = this.#memoryLength(this.length);
    return length === this.memory.length ? this.memory : this.memory.slice(0, length);
  }

  /** Throws FormatError for an element that does not fit the type. */
  protected reject(index: number, value: number): never {
    throw new FormatError(`${this.name}[${index}]: found ${value}, which does not fit ${this.type.name}`);
  }

  /** Makes space for `more` further elements. */
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
    this.memory = allocate(this.name, this.#Kind, this.#memoryLength(capacity));
    if (length > 0) this.memory.set(memory);
  }
}
