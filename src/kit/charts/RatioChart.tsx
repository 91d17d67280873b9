import { useMemo } from 'react';
import { largest, smallest } from '../../core/number/statistics.ts';
import type { Axis } from './axis.ts';
import type { ChartFigures } from './chart-csv.ts';
import { Chart } from './Chart.tsx';
import { EvenMark } from './EvenMark.tsx';
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

/** limit and predicted follow from what was measured; published was measured by others, and is never joined with ours. */
interface OtherLine extends Series {
  readonly kind: 'limit' | 'predicted' | 'published';
}

export type ChartLine = MeasuredLine | OtherLine;

interface RatioChartProps {
  readonly id: string;
  readonly heading: Heading;
  /** all that the chart says, for those who do not see it */
  readonly spoken: string;
  readonly x: ChartX;
  readonly y: ChartY;
  readonly lines: readonly ChartLine[];
  /** where the line of dense is passed */
  readonly even?: { readonly at: number; readonly text: string } | null;
  readonly figures: ChartFigures;
}

/** Ratios along an axis, with the line at 1 that matters. */
export function RatioChart({ id, heading, spoken, x: xAxis, y, lines, even = null, figures }: RatioChartProps) {
  const x = useMemo<Axis>(() => ({ ...xAxis, domain: [smallest(xAxis.ticks), largest(xAxis.ticks)] }), [xAxis]);
  const rules: readonly Rule[] = y.ticks.includes(1) ? [{ id: 'even', at: 1, title: null, kind: 'solid' }] : [];
  return (
    <Chart id={id} heading={heading} spoken={spoken} x={x} y={y} series={lines} rules={rules} figures={() => figures}>
      {(plot) => even && <EvenMark plot={plot} {...even} />}
    </Chart>
  );
}
