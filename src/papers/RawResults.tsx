import { type ComponentProps, type ReactNode, useState } from 'react';
import { countText } from '../core/text/words.ts';
import { largest, smallest } from '../core/number/statistics.ts';
import type { BenchReport } from '../core/report.ts';
import type { Axis } from '../kit/charts/axis.ts';
import { Chart } from '../kit/charts/Chart.tsx';
import { BREAK_EVEN_RULES, type Series } from '../kit/charts/series.ts';
import type { ChartTable } from '../kit/charts/chart-csv.ts';
import { Select } from '../kit/controls/Select.tsx';
import { Drawer } from '../kit/primitives/Boxes.tsx';
import { ratio } from '../kit/words/quantity.ts';
import { densityText } from '../kit/words/shares.ts';
import { speedIn } from '../kit/report/report-view.ts';
import macko from './macko/shapes.json';
import slideSparse from './slidesparse/by-tokens.json';

/** Speeds against dense that authors publish with their papers, with sources; `macko.own`: measured here. */
export const RAW_RESULTS = { macko, slideSparse };

/** A shape of the MACKO paper. `speeds`: published, by GPU (`macko.cards`), then by density; null: not timed. */
interface RawShape {
  readonly rows: number;
  readonly cols: number;
  readonly speeds: readonly (readonly (number | null)[])[];
}

/** The shapes of the MACKO paper. */
export const MACKO_SHAPES: readonly RawShape[] = macko.shapes.map(([rows, cols, ...speeds]) => ({
  rows: Number(rows),
  cols: Number(cols),
  speeds: speeds as readonly (readonly (number | null)[])[],
}));

interface RawResultsProps {
  /** reports of the device that is shown, and its name */
  readonly reports: readonly BenchReport[];
  readonly device: string;
  /** id of format A, whose results come first, and are open if it is SlideSparse; null for none */
  readonly format: string | null;
}

const PATTERNS = ['6:8', '2:4'] as const;

/** Charts of the speeds that authors publish with their papers, with the same measurements on a device. */
export function RawResults(props: RawResultsProps) {
  const isSliding = props.format === slideSparse.format;
  return (
    <Drawer title="The authors’ raw results" className="col-span-full" startsOpen={isSliding}>
      {() => (
        <div className="grid gap-4 mt-3">
          {isSliding && <ByTokens {...props} />}
          <ByShape {...props} />
          {!isSliding && <ByTokens {...props} />}
        </div>
      )}
    </Drawer>
  );
}

/** MACKO's speeds at one density, by shape. */
function ByShape({ reports, device }: RawResultsProps) {
  const { densities, cards, own: projectResults } = macko;
  const [density, setDensity] = useState(densities[0]);
  const series = mackoSeries(density, reports, device);
  const heading = 'MACKO, shape by shape';
  const title = `${heading}, ${densityText(density)} left`;
  const densityIndex = densities.indexOf(density);
  return (
    <RawChart
      id="raw-macko-by-shape"
      source={macko}
      heading={heading}
      title={title}
      caption="speed against dense f16 of cuBLAS, y = A x"
      choice={
        <Select
          aria-label="Weights left"
          value={density}
          options={densities.map((value) => ({ value, label: `${densityText(value)} left` }))}
          onChange={setDensity}
        />
      }
      sideContent={<Legend series={series} />}
      spoken={`${title}: ${MACKO_SHAPES.length} shapes on ${cards.length} cards.`}
      x={logAxis(series, 'weights of the matrix', (x) => `${countText(Math.round(x / 2 ** 20))}\u202fMi`, 4)}
      series={series}
      table={() => ({
        head: ['shape', ...cards, `${projectResults.card}, ${projectResults.date}`],
        rows: MACKO_SHAPES.map(({ rows, cols, speeds }, i) => {
          const name = `${countText(rows)} × ${countText(cols)}`;
          return speedRow(
            name,
            name,
            [...speeds, projectResults.speeds[i]].map((byDensity) => byDensity[densityIndex] ?? null),
          );
        }),
      })}
      remark={`${projectResults.card}, ${projectResults.date}: ${projectResults.file}.`}
    />
  );
}

/** SlideSparse's speeds for one pattern, by tokens. */
function ByTokens({ reports, device }: RawResultsProps) {
  const { gpus, model, precision } = slideSparse;
  const [pattern, setPattern] = useState<(typeof PATTERNS)[number]>('6:8');
  const series = slideSparseSeries(pattern, reports, device);
  const title = `SlideSparse ${pattern}, by tokens and GPU`;
  const names = Object.keys(gpus);
  return (
    <RawChart
      id="raw-slidesparse-by-tokens"
      source={slideSparse}
      heading="SlideSparse, by tokens and GPU"
      title={title}
      caption={`${model}, ${precision}, against dense of cuBLASLt`}
      choice={
        <Select
          aria-label="Pattern"
          value={pattern}
          options={PATTERNS.map((value) => ({ value, label: value }))}
          onChange={setPattern}
        />
      }
      sideContent={<span>{`${model}, ${precision}, sparse tensor cores`}</span>}
      spoken={`${title}: ${names.join(', ')}.`}
      x={logAxis(series, 'tokens', countText, 4)}
      series={series}
      table={() => ({
        head: ['tokens', ...names],
        rows: gpus.A100.tokens.map((count) => {
          const values = Object.values(gpus).map((gpu) => gpu[pattern][gpu.tokens.indexOf(count)] ?? null);
          return speedRow(countText(count), count, values);
        }),
      })}
      remark="Dense INT8 is slow on a B200, say the authors. A device here has no sparse unit."
    />
  );
}

interface RawChartProps extends Pick<ComponentProps<typeof Chart>, 'id' | 'spoken' | 'x' | 'series' | 'table'> {
  readonly heading: string;
  /** the heading with what was chosen */
  readonly title: string;
  readonly caption: string;
  readonly choice: ReactNode;
  readonly sideContent: ReactNode;
  readonly remark: string;
  readonly source: Record<'source' | 'commit' | 'files' | 'licence', string>;
}

/** A chart of speeds below a choice, with a remark and where its numbers are from. */
function RawChart({ heading, title, caption, choice, sideContent, remark, source: from, ...chart }: RawChartProps) {
  const { source, commit, files, licence } = from;
  return (
    <section aria-label={title}>
      <h3>{heading}</h3>
      <div className="flex flex-wrap items-center gap-3 text-muted text-12">
        <span style={{ inlineSize: '9rem' }}>{choice}</span>
        {sideContent}
      </div>
      <Chart heading={{ title, caption }} y={speedAxis(chart.series)} rules={BREAK_EVEN_RULES} {...chart} />
      <p className="text-muted text-12">{remark}</p>
      <p className="field-hint wrap-anywhere">
        <a href={source} rel="noreferrer">
          {source.replace('https://', '')}
        </a>
        , {files}, commit {commit}, {licence} licence.
      </p>
    </section>
  );
}

/** A row of the table with the speeds as ratios. In the CSV file they are numbers, after `csvName`. */
function speedRow(
  name: string,
  csvName: string | number,
  speeds: readonly (number | null)[],
): ChartTable['rows'][number] {
  return { name, cells: speeds.map((speed) => (speed === null ? '–' : ratio(speed))), values: [csvName, ...speeds] };
}

function Legend({ series }: { readonly series: readonly Series[] }) {
  // Series with a title have it in the chart.
  const untitledSeries = series.filter(({ title }) => title === null);
  return untitledSeries.map(({ id, color }) => (
    <span key={id}>
      <span className="swatch me-1" style={{ background: color }} />
      {id}
    </span>
  ));
}

/** A logarithmic axis over all points; each tick is `tickRatio` times the tick before. */
function logAxis(series: readonly Series[], title: string, text: (x: number) => string, tickRatio: number): Axis {
  const values = series.flatMap(({ points }) => points.map(({ x }) => x));
  const [min, max] = [smallest(values), largest(values)];
  const first = 2 ** Math.floor(Math.log2(min));
  const ticks: number[] = [];
  for (let tick = first; tick <= max; tick *= tickRatio) ticks.push(tick);
  return { scale: 'log', domain: [first / 1.1, max * 1.15], ticks, text, title };
}

function speedAxis(series: readonly Series[]): Axis {
  const max = Math.ceil(1.05 * largest(series.flatMap(({ points }) => points.map(({ y }) => y))));
  const step = Math.ceil(max / 5);
  const ticks = Array.from({ length: Math.floor(max / step) + 1 }, (_, i) => i * step);
  return { scale: 'linear', domain: [0, max], ticks, text: (y) => `${y}×`, title: '' };
}

/** CSS colors of GPUs, in the order of the published results. MACKO’s use three; the fifth is for this project’s own times. */
const COLORS = ['var(--values)', 'var(--accent)', 'var(--danger)', 'var(--text)', 'var(--indices)', 'var(--metadata)'];

/** MACKO's speeds by number of weights: published, measured by this project (`macko.own`), and timed on a device. */
export function mackoSeries(density: number, reports: readonly BenchReport[], device: string): readonly Series[] {
  const densityIndex = macko.densities.indexOf(density);
  const published = macko.cards.map((card, i): Series => ({
    id: card,
    kind: 'published',
    title: null,
    color: COLORS[i],
    points: MACKO_SHAPES.flatMap(({ rows, cols, speeds }) => {
      const y = speeds[i][densityIndex] ?? null;
      return y === null ? [] : [{ x: rows * cols, y }];
    }).toSorted((a, b) => a.x - b.x),
  }));
  const onDevice = MACKO_SHAPES.flatMap(({ rows, cols }) => {
    const y = bestSpeed(reports, macko.format, ({ workload }) => {
      const isComparable = Math.abs(workload.density - density) < 0.01 && workload.operation === 'spmv';
      return isComparable && workload.rows === rows && workload.cols === cols;
    });
    return y === null ? [] : [{ x: rows * cols, y }];
  }).toSorted((a, b) => a.x - b.x);
  const { card, date, speeds } = macko.own;
  const timedOnDevice = new Set(onDevice.map(({ x }) => x));
  const recorded = MACKO_SHAPES.flatMap(({ rows, cols }, i) => {
    const y = speeds[i][densityIndex];
    return y === null || (device === card && timedOnDevice.has(rows * cols)) ? [] : [{ x: rows * cols, y }];
  }).toSorted((a, b) => a.x - b.x);
  const seriesOf = (id: string, title: string | null, color: string, points: Series['points']): readonly Series[] =>
    points.length === 0 ? [] : [{ id, kind: 'measured', title, color, join: 'none', points }];
  return [
    ...published,
    ...seriesOf(`${card}, ${date}`, null, COLORS[4], recorded),
    ...seriesOf('here', device, 'var(--text)', onDevice),
  ];
}

/** The best verified speed of a format against dense f16, in the reports that match; null if there is none. */
function bestSpeed(
  reports: readonly BenchReport[],
  format: string,
  matches: (report: BenchReport) => boolean,
): number | null {
  let best: number | null = null;
  for (const report of reports) {
    if (!matches(report)) continue;
    for (const row of report.rows) {
      if (row.format !== format || !row.verified.ok || row.draft) continue;
      const speed = speedIn(report, row);
      if (speed !== null && speed.ratio > (best ?? 0)) best = speed.ratio;
    }
  }
  return best;
}

/** SlideSparse's speeds by tokens: a line for each GPU of the paper, and one for a device, without its tensor cores. */
export function slideSparseSeries(
  pattern: '6:8' | '2:4',
  reports: readonly BenchReport[],
  device: string,
): readonly Series[] {
  const published = Object.entries(slideSparse.gpus).map(([gpu, { tokens, ...speeds }], i): Series => ({
    id: gpu,
    kind: 'published',
    title: gpu,
    color: COLORS[i],
    join: 'straight',
    points: tokens.flatMap((x, j) => {
      const y = speeds[pattern][j];
      return y === null ? [] : [{ x, y }];
    }),
  }));
  const [keptCount, group] = pattern.split(':').map(Number);
  const timedTokens = reports.flatMap(({ workload }) =>
    workload.operation === 'gemm' ? [workload.sizes?.tokens ?? 0] : [],
  );
  const onDevice = [...new Set(timedTokens)]
    .toSorted((a, b) => a - b)
    .flatMap((tokens) => {
      const y = bestSpeed(reports, slideSparse.format, ({ workload: { operation, sizes, density, rows } }) => {
        const isPattern = Math.abs(density - keptCount / group) < 0.01;
        return operation === 'gemm' && sizes?.tokens === tokens && isPattern && rows >= 2048;
      });
      return y === null ? [] : [{ x: tokens, y }];
    });
  return onDevice.length === 0
    ? published
    : [...published, { id: 'here', kind: 'measured', title: device, color: 'var(--text)', points: onDevice }];
}
