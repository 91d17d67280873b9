import { useApp, useDocument, useSession } from '../../../kit/app-context.ts';
import { JobProgress } from '../../../kit/controls/JobProgress.tsx';
import { isApple } from '../../../kit/shortcuts.ts';
import { type BenchForm, placeToRun, runProblem, withOperation } from '../../../state/bench-form.ts';
import { FIRST_OPERATION, type OperationQuery, withUsualOperation } from '../../../state/bench-form-store.ts';
import { useBenchSetup } from '../form/bench-setup.ts';
import { TextButton } from '../../../kit/controls/Button.tsx';

/** The settings with which Run answers the sentence. */
function formForSentence(form: BenchForm, asked: OperationQuery): BenchForm {
  const first = withUsualOperation(withOperation(form, FIRST_OPERATION), asked);
  return { ...first, pair: true, workload: 'stage', memory: 'cold' };
}

interface RunBarProps {
  /** runs A against B */
  readonly onRun: () => void;
  readonly onRunAll: () => void;
  /** this device has times of the sentence */
  readonly hasTimes: boolean;
}

/** Measures A against B on this device; all formats are one more click away. */
export function RunBar({ onRun, onRunAll, hasTimes }: RunBarProps) {
  const { session, benchForm, formats } = useApp();
  const tokens = useDocument((doc) => doc.tokens);
  const format = useDocument((doc) => doc.format);
  const setup = useBenchSetup();
  const running = useSession((s) => s.bench.running !== null);
  const opening = useSession((s) => s.opening !== null);
  const problem = runProblem(setup);
  const { form } = setup;
  const asked = formForSentence(form, { tokens, group: formats.find(({ id }) => id === format)?.group ?? '' });
  const isAsAsked =
    form.pair && form.workload === 'stage' && form.memory === 'cold' && form.operation === asked.operation;
  // Waits for a matrix that is being opened.
  const disabled = problem !== null || (setup.form.workload === 'stage' && !setup.openMatrix && !opening);
  const isReady = setup.device?.kind === 'ready';
  const isSoftware = setup.device?.kind === 'ready' && setup.device.environment.isFallback;
  const where =
    placeToRun(setup.form, setup.device) === 'cpu' ? 'the CPU' : isSoftware ? 'the software GPU' : 'this device';
  return (
    <section className="run-bar stack gap-1 text-end shrink-0" aria-label="Run">
      {/* Not disabled while they run: the focus of who pressed one would fall out of the page. */}
      <button
        type="button"
        className={isReady ? 'button button--solid' : 'button'}
        disabled={disabled}
        aria-disabled={running}
        onClick={running ? undefined : onRun}
      >
        {/* A run in progress does not count yet. */}
        {hasTimes && !running ? 'Run again' : 'Run'} on {where} <kbd>{isApple() ? '⌘↵' : 'Ctrl ↵'}</kbd>
      </button>
      <TextButton disabled={disabled} aria-disabled={running} onClick={running ? undefined : onRunAll}>
        Run all formats
      </TextButton>
      {problem !== null && <p className="field-hint">{problem}</p>}
      {problem === null && !isAsAsked && (
        <p className="field-hint">
          as set below <TextButton onClick={() => benchForm.setState(asked)}>A against B instead</TextButton>
        </p>
      )}
      {setup.device?.kind === 'unavailable' && (
        <p className="field-hint">
          {setup.device.reason} <TextButton onClick={() => void session.refreshDevice()}>look again</TextButton>
        </p>
      )}
    </section>
  );
}

/** The measurement in progress, with a button to cancel it. */
export function RunProgress() {
  const { session } = useApp();
  const running = useSession((s) => s.bench.running);
  if (!running) return null;
  return (
    <div className="bench-running mb-4">
      <JobProgress job={running.job} onCancel={session.cancelBench} />
    </div>
  );
}
