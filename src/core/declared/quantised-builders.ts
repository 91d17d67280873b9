import { allocate } from '../allocate.ts';
import type { NamedArray } from '../encoded/encoded.ts';
import { requireRepresentable } from '../encoded/admission.ts';
import { i8Of, i8Scale, packQ4, Q4_GROUP } from '../number/index.ts';
import type { ElementType } from './element-type.ts';
import type { Row } from './record.ts';
import { Builder, type Lengths, type Numbers } from './builder.ts';

// Builders that quantise numbers: to i8 or i4, with scales.

/** i8 with a scale for each row of the matrix; `get` returns the code, not the number. */
export class RowQuantisedBuilder extends Builder<Int8Array> {
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

  override setAt(indices: Uint32Array, values: Numbers | number, count: number, from = 0): number {
    if (typeof values === 'number') return super.setAt(indices, values, count, from);
    const { memory } = this;
    const scale = this.#scale;
    let stored = 0;
    for (let i = 0; i < count; i++) {
      const code = i8Of(values[i], scale);
      memory[from + indices[i]] = code;
      stored += code === 0 ? 0 : 1;
    }
    return stored;
  }
}

/** i4 with a scale for each 32 consecutive elements, quantised in `finish`. */
export class GroupQuantisedBuilder extends Builder<Float32Array> {
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
