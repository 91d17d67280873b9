import { useState } from 'react';
import { countText } from '../core/story/words.ts';
import { largest, smallest } from '../core/number/statistics.ts';
import type { BenchReport } from '../core/report.ts';
import type { Axis } from '../kit/charts/axis.ts';
import { Chart } from '../kit/charts/Chart.tsx';
import type { Series } from '../kit/charts/series.ts';
import { Select } from '../kit/controls/Select.tsx';
import { Drawer } from '../kit/primitives/Boxes.tsx';
import { ratio } from '../kit/words/quantity.ts';
import { leftText } from '../kit/words/shares.ts';
import { MACKO_SHAPES, RAW_RESULTS } from './raw-results.ts';
import { mackoSeries, slideSparseSeries } from './raw-result-series.ts';

interface RawResultsProps {
  /** reports of the device that is shown, and its name */
  readonly reports: readonly BenchReport[];
  readonly device: string;
}

const PATTERNS = ['6:8', '2:4'] as const;

/** Charts of the speeds that authors publish beside their papers, with the same measurements on a device. */
export function RawResults(props: RawResultsProps) {
  return (
    <Drawer title="The authors’ raw results" className="col-span-full">
      {() => (
        <div className="grid gap-4 mt-3">
          <ByShape {...props} />
          <ByTokens {...props} />
        </div>
      )}
    </Drawer>
  );
}

/** MACKO's speeds at one density, by shape. */
function ByShape({ reports, device }: RawResultsProps) {
  const { densities, cards, own, source, commit, files, licence } = RAW_RESULTS.macko; // own: by this project
  const [density, setDensity] = useState(densities[0]);
  const series = mackoSeries(density, reports, device);
  const title = `MACKO, shape by shape, ${leftText(density)} left`;
  const at = densities.indexOf(density);
  return (
    <section aria-label={title}>
      <h3>MACKO, shape by shape</h3>
      <div className="flex flex-wrap items-center gap-3 text-muted text-12">
        <span style={{ inlineSize: '9rem' }}>
          <Select
            aria-label="Weights left"
            value={density}
            options={densities.map((value) => ({ value, label: `${leftText(value)} left` }))}
            onChange={setDensity}
          />
        </span>
        <Legend series={series} />
      </div>
      <Chart
        id="raw-macko-by-shape"
        heading={{ title, caption: 'speed against dense f16 of cuBLAS, y = A x' }}
        spoken={`${title}: ${MACKO_SHAPES.length} shapes on ${cards.length} cards.`}
        x={logAxis(series, 'weights of the matrix', (x) => `${countText(Math.round(x / 2 ** 20))}\u202fMi`, 4)}
        y={speedAxis(series)}
        series={series}
        rules={[{ id: 'dense', at: 1, title: null, kind: 'solid' }]}
        table={() => ({
          head: ['shape', ...cards, `${own.card}, ${own.date}`],
          rows: MACKO_SHAPES.map(({ rows, cols, speeds }, i) => {
            const name = `${countText(rows)} × ${countText(cols)}`;
            const values = [...speeds, own.speeds[i]].map((one) => one[at] ?? null);
            return {
              name,
              cells: values.map((value) => (value === null ? '–' : ratio(value))),
              values: [name, ...values],
            };
          }),
        })}
      />
      <p className="text-muted text-12">
        {own.card}, {own.date}: {own.file}.
      </p>
      <Source {...{ source, commit, files, licence }} />
    </section>
  );
}

/** SlideSparse's speeds for one pattern, by tokens. */
function ByTokens({ reports, device }: RawResultsProps) {
  const { gpus, model, precision, source, commit, files, licence } = RAW_RESULTS.slideSparse;
  const [pattern, setPattern] = useState<(typeof PATTERNS)[number]>('6:8');
  const series = slideSparseSeries(pattern, reports, device);
  const title = `SlideSparse ${pattern}, by tokens and GPU`;
  const names = Object.keys(gpus);
  const tokens = gpus.A100.tokens;
  return (
    <section aria-label={title}>
      <h3>SlideSparse, by tokens and GPU</h3>
      <div className="flex flex-wrap items-center gap-3 text-muted text-12">
        <span style={{ inlineSize: '9rem' }}>
          <Select
            aria-label="Pattern"
            value={pattern}
            options={PATTERNS.map((value) => ({ value, label: value }))}
            onChange={setPattern}
          />
        </span>
        <span>
          {model}, {precision}, sparse tensor cores
        </span>
      </div>
      <Chart
        id="raw-slidesparse-by-tokens"
        heading={{ title, caption: `${model}, ${precision}, against dense of cuBLASLt` }}
        spoken={`${title}: ${names.join(', ')}.`}
        x={logAxis(series, 'tokens', countText, 4)}
        y={speedAxis(series)}
        series={series}
        rules={[{ id: 'dense', at: 1, title: null, kind: 'solid' }]}
        table={() => ({
          head: ['tokens', ...names],
          rows: tokens.map((count) => {
            const values = Object.values(gpus).map((one) => one[pattern][one.tokens.indexOf(count)] ?? null);
            const name = countText(count);
            return {
              name,
              cells: values.map((value) => (value === null ? '–' : ratio(value))),
              values: [count, ...values],
            };
          }),
        })}
      />
      <p className="text-muted text-12">
        Dense INT8 is slow on a B200, say the authors. A device here has no sparse unit.
      </p>
      <Source {...{ source, commit, files, licence }} />
    </section>
  );
}

function Legend({ series }: { readonly series: readonly Series[] }) {
  // Series with a title have it in the chart.
  const others = series.filter(({ title }) => title === null);
  return others.map(({ id, color }) => (
    <span key={id}>
      <span className="swatch me-1" style={{ background: color }} />
      {id}
    </span>
  ));
}

interface SourceProps {
  readonly source: string;
  readonly commit: string;
  readonly files: string;
  readonly licence: string;
}

function Source({ source, commit, files, licence }: SourceProps) {
  return (
    <p className="field-hint wrap-anywhere">
      <a href={source} rel="noreferrer">
        {source.replace('https://', '')}
      </a>
      , {files}, commit {commit}, {licence} licence.
    </p>
  );
}

/** A logarithmic axis over all points; each tick is `times` the tick before. */
function logAxis(series: readonly Series[], title: string, text: (x: number) => string, times: number): Axis {
  const all = series.flatMap(({ points }) => points.map(({ x }) => x));
  const [min, max] = [smallest(all), largest(all)];
  const first = 2 ** Math.floor(Math.log2(min));
  const ticks: number[] = [];
  for (let at = first; at <= max; at *= times) ticks.push(at);
  return { scale: 'log', domain: [first / 1.1, max * 1.15], ticks, text, title };
}

function speedAxis(series: readonly Series[]): Axis {
  const max = Math.ceil(1.05 * largest(series.flatMap(({ points }) => points.map(({ y }) => y))));
  const step = Math.ceil(max / 5);
  const ticks = Array.from({ length: Math.floor(max / step) + 1 }, (_, i) => i * step);
  return { scale: 'linear', domain: [0, max], ticks, text: (y) => `${y}×`, title: '' };
}
