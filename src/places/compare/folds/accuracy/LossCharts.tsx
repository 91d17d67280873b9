import { useMemo } from 'react';
import type { AnyListedFormat } from '../../../../core/format.ts';
import { largest, smallest } from '../../../../core/number/statistics.ts';
import { type Axis, powersBetween } from '../../../../kit/charts/axis.ts';
import { Chart } from '../../../../kit/charts/Chart.tsx';
import type { ChartFigures } from '../../../../kit/charts/chart-csv.ts';
import { linearSteps } from '../../../../kit/charts/cursor.ts';
import type { Rule, Series } from '../../../../kit/charts/series.ts';
import {
  bytes as bytesText,
  density as densityText,
  percent,
  time as timeText,
} from '../../../../kit/words/quantity.ts';
import { errorShare, linesOf, type Run, type RunLine } from './figures.ts';
import { isQuantised, pruningText, WAY_TITLES, type Way } from './plan.ts';
import { cssColorOf, cssTextColorOf } from '../../../../kit/format-color.ts';
import { SectionHead } from '../../../../kit/controls/Section.tsx';

export interface LossChartsProps {
  readonly runs: readonly Run[];
  readonly whole: Run | null;
  readonly ways: readonly Way[];
  readonly formats: readonly AnyListedFormat[];
  readonly titleOf: (format: string) => string;
  readonly at: number;
  readonly onMove: (density: number) => void;
  /** told when the cursor is let go */
  readonly onRelease: () => void;
  readonly strong: string | null;
  readonly onStrong: (group: string | null) => void;
}

/** Candidate ticks: shares of images classified correctly. */
const ACCURACY_TICKS = [0.1, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999];
const DENSITY_TICKS = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

/** Accuracy, bytes and time of the network: by density, and at equal bytes. */
export function LossCharts(props: LossChartsProps) {
  const { runs, whole, ways, formats, titleOf, at, onMove, onRelease, strong, onStrong } = props;
  const lines = useMemo(() => linesOf(runs), [runs]);
  const accuracy = useMemo(() => accuracyAxis(runs), [runs]);
  const byWay = useMemo(() => waySeries(lines, ways, formats[0]?.id ?? null), [lines, ways, formats]);
  const byBytes = useMemo(() => byteSeries(lines, ways[0] ?? null, titleOf), [lines, ways, titleOf]);
  const times = useMemo(() => timeSeries(lines, ways[0] ?? null, titleOf), [lines, ways, titleOf]);
  const bytesAxis = useMemo(() => axisOfBytes(runs), [runs]);
  const timeAxis = useMemo(() => axisOfTimes(times), [times]);
  const rules: readonly Rule[] = whole
    ? [{ id: 'whole', at: errorShare(whole), title: 'not pruned', kind: 'solid' }]
    : [];
  const cursor = {
    at,
    label: 'density',
    text: `density ${densityText(at)}`,
    step: linearSteps(0.01),
    onMove,
    onRelease,
  };
  return (
    <>
      <section className="network-chart" aria-label="Accuracy by density">
        <SectionHead
          level={3}
          title="Accuracy"
          caption="share of images recognised, by the share of weights kept; the axis is logarithmic in the errors"
        />
        <Chart
          id="accuracy-by-density"
          heading={{ title: 'Accuracy by density', caption: 'digits, share of test images recognised' }}
          spoken={spokenAccuracy(byWay)}
          x={DENSITY_AXIS}
          y={accuracy}
          series={byWay}
          rules={rules}
          cursor={cursor}
          figures={() =>
            figuresOf(
              lines.filter((l) => l.way !== null),
              titleOf,
              'accuracy',
            )
          }
        />
      </section>
      <section className="network-chart" aria-label="Accuracy at equal bytes">
        <SectionHead
          level={3}
          title="At equal bytes"
          caption="pruned, quantised, and both; bytes of all weights, logarithmic: up and to the left is better"
        />
        <Chart
          id="accuracy-by-bytes"
          heading={{ title: 'Accuracy at equal bytes', caption: 'digits, bytes of all weights' }}
          spoken={`Accuracy by bytes: ${byBytes.map((s) => s.title ?? s.id).join(', ')}.`}
          x={bytesAxis}
          y={accuracy}
          series={byBytes}
          rules={rules}
          strong={strong}
          onStrong={onStrong}
          figures={() => figuresOf(lines, titleOf, 'bytes')}
        />
      </section>
      {times.length > 0 && (
        <section className="network-chart" aria-label="Time by density">
          <SectionHead level={3} title="Time" caption="of the products of one image, median with p10 to p90" />
          <Chart
            id="time-by-density"
            heading={{ title: 'Time by density', caption: 'digits, products of one image' }}
            spoken={`Time of one image by density: ${times.map((s) => s.title ?? s.id).join(', ')}.`}
            x={DENSITY_AXIS}
            y={timeAxis}
            series={times}
            cursor={{ ...cursor, handle: false }}
            height={220}
            strong={strong}
            onStrong={onStrong}
            figures={() => figuresOf(lines, titleOf, 'time')}
          />
        </section>
      )}
    </>
  );
}

const DENSITY_AXIS: Axis = {
  scale: 'linear',
  domain: [0, 1],
  ticks: DENSITY_TICKS,
  text: (d) => String(d),
  title: 'density',
};

/** The error rate, lowest at the top; tick labels show the accuracy. */
function accuracyAxis(runs: readonly Run[]): Axis {
  const errors = runs.map(errorShare);
  const low = smallest(errors, 0.005) * 0.7;
  return {
    scale: 'log',
    domain: [low, 1],
    ticks: ACCURACY_TICKS.map((share) => 1 - share).filter((error) => error >= low),
    text: (error) => `${Number((100 * (1 - error)).toFixed(1))}\u202f%`,
    title: 'told right',
    reversed: true,
  };
}

function axisOfBytes(runs: readonly Run[]): Axis {
  const sizes = runs.map((run) => run.outcome.bytes);
  const domain = [smallest(sizes, 1e5) * 0.9, largest(sizes, 2e5) * 1.1] as const;
  const ticks = powersBetween(1e3, 1e8).flatMap((power) => [power, 2 * power, 5 * power]);
  return {
    scale: 'log',
    domain,
    ticks: ticks.filter((tick) => tick >= domain[0] && tick <= domain[1]),
    text: (size) => (size < 1e6 ? `${size / 1e3}\u202fkB` : `${size / 1e6}\u202fMB`),
    title: 'bytes of the weights',
  };
}

function axisOfTimes(times: readonly Series[]): Axis {
  const all = times.flatMap((s) => s.points.flatMap((p) => [p.low ?? p.y, p.high ?? p.y])).filter((ns) => ns > 0);
  const domain = [smallest(all, 1e6) / 1.2, largest(all, 1e3) * 1.2] as const;
  const ticks = powersBetween(1, 1e10).flatMap((power) => [power, 2 * power, 5 * power]);
  return {
    scale: 'log',
    domain,
    ticks: ticks.filter((tick) => tick >= domain[0] && tick <= domain[1]),
    text: (ns) => timeText(ns),
    title: 'per image',
  };
}

/** One line for each way of pruning, in the first format: the format does not change the answers. */
function waySeries(lines: readonly RunLine[], ways: readonly Way[], format: string | null): readonly Series[] {
  return ways.flatMap((way, i) => {
    const line = lines.find((l) => l.way === way && l.format === format);
    if (!line) return [];
    return [
      {
        id: way,
        kind: 'measured' as const,
        title: WAY_TITLES[way],
        color: i === 0 ? 'var(--text)' : 'var(--text-quiet)',
        textColor: i === 0 ? 'var(--text)' : 'var(--text-muted)',
        dashed: i > 0,
        points: line.runs.map((run) => ({ x: run.outcome.density, y: errorShare(run) })),
      },
    ];
  });
}

/** Every format and value type with the first way of pruning, and the whole network in each value type. */
function byteSeries(lines: readonly RunLine[], way: Way | null, titleOf: (id: string) => string): readonly Series[] {
  const pruned = lines
    .filter((line) => line.way === way && line.way !== null)
    .map((line): Series => ({
      ...look(line, titleOf),
      kind: 'measured',
      points: line.runs.map((run) => ({ x: run.outcome.bytes, y: errorShare(run) })),
    }));
  const whole = lines.filter((line) => line.way === null).flatMap((line) => line.runs);
  const [first] = whole;
  if (!first) return pruned;
  const { format } = first.choice;
  const quantised = whole.map((run): Series => ({
    id: `whole ${run.valueType}`,
    group: format,
    kind: 'encoded',
    title: `${titleOf(format)} ${run.valueType}`,
    color: cssColorOf(format),
    textColor: cssTextColorOf(format),
    points: [{ x: run.outcome.bytes, y: errorShare(run) }],
  }));
  return [...quantised, ...pruned];
}

function timeSeries(lines: readonly RunLine[], way: Way | null, titleOf: (id: string) => string): readonly Series[] {
  return lines
    .filter((line) => line.way === way || line.way === null)
    .map((line): Series => ({
      ...look(line, titleOf),
      kind: 'measured',
      points: line.runs.flatMap((run) =>
        run.time === null
          ? []
          : [
              {
                // Without pruning, weights that round to 0 are stored all the same.
                x: run.way === null ? 1 : run.outcome.density,
                y: run.time.median,
                low: run.time.low,
                high: run.time.high,
              },
            ],
      ),
    }))
    .filter((series) => series.points.length > 0);
}

/** A line in its format's colours; dashed if its values are quantised. */
function look(line: RunLine, titleOf: (id: string) => string): Omit<Series, 'kind' | 'points'> {
  const { format, valueType, id } = line;
  return {
    id,
    group: format,
    title: `${titleOf(format)} ${valueType}`,
    color: cssColorOf(format),
    textColor: cssTextColorOf(format),
    dashed: isQuantised(valueType),
  };
}

function spokenAccuracy(series: readonly Series[]): string {
  const said = series.map((s) => {
    const ends = [s.points.at(-1), s.points[0]].flatMap((p) =>
      p ? [`${percent(1 - p.y)} at density ${densityText(p.x)}`] : [],
    );
    return `${s.title}: ${ends.join(', ')}`;
  });
  return `Share of images recognised, by density. ${said.join('; ')}.`;
}

/** Every run as a row, with the chart's own figure after density and pruning. */
function figuresOf(
  lines: readonly RunLine[],
  titleOf: (id: string) => string,
  first: 'accuracy' | 'bytes' | 'time',
): ChartFigures {
  const columns = ['accuracy', 'bytes', 'time'] as const;
  const order = [first, ...columns.filter((c) => c !== first)];
  const heads = { accuracy: 'told right', bytes: 'bytes', time: 'per image' };
  return {
    head: ['format and pruning', 'values', 'density', ...order.map((c) => heads[c])],
    rows: lines.flatMap((line) =>
      line.runs.map((run) => {
        const cells = {
          accuracy: percent(run.accuracy, 2),
          bytes: bytesText(run.outcome.bytes),
          time: run.time === null ? '–' : timeText(run.time.median),
        };
        const values = { accuracy: run.accuracy, bytes: run.outcome.bytes, time: run.time?.median ?? null };
        const name = `${titleOf(line.format)}, ${pruningText(run.choice.pruning)}, ${line.valueType}`;
        return {
          name,
          cells: [line.valueType, densityText(run.outcome.density), ...order.map((c) => cells[c])],
          values: [name, line.valueType, run.outcome.density, ...order.map((c) => values[c])],
        };
      }),
    ),
  };
}
