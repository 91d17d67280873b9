import type { Scale } from '../../../kit/charts/axis.ts';
import { type Box, freePlace, textWidth } from '../../../kit/charts/label-room.ts';
import { type FormatCurves, sampledSize } from '../curves/size-curves.ts';
import { cssTextColorOf } from '../../../kit/format-color.ts';

interface EndLabelsProps {
  readonly curves: readonly FormatCurves[];
  readonly x: Scale;
  readonly y: Scale;
  /** right edge of the chart, px */
  readonly right: number;
  /** of y */
  readonly domain: readonly [number, number];
  /** from sizes relative to dense to the chart's y values */
  readonly valueOf: (size: number) => number;
  readonly reference: string;
}

/** Names at the ends of lines, where a format can hold no higher density, if there is space for them. */
export function EndLabels({ curves, x, y, right, domain, valueOf, reference }: EndLabelsProps) {
  const [low, high] = domain;
  const taken: Box[] = [];
  return curves.flatMap(({ format, variants }) => {
    const [current] = variants;
    if (current === undefined || format.id === reference || current.heldUpTo >= 1) return [];
    const value = valueOf(sampledSize(current, current.heldUpTo));
    const left = x(current.heldUpTo) + 6;
    if (!(value > low && value < high) || !(left > 0)) return [];
    const box = { width: textWidth(format.title), height: 14 };
    const boxes = [0, -14, 14].map((dy) => ({ ...box, left, top: y(value) + dy - 7 }));
    const place = freePlace(
      boxes.filter((b) => b.left + b.width < right),
      taken,
    );
    if (place === null) return [];
    taken.push(place);
    return [
      <text
        key={format.id}
        className="plot-name plot-halo"
        style={{ fill: cssTextColorOf(format.id) }}
        x={left}
        y={place.top + 7}
        dy="0.35em"
      >
        {format.title}
      </text>,
    ];
  });
}
