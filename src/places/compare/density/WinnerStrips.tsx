import { useRef } from 'react';
import { type Axis, scaleOf } from '../../../kit/charts/axis.ts';
import type { ChartCursor } from '../../../kit/charts/cursor.ts';
import { CursorHandle } from '../../../kit/charts/CursorHandle.tsx';
import { textWidth } from '../../../kit/charts/label-room.ts';
import { plotEdges } from '../../../kit/charts/plot-edges.ts';
import { ticksWithRoom } from '../../../kit/charts/tick-room.ts';
import { density as densityText } from '../../../kit/words/quantity.ts';
import { useWidth } from '../../../kit/browser/use-size.ts';
import { roughDensity } from '../../../kit/words/shares.ts';

/** A coloured segment of a strip. */
export interface StripPart {
  readonly key: string;
  readonly from: number;
  readonly to: number;
  readonly title: string;
  /** distinguishes it from a neighbour of the same format: '4 bits' */
  readonly detail: string;
  /** CSS colours */
  readonly color: string;
  readonly textColor: string;
}

export interface Strip {
  /** 'smallest' */
  readonly name: string;
  /** with the verb: 'is the smallest' */
  readonly says: string;
  readonly parts: readonly StripPart[];
  /** shown while there are no segments */
  readonly empty: string;
}

interface WinnerStripsProps {
  readonly strips: readonly Strip[];
  readonly axis: Axis;
  readonly cursor: ChartCursor;
}

const ROW = 30;
const SCALE = 40;

/** The winner by density, one strip per question, and the cursor's handle on the axis shared by all charts. */
export function WinnerStrips({ strips, axis, cursor }: WinnerStripsProps) {
  const frame = useRef<HTMLDivElement>(null);
  const width = Math.max(240, useWidth(frame));
  const { left, right, narrow } = plotEdges(width, true);
  const x = scaleOf(axis, [left, right]);
  const height = strips.length * ROW + SCALE;
  const textAt = (value: number): string => (value === cursor.at ? densityText(value) : axis.text(value));
  const axisAt = strips.length * ROW + 8;
  return (
    <div ref={frame} className="winner-strips" style={{ height }}>
      {strips.map((strip, row) => (
        <div key={strip.name} role="group" aria-label={`${strip.name} along the density`}>
          {strip.parts.map((part) => {
            const from = Math.max(left, x(Math.max(part.from, axis.domain[0])));
            const to = x(part.to);
            const words = part.detail === '' ? part.title : `${part.title} ${part.detail}`;
            const start = part.from <= axis.domain[0] ? '' : ` ${roughDensity(part.from)}`;
            const room = to - from;
            const text = [`${words}${start}`, words, part.title].find((t) => 1.15 * textWidth(t) + 4 <= room) ?? '';
            return room < 1 ? null : (
              <button
                key={part.key}
                type="button"
                className="winner-part"
                style={{ left: from, width: room, top: row * ROW, color: part.textColor }}
                title={`${words} ${strip.says} from ${roughDensity(part.from)} to ${roughDensity(part.to)}`}
                onClick={() => cursor.onMove(Math.max(part.from, axis.domain[0]))}
              >
                <span className="winner-bar" style={{ background: part.color }} />
                <span className="winner-name">{text}</span>
                <span className="unseen">
                  , {words} {strip.says} from {roughDensity(part.from)} to {roughDensity(part.to)}
                </span>
              </button>
            );
          })}
          {strip.parts.length === 0 && (
            <span className="winner-empty" style={{ left, top: row * ROW }}>
              {strip.empty}
            </span>
          )}
          {!narrow && (
            <span className="winner-strip-name" style={{ left: right + 10, top: row * ROW - 6 }}>
              {strip.name}
            </span>
          )}
        </div>
      ))}
      <svg className="plot winner-axis" width={width} height={height} aria-hidden="true">
        <line className="plot-rule" x1={left} x2={right} y1={axisAt} y2={axisAt} />
        {ticksWithRoom([...axis.ticks, cursor.at], [cursor.at, ...axis.domain], x, textAt).map((tick) => (
          <text
            key={tick}
            className={tick === cursor.at ? 'winner-here' : undefined}
            x={x(tick)}
            y={axisAt + 24}
            textAnchor="middle"
          >
            {textAt(tick)}
          </text>
        ))}
        {!narrow && (
          <text className="plot-name" x={right + 10} y={axisAt} dy="0.35em">
            {axis.title}
          </text>
        )}
      </svg>
      <CursorHandle cursor={cursor} axis={axis} left={x(cursor.at)} top={axisAt} placeAt={(px) => x.invert(px)} />
    </div>
  );
}
