import { expect, test } from 'vitest';
import { formatById, referenceFormat } from '../../formats/registry.ts';
import type { AnyFormat } from '../format.ts';
import { type BenchCase, referenceValueType, withSpecialCase } from './cases.ts';

test('the dense reference of a value type has the same type, else the one that its option names, else the default', () => {
  const types = ['i4', 'f16', 'f32', 'i8', 'bf16'].map((valueType) => referenceValueType(referenceFormat, valueType));
  expect(types).toEqual(['f16', 'f16', 'f32', 'i8', 'f16']);
});

const caseOf = (format: AnyFormat, valueType: string, kernels: BenchCase['kernels']): BenchCase => ({
  format,
  params: { valueType },
  kernels,
  encode: () => Promise.reject(new Error('not encoded')),
});

test('with zeros in x, the kernel that skips columns is a case of its own, besides the fastest of the others', () => {
  const dense = caseOf(referenceFormat, 'f16', 'auto');
  const kernels = ['dense/spmv_columns'];
  expect(withSpecialCase(dense, 'spmv-zeros')).toEqual([
    { ...dense, except: kernels },
    { ...dense, kernels },
  ]);
});

test.for([
  ['another operation', caseOf(referenceFormat, 'f16', 'auto'), 'spmv'],
  ['a format without such a kernel', caseOf(formatById('macko'), 'f16', 'auto'), 'spmv-zeros'],
  ['values that it does not support', caseOf(referenceFormat, 'f32', 'auto'), 'spmv-zeros'],
  ['kernels that the request names', caseOf(referenceFormat, 'f16', 'all'), 'spmv-zeros'],
] as const)('%s: the case stays one', ([, benchCase, operation]) => {
  expect(withSpecialCase(benchCase, operation)).toEqual([benchCase]);
});
