import { scaleLog } from 'd3';
import type { MeasuredRow } from './matrix-times.ts';

const WIDTH = 104;
const HEIGHT = 24;
const EDGE = 6;

export interface SpeedStripProps {
  readonly speed: NonNullable<MeasuredRow['speed']>;
  /** ratios at both ends */
  readonly domain: readonly [number, number];
  readonly color: string;
}

/** The median speed relative to dense as a dot, p10 to p90 as a whisker, and the line of 1. */
export function SpeedStrip({ speed: { ratio, p10, p90 }, domain, color }: SpeedStripProps) {
  const x = scaleLog(domain, [EDGE, WIDTH - EDGE]).clamp(true);
  const middle = HEIGHT / 2;
  return (
    <svg className="speed-strip" width={WIDTH} height={HEIGHT} aria-hidden="true" style={{ color }}>
      <line className="speed-even" x1={x(1)} x2={x(1)} y1={-20} y2={HEIGHT + 20} />
      <path
        stroke="currentColor"
        fill="none"
        d={`M${x(p10)} ${middle}H${x(p90)}M${x(p10)} ${middle - 4}v8M${x(p90)} ${middle - 4}v8`}
      />
      <circle cx={x(ratio)} cy={middle} r={4} fill="currentColor" />
    </svg>
  );
}

/** The range of the axis: all ratios and 1, with a margin. */
export function speedDomain(rows: readonly { readonly measured: MeasuredRow | null }[]): readonly [number, number] {
  let low = 0.8;
  let high = 1.25;
  for (const { measured } of rows) {
    if (!measured?.speed) continue;
    low = Math.min(low, measured.speed.p10);
    high = Math.max(high, measured.speed.p90);
  }
  return [low * 0.9, high * 1.1];
}
