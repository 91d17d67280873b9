import { memo, useRef } from 'react';
import { largest } from '../../../../core/number/statistics.ts';
import { useWidth } from '../../../../kit/browser/use-size.ts';
import type { FiringRecord } from './record.ts';

interface CostOfL1Props {
  readonly record: FiringRecord;
  /** bits per byte of this model and of the one with SwiGLU; null: unknown */
  readonly own: number | null;
  readonly swiglu: number | null;
  readonly onSwiglu: () => void;
}

const HEIGHT = 168;
const TOP = 12;
const FLOOR = 128;
const LEFT = 48;
const RIGHT = 14;
const FEWEST = 8;

/** The chart in words; `seconds` of each training run. */
export function l1Words(l1: FiringRecord['l1'], seconds: number): string {
  const runs = l1.map((run) => `${Math.round(run.firing)} fire, ${run.bitsPerByte.toFixed(4)} bits per byte`);
  return `Trainings of ${seconds} s: ${runs.join('; ')}`;
}

/** Bits per byte against the number of firing neurons: equally short training runs are dashed, complete ones filled. */
export const CostOfL1 = memo(function CostOfL1({ record, own, swiglu, onSwiglu }: CostOfL1Props) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const { l1, floor, mean, neurons } = record;
  const right = Math.max(LEFT + 80, width - RIGHT);
  const bits = [...l1.map(({ bitsPerByte }) => bitsPerByte), own ?? 0, swiglu ?? 0];
  const top = largest(bits) + 0.001;
  const y = (value: number): number => FLOOR - ((value - floor.exact) / (top - floor.exact)) * (FLOOR - TOP);
  const x = (firing: number): number =>
    LEFT + (Math.log(neurons / Math.max(FEWEST, firing)) / Math.log(neurons / FEWEST)) * (right - LEFT);
  const ticks = [0.21, 0.215, 0.22, 0.225, 0.23].filter((tick) => tick > floor.exact + 0.006 && tick < top);
  const seconds = l1.length === 0 ? 0 : Math.round(l1.reduce((sum, run) => sum + run.seconds, 0) / l1.length);
  return (
    <section className="l1">
      <p className="quiet size-12">
        bits per byte; dashed: {l1.length} trainings of {seconds} s each
      </p>
      <div ref={box} className="l1-chart relative" style={{ blockSize: HEIGHT }}>
        {width > 0 && (
          <svg width={width} height={HEIGHT} role="img" aria-label={l1Words(l1, seconds)}>
            {ticks.map((tick) => (
              <g key={tick}>
                <line className="stroke-hairline" x1={LEFT} x2={right} y1={y(tick)} y2={y(tick)} />
                <text x={LEFT - 6} y={y(tick) + 4} textAnchor="end">
                  {tick.toFixed(3)}
                </text>
              </g>
            ))}
            {swiglu !== null && (
              <line className="l1-swiglu stroke-quiet" x1={LEFT} x2={right} y1={y(swiglu)} y2={y(swiglu)} />
            )}
            <line className="l1-floor stroke-ink stroke-2" x1={LEFT} x2={right} y1={FLOOR} y2={FLOOR} />
            <text className="fill-ink sans weight-600" x={LEFT - 6} y={FLOOR + 4} textAnchor="end">
              floor
            </text>
            {l1.map((run) => (
              <g key={run.l1}>
                <line
                  className="l1-error"
                  x1={x(run.firing)}
                  x2={x(run.firing)}
                  y1={y(run.bitsPerByte - run.se)}
                  y2={y(run.bitsPerByte + run.se)}
                />
                <circle
                  className="l1-short stroke-values stroke-15 fill-ground"
                  cx={x(run.firing)}
                  cy={y(run.bitsPerByte)}
                  r={4.5}
                />
                <text x={x(run.firing)} y={y(run.bitsPerByte) + 26} textAnchor="middle">
                  {Math.round(run.firing)}
                </text>
              </g>
            ))}
            {own !== null && (
              <>
                <circle className="fill-ground stroke-2 stroke-values" cx={x(mean)} cy={y(own)} r={8} />
                <circle className="fill-values" cx={x(mean)} cy={y(own)} r={4} />
                <text className="fill-ink sans weight-600" x={x(mean)} y={y(own) - 13} textAnchor="middle">
                  {Math.round(mean)}
                </text>
              </>
            )}
            {[neurons, 100, 30, 10].map((tick) => (
              <text key={tick} x={x(tick)} y={FLOOR + 18} textAnchor="middle">
                {tick}
              </text>
            ))}
            <text className="sans" x={right} y={FLOOR + 34} textAnchor="end">
              neurons of {neurons} that fire, mean over layers
            </text>
          </svg>
        )}
        {swiglu !== null && width > 0 && (
          <button
            type="button"
            className="text-button size-12 absolute"
            style={{ insetInlineStart: LEFT + 2, insetBlockStart: y(swiglu) - 20 }}
            onClick={onSwiglu}
          >
            SwiGLU, {swiglu.toFixed(4)}
          </button>
        )}
      </div>
    </section>
  );
});
