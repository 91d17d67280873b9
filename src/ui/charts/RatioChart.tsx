import { largest, smallest } from '../../core/number/statistics.ts';
import { scaleLinear, scaleLog } from 'd3-scale';
import { curveLinear, curveMonotoneX, line } from 'd3-shape';
import { useRef } from 'react';
import { saveText } from '../parts/save-blob.ts';
import { useWidth } from '../parts/use-size.ts';
import { type Heading, standaloneSvg } from './standalone-svg.ts';
import { ticksWithRoom } from './tick-room.ts';

const HEIGHT = 296;
const MARGIN = { top: 28, right: 24, bottom: 40, left: 44 };
/** Room for the names of the lines beside them; below `NARROW` they stand above the chart instead. */
const LABEL_ROOM = 108;
const NARROW = 520;
/** Labels stand at least this far apart. */
const LABEL_HEIGHT = 16;

export interface ChartX {
  readonly scale: 'linear' | 'log';
  readonly title: string;
  /** where a tick may stand; those that have no room are left out */
  readonly ticks: readonly number[];
  readonly text: (x: number) => string;
  /** the least to the right */
  readonly reversed?: boolean;
}

export interface ChartY {
  readonly scale: 'linear' | 'log';
  readonly domain: readonly [number, number];
  readonly ticks: readonly number[];
  readonly text: (y: number) => string;
  readonly title: string;
}

export interface ChartPoint {
  readonly x: number;
  readonly y: number;
}

/** What was measured: a thick line with its points and their spread. */
export interface MeasuredLine {
  readonly kind: 'measured';
  readonly id: string;
  readonly title: string;
  /** a CSS colour, and the one for text */
  readonly color: string;
  readonly textColor: string;
  readonly points: readonly (ChartPoint & { readonly low: number; readonly high: number })[];
}

/** limit and predicted follow from what was measured; published was measured by others, and is never joined with ours. */
export interface OtherLine {
  readonly kind: 'limit' | 'predicted' | 'published';
  readonly id: string;
  /** none: it needs no name beside the measured one of the same colour */
  readonly title: string | null;
  readonly color: string;
  readonly points: readonly ChartPoint[];
}

export type ChartLine = MeasuredLine | OtherLine;

export interface RatioChartProps {
  readonly id: string;
  /** stands above it where it is saved; on the page somebody else shows it */
  readonly heading: Heading;
  /** all that the chart says, for those who do not see it */
  readonly spoken: string;
  readonly x: ChartX;
  readonly y: ChartY;
  readonly lines: readonly ChartLine[];
  /** where the line of dense is passed */
  readonly even?: { readonly at: number; readonly text: string } | null;
}

/** Ratios along an axis, with the line at 1 that matters. */
export function RatioChart({ id, heading, spoken, x: xAxis, y: yAxis, lines, even = null }: RatioChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const drawing = useRef<SVGSVGElement>(null);
  const width = Math.max(240, useWidth(frame));
  const narrow = width < NARROW;
  const right = width - MARGIN.right - (narrow ? 0 : LABEL_ROOM);
  const bottom = HEIGHT - MARGIN.bottom;
  const range = xAxis.reversed ? [right, MARGIN.left + 8] : [MARGIN.left + 8, right];
  const extent: readonly [number, number] = [smallest(xAxis.ticks), largest(xAxis.ticks)];
  const x = xAxis.scale === 'log' ? scaleLog(extent, range) : scaleLinear(extent, range);
  const [low, high] = yAxis.domain;
  const heights = [bottom, MARGIN.top];
  const y = yAxis.scale === 'log' ? scaleLog([low, high], heights) : scaleLinear([low, high], heights);
  const labels = narrow ? new Map<string, number>() : spreadLabels(lines, x, y, bottom);
  const evenX = even ? x(even.at) : 0;
  const evenFitsRight = even !== null && evenX + 8 + 6.2 * even.text.length < right + (narrow ? 0 : LABEL_ROOM);
  return (
    <>
      {narrow && <Legend lines={lines} />}
      <div ref={frame} className="chart-frame">
        <svg ref={drawing} className="chart" id={id} width={width} height={HEIGHT} role="img" aria-label={spoken}>
          {yAxis.ticks.map((tick) => (
            <g key={tick}>
              <line className={tick === 1 ? 'rule' : 'grid'} x1={MARGIN.left} x2={right} y1={y(tick)} y2={y(tick)} />
              <text x={MARGIN.left - 8} y={y(tick)} dy="0.35em" textAnchor="end">
                {yAxis.text(tick)}
              </text>
            </g>
          ))}
          <text className="axis-title" x={0} y={10}>
            {yAxis.title}
          </text>
          {ticksWithRoom(xAxis.ticks, extent, x, xAxis.text).map((tick) => (
            <text key={tick} x={x(tick)} y={bottom + 16} textAnchor="middle">
              {xAxis.text(tick)}
            </text>
          ))}
          <text className="axis-title" x={right} y={HEIGHT - 6} textAnchor="end">
            {xAxis.title}
          </text>
          {even !== null && (
            <>
              <line className="dotted" x1={evenX} x2={evenX} y1={y(1)} y2={bottom} />
              <text
                className="direct-label halo"
                x={evenX + (evenFitsRight ? 6 : -6)}
                y={bottom - 8}
                textAnchor={evenFitsRight ? 'start' : 'end'}
              >
                {even.text}
              </text>
            </>
          )}
          {lines.map((l) => (
            <Line key={`${l.kind} ${l.id}`} line={l} x={x} y={y} />
          ))}
          {lines.map((l) => {
            const at = labels.get(keyOf(l));
            return at === undefined ? null : (
              <text
                key={`label ${keyOf(l)}`}
                className="direct-label halo"
                style={l.kind === 'measured' ? { fill: l.textColor, fontWeight: 600 } : {}}
                x={right + 10}
                y={at}
                dy="0.35em"
              >
                {l.title}
              </text>
            );
          })}
        </svg>
      </div>
      <button
        type="button"
        className="text-button chart-save"
        onClick={() => {
          if (drawing.current)
            saveText(`sparsescope-${id}.svg`, standaloneSvg(drawing.current, heading), 'image/svg+xml');
        }}
      >
        save the chart as SVG
      </button>
    </>
  );
}

type Scale = (value: number) => number;

function Line({ line: l, x, y }: { readonly line: ChartLine; readonly x: Scale; readonly y: Scale }) {
  const path = line<ChartPoint>(
    (p) => x(p.x),
    (p) => y(p.y),
  ).curve(l.kind === 'published' ? curveLinear : curveMonotoneX)(l.points);
  return (
    <g style={{ color: l.color }}>
      <path className={CURVES[l.kind]} stroke="currentColor" d={path ?? ''} />
      {l.kind === 'measured' && (
        // One path for all points of a line: a sweep may have a thousand.
        <>
          <path
            className="spread"
            stroke="currentColor"
            d={l.points.map((p) => `M${x(p.x)} ${y(p.low)}V${y(p.high)}`).join('')}
          />
          <path className="points" stroke="currentColor" d={l.points.map((p) => `M${x(p.x)} ${y(p.y)}h0`).join('')} />
        </>
      )}
      {l.kind === 'published' &&
        l.points.map((p) => (
          <rect
            key={p.x}
            className="published"
            stroke="currentColor"
            x={x(p.x) - 3.5}
            y={y(p.y) - 3.5}
            width={7}
            height={7}
          />
        ))}
    </g>
  );
}

const CURVES = {
  measured: 'curve',
  limit: 'curve curve--thin',
  predicted: 'curve curve--dashed',
  published: 'curve curve--faint',
} as const;

function Legend({ lines }: { readonly lines: readonly ChartLine[] }) {
  return (
    <ul className="chart-legend" aria-hidden="true">
      {lines
        .filter((l) => l.title !== null)
        .map((l) => (
          <li key={keyOf(l)} style={{ color: l.color }}>
            <svg width="20" height="10">
              <path className={`chart-sample ${CURVES[l.kind]}`} stroke="currentColor" d="M0 5H20" />
              {l.kind === 'measured' && <circle cx="10" cy="5" r="3" fill="currentColor" />}
              {l.kind === 'published' && (
                <rect className="published" stroke="currentColor" x="6.5" y="1.5" width="7" height="7" />
              )}
            </svg>
            <span>{l.title}</span>
          </li>
        ))}
    </ul>
  );
}

function keyOf({ kind, id }: ChartLine): string {
  return `${kind} ${id}`;
}

/**
 * Heights of the names of lines beside their right ends, in the order of those: each is moved down until it no longer
 * lies on the one above, and all up again where there is no room below.
 */
function spreadLabels(lines: readonly ChartLine[], x: Scale, y: Scale, bottom: number): ReadonlyMap<string, number> {
  const wanted = lines
    .filter((l) => l.title !== null && l.points.length > 0)
    .map((l) => ({ key: keyOf(l), at: y(l.points.reduce((a, b) => (x(b.x) > x(a.x) ? b : a)).y) }))
    .toSorted((a, b) => a.at - b.at);
  let least = MARGIN.top;
  const down = wanted.map(({ key, at }) => {
    const placed = { key, at: Math.max(at, least) };
    least = placed.at + LABEL_HEIGHT;
    return placed;
  });
  let most = bottom;
  return new Map(
    down.toReversed().map(({ key, at }) => {
      const placed = Math.min(at, most);
      most = placed - LABEL_HEIGHT;
      return [key, placed];
    }),
  );
}
