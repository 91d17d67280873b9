import type { MatrixSummary } from '../../../engine/matrix/matrix-types.ts';
import type { BenchReport } from '../../../core/report.ts';
import { useApp, useSession } from '../../../kit/app-context.ts';
import { nameAndShape } from '../../../kit/words/quantity.ts';
import { sourceWords } from '../../../generate/spec.ts';
import type { BenchRun } from '../../../state/index.ts';
import { Button } from '../../../kit/controls/Button.tsx';
import { JobProgress } from '../../../kit/controls/JobProgress.tsx';

/** The run in progress, with a button to cancel it. */
export function RunProgress() {
  const { session } = useApp();
  const running = useSession((s) => s.bench.running);
  if (!running) return null;
  return (
    <div className="max-w-[36rem] min-h-16 mb-4">
      <JobProgress job={running.job} onCancel={session.cancelBench} />
    </div>
  );
}

/** A note about the newest run if it was interrupted, with a button to continue it. */
export function RunState({ runs: [newest] }: { readonly runs: readonly BenchRun[] }) {
  const growing = useSession((s) => s.bench.running?.run ?? null);
  return newest?.origin === 'measured' && newest.rest && newest.id !== growing ? <InterruptedRun run={newest} /> : null;
}

/** Whether a run's matrix is the open one, as far as the page can decide; the engine checks more closely. */
function isSameMatrix(workload: BenchReport['workload'], { rows, cols, nnz }: MatrixSummary): boolean {
  return workload.rows === rows && workload.cols === cols && workload.nnz === nnz;
}

/** Says that a run broke off, and continues it, or names the matrix to open for that. */
export function InterruptedRun({ run }: { readonly run: BenchRun }) {
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
      <p className="flex flex-wrap items-center gap-3 mb-4">
        <span>
          Interrupted. To continue, open its matrix:{' '}
          {nameAndShape({ ...first.workload, name: sourceWords(first.workload.source) })}.
        </span>
      </p>
    );
  }
  return (
    <p className="flex flex-wrap items-center gap-3 mb-4">
      <span>This run broke off.</span>
      <Button aria-disabled={running} onClick={running ? undefined : () => void session.continueBench(run.id)}>
        Go on
      </Button>
    </p>
  );
}
