import '../../kit/styles/bench.css';
import './measure.css';
import { memo, Suspense, useCallback, useDeferredValue, useEffect, useMemo } from 'react';
import { useApp, useDocument, useSession } from '../../kit/app-context.ts';
import { PlaceChoices } from '../../kit/browser/PlaceChoices.tsx';
import { DeviceBar } from '../../kit/devices/DeviceBar.tsx';
import { Boundary } from '../../kit/frame/Boundary.tsx';
import { useOwnRun } from '../../kit/frame/shell-context.ts';
import { shape } from '../../kit/words/quantity.ts';
import { baseOf, placeState } from '../../state/index.ts';
import { REFERENCE_FORMAT } from '../../state/reference-format.ts';
import { MEASURING } from './address.ts';
import { AnswerHead } from './answer/AnswerHead.tsx';
import { RunBar, RunProgress } from './answer/RunBar.tsx';
import { RunState } from './answer/RunState.tsx';
import { TimeBars } from './answer/TimeBars.tsx';
import { type DeviceTimes, type Measured, useMeasured } from './answer/use-measured.ts';
import { MeasureFolds } from './folds/MeasureFolds.tsx';
import { startRun } from './form/bench-setup.ts';
import { useShownRun } from './use-runs.ts';
import { useShowFold } from './use-show-fold.ts';
import { lazyPart } from '../../kit/browser/lazy-part.ts';
import type { ShownDevice } from '../../kit/devices/use-device.ts';
import type { Device } from '../../state/devices/device.ts';

const SpeedChart = lazyPart(async () => (await import('./answer/SpeedChart.tsx')).SpeedChart);
const DeviceTable = lazyPart(async () => (await import('./answer/DeviceTable.tsx')).DeviceTable);

interface SideBySideProps {
  readonly measured: Measured;
  readonly shown: ShownDevice;
  readonly timesOf: (device: Device) => DeviceTimes;
}

/** Below the bars: the same by how much is left, and on other devices. */
function SideBySide({ measured, shown, timesOf }: SideBySideProps) {
  const [a, b] = measured.sides;
  return (
    <div className="measure-two">
      <Suspense fallback={<div className="measure-room" />}>
        {b && <SpeedChart measured={measured} a={a} b={b} device={shown.device} />}
        <DeviceTable measured={measured} shown={shown} timesOf={timesOf} />
      </Suspense>
    </div>
  );
}

/** Drawn after the answer: a report of thousands of rows fills several folds. */
const LaterFolds = memo(MeasureFolds);

/** How fast A and B multiply the matrix of the sentence, and what holds them back. */
export function MeasurePage() {
  const app = useApp();
  const { benchForm, formats } = app;
  const fold = useDocument((doc) => placeState(doc, MEASURING).fold);
  const { measured, shown, timesOf } = useMeasured(fold !== '');
  const { device, release } = shown;
  const answering = (measured?.sides[0].timed ?? measured?.sides[1]?.timed)?.report ?? null;
  const shownRun = useShownRun(device, answering);
  const isRunning = useSession((s) => s.bench.running !== null);
  const newest = useSession((s) => s.bench.runs[0]?.id ?? null);
  // What is measured or imported here is shown.
  useEffect(() => {
    if (isRunning) release();
  }, [isRunning, newest, release]);
  const run = useCallback(() => startRun(app), [app]);
  useOwnRun(run);
  const showKernels = useShowFold('kernels');
  const runAll = (): void => {
    benchForm.setState({ pair: false, formats: formats.map(({ id }) => id).filter((id) => id !== REFERENCE_FORMAT) });
    showKernels();
    startRun(app);
  };
  const level = useLevel();
  const folds = useDeferredValue(useMemo(() => ({ measured, shown, shownRun }), [measured, shown, shownRun]));
  return (
    <main className="measure" id="content" tabIndex={-1}>
      <div className="measure-head">
        <Boundary name="The answer">
          <AnswerHead measured={measured} shown={shown} />
        </Boundary>
        <RunBar onRun={run} onRunAll={runAll} measured={measured} />
      </div>
      <DeviceBar shown={shown} onMeasure={isRunning ? null : run} lacks={level} />
      <RunProgress />
      <RunState runs={shownRun.runs} />
      {measured && (
        <Boundary name="The picture" follows={`${device.id} ${measured.summary.generation}`}>
          <TimeBars measured={measured} device={device} isRunning={isRunning && device.kind === 'this'} />
          <SideBySide measured={measured} shown={shown} timesOf={timesOf} />
        </Boundary>
      )}
      <PlaceChoices of={MEASURING}>
        <LaterFolds {...folds} />
      </PlaceChoices>
    </main>
  );
}

/** Of a model or a layer one matrix is timed: which, as one sentence; null for a single matrix. */
function useLevel(): string | null {
  const base = useDocument(({ source }) => baseOf(source));
  const summary = useSession((s) => s.summary);
  if (base.kind !== 'model' || base.matrix !== undefined || !summary?.place) return null;
  const { matrix, model } = summary.place;
  const of = base.layer === undefined ? model : `layer ${base.layer} of ${model}`;
  return `The shape with the most bytes of ${of} is timed: ${matrix}, ${shape(summary.rows, summary.cols)}.`;
}
