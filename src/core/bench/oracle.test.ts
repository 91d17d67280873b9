import { describe, expect, test } from 'vitest';
import type { BenchCase, BenchFormat } from './cases.ts';
import { BenchOracle } from './oracle.ts';
import { CancelledError } from '../errors.ts';
import type { Job } from '../job.ts';
import { denseMatrix, type Matrix } from '../matrix/index.ts';
import { expectedOf } from '../operations/operation.ts';
import { CONVERT, SPMV } from '../operations/index.ts';
import { bitsOf, ledger } from '../encoded/ledger.ts';

const idle: Job = { report: () => {}, cancelled: false };
const pace = { now: () => 0, pause: () => Promise.resolve() };
const matrix = Object.assign(denseMatrix(2, 3, Float32Array.of(1, 0, 2, 0, 0, 3)), { checksums: {} });

function caseOf(id: string, params: Record<string, unknown>, decoded: string[]): BenchCase {
  const format: BenchFormat = {
    id,
    title: id,
    kernels: [],
    decode: (m: Matrix) => {
      decoded.push(id);
      return m;
    },
    storage: () => ledger([{ array: 'data', dtype: 'f32', length: 6, bytes: 24, bits: bitsOf('values', 192) }], 192),
    multiply: () => {},
  };
  return { format, params, kernels: 'all', encode: () => Promise.resolve({ encoded: matrix, encodeMs: 0 }) };
}

describe('BenchOracle', () => {
  test('decodes once per value type, and a format without value types by itself', async () => {
    const oracle = new BenchOracle(SPMV, {}, 3, pace);
    const decoded: string[] = [];
    for (const [id, params] of [
      ['dense', { valueType: 'f16' }],
      ['csr', { valueType: 'f16', indexBits: 16 }],
      ['macko', { valueType: 'f32', deltaBits: 4 }],
      ['other', {}],
      ['another', {}],
      ['other', {}],
    ] as const) {
      await oracle.reference(caseOf(id, params, decoded), matrix, idle);
    }
    expect(decoded).toEqual(['dense', 'macko', 'other', 'another']);
  });

  test('has the same inputs for all, and the bound that the roundings ask for', async () => {
    const oracle = new BenchOracle(SPMV, {}, 3, pace);
    const first = await oracle.reference(caseOf('a', { valueType: 'f16' }, []), matrix, idle);
    const second = await oracle.reference(caseOf('b', { valueType: 'f32' }, []), matrix, idle);
    expect(second.inputs).toBe(first.inputs);
    expect(first.inputs).toEqual(SPMV.inputs(matrix, {}, 3));
    for (const roundings of [1, 2]) {
      expect(first.expected(roundings)).toEqual(expectedOf(SPMV, matrix, first.inputs, {}, { roundings }));
    }
    expect(first.expected(2).bound[0]).toBeGreaterThan(first.expected(1).bound[0]);
  });

  test('gives a matrix that is converted as every value type stores it', async () => {
    const oracle = new BenchOracle(CONVERT, {}, 3, pace);
    const ofType = (valueType: string, factor: number): BenchCase => {
      const bench = caseOf('a', { valueType }, []);
      const decode = (): Matrix =>
        denseMatrix(
          2,
          3,
          matrix.data.map((v) => factor * v),
        );
      return { ...bench, format: { ...bench.format, decode } };
    };
    for (const [valueType, factor] of [
      ['f16', 2],
      ['bf16', 3],
      ['f16', 2],
    ] as const) {
      const { inputs, expected } = await oracle.reference(ofType(valueType, factor), matrix, idle);
      expect([...inputs.h]).toEqual([...matrix.data].map((v) => factor * v));
      expect([...expected(1).output]).toEqual([...inputs.h]);
    }
  });

  test('can be cancelled', async () => {
    const oracle = new BenchOracle(SPMV, {}, 3, pace);
    const run = oracle.reference(caseOf('a', {}, []), matrix, { ...idle, cancelled: true });
    await expect(run).rejects.toThrow(CancelledError);
  });
});

test('a row without entries is exactly 0, and one that may overflow on the way has no bound', () => {
  const m = denseMatrix(3, 2, Float32Array.of(0, 0, 3e38, 3e38, 1, 1));
  const { output, bound } = expectedOf(SPMV, m, { x: Float32Array.of(1, -1) }, {}, { roundings: 1 });
  expect([...output]).toEqual([0, 0, 0]);
  expect([bound[0], bound[1]]).toEqual([0, Number.POSITIVE_INFINITY]);
  expect(bound[2]).toBeGreaterThan(0);
  expect(bound[2]).toBeLessThan(1e-5);
});
