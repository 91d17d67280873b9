import { describe, expect, test } from 'vitest';
import { completeRows, type MeasuredRow, withVerification } from './report-rows.ts';

const verified = { ok: true, outputs: 1, worstShare: 0, failures: [], failureCount: 0, checkedAfterTiming: true };

function measured(kernel: string, valueType: string, samplesNs: readonly number[], bytes = 1000): MeasuredRow {
  return {
    kernel,
    format: kernel.split('/')[0],
    title: '',
    where: 'gpu',
    params: { valueType },
    bytes,
    verified,
    samplesNs,
    runsPerSample: 1,
    copies: 1,
    encodeMs: 0,
    uploadMs: 0,
    compileMs: 0,
    firstDispatchMs: 0,
  };
}

describe('completeRows', () => {
  test('computes ratios per round, not ratios of medians', () => {
    // the clock halves in the second round: the ratio does not
    const rows = completeRows(
      [measured('dense/a', 'f16', [10, 20, 10]), measured('macko/b', 'f16', [5, 10, 5])],
      null,
      'dense',
    );
    expect(rows[1].vsDense).toEqual({ reference: 'dense/a', ratio: 2, p10: 2, p90: 2 });
    expect(rows[0].vsDense?.ratio).toBe(1);
    expect(rows[1]).toMatchObject({ medianNs: 5, GBps: 200, cached: false });
  });

  test('compares with dense of the same value type, with the fastest of several, or with any', () => {
    const rows = completeRows(
      [
        measured('dense/slow', 'f16', [40, 40]),
        measured('dense/fast', 'f16', [20, 20]),
        measured('dense/f32', 'f32', [10, 10]),
        measured('macko/a', 'f16', [10, 10]),
        measured('macko/b', 'f32', [10, 10]),
        measured('macko/c', 'i8', [10, 10]),
      ],
      null,
      'dense',
    );
    expect(rows.slice(3).map((r) => r.vsDense?.reference)).toEqual(['dense/fast', 'dense/f32', 'dense/f32']);
    expect(rows[3].vsDense?.ratio).toBe(2);
  });

  test('compares with the fastest dense kernel that is not special', () => {
    const rows = completeRows(
      [measured('dense/all', 'f16', [20, 20]), measured('dense/part', 'f16', [10, 10])],
      null,
      'dense',
      undefined,
      ['dense/part'],
    );
    expect(rows.map((r) => [r.vsDense?.reference, r.vsDense?.ratio])).toEqual([
      ['dense/all', 1],
      ['dense/all', 2],
    ]);
  });

  test('compares a slower dense kernel with the faster one that joined a little later, not with itself', () => {
    const early = measured('dense/slow', 'f16', [40, 40, 40, 40]);
    const late = { ...measured('dense/fast', 'f16', [20, 20, 20]), rounds: [1, 2, 3] };
    const joined = { ...measured('dense/again', 'f16', [10]), rounds: [3] };
    const rows = completeRows([early, late, joined], null, 'dense');
    expect(rows.map((r) => [r.vsDense?.reference, r.vsDense?.ratio])).toEqual([
      ['dense/fast', 0.5],
      ['dense/fast', 1],
      ['dense/again', 1],
    ]);
  });

  test('compares 4-bit cells with the value type that `comparedWith` returns for them', () => {
    const samples = [measured('dense/a', 'i4', [5, 5]), measured('dense/a', 'f16', [20, 20])];
    const comparedWith = (valueType: unknown): unknown => (valueType === 'i4' ? 'f16' : valueType);
    const rows = completeRows([...samples, measured('macko/b', 'f16', [10, 10])], null, 'dense', comparedWith);
    expect(rows.map((r) => r.vsDense)).toEqual([
      { reference: 'dense/a', valueType: 'f16', ratio: 4, p10: 4, p90: 4 },
      { reference: 'dense/a', ratio: 1, p10: 1, p90: 1 },
      { reference: 'dense/a', ratio: 2, p10: 2, p90: 2 },
    ]);
    // A kernel is never compared with itself.
    expect(completeRows([samples[0]], null, 'dense', comparedWith)[0].vsDense).toBeNull();
  });

  test('reports no speed for rounds in which the clock read 0 ns', () => {
    const samples = [measured('dense/a', 'f16', [10, 10, 10]), measured('macko/b', 'f16', [0, 0, 5])];
    expect(completeRows(samples, 100, 'dense')[1]).toMatchObject({
      medianNs: 0,
      GBps: null,
      vsDense: null,
      cached: false,
    });
    const [, row] = completeRows(
      [measured('dense/a', 'f16', [0, 10]), measured('macko/b', 'f16', [5, 5])],
      100,
      'dense',
    );
    expect(row).toMatchObject({ GBps: 200, vsDense: null });
  });

  test('has null for every figure of a kernel that was not timed', () => {
    const rows = completeRows([measured('dense/a', 'f16', []), measured('macko/b', 'f16', [5])], 100, 'dense');
    expect(rows[0]).toMatchObject({
      medianNs: null,
      p10Ns: null,
      p90Ns: null,
      GBps: null,
      vsDense: null,
      cached: false,
    });
    expect(rows[1].vsDense).toBeNull();
  });

  test('flags a time that is faster than memory can read', () => {
    const rows = completeRows([measured('a/a', 'f16', [10]), measured('a/b', 'f16', [9])], 100, 'dense');
    expect(rows.map((r) => r.cached)).toEqual([false, true]);
  });
});

test('withVerification drops the samples of a kernel that turned out wrong', () => {
  const row = measured('a/a', 'f16', [1, 2]);
  expect(withVerification(row, verified).samplesNs).toEqual([1, 2]);
  expect(withVerification(row, { ...verified, ok: false })).toMatchObject({ samplesNs: [], verified: { ok: false } });
});
