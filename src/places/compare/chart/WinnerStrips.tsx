import { useRef } from 'react';
import { type Axis, scaleOf, plotEdges } from '../../../kit/charts/axis.ts';
import { textWidth } from '../../../kit/charts/label-room.ts';
import { useWidth } from '../../../kit/browser/use-width.ts';
import { roughLeftText } from '../../../kit/words/shares.ts';

/** A range of shares of weights left with one fastest format. */
interface StripPart {
  readonly key: string;
  readonly from: number;
  readonly to: number;
  readonly title: string;
  readonly color: string;
  readonly textColor: string;
}

/** A bar below the chart that says which format is the fastest at which share of weights left. */
export interface Strip {
  /** 'fastest in f16' */
  readonly name: string;
  /** for screen readers, what the strip says of the format of a part: 'is the fastest in f16' */
  readonly predicate: string;
  readonly parts: readonly StripPart[];
  /** shown without parts */
  readonly empty: string;
}

interface WinnerStripsProps {
  readonly strips: readonly Strip[];
  readonly axis: Axis;
  readonly onPick: (share: number) => void;
}

/** Height of a strip with its gap, px. */
const ROW = 30;

/** Bars below the speed chart: which format is the fastest at which share of weights left. A click picks a share. */
export function WinnerStrips({ strips, axis, onPick }: WinnerStripsProps) {
  const frame = useRef<HTMLDivElement>(null);
  const width = Math.max(240, useWidth(frame));
  const { left, right, narrow } = plotEdges(width, true);
  const x = scaleOf(axis, [left, right]);
  return (
    <div ref={frame} className="mt-1 relative" style={{ height: strips.length * ROW }}>
      {strips.map((strip, row) => (
        <div key={strip.name} role="group" aria-label={`${strip.name}, over what is left`}>
          {strip.parts.map((part) => {
            const from = Math.max(left, x(Math.max(part.from, axis.domain[0])));
            const to = x(part.to);
            const start = part.from <= axis.domain[0] ? '' : ` from ${roughLeftText(part.from)}`;
            const barWidth = to - from;
            const text = [`${part.title}${start}`, part.title].find((t) => 1.15 * textWidth(t) + 4 <= barWidth) ?? '';
            const spoken = `${part.title} ${strip.predicate} from ${roughLeftText(part.from)} to ${roughLeftText(part.to)}`;
            return barWidth < 1 ? null : (
              <button
                key={part.key}
                type="button"
                className="group flex flex-col justify-start h-[26px] text-start absolute cursor-pointer overflow-hidden focus-visible:-outline-offset-2"
                style={{ left: from, width: barWidth, top: row * ROW, color: part.textColor }}
                title={spoken}
                aria-label={spoken}
                onClick={() => onPick(Math.max(part.from, axis.domain[0]))}
              >
                <span className="block me-px h-[6px] group-hover:h-2" style={{ background: part.color }} />
                <span className="text-12 font-semibold whitespace-nowrap">{text}</span>
              </button>
            );
          })}
          {strip.parts.length === 0 && (
            <span className="text-muted text-12 absolute" style={{ left, top: row * ROW }}>
              {strip.empty}
            </span>
          )}
          {!narrow && (
            <span className="text-muted text-12 absolute" style={{ left: right + 10, top: row * ROW - 6 }}>
              {strip.name}
            </span>
          )}
        </div>
      ))}
    </div>
  );
}
