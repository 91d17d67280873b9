import { memo, useMemo } from 'react';
import { largest, smallest } from '../../../core/number/statistics.ts';
import { referenceFormat } from '../../../formats/catalog.ts';
import { type Axis, powersOfTwo } from '../../../kit/charts/axis.ts';
import type { ChartTable } from '../../../kit/charts/chart-csv.ts';
import type { ChartNote } from '../../../kit/charts/ChartWords.tsx';
import type { ChartPoint, Rule, Series } from '../../../kit/charts/series.ts';
import type { PublishedLine } from '../../../kit/report/use-published.ts';
import { ratio } from '../../../kit/words/quantity.ts';
import { densityText, roughDensityText } from '../../../kit/words/shares.ts';
import { BY_BYTES } from '../../../kit/words/speed-of.ts';
import { greyOf, type Substitute, withSubstitute } from '../../../kit/words/ran-instead.ts';
import type { Stretch } from '../curves/fastest-along.ts';
import { type MeasuredSpeed, runsWithoutGap } from '../curves/measured-speeds.ts';
import { valueAtDensity, GRID } from '../curves/size-curves.ts';
import type { DenseSpeeds, FormatSpeeds } from '../curves/use-measured-speeds.ts';
import { DensityChart } from './DensityChart.tsx';
import type { SizeLine } from '../curves/chart-lines.ts';
import type { DensityChartBaseProps, DensityColumn } from './chart-parts.ts';
import { formatStyle, lineSeries, densityTable, squareSeries } from './chart-parts.ts';

interface SpeedChartProps extends DensityChartBaseProps {
  /** speeds by bytes alone */
  readonly lines: readonly SizeLine[];
  readonly formatSpeeds: readonly FormatSpeeds[];
  /** dense in fewer bits */
  readonly denseSpeeds: readonly DenseSpeeds[];
  readonly fastest: readonly Stretch[];
  /** what ran instead of a GPU: such measurements are grey and have this label */
  readonly substitute: Substitute | null;
  readonly published: readonly PublishedLine[];
}

const SPEEDS: Axis = {
  scale: 'log',
  domain: [0.25, 8],
  ticks: [0.25, 0.5, 1, 2, 4, 8],
  text: (y) => `${y < 1 ? `1/${Math.round(1 / y)}` : y}×`,
  title: 'speed against dense, logarithmic',
};

/** The axis of speeds, wide enough for all `values`; lines by bytes alone may leave it. */
export function speedsAxis(values: readonly number[]): Axis {
  const [low, high] = SPEEDS.domain;
  const finite = values.filter((value) => value > 0 && Number.isFinite(value));
  return {
    ...SPEEDS,
    ...powersOfTwo(
      smallest([low, ...finite.map((value) => value / DOT_SPACE)]),
      largest([high, ...finite.map((value) => value * DOT_SPACE)]),
    ),
  };
}

/** Space beyond the outermost dots, as a factor on the logarithmic axis. */
const DOT_SPACE = 1.15;

function useSpeedsAxis({ formatSpeeds, denseSpeeds, published }: SpeedChartProps): Axis {
  return useMemo(() => {
    const dots = [...formatSpeeds, ...denseSpeeds].flatMap(({ points }) => points);
    const ratios = dots.flatMap(({ p10, ratio: middle, p90 }) => [p10, middle, p90]);
    const squares = published.flatMap(({ figures: { points } }) => points.map(({ value }) => value));
    return speedsAxis([...ratios, ...squares]);
  }, [formatSpeeds, denseSpeeds, published]);
}

/** Speed against dense by density: dashed lines by bytes alone, solid lines measured, squares published. */
export const SpeedChart = memo(function SpeedChart(props: SpeedChartProps) {
  const { lines, formatSpeeds, denseSpeeds, fastest, substitute, published, ...chartProps } = props;
  const limits = useMemo(
    () =>
      lines.map((line): Series => {
        // The measured line of the same format has the name.
        const isMeasured = formatSpeeds.some(({ format }) => format.id === line.format.id);
        const title = isMeasured ? null : line.format.title;
        return { ...lineSeries(line, limitPoints(line)), kind: 'limit', dashed: true, title };
      }),
    [lines, formatSpeeds],
  );
  const series = useMemo(
    () => [
      ...squareSeries(published),
      ...formatSpeeds.flatMap(({ format, points }, i) =>
        measuredSeries(
          { ...formatStyle(format.id), id: format.id, ...(substitute !== null && grey(i, formatSpeeds.length)) },
          withSubstitute(format.title, substitute),
          points,
        ),
      ),
      ...denseSpeeds.flatMap((speeds) => denseSeries(speeds, substitute)),
    ],
    [published, formatSpeeds, denseSpeeds, substitute],
  );
  const y = useSpeedsAxis(props);
  // Where dense becomes the fastest.
  const evenShares = fastest.slice(1).filter(({ winner }) => winner === referenceFormat.title);
  const notes = evenShares.map(({ from }): ChartNote => ({
    x: from,
    y: 1,
    text: `equal at ${roughDensityText(from)}`,
  }));
  const spoken = formatSpeeds.map(({ format, points }) => {
    const best = points.reduce((a, b) => (b.ratio > a.ratio ? b : a), points[0]);
    return `${format.title} up to ${withSubstitute(ratio(best.ratio), substitute)} at a density of ${roughDensityText(best.density)}`;
  });
  return (
    <DensityChart
      {...chartProps}
      id="speed-by-density"
      heading={{
        title: 'Speed',
        caption: withSubstitute(`against dense, y = A x · dashed: ${BY_BYTES} · solid: measured`, substitute),
      }}
      spoken={`Speed against dense by density${spoken.length === 0 ? `, ${BY_BYTES}` : `: ${spoken.join('; ')}`}.`}
      y={y}
      lines={limits}
      series={series}
      rules={RULES}
      notes={notes}
      table={() => speedFigures(props)}
    />
  );
});

const RULES: readonly Rule[] = [{ id: 'even', position: 1, title: referenceFormat.title, kind: 'solid' }];

/** The speed of a format against dense, computed from bytes alone. */
function limitPoints({ sizes }: SizeLine): readonly ChartPoint[] {
  return GRID.flatMap((x, i) => (sizes[i] > 0 ? [{ x, y: 1 / sizes[i] }] : []));
}

function grey(index?: number, count?: number): Pick<Series, 'color' | 'textColor'> {
  return { color: greyOf(index, count), textColor: 'var(--text-quiet)' };
}

/** The measured speeds of one format as a line for each run of densities without a gap. */
function measuredSeries(
  style: Pick<Series, 'id' | 'color' | 'textColor' | 'group'>,
  title: string,
  points: readonly MeasuredSpeed[],
): readonly Series[] {
  const runs = runsWithoutGap(points);
  return runs.map((run, i) => ({
    ...style,
    id: i === 0 ? style.id : `${style.id} ${i}`,
    kind: 'measured',
    title: i === runs.length - 1 ? title : null,
    points: run.map((p) => ({ x: p.density, y: p.ratio, low: p.p10, high: p.p90 })),
  }));
}

/** Dense in fewer bits reads the same bytes at every density: a constant limit, and measurements in dense's colour. */
function denseSeries({ id, title, size, points }: DenseSpeeds, substitute: Substitute | null): readonly Series[] {
  const style = { ...formatStyle(referenceFormat.id), id: title, group: id };
  return [
    {
      ...style,
      kind: 'limit',
      title: points.length > 0 ? null : title,
      join: 'straight',
      dashed: true,
      points: [GRID[0], 1].map((x) => ({ x, y: 1 / size })),
    },
    ...measuredSeries({ ...style, ...(substitute !== null && grey()) }, withSubstitute(title, substitute), points),
  ];
}

/** The densities in the table of the chart. */
const LISTED_DENSITIES = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

function speedFigures({ lines, formatSpeeds, denseSpeeds, substitute }: SpeedChartProps): ChartTable {
  const timedSpeeds = [...formatSpeeds, ...denseSpeeds].filter(({ points }) => points.length > 0);
  // A measured density replaces the round one next to it: a generated matrix misses the requested density slightly.
  const measuredDensities = timedSpeeds.flatMap(({ points }) => points.map(({ density }) => density));
  const unmeasuredDensities = LISTED_DENSITIES.filter(
    (density) => !measuredDensities.some((measuredDensity) => Math.abs(measuredDensity - density) < 0.004 * density),
  );
  const densities = new Map(
    [...unmeasuredDensities, ...measuredDensities].map((density) => [densityText(density), density]),
  );
  const columns: readonly DensityColumn[] = [
    ...lines.map(({ format, sizes }) => ({
      title: `${format.title}, ${BY_BYTES}`,
      valueAt: (density: number) => 1 / valueAtDensity(sizes, density),
    })),
    ...denseSpeeds.map(({ title, size }) => ({ title: `${title}, ${BY_BYTES}`, valueAt: () => 1 / size })),
    ...timedSpeeds.flatMap(({ title, points }) =>
      (['ratio', 'p10', 'p90'] as const).map((figure) => ({
        title: withSubstitute(figure === 'ratio' ? title : `${title}, ${figure}`, substitute),
        valueAt: (density: number) =>
          points.find((point) => densityText(point.density) === densityText(density))?.[figure] ?? Number.NaN,
      })),
    ),
  ];
  return densityTable([...densities.values()], columns, ratio);
}
