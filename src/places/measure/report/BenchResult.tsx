import { type ReactNode, useId } from 'react';

import type { BenchReport, Unfinished } from '../../../core/report.ts';
import { type BenchRun } from '../../../state/index.ts';
import type { MatrixSummary } from '../../../engine/matrix/types.ts';
import { useApp, useSession } from '../../../kit/app-context.ts';
import { JobProgress } from '../../../kit/controls/JobProgress.tsx';
import { nameAndShape, shape } from '../../../kit/words/quantity.ts';
import { Narration } from '../../../kit/stage/Narration.tsx';
import { blockOf } from './block.ts';
import { BlockView } from './BlockView.tsx';
import { KernelTable } from './KernelTable.tsx';
import { liftingOf } from '../../../papers/slidesparse/lifting.ts';
import { LiftingView } from '../../../papers/slidesparse/LiftingView.tsx';
import { sparsityText, workText } from '../../../kit/report/operation-words.ts';
import { paramWords } from '../../../kit/report/param-words.ts';
import { isPattern } from '../../../papers/slidesparse/pattern-rows.ts';
import { paysOf } from '../../../papers/slidesparse/pays.ts';
import { PaysView } from '../../../papers/slidesparse/PaysView.tsx';
import { matrixSentence } from './matrix-words.ts';
import { differenceText, headline, isUntimedSoftware } from '../../../kit/report/report-view.ts';
import { RunNotes } from './RunNotes.tsx';
import { TimeAnyway } from '../form/TimeAnyway.tsx';
import { noCardOf, withMark } from '../../../kit/words/no-card.ts';
import { ParamChart, SweepChart } from '../../../kit/report/SweepChart.tsx';
import { paramSweepsOf, type Sweep, sweepOf } from '../../../kit/report/sweep-series.ts';
import { useParamLabels, useTitleOf } from '../../../kit/report/use-title-of.ts';
import { Swatch } from '../../../kit/controls/Swatch.tsx';
import { Select } from '../../../kit/controls/Select.tsx';

interface BenchResultProps {
  readonly run: BenchRun | null;
  readonly runs: readonly BenchRun[];
  readonly onChoose: (id: number) => void;
  /** the run's report on show; null without a run */
  readonly report: BenchReport | null;
  readonly onShow: (report: BenchReport) => void;
  /** shown without a run */
  readonly nothing: ReactNode;
}

/** The results: a sentence, every kernel against dense, and the sweep if there was one. */
export function BenchResult({ run, runs, onChoose, report, onShow, nothing }: BenchResultProps) {
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
        <div
          className="bench-result"
          aria-busy={running !== null}
          data-earlier={(running !== null && running.run !== run.id) || undefined}
        >
          {runs.length > 1 && <RunChoice run={run} runs={runs} onChoose={onChoose} />}
          {report ? <RunView run={run} report={report} onShow={onShow} /> : <p className="faint">This run is empty.</p>}
        </div>
      ) : (
        nothing
      )}
    </>
  );
}

function RunChoice({ run, runs, onChoose }: Pick<BenchResultProps, 'runs' | 'onChoose'> & { readonly run: BenchRun }) {
  const id = useId();
  const { session } = useApp();
  return (
    <div className="run-choice">
      <label htmlFor={id} className="quiet">
        run
      </label>
      <Select
        id={id}
        value={run.id}
        options={runs.map((r) => ({
          value: r.id,
          label: `${r.id}. ${withMark(r.name, r.reports[0] ? noCardOf(r.reports[0]) : null)}${r.origin === 'imported' ? ' (imported)' : ''}`,
        }))}
        onChange={onChoose}
      />
      <button type="button" className="text-button" onClick={() => session.removeRun(run.id)}>
        remove
      </button>
    </div>
  );
}

interface RunViewProps {
  readonly run: BenchRun;
  readonly report: BenchReport;
  readonly onShow: (report: BenchReport) => void;
}

function RunView({ run, report, onShow }: RunViewProps) {
  const titleOf = useTitleOf();
  const { reports } = run;
  const { workload } = report;
  const sweep = sweepOf(reports, report);
  const growing = useSession((s) => s.bench.running?.run === run.id);
  return (
    <>
      {run.rest && !growing && <BrokenOff run={run} />}
      {reports.length > 1 && <ReportChoice reports={reports} report={report} onShow={onShow} />}
      <p className="bench-kicker">
        {workText(workload)} · {shape(workload.rows, workload.cols)} at {sparsityText(workload)} · {workload.memory}
        {report.recorded ? ` · recorded on ${report.recorded.name}` : run.origin === 'imported' && ' · imported'}
        {report.unfinished && (growing ? ' · so far' : ' · not finished')}
      </p>
      <div className="bench-sentence">
        <Narration words={headline(report, titleOf)} />
      </div>
      {isUntimedSoftware(report) && !growing && run.origin === 'measured' && (
        <TimeAnyway isSweep={reports.length > 1} />
      )}
      <Matrices report={report} />
      <KernelTable report={report} />
      {report.unfinished && <Waiting unfinished={report.unfinished} />}
      <RunNotes reports={reports} report={report} />
      {!isUntimedSoftware(report) && <Charts reports={reports} report={report} sweep={sweep} />}
    </>
  );
}

/** Follows a verdict about many tokens: how subgroup matrices change it. */
function Matrices({ report }: { readonly report: BenchReport }) {
  const sentence = matrixSentence(report, useTitleOf());
  return sentence === null ? null : <p className="bench-matrices quiet">{sentence}</p>;
}

/** As far as a page can tell; the engine checks more closely. */
function isSameMatrix(workload: BenchReport['workload'], { rows, cols, nnz }: MatrixSummary): boolean {
  return workload.rows === rows && workload.cols === cols && workload.nnz === nnz;
}

/** A message that a run failed, and a button to resume it. */
function BrokenOff({ run }: { readonly run: BenchRun }) {
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
      <p className="bench-rest">
        <span>
          This run was interrupted; what it measured is kept. It can continue once its matrix is on the stage again:{' '}
          {nameAndShape({ ...first.workload, name: first.workload.source })}.
        </span>
      </p>
    );
  }
  return (
    <p className="bench-rest">
      <span>This run broke off: what it had measured is here.</span>
      <button
        type="button"
        className="button"
        aria-disabled={running}
        onClick={running ? undefined : () => void session.continueBench(run.id)}
      >
        Go on
      </button>
    </p>
  );
}

/** A run's formats without measurements so far, as dashed outlines in place of their results. */
function Waiting({ unfinished }: { readonly unfinished: Unfinished }) {
  const titleOf = useTitleOf();
  const labelsOf = useParamLabels(null);
  if (unfinished.waiting.length === 0) return null;
  return (
    <ul className="kernel-ghosts" aria-label="Formats that are not measured yet">
      {unfinished.waiting.map(({ format, params }) => (
        <li key={`${format} ${JSON.stringify(params)}`}>
          <Swatch format={format} />
          <span>
            <b>{titleOf(format)}</b>
            <span className="kernel-detail">{labelsOf(format, params)}</span>
          </span>
          <span className="ghost" />
          <span className="ghost ghost--short" />
        </li>
      ))}
    </ul>
  );
}

interface ReportChoiceProps extends Omit<RunViewProps, 'run'> {
  readonly reports: readonly BenchReport[];
}

/** Which one of several reports the table shows. */
function ReportChoice({ reports, report, onShow }: ReportChoiceProps) {
  const id = useId();
  return (
    <div className="run-choice">
      <label htmlFor={id} className="quiet">
        at
      </label>
      <Select
        id={id}
        value={report}
        // Reports are ordered, and may look alike in everything shown.
        options={reports.map((r, i) => ({ value: r, key: String(i), label: differenceText(r, reports) }))}
        onChange={onShow}
      />
    </div>
  );
}

interface ChartsProps {
  readonly reports: readonly BenchReport[];
  readonly report: BenchReport;
  readonly sweep: Sweep | null;
}

/** The charts for which a report, and its sweep, have data. */
function Charts({ reports, report, sweep }: ChartsProps) {
  const titleOf = useTitleOf();
  const { formats } = useApp();
  const mark = noCardOf(report);
  // Views of a paper answer a question about speed, next to cards.
  const answers = mark !== 'software';
  const pays = answers ? paysOf(report) : null;
  const lifting = answers && sweep ? liftingOf(sweep) : null;
  const block = answers ? blockOf(reports, report) : [];
  return (
    <>
      {block.length > 0 && <BlockView parts={block} />}
      {pays && <PaysView pays={pays} report={report} />}
      {paramSweepsOf(report)
        .filter(({ format, axis }) => !(pays && isPattern(format, axis.name)))
        .map((param) => {
          const words = paramWords(
            formats.find((f) => f.id === param.format),
            param.axis.name,
          );
          return (
            <ParamChart
              key={`${param.format} ${param.axis.name}`}
              sweep={param}
              title={titleOf(param.format)}
              paramTitle={words.title}
              valueText={words.valueText}
              mark={mark}
              recorded={report.recorded}
            />
          );
        })}
      {lifting ? (
        <LiftingView points={lifting} />
      ) : (
        sweep &&
        sweep.series.length > 0 &&
        !block.some(({ operation }) => operation === report.workload.operation) && (
          <SweepChart sweep={sweep} titleOf={titleOf} mark={mark} />
        )
      )}
    </>
  );
}
