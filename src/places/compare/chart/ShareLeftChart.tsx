import { type ComponentProps, useMemo } from 'react';
import { Chart } from '../../../kit/charts/Chart.tsx';
import type { Series } from '../../../kit/charts/series.ts';
import { CursorShare } from '../../../kit/charts/ChartWords.tsx';
import { EndNames } from './EndNames.tsx';
import { SHARE_AXIS, type ShareChartProps } from './chart-parts.ts';

interface ShareLeftChartProps
  extends ShareChartProps, Pick<ComponentProps<typeof Chart>, 'id' | 'heading' | 'spoken' | 'y' | 'notes' | 'table'> {
  /** lines with a name at their end, or where they leave the chart */
  readonly lines: readonly Series[];
  /** dots, and lines without such a name */
  readonly series: readonly Series[];
  /** horizontal lines: the dense matrix in f16 and in fewer bits */
  readonly rules: NonNullable<ComponentProps<typeof Chart>['rules']>;
}

/** A chart by share of weights left after pruning, with a slider that sets this share. */
export function ShareLeftChart({ lines, series, narrow = false, ...props }: ShareLeftChartProps) {
  const { y, rules, cursor } = props;
  const [allSeries, linesNamedAtEnd] = useMemo(() => {
    const high = y.domain[1];
    // On a narrow page the legend names all lines.
    const isNamedAtEnd = ({ points }: Series): boolean =>
      !narrow && ((points.at(-1)?.x ?? 0) < 1 || points[points.length - 1].y > high);
    return [
      [...lines.map((line) => (isNamedAtEnd(line) ? { ...line, title: null } : line)), ...series],
      lines.filter(isNamedAtEnd),
    ];
  }, [lines, series, narrow, y]);
  return (
    <Chart {...props} x={SHARE_AXIS} series={allSeries}>
      {(plot) => (
        <>
          <EndNames plot={plot} series={linesNamedAtEnd} rules={rules} domain={y.domain} at={cursor.at} />
          <CursorShare plot={plot} at={cursor.at} />
        </>
      )}
    </Chart>
  );
}
