import '../../kit/styles/bench.css';
import './measure.css';
import { memo, Suspense, useCallback, useDeferredValue, useEffect, useMemo } from 'react';
import { useApp, useDocument, useSession } from '../../kit/app-context.ts';
import { PlaceChoices } from '../../kit/browser/PlaceChoices.tsx';
import { DeviceBar } from '../../kit/devices/DeviceBar.tsx';
import { nameAfterOn } from '../../kit/devices/DeviceLabel.tsx';
import { Boundary } from '../../kit/frame/Boundary.tsx';
import { useOwnRun } from '../../kit/frame/shell-context.ts';
import { type NamedQuery, useCrossoverSentence } from '../../kit/report/crossover-sentence.ts';
import { shape } from '../../kit/words/quantity.ts';
import { baseOf, placeState } from '../../state/index.ts';
import { REFERENCE_FORMAT } from '../../state/reference-format.ts';
import { MEASURE_FIELDS } from './address.ts';
import { AnswerHead, Cite } from './answer/AnswerHead.tsx';
import { RecordedBeside } from './answer/RecordedBeside.tsx';
import { RunBar, RunProgress } from './answer/RunBar.tsx';
import { RunState } from './answer/RunState.tsx';
import { TimeBars } from './answer/TimeBars.tsx';
import { type Measured, useMeasured } from './answer/use-measured.ts';
import { MeasureFolds } from './folds/MeasureFolds.tsx';
import { startRun } from './form/bench-setup.ts';
import { useShownRun } from './use-runs.ts';
import { useShowFold } from './use-show-fold.ts';
import { lazyPart } from '../../kit/browser/lazy-part.ts';
import type { Device } from '../../state/devices/device.ts';
import { StyledWords } from '../../kit/primitives/Text.tsx';

const SpeedChart = lazyPart(async () => (await import('./answer/SpeedChart.tsx')).SpeedChart);

function ByLeft({ measured, device }: { readonly measured: Measured; readonly device: Device }) {
  const [a, b] = measured.sides;
  return (
    <Suspense fallback={<div className="measure-room" />}>
      {b && <SpeedChart measured={measured} a={a} b={b} device={device} />}
    </Suspense>
  );
}

/** Drawn after the answer, since a report of thousands of rows fills several folds. */
const LaterFolds = memo(MeasureFolds);

/** The speed of A and B on the matrix of the sentence, and its limits. */
export function MeasurePage() {
  const app = useApp();
  const { benchForm, formats } = app;
  const fold = useDocument((doc) => placeState(doc, MEASURE_FIELDS).fold);
  const { measured, shown, timesOf } = useMeasured(fold !== '');
  const { device, release } = shown;
  const answering = (measured?.sides[0].timed ?? measured?.sides[1]?.timed)?.report ?? null;
  const shownRun = useShownRun(device, answering);
  const isRunning = useSession((s) => s.bench.running !== null);
  const newest = useSession((s) => s.bench.runs[0]?.id ?? null);
  // A new measurement or import is shown.
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
  const here = shown.devices.filter(({ kind }) => kind === 'this').map((own) => timesOf(own).pair)[0];
  const folds = useDeferredValue(
    useMemo(() => ({ measured, shown, timesOf, shownRun }), [measured, shown, timesOf, shownRun]),
  );
  return (
    <main className="measure flex flex-col min-w-0 min-h-0 grow scroll-y query-width" id="content" tabIndex={-1}>
      <div className="measure-head flex justify-between items-start gap-6-8">
        <Boundary name="The answer">
          <div className="grow max-64">
            <AnswerHead measured={measured} shown={shown} />
            {measured && <Passes measured={measured} device={device} />}
          </div>
        </Boundary>
        <RunBar onRun={run} onRunAll={runAll} hasTimes={here !== undefined && (here.a ?? here.b) !== null} />
      </div>
      <DeviceBar shown={shown} lacks={level} note={<Cite measured={measured} shown={shown} />} />
      {measured && <RecordedBeside measured={measured} shown={shown} timesOf={timesOf} />}
      <RunProgress />
      <RunState runs={shownRun.runs} />
      {measured && (
        <Boundary name="The picture" resetKey={`${device.id} ${measured.summary.generation}`}>
          <TimeBars measured={measured} device={device} isRunning={isRunning && device.kind === 'this'} />
          <ByLeft measured={measured} device={device} />
        </Boundary>
      )}
      <PlaceChoices place={MEASURE_FIELDS}>
        <LaterFolds {...folds} />
      </PlaceChoices>
    </main>
  );
}

function Passes({ measured, device }: { readonly measured: Measured; readonly device: Device }) {
  const { asked, sides, queryA, queryB } = measured;
  const nameA = sides[0].name;
  const nameB = sides[1]?.name ?? null;
  const a = useMemo((): NamedQuery => ({ query: queryA, name: nameA }), [queryA, nameA]);
  const b = useMemo(
    (): NamedQuery | null => (queryB && nameB !== null ? { query: queryB, name: nameB } : null),
    [queryB, nameB],
  );
  const status = useSession((s) => s.device);
  const words = useCrossoverSentence({ matrix: asked, device, on: nameAfterOn(device, status), a, b });
  if (words === null) return null;
  return (
    <p className="quiet size-15 mt-1">
      <StyledWords words={words} isStrongDarker />
    </p>
  );
}

function useLevel(): string | null {
  const base = useDocument(({ source }) => baseOf(source));
  const summary = useSession((s) => s.summary);
  if (base.kind !== 'model' || base.matrix !== undefined || !summary?.place) return null;
  const { matrix, model } = summary.place;
  const subject = base.layer === undefined ? model : `layer ${base.layer} of ${model}`;
  return `The largest shape of ${subject} is timed: ${matrix}, ${shape(summary.rows, summary.cols)}.`;
}
