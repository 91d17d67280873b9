import './charts.css';
import { type PointerEvent, type ReactNode, useId, useMemo, useRef } from 'react';
import { useWidth } from '../parts/use-size.ts';
import { type Axis, clampTo, type Scale, scaleOf } from './axis.ts';
import type { ChartFigures } from './chart-csv.ts';
import { ChartFoot } from './ChartFoot.tsx';
import type { ChartCursor } from './cursor.ts';
import { CursorHandle } from './CursorHandle.tsx';
import { freePlace, spreadLabels, textWidth } from './label-room.ts';
import { nearestGroup } from './nearest-group.ts';
import { plotEdges } from './plot-edges.ts';
import { rightmost, type Rule, type Series, seriesKey } from './series.ts';
import { SeriesMarks, SeriesSample } from './SeriesMarks.tsx';
import type { Heading } from './standalone-svg.ts';
import { ticksWithRoom } from './tick-room.ts';

const BOTTOM = 40;
const TOP = 28;
/** Two lines of text above the plot. */
const HEADS = 34;
/** Between the figures along y and the plot. */
const FIGURES_GAP = 8;
const NAME_HEIGHT = 16;

/** Where the marks of a chart go: for what a page draws beside the lines. */
export interface Plot {
  readonly x: Scale;
  readonly y: Scale;
  /** edges of the plot, px */
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly narrow: boolean;
}

/** A name in two lines above the plot, at a place along x. */
export interface ChartHeadLabel {
  readonly id: string;
  readonly x: number;
  readonly title: string;
  readonly text: string;
  readonly color?: string;
}

/** A few words beside a point, which find a free place around it, with a leader to the point. */
export interface ChartNote {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly color?: string;
}

export interface ChartProps {
  /** of the files that it is saved as: 'size-by-density' */
  readonly id: string;
  /** stands above it where it is saved; on the page somebody else shows it */
  readonly heading: Heading;
  /** all that the chart says in a sentence or two, for those who do not see it */
  readonly spoken: string;
  readonly x: Axis;
  readonly y: Axis;
  /** of the drawing, px */
  readonly height?: number;
  readonly series: readonly Series[];
  readonly rules?: readonly Rule[];
  readonly heads?: readonly ChartHeadLabel[];
  readonly notes?: readonly ChartNote[];
  readonly cursor?: ChartCursor;
  /** the group that stands out, and who hears which is under the pointer; see `Series.group` */
  readonly strong?: string | null;
  readonly onStrong?: (group: string | null) => void;
  /** for the table below and the CSV; made only when asked for */
  readonly figures: () => ChartFigures;
  /** what else is drawn, above the lines */
  readonly children?: (plot: Plot) => ReactNode;
}

/**
 * A chart: two axes, lines with their names beside them, a cursor, and below it its figures as a table, as SVG and as
 * CSV. As wide as its place; the same at 390 px, with a legend instead of names. Axes and series that stay the same
 * objects are not drawn again when the cursor moves.
 */
export function Chart(props: ChartProps) {
  const { id, heading, spoken, x: xAxis, y: yAxis, height = 296, series, rules = [], heads = [], notes = [] } = props;
  const { cursor, strong = null, onStrong, figures, children } = props;
  const frame = useRef<HTMLDivElement>(null);
  const drawing = useRef<SVGSVGElement>(null);
  const clip = useId();
  const width = Math.max(240, useWidth(frame));
  const hasNames = series.some((s) => s.title !== null) || rules.some((r) => r.title !== null);
  const { left, right, narrow } = plotEdges(width, hasNames);
  const top = TOP + (heads.length > 0 ? HEADS : 0);
  const bottom = height - BOTTOM;
  const x = useMemo(() => scaleOf(xAxis, [left, right]), [xAxis, left, right]);
  const y = useMemo(() => scaleOf(yAxis, [bottom, top]), [yAxis, bottom, top]);
  const plot: Plot = { x, y, left, right, top, bottom, narrow };

  const pointer = (event: PointerEvent<SVGSVGElement>): { readonly px: number; readonly py: number } => {
    const box = event.currentTarget.getBoundingClientRect();
    return { px: event.clientX - box.left, py: event.clientY - box.top };
  };
  const moveTo = (event: PointerEvent<SVGSVGElement>): void => {
    cursor?.onMove(clampTo(xAxis.domain, x.invert(clampTo([left, right], pointer(event).px))));
  };
  return (
    <figure className="chart-figure">
      {narrow && hasNames && <Legend series={series} rules={rules} />}
      <div ref={frame} className="chart-frame">
        <svg
          ref={drawing}
          className="plot"
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
          onPointerMove={(event) => {
            if (cursor && event.currentTarget.hasPointerCapture(event.pointerId)) return moveTo(event);
            if (!onStrong || event.pointerType !== 'mouse') return;
            const { px, py } = pointer(event);
            const near = nearestGroup(series, x, y, px, py);
            if (near !== strong) onStrong(near);
          }}
          onPointerLeave={() => {
            if (strong !== null) onStrong?.(null);
          }}
        >
          <clipPath id={clip}>
            <rect x={left} y={top - 1} width={Math.max(0, right - left + 4)} height={Math.max(0, bottom - top + 2)} />
          </clipPath>
          <Axes plot={plot} xAxis={xAxis} yAxis={yAxis} height={height} />
          {rules.map((rule) => (
            <line
              key={rule.id}
              className={rule.kind === 'solid' ? 'plot-rule' : 'plot-dotted'}
              style={rule.color === undefined ? {} : { stroke: rule.color }}
              x1={left}
              x2={right}
              y1={y(rule.at)}
              y2={y(rule.at)}
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
          {!narrow && <Names plot={plot} series={series} rules={rules} strong={strong} />}
          <Heads plot={plot} heads={heads} width={width} />
          <Notes plot={plot} notes={notes} />
          {children?.(plot)}
          {cursor && <line className="plot-cursor" x1={x(cursor.at)} x2={x(cursor.at)} y1={top - 4} y2={bottom} />}
        </svg>
        {cursor && cursor.handle !== false && (
          <CursorHandle cursor={cursor} axis={xAxis} left={x(cursor.at)} top={bottom} />
        )}
      </div>
      <ChartFoot id={id} heading={heading} drawing={drawing} figures={figures} />
    </figure>
  );
}

interface AxesProps {
  readonly plot: Plot;
  readonly xAxis: Axis;
  readonly yAxis: Axis;
  readonly height: number;
}

function Axes({ plot: { x, y, left, right, bottom }, xAxis, yAxis, height }: AxesProps) {
  return (
    <>
      {yAxis.ticks.map((tick) => (
        <g key={tick}>
          <line className="plot-grid" x1={left} x2={right} y1={y(tick)} y2={y(tick)} />
          <text x={left - FIGURES_GAP} y={y(tick)} dy="0.35em" textAnchor="end">
            {yAxis.text(tick)}
          </text>
        </g>
      ))}
      <text className="plot-title" x={0} y={10}>
        {yAxis.title}
      </text>
      {ticksWithRoom(xAxis.ticks, xAxis.domain, x, xAxis.text).map((tick) => (
        <text key={tick} x={x(tick)} y={bottom + 16} textAnchor="middle">
          {xAxis.text(tick)}
        </text>
      ))}
      <text className="plot-title" x={right} y={height - 6} textAnchor="end">
        {xAxis.title}
      </text>
    </>
  );
}

interface NamesProps {
  readonly plot: Plot;
  readonly series: readonly Series[];
  readonly rules: readonly Rule[];
  readonly strong: string | null;
}

/** The names of lines beside their right ends, moved up and down until none lies on another. */
function Names({ plot: { x, y, top, right, bottom }, series, rules, strong }: NamesProps) {
  const names = [
    ...series.flatMap((s) => {
      const end = s.title === null ? null : rightmost(s.points, x);
      return end === null
        ? []
        : [{ key: seriesKey(s), at: y(end.y), title: s.title, color: s.textColor ?? null, group: s.group ?? s.id }];
    }),
    ...rules.flatMap(({ id, at, title, color = null }) =>
      title === null ? [] : [{ key: `rule ${id}`, at: y(at), title, color, group: null }],
    ),
  ];
  const placed = spreadLabels(
    names.map(({ key, at }) => ({ key, at: clampTo([top, bottom], at), size: NAME_HEIGHT })),
    top - NAME_HEIGHT / 2,
    bottom + NAME_HEIGHT / 2,
  );
  return names.map(({ key, title, color, group }) => (
    <text
      key={key}
      className="plot-name"
      data-strong={group !== null && group === strong ? '' : undefined}
      style={color === null ? {} : { fill: color, fontWeight: 600 }}
      x={right + 10}
      y={placed.get(key)}
      dy="0.35em"
    >
      {title}
    </text>
  ));
}

interface HeadsProps {
  readonly plot: Plot;
  readonly heads: readonly ChartHeadLabel[];
  readonly width: number;
}

function Heads({ plot: { x, left, top }, heads, width }: HeadsProps) {
  const placed = spreadLabels(
    heads.map((h) => ({
      key: h.id,
      at: x(h.x),
      size: 10 + textWidth(h.title.length > h.text.length ? h.title : h.text),
    })),
    left,
    width,
  );
  return heads.map(({ id, title, text, color }) => (
    <g key={id} textAnchor="middle">
      <text
        className="plot-name"
        style={color === undefined ? {} : { fill: color, fontWeight: 600 }}
        x={placed.get(id)}
        y={top - 24}
      >
        {title}
      </text>
      <text x={placed.get(id)} y={top - 9}>
        {text}
      </text>
    </g>
  ));
}

/** Where a note may stand, from its point: right and left of it, below and above. */
const NOTE_PLACES = [
  [16, 26],
  [16, -20],
  [-16, 26],
  [-16, -20],
  [16, 48],
  [16, -42],
  [-16, 48],
  [-16, -42],
] as const;

function Notes({
  plot: { x, y, left, right, top, bottom },
  notes,
}: {
  readonly plot: Plot;
  readonly notes: readonly ChartNote[];
}) {
  const taken: { left: number; top: number; width: number; height: number }[] = [];
  return notes.map((note) => {
    const width = textWidth(note.text);
    const [px, py] = [x(note.x), y(note.y)];
    const boxes = NOTE_PLACES.map(([dx, dy]) => ({
      left: dx > 0 ? px + dx : px + dx - width,
      top: py + dy - 10,
      width,
      height: 16,
      start: dx > 0,
      at: [px + dx, py + dy] as const,
    })).filter((b) => b.left >= left && b.left + width <= right && b.top >= top && b.top + b.height <= bottom);
    const place = freePlace(boxes, taken);
    if (place === null) return null;
    taken.push(place);
    const [tx, ty] = place.at;
    return (
      <g key={`${note.x} ${note.text}`}>
        <path className="plot-leader" d={`M${px} ${py}L${tx - (place.start ? 4 : -4)} ${ty - 4}`} />
        <circle className="plot-ring" cx={px} cy={py} r={4} />
        <text
          className="plot-name plot-halo"
          style={note.color === undefined ? {} : { fill: note.color }}
          x={tx}
          y={ty}
          textAnchor={place.start ? 'start' : 'end'}
        >
          {note.text}
        </text>
      </g>
    );
  });
}

function Legend({ series, rules }: Pick<ChartProps, 'series'> & { readonly rules: readonly Rule[] }) {
  return (
    <ul className="chart-legend" aria-hidden="true">
      {series
        .filter((s) => s.title !== null)
        .map((s) => (
          <li key={seriesKey(s)} style={{ color: s.color }}>
            <SeriesSample kind={s.kind} dashed={s.dashed ?? false} />
            <span>{s.title}</span>
          </li>
        ))}
      {rules
        .filter((r) => r.title !== null)
        .map((r) => (
          <li key={`rule ${r.id}`} style={{ color: r.color ?? 'var(--text-quiet)' }}>
            <SeriesSample kind="limit" dashed={r.kind === 'dotted'} />
            <span>{r.title}</span>
          </li>
        ))}
    </ul>
  );
}
