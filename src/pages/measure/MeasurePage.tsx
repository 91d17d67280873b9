import './measure.css';
import { memo, Suspense, useCallback, useDeferredValue, useEffect, useMemo } from 'react';
import { useApp, useDocument, useSession } from '../../kit/app-context.ts';
import { PageChoices } from '../../kit/browser/PageChoices.tsx';
import { DeviceBar } from '../../kit/devices/DeviceBar.tsx';
import { nameAfterOn } from '../../kit/devices/DeviceLabel.tsx';
import { Boundary } from '../../kit/frame/Boundary.tsx';
import { useUserRun } from '../../kit/frame/shell-context.ts';
import { type NamedQuery, useCrossoverText } from '../../kit/report/crossover-text.ts';
import { shape } from '../../kit/words/quantity.ts';
import { baseOf, pageState, REFERENCE_FORMAT, type Device } from '../../state/index.ts';
import { MEASURE_FIELDS } from './address.ts';
import { AnswerHead, Cite, RecordedTimes } from './answer/AnswerHead.tsx';
import { answerReport } from './answer/answer-words.ts';
import { allTimesOf } from './answer/all-times.ts';
import { isTimedOnlyRepeated, RepeatedRun } from './answer/RepeatedRun.tsx';
import { isRepeated } from '../../kit/report/run-verdict.ts';
import { RunBar } from './answer/RunBar.tsx';
import { RunProgress, RunState } from './answer/RunState.tsx';
import { TimeBars } from './answer/TimeBars.tsx';
import { type MeasuredPair, useMeasured } from './answer/use-measured.ts';
import { MeasureDetails } from './details/MeasureDetails.tsx';
import { startRun } from './form/bench-setup.ts';
import { useVisibleRun } from './use-shown-run.ts';
import { lazyPart } from '../../kit/browser/lazy-part.ts';
import { StyledWords } from '../../kit/primitives/Text.tsx';

const SpeedChart = lazyPart(async () => (await import('./answer/SpeedChart.tsx')).SpeedChart);

/** Drawn after the rest, since a report may have thousands of rows. */
const DeferredDetails = memo(MeasureDetails);

/** The page Measure: times of formats A and B on the open matrix, the button of a run, charts, collapsible details. */
export function MeasurePage() {
  const app = useApp();
  const { benchForm, formats } = app;
  const section = useDocument((doc) => pageState(doc, MEASURE_FIELDS).fold);
  const allShapes = section !== ''; // details sections show times on other shapes too
  const { measuredPair, visibleDevice, timesOf } = useMeasured(allShapes);
  const { device, dropDeviceChoice } = visibleDevice;
  const [a, b] = measuredPair?.sides ?? [];
  const visibleRun = useVisibleRun(device, measuredPair && answerReport(measuredPair));
  // A run of a larger matrix, which repeats this one, measures nothing of this one.
  const isRunning = useSession((s) => s.bench.running !== null && !isRepeated(s.bench.running.request));
  const newest = useSession((s) => s.bench.runs[0]?.id ?? null);
  // When a run begins, and at its first report, a choice of another device is dropped: the new times are to be seen.
  useEffect(() => {
    if (isRunning) dropDeviceChoice();
  }, [isRunning, newest, dropDeviceChoice]);
  const run = useCallback(() => startRun(app), [app]);
  useUserRun(run); // Ctrl Enter does the same
  const runAll = (): void => {
    benchForm.setState({ pair: false, formats: formats.map(({ id }) => id).filter((id) => id !== REFERENCE_FORMAT) });
    startRun(app);
  };
  const all = useMemo(
    () => measuredPair && allTimesOf({ formats, device, measuredPair }),
    [formats, device, measuredPair],
  );
  const isWaiting = measuredPair !== null && visibleDevice.loading !== null && answerReport(measuredPair) === null;
  const shapeNote = useLargestShapeNote();
  const thisDevice = visibleDevice.devices.find(({ kind }) => kind === 'this');
  const timesHere = thisDevice && timesOf(thisDevice).pair;
  const hasTimesHere = timesHere !== undefined && (timesHere.a ?? timesHere.b) !== null;
  const detailsProps = useDeferredValue(
    useMemo(
      () => ({ measuredPair, visibleDevice, timesOf, visibleRun }),
      [measuredPair, visibleDevice, timesOf, visibleRun],
    ),
  );
  return (
    <main
      className="measure-page px-(--page-margin) pt-5 max-lg:px-3 max-lg:pt-3 flex flex-col min-w-0 min-h-0 flex-1 *:flex-none overflow-x-hidden overflow-y-auto [scrollbar-gutter:stable] @container"
      id="content"
      tabIndex={-1}
    >
      <div className="flex @max-[44rem]:flex-col justify-between items-start gap-y-6 gap-x-8">
        <Boundary name="The answer">
          <div className="flex-1 max-w-[64rem]">
            <AnswerHead measuredPair={measuredPair} visibleDevice={visibleDevice} all={all} />
            {measuredPair && <CrossoverText measuredPair={measuredPair} device={device} />}
          </div>
        </Boundary>
        <RunBar onRun={run} onRunAll={runAll} hasTimes={hasTimesHere} />
      </div>
      <DeviceBar
        visibleDevice={visibleDevice}
        extraNote={shapeNote}
        note={<Cite measuredPair={measuredPair} visibleDevice={visibleDevice} />}
      />
      {measuredPair && <RecordedTimes measuredPair={measuredPair} visibleDevice={visibleDevice} timesOf={timesOf} />}
      <RunProgress />
      <RunState runs={visibleRun.runs} />
      {measuredPair && isTimedOnlyRepeated(measuredPair) && !isWaiting && (
        <RepeatedRun measuredPair={measuredPair} thisDevice={thisDevice} />
      )}
      {measuredPair && !isWaiting && (
        <Boundary name="The picture" resetKey={`${device.id} ${measuredPair.summary.generation}`}>
          <TimeBars
            measuredPair={measuredPair}
            device={device}
            isRunning={isRunning && device.kind === 'this'}
            all={all}
          />
          <Suspense fallback={<div className="min-h-80" />}>
            {a && b && <SpeedChart measuredPair={measuredPair} a={a} b={b} device={device} />}
          </Suspense>
        </Boundary>
      )}
      <PageChoices page={MEASURE_FIELDS}>
        <DeferredDetails {...detailsProps} />
      </PageChoices>
    </main>
  );
}

/** The density below which A is faster than B, as text. */
function CrossoverText({ measuredPair, device }: { readonly measuredPair: MeasuredPair; readonly device: Device }) {
  const { matrix, sides, queryA, queryB } = measuredPair;
  const nameA = sides[0].name;
  const nameB = sides[1]?.name ?? null;
  const a = useMemo((): NamedQuery => ({ query: queryA, name: nameA }), [queryA, nameA]);
  const b = useMemo(
    (): NamedQuery | null => (queryB && nameB !== null ? { query: queryB, name: nameB } : null),
    [queryB, nameB],
  );
  const status = useSession((s) => s.device);
  const words = useCrossoverText({ matrix, device, deviceName: nameAfterOn(device, status), a, b });
  if (words === null) return null;
  return (
    <p className="text-muted text-15 mt-1">
      <StyledWords words={words} isStrongDarker />
    </p>
  );
}

/** For a model or a layer, a text on the matrix that is timed; null for a single matrix. */
function useLargestShapeNote(): string | null {
  const base = useDocument(({ source }) => baseOf(source));
  const summary = useSession((s) => s.summary);
  if (base.kind !== 'model' || base.matrix !== undefined || !summary?.location) return null;
  const { matrix, model } = summary.location;
  const matrixName = base.layer === undefined ? model : `layer ${base.layer} of ${model}`;
  return `The largest shape of ${matrixName} is timed: ${matrix}, ${shape(summary.rows, summary.cols)}.`;
}
