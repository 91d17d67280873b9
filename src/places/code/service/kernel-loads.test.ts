import { describe, expect, it } from 'vitest';
import { buildMatrix } from '../../../../test/arbitraries.ts';
import { threadPace } from '../../../core/pace.ts';
import { formats } from '../../../formats/registry.ts';
import type { BenchMatrix } from '../../../engine/bench/bench-host.ts';
import { encodeTimed } from '../../../engine/matrix/encodings.ts';
import { ServiceJob } from '../../../engine/bridge/job.ts';
import { countLoads, loadsOfSubgroup } from './kernel-loads.ts';

const matrix = buildMatrix({
  shape: [70, 320],
  pattern: 'uniform',
  values: 'normal',
  density: 0.2,
  seed: 3,
  storage: 'entries',
});
const encodings = new Map<string, ReturnType<BenchMatrix['encode']>>();
const stage: BenchMatrix = {
  matrix,
  source: 'a matrix',
  encode(format, params, job) {
    const made = encodings.get(format.id) ?? encodeTimed(format, matrix, params, job, threadPace);
    encodings.set(format.id, made);
    return made;
  },
  isEncoded: () => false,
};

const job = (): ServiceJob => new ServiceJob(threadPace, () => {});
const modelled = formats.flatMap(({ kernels }) => kernels.flatMap(({ id, loads }) => (loads ? [id] : [])));

describe('what all loads of a kernel cost', () => {
  it.each(modelled)('is the sum over its subgroups: %s', async (kernel) => {
    const all = await countLoads(formats, { kernel, params: {} }, stage, job(), threadPace);
    expect(all).toMatchObject({ kernel, rows: 70, cols: 320, nnz: matrix.nnz, lanes: 32 });
    for (const { histogram, loads, cost, usedBytes } of all.arrays) {
      expect(histogram.reduce((sum, count) => sum + count, 0)).toBe(loads);
      expect(histogram.reduce((sum, count, lines) => sum + count * lines, 0)).toBe(cost);
      expect(usedBytes).toBeLessThanOrEqual(128 * cost);
    }
    // Equal shares are thousands.
    if (all.subgroups > 300) return;
    const sums = all.arrays.map(() => ({ loads: 0, cost: 0 }));
    const rows = new Set<number>();
    for (let subgroup = 0; subgroup < all.subgroups; subgroup++) {
      const one = await loadsOfSubgroup(formats, { kernel, params: {}, at: { subgroup } }, stage, job());
      for (const row of one.rowsOf) rows.add(row);
      for (const [i, site] of one.loads.siteOf.entries()) {
        const sum = sums[one.sites[site].array];
        sum.loads++;
        sum.cost += one.loads.costs[i];
      }
    }
    expect(rows.size).toBe(70);
    expect(all.arrays.map(({ loads, cost }) => ({ loads, cost }))).toEqual(sums);
  });
});

describe('the loads of a subgroup', () => {
  it.each(modelled)('are found by a row that it works on: %s', async (kernel) => {
    for (const row of [0, 33, 69]) {
      const found = await loadsOfSubgroup(formats, { kernel, params: {}, at: { row } }, stage, job());
      expect(found.rowsOf).toContain(row);
      expect(found.loads.total).toBe(found.loads.siteOf.length);
    }
  });

  it('are refused in one sentence: no such row, no such subgroup, no model, a matrix that the format refuses', async () => {
    const ask = (kernel: string, at: { subgroup: number } | { row: number }, params = {}): Promise<unknown> =>
      loadsOfSubgroup(formats, { kernel, params, at }, stage, job());
    await expect(ask('csr/spmv_scalar', { row: 70 })).rejects.toThrow(
      'row: found 70, expected a whole number below 70',
    );
    await expect(ask('csr/spmv_scalar', { subgroup: 3 })).rejects.toThrow(
      'subgroup: found 3, expected a whole number below 3',
    );
    await expect(ask('dense/spmv_subgroup', { row: 0 })).rejects.toThrow(
      /^kernel: found 'dense\/spmv_subgroup', whose loads no model describes, expected one of csr/,
    );
    await expect(ask('slidesparse/spmv_subgroup', { row: 0 }, { halfGroup: 2 })).rejects.toThrow(
      /^slidesparse\/spmv_subgroup cannot run on this matrix: /,
    );
  });

  it('are cancelled', async () => {
    const cancelled = job();
    cancelled.cancel();
    await expect(
      countLoads(formats, { kernel: 'csr/spmv_scalar', params: {} }, stage, cancelled, threadPace),
    ).rejects.toMatchObject({ name: 'CancelledError' });
  });
});
