// The command line of `npm run decode`.

import { expect, test } from 'vitest';
import { formats } from '../../../src/formats/registry.ts';
import { ArgumentError } from '../../../scripts/command-line.ts';
import { parseDecodeArguments } from './decode-arguments.ts';

const parse = (text: string): ReturnType<typeof parseDecodeArguments> => parseDecodeArguments(text.split(' '), formats);

test('parses the name of a model in any case, and the format', () => {
  const parsed = parse('-- --model llama-2-7b --format macko --density 0.3 --context 0,1000,4000 --prefill 512');
  expect(parsed.model.name).toBe('Llama-2-7B');
  expect(parsed.model.layers).toBe(32);
  expect(parsed).toMatchObject({ density: 0.3, contexts: [0, 1000, 4000], prefill: 512, tokens: 100, rounds: 10 });
  expect(parsed.format.id).toBe('macko');
});

test('parses sizes, fewer blocks, and values of parameters', () => {
  const parsed = parse('--model 256-688-2-4-4-64-1000:tiny --layers 1 --params valueType=i4');
  expect(parsed.model).toMatchObject({ name: 'tiny', hidden: 256, layers: 1 });
  expect(parsed.params).toEqual({ valueType: 'i4' });
  expect(parsed.density).toBe(1);
});

test('parses the formats of the feed-forward blocks of a prefill', () => {
  const parsed = parse('--prefill 2048 --feed-forward dense,twell');
  expect(parsed.feedForward.map(({ id }) => id)).toEqual(['dense', 'twell']);
  expect(parse('--prefill 2048').feedForward).toEqual([]);
});

test('parses the formats of blocks in i8, for several numbers of tokens', () => {
  const parsed = parse('--prefill 512,2048 --eight-bits dense,slidesparse --params halfGroup=4+2');
  expect(parsed.prefills).toEqual([512, 2048]);
  expect(parsed.eightBits.map(({ format, params }) => [format.id, params])).toEqual([
    ['dense', { valueType: 'i8' }],
    ['slidesparse', { halfGroup: 4, valueType: 'i8' }],
    ['slidesparse', { halfGroup: 2, valueType: 'i8' }],
  ]);
  expect(parse('--prefill 2048')).toMatchObject({ prefills: [2048], eightBits: [] });
});

test.for([
  ['--prefill 512,2048', /^--prefill: found '512,2048', expected a whole number from 0 to 131072$/],
  ['--eight-bits dense', /^--eight-bits: found no --prefill, expected how many tokens are read at once$/],
  ['--prefill 9 --feed-forward coo', /^--feed-forward: found 'coo', expected one of dense, /],
  ['--feed-forward twell', /^--feed-forward: found no --prefill, expected how many tokens are read at once$/],
  ['--prefill 9 --feed-forward ,', /^--feed-forward: found '', expected one of dense, /],
  ['--prefill 9 --eight-bits csr', /^--eight-bits: found 'csr', expected one of dense, /],
  [
    '--prefill 9 --eight-bits dense --density 0.5',
    /^--density: found it with --eight-bits, expected only one of them$/,
  ],
  [
    '--prefill 9 --feed-forward dense --eight-bits dense',
    /^--eight-bits: found it with --feed-forward, expected only one of them$/,
  ],
  [
    '--prefill 9 --eight-bits dense --params valueType=f16',
    /^--params: found valueType=f16 with --eight-bits, expected i8$/,
  ],
  ['--modell x', /^found '--modell', expected one of --model, /],
  [
    '--model llama-9',
    /^--model: found 'llama-9', expected sizes such as 256-688-2-4-4-64-1000:tiny, or one of llama-2-7b, /,
  ],
  ['--layers 33', /^--layers: found '33', expected a whole number from 1 to 32$/],
  ['--format coo', /^--format: found 'coo', expected one of dense, /],
  ['--density 2', /^--density: found '2', expected a number from 0 to 1$/],
  ['--context 5,x', /^--context: found 'x', expected a whole number from 0 to 131072$/],
  ['--rounds', /^--rounds: found no value after it, expected one$/],
  ['--rounds 1 --rounds 2', /^--rounds: found twice, expected once$/],
  ['--tuning maybe', /^--tuning: found 'maybe', expected one of remember, again, off$/],
  ['--params valueType=f16+f32', /^--params: found 2 choices of values, expected one$/],
] as const)('rejects %s with one message', ([text, message]) => {
  expect(() => parse(text)).toThrow(ArgumentError);
  expect(() => parse(text)).toThrow(message);
});
