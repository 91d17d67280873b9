import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import type { Region } from '../../../core/matrix/index.ts';
import { useApp, useDocument, useSession } from '../../../kit/app-context.ts';
import { useShell } from '../../../kit/frame/shell-context.ts';
import { shape } from '../../../kit/words/quantity.ts';
import { fitWindow } from '../../../state/index.ts';

/** Its longer side, px. */
const SIDE = 48;
/** A cut is seen at least so large, px. */
const MIN_SIDE = 4;

const arrows: Readonly<Record<string, readonly [down: number, right: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** The whole matrix, small, and in it the cut that the story is about: it is dragged, or moved by arrow keys. */
export function CutMap() {
  const { session } = useApp();
  const summary = useSession((s) => s.summary);
  const window = useDocument((doc) => doc.window);
  const [dragged, setDragged] = useState<Region | null>(null);
  const canvas = useShades(summary);
  if (!summary || !window || (window.rows >= summary.rows && window.cols >= summary.cols)) return null;
  const { rows, cols } = summary;
  const [width, height] = [rows, cols].map((_, i) => {
    const [own, other] = i === 0 ? [cols, rows] : [rows, cols];
    return Math.max(MIN_SIDE, Math.round(SIDE * Math.min(1, own / other)));
  });
  const shown = dragged ?? window;
  const w = Math.max(MIN_SIDE, (width * shown.cols) / cols);
  const h = Math.max(MIN_SIDE, (height * shown.rows) / rows);
  const under = ({ currentTarget, clientX, clientY }: PointerEvent<HTMLElement>): Region => {
    const box = currentTarget.getBoundingClientRect();
    const row = Math.round(((clientY - box.top) / box.height) * rows - window.rows / 2);
    const col = Math.round(((clientX - box.left) / box.width) * cols - window.cols / 2);
    return fitWindow({ ...window, row, col }, summary);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const [down, right] = arrows[event.key] ?? [0, 0];
    if (down === 0 && right === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const moved = { ...window, row: window.row + down * window.rows, col: window.col + right * window.cols };
    session.setWindow(fitWindow(moved, summary));
  };
  return (
    <button
      type="button"
      className="cut-map relative shrink-0 round-3"
      style={{ width, height }}
      aria-label={`The cut in the matrix of ${shape(rows, cols)}; arrow keys move it`}
      title="Drag the cut"
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        setDragged(under(event));
      }}
      onPointerMove={(event) => dragged && setDragged(under(event))}
      onPointerUp={(event) => {
        if (!dragged) return;
        session.setWindow(under(event));
        setDragged(null);
      }}
      onPointerCancel={() => setDragged(null)}
    >
      <canvas ref={canvas} className="w-full h-full" width={SIDE} height={SIDE} aria-hidden="true" />
      <span
        className="cut-frame"
        style={{
          width: w,
          height: h,
          left: Math.min(width - w, (width * shown.col) / cols),
          top: Math.min(height - h, (height * shown.row) / rows),
        }}
      />
    </button>
  );
}

/** Draws where non-zeros are, darker where they are denser. */
function useShades(summary: { readonly generation: number; readonly rows: number; readonly cols: number } | null) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { session } = useApp();
  const { theme } = useShell();
  useEffect(() => {
    if (!summary) return;
    let current = true;
    const { rows, cols } = summary;
    void session.spy({ region: { row: 0, col: 0, rows, cols }, width: SIDE, height: SIDE }).then((tile) => {
      const context = current && tile ? canvas.current?.getContext('2d') : null;
      if (!tile || !context) return;
      context.clearRect(0, 0, SIDE, SIDE);
      context.fillStyle = getComputedStyle(context.canvas).color;
      const [w, h] = [SIDE / tile.width, SIDE / tile.height];
      for (const [i, share] of tile.buckets.entries()) {
        if (share === 0) continue;
        context.globalAlpha = tile.kind === 'cells' ? 0.8 : 0.15 + 0.65 * share;
        context.fillRect((i % tile.width) * w, Math.floor(i / tile.width) * h, w, h);
      }
    });
    return () => {
      current = false;
    };
  }, [session, summary, theme]);
  return canvas;
}
