// The chart of quality by density, with a curve for each pruning method.

import { QUALITY_TITLE } from './quality-words.ts';
import { useMemo } from 'react';
import { useRemainingHeight } from '../../../../src/kit/browser/use-window-height.ts';
import { Chart } from '../../../../src/kit/charts/Chart.tsx';
import { type ChartCursor, linearSteps } from '../../../../src/kit/charts/cursor.ts';
import type { Series } from '../../../../src/kit/charts/series.ts';
import { counted } from '../../../../src/core/text/words.ts';
import { densityText } from '../../../../src/kit/words/shares.ts';
import { aboveFloor, interpolatedBits } from '../curve/above-floor.ts';
import { ABOVE_AXIS, DENSITY_AXIS } from './axes.ts';
import { type Mark, Marks, PointButtons, type PublishedPoint, PublishedPoints } from './Marks.tsx';
import {
  againstDense,
  CURVE_DENSITIES,
  curveOf,
  pointName,
  type QualityPoint,
  untrainedOf,
  METHOD_NAMES,
} from './points.ts';

interface DensityChartProps {
  /** what was measured, and on what data, for saved files */
  readonly caption: string;
  readonly points: readonly QualityPoint[];
  /** whether missing densities will be measured, since nothing is recorded */
  readonly isGrowing: boolean;
  /** measured in this browser, in addition to a recording */
  readonly live: readonly QualityPoint[];
  readonly floor: number | null;
  /** published for other models, in bits per byte */
  readonly published: readonly PublishedPoint[];
  /** density at the cursor: at the pointer during a drag, else the density of the page */
  readonly density: number;
  /** mean length of a tale, a generated short story */
  readonly bytesPerTale: number;
  readonly onMove: (density: number) => void;
  readonly onRelease: () => void;
  /** whether a click on a point opens something */
  readonly hasTarget: (point: QualityPoint) => boolean;
  readonly onPick: (point: QualityPoint) => void;
}

/** The curves, one for each pruning method. `labelAt`: density of the labelled point; `labelOffset`: of the label from it. */
const CURVES = [
  { way: 'random', color: 'var(--text-quiet)', labelAt: 0.8, labelOffset: 0.1 },
  { way: 'magnitude', color: 'var(--text-muted)', labelAt: 0.62, labelOffset: 0.11 },
  { way: 'wanda', color: 'var(--text)', labelAt: 0.47, labelOffset: -0.075 },
] as const;

const TITLE = `${QUALITY_TITLE} (bits per byte), by density`;

/** A chart of the bits per byte above the floor, the least that any model needs, by density. */
export function DensityChart(props: DensityChartProps) {
  const { caption, points, isGrowing, live, floor, published, density, bytesPerTale, hasTarget, onPick } = props;
  const series = useMemo(() => seriesOf(points, live, isGrowing), [points, live, isGrowing]);
  // 'trained further' is written below the lowest of these points, where the words overlap nothing.
  const minTrained = useMemo(
    () => points.filter((p) => p.trained > 0 && p.pattern === null).toSorted((a, b) => a.excessBits - b.excessBits)[0],
    [points],
  );
  const marks = useMemo(
    () =>
      points
        .filter((p) => p.pattern !== null || p.trained > 0)
        .filter((p) => p.valueType === 'f16' && (p.method === 'wanda' || p.trained > 0))
        .map((point): Mark => ({
          point,
          x: point.density,
          y: aboveFloor(point.excessBits),
          text: point.pattern ?? (point === minTrained ? 'trained further' : null),
          // The pattern that keeps the most weights is named below, too: the curves are flat there.
          isNamedBelow: point === minTrained || (point.pattern !== null && point.density > 0.8),
        })),
    [points, minTrained],
  );
  const labels = CURVES.flatMap(({ way, labelAt, labelOffset, color }) => {
    const curve = curveOf(points, way);
    const bitsAtDensity = interpolatedBits(
      curve.map((p) => ({ density: p.density, bitsPerByte: p.excessBits })),
      labelAt,
      0,
    );
    return bitsAtDensity === null || curve.length < 3
      ? []
      : [{ x: labelAt + labelOffset, y: aboveFloor(bitsAtDensity), text: METHOD_NAMES[way], color }];
  });
  const cursor: ChartCursor = {
    x: Math.max(DENSITY_AXIS.domain[0], density),
    label: 'Density',
    text: `${densityText(density)} of the weights left`,
    step: linearSteps(0.01),
    onMove: props.onMove,
    onRelease: props.onRelease,
  };
  const lostText = (p: QualityPoint): string => (p.excessBits * bytesPerTale).toFixed(1);
  return (
    <Chart
      id="quality-by-density"
      heading={{ title: TITLE, caption }}
      spoken={`${TITLE}, ${counted(points.length, 'point')}.`}
      x={DENSITY_AXIS}
      y={ABOVE_AXIS}
      height={useRemainingHeight(530, [372, 600])}
      series={series}
      rules={[{ id: 'floor', position: 0, title: null, kind: 'solid', color: 'var(--text)' }]}
      labels={labels}
      cursor={cursor}
      table={() => ({
        head: ['', 'density', 'bits per byte', 'above best possible', 'bits per tale', 'tales'],
        rows: points.map((p) => ({
          name: pointName(p),
          cells: [
            densityText(p.density),
            p.bitsPerByte.toFixed(4),
            p.excessBits.toFixed(4),
            lostText(p),
            String(p.tales),
          ],
          values: [pointName(p), p.density, p.bitsPerByte, p.excessBits, p.excessBits * bytesPerTale, p.tales],
        })),
      })}
      controls={(plot) => (
        <PointButtons
          points={[...curveOf(points, 'wanda'), ...marks.map(({ point }) => point)].filter(hasTarget)}
          at={(p) => [plot.x(p.density), plot.y(aboveFloor(p.excessBits))]}
          titleOf={(p) => pointText(p, points, bytesPerTale)}
          onPick={onPick}
        />
      )}
    >
      {(plot) => (
        <>
          <PublishedPoints plot={plot} published={published} />
          {marks.map(({ point, x, y }) => {
            const before = point.trained > 0 ? untrainedOf(points, point) : undefined;
            if (!before) return null;
            const from = plot.y(aboveFloor(before.excessBits)) + 5;
            const to = plot.y(y) - 6;
            return (
              <path
                key={point.id}
                className="stroke-good stroke-[1.5px] fill-none"
                d={`M${plot.x(x)} ${from}V${to}m-3 -5l3 5l3 -5`}
              />
            );
          })}
          <Marks plot={plot} marks={marks} />
          <text
            className="fill-ink font-sans font-semibold"
            x={plot.x(cursor.x)}
            y={plot.top - 10}
            textAnchor={density > 0.9 ? 'end' : 'middle'}
          >
            {densityText(density)} left
          </text>
          {floor !== null && (
            <text x={plot.left} y={plot.bottom + 32} className="font-sans">
              best possible: {floor.toFixed(4)}
              {!plot.narrow && ', the randomness of the tales'}
            </text>
          )}
        </>
      )}
    </Chart>
  );
}

/** Curves, rings for measurements made here, and outlines of pending points. */
function seriesOf(
  points: readonly QualityPoint[],
  live: readonly QualityPoint[],
  isGrowing: boolean,
): readonly Series[] {
  const lines = CURVES.flatMap(({ way, color }): Series[] => {
    const curve = curveOf(points, way);
    if (curve.length < 2) return [];
    return [
      {
        id: way,
        kind: 'measured',
        title: null,
        color,
        join: 'straight',
        points: curve.map((p) => ({ x: p.density, y: aboveFloor(p.excessBits) })),
      },
    ];
  });
  const rings: Series = {
    id: 'live',
    kind: 'live',
    title: null,
    color: 'var(--text)',
    points: live.map((p) => ({ x: p.density, y: aboveFloor(p.excessBits), ...whisker(p) })),
  };
  const pending: Series = {
    id: 'coming',
    kind: 'coming',
    title: null,
    color: 'var(--text-quiet)',
    points: CURVE_DENSITIES.filter((d) => isGrowing && !curveOf(points, 'wanda').some((p) => p.density === d)).map(
      (d) => ({
        x: d,
        y: aboveFloor(0.001),
      }),
    ),
  };
  return [...lines, rings, pending];
}

function whisker({ excessBits, excessSe }: QualityPoint): { readonly low?: number; readonly high?: number } {
  if (excessSe === null || !Number.isFinite(excessSe)) return {};
  return { low: aboveFloor(excessBits - 2 * excessSe), high: aboveFloor(excessBits + 2 * excessSe) };
}

/** A point in words, compared with the dense model. */
export function pointText(p: QualityPoint, points: readonly QualityPoint[], bytesPerTale: number): string {
  const dense = points.find((point) => point.method === 'none' && point.valueType === 'f16');
  const comparison =
    dense && dense !== p
      ? `, ${againstDense(p, dense, bytesPerTale)}${p.excessSe === null ? '' : ` ± ${(2 * p.excessSe * bytesPerTale).toFixed(1)}`}`
      : '';
  return `${pointName(p)}: ${p.bitsPerByte.toFixed(4)} bits per byte${comparison}`;
}
