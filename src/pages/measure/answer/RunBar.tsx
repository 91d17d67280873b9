import { useRef } from 'react';
import { useApp, useDocument, useSession } from '../../../kit/app-context.ts';
import { isApple } from '../../../kit/shortcuts.ts';
import { processorFor, runProblem } from '../../../state/index.ts';
import { formForPair } from '../../../kit/report/matrix-run.ts';
import { useBenchSetup } from '../form/bench-setup.ts';
import { GpuSilence } from '../../../kit/controls/GpuSilence.tsx';
import { Button, TextButton } from '../../../kit/controls/Button.tsx';
import { useFocusFallback } from '../../../kit/browser/use-focus-fallback.ts';

interface RunBarProps {
  /** runs A against B */
  readonly onRun: () => void;
  readonly onRunAll: () => void;
  /** whether this device has a time of A or B on this matrix */
  readonly hasTimes: boolean;
}

/** The button that times the formats A and B on this device, one that times all formats, and why they cannot run. */
export function RunBar({ onRun, onRunAll, hasTimes }: RunBarProps) {
  const { session, benchForm, formats } = useApp();
  const tokens = useDocument((doc) => doc.tokens);
  const format = useDocument((doc) => doc.format);
  const setup = useBenchSetup();
  const running = useSession((s) => s.bench.running !== null);
  const opening = useSession((s) => s.opening !== null);
  const problem = runProblem(setup);
  const { form, device } = setup;
  const pairForm = formForPair(form, { tokens, group: formats.find(({ id }) => id === format)?.group ?? '' });
  const isPairForm =
    form.pair && form.workload === 'stage' && form.memory === 'cold' && form.operation === pairForm.operation;
  // A run waits for a matrix that is being opened.
  const disabled = problem !== null || (form.workload === 'stage' && !setup.openMatrix && !opening);
  const isReady = device?.kind === 'ready';
  const gpu = isReady && device.environment.isFallback ? 'the software GPU' : 'this device';
  const where = processorFor(form, device) === 'cpu' ? 'the CPU' : gpu;
  return (
    <section
      className="run-bar grid justify-items-end gap-1 max-w-[22rem] text-end flex-none @max-[44rem]:justify-items-start @max-[44rem]:max-w-none @max-[44rem]:text-start"
      aria-label="Run"
    >
      <div className="flex flex-wrap gap-2 justify-end @max-[44rem]:justify-start">
        {running && <CancelRun />}
        {/* Not disabled during a run: a disabled button would lose the focus. */}
        <button
          type="button"
          className={isReady ? 'button button--solid' : 'button'}
          disabled={disabled}
          aria-disabled={running}
          onClick={running ? undefined : onRun}
        >
          {hasTimes && !running ? 'Run again' : 'Run'} on {where}{' '}
          <kbd className="@max-[44rem]:hidden">{isApple() ? '⌘↵' : 'Ctrl ↵'}</kbd>
        </button>
      </div>
      <TextButton disabled={disabled} aria-disabled={running} onClick={running ? undefined : onRunAll}>
        Run all formats
      </TextButton>
      {problem !== null && <p className="field-hint">{problem}</p>}
      {problem === null && !isPairForm && (
        <p className="field-hint">
          as set below <TextButton onClick={() => benchForm.setState(pairForm)}>A against B instead</TextButton>
        </p>
      )}
      {!running && <GpuSilence canCancel={false} />}
      {device?.kind === 'unavailable' && (
        <p className="field-hint">
          {device.reason} <TextButton onClick={() => void session.refreshDevice()}>check again</TextButton>
        </p>
      )}
    </section>
  );
}

/** The button that cancels the run. */
function CancelRun() {
  const { session } = useApp();
  const isCancelling = useSession((s) => s.bench.running?.job.cancelling === true);
  const element = useRef<HTMLSpanElement>(null);
  useFocusFallback(element);
  return (
    <span ref={element}>
      {/* Not disabled while it ends, since the page would lose the focus. */}
      <Button aria-disabled={isCancelling} onClick={isCancelling ? undefined : session.cancelBench}>
        {isCancelling ? 'Cancelling' : 'Cancel'}
      </Button>
    </span>
  );
}
