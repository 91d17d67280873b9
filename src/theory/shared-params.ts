import type { ParamField, Shape } from '../core/format.ts';
import type { AnyValueType, FloatType } from '../core/number/index.ts';

/* Parameters that several formats share: the bits of a column index, and the type of the values. */

/** Bits of a stored column index. */
export type IndexBits = 16 | 32;

/** A choice of index bits: 'auto' is the narrowest index that reaches every column. */
export type IndexBitsChoice = 'auto' | IndexBits;

/** The bits that a choice resolves to for a matrix with `cols` columns. */
export function indexBitsFor(choice: IndexBitsChoice, { cols }: Pick<Shape, 'cols'>): IndexBits {
  if (choice !== 'auto') return choice;
  return cols <= 2 ** 16 ? 16 : 32;
}

/** The parameter for the bits of an index, of formats that store a column index for every value. */
export const indexBits: ParamField<IndexBitsChoice> = {
  kind: 'choice',
  label: 'index bits',
  meaning: 'auto: 16 up to 65536 columns, else 32.',
  unit: 'bit',
  default: 'auto',
  auto: (shape) => indexBitsFor('auto', shape),
  options: [
    { value: 'auto', label: 'auto' },
    { value: 16, label: '16' },
    { value: 32, label: '32' },
  ],
};

/**
 * The parameter for the type of values, by default the first of `types`; `sharing`: the values that share a scale in
 * i4.
 */
export function valueTypeParam<T extends AnyValueType>(
  meaning: string,
  types: readonly T[],
  sharing = 'values',
): ParamField<T> {
  const asF16 = types.find((type) => type === 'f16');
  const options = types.map((value) => {
    if (value === 'i8') return { value, label: 'i8, scale per row' };
    if (value === 'i4') return { value, label: `i4, scale per 32 ${sharing}`, ...(asF16 && { comparedWith: asF16 }) };
    return { value, label: value };
  });
  return { kind: 'choice', label: 'values', meaning, default: types[0], options };
}

/** The parameter for the type of values, of formats that store only floats. */
export const floatValues: ParamField<FloatType> = valueTypeParam('Half or single precision.', ['f16', 'f32']);
