import { useApp, useSession } from '../../../kit/app-context.ts';
import { nameAndShape } from '../../../kit/words/quantity.ts';
import { sourceText } from '../../../generate/spec.ts';
import { repeatedName } from '../../../core/bench/repeated-name.ts';
import type { BenchRun } from '../../../state/index.ts';
import { Button } from '../../../kit/controls/Button.tsx';
import { JobProgress } from '../../../kit/controls/JobProgress.tsx';

/** The run in progress; the button that cancels it is next to Run. */
export function RunProgress() {
  const running = useSession((s) => s.bench.running);
  if (!running) return null;
  return (
    <div className="max-w-[36rem] min-h-16 mb-4">
      <JobProgress job={running.job} onCancel={null} />
    </div>
  );
}

/** A note about the newest run if it was interrupted, with a button to continue it. */
export function RunState({ runs: [newest] }: { readonly runs: readonly BenchRun[] }) {
  const runningId = useSession((s) => s.bench.running?.run ?? null);
  const isInterrupted = newest?.origin === 'measured' && newest.rest && newest.id !== runningId;
  return isInterrupted ? <InterruptedRun run={newest} /> : null;
}

/** A note that a run was interrupted, with a button to continue it, or the matrix to open first. */
export function InterruptedRun({ run }: { readonly run: BenchRun }) {
  const { session } = useApp();
  const running = useSession((s) => s.bench.running !== null);
  const summary = useSession((s) => s.summary);
  const workload = run.reports[0]?.workload;
  // A rough check whether the run's matrix is open; the engine makes an exact one.
  const repeatedTo = run.rest?.request.workload.kind === 'stage' ? run.rest.request.workload.repeatedTo : undefined;
  const isOpen = repeatedTo
    ? summary !== null && workload?.source === repeatedName(summary.name, repeatedTo)
    : (['rows', 'cols', 'nnz'] as const).every((count) => workload?.[count] === summary?.[count]);
  if (run.rest?.request.workload.kind === 'stage' && workload !== undefined && !isOpen) {
    return (
      <p className="flex flex-wrap items-center gap-3 mb-4">
        Interrupted. To continue, open its matrix: {nameAndShape({ ...workload, name: sourceText(workload.source) })}.
      </p>
    );
  }
  return (
    <p className="flex flex-wrap items-center gap-3 mb-4">
      <span>This run was interrupted.</span>
      <Button aria-disabled={running} onClick={running ? undefined : () => void session.continueBench(run.id)}>
        Continue
      </Button>
    </p>
  );
}
