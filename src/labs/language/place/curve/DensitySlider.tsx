import './density-slider.css';
import { leftText } from '../../../../kit/words/shares.ts';

/** The position of a density axis: the minimum at `left`, 1 at `right`, in px of the chart. */
export interface DensityAxisPlace {
  readonly left: number;
  readonly right: number;
  readonly min: number;
}

/** The position of a density along the axis, in px; values below the minimum are at its end. */
export function densityX({ left, right, min }: DensityAxisPlace, density: number): number {
  return left + ((Math.max(min, density) - min) / (1 - min)) * (right - left);
}

interface DensitySliderProps {
  readonly axis: DensityAxisPlace;
  /** px from the top of the chart to the line of the axis */
  readonly at: number;
  /** share of weights left */
  readonly density: number;
  /** change per step */
  readonly step: number;
  /** densities with a number, unless the thumb covers it */
  readonly ticks: readonly number[];
  /** its subject, for screen readers */
  readonly label: string;
  /** whether the line is as bold as the axis of its own chart, or as thin as one of several */
  readonly isBold?: boolean;
  readonly onMove: (density: number) => void;
  /** called when it is released */
  readonly onRelease?: () => void;
}

/** Numbers closer to the thumb than this are left out, in px. */
const ROOM = 36;
const THUMB = 8;

/** The axis of a chart as a slider for the weights left, with 1 at the right. It lies over the chart, its parent. */
export function DensitySlider(props: DensitySliderProps) {
  const { axis, at, density, step, ticks, label, isBold = false, onMove, onRelease } = props;
  const { left, right, min } = axis;
  const x = (d: number): number => densityX(axis, d) - left + THUMB;
  const round = (d: number): number => Math.round(100 * d) / 100;
  const middle = 14;
  return (
    <div
      className="density-slider absolute"
      data-bold={isBold || undefined}
      style={{ insetInlineStart: left - THUMB, inlineSize: right - left + 2 * THUMB, insetBlockStart: at - middle }}
    >
      <svg width={right - left + 2 * THUMB} height={middle + 28} aria-hidden="true">
        <line className="density-track stroke-quiet" x1={x(1)} x2={x(min)} y1={middle} y2={middle} />
        {isBold && (
          <line
            className="density-track stroke-quiet density-track--left"
            x1={x(min)}
            x2={x(density)}
            y1={middle}
            y2={middle}
          />
        )}
        <circle className="density-thumb fill-ground stroke-ink stroke-2" cx={x(density)} cy={middle} r={THUMB} />
        {ticks.map(
          (d) =>
            Math.abs(x(d) - x(density)) > ROOM && (
              <text key={d} x={x(d)} y={middle + 24} textAnchor="middle">
                {leftText(d)}
              </text>
            ),
        )}
        <text className="fill-ink size-12 weight-600" x={x(density)} y={middle + 24} textAnchor="middle">
          {leftText(density)}
        </text>
      </svg>
      <input
        type="range"
        aria-label={label}
        aria-valuetext={`${leftText(density)} of the weights are left`}
        min={min}
        max={1}
        step={step}
        value={round(density)}
        onChange={(event) => onMove(round(Number(event.currentTarget.value)))}
        onPointerUp={onRelease}
        onKeyUp={onRelease}
        onBlur={onRelease}
      />
    </div>
  );
}
