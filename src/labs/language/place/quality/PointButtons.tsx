import type { RecordedWay } from '../../decoders/quality/recorded.ts';
import type { QualityPoint } from './points.ts';

/** Where points lie on each other, the last of these is the one that is pressed. */
const ON_TOP: readonly RecordedWay[] = ['random', 'rows', 'magnitude', 'none', 'wanda'];

interface PointButtonsProps {
  readonly points: readonly QualityPoint[];
  /** px in the frame of the chart */
  readonly at: (point: QualityPoint) => readonly [x: number, y: number];
  readonly tell: (point: QualityPoint) => string;
  readonly onPick: (point: QualityPoint) => void;
}

/** What lies over points that can be shown as a text: pressed, they lead there. */
export function PointButtons({ points, at, tell, onPick }: PointButtonsProps) {
  return points
    .toSorted((a, b) => ON_TOP.indexOf(a.way) - ON_TOP.indexOf(b.way))
    .map((point) => {
      const [left, top] = at(point);
      if (!Number.isFinite(left) || !Number.isFinite(top)) return null;
      return (
        <button
          key={point.id}
          type="button"
          className="quality-point"
          style={{ left, top }}
          title={tell(point)}
          aria-label={tell(point)}
          onClick={() => onPick(point)}
        />
      );
    });
}
