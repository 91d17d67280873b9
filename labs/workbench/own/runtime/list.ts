// The lists into which a module's `encode` writes, with limits on their memory.

import { type Elements, zeroElements, type ElementType, rangeOf } from '../../../../src/core/declared/element-type.ts';
import type { OnStore } from '../../../../src/core/declared/recorders.ts';

/** Why a format cannot store a matrix, as a message. */
export class Rejection extends Error {
  override name = 'Refusal';
}

/** Maximum initial elements of a list. */
const MAX_FIRST_CAPACITY = 2 ** 24;

/** The limits on the memory of all lists of an encoding, each an array of the format. */
export class ListMemory {
  /** the reason of the first rejection, which stays even if the module catches the error */
  rejection: string | null = null;
  readonly maxElements: number;
  #bytes: number;

  /** initial elements of a list: the number of non-zeros is a good guess, and saves copies */
  readonly firstCapacity: number;

  constructor(maxElements: number, maxBytes: number, nonZeros = 0) {
    this.maxElements = maxElements;
    this.#bytes = maxBytes;
    this.firstCapacity = Math.max(64, Math.min(nonZeros, MAX_FIRST_CAPACITY, maxElements));
  }

  refuse(reason: string): never {
    this.rejection ??= reason;
    throw new Rejection(reason);
  }

  /** Allocates `bytes` for a new or growing array. */
  allocate(name: string, bytes: number): void {
    this.#bytes -= bytes;
    if (this.#bytes < 0) this.refuse(`${name}: the arrays need more than 1 GiB`);
  }

  /** Frees the bytes of an array that was copied. */
  free(bytes: number): void {
    this.#bytes += bytes;
  }
}

/** An array of a custom format while its encode writes it: it grows at its end, and checks each number. */
export class List {
  readonly #name: string;
  readonly #type: ElementType;
  readonly #isFloat: boolean;
  readonly #min: number;
  readonly #max: number;
  readonly #memory: ListMemory;
  readonly #onStore: OnStore | null;
  #store: Elements;
  #length = 0;
  #padding = 0;

  constructor(name: string, type: ElementType, memory: ListMemory, onStore: OnStore | null) {
    this.#name = name;
    this.#type = type;
    this.#isFloat = type.kind === 'float';
    ({ min: this.#min, max: this.#max } = rangeOf(type));
    this.#memory = memory;
    this.#onStore = onStore;
    this.#store = zeroElements(type, memory.firstCapacity);
    memory.allocate(name, this.#store.byteLength);
  }

  get length(): number {
    return this.#length;
  }

  /** Adds a number at the end and returns its index. */
  push(value: number): number {
    const index = this.#length;
    if (index === this.#store.length) this.#grow();
    this.#write(index, value);
    this.#length = index + 1;
    if (this.#onStore !== null) this.#onStore(index, value, false);
    return index;
  }

  /** Like `push`, for padding. */
  pad(value = 0): number {
    const index = this.#length;
    if (index === this.#store.length) this.#grow();
    this.#write(index, value);
    this.#length = index + 1;
    this.#padding++;
    if (this.#onStore !== null) this.#onStore(index, value, true);
    return index;
  }

  get(index: number): number {
    this.#checkIndex(index);
    return this.#store[index];
  }

  set(index: number, value: number): void {
    this.#checkIndex(index);
    this.#write(index, value);
    if (this.#onStore !== null) this.#onStore(index, value, false);
  }

  #write(index: number, value: number): void {
    // Only numbers are accepted: an object would be converted more than once, and might change its value.
    if (typeof value !== 'number') this.#refuse(index, value);
    if (this.#isFloat) {
      this.#store[index] = value;
      return;
    }
    if (!(value >= this.#min && value <= this.#max)) this.#refuse(index, value);
    this.#store[index] = value;
    // An integer array has rounded a fraction.
    if (this.#store[index] !== value) this.#refuse(index, value);
  }

  #refuse(index: number, value: unknown): never {
    const quoted = typeof value === 'number' ? String(value) : value === undefined ? 'nothing' : `a ${typeof value}`;
    return this.#memory.refuse(`${quoted} does not fit ${this.#type.name} of ${this.#name}[${index}]`);
  }

  #checkIndex(index: number): void {
    if (Number.isInteger(index) && index >= 0 && index < this.#length) return;
    throw new RangeError(`${this.#name}: found index ${String(index)}, expected one below its length ${this.#length}`);
  }

  #grow(): void {
    const { maxElements } = this.#memory;
    if (this.#length >= maxElements) {
      this.#memory.refuse(`${this.#name} grew past ${maxElements} elements, the most for this matrix`);
    }
    const capacity = Math.min(2 * this.#store.length, maxElements);
    // The old and the new array exist during the copy.
    this.#memory.allocate(this.#name, capacity * this.#store.BYTES_PER_ELEMENT);
    const grown = zeroElements(this.#type, capacity);
    grown.set(this.#store);
    this.#memory.free(this.#store.byteLength);
    this.#store = grown;
  }

  /**
   * The elements of a finished list, and how many are padding. Not for authors. Elements that fill at least half of
   * their memory stay there, since a copy would need as much again.
   */
  static contents(list: List): { readonly elements: Elements; readonly padding: number } {
    const store = list.#store;
    const isHalfFull = 2 * list.#length >= store.length;
    return {
      elements: isHalfFull ? store.subarray(0, list.#length) : store.slice(0, list.#length),
      padding: list.#padding,
    };
  }
}
