import type { ReactNode } from 'react';
import { largest, smallest } from '../../core/number/statistics.ts';
import { countText } from '../../core/text/words.ts';
import { type Axis, powersBetween, type Plot } from './axis.ts';
import { Chart } from './Chart.tsx';
import type { ChartHeadLabel } from './ChartWords.tsx';
import type { ChartCursor } from './cursor.ts';
import { type Bin, binText } from './histogram.ts';
import type { Heading } from './standalone-svg.ts';

interface CountChartProps {
  readonly id: string;
  readonly heading: Heading;
  /** a text alternative of the whole chart, for screen readers */
  readonly spoken: string;
  /** the counted things: 'rows' */
  readonly what: string;
  /** the meaning of the x axis: 'non-zeros of a row' */
  readonly along: string;
  readonly bins: readonly Bin[];
  /** further positions along x that the chart must include */
  readonly positions?: readonly number[];
  /** position along x from which a thing does not fit, such as a row with too many non-zeros; null if all fit */
  readonly limit: number | null;
  /** vertical dotted lines, at positions along x */
  readonly lines?: readonly { readonly id: string; readonly at: number }[];
  readonly heads?: readonly ChartHeadLabel[];
  /** log: a bar of one among thousands stays visible */
  readonly scale?: Axis['scale'];
  readonly height: number;
  readonly cursor?: ChartCursor;
  readonly children?: (plot: Plot) => ReactNode;
}

/** A chart with one bar for each bin of a histogram; bars from `limit` on are highlighted. */
export function CountChart(props: CountChartProps) {
  const { id, heading, spoken, what, along, bins, positions = [], limit, lines = [], heads = [], height } = props;
  const { scale = 'linear', cursor, children } = props;
  const max = largest([1, ...bins.map(({ count }) => count)]);
  const ends = [(bins[0]?.from ?? 0) - 0.5, (bins.at(-1)?.to ?? 1) + 0.5, ...positions];
  const low = Math.max(-0.5, smallest(ends));
  const high = Math.max(low + 1, largest(ends));
  return (
    <Chart
      id={id}
      heading={heading}
      spoken={spoken}
      x={{
        scale: 'linear',
        domain: [low, high],
        ticks: countTicks(high, Math.max(0, low)),
        text: countText,
        title: along,
      }}
      y={scale === 'log' ? logAxis(max) : linearAxis(max)}
      height={height}
      series={[]}
      heads={heads}
      {...(cursor && { cursor })}
      table={() => ({
        head: [along, what],
        rows: bins.map((bin) => ({
          name: binText(bin, countText),
          cells: [countText(bin.count)],
          values: [bin.from, bin.count],
        })),
      })}
    >
      {(plot) => (
        <>
          {bins.map(({ from, to, count }) => {
            if (count === 0) return null;
            const left = plot.x(from - 0.5);
            const top = Math.min(plot.y(count), plot.bottom - 1.5);
            return (
              <rect
                key={from}
                className="count-column fill-track data-over:fill-danger"
                data-over={limit !== null && from >= limit ? '' : undefined}
                x={left}
                y={top}
                width={Math.max(1, plot.x(to + 0.5) - left - 1)}
                height={plot.bottom - top}
              />
            );
          })}
          {lines.map((line) => (
            <line
              key={line.id}
              className="plot-dotted"
              x1={plot.x(line.at)}
              x2={plot.x(line.at)}
              y1={plot.top - 4}
              y2={plot.bottom}
            />
          ))}
          {children?.(plot)}
        </>
      )}
    </Chart>
  );
}

function linearAxis(max: number): Axis {
  return { scale: 'linear', domain: [0, max * 1.05], ticks: countTicks(max), text: shortCount, title: '' };
}

/** An axis that begins below 1, so that a bar of one has a height. */
function logAxis(max: number): Axis {
  const powers = powersBetween(1, Math.max(10, max));
  const ticks = powers.length > 4 ? powers.filter((_, i) => i % 2 === 0) : powers;
  return { scale: 'log', domain: [0.5, Math.max(10, max)], ticks, text: shortCount, title: '' };
}

/** A count as a tick: 20k, 3M. */
function shortCount(count: number): string {
  if (count >= 1e6) return `${count / 1e6}M`;
  return count >= 1000 ? `${count / 1000}k` : countText(count);
}

/** A few round numbers from `low` to `high`. */
function countTicks(high: number, low = 0): readonly number[] {
  const raw = Math.max(1, high - low) / 5;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = Math.max(1, [1, 2, 5, 10].map((n) => n * power).find((n) => n >= raw) ?? raw);
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.max(0, Math.floor(high / step) - first + 1) }, (_, i) => (first + i) * step);
}
