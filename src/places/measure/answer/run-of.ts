import type { BenchReport } from '../../../core/report.ts';
import type { MatrixSummary } from '../../../engine/matrix/types.ts';
import type { BenchRun } from '../../../state/index.ts';
import { type TimedMatrix, type FormatQuery, isTimeOf, isOf, namesOf } from '../../../kit/report/matrix-times.ts';

/** The question of the sentence: the matrix, the number of tokens, the formats. */
export interface SentenceQuery {
  readonly summary: Pick<MatrixSummary, 'name' | 'source' | 'rows' | 'cols' | 'nnz' | 'sampledRows'>;
  readonly asked: Pick<TimedMatrix, 'tokens'>;
  readonly queryA: FormatQuery;
  readonly queryB: FormatQuery | null;
}

/** A run, with its report that answers the sentence. */
export interface RunOf {
  readonly run: BenchRun;
  readonly report: BenchReport;
}

/**
 * The newest run in this browser that answers the sentence: on its matrix, in A and in B, timed or refused. Null if there is
 * none. O(runs × rows).
 */
export function newestRunOf(runs: readonly BenchRun[], sentence: SentenceQuery): RunOf | null {
  for (const run of runs) {
    if (run.origin !== 'measured') continue;
    const report = run.reports.findLast((one) => isOfSentence(one, sentence));
    if (report) return { run, report };
  }
  return null;
}

function isOfSentence(report: BenchReport, { summary, asked, queryA, queryB }: SentenceQuery): boolean {
  if (!isTimeOf(report, asked) || !isOnMatrix(report.workload, summary)) return false;
  const tried = [...report.rows, ...report.refused].filter(({ draft }) => draft === undefined);
  return [queryA, queryB].every((query) => query === null || tried.some(isOf(query, report.workload)));
}

/**
 * Whether a run was on the matrix of a sentence: by its name, which a run of the settings writes as a spec, and by its counts.
 */
function isOnMatrix(workload: BenchReport['workload'], summary: SentenceQuery['summary']): boolean {
  const { name, source, rows, cols, nnz, sampledRows } = summary;
  const isNamed = namesOf({ name, source }).includes(workload.source);
  // The number of non-zeros of stand-in weights is an estimate until they are generated in full.
  const differs = Math.abs(workload.nnz - nnz);
  const hasAsMany = sampledRows === undefined ? differs === 0 : differs < 0.005 * nnz;
  return isNamed && workload.rows === rows && workload.cols === cols && hasAsMany;
}
