// The chart of tokens per second by density.

import { useMemo } from 'react';
import { largest } from '../../../../src/core/number/statistics.ts';
import type { Axis } from '../../../../src/kit/charts/axis.ts';
import { Chart } from '../../../../src/kit/charts/Chart.tsx';
import { linearSteps } from '../../../../src/kit/charts/cursor.ts';
import type { Rule, Series, SeriesKind } from '../../../../src/kit/charts/series.ts';
import { cssColorOf, cssTextColorOf } from '../../../../src/kit/format-color.ts';
import { densityText } from '../../../../src/kit/words/shares.ts';
import { modelBytes } from '../../../../src/theory/models/model-bytes.ts';
import { tokenRate } from './shapes.ts';
import { clockText } from './speed-words.ts';
import type { LargeModelData } from './use-large-model.ts';

interface RatePoint {
  readonly density: number;
  readonly tokensPerSecond: number;
}

interface RateLine {
  readonly kind: SeriesKind;
  readonly title: string;
  readonly points: readonly RatePoint[];
}

const DENSITY_AXIS: Axis = {
  scale: 'linear',
  domain: [0.05, 1],
  ticks: [1, 0.8, 0.6, 0.4, 0.2],
  text: densityText,
  title: 'density',
};

/** The lower end of the axis, in tokens per second: slower points are clipped. */
const MIN_RATE = 25;

/** Title of the dashed line: measured times of whole tokens, not only of their matrices. */
const WHOLE_TOKENS = 'whole tokens';

/** Returns the text of the chart for screen readers; `wholeTokens`: points measured with whole tokens. */
export function ratesText(title: string, points: readonly RatePoint[], whole: readonly RatePoint[]): string {
  const list = (rates: readonly RatePoint[]): string =>
    rates.map((rate) => `${densityText(rate.density)} left: ${Math.round(rate.tokensPerSecond)}`).join(', ') ||
    'not measured';
  return `Tokens per second by density, ${title}: ${list(points)}; whole tokens: ${list(whole)}`;
}

/** The lines of the chart: limit by bytes, measured matrices, measured whole tokens, and the format's paper. */
function linesOf({
  modelShape,
  format,
  modelFormat,
  isDense,
  measuredTimes,
  readGBps,
  published,
  wholeTokens,
}: LargeModelData) {
  const points = isDense
    ? []
    : measuredTimes.flatMap(({ density, storedNs }) =>
        storedNs === null ? [] : [{ density, tokensPerSecond: tokenRate(storedNs) }],
      );
  const limitPoints =
    readGBps === null || isDense
      ? []
      : Array.from({ length: 96 }, (_, i) => 1 - i / 100).flatMap((density): RatePoint[] => {
          const bytes = modelBytes(modelShape, { ...modelFormat, density });
          return bytes ? [{ density, tokensPerSecond: (readGBps * 1e9) / bytes.readStored }] : [];
        });
  const lines: readonly RateLine[] = [
    { kind: 'limit', title: 'limit by bytes', points: limitPoints },
    { kind: 'published', title: published ? `published, ${published.device}` : '', points: published?.points ?? [] },
    { kind: 'measured', title: 'matrices', points },
    { kind: 'measured', title: WHOLE_TOKENS, points: wholeTokens.stored },
  ];
  return { points, lines: lines.filter((line) => line.points.length > 0), color: cssColorOf(format.id) };
}

interface RatesChartProps {
  /** the large model, its format, and their times on the selected device */
  readonly modelData: LargeModelData;
  /** time of all matrices of the dense model for a token; null: not measured */
  readonly denseNs: number | null;
}

/** Chart of the tokens per second of a large model by density; its cursor sets the density for the whole tab. */
export function RatesChart({ modelData, denseNs }: RatesChartProps) {
  const {
    device,
    modelShape,
    density: currentDensity,
    choose,
    format,
    pytorch: pytorchRun,
    published,
    wholeTokens,
  } = modelData;
  const { points, lines, color } = useMemo(() => linesOf(modelData), [modelData]);
  const levels = [
    ...(denseNs === null ? [] : [{ title: 'dense, matrices', rate: tokenRate(denseNs) }]),
    ...wholeTokens.dense.map(({ tokensPerSecond }) => ({ title: 'dense, whole', rate: tokensPerSecond })),
    ...(pytorchRun?.ways ?? []).map(({ title, tokensPerSecond }) => ({ title, rate: tokensPerSecond })),
    ...(published ? [{ title: `dense, ${published.device}`, rate: published.points[0].denseTokensPerSecond }] : []),
  ];
  const series = lines.map(({ kind, title, points: rates }): Series => ({
    id: title,
    kind,
    title,
    color,
    textColor: cssTextColorOf(format.id),
    join: kind === 'published' ? 'none' : 'straight',
    dashed: title === WHOLE_TOKENS,
    points: rates.map(({ density, tokensPerSecond }) => ({ x: density, y: tokensPerSecond })),
  }));
  const rules = levels.map(({ title, rate }): Rule => ({
    id: title,
    position: rate,
    title: `${title} ${Math.round(rate)}`,
    kind: 'dotted',
  }));
  const figures = lines.filter(({ kind }) => kind !== 'limit').flatMap((line) => line.points);
  const maxRate =
    1.6 * largest([100, ...figures.map(({ tokensPerSecond }) => tokensPerSecond), ...levels.map(({ rate }) => rate)]);
  return (
    <>
      <p className="text-muted text-12 mb-2">
        {modelShape.name}; matrices{clockText(device)}, whole tokens by the wall clock
      </p>
      <Chart
        id="tokens-by-weights-left"
        heading={{ title: 'Tokens per second, by density', caption: `${modelShape.name}, ${format.title}` }}
        spoken={ratesText(format.title, points, wholeTokens.stored)}
        x={DENSITY_AXIS}
        y={{
          scale: 'log',
          domain: [MIN_RATE, maxRate],
          ticks: [30, 50, 100, 200, 500, 1000, 2000].filter((tick) => tick < maxRate),
          text: String,
          title: 'tokens per second',
        }}
        series={series}
        rules={rules}
        cursor={{
          x: currentDensity,
          label: 'Left of the large model',
          text: `${densityText(currentDensity)} of the weights left`,
          step: linearSteps(0.05),
          onMove: (next) => choose({ left: Math.round(100 * next) / 100 }),
        }}
        table={() => ({
          head: ['', 'tokens per second'],
          rows: [
            ...lines.flatMap((line) =>
              line.kind === 'limit' ? [] : line.points.map((point) => ({ title: line.title, ...point })),
            ),
            ...levels.map(({ title, rate }) => ({ title, density: 1, tokensPerSecond: rate })),
          ].map(({ title, density, tokensPerSecond }) => ({
            name: `${title}, ${densityText(density)} left`,
            cells: [tokensPerSecond.toFixed(1)],
            values: [`${title}, ${density}`, tokensPerSecond],
          })),
        })}
      />
      {published && (
        <p className="text-muted text-12 text-pretty mt-2">
          Squares: whole tokens on an {published.device}, as{' '}
          <a href={published.paper} target="_blank" rel="noreferrer" style={{ color: cssTextColorOf(format.id) }}>
            published
          </a>{' '}
          in {published.place.toLowerCase()}.
        </p>
      )}
    </>
  );
}
