import { type ReactNode, useCallback, useMemo } from 'react';
import { countText, threeDigits } from '../../core/text/words.ts';
import type { MatrixSummary } from '../../engine/matrix/matrix-types.ts';
import { useApp, useDocument, useSession } from '../../kit/app-context.ts';
import { PageChoices } from '../../kit/browser/PageChoices.tsx';
import { useLatest } from '../../kit/browser/use-latest.ts';
import { TextButton } from '../../kit/controls/Button.tsx';
import { JobProgress } from '../../kit/controls/JobProgress.tsx';
import { RunEndNote } from '../../kit/report/RunEndNote.tsx';
import { nameAfterOn } from '../../kit/devices/DeviceLabel.tsx';
import { AnswerLine } from '../../kit/frame/AnswerLine.tsx';
import { requestedDetails } from '../../kit/frame/Details.tsx';
import { useUserRun } from '../../kit/frame/shell-context.ts';
import { StyledWords, Note } from '../../kit/primitives/Text.tsx';
import { type NamedQuery, useCrossoverText } from '../../kit/report/crossover-text.ts';
import { timedMatrixOf } from '../../kit/report/matrix-times.ts';
import type { PrefillGain } from '../../papers/whole-gains.ts';
import { hasOnlyBounds, baseOf, containsActivations } from '../../state/index.ts';
import { COMPARE_FIELDS } from './address.ts';
import { CompareChart } from './chart/CompareChart.tsx';
import './compare.css';
import { COMPARE_DETAILS, CompareDetails, hasSeveral } from './details/CompareDetails.tsx';
import { CompareTable } from './rows/CompareTable.tsx';
import { FigureSource } from './rows/FigureSource.tsx';
import { WorkerNotes } from './rows/WorkerNotes.tsx';
import { compareAnswer, rankingText } from './rows/compare-answer.ts';
import type { ComparedFormats, CompareRow, ModelComparison } from './rows/compare-row.ts';
import type { OnMeasure } from './rows/TableColumns.tsx';
import { variantName } from './rows/stored-variants.ts';
import { useMatrixComparison } from './rows/use-matrix-comparison.ts';
import { useModelComparison } from './rows/use-model-comparison.ts';

/** The page Compare: all formats ranked by bytes and by time, for a matrix or a whole model. */
export function ComparePage() {
  return (
    <div className="compare-page flex flex-col min-h-0 flex-1">
      <PageChoices page={COMPARE_FIELDS}>
        <main
          className="flex flex-col min-w-0 min-h-0 flex-1 *:flex-none px-(--page-margin) pt-3 overflow-x-hidden overflow-y-auto [scrollbar-gutter:stable]"
          id="content"
          tabIndex={-1}
        >
          <CompareBody />
        </main>
      </PageChoices>
    </div>
  );
}

/** The comparison of the open matrix or, if the selection bar names one, of a whole model. */
function CompareBody() {
  const { session } = useApp();
  const summary = useSession((s) => s.summary);
  const opening = useSession((s) => s.opening);
  const isModel = useDocument(({ source }) => {
    const base = baseOf(source);
    return base.kind === 'model' && base.matrix === undefined;
  });
  if (summary === null) return opening && <JobProgress job={opening} onCancel={session.cancelOpening} />;
  return isModel ? <ModelFormats summary={summary} /> : <MatrixFormats summary={summary} />;
}

interface CompareBodyProps {
  readonly summary: MatrixSummary;
}

/** The comparison of formats on the open matrix. */
function MatrixFormats({ summary }: CompareBodyProps) {
  const compared = useMatrixComparison(summary);
  const { worker, measure, canMeasure } = compared;
  useLatestRun(() => measure(null));
  const onMeasure = useCallback(
    (row: CompareRow) => (canMeasure(row) ? () => measure([row]) : null),
    [measure, canMeasure],
  );
  return (
    <Comparison compared={compared} onMeasure={onMeasure} onRun={() => measure(null)}>
      <WorkerNotes worker={worker} compared={compared} onMeasureAll={() => measure(null)} />
    </Comparison>
  );
}

/** The comparison of formats for the model in the selection bar, or for one of its layers. */
function ModelFormats({ summary }: CompareBodyProps) {
  const compared = useModelComparison(summary);
  const { announce } = useApp();
  const model = compared?.model ?? null;
  useLatestRun(() => {
    if (model?.measure) model.measure();
    else if (model?.unavailable) announce(model.unavailable);
  });
  if (compared === null) return <MatrixFormats summary={summary} />;
  return <Comparison compared={compared} onMeasure={null} onRun={model?.measure ?? null} />;
}

interface ComparisonProps {
  readonly compared: ComparedFormats;
  readonly onMeasure: OnMeasure;
  /** measures the compared formats on this device; null if that is impossible */
  readonly onRun: (() => void) | null;
  readonly children?: ReactNode;
}

/** The answer, the table of formats with bytes and times, the chart by density, and collapsed details. */
function Comparison({ compared, onMeasure, onRun, children }: ComparisonProps) {
  const { session, catalog } = useApp();
  const running = useSession((s) => s.bench.running);
  const isMeasured = !hasOnlyBounds(compared.visibleDevice.device);
  const crossover = useCrossover(compared);
  const rowsWithGain = compared.rows.filter(({ gain }) => gain !== undefined);
  const words = useMemo(() => compareAnswer({ ...compared, isMeasured }), [compared, isMeasured]);
  return (
    <>
      <AnswerLine words={words} waitingText="Counting bytes" />
      <p className="underlined text-muted text-15 text-pretty mt-1">
        {rankingText(compared)}{' '}
        {compared.level === 'matrix' && containsActivations(catalog, compared.summary.source) && (
          <>
            <TextButton onClick={() => requestedDetails.setState('smallest', true)}>
              {COMPARE_DETAILS.smallest.replace(/^w/, 'W')}
            </TextButton>{' '}
          </>
        )}
        {(compared.level === 'model' || hasSeveral(compared.summary)) && (
          <TextButton onClick={() => requestedDetails.setState('choice', true)}>
            {COMPARE_DETAILS.choice.replace(/^w/, 'W')}?
          </TextButton>
        )}
        {crossover && <StyledWords words={crossover} isStrongDarker />}
      </p>
      {/* A model's table takes all of the width. */}
      <div
        className={
          compared.level === 'model' ? undefined : 'min-[72rem]:grid grid-cols-[minmax(0,4fr)_minmax(0,3fr)] gap-6'
        }
      >
        <div className="min-w-0">
          <CompareTable compared={compared} onMeasure={onMeasure} />
          {compared.model && <EncodingState model={compared.model} />}
          {rowsWithGain.map(
            ({ key, format, gain }) => gain && <WholeGainNote key={key} title={format.title} gain={gain} />,
          )}
          {running ? <JobProgress job={running.job} onCancel={session.cancelBench} /> : <RunEndNote />}
          <div className="flex flex-wrap items-center gap-y-1 gap-x-6 text-muted mt-1">
            <FigureSource compared={compared} onRun={running === null ? onRun : null} />
            {children}
          </div>
        </div>
        <CompareChart compared={compared} />
      </div>
      <CompareDetails compared={compared} />
    </>
  );
}

/** Below the table of a model: the encoding in progress, and errors. */
function EncodingState({ model }: { readonly model: ModelComparison }) {
  return (
    <div className="empty:hidden flex flex-wrap gap-y-1 gap-x-6 text-muted mt-2">
      {model.encoding && <JobProgress job={model.encoding} onCancel={model.cancelEncoding} />}
      {model.problem && <p role="alert">{model.problem}</p>}
    </div>
  );
}

/** The published density below which format A is faster than B, if none was measured. Only for a matrix: a model has many shapes. */
function useCrossover({ level, summary, tokens, visibleDevice: { device }, a: rowA, b: rowB }: ComparedFormats) {
  const format = rowA?.format;
  const matrix = useMemo(
    () => (level === 'matrix' ? timedMatrixOf(summary, tokens, format) : null),
    [level, summary, tokens, format],
  );
  const [a, b] = useMemo(() => [namedQuery(rowA, rowB), namedQuery(rowB, rowA)], [rowA, rowB]);
  const status = useSession((s) => s.device);
  return useCrossoverText({ matrix, device, deviceName: nameAfterOn(device, status), a, b, isPublishedOnly: true });
}

function namedQuery(row: CompareRow | null, other: CompareRow | null): NamedQuery | null {
  return row && { query: { ...row.stored, spec: row.format.params }, name: variantName(row, [other]) };
}

/** Makes the Run command call this function, as last rendered. */
function useLatestRun(run: () => void): void {
  const latest = useLatest(run);
  useUserRun(useCallback(() => latest.current(), [latest]));
}

/** How much faster a whole model was with its activations in this format, measured and published. */
function WholeGainNote({ title, gain }: { readonly title: string; readonly gain: PrefillGain }) {
  const { session } = useApp();
  const { measured, published } = gain;
  return (
    <Note className="underlined">
      {title}: {threeDigits(measured.gain)} times as fast as dense. {measured.model} read {countText(measured.tokens)}{' '}
      tokens at once, measured on an {measured.device} without tensor cores:{' '}
      <TextButton onClick={() => session.follow('speedupInModel')}>from kernel to model</TextButton>.
      {published && (
        <>
          {' '}
          Published: {threeDigits(published.min)} to {threeDigits(published.max)}, on {published.on}:{' '}
          <a href={published.url} rel="noreferrer">
            {published.paper}
          </a>
          , {published.place}.
        </>
      )}
    </Note>
  );
}
