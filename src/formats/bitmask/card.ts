import type { FormatCard } from '../../core/format.ts';
import { Q4_SCALED_BITS, VALUE_BITS } from '../../core/number/index.ts';
import type { FormatStory } from '../../story/format-story.ts';
import { type BitmaskParams, maskBits, params, sizeReason } from './params.ts';

/** The bitmask format in the list of formats: one bit per cell, then the non-zeros. */
export const card: FormatCard<BitmaskParams, FormatStory<BitmaskParams>> = {
  id: 'bitmask',
  title: 'bitmask',
  summary: 'One bit per cell marks whether a value is stored; the values follow one another.',
  shortSummary: 'One bit per cell marks where the weights are.',
  group: 'classic',
  searchWords: 'bit mask, bitmap, sparse bitmap',
  source: null,
  bestExample: { id: 'digits-fc2-50', what: 'weights, half of them left' },
  params,
  colors: { light: '#829777', dark: '#788E6E' },
  effort: 1.1, // encoding time, CSR is 1
  // (d v + 1) / b: density d, b bits per value, v = b plus, for i4, the value's part of a scale; rowPtr left out
  expectedEffectiveDensity(density, { valueType }) {
    const bits = VALUE_BITS[valueType];
    const size = (density * (valueType === 'i4' ? Q4_SCALED_BITS : bits) + 1) / bits;
    return { best: size, expected: size, worst: size };
  },
  // rowPtr, the bits that round rows up to words, and the scales of i8
  overheadBits: ({ valueType }, { rows, cols }) =>
    32 * (rows + 1 + (valueType === 'i8' ? rows : 0)) + rows * (maskBits(cols) - cols),
  expectedReason: (density, _, { rows, cols }) => sizeReason({ rows, cols, nnz: density * rows * cols }),
  story: () => import('./story/index.ts').then((m) => m.story),
};
