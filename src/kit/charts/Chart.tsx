import './charts.css';
import { type PointerEvent, type ReactNode, useId, useMemo, useRef } from 'react';
import { useWidth } from '../browser/use-width.ts';
import { type Axis, clampTo, isOnAxis, type Scale, scaleOf, type Plot, plotEdges } from './axis.ts';
import type { ChartTable } from './chart-csv.ts';
import { ChartFoot } from './ChartFoot.tsx';
import {
  type ChartHeadLabel,
  EndLabels,
  HeadLabels,
  Legend,
  type ChartLabel,
  type ChartNote,
  LineLabels,
  PointNotes,
} from './ChartWords.tsx';
import { type ChartCursor, movedByKey } from './cursor.ts';
import { type Rule, type Series, seriesKey } from './series.ts';
import { SeriesMarks } from './SeriesMarks.tsx';
import type { Heading } from './standalone-svg.ts';
import { ticksWithSpace } from './label-space.ts';

/** A line within this distance counts as under the pointer, px. */
const MAX_DISTANCE_PX = 8;

/**
 * The group of the line nearest to the pointer, which is at (px, py): by the vertical distance to a line, and the direct
 * distance to its points; null if none is within MAX_DISTANCE_PX. O(points).
 */
function nearestGroup(series: readonly Series[], x: Scale, y: Scale, px: number, py: number): string | null {
  let nearest: string | null = null;
  let minDistance = MAX_DISTANCE_PX;
  for (const { points, group, id } of series) {
    for (let i = 0; i < points.length; i++) {
      const pointX = x(points[i].x);
      const distance = Math.hypot(pointX - px, y(points[i].y) - py);
      if (distance <= minDistance) {
        minDistance = distance;
        nearest = group ?? id;
      }
      if (i === 0) continue;
      const previousX = x(points[i - 1].x);
      const isBetween = previousX !== pointX && (previousX - px) * (pointX - px) <= 0;
      if (!isBetween) continue;
      const share = (px - previousX) / (pointX - previousX);
      const lineY = y(points[i - 1].y) * (1 - share) + y(points[i].y) * share;
      if (Math.abs(lineY - py) <= minDistance) {
        minDistance = Math.abs(lineY - py);
        nearest = group ?? id;
      }
    }
  }
  return nearest;
}

/** Space below and above the plot for its tick labels and titles, px. */
const BOTTOM_PX = 40;
const TOP_PX = 28;
/** Height of two lines of text above the plot, px. */
const HEADS_PX = 34;
/** Space between the tick labels of the y axis and the plot, px. */
const TICK_LABEL_GAP = 8;

interface ChartProps {
  /** the name of the files that save this chart: 'size-by-density' */
  readonly id: string;
  /** the heading in a saved file; on the page, the heading is above this component */
  readonly heading: Heading;
  /** a text alternative of one or two sentences, for screen readers */
  readonly spoken: string;
  readonly x: Axis;
  readonly y: Axis;
  /** height of the drawing, px */
  readonly height?: number;
  readonly series: readonly Series[];
  readonly rules?: readonly Rule[];
  readonly heads?: readonly ChartHeadLabel[];
  readonly notes?: readonly ChartNote[];
  readonly labels?: readonly ChartLabel[];
  readonly cursor?: ChartCursor;
  /** the highlighted group, and a listener for the group under the pointer; see `Series.group` */
  readonly strong?: string | null;
  readonly onStrong?: (group: string | null) => void;
  /** the numbers for the table below and the CSV; computed only when needed */
  readonly table: () => ChartTable;
  /** further drawing above the lines */
  readonly children?: (plot: Plot) => ReactNode;
  /** controls above the drawing, since the drawing itself is an image to assistive technology */
  readonly controls?: (plot: Plot) => ReactNode;
}

/**
 * A chart: two axes, lines labelled at their ends, a cursor, and below the chart its numbers as a table, and files to
 * save. It fills the width of its container; below 500 px a legend replaces the labels. Pass the same objects for axes
 * and series at each render, so that they are not drawn again when the cursor moves.
 */
export function Chart(props: ChartProps) {
  const { id, heading, spoken, x: xAxis, y: yAxis, height = 296, series, rules = [], heads = [], notes = [] } = props;
  const { labels = [], cursor, strong = null, onStrong, table, children, controls } = props;
  const frame = useRef<HTMLDivElement>(null);
  const drawing = useRef<SVGSVGElement>(null);
  const clip = useId();
  const width = Math.max(240, useWidth(frame));
  const hasLineLabels = series.some((s) => s.title !== null) || rules.some((r) => r.title !== null);
  const { left, right, narrow } = plotEdges(width, hasLineLabels);
  const top = TOP_PX + (heads.length > 0 ? HEADS_PX : 0);
  const bottom = height - BOTTOM_PX;
  const x = useMemo(() => scaleOf(xAxis, [left, right]), [xAxis, left, right]);
  const y = useMemo(() => scaleOf(yAxis, [bottom, top]), [yAxis, bottom, top]);
  const plot: Plot = { x, y, left, right, top, bottom, narrow };
  // A rule or a note beyond the axis would be drawn outside of the plot.
  const visibleRules = rules.filter(({ position }) => isOnAxis(yAxis, position));
  const visibleNotes = notes.filter((note) => isOnAxis(xAxis, note.x) && isOnAxis(yAxis, note.y));

  const pointerPosition = (event: PointerEvent<SVGSVGElement>): { readonly px: number; readonly py: number } => {
    const box = event.currentTarget.getBoundingClientRect();
    return { px: event.clientX - box.left, py: event.clientY - box.top };
  };
  const moveTo = (event: PointerEvent<SVGSVGElement>): void => {
    cursor?.onMove(clampTo(xAxis.domain, x.invert(clampTo([left, right], pointerPosition(event).px))));
  };
  return (
    <figure className="min-w-0">
      {narrow && hasLineLabels && <Legend series={series} rules={rules} />}
      <div ref={frame} className="relative">
        <svg
          ref={drawing}
          className="plot w-full data-cursor:cursor-ew-resize data-cursor:touch-pan-y data-cursor:select-none"
          data-cursor={cursor ? '' : undefined}
          id={id}
          width={width}
          height={height}
          role="img"
          aria-label={spoken}
          onPointerDown={(event) => {
            if (!cursor || event.button !== 0) return;
            event.currentTarget.setPointerCapture(event.pointerId);
            moveTo(event);
          }}
          onLostPointerCapture={cursor?.onRelease}
          onPointerMove={(event) => {
            if (cursor && event.currentTarget.hasPointerCapture(event.pointerId)) return moveTo(event);
            if (!onStrong || event.pointerType !== 'mouse') return;
            const { px, py } = pointerPosition(event);
            const nearestLine = nearestGroup(series, x, y, px, py);
            if (nearestLine !== strong) onStrong(nearestLine);
          }}
          onPointerLeave={() => {
            if (strong !== null) onStrong?.(null);
          }}
        >
          <clipPath id={clip}>
            <rect x={left} y={top - 1} width={Math.max(0, right - left + 4)} height={Math.max(0, bottom - top + 2)} />
          </clipPath>
          <Axes
            plot={plot}
            xAxis={xAxis}
            yAxis={yAxis}
            height={height}
            handle={cursor && cursor.handle !== false ? x(cursor.x) : null}
          />
          {visibleRules.map((rule) => (
            <line
              key={rule.id}
              className={rule.kind === 'solid' ? 'plot-rule stroke-[2px] stroke-muted' : 'plot-dotted'}
              style={rule.color === undefined ? {} : { stroke: rule.color }}
              x1={left}
              x2={right}
              y1={y(rule.position)}
              y2={y(rule.position)}
            />
          ))}
          <g clipPath={`url(#${clip})`}>
            {series.map((s) => (
              <SeriesMarks
                key={seriesKey(s)}
                series={s}
                x={x}
                y={y}
                strong={strong !== null && (s.group ?? s.id) === strong}
              />
            ))}
          </g>
          {!narrow && <EndLabels plot={plot} series={series} rules={visibleRules} strong={strong} />}
          <HeadLabels plot={plot} heads={heads} width={width} />
          <LineLabels plot={plot} labels={labels} />
          <PointNotes plot={plot} notes={visibleNotes} labels={labels} />
          {children?.(plot)}
          {cursor && <line className="stroke-ink" x1={x(cursor.x)} x2={x(cursor.x)} y1={top - 4} y2={bottom} />}
        </svg>
        {cursor && cursor.handle !== false && (
          <CursorHandle cursor={cursor} axis={xAxis} left={x(cursor.x)} top={bottom} />
        )}
        {controls?.(plot)}
      </div>
      <ChartFoot id={id} heading={heading} drawing={drawing} table={table} />
    </figure>
  );
}

interface AxesProps {
  readonly plot: Plot;
  readonly xAxis: Axis;
  readonly yAxis: Axis;
  readonly height: number;
  /** position of the cursor's handle, which hides the tick label below it, px; null without one */
  readonly handle: number | null;
}

/** Half the width of a handle plus half the width of a tick label, px. */
const COVERED_PX = 16;

/** The ticks, numbers and titles of both axes. */
function Axes({ plot: { x, y, left, right, bottom }, xAxis, yAxis, height, handle }: AxesProps) {
  return (
    <>
      {yAxis.ticks.map((tick) => (
        <g key={tick}>
          <line className="plot-grid stroke-hairline" x1={left} x2={right} y1={y(tick)} y2={y(tick)} />
          <text x={left - TICK_LABEL_GAP} y={y(tick)} dy="0.35em" textAnchor="end">
            {yAxis.text(tick)}
          </text>
        </g>
      ))}
      <text className="font-sans" x={0} y={10}>
        {yAxis.title}
      </text>
      {ticksWithSpace(xAxis.ticks, xAxis.domain, x, xAxis.text)
        .filter((tick) => handle === null || Math.abs(x(tick) - handle) >= COVERED_PX)
        .map((tick) => (
          <text key={tick} x={x(tick)} y={bottom + 16} textAnchor="middle">
            {xAxis.text(tick)}
          </text>
        ))}
      <text className="font-sans" x={right} y={height - 6} textAnchor="end">
        {xAxis.title}
      </text>
    </>
  );
}

interface CursorHandleProps {
  readonly cursor: ChartCursor;
  readonly axis: Axis;
  /** its centre within the chart, px */
  readonly left: number;
  readonly top: number;
}

/** The handle of a cursor: a slider for the keyboard and screen readers. The chart itself handles the pointer. */
function CursorHandle({ cursor, axis, left, top }: CursorHandleProps) {
  const isKeyDown = useRef(false);
  const release = (): void => {
    if (isKeyDown.current) cursor.onRelease?.();
    isKeyDown.current = false;
  };
  const { domain } = axis;
  return (
    <div
      className="cursor-handle absolute w-[24px] h-[24px] -mt-[12px] -ml-[12px] rounded-[50%] touch-none pointer-events-none"
      role="slider"
      tabIndex={0}
      aria-label={cursor.label}
      aria-valuemin={domain[0]}
      aria-valuemax={domain[1]}
      aria-valuenow={cursor.x}
      aria-valuetext={cursor.text}
      style={{ left, top }}
      onKeyDown={(event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const movedX = movedByKey(event, cursor, axis);
        if (movedX === null) return;
        event.preventDefault();
        event.stopPropagation();
        isKeyDown.current = true;
        cursor.onMove(movedX);
      }}
      onKeyUp={release}
      onBlur={release}
    />
  );
}
