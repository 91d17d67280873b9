import { describe, expect, it } from 'vitest';
import { defaultParams } from '../../core/format.ts';
import { finish } from '../../core/job.ts';
import { statisticsSteps } from '../../core/statistics/matrix-statistics.ts';
import { buildMatrix } from '../../../test/arbitraries.ts';
import { ecCsr } from './index.ts';
import { DELTA_BITS, type EcCsrParams, LANES, VECTOR_SIZES } from './params.ts';

describe('candidates for the smallest encoding', () => {
  it.each([
    { shape: [64, 64] as const, density: 0.3 },
    { shape: [64, 400] as const, density: 0.5 },
    { shape: [32, 1024] as const, density: 0.03 },
    { shape: [32, 32_768] as const, density: 0.0002 },
  ])('hold the smallest of all without blocks: $shape at $density', ({ shape, density }) => {
    const m = buildMatrix({
      shape: [...shape],
      pattern: 'uniform',
      density,
      values: 'normal',
      seed: 3,
      storage: 'entries',
    });
    const p: EcCsrParams = defaultParams(ecCsr.params);
    const bytes = (one: EcCsrParams): number => ecCsr.storage(ecCsr.encode(m, one)).totalBytes;
    const every = LANES.flatMap((lanes) =>
      VECTOR_SIZES.flatMap((vectorSize) =>
        DELTA_BITS.map((deltaBits) => bytes({ ...p, lanes, vectorSize, deltaBits, maxGranularity: 1 })),
      ),
    );
    const s = finish(statisticsSteps(m, { groups: [], blocks: [] }));
    const candidates = ecCsr.comparison.candidates?.(s, p) ?? [];
    expect(candidates.length).toBeLessThanOrEqual(6);
    const least = candidates.reduce((smallest, one) => Math.min(smallest, bytes(one)), Infinity);
    expect(least).toBeLessThanOrEqual(every.reduce((a, b) => Math.min(a, b)));
  });
});
