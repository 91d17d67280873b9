import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DecimalScanner } from './decimal.ts';
import { shortestF32 } from '../core/number/index.ts';
import { cases } from '../../test/scheduled.ts';

const scanner = new DecimalScanner();
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(`${text}\n`);

/** The f32 of a text, after checking that all of the text was read. */
function scanned(text: string): number {
  const value = scanner.scan(bytesOf(text), 0);
  expect(scanner.end).toBe(text.length);
  return Math.fround(value);
}

const digits = (max: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...Array.from('0123456789')), { minLength: 1, maxLength: max }).map((d) => d.join(''));

it('returns the f32 of the f64 nearest to the text, for any number of digits and any exponent', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('', '+', '-'),
      digits(25),
      fc.option(digits(25), { nil: null }),
      fc.option(fc.integer({ min: -60, max: 60 }), { nil: null }),
      (sign, whole, fraction, exponent) => {
        const text = `${sign}${whole}${fraction === null ? '' : `.${fraction}`}${exponent === null ? '' : `e${exponent}`}`;
        expect(scanned(text)).toBe(Math.fround(Number(text)));
      },
    ),
    { numRuns: cases(1500, 5000) },
  );
});

it('reads back every f64 and every f32 that was printed', () => {
  fc.assert(
    fc.property(fc.double(), (v) => {
      expect(scanned(String(v)) + 0).toBe(Math.fround(v) + 0);
      expect(scanned(v.toExponential(17)) + 0).toBe(Math.fround(v) + 0);
    }),
    { numRuns: cases(1500, 5000) },
  );
  fc.assert(
    fc.property(fc.float(), (v) => {
      expect(scanned(shortestF32(v)) + 0).toBe(v + 0);
    }),
    { numRuns: cases(1500, 5000) },
  );
});

it('rounds numbers in the middle between two f32 like the exact value', () => {
  for (const text of ['16777217', '16777219', '1.000000059604644775390625', '1.0000000596046447753906251', '0.5e-45'])
    expect(scanned(text)).toBe(Math.fround(Number(text)));
});

it.each<[string, number]>([
  ['1d3', 1000],
  ['1.5D-2', Math.fround(0.015)],
  ['.5', 0.5],
  ['5.', 5],
  ['-0', -0],
  ['1e-99999', 0],
  ...['1e99999', 'inf'].map((text): [string, number] => [text, Number.POSITIVE_INFINITY]),
  ...['-1e99999', '-Infinity'].map((text): [string, number] => [text, Number.NEGATIVE_INFINITY]),
  ...['nan', '-NaN'].map((text): [string, number] => [text, Number.NaN]),
])('%s is %d', (text, value) => expect(scanned(text)).toBe(value));

it.each<[string, boolean]>([
  ...['1e309', '-2000000000000000000e290', '9999999999999999999e290', '1e-400'].map((text): [string, boolean] => [
    text,
    true,
  ]),
  ...['9999999999999999999e289', '1e308', '1e-290', 'inf', '0e999'].map((text): [string, boolean] => [text, false]),
])('%s is beyond the range of f64: %s', (text, isBeyond) => {
  scanned(text);
  expect(scanner.isBeyondRange).toBe(isBeyond);
});

it.each([
  ...['', '+', '.', 'e5', 'abc', '--1'].map((text): [string, number] => [text, 0]),
  ...['1e', '1e+', '1,5', '0x10'].map((text): [string, number] => [text, 1]),
  ...['1.5.2', 'infinite'].map((text): [string, number] => [text, 3]),
])("stops in '%s' after %d bytes", (text, end) => {
  scanner.scan(bytesOf(text), 0);
  expect(scanner.end).toBe(end);
});

it('shortestF32 writes an f32 with no more digits than needed', () => {
  expect(shortestF32(Math.fround(0.1))).toBe('0.1');
  expect(shortestF32(16777216)).toBe('16777216');
  expect(shortestF32(-0.5)).toBe('-0.5');
});
