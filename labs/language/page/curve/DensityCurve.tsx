// The slider for the density of a model, drawn as a curve of its quality.

import { useRef, useState } from 'react';
import { threeDigits } from '../../../../src/core/text/words.ts';
import { useRemainingHeight } from '../../../../src/kit/browser/use-window-height.ts';
import { useWidth } from '../../../../src/kit/browser/use-width.ts';
import { densityText } from '../../../../src/kit/words/shares.ts';
import { ABOVE_FLOOR_TICKS, aboveFloor, interpolatedBits, type CurvePoint } from './above-floor.ts';

/** Upper and lower end of the curve, px from the top; in windows above TALL_WINDOW the lower end is farther down. */
const CURVE_TOP = 10;
const CURVE_BOTTOM = 116;
/** Height of a window, px, from which the curve gets the rest of it, and at most so many px more. */
const TALL_WINDOW = 860;
const MAX_EXTRA_HEIGHT = 160;
/** From the lower end of the curve to the slider's track, and from there to the lower edge, px. */
const CURVE_TO_TRACK = 22;
const TRACK_TO_EDGE = 30;
/** The slider without a curve, px from the top. */
const BARE_TRACK_TOP = 16;
/** Margins around the axis, px. */
const LEFT = 46;
const RIGHT = 12;
/** The least density on the axis. */
const MIN_DENSITY = 0.1;
/** Densities from which the label is to the left of its dot, since the curve falls to the right. */
const LABEL_LEFT_FROM = 0.82;
/** The density at which the label of random pruning is, and its least distance from the current density, px. */
const RANDOM_LABEL_DENSITY = 0.75;
const RANDOM_LABEL_DISTANCE = 110;
/** Upper end of the curve's axis: 4 bits per byte above the floor. */
const MAX_ABOVE = aboveFloor(4);

/** `excessBits`, bits per byte above the least possible, as '+0.012'; with '≈ ' unless measured at this density. */
export function valueAtText(points: readonly CurvePoint[], density: number, excessBits: number): string {
  const isMeasured = points.some((point) => Math.abs(point.density - density) < 1e-9);
  return `${isMeasured ? '' : '≈ '}+${threeDigits(excessBits)}`;
}

interface DensityCurveProps {
  /** shows the slider without a curve */
  readonly isBare?: boolean;
  /** curve of the model's pruning method, by falling density; empty without data */
  readonly points: readonly CurvePoint[];
  /** curve of random pruning, drawn pale */
  readonly random: readonly CurvePoint[];
  /** bits per byte that any model needs at least */
  readonly floor: number;
  /** share of weights left */
  readonly density: number;
  readonly onChange: (density: number) => void;
}

/** A slider for the density, which is the x axis of a curve: the bits per byte above the floor. */
export function DensityCurve(props: DensityCurveProps) {
  const { isBare = false, points, random, floor, density, onChange } = props;
  const curveBottom = CURVE_BOTTOM + useRemainingHeight(TALL_WINDOW, [0, MAX_EXTRA_HEIGHT]);
  const trackTop = isBare ? BARE_TRACK_TOP : curveBottom + CURVE_TO_TRACK;
  const height = trackTop + TRACK_TO_EDGE;
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const [draggedDensity, setDraggedDensity] = useState<number | null>(null);
  const visibleDensity = draggedDensity ?? density;
  const axisRight = Math.max(LEFT + 60, width - RIGHT);
  const x = (d: number): number =>
    LEFT + ((Math.max(MIN_DENSITY, d) - MIN_DENSITY) / (1 - MIN_DENSITY)) * (axisRight - LEFT);
  const y = (bits: number): number =>
    curveBottom - (Math.min(MAX_ABOVE, aboveFloor(bits - floor)) / MAX_ABOVE) * (curveBottom - CURVE_TOP);
  const path = (line: readonly CurvePoint[]): string =>
    line
      .filter((point) => point.density >= MIN_DENSITY - 1e-9)
      .map((point, i) => `${i === 0 ? 'M' : 'L'}${x(point.density).toFixed(1)} ${y(point.bitsPerByte).toFixed(1)}`)
      .join('');
  const bits = interpolatedBits(points, visibleDensity, floor);
  const isLabelLeft = visibleDensity > LABEL_LEFT_FROM;
  const release = (): void => {
    if (draggedDensity === null) return;
    if (draggedDensity !== density) onChange(draggedDensity);
    setDraggedDensity(null);
  };
  return (
    <div ref={box} className="relative" style={{ blockSize: height }}>
      {width > 0 && (
        <svg width={width} height={height} aria-hidden="true">
          {!isBare && points.length > 0 && (
            <>
              {ABOVE_FLOOR_TICKS.map(({ bits: excessBits, label }) => (
                <g key={label}>
                  <line
                    className="stroke-hairline"
                    x1={LEFT}
                    x2={axisRight}
                    y1={y(floor + excessBits)}
                    y2={y(floor + excessBits)}
                  />
                  <text x={LEFT - 6} y={y(floor + excessBits) + 4} textAnchor="end">
                    {label}
                  </text>
                </g>
              ))}
              <line className="stroke-muted" x1={LEFT} x2={axisRight} y1={curveBottom} y2={curveBottom} />
              <text className="fill-ink font-sans" x={LEFT - 6} y={curveBottom + 4} textAnchor="end">
                best
              </text>
              <path className="fill-none stroke-quiet stroke-[1.5px] [stroke-linejoin:round]" d={path(random)} />
              {random.length > 2 && Math.abs(x(RANDOM_LABEL_DENSITY) - x(visibleDensity)) > RANDOM_LABEL_DISTANCE && (
                <text className="halo" x={x(RANDOM_LABEL_DENSITY)} y={y(random[2]?.bitsPerByte ?? floor) + 14}>
                  random
                </text>
              )}
              <path className="fill-none stroke-ink stroke-[2px] [stroke-linejoin:round]" d={path(points)} />
            </>
          )}
          <line
            className="stroke-muted"
            x1={x(visibleDensity)}
            x2={x(visibleDensity)}
            y1={isBare || points.length === 0 ? trackTop : 0}
            y2={trackTop}
          />
          {!isBare && bits !== null && (
            <>
              <circle className="fill-ground stroke-ink stroke-[2px]" cx={x(visibleDensity)} cy={y(bits)} r={4} />
              <text
                className="fill-ink text-12 font-semibold halo"
                x={x(visibleDensity) + (isLabelLeft ? -9 : 9)}
                y={y(bits) - 8}
                textAnchor={isLabelLeft ? 'end' : 'start'}
              >
                {valueAtText(points, visibleDensity, bits - floor)}
              </text>
            </>
          )}
        </svg>
      )}
      {width > 0 && (
        <DensitySlider
          left={LEFT}
          right={axisRight}
          top={trackTop}
          density={visibleDensity}
          x={x}
          onMove={setDraggedDensity}
          onRelease={release}
        />
      )}
    </div>
  );
}

interface DensitySliderProps {
  /** ends of the axis, px from the left */
  readonly left: number;
  readonly right: number;
  /** the axis, px from the top */
  readonly top: number;
  readonly density: number;
  readonly x: (density: number) => number;
  readonly onMove: (density: number) => void;
  /** called when the slider is released */
  readonly onRelease: () => void;
}

/** Least distance of a number from the thumb, px: closer ones are left out. */
const NUMBER_DISTANCE = 36;
/** Radius of the thumb, and the middle of the slider from its top, px. */
const THUMB = 8;
const MIDDLE = 14;
/** Densities with a number, unless the thumb covers it. */
const TICKS = [1, 0.7, 0.3, 0.1];

/** The axis as a slider for the weights left, with 1 at the right, drawn over `DensityCurve`. */
function DensitySlider({
  left: axisLeft,
  right: axisRight,
  top,
  density,
  x: curveX,
  onMove,
  onRelease,
}: DensitySliderProps) {
  const x = (d: number): number => curveX(d) - axisLeft + THUMB;
  const round = (d: number): number => Math.round(100 * d) / 100;
  return (
    <div
      className="absolute [&:has(:focus-visible)_circle]:[outline:2px_solid_var(--focus)] [&:has(:focus-visible)_circle]:outline-offset-2"
      style={{
        insetInlineStart: axisLeft - THUMB,
        inlineSize: axisRight - axisLeft + 2 * THUMB,
        insetBlockStart: top - MIDDLE,
      }}
    >
      <svg width={axisRight - axisLeft + 2 * THUMB} height={MIDDLE + 28} aria-hidden="true">
        <line
          className="stroke-track stroke-[4px] [stroke-linecap:round]"
          x1={x(1)}
          x2={x(MIN_DENSITY)}
          y1={MIDDLE}
          y2={MIDDLE}
        />
        <line
          className="stroke-ink stroke-[4px] [stroke-linecap:round]"
          x1={x(MIN_DENSITY)}
          x2={x(density)}
          y1={MIDDLE}
          y2={MIDDLE}
        />
        <circle className="fill-ground stroke-ink stroke-[2px]" cx={x(density)} cy={MIDDLE} r={THUMB} />
        {TICKS.filter((d) => Math.abs(x(d) - x(density)) > NUMBER_DISTANCE).map((d) => (
          <text key={d} x={x(d)} y={MIDDLE + 24} textAnchor="middle">
            {densityText(d)}
          </text>
        ))}
        <text className="fill-ink text-12 font-semibold" x={x(density)} y={MIDDLE + 24} textAnchor="middle">
          {densityText(density)}
        </text>
      </svg>
      <input
        className="absolute inset-x-0 top-0 w-full h-[28px] cursor-pointer opacity-0"
        type="range"
        aria-label="Left"
        aria-valuetext={`${densityText(density)} of the weights left`}
        min={MIN_DENSITY}
        max={1}
        step={0.01}
        value={round(density)}
        onChange={(event) => onMove(round(Number(event.currentTarget.value)))}
        onPointerUp={onRelease}
        onKeyUp={onRelease}
        onBlur={onRelease}
      />
    </div>
  );
}
