/* Continuing an interrupted run: which of its cases are complete, and the samples that they already have. */

import { paramsKey, storedKey } from '../format.ts';
import { SparseScopeError } from '../errors.ts';
import { median } from '../number/statistics.ts';
import type { BenchReport, BenchRow, Environment, Rejection, Unfinished, Workload } from '../report.ts';
import type { BenchCase } from './cases.ts';
import { type RoundSamples, roundsOf } from './shared-rounds.ts';

/** A case with its results from an earlier session of a run that was interrupted and is now continued. */
interface EarlierCase {
  /** the case to run; if timing trials have chosen one of its kernels, with that kernel alone */
  readonly benchCase: BenchCase;
  readonly rows: readonly BenchRow[];
  readonly isIncomplete: boolean;
}

/**
 * The measurements of an earlier session of a run, and its incomplete cases: all cases, if there was no such session.
 */
export interface EarlierSession {
  /** in the order of the run's cases */
  readonly cases: readonly EarlierCase[];
  /** number of the next round */
  readonly nextRound: number;
  /** of cases that are complete */
  readonly refused: readonly Rejection[];
  readonly notes: readonly string[];
  /** the samples of one kernel of a case */
  samplesOf(benchCase: BenchCase, kernel: string): RoundSamples | undefined;
}

/** The device and the clock of a run. To continue the run, both have to be the same. */
export interface RunOrigin {
  readonly environment: Environment;
  readonly clock: Pick<BenchReport['clock'], 'source'>;
}

/**
 * The results in `before`, the report of an interrupted run, and its incomplete cases: those that wait, have neither
 * rows nor a refusal, or have correct rows that lack rounds, the second verification or final constants; then the
 * reference too, since ratios are of times in the same round. Throws SparseScopeError if `before` is of another
 * workload, device or clock. `isTimed`: false if kernels are only verified.
 */
export function earlierSession(
  cases: readonly BenchCase[],
  workload: Workload,
  reference: string,
  origin: RunOrigin,
  before: BenchReport | undefined,
  isTimed = true,
): EarlierSession {
  if (!before) {
    return {
      cases: cases.map((benchCase) => ({ benchCase, rows: [], isIncomplete: true })),
      nextRound: 0,
      refused: [],
      notes: [],
      samplesOf: () => undefined,
    };
  }
  checkSameRun(before, workload, origin);
  const withResults = cases.map((benchCase) => earlierCaseOf(benchCase, before, isTimed ? workload.rounds : null));
  const anyIncomplete = withResults.some(({ isIncomplete }) => isIncomplete);
  const earlierCases = withResults.map(({ benchCase, rows, isIncomplete }) => {
    return { benchCase, rows, isIncomplete: isIncomplete || (anyIncomplete && benchCase.format.id === reference) };
  });
  const nextRound = before.rows.reduce((next, row) => Math.max(next, (roundsOf(row).at(-1) ?? -1) + 1), 0);
  const note = `the first ${nextRound} rounds were measured before ${before.createdAt}`;
  return {
    cases: earlierCases,
    nextRound,
    refused: before.refused.filter((rejection) =>
      earlierCases.some(({ benchCase, isIncomplete }) => !isIncomplete && isOfCase(rejection, benchCase)),
    ),
    notes: [...before.notes, ...(nextRound > 0 ? [note] : [])],
    samplesOf(benchCase, kernel) {
      const row = earlierCases
        .find((earlier) => earlier.benchCase === benchCase)
        ?.rows.find((r) => r.kernel === kernel);
      return row && hasFinalConstants(row) ? row : undefined;
    },
  };
}

/** Those of the `waiting` cases that have no rows from an earlier session, as a report lists them. */
export function casesWithoutRows(before: EarlierSession, waiting: readonly BenchCase[]): Unfinished['waiting'] {
  return waiting
    .filter((waitingCase) =>
      before.cases.every(({ benchCase, rows }) => benchCase !== waitingCase || rows.length === 0),
    )
    .map(({ format, params, draft }) => ({ format: format.id, params, ...(draft && { draft }) }));
}

/** A case with its rows of an earlier report. `rounds`: how many a kernel needs; null if nothing is timed. */
function earlierCaseOf(benchCase: BenchCase, before: BenchReport, rounds: number | null): EarlierCase {
  const { kernels, except = [] } = benchCase;
  const hasKernel = ({ kernel }: BenchRow): boolean =>
    typeof kernels === 'string' ? !except.includes(kernel) : kernels.includes(kernel);
  const rows = before.rows.filter((row) => isOfCase(row, benchCase) && hasKernel(row));
  const rejected = before.refused.filter((rejection) => isOfCase(rejection, benchCase));
  const isWaiting = before.unfinished?.waiting.some((entry) => isOfCase(entry, benchCase)) ?? false;
  const isComplete = rows.every((row) => {
    const { verified, samplesNs } = row;
    if (!verified.ok || rounds === null) return true;
    return verified.checkedAfterTiming && samplesNs.length >= rounds && hasFinalConstants(row);
  });
  const isIncomplete = isWaiting || rows.length + rejected.length === 0 || !isComplete;
  const fastest = rows
    .filter((row) => row.samplesNs.length > 0 && hasFinalConstants(row))
    .toSorted((a, b) => median(a.samplesNs) - median(b.samplesNs))
    .at(0);
  const hasTimedRow = benchCase.kernels === 'auto' && fastest !== undefined;
  return { benchCase: hasTimedRow ? { ...benchCase, kernels: [fastest.kernel] } : benchCase, rows, isIncomplete };
}

/** Whether the trial of a kernel's constants was over. Earlier samples do not count: it may have chosen others. */
const hasFinalConstants = ({ searching }: BenchRow): boolean => searching !== true;

/** A row, a refusal or a waiting format of a report. */
type ReportEntry = Pick<Rejection, 'format' | 'params' | 'draft'>;

/**
 * Whether an entry is about a case: the same format, parameters and draft (a kernel that the user wrote or changed).
 */
function isOfCase(entry: ReportEntry, { format, params, draft }: BenchCase): boolean {
  if (entry.params === undefined || storedKey(format.id, params) !== storedKey(entry.format, entry.params)) {
    return false;
  }
  return draft?.of === entry.draft?.of && draft?.name === entry.draft?.name && draft?.version === entry.draft?.version;
}

/** Throws SparseScopeError if a report is about another workload, or is from another device or clock. */
function checkSameRun(before: BenchReport, workload: Workload, { environment, clock }: RunOrigin): void {
  const haveContents = workload.contents !== undefined && before.workload.contents !== undefined;
  const textOf = ({ operation, sizes, rows, cols, nnz, source, contents, seed, memory }: Workload): string => {
    const matrix = `${source}, ${rows} × ${cols} with ${nnz} non-zeros${haveContents ? `, hash ${contents}` : ''}`;
    return [operation, sizes && paramsKey(sizes), matrix, `seed ${seed}`, memory].filter(Boolean).join(', ');
  };
  const deviceOf = (origin: RunOrigin): string => {
    const { vendor, architecture, device, description } = origin.environment.adapter;
    const name = [vendor, architecture, device, description].filter((part) => part !== '').join(' ');
    return `${name || 'an unnamed device'} with the clock '${origin.clock.source}'`;
  };
  for (const [found, expected] of [
    [textOf(workload), textOf(before.workload)],
    [deviceOf({ environment, clock }), deviceOf(before)],
  ]) {
    if (found !== expected) throw new SparseScopeError(`continuing a run: found ${found}, expected ${expected}`);
  }
}
