import { useId } from 'react';
import type { BenchReport, Unfinished } from '../../../core/report.ts';
import { type BenchRun } from '../../../state/index.ts';
import { useApp, useSession } from '../../../kit/app-context.ts';
import { shape } from '../../../kit/words/quantity.ts';
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
import { BrokenOff } from '../answer/RunState.tsx';
import { NothingYet } from '../form/NothingYet.tsx';
import { TimeAnyway } from '../form/TimeAnyway.tsx';
import { RECORDED, type ShownRun } from '../use-runs.ts';
import { noCardOf, withMark } from '../../../kit/words/no-card.ts';
import { ParamChart, SweepChart } from '../../../kit/report/SweepChart.tsx';
import { paramSweepsOf, type Sweep, sweepOf } from '../../../kit/report/sweep-series.ts';
import { useParamLabels, useTitleOf } from '../../../kit/report/use-title-of.ts';
import { Swatch } from '../../../kit/controls/Swatch.tsx';
import { Select } from '../../../kit/controls/Select.tsx';

/** The results of a run: a sentence, every kernel against dense, and the sweep if there was one. */
export function BenchResult({ shownRun }: { readonly shownRun: ShownRun }) {
  const { run, runs, report, choose, show } = shownRun;
  const running = useSession((s) => s.bench.running);
  if (!run) return <NothingYet />;
  return (
    <div
      className="bench-result"
      aria-busy={running !== null}
      data-earlier={(running !== null && running.run !== run.id) || undefined}
    >
      {runs.length > 1 && <RunChoice run={run} runs={runs} onChoose={choose} />}
      {report ? (
        <RunView run={run} isNewest={run === runs[0]} report={report} onShow={show} />
      ) : (
        <p className="faint">This run is empty.</p>
      )}
    </div>
  );
}

interface RunChoiceProps {
  readonly run: BenchRun;
  readonly runs: readonly BenchRun[];
  readonly onChoose: (id: number) => void;
}

function RunChoice({ run, runs, onChoose }: RunChoiceProps) {
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
          label: `${r.id === RECORDED ? '' : `${r.id}. `}${withMark(r.name, r.reports[0] ? noCardOf(r.reports[0]) : null)}${r.origin === 'imported' ? ' (imported)' : ''}`,
        }))}
        onChange={onChoose}
      />
      {run.id !== RECORDED && (
        <button type="button" className="text-button" onClick={() => session.removeRun(run.id)}>
          remove
        </button>
      )}
    </div>
  );
}

interface RunViewProps {
  readonly run: BenchRun;
  /** what became of it is said above the folds */
  readonly isNewest: boolean;
  readonly report: BenchReport;
  readonly onShow: (report: BenchReport) => void;
}

function RunView({ run, isNewest, report, onShow }: RunViewProps) {
  const titleOf = useTitleOf();
  const { reports } = run;
  const { workload } = report;
  const sweep = sweepOf(reports, report);
  const growing = useSession((s) => s.bench.running?.run === run.id);
  return (
    <>
      {run.rest && !growing && !isNewest && <BrokenOff run={run} />}
      {reports.length > 1 && <ReportChoice reports={reports} report={report} onShow={onShow} />}
      <p className="bench-kicker">
        {workText(workload)} · {shape(workload.rows, workload.cols)} at {sparsityText(workload)} · {workload.memory}
        {report.recorded ? ` · recorded on ${report.recorded.name}` : run.origin === 'imported' && ' · imported'}
        {report.unfinished && (growing ? ' · so far' : ' · not finished')}
      </p>
      <div className="bench-sentence">
        <Narration words={headline(report, titleOf)} />
      </div>
      {isUntimedSoftware(report) && !growing && !isNewest && run.origin === 'measured' && (
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

interface ReportChoiceProps extends Omit<RunViewProps, 'run' | 'isNewest'> {
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
