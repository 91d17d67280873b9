import { scaleLog } from 'd3-scale';
import { useRef } from 'react';
import { largest, smallest } from '../../../core/number/statistics.ts';
import type { BenchRow } from '../../../core/report.ts';
import { useWidth } from '../../../kit/browser/use-width.ts';
import { ticksWithSpace } from '../../../kit/charts/label-space.ts';
import { cssColorOf } from '../../../kit/format-color.ts';
import { sampleOffset, tickText, quantilesOnly } from '../../../kit/report/report-view.ts';
import { greyOf, type Substitute, withSubstitute } from '../../../kit/words/ran-instead.ts';
import { ratio as ratioText } from '../../../kit/words/quantity.ts';
import { type Speed, speedRange, speedMessage, speedText, singleRatio } from '../../../kit/words/speed-of.ts';

/** Height of a row, px. */
const ROW_HEIGHT = 36;
/** Lines of ticks extend this far beyond their row, so that taller rows leave no gaps, px. */
const TICK_OVERHANG = 20;
/** Height of the tick labels below the last row, into which its lines extend, px. */
const TICKS_HEIGHT = 40;
/** Samples are spread over this height to avoid overlap, px. */
const SAMPLES_HEIGHT = 14;
const MEDIAN = 'median fill-current stroke-ground stroke-[1.5px]';

interface StripProps {
  readonly domain: readonly [number, number];
  readonly ticks: readonly number[];
}

function useStripScale(domain: readonly [number, number]) {
  const frame = useRef<HTMLDivElement>(null);
  const width = Math.max(80, useWidth(frame));
  // Margins for the labels of the outermost dots, so that these need not cross the line of 1; 4 px if narrow.
  const margin = width < 4 * LABEL_WIDTH ? 4 : LABEL_WIDTH - 10;
  const [from, to] = [domain[0] < 1 ? margin : 4, width - (domain[1] > 1 ? margin : 4)];
  return { frame, width, x: scaleLog(domain, [from, to]) };
}

interface RatioStripProps extends StripProps {
  readonly row: BenchRow;
  readonly speed: Speed | null;
  readonly substitute: Substitute | null; // makes the row grey and is read aloud; null: a graphics card ran
  /** the ratio to dense of each round */
  readonly ratios: readonly number[];
}

/** A row of the kernel table: the ratios of one kernel to dense as dots, one for each round, with their median. */
export function RatioStrip({ row, speed, substitute, ratios, domain, ticks }: RatioStripProps) {
  const { frame, width, x } = useStripScale(domain);
  const middle = ROW_HEIGHT / 2;
  const ratio = speed?.ratio ?? null;
  const text = speed === null ? '' : speedText(speed);
  const isBelowAxis = ratio !== null && ratio < domain[0];
  const dotX = isBelowAxis ? x(domain[0]) : ratio === null ? 0 : x(ratio);
  const isReference = row.vsDense?.reference === row.kernel && row.vsDense.valueType === undefined;
  const range = isReference || isBelowAxis ? null : quantilesOnly(row);
  const label =
    ratio === null
      ? null
      : isBelowAxis
        ? ({ x: dotX + 10, anchor: 'start' } as const)
        : labelPosition(ratio, range ? [range.p10, range.p90] : ratios, x, width, text);
  return (
    <div ref={frame} className="strip min-w-0 w-full">
      <svg className="max-w-full" width={width} height={ROW_HEIGHT} aria-hidden="true">
        {ticks.map((tick) => (
          <line
            key={tick}
            className={`[shape-rendering:crispedges] ${tick === 1 ? 'stroke-ink' : 'stroke-hairline'}`}
            x1={x(tick)}
            x2={x(tick)}
            y1={-TICK_OVERHANG}
            y2={ROW_HEIGHT + TICK_OVERHANG}
          />
        ))}
        <g style={{ color: substitute === null ? cssColorOf(row.format) : greyOf() }}>
          {!isReference &&
            !isBelowAxis &&
            ratios.map((r, round) => (
              // oxlint-disable-next-line react/no-array-index-key -- rounds have an order and nothing else
              <circle
                key={round}
                className="sample fill-current opacity-50"
                cx={x(r)}
                cy={middle + SAMPLES_HEIGHT * sampleOffset(round)}
                r={1.5}
              />
            ))}
          {range && (
            <path
              className="range fill-none stroke-current"
              d={`M${x(range.p10)} ${middle}H${x(range.p90)}M${x(range.p10)} ${middle - 4}v8M${x(range.p90)} ${middle - 4}v8`}
            />
          )}
          {ratio !== null && !isBelowAxis && <circle className={MEDIAN} cx={dotX} cy={middle} r={4.5} />}
          {isBelowAxis && <path className={MEDIAN} d={`M${dotX - 5} ${middle}l7 -5v10z`} />}
        </g>
        {ratio !== null && label && !isReference && (
          <text
            className="ratio halo font-semibold fill-ink"
            x={label.x}
            y={middle}
            dy="0.35em"
            textAnchor={label.anchor}
          >
            {text}
          </text>
        )}
      </svg>
      <span className="unseen">{spokenRatio(speed, substitute)}</span>
    </div>
  );
}

/** Width of a ratio's label with its distance from the dots, and of a letter in the label of a range, px. */
const LABEL_WIDTH = 56;
const LETTER_WIDTH = 8;

/** The position of a ratio's label: next to its samples, on the side away from 1, or on the other side if space is short. */
function labelPosition(
  ratio: number,
  ratios: readonly number[],
  x: (ratio: number) => number,
  width: number,
  text: string,
): { readonly x: number; readonly anchor: 'start' | 'end' } {
  const left = x(smallest(ratios, ratio)) - 10;
  const right = x(largest(ratios, ratio)) + 10;
  const labelWidth = Math.max(LABEL_WIDTH, LETTER_WIDTH * text.length);
  const fitsLeft = left - labelWidth >= -LABEL_WIDTH / 4;
  const fitsRight = right + labelWidth <= width + LABEL_WIDTH / 4;
  const toLeft = ratio < 1 ? fitsLeft || !fitsRight : fitsLeft && !fitsRight;
  return toLeft ? { x: left, anchor: 'end' } : { x: Math.min(right, width - labelWidth + 14), anchor: 'start' };
}

function spokenRatio(speed: Speed | null, substitute: Substitute | null): string {
  if (speed === null) return 'not compared';
  if (singleRatio(speed) === null) return withSubstitute(speedMessage(speed), substitute);
  const [low, high] = speedRange(speed);
  const range = `from ${ratioText(low)} to ${ratioText(high)}`;
  return withSubstitute(`${speedText(speed)}, ${range}`, substitute);
}

/** The tick labels of the axis, below the last strip. */
export function TickRow({ domain, ticks }: StripProps) {
  const { frame, width, x } = useStripScale(domain);
  return (
    <div ref={frame} className="strip min-w-0 w-full">
      <svg className="max-w-full" width={width} height={TICKS_HEIGHT}>
        {ticksWithSpace(ticks, [1], x, tickText).map((tick) => (
          <text key={tick} x={x(tick)} y={TICKS_HEIGHT - 6} textAnchor="middle">
            {tickText(tick)}
          </text>
        ))}
      </svg>
    </div>
  );
}
