import { type MouseEvent, useEffect, useRef } from 'react';
import { countText } from '../../../core/story/words.ts';
import type { WrongMap as WrongMapData } from '../kernel-drafts/result.ts';
import { useShell } from '../../../kit/frame/shell-context.ts';

/** Points per line: fewer if there are few in total, so that the map is not a thin strip. */
function perLine(points: number): number {
  return points <= 512 ? 16 : 64;
}

/** Canvas pixels per point; a lone wrong point gets a larger mark, so that it can be seen. */
const POINT = 4;
const LARGE_MARK = 7;
const FEW = 200;

interface WrongMapProps {
  readonly map: WrongMapData;
  /** number of wrong outputs, and the first one */
  readonly wrong: number;
  readonly first: number;
  /** shows a row of the matrix; null if outputs are not rows, or not of the open matrix */
  readonly onRow: ((row: number) => void) | null;
}

/** Where the wrong outputs are: a point for each output, or for a few neighbours of which one is wrong. */
export function WrongMap({ map: { outputs, each, points }, wrong, first, onRow }: WrongMapProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { theme } = useShell();
  const columns = perLine(points.length);
  const lines = Math.max(1, Math.ceil(points.length / columns));
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!canvas.current || !context) return;
    context.clearRect(0, 0, POINT * columns, POINT * lines);
    context.fillStyle = getComputedStyle(canvas.current).color;
    const mark = columns > 16 && wrong < FEW ? LARGE_MARK : POINT - 1;
    const inset = (POINT - mark) / 2;
    for (const [i, point] of points.entries()) {
      if (point === 0) continue;
      context.fillRect(POINT * (i % columns) + inset, POINT * Math.floor(i / columns) + inset, mark, mark);
    }
  }, [points, columns, lines, wrong, theme]);
  /** The wrong point nearest to the pointer: points are small. */
  const pick = (event: MouseEvent<HTMLCanvasElement>): void => {
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
    const x = ((event.clientX - left) / width) * columns - 0.5;
    const y = ((event.clientY - top) / height) * lines - 0.5;
    let best = -1;
    let min = Number.POSITIVE_INFINITY;
    for (const [i, point] of points.entries()) {
      const far = Math.hypot((i % columns) - x, Math.floor(i / columns) - y);
      if (point === 0 || far >= min) continue;
      best = i;
      min = far;
    }
    if (best >= 0) onRow?.(best * each);
  };
  return (
    <figure className="draft-map">
      {/* For keyboards, the first wrong rows are buttons next to it. */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions */}
      <canvas
        ref={canvas}
        width={POINT * columns}
        height={POINT * lines}
        role="img"
        data-pressable={onRow !== null || undefined}
        onClick={onRow === null ? undefined : pick}
        aria-label={`Map of wrong outputs: ${countText(wrong)} of ${countText(outputs)}, the first is ${countText(first)}`}
      />
      <figcaption>{countText(columns * each)} outputs to a line</figcaption>
    </figure>
  );
}
