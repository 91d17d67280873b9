import { expect, it } from 'vitest';
import { type AnyFormat, defaultParams, namedArrays, resolvedParams } from '../../core/format.ts';
import { smallest } from '../../core/number/statistics.ts';
import { allParams } from '../../../test/arbitraries.ts';
import { VALUE_BITS, type AnyValueType } from '../../core/number/index.ts';
import { formats } from '../../formats/registry.ts';
import { generate } from '../../generate/generate.ts';
import { isNeededBefore, tilesBefore, FORMAT_DEPENDENCIES } from './WhyNotSmallest.tsx';

/** h of 256 tokens and 5632 neurons, where half a percent fire. */
const bitsOf = ({ valueType }: { readonly valueType?: AnyValueType }): number => VALUE_BITS[valueType ?? 'f16'];
const H = { rows: 256, cols: 5632 };
const h = generate({ pattern: 'activations', ...H, density: 0.005, seed: 1 });

it('the smallest of its formats are those that cannot be written by the tile', () => {
  const bytesOf = ({ encode }: AnyFormat, params: object): number =>
    [...namedArrays(encode(h, params)).values()].reduce((sum, array) => sum + array.byteLength, 0);
  const found = FORMAT_DEPENDENCIES.map(({ format, waits }) => {
    const waitingFormat = formats.find(({ id }) => id === format);
    const usual = waitingFormat && resolvedParams(waitingFormat.params, defaultParams(waitingFormat.params), h);
    if (!waitingFormat || !usual) return null;
    // Rivals are as small as their parameters make them, as in the picture.
    const sets = [usual, ...(waits === 'rows above' ? allParams(waitingFormat) : [])].filter(
      (params) => bitsOf(params) === 16 && waitingFormat.admits(h, params).ok,
    );
    return smallest(sets.map((params) => bytesOf(waitingFormat, params)));
  });
  expect(found).toEqual([30_716, 29_300, 493_696, 720_896]);
});

it('a tile waits for all before it, for its row, or for none', () => {
  const at = { row: 2, col: 3 };
  const waitedFor = (waits: (typeof FORMAT_DEPENDENCIES)[number]['waits']): number =>
    Array.from({ length: 4 * 5 }, (_, i) => ({ row: Math.floor(i / 5), col: i % 5 })).filter((tile) =>
      isNeededBefore(waits, tile, at),
    ).length;
  expect(waitedFor('rows above')).toBe(13);
  expect(waitedFor('own row')).toBe(4);
  expect(waitedFor('nothing')).toBe(0);
  expect(FORMAT_DEPENDENCIES.map(({ waits }) => tilesBefore(waits, H, 256))).toEqual([5631, 5631, 21, 0]);
});
