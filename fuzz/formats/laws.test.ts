// The fuzzer's laws of formats: each planted fault is found, and cases can be saved and made smaller.

import { afterEach, expect, it, vi } from 'vitest';
import { Random } from '../../src/core/number/random.ts';
import { denseMatrix } from '../../src/core/matrix/index.ts';
import { type AnyFormat, defaultParams } from '../../src/core/format.ts';
import { formats } from '../../src/formats/registry.ts';
import {
  type FormatCase,
  formatCaseFromJson,
  formatCaseToJson,
  randomFormatCase,
  smallerFormatCases,
} from './format-case.ts';
import { formatFault } from './laws.ts';
import { cases } from '../../test/scheduled.ts';

/** A format with index arrays. */
const format: AnyFormat = formats[1];

const CASE: FormatCase = {
  table: { rows: 2, cols: 4, cells: Float32Array.of(1, 0, -2.5, 0, 0, 1 + 2 ** -11, 0, 3) },
  as: 'rows',
  encodings: [{ format: format.id, params: defaultParams<Record<string, unknown>>(format.params) }],
  x: Float32Array.of(1, 2, 3, 4),
  seed: 1,
};

afterEach(() => void vi.restoreAllMocks());

it('formatFault returns null for correct formats', () => {
  expect(formatFault(CASE)).toBeNull();
  const random = new Random(1);
  for (let i = 0; i < cases(8, 20); i++) expect(formatFault(randomFormatCase(random))).toBeNull();
});

it.each([
  ['decode gives the rounded matrix', 'decode', () => denseMatrix(2, 4, Float32Array.of(1, 0, -2.5, 0, 0, 1, 0, 4))],
  ['decode keeps the shape', 'decode', () => denseMatrix(1, 4, Float32Array.of(1, 0, -2.5, 0))],
  ['an encoding is valid', 'validate', () => [{ array: 'data', index: 0, message: 'data: found 1, expected 2' }]],
  ['a changed element is found', 'validate', () => []],
  ['storage accounts for every byte', 'storage', () => ({ entries: [], totalBytes: 0, effectiveDensity: 0 })],
  ['multiply agrees with the oracle', 'multiply', (_: unknown, __: unknown, y: Float32Array) => y.fill(1)],
  ['encode refuses as admits does', 'admits', () => ({ ok: false, reason: 'values: found 3', remedy: null })],
  [
    'a check throws no error',
    'storage',
    () => {
      throw new TypeError('planted');
    },
  ],
] as const)('formatFault reports a format that breaks the law: %s', (law, method, broken) => {
  vi.spyOn(format, method as 'decode').mockImplementation(broken as never);
  expect(formatFault(CASE)?.law).toBe(`${format.id}: ${law}`);
});

it('a case that is saved as JSON and read again is the same case', () => {
  const random = new Random(2);
  for (let i = 0; i < cases(15, 50); i++) {
    const json = JSON.stringify(formatCaseToJson(randomFormatCase(random)));
    expect(JSON.stringify(formatCaseToJson(formatCaseFromJson(JSON.parse(json))))).toBe(json);
  }
});

it('smallerFormatCases first tries each format alone, and then smaller matrices', () => {
  const all = {
    ...CASE,
    encodings: formats.map(({ id, params }) => ({
      format: id,
      params: defaultParams<Record<string, unknown>>(params),
    })),
  };
  expect([...smallerFormatCases(all)].map((c) => c.encodings.length)).toEqual(formats.map(() => 1));
  for (const smaller of smallerFormatCases(CASE)) {
    expect(JSON.stringify(formatCaseToJson(smaller))).not.toBe(JSON.stringify(formatCaseToJson(CASE)));
  }
});
