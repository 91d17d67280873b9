import type { MatrixSummary } from '../../../engine/matrix/types.ts';
import type { BenchReport } from '../../../core/report.ts';
import { useApp, useSession } from '../../../kit/app-context.ts';
import { headline, isUntimedSoftware } from '../../../kit/report/report-view.ts';
import { useTitleOf } from '../../../kit/report/use-title-of.ts';
import { Narration } from '../../../kit/stage/Narration.tsx';
import { nameAndShape } from '../../../kit/words/quantity.ts';
import type { BenchRun } from '../../../state/index.ts';
import { TimeAnyway } from '../form/TimeAnyway.tsx';
import { newestRunOf } from './run-of.ts';
import type { Measured } from './use-measured.ts';

interface RunStateProps {
  readonly runs: readonly BenchRun[];
  /** null until there is a matrix */
  readonly measured: Measured | null;
}

/** What became of a run where its times are no answer: the newest one broke off, or that of the sentence was in software. */
export function RunState({ runs, measured }: RunStateProps) {
  const titleOf = useTitleOf();
  const growing = useSession((s) => s.bench.running?.run ?? null);
  const newest = runs[0];
  const own = measured && newestRunOf(runs, measured);
  return (
    <>
      {newest?.origin === 'measured' && newest.rest && newest.id !== growing && <BrokenOff run={newest} />}
      {own && own.run.id !== growing && own.report.environment.isFallback && (
        <div className="measure-software">
          <Narration words={headline(own.report, titleOf)} />
          {isUntimedSoftware(own.report) && <TimeAnyway isSweep={own.run.reports.length > 1} />}
        </div>
      )}
    </>
  );
}

/** As far as a page can tell; the engine checks more closely. */
function isSameMatrix(workload: BenchReport['workload'], { rows, cols, nnz }: MatrixSummary): boolean {
  return workload.rows === rows && workload.cols === cols && workload.nnz === nnz;
}

/** A message that a run failed, and a button to resume it. */
export function BrokenOff({ run }: { readonly run: BenchRun }) {
  const { session } = useApp();
  const running = useSession((s) => s.bench.running !== null);
  const summary = useSession((s) => s.summary);
  const [first] = run.reports;
  const isElsewhere =
    run.rest?.request.workload.kind === 'stage' &&
    first !== undefined &&
    (summary === null || !isSameMatrix(first.workload, summary));
  if (isElsewhere) {
    return (
      <p className="bench-rest">
        <span>
          This run was interrupted; what it measured is kept. It can continue once its matrix is open again:{' '}
          {nameAndShape({ ...first.workload, name: first.workload.source })}.
        </span>
      </p>
    );
  }
  return (
    <p className="bench-rest">
      <span>This run broke off: what it had measured is here.</span>
      <button
        type="button"
        className="button"
        aria-disabled={running}
        onClick={running ? undefined : () => void session.continueBench(run.id)}
      >
        Go on
      </button>
    </p>
  );
}
