import { scaleLinear } from 'd3-scale';
import { useMemo } from 'react';
import type { PublishedFigures } from '../../../core/format.ts';
import { isNearDensity } from '../../../core/matrix/index.ts';
import { largest, smallest } from '../../../core/number/statistics.ts';
import { counted } from '../../../core/text/words.ts';
import { useApp, useSession } from '../../../kit/app-context.ts';
import { type Axis, powersOfTwo, type Plot } from '../../../kit/charts/axis.ts';
import { useRemainingHeight } from '../../../kit/browser/use-window-height.ts';
import { Chart } from '../../../kit/charts/Chart.tsx';
import { type ChartCursor, linearSteps } from '../../../kit/charts/cursor.ts';
import { CursorShare } from '../../../kit/charts/ChartWords.tsx';
import type { ChartPoint, Rule, Series } from '../../../kit/charts/series.ts';
import { SectionHead } from '../../../kit/controls/Section.tsx';
import { cssColorOf, cssTextColorOf } from '../../../kit/format-color.ts';
import { useDensity } from '../../../kit/forms/use-density.ts';
import { greyOf, withSubstitute } from '../../../kit/words/ran-instead.ts';
import { ratio as ratioText, time } from '../../../kit/words/quantity.ts';
import { densityText } from '../../../kit/words/shares.ts';
import type { Pruning } from '../../../engine/matrix/source-types.ts';
import type { Device } from '../../../state/index.ts';
import type { ShapePoint } from '../../../kit/report/matrix-times.ts';
import { BY_BYTES, speedRange, speedText } from '../../../kit/words/speed-of.ts';
import { bytesRatio } from '../../../kit/report/time-bound.ts';
import { publishedSpeeds } from '../../../kit/report/crossover-text.ts';
import { usePublished } from '../../../kit/report/use-published.ts';
import { bytesAt, type MeasuredPair, type MeasuredSide } from './use-measured.ts';

const NO_POINTS: PublishedFigures['points'] = [];

/** Densities, in percent, at which the speed expected from bytes is computed for its line. */
const PERCENTS = Array.from({ length: 100 }, (_, i) => i + 1);

const DENSITY_AXIS: Axis = {
  scale: 'linear',
  domain: [0, 100],
  ticks: [0, 20, 40, 60, 80, 100],
  text: String,
  title: 'density, %',
};

/** The horizontal axis: the density or, for a feed-forward block, non-zeros per token. */
interface DensityAxis {
  readonly axis: Axis;
  /** value on the axis for a density of 1 */
  readonly unit: number;
  readonly text: (density: number) => string;
}

const BY_DENSITY: DensityAxis = {
  axis: DENSITY_AXIS,
  unit: 100,
  text: (density) => `a density of ${densityText(density)}`,
};

/** The axis for a feed-forward block, which reaches past the density of the open matrix and of every point. */
function byNonZeros(points: readonly ShapePoint[], cols: number, openDensity: number): DensityAxis {
  const end = 1.1 * cols * largest([openDensity, ...points.map(({ density }) => density)]);
  return {
    axis: {
      scale: 'linear',
      domain: [0, end],
      ticks: scaleLinear([0, end], [0, 1]).ticks(5),
      text: String,
      title: 'non-zeros per token',
    },
    unit: cols,
    text: (density) => counted(Math.round(density * cols), 'non-zero'),
  };
}

interface SpeedChartProps {
  readonly measuredPair: MeasuredPair;
  readonly a: MeasuredSide;
  readonly b: MeasuredSide;
  readonly device: Device;
}

/** The bytes of B divided by the bytes of A at every density, as the points of a line. */
function useLineByBytes(
  { rows, cols, tokens, isEven, isBlock }: MeasuredPair['matrix'],
  a: MeasuredSide,
  b: MeasuredSide,
) {
  const stored = useMemo(
    () => [
      { format: a.format, stored: a.stored },
      { format: b.format, stored: b.stored },
    ],
    [a.format, a.stored, b.format, b.stored],
  );
  return useMemo(
    () =>
      (isBlock ? [] : PERCENTS).flatMap((percent) => {
        const y = ratioByBytes({ rows, cols, tokens, isEven }, stored, percent / 100);
        return y === null ? [] : [{ x: percent, y }];
      }),
    [stored, rows, cols, tokens, isEven, isBlock],
  );
}

/** The bytes of B divided by the bytes of A at this density; null unless both have a closed form. */
function ratioByBytes(
  { rows, cols, tokens, isEven }: Pick<MeasuredPair['matrix'], 'rows' | 'cols' | 'tokens' | 'isEven'>,
  sides: readonly Pick<MeasuredSide, 'format' | 'stored'>[],
  density: number,
): number | null {
  const matrix = { rows, cols, nnz: density * rows * cols, tokens, density, isEven };
  const [bytesA, bytesB] = sides.map(({ format, stored }) => bytesAt(format, stored.params, matrix));
  return bytesRatio(bytesA, bytesB, matrix);
}

/** The speed of A against B by density: expected from bytes (line), measured (dots), published (squares). */
export function SpeedChart({ measuredPair, a, b, device }: SpeedChartProps) {
  const { points, summary } = measuredPair;
  const { cols, tokens, isBlock = false } = measuredPair.matrix;
  const densityChoice = useDensity(prunedTo);
  const isBusy = useSession((s) => s.bench.running !== null || s.opening !== null);
  const published = usePublished(useApp().formats, measuredPair.matrix);
  const squares = useMemo(
    () => publishedSpeeds({ tokens }, device, a.stored, b.stored, published)?.points ?? NO_POINTS,
    [tokens, device, a.stored, b.stored, published],
  );
  const byBytes = useLineByBytes(measuredPair.matrix, a, b);
  const xAxis = useMemo(
    () => (isBlock ? byNonZeros(points, cols, summary.density) : BY_DENSITY),
    [isBlock, points, cols, summary.density],
  );
  const { unit } = xAxis;
  const y = useMemo(() => {
    const ratios = [byBytes.map((point) => point.y), points.map(({ ratio }) => ratio)];
    return ratioAxis([...ratios, squares.map(({ value }) => value)].flat());
  }, [byBytes, points, squares]);
  const dots = useMemo(
    () =>
      points.map((point) => {
        const [low, high] = speedRange(point);
        return { x: unit * point.density, y: point.ratio, ...(point.rounds !== null && { low, high }) };
      }),
    [points, unit],
  );
  const currentX = unit * (densityChoice.density ?? summary.density);
  const canDrag = !isBusy && !isBlock;
  const { preview, commit } = densityChoice;
  const cursor = useMemo(
    (): ChartCursor => ({
      x: currentX,
      label: 'density',
      text: densityText(currentX / 100),
      step: linearSteps(1),
      onMove: (to) => preview(Math.max(1, Math.round(to)) / 100),
      onRelease: commit,
    }),
    [currentX, preview, commit],
  );
  // All times of one device have the same label, 'software' or 'CPU', or none.
  const substitute = points.at(0)?.substitute ?? null;
  const series = useMemo((): readonly Series[] => {
    const color = cssColorOf(a.format.id);
    const dotColor = substitute === null ? color : greyOf();
    return [
      // Computed: dashed. Measured: solid.
      { id: 'bytes', kind: 'predicted', title: null, color, points: byBytes },
      { id: 'measured', kind: 'measured', title: null, join: 'straight', color: dotColor, points: dots },
      {
        id: 'published',
        kind: 'published',
        title: null,
        color,
        points: squares.map(({ density, value }) => ({ x: 100 * density, y: value })),
      },
    ];
  }, [a, byBytes, dots, substitute, squares]);
  const heading = {
    title: `Speed against ${b.name}`,
    caption: [
      points.length > 0 ? withSubstitute('measured', substitute) : isBlock ? 'not timed' : `${BY_BYTES}; not timed`,
      ...(squares.length > 0 ? [`squares: published for ${device.label}, several shapes`] : []),
    ].join('; '),
  };
  return (
    <section className="mt-6" aria-label={heading.title}>
      <SectionHead {...heading} />
      <Chart
        id="speed-by-left"
        heading={{ ...heading, caption: `${a.name}, ${device.label}; ${heading.caption}` }}
        spoken={spokenOf(a, b, points, squares, xAxis)}
        x={xAxis.axis}
        y={y}
        height={useRemainingHeight(580, [320, 560])}
        series={series}
        rules={RULES}
        {...(canDrag && { cursor })}
        table={() => ({
          head: [isBlock ? xAxis.axis.title : 'density', `${a.name}`, `${b.name}`, 'times as fast', BY_BYTES],
          rows: [
            ...points.map((point) => {
              const { density, aNs, bNs, ratio } = point;
              // At the density of the open matrix, use the figure of the answer above, whose bytes may have been counted.
              const ratioOfBytes = isBlock
                ? null
                : isNearDensity(density, measuredPair.matrix.density)
                  ? measuredPair.byBytes
                  : ratioByBytes(measuredPair.matrix, [a, b], density);
              const texts = [time(aNs), time(bNs), speedText(point)].map((text) => withSubstitute(text, substitute));
              return {
                name: isBlock ? xAxis.text(density) : densityText(density),
                cells: [...texts, ratioOfBytes === null ? '–' : ratioText(ratioOfBytes)],
                values: [isBlock ? unit * density : density, aNs, bNs, ratio, ratioOfBytes],
              };
            }),
            ...squares.map(({ density, value }) => ({
              name: densityText(density),
              cells: ['–', '–', `${ratioText(value)}, published`, ratioText(lineAt(byBytes, density))],
              values: [density, null, null, value, lineAt(byBytes, density)],
            })),
          ],
        })}
      >
        {(plot) => (
          <>
            <Marks {...{ plot, points, byBytes, currentX, unit, a, b }} hasCursor={canDrag} />
            {canDrag && <CursorShare plot={plot} x={currentX} share={currentX / 100} />}
          </>
        )}
      </Chart>
    </section>
  );
}

/** The line at 1: as fast as B. */
const RULES: readonly Rule[] = [{ id: 'b', position: 1, title: null, kind: 'solid' }];

interface MarksProps {
  readonly plot: Plot;
  readonly points: readonly ShapePoint[];
  readonly byBytes: readonly ChartPoint[];
  /** x of the current density */
  readonly currentX: number;
  /** x of a density of 1 */
  readonly unit: number;
  /** the chart itself draws the line at the current density */
  readonly hasCursor: boolean;
  readonly a: MeasuredSide;
  readonly b: MeasuredSide;
}

/** The line at the current density, names of the lines, and the ratio at the nearest dot. */
function Marks({ plot, points, byBytes, currentX, unit, hasCursor, a, b }: MarksProps) {
  const { x, y, left, right, top, bottom } = plot;
  // The name of the line by bytes begins at 32 %, or at 64 % if the line at the current density would cross it at 32 %.
  const minX = currentX > 24 && currentX < 56 ? 64 : 32;
  const labelPoint = byBytes.find((point) => point.x >= minX) ?? byBytes.at(-1);
  /** y of the line of B, and of the right end of the line by bytes */
  const [yOfB, yOfEnd] = [y(1), y(byBytes.at(-1)?.y ?? 1)];
  // The name is above its line, or below it if it would overlap another one.
  const isBelow = labelPoint !== undefined && y(labelPoint.y) > yOfB - 1 && y(labelPoint.y) < yOfB + 22;
  const nearest = points
    .toSorted((p, q) => Math.abs(unit * p.density - currentX) - Math.abs(unit * q.density - currentX))
    .at(0);
  // The ratio is on the side of the dot where it does not cross the line at the current density.
  const isLeft =
    unit === BY_DENSITY.unit ? currentX > 12 : nearest !== undefined && x(unit * nearest.density) <= x(currentX);
  const below = y(nearest?.ratio ?? 1) + 18;
  return (
    <>
      {!hasCursor && <line className="stroke-ink" x1={x(currentX)} x2={x(currentX)} y1={top} y2={bottom} />}
      <text className="plot-name halo" x={right} y={yOfEnd < yOfB ? yOfB + 16 : yOfB - 7} textAnchor="end">
        {b.name}
      </text>
      {labelPoint && (
        <text
          className="plot-name halo"
          style={{ fill: cssTextColorOf(a.format.id) }}
          x={Math.max(left + 4, x(labelPoint.x) + 8)}
          y={y(labelPoint.y) + (isBelow ? 18 : -8)}
        >
          {BY_BYTES}
        </text>
      )}
      {nearest && (
        <text
          className="plot-name halo measure-ratio font-semibold"
          style={{ fill: nearest.substitute === null ? cssTextColorOf(a.format.id) : greyOf() }}
          x={x(unit * nearest.density) + (isLeft ? -9 : 9)}
          y={nearest.ratio >= 1 && below > yOfB - 5 ? y(nearest.ratio) - 9 : below}
          textAnchor={isLeft ? 'end' : 'start'}
        >
          {withSubstitute(speedText(nearest), nearest.substitute)}
        </text>
      )}
    </>
  );
}

/** The same pruning with another density; for a pattern, with the same group. */
function prunedTo(pruning: Pruning | null, share: number): Pruning {
  if (pruning === null) return { way: 'magnitude', density: share };
  if (pruning.way !== 'n-of-m') return { ...pruning, density: share };
  return { ...pruning, kept: Math.min(pruning.group, Math.max(1, Math.round(share * pruning.group))) };
}

/** The height of the line by bytes at a density. */
function lineAt(line: readonly ChartPoint[], density: number): number {
  return line.find((point) => point.x >= Math.round(100 * density))?.y ?? Number.NaN;
}

/** An axis of ratios that includes every one of `values`, and always 0.5 to 2. */
export function ratioAxis(values: readonly number[]): Axis {
  const finite = values.filter((value) => value > 0 && Number.isFinite(value));
  return {
    scale: 'log',
    ...powersOfTwo(smallest([0.5, ...finite]), largest([2, ...finite])),
    text: (value) => `${value < 1 ? `1/${Math.round(1 / value)}` : value}×`,
    title: 'times as fast',
  };
}

/** A description of the chart for screen readers. */
function spokenOf(
  a: MeasuredSide,
  b: MeasuredSide,
  points: readonly ShapePoint[],
  squares: PublishedFigures['points'],
  { text, axis }: DensityAxis,
): string {
  const measuredTexts = points.map((p) => `${withSubstitute(speedText(p), p.substitute)} at ${text(p.density)}`);
  const publishedTexts = squares.map(
    ({ density, value }) => `${ratioText(value)} at a density of ${densityText(density)}`,
  );
  return `${a.name} against ${b.name} by ${axis === DENSITY_AXIS ? 'density' : axis.title}: ${measuredTexts.join(', ') || 'not measured on this shape'}${publishedTexts.length === 0 ? '' : `; published: ${publishedTexts.join(', ')}`}.`;
}
