// The chart of a draft's speed relative to another kernel.

import { scaleLinear } from 'd3-scale';
import { useRef } from 'react';
import { capitalised } from '../../../../src/core/text/words.ts';
import { largest, smallest } from '../../../../src/core/number/statistics.ts';
import type { DraftResult } from '../kernel-drafts/draft-result.ts';
import type { DraftTime } from '../service/drafts/draft-types.ts';
import { referenceFormat } from '../../../../src/formats/catalog.ts';
import { percent, ratio, time } from '../../../../src/kit/words/quantity.ts';
import { useWidth } from '../../../../src/kit/browser/use-width.ts';
import { cssColorOf } from '../../../../src/kit/format-color.ts';
import { Section } from '../../../../src/kit/controls/Section.tsx';
import { bandwidth } from '../../../../src/kit/words/rates.ts';
import { type Speed, speedFromTimes, speedRange, speedText } from '../../../../src/kit/words/speed-of.ts';

interface RaceChartProps {
  /** of the version that was timed */
  readonly number: number;
  readonly timed: NonNullable<DraftResult['timed']>;
  /** id of the format, for its colour */
  readonly format: string;
  /** the kernel that the draft is compared with: 'the original', or a kernel's id */
  readonly rival: string;
}

// Sizes of the chart: height of a row, widths of the columns of names and times.
const ROW_PX = 40;
const NAMES_PX = 56;
const TIMES_PX = 64;
/** Space for the ratio next to its dot, and for a tick with its label. */
const VALUE_PX = 44;
const TICK_PX = 32;
const FOOT_PX = 22;

/**
 * A chart of a draft's (changed kernel's) timing: speed relative to its rival, the original or another kernel, from the
 * 10th to the 90th percentile of the rounds, with median times.
 */
export function RaceChart({ number, timed: { rows, of, readBandwidthGBps }, format, rival }: RaceChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const original = rows.find(({ who }) => who === 'original');
  const speeds = rows.map((row) => ({ row, ...relativeSpeed(row, original) }));
  const low = Math.min(0.9, smallest(speeds.map((speed) => speedRange(speed)[0])));
  const high = Math.max(1.1, largest(speeds.map((speed) => speedRange(speed)[1])));
  const x = scaleLinear([low, high], [NAMES_PX + 6, Math.max(NAMES_PX + 60, width - TIMES_PX - VALUE_PX)]);
  const ticks = [1, ...x.ticks(3).filter((tick) => Math.abs(x(tick) - x(1)) > TICK_PX)];
  const height = rows.length * ROW_PX;
  const draftRow = rows.find(({ who }) => who === 'draft');
  const rounds = largest(rows.map((row) => row.rounds)); // timed so far; `of`: in total
  return (
    <Section title={`Speed against ${rival}`} aside={`${rounds < of ? `${rounds} of ${of}` : rounds} rounds, cold`}>
      <div ref={box}>
        <svg
          width={width}
          height={height + FOOT_PX}
          role="img"
          aria-label={speeds.map((speed) => spokenSpeed(speed, rival)).join(' ')}
        >
          {ticks.map((tick) => (
            <g key={tick}>
              <line
                className={tick === 1 ? 'stroke-ink' : 'stroke-hairline'}
                x1={x(tick)}
                x2={x(tick)}
                y1={0}
                y2={height}
              />
              <text className="text-12" x={x(tick)} y={height + 15} textAnchor="middle">
                {tick}×
              </text>
            </g>
          ))}
          {speeds.map(({ row, ...speed }, i) => {
            const [p10, p90] = speedRange(speed);
            const y = i * ROW_PX + ROW_PX / 2;
            return (
              <g
                key={row.who}
                style={{ '--swatch': cssColorOf(row.who === 'reference' ? referenceFormat.id : format) }}
              >
                <text
                  className={`fill-ink font-sans text-12 ${row.who === 'draft' ? 'font-semibold' : ''}`}
                  x={0}
                  y={y + 4}
                >
                  {row.who === 'draft'
                    ? `draft ${number}`
                    : row.who === 'reference'
                      ? referenceFormat.title
                      : shortRival(rival)}
                </text>
                <line className="stroke-(--swatch) stroke-[2px]" x1={x(p10)} x2={x(p90)} y1={y} y2={y} />
                <circle className="fill-(--swatch)" cx={x(speed.ratio)} cy={y} r={4} />
                {row.who !== 'original' && (
                  <text className="fill-ink text-12 font-semibold halo" x={x(p90) + 8} y={y + 4}>
                    {speedText(speed)}
                  </text>
                )}
                <text className="fill-ink text-12 font-semibold" x={width} y={y - 2} textAnchor="end">
                  {time(row.medianNs)}
                </text>
                <text className="text-12" x={width} y={y + 13} textAnchor="end">
                  ± {percent((row.p90Ns - row.p10Ns) / 2 / row.medianNs)}
                </text>
              </g>
            );
          })}
        </svg>
      </div>
      {readBandwidthGBps !== null && draftRow?.GBps != null && (
        <p className="draft-read flex items-center gap-2 text-12 whitespace-nowrap mt-2">
          <span>of the read speed, {bandwidth(readBandwidthGBps)}</span>
          <meter
            className="flex-1 min-w-8 h-2 appearance-none bg-track"
            aria-label="Share of the read speed"
            min={0}
            max={1}
            value={Math.min(1, draftRow.GBps / readBandwidthGBps)}
          />
          <strong className="number">{percent(draftRow.GBps / readBandwidthGBps, 0)}</strong>
        </p>
      )}
    </Section>
  );
}

/** Returns the speed of a row relative to the rival; 1 for the rival itself. */
function relativeSpeed(row: DraftTime, original: DraftTime | undefined): Speed {
  if (row.who === 'original' || row.vsOriginal === null) return { ratio: 1, rounds: null };
  return speedFromTimes(row.medianNs, original?.medianNs, row.vsOriginal);
}

/** Returns 'original', or a kernel's name without its format, to save space. */
function shortRival(rival: string): string {
  return rival.replace(/^the |^.*\/(?:spmv_)?/, '');
}

/** Returns the text of a row for screen readers. */
function spokenSpeed({ row, ...speed }: Speed & { readonly row: DraftTime }, rival: string): string {
  if (row.who === 'original') return `${capitalised(rival)}: ${time(row.medianNs)}.`;
  const name = row.who === 'draft' ? 'The draft' : referenceFormat.title;
  return `${name}: ${time(row.medianNs)}, ${speedText(speed)} the speed of ${rival}, from ${speedRange(speed).map(ratio).join(' to ')}.`;
}
