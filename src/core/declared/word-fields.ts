import { f32Bits } from '../number/index.ts';
import { Builder } from './builder.ts';
import type { ArrayDeclaration, FieldDeclaration } from './declaration.ts';
import {
  type Elements,
  type ElementType,
  zeroElements,
  elementType,
  halfConversionOf,
  rangeOf,
} from './element-type.ts';

/** One of the numbers that share a 32-bit word: a range of its bits. */
export interface Field extends Omit<FieldDeclaration, 'type'> {
  readonly name: string;
  readonly type: ElementType;
  /** number of bits below it */
  readonly shift: number;
}

type NamedDeclaration = ArrayDeclaration & { readonly name: string };

/** The fields of an array, highest bits first; empty if it has none. Throws RangeError unless they fill 32 bits. */
export function fieldsOf({ name, fields = {} }: NamedDeclaration): readonly Field[] {
  let shift = 32;
  const ranges = Object.entries(fields).map(([field, { type: typeName, ...rest }]): Field => {
    const type = elementType(typeName);
    if (!type || (!halfConversionOf(type) && type.kind !== 'unsigned'))
      throw new RangeError(`${name}.${field}: found type '${typeName}', expected u1 to u32, f16 or bf16`);
    shift -= type.bits;
    return { ...rest, name: field, type, shift };
  });
  if (ranges.length > 0 && shift !== 0)
    throw new RangeError(`${name}: found fields of ${32 - shift} bits, expected 32`);
  return ranges;
}

/** The numbers of a field, one for each word. O(words). */
export function fieldElements(words: Uint32Array, { type, shift }: Field): Elements {
  const elements = zeroElements(type, words.length);
  const table = halfConversionOf(type)?.table();
  const { max } = rangeOf({ ...type, kind: 'unsigned' });
  for (let i = 0; i < words.length; i++) {
    const code = (words[i] >>> shift) & max;
    elements[i] = table ? table[code] : code;
  }
  return elements;
}

/** Builds an array of 32-bit words that are split into fields. */
export class WordBuilder extends Builder<Uint32Array> {
  readonly #fields: readonly (Field & { readonly max: number; readonly halves: ReturnType<typeof halfConversionOf> })[];

  /** `exact`: the declared length in words; null if none is declared. */
  constructor(array: NamedDeclaration & { readonly element: ElementType }, exact: number | null) {
    super(array.name, array.element, Uint32Array, { exact, guess: 0 });
    this.#fields = fieldsOf(array).map((field) => {
      return { ...field, max: 2 ** field.type.bits - 1, halves: halfConversionOf(field.type) };
    });
  }

  set(index: number, value: number): void {
    this.memory[index] = value;
    if (this.memory[index] !== value) this.reject(index, value);
  }

  override pushFields(...numbers: readonly number[]): number {
    const fields = this.#fields;
    let word = 0;
    for (let f = 0; f < fields.length; f++) {
      const { name, type, shift, max, halves } = fields[f];
      const code = halves ? halves.bitsOf(f32Bits(numbers[f])) : numbers[f];
      if (!(code >>> 0 === code && code <= max))
        throw new RangeError(`${this.name}.${name}: found ${numbers[f]}, which does not fit ${type.name}`);
      word |= code << shift;
    }
    return this.push(word >>> 0);
  }
}
