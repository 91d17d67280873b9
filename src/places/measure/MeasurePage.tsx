import '../../kit/styles/bench.css';
import { useState } from 'react';
import type { BenchReport } from '../../core/report.ts';
import type { MatrixSummary } from '../../engine/matrix/types.ts';
import type { BenchRun } from '../../state/index.ts';
import { useApp, useSession } from '../../kit/app-context.ts';
import { DeviceBar } from '../../kit/devices/DeviceBar.tsx';
import { type Device, isBound } from '../../state/devices/device.ts';
import { bandwidth } from '../../kit/words/rates.ts';
import { startRun } from './form/start-run.ts';
import { nearest, RECORDED, useRuns } from './use-runs.ts';
import { QuestionFrame } from '../../kit/frame/QuestionFrame.tsx';
import { Boundary } from '../../kit/frame/Boundary.tsx';
import { BenchControls } from './form/BenchControls.tsx';
import { NothingYet } from './form/NothingYet.tsx';
import { BenchFacts } from './report/BenchFacts.tsx';
import { BenchResult } from './report/BenchResult.tsx';

/** Runs the real kernels: what to run, the results, and the device. */
export function MeasurePage({ wide }: { readonly wide: boolean }) {
  const { runs, shownWith } = useRuns();
  const [chosen, setChosen] = useState<number | null>(null);
  const run = runs.find((r) => r.id === chosen) ?? runs[0] ?? null;
  // A new run is shown automatically; choosing an older one lasts until the next.
  const [newest, setNewest] = useState(runs[0]?.id ?? null);
  if ((runs[0]?.id ?? null) !== newest) {
    setNewest(runs[0]?.id ?? null);
    setChosen(null);
  }

  const app = useApp();
  const isRunning = useSession((s) => s.bench.running !== null);
  const startHere = isRunning ? null : (): void => startRun(app);

  // A sweep first shows the report in its middle; while it runs, the newest. A recording first shows the report
  // most like the matrix on the stage.
  const growing = useSession((s) => s.bench.running?.run ?? null);
  const [place, setPlace] = useState<{ readonly run: number; readonly index: number } | null>(null);
  const matrix = useSession((s) => s.summary);
  const middle = run ? (run.id === growing ? run.reports.length - 1 : firstShown(run, matrix)) : 0;
  const report = run?.reports[place && place.run === run.id ? place.index : middle] ?? null;
  const show = (shown: BenchReport): void => {
    if (run) setPlace({ run: run.id, index: run.reports.indexOf(shown) });
  };

  const on = shownWith(report);
  const shown = `${run?.id} ${report && run?.reports.indexOf(report)}`;
  const controls = (
    <Boundary name="What to run">
      <BenchControls />
    </Boundary>
  );
  const result = (
    <>
      <DeviceBar shown={on} onMeasure={startHere} />
      <Boundary name="The result" follows={shown}>
        <BenchResult
          run={run}
          report={report}
          runs={runs}
          onChoose={setChosen}
          onShow={show}
          nothing={isBound(on.device) ? <Bound device={on.device} /> : <NothingYet />}
        />
      </Boundary>
    </>
  );
  const facts = (
    <Boundary name="What was measured on" follows={shown}>
      <BenchFacts run={run} report={report} />
    </Boundary>
  );
  return (
    <QuestionFrame
      wide={wide}
      name="Result"
      className="bench"
      narrow="left first"
      leastCentre={420}
      left={{ name: 'What to run', width: 'Width of the controls', least: 220, most: 480, content: controls }}
      right={{ name: 'What was measured on', width: 'Width of the facts', least: 240, most: 480, content: facts }}
    >
      {result}
    </QuestionFrame>
  );
}

/** In the place of results, of a device on which nothing was measured. */
function Bound({ device: { name, roofs } }: { readonly device: Device }) {
  const { session } = useApp();
  return (
    <div className="bench-empty">
      <h2 className="bench-sentence">
        Nothing was measured on {name}: it reads at most {bandwidth(roofs?.readGBps ?? 0)}, and no kernel is faster than
        its bytes.
      </h2>
      <p className="bench-state">
        <button
          type="button"
          className="button"
          onClick={() => session.follow('question', { id: 'roofline', choices: {} })}
        >
          What each format could reach at most
        </button>
      </p>
    </div>
  );
}

/** Where the report is that is shown first. */
function firstShown({ id, reports }: BenchRun, matrix: MatrixSummary | null): number {
  return id === RECORDED && matrix !== null ? nearest(reports, matrix) : middleOf(reports);
}

/** The middle report of the last operation, which in a sweep over several is the whole. */
function middleOf(reports: readonly BenchReport[]): number {
  const operation = reports.at(-1)?.workload.operation;
  const places = reports.flatMap((report, i) => (report.workload.operation === operation ? [i] : []));
  return places[Math.floor(places.length / 2)] ?? 0;
}
