import './matrix.css';
import { useCallback, useMemo } from 'react';
import { SPMV } from '../../../core/operations/index.ts';
import { countText } from '../../../core/story/words.ts';
import { type FormatParams, paramsAt } from '../../../state/index.ts';
import type { BenchEntry } from '../../../engine/bench/bench-types.ts';
import { useApp, useDocument, useSession } from '../../../kit/app-context.ts';
import { figuresCsv } from '../../../kit/charts/chart-csv.ts';
import { ChartTable } from '../../../kit/charts/ChartTable.tsx';
import { JobProgress } from '../../../kit/controls/JobProgress.tsx';
import { density, nameAndShape } from '../../../kit/words/quantity.ts';
import { softwareSentence } from '../../../kit/words/no-card.ts';
import { saveText } from '../../../kit/browser/save-blob.ts';
import { useOwnRun, useShell } from '../../../kit/frame/shell-context.ts';
import { Answer } from '../../../kit/frame/Answer.tsx';
import { flagChoice, oneOf, useChoices } from '../../../kit/browser/choices.ts';
import { comparisonFigures, comparisonJson } from './comparison-files.ts';
import { comparisonSvg } from './comparison-svg.ts';
import { answerWords } from './comparison-words.ts';
import { formatRows, measuredRows, sortedRows, SORTS } from './format-rows.ts';
import { FormatList, FormatTable } from './FormatTable.tsx';
import { memoryNote } from './memory-note.ts';
import { StatisticCharts } from './StatisticCharts.tsx';
import { Thumbnail } from './Thumbnail.tsx';
import { useComparison } from './use-comparison.ts';
import type { BenchReport } from '../../../core/report.ts';
import { type Device, isBound } from '../../../state/devices/device.ts';
import { onText } from '../../../kit/devices/DeviceLabel.tsx';
import { DeviceBar } from '../../../kit/devices/DeviceBar.tsx';
import { shapeKey, useDevice } from '../../../kit/devices/use-device.ts';

const FIELDS = { sort: oneOf(SORTS, 'bytes'), down: flagChoice(false) };

const NONE: ReturnType<typeof measuredRows> = new Map();

const ROUNDS = 24;
const SEED = 1;

/** All formats side by side for the matrix on the stage. */
export function MatrixPage({ wide }: { readonly wide: boolean }) {
  const { session, formats } = useApp();
  const { openChooser } = useShell();
  const summary = useSession((s) => s.summary);
  const encodings = useSession((s) => s.encodings);
  const bench = useSession((s) => s.bench);
  const device = useSession((s) => s.device);
  const opening = useSession((s) => s.opening);
  const chosen = useDocument((doc) => doc.params);
  const params = useMemo(() => paramsAt(formats, chosen, summary), [formats, chosen, summary]);
  const [{ sort, down }, choose] = useChoices(FIELDS);
  const compared = useComparison();
  const { comparison, best, looking, searching, problem } = compared;

  const rowsOf = useCallback(
    (reports: readonly BenchReport[]) => (summary === null ? NONE : measuredRows(reports, summary, SPMV.id, params)),
    [summary, params],
  );
  const has = useCallback(({ reports }: Device) => rowsOf(reports).size > 0, [rowsOf]);
  const on = useDevice(has, { shapes: summary === null ? [] : [shapeKey(summary)] });
  const { device: answering } = on;
  const timed = useMemo(() => rowsOf(answering.reports), [rowsOf, answering]);
  // Without its times there is what was verified here, on a software adapter as well.
  const verified = useMemo(() => {
    const others = new Set(on.devices.flatMap(({ kind, reports }) => (kind === 'report' ? reports : [])));
    return rowsOf(bench.runs.flatMap(({ reports }) => reports).filter((report) => !others.has(report)));
  }, [rowsOf, bench.runs, on.devices]);
  // Few matrices are in a recording: where none has this one, what is measured here is the answer.
  const isHere = answering.kind === 'this' || (!on.isChosen && timed.size === 0);
  const shownOn = isHere ? { ...on, device: on.devices[0], canMeasure: false } : on;
  const measured = isHere ? verified : timed;
  const elsewhere = isHere ? null : answering;
  const current = comparison?.generation === summary?.generation ? comparison : null;
  const known = useMemo(
    () =>
      Object.fromEntries(
        Object.entries(best).flatMap(([id, entry]) => (entry.for === chosen[id] ? [[id, entry.found] as const] : [])),
      ),
    [best, chosen],
  );
  const rows = useMemo(
    () => formatRows({ formats, params, encodings, verdicts: current?.verdicts ?? {}, best: known, measured }),
    [formats, params, encodings, current, known, measured],
  );
  const shown = useMemo(() => sortedRows(rows, sort, down, summary?.nnz ?? 0), [rows, sort, down, summary]);

  const measure = useCallback(
    (only: string | null) => {
      const entries: BenchEntry[] = rows
        .filter((row) => (only === null ? row.state !== 'refused' : row.format.id === only))
        .map((row) => ({ format: row.format.id, params: row.params, kernels: 'auto' }));
      const where = device?.kind === 'unavailable' ? 'cpu' : 'gpu';
      const able = entries.filter(
        ({ format }) =>
          where === 'cpu' ||
          formats.find(({ id }) => id === format)?.kernels.some(({ operation }) => operation === SPMV.id),
      );
      if (able.length === 0) return;
      on.release();
      const workload = { kind: 'stage' } as const;
      void session.runBench({
        operation: SPMV.id,
        sizes: {},
        workload,
        entries: able,
        memory: 'cold',
        rounds: ROUNDS,
        seed: SEED,
        where,
      });
    },
    [rows, formats, device, session, on],
  );
  useOwnRun(useCallback(() => measure(null), [measure]));

  const onParams = useCallback(
    (format: string, changed: FormatParams) => {
      for (const [name, value] of Object.entries(changed)) session.setParam(format, name, value);
    },
    [session],
  );
  if (summary === null) {
    return (
      <main className="compare-page" id="content" tabIndex={-1}>
        {opening && <JobProgress job={opening} onCancel={session.cancelOpening} />}
      </main>
    );
  }
  const { deviceMemory } = navigator as { readonly deviceMemory?: number };
  const memory = memoryNote({ formats, params, matrix: summary, deviceMemory });
  const caption = `${nameAndShape(summary)}, density ${density(summary.density)}`;
  const name = `sparsescope-formats-${summary.rows}x${summary.cols}`;
  const software =
    device?.kind === 'ready' && device.environment.isFallback ? softwareSentence(device.environment) : null;
  const table = {
    rows: shown,
    matrix: summary,
    sort,
    descending: down,
    onSort: (next: typeof sort) => choose({ sort: next, down: next === sort ? !down : next === 'speed' }),
    onOpen: (format: string) => {
      session.setFormat(format);
      session.follow('stage');
    },
    onParams,
    onMeasure: measure,
    busy: bench.running !== null,
    software,
    elsewhere,
  };
  return (
    <main className="compare-page" id="content" tabIndex={-1}>
      <div className="compare-head">
        {wide && <Thumbnail summary={summary} />}
        <Answer
          about={
            <>
              {caption}, {countText(summary.nnz)} non-zeros · y = A x, cold
              {software !== null && elsewhere === null && ', verified in software'} ·{' '}
              <button type="button" className="text-button" onClick={openChooser}>
                change
              </button>
            </>
          }
          words={answerWords(rows, summary, elsewhere && onText(elsewhere, device))}
          exports={[
            {
              label: 'SVG',
              title: 'Save the bytes of all formats as SVG',
              save: () => saveText(`${name}.svg`, comparisonSvg(shown, summary, caption, variable), 'image/svg+xml'),
            },
            {
              label: 'CSV',
              title: 'Save the table as CSV',
              save: () => saveText(`${name}.csv`, figuresCsv(comparisonFigures(shown, summary)), 'text/csv'),
            },
            {
              label: 'JSON',
              title: 'Save table and statistics as JSON',
              save: () =>
                saveText(
                  `${name}.json`,
                  comparisonJson(shown, summary, current?.statistics ?? null),
                  'application/json',
                ),
            },
          ]}
        />
      </div>
      <DeviceBar
        shown={shownOn}
        onMeasure={bench.running === null ? () => measure(null) : null}
        lacks={
          timed.size > 0 || isBound(answering) || answering.kind === 'this'
            ? null
            : `${answering.label}: this matrix was not timed on it.`
        }
      />
      {memory !== null && <p className="compare-memory">{memory}</p>}
      {problem !== null && (
        <p className="compare-problem" role="alert">
          {problem}{' '}
          <button type="button" className="text-button" onClick={compared.look}>
            look again
          </button>
        </p>
      )}
      {bench.running && <JobProgress job={bench.running.job} onCancel={session.cancelBench} />}
      {looking?.progress && current === null && <JobProgress job={looking} onCancel={compared.cancelLooking} />}
      {wide ? <FormatTable {...table} /> : <FormatList {...table} />}
      <div className="compare-below">
        {searching ? (
          <JobProgress job={searching} onCancel={compared.cancelSearch} />
        ) : (
          <button
            type="button"
            className="button"
            aria-disabled={table.busy}
            title="For each format, the parameters with the fewest bytes; what statistics cannot decide is encoded"
            onClick={table.busy ? undefined : compared.search}
          >
            Best parameters
          </button>
        )}
        <ChartTable caption="Formats on this matrix" {...comparisonFigures(shown, summary)} />
      </div>
      {current && <StatisticCharts comparison={current} caption={caption} onParams={onParams} />}
    </main>
  );
}

/** The current value of a style sheet variable. */
function variable(property: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(property).trim();
}
