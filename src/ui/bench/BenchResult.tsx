import { useId } from 'react';
import { useStore } from 'zustand';
import { type BenchRun } from '../../state/index.ts';
import { useApp, useSession } from '../app-context.ts';
import { JobProgress } from '../parts/JobProgress.tsx';
import { density, shape } from '../parts/quantity.ts';
import { Narration } from '../stage/Narration.tsx';
import { REFERENCE_FORMAT } from './bench-form.ts';
import { headline, isUntimedSoftware, sweepSeries } from './report-view.ts';
import { KernelTable } from './KernelTable.tsx';
import { SweepChart } from './SweepChart.tsx';
import { useTitleOf } from './use-title-of.ts';

export interface BenchResultProps {
  readonly run: BenchRun | null;
  readonly runs: readonly BenchRun[];
  readonly onChoose: (id: number) => void;
}

/** What came out: a sentence, every kernel against dense, and the sweep if there was one. */
export function BenchResult({ run, runs, onChoose }: BenchResultProps) {
  const { session } = useApp();
  const running = useSession((s) => s.bench.running);
  return (
    <>
      {running && (
        <div className="bench-running">
          <JobProgress job={running.job} onCancel={session.cancelBench} />
        </div>
      )}
      {run ? (
        <div className="bench-result" aria-busy={running !== null}>
          {runs.length > 1 && <RunChoice run={run} runs={runs} onChoose={onChoose} />}
          <RunView run={run} />
        </div>
      ) : running ? (
        <KernelGhosts />
      ) : (
        <Empty />
      )}
    </>
  );
}

function Empty() {
  const device = useSession((s) => s.device);
  const { session } = useApp();
  return (
    <div className="bench-empty">
      <p className="bench-kicker">y = A x</p>
      <h2 className="bench-sentence">
        Run checks every kernel against an f64 reference, then times those that are right against dense, round by round.
      </h2>
      <KernelGhosts />
      {device?.kind === 'unavailable' && (
        <div className="bench-state">
          <p>{device.reason}</p>
          <p className="quiet">
            Everything but the GPU works: run on the CPU, or import a report that was measured elsewhere.{' '}
            <button type="button" className="text-button" onClick={() => void session.refreshDevice()}>
              look again
            </button>
          </p>
        </div>
      )}
      {device?.kind === 'ready' && device.environment.isFallback && (
        <div className="bench-state">
          <p>This browser offers a software adapter: kernels are verified on it, and no performance is shown.</p>
        </div>
      )}
    </div>
  );
}

/** The formats that Run would measure, in dashed outlines where their results will stand. */
function KernelGhosts() {
  const { benchForm, formats } = useApp();
  const chosen = useStore(benchForm, (form) => form.formats);
  return (
    <ul className="kernel-ghosts" aria-label="Formats that will run">
      {formats
        .filter((format) => format.id === REFERENCE_FORMAT || chosen.includes(format.id))
        .map((format) => (
          <li key={format.id}>
            <span className="swatch" style={{ '--swatch': `var(--format-${format.id}, var(--text-muted))` }} />
            <b>{format.title}</b>
            <span className="ghost" />
            <span className="ghost ghost--short" />
          </li>
        ))}
    </ul>
  );
}

function RunChoice({ run, runs, onChoose }: BenchResultProps & { readonly run: BenchRun }) {
  const id = useId();
  const { session } = useApp();
  return (
    <div className="run-choice">
      <label htmlFor={id} className="quiet">
        run
      </label>
      <select
        id={id}
        className="select"
        value={run.id}
        onChange={(event) => onChoose(Number(event.currentTarget.value))}
      >
        {runs.map((r) => (
          <option key={r.id} value={r.id}>
            {r.id}. {r.name}
            {r.origin === 'imported' ? ' (imported)' : ''}
          </option>
        ))}
      </select>
      <button type="button" className="text-button" onClick={() => session.removeRun(run.id)}>
        remove
      </button>
    </div>
  );
}

function RunView({ run }: { readonly run: BenchRun }) {
  const titleOf = useTitleOf();
  const { reports } = run;
  // Of a sweep, the density nearest to the middle stands for the whole.
  const report = reports[Math.floor(reports.length / 2)];
  if (!report) return <p className="faint">This report is empty.</p>;
  const { workload } = report;
  const series = sweepSeries(reports);
  // The sentence above says it already.
  const said = isUntimedSoftware(report) ? /^software adapter/i : /^$/;
  const notes = [...new Set(reports.flatMap((r) => r.notes))].filter((note) => !said.test(note));
  return (
    <>
      <p className="bench-kicker">
        {workload.operation} · y = A x · {shape(workload.rows, workload.cols)} at density {density(workload.density)} ·{' '}
        {workload.memory}
        {run.origin === 'imported' && ' · imported'}
      </p>
      <div className="bench-sentence">
        <Narration words={headline(report, titleOf)} />
      </div>
      <KernelTable report={report} />
      {notes.length > 0 && (
        <ul className="matrix-notes bench-notes" aria-label="Notes on this run">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      {reports.length > 1 && !isUntimedSoftware(report) && series.length > 0 && (
        <SweepChart series={series} titleOf={titleOf} />
      )}
    </>
  );
}
