import { bf16FromF32Bits, f16FromF32Bits } from '../number/index.ts';
import { Builder, type Numbers } from './builders.ts';
import type { ArrayDeclaration, FieldDeclaration } from './declaration.ts';
import { type Elements, type ElementType, elementsOf, elementType, halvesOf } from './element-type.ts';

/** One of the numbers that share a word, as it lies there. */
export interface Field extends Omit<FieldDeclaration, 'type'> {
  readonly name: string;
  readonly type: ElementType;
  /** the bits below it */
  readonly shift: number;
}

/** The fields of a record, from the highest bits to the lowest; none of another array. Throws RangeError if they do not fill a word. */
export function fieldsOf({ name, fields = {} }: ArrayDeclaration & { readonly name: string }): readonly Field[] {
  let shift = 32;
  const found = Object.entries(fields).map(([field, { type: typeName, ...rest }]): Field => {
    const type = elementType(typeName);
    if (!type || (!halvesOf(type) && type.kind !== 'unsigned'))
      throw new RangeError(`${name}.${field}: found type '${typeName}', expected u1 to u31, f16 or bf16`);
    shift -= type.bits;
    return { ...rest, name: field, type, shift };
  });
  if (found.length > 0 && shift !== 0) throw new RangeError(`${name}: found fields of ${32 - shift} bits, expected 32`);
  return found;
}

/** The numbers of a field, one for each word. O(words). */
export function fieldElements(words: Uint32Array, { type, shift }: Field): Elements {
  const elements = elementsOf(type, words.length);
  const table = halvesOf(type)?.table();
  const mask = 2 ** type.bits - 1;
  for (let i = 0; i < words.length; i++) {
    const code = (words[i] >>> shift) & mask;
    elements[i] = table ? table[code] : code;
  }
  return elements;
}

/** Words that fields share. */
export class WordBuilder extends Builder<Uint32Array> {
  readonly #fields: readonly Field[];
  /** of a list, which is mostly the buffer of a row */
  #values: Numbers | null = null;
  #bits: Uint32Array = new Uint32Array(0);

  constructor(array: ArrayDeclaration & { readonly name: string; readonly read: ElementType }, exact: number | null) {
    super(array.name, array.read, Uint32Array, { exact, guess: 0 });
    this.#fields = fieldsOf(array);
  }

  get(index: number): number {
    return this.memory[index];
  }

  set(index: number, value: number): void {
    this.memory[index] = value;
    if (this.memory[index] !== value) this.refuse(index, value);
  }

  override setFields(first: number, lists: readonly Numbers[], from: number, to: number): void {
    this.memory.fill(0, first, first + to - from);
    for (let f = 0; f < this.#fields.length; f++) this.#setField(this.#fields[f], first - from, lists[f], from, to);
  }

  /** Sets the bits of a field, which are 0 so far, in the words i + `by`. */
  #setField({ name, type, shift }: Field, by: number, list: Numbers, from: number, to: number): void {
    const { memory } = this;
    if (list instanceof Float32Array) {
      const bits = this.#bitsOf(list);
      // Two loops: each calls one function.
      if (type.name === 'bf16') for (let i = from; i < to; i++) memory[by + i] |= bf16FromF32Bits(bits[i]) << shift;
      else for (let i = from; i < to; i++) memory[by + i] |= f16FromF32Bits(bits[i]) << shift;
      return;
    }
    let any = 0;
    for (let i = from; i < to; i++) {
      memory[by + i] |= list[i] << shift;
      any |= list[i];
    }
    if (any >>> type.bits !== 0)
      throw new RangeError(`${this.name}.${name}: found a number that does not fit ${type.name}`);
  }

  #bitsOf(values: Float32Array): Uint32Array {
    if (values !== this.#values) {
      this.#values = values;
      this.#bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
    }
    return this.#bits;
  }
}
