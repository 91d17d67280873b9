import { textWidth, type Box, freePlace } from '../../../kit/charts/label-room.ts';
import type { Plot } from '../../../kit/charts/plot.ts';
import type { ChartPoint } from '../../../kit/charts/series.ts';

/** A line that may leave the picture before its right edge. */
interface LeavingLine {
  readonly key: string;
  readonly title: string;
  readonly color: string;
  readonly points: readonly ChartPoint[];
}

interface EndNamesProps {
  readonly plot: Plot;
  readonly ends: readonly LeavingLine[];
  readonly domain: readonly [number, number];
  /** where the line of the cursor is, along x */
  readonly at: number;
}

/** Between two names, in px. */
const GAP = 8;

/** Names where lines leave the picture, or end inside it, as far as there is room for them. */
export function EndNames({ plot: { x, y, left, top, right, bottom }, ends, domain: [low, high], at }: EndNamesProps) {
  const cursor: Box = { left: x(at) - 2, top, width: 4, height: bottom - top };
  const taken: Box[] = [];
  return ends.flatMap(({ key, title, color, points }) => {
    // Lines of tokens fall, so a line that starts above the picture enters it later.
    const first = points.findIndex((point) => point.y <= high);
    const out = points.findIndex((point, i) => i > first && point.y > high);
    const last = out < 0 ? points.at(-1) : points[out - 1];
    if (first < 0 || last === undefined || !(last.y > low) || (out < 0 && last.x > 0.995)) return [];
    // Bold, and with a gap to its neighbour.
    const box = { width: 1.2 * textWidth(title) + GAP, height: 14 };
    const [px, py] = [x(last.x), out < 0 ? y(last.y) : top];
    const boxes = [
      { ...box, left: px - box.width - 8, top: py },
      { ...box, left: px + 6, top: py },
      { ...box, left: px + 6, top: py + 14 },
      { ...box, left: px - box.width - 8, top: py + 14 },
    ];
    const fitting = boxes.filter((one) => one.left > left && one.left + one.width < right);
    // Across the line of the cursor rather than not at all.
    const place = freePlace(fitting, [cursor, ...taken]) ?? freePlace(fitting, taken);
    if (place === null) return [];
    taken.push(place);
    return [
      <text
        key={key}
        className="plot-name halo"
        style={{ fill: color, fontWeight: 600 }}
        x={place.left}
        y={place.top + 6}
        dy="0.35em"
      >
        {title}
      </text>,
    ];
  });
}
