import { useId } from 'react';
import { useApp, useSession } from '../../../kit/app-context.ts';
import { Check } from '../../../kit/controls/Check.tsx';
import { softwareSentence } from '../../../kit/words/no-card.ts';
import { runsInSoftware, toRequest } from '../../../state/bench-form.ts';
import { placeState, withPlace } from '../../../state/index.ts';
import { type Measuring, MEASURING } from '../address.ts';
import { sweepChoice, sweepOffers, toSweep } from './bench-sweep.ts';
import { useBenchSetup } from './use-bench-setup.ts';

const LABEL = 'Time it anyway';

function useChoose(): (software: Measuring['software']) => void {
  const { document } = useApp();
  return (software) => {
    const doc = document.getState();
    document.setState(withPlace(doc, MEASURING, { ...placeState(doc, MEASURING), software }));
  };
}

/** Whether kernels are timed on a software adapter; nothing where there is a card. */
export function TimeAnywayChoice() {
  const id = useId();
  const setup = useBenchSetup();
  const choose = useChoose();
  if (setup.device?.kind !== 'ready' || !runsInSoftware(setup)) return null;
  return (
    <div>
      <Check
        checked={setup.timesSoftware ?? false}
        describedBy={id}
        onChange={(checked) => choose(checked ? 'time' : 'verify')}
      >
        {LABEL}
      </Check>
      <p className="field-hint" id={id}>
        {softwareSentence(setup.device.environment)}
      </p>
    </div>
  );
}

/** Runs what is chosen on a software adapter, timed; null where there is none. */
export function useTimeSoftware(): (() => void) | null {
  const { session } = useApp();
  const setup = useBenchSetup();
  const choose = useChoose();
  if (setup.device?.kind !== 'ready' || !runsInSoftware(setup)) return null;
  return () => {
    choose('time');
    void session.runBench(toRequest({ ...setup, timesSoftware: true }));
  };
}

/** Below a run that was only verified: runs it again, timed. */
export function TimeAnyway({ isSweep }: { readonly isSweep: boolean }) {
  const { session } = useApp();
  const setup = useBenchSetup();
  const choose = useChoose();
  const running = useSession((s) => s.bench.running !== null);
  if (setup.device?.kind !== 'ready' || !runsInSoftware(setup)) return null;
  const run = (): void => {
    choose('time');
    const timed = { ...setup, timesSoftware: true };
    if (!isSweep) return void session.runBench(toRequest(timed));
    const { request, axis } = toSweep(timed, sweepChoice(setup.form, sweepOffers(setup)).choice);
    void (axis ? session.runSweep(request, axis) : session.runBench(request));
  };
  return (
    <p className="bench-anyway">
      <button type="button" className="button" aria-disabled={running} onClick={running ? undefined : run}>
        {LABEL}
      </button>
      <span className="quiet">{softwareSentence(setup.device.environment)}</span>
    </p>
  );
}
