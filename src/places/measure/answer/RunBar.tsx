import { useApp, useDocument, useSession } from '../../../kit/app-context.ts';
import { JobProgress } from '../../../kit/controls/JobProgress.tsx';
import { isApple } from '../../../kit/shortcuts.ts';
import { type BenchForm, placeToRun, runProblem, withOperation } from '../../../state/bench-form.ts';
import { FIRST_OPERATION, type OperationQuery, withFirstOperation } from '../../../state/first-form.ts';
import { useBenchSetup } from '../form/bench-setup.ts';
import type { Measured } from './use-measured.ts';
import type { BenchReport } from '../../../core/report.ts';
import type { MatrixSummary } from '../../../engine/matrix/types.ts';
import type { BenchRun } from '../../../state/index.ts';
import { type TimedMatrix, type FormatQuery, isTimeOf, isOf, namesOf } from '../../../kit/report/matrix-times.ts';
import { TextButton } from '../../../kit/controls/Button.tsx';

/** The question of the sentence: the matrix, the number of tokens, the formats. */
export interface SentenceQuery {
  readonly summary: Pick<MatrixSummary, 'name' | 'source' | 'rows' | 'cols' | 'nnz' | 'sampledRows'>;
  readonly asked: Pick<TimedMatrix, 'tokens'>;
  readonly queryA: FormatQuery;
  readonly queryB: FormatQuery | null;
}

interface RunOf {
  readonly run: BenchRun;
  readonly report: BenchReport;
}

/** The newest run that answers the sentence: on its matrix, in A and B, timed or refused. O(runs × rows). */
export function newestRunOf(runs: readonly BenchRun[], sentence: SentenceQuery): RunOf | null {
  for (const run of runs) {
    if (run.origin !== 'measured') continue;
    const report = run.reports.findLast((one) => isOfSentence(one, sentence));
    if (report) return { run, report };
  }
  return null;
}

function isOfSentence(report: BenchReport, { summary, asked, queryA, queryB }: SentenceQuery): boolean {
  if (!isTimeOf(report, asked) || !isOnMatrix(report.workload, summary)) return false;
  const tried = [...report.rows, ...report.refused].filter(({ draft }) => draft === undefined);
  return [queryA, queryB].every((query) => query === null || tried.some(isOf(query, report.workload)));
}

/** Whether a run was on a sentence's matrix: by its name, which may be written as a spec, and by its counts. */
function isOnMatrix(workload: BenchReport['workload'], summary: SentenceQuery['summary']): boolean {
  const { name, source, rows, cols, nnz, sampledRows } = summary;
  const isNamed = namesOf({ name, source }).includes(workload.source);
  // The number of non-zeros of stand-in weights is an estimate until they are generated in full.
  const differs = Math.abs(workload.nnz - nnz);
  const hasAsMany = sampledRows === undefined ? differs === 0 : differs < 0.005 * nnz;
  return isNamed && workload.rows === rows && workload.cols === cols && hasAsMany;
}

/** The settings with which Run answers the sentence. */
function formForSentence(form: BenchForm, asked: OperationQuery): BenchForm {
  const first = withFirstOperation(withOperation(form, FIRST_OPERATION), asked);
  return { ...first, pair: true, workload: 'stage', memory: 'cold' };
}

interface RunBarProps {
  /** runs A against B */
  readonly onRun: () => void;
  readonly onRunAll: () => void;
  /** null until a matrix is open */
  readonly measured: Measured | null;
}

/** Measures A against B on this device; all formats are one more click away. */
export function RunBar({ onRun, onRunAll, measured }: RunBarProps) {
  const { session, benchForm, formats } = useApp();
  const tokens = useDocument((doc) => doc.tokens);
  const format = useDocument((doc) => doc.format);
  const setup = useBenchSetup();
  const running = useSession((s) => s.bench.running !== null);
  const runs = useSession((s) => s.bench.runs);
  const growing = useSession((s) => s.bench.running?.run ?? null);
  // A run in progress does not count yet.
  const ran =
    measured !== null &&
    newestRunOf(
      runs.filter(({ id }) => id !== growing),
      measured,
    ) !== null;
  const opening = useSession((s) => s.opening !== null);
  const problem = runProblem(setup);
  const { form } = setup;
  const asked = formForSentence(form, { tokens, group: formats.find(({ id }) => id === format)?.group ?? '' });
  const isAsAsked =
    form.pair && form.workload === 'stage' && form.memory === 'cold' && form.operation === asked.operation;
  // Waits for a matrix that is being opened.
  const disabled = problem !== null || (setup.form.workload === 'stage' && !setup.openMatrix && !opening);
  const isReady = setup.device?.kind === 'ready';
  const isSoftware = setup.device?.kind === 'ready' && setup.device.environment.isFallback;
  const where =
    placeToRun(setup.form, setup.device) === 'cpu' ? 'the CPU' : isSoftware ? 'the software GPU' : 'this device';
  return (
    <section className="run-bar stack gap-1 text-end shrink-0" aria-label="Run">
      {/* Not disabled while they run: the focus of who pressed one would fall out of the page. */}
      <button
        type="button"
        className={isReady ? 'button button--solid' : 'button'}
        disabled={disabled}
        aria-disabled={running}
        onClick={running ? undefined : onRun}
      >
        {ran ? 'Run again' : 'Run'} on {where} <kbd>{isApple() ? '⌘↵' : 'Ctrl ↵'}</kbd>
      </button>
      <TextButton disabled={disabled} aria-disabled={running} onClick={running ? undefined : onRunAll}>
        Run all formats
      </TextButton>
      {problem !== null && <p className="field-hint">{problem}</p>}
      {problem === null && !isAsAsked && (
        <p className="field-hint">
          as set below <TextButton onClick={() => benchForm.setState(asked)}>A against B instead</TextButton>
        </p>
      )}
      {setup.device?.kind === 'unavailable' && (
        <p className="field-hint">
          {setup.device.reason} <TextButton onClick={() => void session.refreshDevice()}>look again</TextButton>
        </p>
      )}
    </section>
  );
}

/** The measurement in progress, with a button to cancel it. */
export function RunProgress() {
  const { session } = useApp();
  const running = useSession((s) => s.bench.running);
  if (!running) return null;
  return (
    <div className="bench-running mb-4">
      <JobProgress job={running.job} onCancel={session.cancelBench} />
    </div>
  );
}
