import { type ComponentProps, useMemo } from 'react';
import { Chart } from '../../../kit/charts/Chart.tsx';
import type { Series, ChartPoint } from '../../../kit/charts/series.ts';
import { CursorShare } from '../../../kit/charts/ChartWords.tsx';
import { DENSITY_AXIS, type DensityChartBaseProps } from './chart-parts.ts';
import { textWidth, type Box, freePosition } from '../../../kit/charts/label-space.ts';
import type { Plot } from '../../../kit/charts/axis.ts';

interface DensityChartProps
  extends
    DensityChartBaseProps,
    Pick<ComponentProps<typeof Chart>, 'id' | 'heading' | 'spoken' | 'y' | 'notes' | 'table'> {
  /** lines with a name at their end, or where they leave the chart */
  readonly lines: readonly Series[];
  /** dots, and lines without such a name */
  readonly series: readonly Series[];
  /** horizontal lines: the dense matrix in f16 and in fewer bits */
  readonly rules: NonNullable<ComponentProps<typeof Chart>['rules']>;
}

/** A measured line that ends at a smaller density has its name there, not at the right edge. */
const MIN_END = 0.85;

/** A chart by density after pruning, with a slider that sets the density. */
export function DensityChart({ lines, series, narrow = false, ...props }: DensityChartProps) {
  const { y, rules, cursor } = props;
  const [allSeries, linesNamedAtEnd] = useMemo(() => {
    const high = y.domain[1];
    // On a narrow page the legend names all lines.
    const leavesChart = ({ points }: Series): boolean =>
      !narrow && ((points.at(-1)?.x ?? 0) < 1 || points[points.length - 1].y > high);
    // From the right edge, a leader to a measured line that ends far from it would cross the chart.
    const endsEarly = ({ points, title }: Series): boolean =>
      !narrow && title !== null && (points.at(-1)?.x ?? 0) < MIN_END;
    const endingLines = [...lines.filter(leavesChart), ...series.filter(endsEarly)];
    return [
      [...lines, ...series].map((line) => (endingLines.includes(line) ? { ...line, title: null } : line)),
      endingLines,
    ];
  }, [lines, series, narrow, y]);
  return (
    <Chart {...props} x={DENSITY_AXIS} series={allSeries}>
      {(plot) => (
        <>
          <EndNames plot={plot} series={linesNamedAtEnd} rules={rules} domain={y.domain} cursorX={cursor.x} />
          <CursorShare plot={plot} x={cursor.x} />
        </>
      )}
    </Chart>
  );
}

interface EndNamesProps {
  readonly plot: Plot;
  /** the lines to name */
  readonly series: readonly Series[];
  /** horizontal lines, which names avoid */
  readonly rules: readonly { readonly position: number }[];
  /** y at the lower and at the upper edge */
  readonly domain: readonly [number, number];
  /** x of the cursor's vertical line: a density */
  readonly cursorX: number;
}

/** A line that ends at this density or a higher one reaches the right edge. */
const RIGHT_EDGE = 0.995;
/** Width of bold text relative to normal text. */
const BOLD = 1.2;
/** Gap between two names, and height of a name, px. */
const GAP = 8;
const HEIGHT = 14;
/** Rows of text below the upper edge, for the names of lines that leave the chart at the top. */
const ROWS = [0, 1, 2, 3, 4, 5, 6];

/** The name of each line that ends or leaves the chart before the right edge, at that point, if there is space. */
function EndNames({ plot, series, rules, domain: [low, high], cursorX }: EndNamesProps) {
  const { x, y, left, top, right, bottom } = plot;
  const cursor: Box = { left: x(cursorX) - 2, top, width: 4, height: bottom - top };
  const lines = [
    ...rules.map((rule): Box => ({ left, top: y(rule.position) - 1, width: right - left, height: 2 })),
    ...series.flatMap(({ points }) => points.slice(1).map((point, i) => segment(plot, points[i], point))),
  ];
  const nameBoxes: Box[] = [];
  return series.flatMap(({ id, title, textColor, points }) => {
    if (title === null) return [];
    // Tokens per second fall as the density rises: a line may start above the chart, and enter it further right.
    const first = points.findIndex((point) => point.y <= high);
    const exit = points.findIndex((point, i) => i > first && point.y > high);
    const inside = exit < 0 ? points : points.slice(0, exit);
    const last = inside.at(-1);
    if (first < 0 || last === undefined || !(last.y > low) || (exit < 0 && last.x > RIGHT_EDGE)) return [];
    const width = BOLD * textWidth(title) + GAP;
    const xAtHeight = (height: number): number => x(inside.findLast((point) => y(point.y) >= height)?.x ?? last.x);
    const positions = (
      exit < 0
        ? labelNearEnd(x(last.x), y(last.y), width)
        : ROWS.map((row) => top + row * HEIGHT).flatMap((height) => [
            [xAtHeight(height + HEIGHT) - width, height],
            [xAtHeight(height) + GAP, height],
          ])
    )
      .map(([from, height]): Box => ({ left: from, top: height, width, height: HEIGHT }))
      .filter((box) => box.left > left && box.left + box.width < right);
    // A name across a line is better than none.
    const position =
      freePosition(positions, [cursor, ...nameBoxes, ...lines]) ??
      freePosition(positions, [cursor, ...nameBoxes]) ??
      freePosition(positions, nameBoxes);
    if (position === null) return [];
    nameBoxes.push(position);
    return [
      <text
        key={id}
        className="plot-name halo"
        style={{ fill: textColor, fontWeight: 600 }}
        x={position.left}
        y={position.top + 6}
        dy="0.35em"
      >
        {title}
      </text>,
    ];
  });
}

/** The box around a piece of a line, px. */
function segment({ x, y }: Plot, from: ChartPoint, to: ChartPoint): Box {
  const [upper, lower] = [y(from.y), y(to.y)].toSorted((a, b) => a - b);
  return { left: x(from.x), top: upper - 1, width: x(to.x) - x(from.x), height: lower - upper + 2 };
}

/** Left and upper edges that a name may have at the end of a line: to its right, else below or above it. */
function labelNearEnd(px: number, py: number, width: number): readonly (readonly [number, number])[] {
  const [below, above] = [py + 3, py - HEIGHT - 3];
  return [
    [px + 6, py - HEIGHT / 2],
    [px - width, below],
    [px - width, above],
    [px, below],
    [px, above],
  ];
}
