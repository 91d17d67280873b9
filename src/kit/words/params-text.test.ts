import { expect, test } from 'vitest';
import { formats } from '../../formats/catalog.ts';
import { defaultParams } from '../../core/format.ts';
import type { FormatParams } from '../../state/index.ts';
import { paramsText } from './params-text.ts';

const SHAPE = { rows: 4096, cols: 14_336 };

test.each([
  ['dense', {}, 'f16'],
  ['dense', { valueType: 'i4' }, 'i4'],
  ['macko', {}, '4-bit skips'],
  ['macko', { deltaBits: 1 }, '1-bit skips'],
  ['macko', { deltaBits: 8, valueType: 'i8' }, '8-bit skips, i8'],
  ['csr', {}, '16-bit'],
  ['ec-csr', {}, '8-bit steps'],
  ['bsr', {}, '4 × 4'],
  ['bitmask', {}, 'f16'],
  ['twell', {}, 'bf16'],
  ['twell', { tileWidth: 64 }, '64'],
  ['slidesparse', {}, '6:8'],
])('%s with %j has the text %s', (id, changed, text) => {
  const format = formats.find((known) => known.id === id);
  const params = { ...defaultParams<FormatParams>(format?.params ?? {}), ...changed };
  expect(format && paramsText(format, params, SHAPE)).toBe(text);
});

test('before there is a matrix an open width is not shown', () => {
  const format = formats.find(({ id }) => id === 'csr');
  expect(format && paramsText(format, defaultParams<FormatParams>(format.params), null)).toBe('f16');
});
