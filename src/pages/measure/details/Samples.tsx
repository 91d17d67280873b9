import { scaleLog } from 'd3-scale';
import { useRef } from 'react';
import { ratiosByRound } from '../../../core/bench/shared-rounds.ts';
import { largest, smallest } from '../../../core/number/statistics.ts';
import { countText } from '../../../core/text/words.ts';
import { useWidth } from '../../../kit/browser/use-width.ts';
import { cssColorOf } from '../../../kit/format-color.ts';
import { DRAWN_SAMPLES, drawnRatios, sampleOffset } from '../../../kit/report/report-view.ts';
import { ratio as ratioText, time } from '../../../kit/words/quantity.ts';
import type { Device } from '../../../state/index.ts';
import { speedBetween, type TimedRow } from '../../../kit/report/matrix-times.ts';
import type { MeasuredPair } from '../answer/use-measured.ts';

/** Height of a strip, and of the part over which its dots are spread, px. */
const STRIP_HEIGHT = 44;
const SAMPLES_HEIGHT = 22;
/** Height of the ticks' texts below the strips, px. */
const AXIS_HEIGHT = 24;

/** The samples of one format, or of the ratio of two, as a row of dots. */
interface Strip {
  readonly title: string;
  readonly color: string;
  readonly values: readonly number[];
  readonly median: number;
  readonly p10: number;
  readonly p90: number;
  readonly text: (value: number) => string;
}

/** The collapsible section 'every sample': the time of every round in formats A and B, and their ratio by round. */
export function Samples({
  measuredPair,
  device,
}: {
  readonly measuredPair: MeasuredPair | null;
  readonly device: Device;
}) {
  const [a, b = null] = measuredPair?.sides ?? [];
  const sides = [a, b].flatMap((side) => (side?.timedRow ? [{ side, timedRow: side.timedRow }] : []));
  if (sides.length === 0) {
    return <p className="text-muted">{device.name} has no times of this matrix.</p>;
  }
  const strips = sides.map(({ side, timedRow }) => timeStrip(side.name, cssColorOf(side.format.id), timedRow));
  const hasSamples = strips.some(({ values }) => values.length > 0);
  const ratios =
    a?.timedRow && b?.timedRow
      ? ratioStrip(`${a.name} against ${b.name}`, cssColorOf(a.format.id), a.timedRow, b.timedRow)
      : null;
  return (
    <div className="samples grid gap-4 grid-cols-1 max-w-[64rem]">
      <p className="text-muted">
        {hasSamples
          ? `Each dot is a round:  ${strips.map(({ title, values }) => `${countText(values.length)} of ${title}`).join(', ')}. Line: p10 to p90; ring: median.`
          : 'A recording has no samples. Line: p10 to p90; ring: median.'}
        {strips.some(({ values }) => values.length > DRAWN_SAMPLES) &&
          ` ${countText(DRAWN_SAMPLES)} of each are drawn.`}
      </p>
      <StripChart title="Time of every round" strips={strips} ticksText={time} />
      {ratios && (
        <StripChart
          title="Ratio, round by round; ring: of the two medians"
          strips={[ratios]}
          hasLineAt1
          ticksText={ratioText}
        />
      )}
    </div>
  );
}

function timeStrip(title: string, color: string, { row }: TimedRow): Strip {
  const median = row.medianNs ?? 0;
  return {
    title,
    color,
    values: row.samplesNs.filter((ns) => ns > 0),
    median,
    p10: row.p10Ns ?? median,
    p90: row.p90Ns ?? median,
    text: time,
  };
}

function ratioStrip(title: string, color: string, a: TimedRow, b: TimedRow): Strip | null {
  const values = a.report === b.report ? ratiosByRound(b.row, a.row) : [];
  if (values.length === 0) return null;
  const ascending = values.toSorted((x, y) => x - y);
  const quantile = (q: number): number => ascending[Math.round(q * (ascending.length - 1))];
  // The ring is the ratio on the rest of the page: the ratio of the two median times.
  const { ratio: median } = speedBetween(a, b);
  return { title, color, values, median, p10: quantile(0.1), p90: quantile(0.9), text: ratioText };
}

interface StripChartProps {
  readonly title: string;
  readonly strips: readonly Strip[];
  readonly hasLineAt1?: boolean;
  readonly ticksText: (value: number) => string;
}

/** A row of dots for each strip, on one logarithmic axis, with a line from p10 to p90 and a ring at the median. */
function StripChart({ title, strips, hasLineAt1 = false, ticksText }: StripChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const width = Math.max(200, useWidth(frame));
  const extremes = strips.flatMap(({ values, p10, p90 }) => [smallest(values, p10), largest(values, p90)]);
  const visible = hasLineAt1 ? [...extremes, 1] : extremes;
  // The margins leave space for dots at both ends, and for the text of the last tick.
  const [low, high] = [smallest(visible) / 1.05, largest(visible) * 1.05];
  const x = scaleLog([low, high], [8, width - 56]);
  const height = strips.length * STRIP_HEIGHT + AXIS_HEIGHT;
  const stripTexts = strips.map(
    ({ title: name, median, p10, p90, text }) => `${name}: median ${text(median)}, p10 ${text(p10)}, p90 ${text(p90)}`,
  );
  return (
    <section className="samples-strip strip min-w-0 w-full" aria-label={title}>
      <h3>{title}</h3>
      <ul className="flex flex-wrap gap-y-1 gap-x-6 mt-2 mb-2">
        {strips.map(({ title: name, color, median, p10, p90, text }) => (
          <li key={name}>
            <b style={{ color }}>{name}</b> {text(median)}{' '}
            <span className="text-muted">
              p10 {text(p10)}, p90 {text(p90)}
            </span>
          </li>
        ))}
      </ul>
      <div ref={frame}>
        <svg
          className="max-w-full"
          width={width}
          height={height}
          role="img"
          aria-label={`${title}. ${stripTexts.join('; ')}.`}
        >
          {hasLineAt1 && <line className="stroke-ink" x1={x(1)} x2={x(1)} y1={0} y2={height - 20} />}
          {x
            .ticks(4)
            .filter((tick) => tick >= low && tick <= high)
            .slice(0, 8)
            .map((tick) => (
              <g key={tick}>
                <line className="stroke-hairline" x1={x(tick)} x2={x(tick)} y1={0} y2={height - 20} />
                <text x={x(tick)} y={height - 6} textAnchor="middle">
                  {ticksText(tick)}
                </text>
              </g>
            ))}
          {strips.map(({ title: name, color, values, median, p10, p90 }, i) => {
            const middle = (i + 0.5) * STRIP_HEIGHT;
            return (
              <g key={name} style={{ color }}>
                {drawnRatios(values).map((value, round) => (
                  <circle
                    // oxlint-disable-next-line react/no-array-index-key -- rounds have an order and nothing else
                    key={round}
                    className="sample fill-current opacity-50"
                    cx={x(value)}
                    cy={middle + SAMPLES_HEIGHT * sampleOffset(round)}
                    r={1.75}
                  />
                ))}
                <path
                  className="range fill-none stroke-current"
                  d={`M${x(p10)} ${middle}H${x(p90)}M${x(p10)} ${middle - 5}v10M${x(p90)} ${middle - 5}v10`}
                />
                <circle className="fill-ground stroke-[2px] stroke-current" cx={x(median)} cy={middle} r={5} />
              </g>
            );
          })}
        </svg>
      </div>
    </section>
  );
}
