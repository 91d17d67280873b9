import type { ParamField, Shape } from '../core/format.ts';
import type { FloatType } from '../core/number/index.ts';

/** Bits of a stored column index. */
export type IndexBits = 16 | 32;

/** The user's choice: 'auto' is the narrowest that reaches every column. */
export type IndexBitsChoice = 'auto' | IndexBits;

/** The bits that a choice resolves to for a matrix with `cols` columns. */
export function indexBitsFor(choice: IndexBitsChoice, { cols }: Pick<Shape, 'cols'>): IndexBits {
  if (choice !== 'auto') return choice;
  return cols <= 2 ** 16 ? 16 : 32;
}

/** The parameter of formats that store a column index for every value. */
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

/** The parameter of formats that store values as floats alone. */
export const floatValues: ParamField<FloatType> = {
  kind: 'choice',
  label: 'values',
  meaning: 'Half or single precision.',
  default: 'f16',
  options: [
    { value: 'f16', label: 'f16' },
    { value: 'f32', label: 'f32' },
  ],
};
