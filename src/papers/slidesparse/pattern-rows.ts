import { storedKey } from '../../core/format.ts';
import { GEMM_I8, SPMV } from '../../core/operations/index.ts';
import type { BenchReport, BenchRow } from '../../core/report.ts';
import { speedIn } from '../../kit/report/report-view.ts';
import { PATTERN_PARAM, SLIDING_FORMAT } from './group-details.ts';

/** Whether this parameter of a format selects a pattern (2N-2):2N. */
export function isPattern(format: string, param: string): boolean {
  return format === SLIDING_FORMAT && param === PATTERN_PARAM;
}

/**
 * The operations whose kernels multiply overlapping windows, in all gamma times as many columns as the matrix has. Not
 * f16 with many tokens: its kernels load the weights into workgroup memory as dense columns.
 */
const WINDOW_OPERATIONS: readonly string[] = [SPMV.id, GEMM_I8.id];

/** A row of a report for SlideSparse, with its N (`halfGroup`) and its speed relative to dense (`ratio`). */
export interface PatternRow {
  readonly halfGroup: number;
  readonly row: BenchRow;
  readonly ratio: number;
}

/**
 * The fastest verified row of every pattern (2N-2):2N that was compared with dense, by rising N. Apart from N, all have
 * the parameters of the fastest row, and ran on GPU or CPU as it did: they differ in gamma alone. O(rows log rows).
 */
export function patternRows(report: BenchReport): readonly PatternRow[] {
  if (!WINDOW_OPERATIONS.includes(report.workload.operation)) return [];
  const candidates = report.rows
    .flatMap((row): PatternRow[] => {
      const halfGroup = row.params[PATTERN_PARAM];
      const ratio = row.verified.ok && row.format === SLIDING_FORMAT ? speedIn(report, row)?.ratio : undefined;
      return ratio === undefined || typeof halfGroup !== 'number' ? [] : [{ halfGroup, row, ratio }];
    })
    .toSorted((a, b) => b.ratio - a.ratio);
  const fastest = new Map<number, PatternRow>();
  for (const candidate of candidates) {
    const agrees = restOf(candidate.row) === restOf(candidates[0].row);
    if (agrees && !fastest.has(candidate.halfGroup)) fastest.set(candidate.halfGroup, candidate);
  }
  return [...fastest.values()].toSorted((a, b) => a.halfGroup - b.halfGroup);
}

/** Where a row ran (GPU or CPU), and its parameters without the pattern, as a key. */
function restOf({ where, params }: BenchRow): string {
  return storedKey(where, { ...params, [PATTERN_PARAM]: null });
}
