import { allocate } from '../file-format.ts';

type Numbers = Float32Array | Uint32Array;

/** An array of numbers whose count is known only at the end; its capacity doubles. */
export class GrowingArray<A extends Numbers> {
  readonly #type: new (length: number) => A;
  #array: A;
  #length = 0;

  constructor(type: new (length: number) => A) {
    this.#type = type;
    this.#array = new type(1024);
  }

  push(value: number): void {
    this.put(this.#length, value);
  }

  /** Sets one at or past the end; elements in between are 0. */
  put(at: number, value: number): void {
    if (at >= this.#array.length) this.#grow(at + 1);
    this.#array[at] = value;
    if (at >= this.#length) this.#length = at + 1;
  }

  /** The numbers; nothing may be added afterwards. */
  finish(): A {
    const whole = this.#array;
    return whole.length === this.#length ? whole : (whole.slice(0, this.#length) as A);
  }

  #grow(min: number): void {
    const length = Math.max(min, 2 * this.#array.length);
    const larger = allocate(`${length} numbers`, 4 * length, () => new this.#type(length));
    larger.set(this.#array);
    this.#array = larger;
  }
}
