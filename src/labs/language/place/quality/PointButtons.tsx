import type { QualityPoint } from './points.ts';

interface PointButtonsProps {
  readonly points: readonly QualityPoint[];
  /** px within the chart */
  readonly at: (point: QualityPoint) => readonly [x: number, y: number];
  readonly tell: (point: QualityPoint) => string;
  readonly onPick: (point: QualityPoint) => void;
}

/** Buttons over the points that can be shown as a text. */
export function PointButtons({ points, at, tell, onPick }: PointButtonsProps) {
  return points.map((point) => {
    const [left, top] = at(point);
    if (!Number.isFinite(left) || !Number.isFinite(top)) return null;
    return (
      <button
        key={point.id}
        type="button"
        className="-mt-3 -ml-3 hover:bg-ink/12 absolute cursor-pointer w-[24px] h-[24px] rounded-[50%]"
        style={{ left, top }}
        title={tell(point)}
        aria-label={tell(point)}
        onClick={() => onPick(point)}
      />
    );
  });
}
