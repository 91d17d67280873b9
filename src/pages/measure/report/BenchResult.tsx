import { type ComponentProps, type ReactNode, useId } from 'react';
import type { BenchReport, Unfinished } from '../../../core/report.ts';
import { type BenchRun, runningFormats } from '../../../state/index.ts';
import { useApp, useSession } from '../../../kit/app-context.ts';
import { shape } from '../../../kit/words/quantity.ts';
import { Narration } from '../../../kit/stage/Narration.tsx';
import { blockParts } from './block-parts.ts';
import { BlockView } from './BlockView.tsx';
import { Details, KernelTable } from './KernelTable.tsx';
import { liftingOf } from '../../../papers/slidesparse/lifting.ts';
import { LiftingView } from '../../../papers/slidesparse/LiftingView.tsx';
import { sparsityText, workText, formulaOf } from '../../../kit/report/operation-words.ts';
import { isPattern } from '../../../papers/slidesparse/pattern-rows.ts';
import { payoffOf } from '../../../papers/slidesparse/pays.ts';
import { PaysView } from '../../../papers/slidesparse/PaysView.tsx';
import { reportHeadline } from '../../../kit/report/report-headline.ts';
import { differenceText, isUntimedSoftware } from '../../../kit/report/report-view.ts';
import { InterruptedRun } from '../answer/RunState.tsx';
import { RECORDED_RUN, type VisibleRun } from '../use-shown-run.ts';
import { substituteOf, withSubstitute } from '../../../kit/words/ran-instead.ts';
import { ParamChart, SweepChart } from '../../../kit/report/SweepChart.tsx';
import { paramSweepsOf, type Sweep, sweepOf } from '../../../kit/report/sweep-series.ts';
import { useParamLabels, useTitleOf, paramWords } from '../../../kit/report/report-labels.ts';
import { Swatch } from '../../../kit/controls/Swatch.tsx';
import { Select } from '../../../kit/controls/Select.tsx';
import { storedKey } from '../../../core/format.ts';
import { formats } from '../../../formats/catalog.ts';
import { Drawer } from '../../../kit/primitives/Boxes.tsx';
import { useStore } from 'zustand';
import { useBenchSetup } from '../form/bench-setup.ts';
import { TextButton } from '../../../kit/controls/Button.tsx';

/** Before the first run: what the button Run does; during the first run: the formats that it measures. */
function NoRunYet() {
  const { benchForm } = useApp();
  const operation = useStore(benchForm, (form) => form.operation);
  const isRunning = useSession((s) => s.bench.running !== null);
  const entries = runningFormats(useBenchSetup()).map(({ id }) => ({ format: id, params: {}, detail: '' }));
  const outlines = <FormatOutlines label="Formats that will run" entries={entries} />;
  if (isRunning) return outlines;
  return (
    <div className="bench-empty">
      <p className="text-muted text-12 min-h-5">{formulaOf(operation)}</p>
      <h2 className="bench-sentence leading-[1.45] text-18 font-normal text-pretty max-w-[48rem]">
        A run checks every kernel, then times the correct ones against dense.
      </h2>
      {outlines}
    </div>
  );
}

interface FormatOutlinesProps {
  readonly label: string;
  readonly entries: readonly (Unfinished['waiting'][number] & { readonly detail: string })[];
}

const OUTLINE = 'h-6 border border-dashed border-(--ghost) rounded-[3px]';

/** Formats without measurements so far, as dashed outlines in place of their results. */
function FormatOutlines({ label, entries }: FormatOutlinesProps) {
  const titleOf = useTitleOf();
  return (
    <ul className="grid gap-2 mt-5" aria-label={label}>
      {entries.map(({ format, params, detail }) => (
        <li
          className="grid grid-cols-[auto_10rem_1fr_6rem] @max-[40rem]:grid-cols-[auto_5rem_1fr_3rem] items-center gap-2 min-h-8"
          key={storedKey(format, params)}
        >
          <Swatch format={format} />
          <span>
            <b>{titleOf(format)}</b>
            <Details lines={[detail]} />
          </span>
          <span className={OUTLINE} />
          <span className={OUTLINE} />
        </li>
      ))}
    </ul>
  );
}

const SUBGROUP_MATRIX_KERNELS = formats.flatMap((f) => f.kernels.filter((k) => k.arithmetic === 'i8-matrix'));

/** How to enable subgroup matrices; null if no kernel of the report would use them, or they are enabled. */
export function subgroupMatrixText({ environment, workload, rows }: BenchReport): string | null {
  if (environment.isFallback || rows.length === 0) return null;
  const kernels = SUBGROUP_MATRIX_KERNELS.filter(({ operation }) => operation === workload.operation);
  const isSupported = kernels.some(({ features }) =>
    features.every((feature) => environment.features.includes(feature)),
  );
  return kernels.length === 0 || isSupported
    ? null
    : 'Chromium supports subgroup matrices with the flag --enable-unsafe-webgpu.';
}

/** Number of notes shown at once; the rest are a click away. */
const SHOWN_NOTES = 3;

interface RunNotesProps {
  readonly reports: readonly BenchReport[];
  /** the current report, whose notes come first */
  readonly report: BenchReport;
}

/** The notes of a run, each once; further ones in a drawer. */
function RunNotes({ reports, report }: RunNotesProps) {
  // The headline already states that the adapter is software.
  const repeated = isUntimedSoftware(report) ? /^software adapter/i : /^$/;
  const notes = [...new Set([report, ...reports].flatMap((r) => r.notes))].filter((note) => !repeated.test(note));
  // A drawer for a single note would take as much space as the note.
  const visibleNotes = notes.length > SHOWN_NOTES + 1 ? notes.slice(0, SHOWN_NOTES) : notes;
  const notesInDrawer = notes.slice(visibleNotes.length);
  return (
    <>
      <NoteList notes={visibleNotes} />
      {notesInDrawer.length > 0 && (
        <Drawer title={`${notesInDrawer.length} more notes`}>
          <NoteList notes={notesInDrawer} />
        </Drawer>
      )}
    </>
  );
}

function NoteList({ notes }: { readonly notes: readonly string[] }) {
  if (notes.length === 0) return null;
  return (
    <ul className="matrix-notes mt-4 max-w-[48rem]" aria-label="Notes on this run">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}

/** The details section 'all kernels tried': a run as text, a table of its kernels, and charts of its sweep. */
export function BenchResult({ visibleRun }: { readonly visibleRun: VisibleRun }) {
  const { run, runs, report, choose, show } = visibleRun;
  const running = useSession((s) => s.bench.running);
  if (!run) return <NoRunYet />;
  return (
    <div
      className="bench-result data-earlier:opacity-45"
      aria-busy={running !== null}
      data-earlier={(running !== null && running.run !== run.id) || undefined}
    >
      {runs.length > 1 && <RunChoice run={run} runs={runs} onChoose={choose} />}
      {report ? (
        <RunView run={run} isCurrent={run === runs[0]} report={report} onShow={show} />
      ) : (
        <p className="text-quiet">This run is empty.</p>
      )}
    </div>
  );
}

interface RunChoiceProps {
  readonly run: BenchRun;
  readonly runs: readonly BenchRun[];
  readonly onChoose: (id: number) => void;
}

/** A select of the run to show, and a button to remove that run. */
function RunChoice({ run, runs, onChoose }: RunChoiceProps) {
  const { session } = useApp();
  const labelOf = ({ id, name, origin, reports: [first] }: BenchRun): string => {
    const nameWithSubstitute = withSubstitute(name, first ? substituteOf(first) : null);
    if (id === RECORDED_RUN) return nameWithSubstitute;
    return `${id}. ${nameWithSubstitute}${origin === 'imported' ? ' (imported)' : ''}`;
  };
  return (
    <Choice
      label="run"
      value={run.id}
      options={runs.map((r) => ({ value: r.id, label: labelOf(r) }))}
      onChange={onChoose}
    >
      {run.id !== RECORDED_RUN && <TextButton onClick={() => session.removeRun(run.id)}>remove</TextButton>}
    </Choice>
  );
}

type ChoiceProps<T> = Pick<ComponentProps<typeof Select<T>>, 'value' | 'options' | 'onChange'> & {
  readonly label: string;
  readonly children?: ReactNode;
};

/** A select with its label before it. */
function Choice<T>({ label, children, ...select }: ChoiceProps<T>) {
  const id = useId();
  return (
    <div className="flex items-center gap-2 mb-3 [&_.select]:min-w-0 [&_.select]:max-w-[30rem]">
      <label htmlFor={id} className="text-muted min-w-7">
        {label}
      </label>
      <Select id={id} {...select} />
      {children}
    </div>
  );
}

interface RunViewProps {
  readonly run: BenchRun;
  /** the newest run, whose interruption is shown above the details sections */
  readonly isCurrent: boolean;
  readonly report: BenchReport;
  readonly onShow: (report: BenchReport) => void;
}

/** One report of a run: its text, its kernels, and its charts. */
function RunView({ run, isCurrent, report, onShow }: RunViewProps) {
  const titleOf = useTitleOf();
  const { reports } = run;
  const { workload } = report;
  const sweep = sweepOf(reports, report);
  const subgroupMatrixNote = subgroupMatrixText(report);
  const isRunning = useSession((s) => s.bench.running?.run === run.id);
  return (
    <>
      {run.rest && !isRunning && !isCurrent && <InterruptedRun run={run} />}
      {reports.length > 1 && (
        <Choice
          label="at"
          value={report}
          // Reports are ordered, and may be equal in every visible property.
          options={reports.map((r, i) => ({ value: r, key: String(i), label: differenceText(r, reports) }))}
          onChange={onShow}
        />
      )}
      <p className="text-muted text-12 min-h-5">
        {workText(workload)} · {shape(workload.rows, workload.cols)} at {sparsityText(workload)} · {workload.memory}
        {originText(report)}
        {report.unfinished && (isRunning ? ' · so far' : ' · not finished')}
      </p>
      <div className="bench-sentence leading-[1.45] text-18 font-normal text-pretty max-w-[48rem]">
        <Narration words={reportHeadline(report, titleOf)} />
      </div>
      {subgroupMatrixNote !== null && <p className="mb-4 text-muted">{subgroupMatrixNote}</p>}
      <KernelTable report={report} />
      {report.unfinished && <WaitingFormats {...report.unfinished} />}
      <RunNotes reports={reports} report={report} />
      {!isUntimedSoftware(report) && <Charts reports={reports} report={report} sweep={sweep} />}
    </>
  );
}

/** Where a report is from, if not from this page. */
function originText({ imported, recorded }: BenchReport): string {
  if (imported) return ` · imported${recorded ? `, its file names ${recorded.name}` : ''}`;
  return recorded ? ` · recorded on ${recorded.name}` : '';
}

/** The formats of a run that it has not measured yet. */
function WaitingFormats({ waiting }: Unfinished) {
  const labelsOf = useParamLabels(null);
  const entries = waiting.map((entry) => ({ ...entry, detail: labelsOf(entry.format, entry.params) }));
  return entries.length > 0 && <FormatOutlines label="Not measured yet" entries={entries} />;
}

interface ChartsProps {
  readonly reports: readonly BenchReport[];
  readonly report: BenchReport;
  readonly sweep: Sweep | null;
}

/** Charts of a report and its sweep: a feed-forward block, SlideSparse's gain and its cost of lifting, parameters. */
function Charts({ reports, report, sweep }: ChartsProps) {
  const titleOf = useTitleOf();
  const { formats } = useApp();
  const substitute = substituteOf(report);
  // Times of a software adapter are not compared with a paper's times.
  const isSoftware = substitute === 'software';
  const payoff = isSoftware ? null : payoffOf(report);
  const lifting = sweep && !isSoftware ? liftingOf(sweep) : null;
  const block = isSoftware ? [] : blockParts(reports, report);
  return (
    <>
      {block.length > 0 && <BlockView parts={block} />}
      {payoff && <PaysView payoff={payoff} report={report} />}
      {paramSweepsOf(report)
        .filter(({ format, axis }) => !(payoff && isPattern(format, axis.name)))
        .map((param) => {
          const format = formats.find(({ id }) => id === param.format);
          const words = paramWords(format, param.axis.name);
          return (
            <ParamChart
              key={`${param.format} ${param.axis.name}`}
              sweep={param}
              title={titleOf(param.format)}
              paramTitle={words.title}
              valueText={words.valueText}
              substitute={substitute}
              report={report}
            />
          );
        })}
      {lifting ? (
        <LiftingView points={lifting} />
      ) : (
        sweep &&
        sweep.series.length > 0 &&
        !block.some(({ operation }) => operation === report.workload.operation) && (
          <SweepChart sweep={sweep} titleOf={titleOf} substitute={substitute} />
        )
      )}
    </>
  );
}
