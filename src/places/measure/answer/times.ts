import { GEMM } from '../../../core/operations/index.ts';
import type { BenchReport } from '../../../core/report.ts';
import { type Asked, type FormatQuery, timedPair, type TimedPair } from '../../../kit/report/matrix-times.ts';

/** A and B with one number of tokens. */
export interface TokensPoint extends TimedPair {
  readonly tokens: number;
}

/** The times of this matrix by tokens, ascending: those that a report has, and those that are `wanted`. */
export function timesByTokens(
  reports: readonly BenchReport[],
  asked: Asked,
  a: FormatQuery,
  b: FormatQuery | null,
  wanted: readonly number[],
): readonly TokensPoint[] {
  const measured = reports
    .filter(({ workload }) => workload.operation === GEMM.id && workload.rows === asked.rows)
    .map(({ workload }) => workload.sizes?.tokens ?? 1);
  return [...new Set([...wanted, ...measured])]
    .toSorted((one, other) => one - other)
    .map((tokens) => ({ tokens, ...timedPair(reports, { ...asked, tokens }, a, b) }))
    .filter((point) => wanted.includes(point.tokens) || point.a !== null || point.b !== null);
}
