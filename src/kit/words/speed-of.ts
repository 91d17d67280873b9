import type { BenchRow } from '../../core/report.ts';

/**
 * Speed against dense with its quantiles; null where it was not compared, and where a time is below the clock's step: a
 * file may bring times of 0 ns, of which no ratio can be made.
 */
export function speedOf({ vsDense, medianNs }: BenchRow): BenchRow['vsDense'] {
  if (vsDense === null || medianNs === 0) return null;
  const { ratio, p10, p90 } = vsDense;
  return [ratio, p10, p90].every((value) => value > 0 && Number.isFinite(value)) ? vsDense : null;
}

/** Where CPU times come from, and what they are worth: every sentence with a speed that was measured there says both. */
export const ON_CPU = 'one thread of the CPU, in TypeScript';
export const NOT_OF_A_GPU = 'This says nothing about a GPU.';
