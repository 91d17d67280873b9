import { type KeyboardEvent, useRef } from 'react';
import { type Axis, clampTo, type Plot } from '../../../kit/charts/axis.ts';
import { type Box, freePosition, textWidth } from '../../../kit/charts/label-space.ts';
import { percent } from '../../../kit/words/quantity.ts';
import { type RoofPoint, shareOfRoof } from './roof-points.ts';
import { pointTitle } from './roof-words.ts';
import { cssColorOf, cssTextColorOf } from '../../../kit/format-color.ts';
import { classes } from '../../../kit/primitives/classes.ts';

/** A kernel of the roofline with its position in the chart, px. */
interface PlacedPoint {
  readonly point: RoofPoint;
  /** too slow for the y axis: drawn as an arrow at its lower end */
  readonly isBelowAxis: boolean;
  readonly px: number;
  readonly py: number;
  /** y of its point on the roof */
  readonly roofY: number;
}

/** All kernels with their positions, from left to right. */
export function placedPoints(plot: Plot, { domain }: Axis, points: readonly RoofPoint[]): readonly PlacedPoint[] {
  return points
    .map((point) => {
      const isBelowAxis = point.gflops / 1000 < domain[0];
      return {
        point,
        isBelowAxis,
        px: plot.x(point.flopPerByte),
        py: isBelowAxis ? plot.bottom - 24 : plot.y(clampTo(domain, point.gflops / 1000)),
        roofY: plot.y(clampTo(domain, point.roofGflops / 1000)),
      };
    })
    .toSorted((a, b) => a.px - b.px);
}

interface PointsProps {
  readonly points: readonly PlacedPoint[];
  readonly chosenPoint: RoofPoint | null;
  readonly titleOf: (format: string) => string;
}

/** Distances from a point to its label, px: horizontal, to either side, and vertical, tried in this order. */
const LABEL_DX = 12;
const LABEL_DYS = [4, 20, -12, 36, 52];

/** Every kernel as a dot, with a vertical line to its point on the roof and, where there is space, a label. */
export function Points({ plot, points, chosenPoint, titleOf }: PointsProps & { readonly plot: Plot }) {
  // Labels avoid points and their vertical lines.
  const occupiedBoxes: Box[] = points.flatMap(({ px, py, roofY }) => [
    { left: px - 6, top: py - 6, width: 12, height: 12 },
    { left: px - 1, top: Math.min(roofY, py), width: 2, height: Math.abs(py - roofY) },
  ]);
  const chosenFirst = points.toSorted((a, b) => Number(b.point === chosenPoint) - Number(a.point === chosenPoint));
  const labels = new Map(
    chosenFirst.map(({ point, px, py }) => {
      const share = shareOfRoof(point);
      const figure = share === null ? 'predicted' : percent(share, 0);
      const title = pointTitle(point, titleOf);
      const width = textWidth(`${title} ${figure}`);
      const positions = LABEL_DYS.flatMap((dy) => [
        { dx: LABEL_DX, dy, left: px + LABEL_DX, top: py + dy - 12, width, height: 15 },
        { dx: -LABEL_DX, dy, left: px - LABEL_DX - width, top: py + dy - 12, width, height: 15 },
      ]);
      const inside = positions.filter(
        (box) => box.left >= plot.left && box.left + box.width <= plot.right + 20 && box.top + 15 <= plot.bottom,
      );
      // In a narrow plot only the chosen kernel is labelled: the list next to the plot names the others.
      const position = plot.narrow && point !== chosenPoint ? null : freePosition(inside, occupiedBoxes);
      if (position) occupiedBoxes.push(position);
      return [point, { position, title, figure }] as const;
    }),
  );
  return points.map(({ point, isBelowAxis, px, py, roofY }) => {
    const color = cssColorOf(point.format);
    const label = labels.get(point);
    const isChosen = point === chosenPoint;
    return (
      <g key={point.id} style={{ color }}>
        {isBelowAxis ? (
          <path className="roof-hang fill-none stroke-current" d={`M${px} ${py - 14}v26m-4 -5l4 5l4 -5`} />
        ) : (
          <>
            <path
              className={classes('roof-hang fill-none stroke-current', isChosen && 'stroke-[2px]')}
              strokeDasharray={point.measured === null ? '2 2' : undefined}
              d={`M${px - 4} ${roofY}h8M${px} ${roofY}V${py}`}
            />
            {isChosen && <circle className="plot-ring fill-ground stroke-ink stroke-[1.5px]" cx={px} cy={py} r={9} />}
            <circle
              className={
                point.measured === null
                  ? 'roof-trail stroke-[1.5px] fill-ground stroke-current'
                  : 'roof-dot fill-current'
              }
              cx={px}
              cy={py}
              r={4.5}
            />
          </>
        )}
        {label?.position && (
          <text
            className="plot-name halo"
            x={px + label.position.dx}
            y={py + label.position.dy}
            textAnchor={label.position.dx < 0 ? 'end' : 'start'}
          >
            <tspan style={{ fill: cssTextColorOf(point.format), fontWeight: 600 }}>{label.title}</tspan> {label.figure}
          </text>
        )}
      </g>
    );
  });
}

/** The points as buttons over the drawing, for assistive technology: one tab stop, arrow keys choose. */
export function PointButtons({
  points,
  chosenPoint,
  titleOf,
  onChoose,
}: PointsProps & { readonly onChoose: (point: RoofPoint) => void }) {
  const buttons = useRef<(HTMLButtonElement | null)[]>([]);
  const chosenIndex = points.findIndex(({ point }) => point === chosenPoint);
  const move = (event: KeyboardEvent, from: number): void => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const next = points[from + step];
    if (!next) return;
    onChoose(next.point);
    buttons.current[from + step]?.focus();
  };
  return (
    <div role="group" aria-label="Kernels in the chart">
      {points.map(({ point, px, py }, i) => {
        const share = shareOfRoof(point);
        const words = share === null ? 'predicted' : `${percent(share, 0)} of its roof`;
        return (
          <button
            key={point.id}
            ref={(button) => {
              buttons.current[i] = button;
            }}
            type="button"
            className="roof-point absolute -translate-1/2 cursor-pointer w-[24px] h-[24px] rounded-[50%] bg-transparent"
            tabIndex={i === Math.max(0, chosenIndex) ? 0 : -1}
            aria-pressed={point === chosenPoint}
            aria-label={`Point of ${pointTitle(point, titleOf)}, ${words}`}
            style={{ left: px, top: py }}
            onClick={() => onChoose(point)}
            onKeyDown={(event) => move(event, i)}
          />
        );
      })}
    </div>
  );
}
