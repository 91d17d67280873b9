import { useMemo } from 'react';
import { largest, smallest } from '../../core/number/statistics.ts';
import type { Axis } from './axis.ts';
import type { ChartFigures } from './chart-csv.ts';
import { Chart } from './Chart.tsx';
import type { Plot } from './plot.ts';
import type { ChartPoint, Rule, Series } from './series.ts';
import type { Heading } from './standalone-svg.ts';

/** An axis whose ends are its outermost ticks. */
export type ChartX = Omit<Axis, 'domain'>;

export type ChartY = Axis;

/** What was measured: a thick line with its points and their spread. */
interface MeasuredLine extends Series {
  readonly kind: 'measured';
  readonly textColor: string;
  readonly points: readonly (ChartPoint & { readonly low: number; readonly high: number })[];
}

/** limit and predicted are derived from measurements; published comes from others, and is never joined with ours */
interface OtherLine extends Series {
  readonly kind: 'limit' | 'predicted' | 'published';
}

export type ChartLine = MeasuredLine | OtherLine;

interface RatioChartProps {
  readonly id: string;
  readonly heading: Heading;
  /** the whole chart in words, for people who cannot see it */
  readonly spoken: string;
  readonly x: ChartX;
  readonly y: ChartY;
  readonly lines: readonly ChartLine[];
  /** where a line crosses that of dense */
  readonly even?: { readonly at: number; readonly text: string } | null;
  readonly figures: ChartFigures;
}

/** Ratios along an axis, with the line at 1. */
export function RatioChart({ id, heading, spoken, x: xAxis, y, lines, even = null, figures }: RatioChartProps) {
  const x = useMemo<Axis>(() => ({ ...xAxis, domain: [smallest(xAxis.ticks), largest(xAxis.ticks)] }), [xAxis]);
  const rules: readonly Rule[] = y.ticks.includes(1) ? [{ id: 'even', at: 1, title: null, kind: 'solid' }] : [];
  return (
    <Chart id={id} heading={heading} spoken={spoken} x={x} y={y} series={lines} rules={rules} figures={() => figures}>
      {(plot) => even && <EvenMark plot={plot} {...even} />}
    </Chart>
  );
}

/** The mean width of a letter at 12 px, px. */
const LETTER = 6.2;

interface EvenMarkProps {
  readonly plot: Plot;
  readonly at: number;
  readonly text: string;
}

/** Where a curve crosses 1: a dotted line down to the axis, with a short label. */
function EvenMark({ plot: { x, y, right, bottom }, at, text }: EvenMarkProps) {
  const place = x(at);
  const fitsRight = place + 8 + LETTER * text.length < right;
  return (
    <>
      <line className="plot-dotted" x1={place} x2={place} y1={y(1)} y2={bottom} />
      <text
        className="plot-name halo"
        x={place + (fitsRight ? 6 : -6)}
        y={bottom - 8}
        textAnchor={fitsRight ? 'start' : 'end'}
      >
        {text}
      </text>
    </>
  );
}
