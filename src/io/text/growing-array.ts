import { allocate } from '../read-checks.ts';

/** An array of numbers whose count is known only at the end; its capacity doubles. */
export class GrowingArray<A extends Float32Array | Uint32Array> {
  readonly #type: new (length: number) => A;
  #array: A;
  #length = 0;

  constructor(type: new (length: number) => A) {
    this.#type = type;
    this.#array = new type(1024);
  }

  push(value: number): void {
    if (this.#length === this.#array.length) this.#grow();
    this.#array[this.#length++] = value;
  }

  /** The numbers; nothing may be added afterwards. */
  finish(): A {
    const whole = this.#array;
    return whole.length === this.#length ? whole : (whole.slice(0, this.#length) as A);
  }

  #grow(): void {
    const length = 2 * this.#array.length;
    const larger = allocate(`${length} numbers`, 4 * length, () => new this.#type(length));
    larger.set(this.#array);
    this.#array = larger;
  }
}
