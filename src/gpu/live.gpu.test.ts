import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BenchCase } from '../core/bench/cases.ts';
import { BenchOracle } from '../core/bench/oracle.ts';
import { CancelledError, FormatError } from '../core/errors.ts';
import type { Job } from '../core/job.ts';
import { SPMV } from '../core/operations/index.ts';
import { threadPace } from '../core/pace.ts';
import type { BenchReport } from '../core/report.ts';
import { GpuContext } from './device.ts';
import { LiveGpu, type LiveOptions } from './live.ts';
import { openTestDevice, randomMatrix, TOY_WGSL, toyCase, toyFormat, toyKernel } from '../../test/gpu.ts';

const idle: Job = { report: () => {}, cancelled: false };

let context: GpuContext;
beforeEach(async () => {
  context = await openTestDevice();
});
afterEach(() => context.destroy());

/** A matrix of a density with a format that is right, one that is wrong and one that cannot hold it. */
function density(share: number) {
  const matrix = randomMatrix(130, 37, share, 1);
  const wrong = TOY_WGSL.replace('y[row] = sum;', 'y[row] = select(sum, sum + 1.0, row == 99u);');
  const toy = toyFormat('toy', [toyKernel(TOY_WGSL, 'toy/spmv_a'), toyKernel(TOY_WGSL, 'toy/spmv_b')]);
  const parts: BenchReport[] = [];
  const options: LiveOptions = {
    app: 'test',
    workload: { operation: 'spmv', rows: 130, cols: 37, nnz: matrix.nnz, density: share, source: 'test', seed: 7 },
    oracle: new BenchOracle(SPMV, {}, 7, threadPace),
    onReport: (part) => void parts.push(part),
  };
  const refused: BenchCase = {
    ...toyCase(toyFormat('full', [toyKernel()]), matrix),
    encode: () => Promise.reject(new FormatError('found 5 in row 1, expected 4')),
  };
  const quick: BenchCase[] = [
    { ...toyCase(toy, matrix), kernels: 'auto' },
    toyCase(toyFormat('bad', [toyKernel(wrong, 'bad/spmv')]), matrix),
    refused,
  ];
  const slow = toyCase(toyFormat('slow', [toyKernel(TOY_WGSL, 'slow/spmv')]), matrix);
  const dense = toyCase(toyFormat('dense', [toyKernel(TOY_WGSL, 'dense/spmv')]), matrix);
  return { dense, batches: [quick, [slow]], options, parts };
}

test('measures one density after the other with dense, with the variant that was chosen at first', async () => {
  const hardware = new GpuContext(context.device, { ...context.facts, isFallback: false }, context.environment);
  const first = density(0.4);
  const live = await LiveGpu.open(hardware, first.dense, first.options, idle);
  if (!live) throw new Error('found no dense kernel');
  const report = await live.measure(first.batches, first.options, idle);
  expect(report.rows.map((row) => [row.kernel, row.samplesNs.length, row.verified.ok])).toEqual([
    ['dense/spmv', 6, true],
    [expect.stringMatching(/^toy\/spmv_[ab]$/), 3, true],
    ['slow/spmv', 3, true],
    ['bad/spmv', 0, false],
  ]);
  expect(report.rows[2].rounds).toEqual([3, 4, 5]);
  expect(report.rows[2].vsDense?.reference).toBe('dense/spmv');
  expect(report.refused.map(({ reason }) => reason)).toEqual(['found 5 in row 1, expected 4']);
  expect(report.unfinished).toBeUndefined();
  expect(first.parts.map((part) => [part.unfinished?.waiting.length, part.rows[1].samplesNs.length])).toEqual([
    [1, 1],
    [1, 3],
    [0, 3],
  ]);
  const second = density(0.1);
  const again = await live.measure(second.batches, second.options, idle);
  expect(again.rows.map(({ kernel }) => kernel)).toEqual(report.rows.map(({ kernel }) => kernel));
  expect(again.workload.density).toBe(0.1);
  const cancelled = { report: () => {}, cancelled: true };
  await expect(live.measure(second.batches, second.options, cancelled)).rejects.toThrow(CancelledError);
  live.destroy();
});

test('only verifies kernels on a software adapter, and shows no time', async () => {
  const { dense, batches, options } = density(0.4);
  const live = await LiveGpu.open(context, dense, options, idle);
  const report = await live?.measure(batches, options, idle);
  expect(report?.rows.map((row) => [row.format, row.verified.ok, row.medianNs])).toEqual([
    ['dense', true, null],
    ['toy', true, null],
    ['slow', true, null],
    ['bad', false, null],
  ]);
  expect(report?.notes).toEqual(['software adapter: timed only when asked for']);
  live?.destroy();
});
