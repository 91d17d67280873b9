import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { EDGE, withStroke } from './drawing.ts';
import { paintCells } from './paint-cells.ts';

export interface PixelPadProps {
  readonly pixels: Float32Array;
  readonly onDraw: (pixels: Float32Array) => void;
  readonly onClear: () => void;
}

/** A point on the pad, in whole pixels. */
interface Place {
  readonly row: number;
  readonly col: number;
}

const MOVES: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
};

/**
 * A square to draw a digit on, by pointer or keys: arrow keys move the pen, with Shift they draw, Space sets a dot,
 * Delete clears.
 */
export function PixelPad({ pixels, onDraw, onClear }: PixelPadProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const last = useRef<{ readonly x: number; readonly y: number } | null>(null);
  const [pen, setPen] = useState<Place | null>(null);
  const [focused, setFocused] = useState(false);
  const at = pen ?? { row: EDGE / 2, col: EDGE / 2 };

  useEffect(() => {
    if (canvas.current) paintCells(canvas.current, pixels, EDGE, 1);
  }, [pixels]);

  const stroke = (from: Place, to: Place): void =>
    onDraw(withStroke(pixels, from.col + 0.5, from.row + 0.5, to.col + 0.5, to.row + 0.5));
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const move = MOVES[event.key];
    if (move) {
      const within = (n: number): number => Math.max(0, Math.min(EDGE - 1, n));
      const to = { row: within(at.row + move[0]), col: within(at.col + move[1]) };
      if (event.shiftKey) stroke(at, to);
      setPen(to);
    } else if (event.key === ' ') stroke(at, at);
    else if (event.key === 'Delete' || event.key === 'Backspace') onClear();
    else return;
    event.preventDefault();
    // Elsewhere, arrows and Space control the player.
    event.stopPropagation();
  };
  const placeOf = (event: PointerEvent<HTMLElement>): { readonly x: number; readonly y: number } => {
    const box = event.currentTarget.getBoundingClientRect();
    return {
      x: ((event.clientX - box.left) / box.width) * EDGE,
      y: ((event.clientY - box.top) / box.height) * EDGE,
    };
  };
  const ink = pixels[at.row * EDGE + at.col] > 0.5 ? 'ink' : 'empty';
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- an application is drawn on, by pointer and by keys
    <div
      className="pixel-pad"
      role="application"
      aria-label={`Drawing, ${EDGE} × ${EDGE} pixels. Arrow keys move the pen, with Shift they draw, Space sets a dot, Delete clears.`}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- as above
      tabIndex={0}
      onKeyDown={onKeyDown}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        const place = placeOf(event);
        last.current = place;
        onDraw(withStroke(pixels, place.x, place.y, place.x, place.y));
      }}
      onPointerMove={(event) => {
        const from = last.current;
        if (!from) return;
        const to = placeOf(event);
        last.current = to;
        onDraw(withStroke(pixels, from.x, from.y, to.x, to.y));
      }}
      onPointerUp={() => (last.current = null)}
      onPointerCancel={() => (last.current = null)}
    >
      <canvas ref={canvas} aria-hidden="true" />
      {focused && pen !== null && (
        <span
          className="pixel-pen"
          style={{ left: `${(100 * at.col) / EDGE}%`, top: `${(100 * at.row) / EDGE}%` }}
          aria-hidden="true"
        />
      )}
      <span className="unseen" aria-live="polite">
        {pen === null ? '' : `row ${at.row + 1}, column ${at.col + 1}, ${ink}`}
      </span>
    </div>
  );
}
