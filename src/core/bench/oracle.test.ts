import { describe, expect, test } from 'vitest';
import type { BenchCase, BenchFormat } from './cases.ts';
import { BenchOracle } from './oracle.ts';
import { CancelledError } from '../errors.ts';
import type { Job } from '../job.ts';
import { denseMatrix, type Matrix, toDense } from '../matrix/index.ts';
import { expectedOf } from '../operations/operation.ts';
import { CONVERT, GEMM, SPMV } from '../operations/index.ts';
import { verifyOutputs } from '../operations/verify.ts';
import { Random } from '../number/random.ts';

const idle: Job = { report: () => {}, cancelled: false };
const pace = { now: () => 0, pause: () => Promise.resolve() };
const matrix = Object.assign(denseMatrix(2, 3, Float32Array.of(1, 0, 2, 0, 0, 3)), { checksums: {} });

function caseOf(id: string, params: Record<string, unknown>, decoded: string[]): BenchCase {
  const format: BenchFormat = {
    id,
    title: id,
    effort: 1,
    kernels: [],
    // oxlint-disable-next-line require-yield -- done in one step
    *encodeSteps(m) {
      return Object.assign(denseMatrix(m.rows, m.cols, toDense(m)), { checksums: {} });
    },
    decode: (m: Matrix) => {
      decoded.push(id);
      return m;
    },
    multiply: () => {},
  };
  return { format, params, kernels: 'all', encode: () => Promise.resolve({ encoded: matrix, encodeMs: 0 }) };
}

describe('BenchOracle', () => {
  test('decodes once per value type, and a format without value types separately', async () => {
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

  test('decodes 4-bit values once per format and parameters: each has its own neighbours, which share a scale', async () => {
    const oracle = new BenchOracle(SPMV, {}, 3, pace);
    const decoded: string[] = [];
    for (const [id, deltaBits] of [['dense'], ['macko', 2], ['macko', 4], ['macko', 2]] as const)
      await oracle.reference(caseOf(id, { valueType: 'i4', ...(deltaBits && { deltaBits }) }, decoded), matrix, idle);
    expect(decoded).toEqual(['dense', 'macko', 'macko']);
  });

  test('gives every format the same inputs, and a bound that follows from its number of roundings', async () => {
    const oracle = new BenchOracle(SPMV, {}, 3, pace);
    const first = await oracle.reference(caseOf('a', { valueType: 'f16' }, []), matrix, idle);
    const second = await oracle.reference(caseOf('b', { valueType: 'f32' }, []), matrix, idle);
    expect(second.inputs).toBe(first.inputs);
    expect(first.inputs).toEqual(SPMV.inputs(matrix, {}, 3));
    for (const extraRoundings of [1, 2])
      expect(first.expected(extraRoundings)).toEqual(expectedOf(SPMV, matrix, first.inputs, {}, { extraRoundings }));
    expect(first.expected(2).bound[0]).toBeGreaterThan(first.expected(1).bound[0]);
  });

  test('converts a matrix as every value type stores it', async () => {
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

  test('secretCases returns two further inputs x for the same matrix, equal for all formats and different for another seed', async () => {
    const oracle = new BenchOracle(SPMV, {}, 3, pace);
    const bench = caseOf('a', { valueType: 'f16' }, []);
    const { inputs } = await oracle.reference(bench, matrix, idle);
    const { checked, last } = await oracle.secretCases(bench, matrix, 11, idle);
    const again = await oracle.secretCases(caseOf('b', { valueType: 'f16' }, []), matrix, 11, idle);
    expect(again.checked.inputs).toBe(checked.inputs);
    expect(new Set([inputs, checked.inputs, last.inputs].map(({ x }) => x.join())).size).toBe(3);
    for (const task of [checked, last]) {
      expect(task.encoded).toBe(matrix);
      expect(task.expected(1)).toEqual(expectedOf(SPMV, matrix, task.inputs, {}, { extraRoundings: 1 }));
    }
    const otherSecrets = await new BenchOracle(SPMV, {}, 3, pace).secretCases(bench, matrix, 12, idle);
    expect([...otherSecrets.last.inputs.x]).not.toEqual([...checked.inputs.x]);
  });

  test('secretCases varies the values at the same positions if the matrix is the only input', async () => {
    const oracle = new BenchOracle(CONVERT, {}, 3, pace);
    const wideMatrix = Object.assign(denseMatrix(2, 4, Float32Array.of(1, 0, 2, 3, 0, 4, 5, 0)), { checksums: {} });
    const { checked, last } = await oracle.secretCases(caseOf('a', { valueType: 'f16' }, []), wideMatrix, 4, idle);
    expect([checked, last].map(({ inputs }) => [...inputs.h])).toEqual([
      [2, 0, 3, 1, 0, 5, 4, 0],
      [3, 0, 1, 2, 0, 5, 4, 0],
    ]);
    for (const task of [checked, last]) expect([...task.expected(1).output]).toEqual([...task.inputs.h]);
  });

  test('secretCases reveals a product that is right only for the tokens that the reference samples', async () => {
    const random = new Random(1);
    const cells = Float32Array.from({ length: 2 ** 20 }, () => random.uniform() - 0.5);
    const largeMatrix = Object.assign(denseMatrix(1024, 1024, cells), { checksums: {} });
    const tokens = 300;
    const oracle = new BenchOracle(GEMM, { tokens }, 3, pace);
    const bench = caseOf('a', { valueType: 'f32' }, []);
    const reference = (await oracle.reference(bench, largeMatrix, idle)).expected(1);
    const sampledTokens = new Set(Array.from(reference.sample?.at ?? [], (index) => Math.floor(index / 1024)));
    expect(sampledTokens.size).toBeLessThan(tokens);
    const { checked, last } = await oracle.secretCases(bench, largeMatrix, 11, idle);
    for (const expected of [checked.expected(1), last.expected(1)]) {
      const { at: sampledIndices } = expected.sample ?? { at: new Uint32Array() };
      const correct = new Float32Array(tokens * 1024);
      for (const [i, position] of sampledIndices.entries()) correct[position] = expected.output[i];
      expect(verifyOutputs(correct, expected).ok).toBe(true);
      const correctInSample = correct.map((value, position) =>
        sampledTokens.has(Math.floor(position / 1024)) ? value : 0,
      );
      expect(verifyOutputs(correctInSample, expected).ok).toBe(false);
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
  const { output, bound } = expectedOf(SPMV, m, { x: Float32Array.of(1, -1) }, {}, { extraRoundings: 1 });
  expect([...output]).toEqual([0, 0, 0]);
  expect([bound[0], bound[1]]).toEqual([0, Number.POSITIVE_INFINITY]);
  expect(bound[2]).toBeGreaterThan(0);
  expect(bound[2]).toBeLessThan(1e-5);
});
