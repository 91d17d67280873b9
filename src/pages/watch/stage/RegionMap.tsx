import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import type { Region } from '../../../core/matrix/index.ts';
import { useApp, useDocument, useSession } from '../../../kit/app-context.ts';
import { shape } from '../../../kit/words/quantity.ts';
import { fitWindow } from '../../../state/index.ts';

/** The longer side of the map, px. */
const LONGER_SIDE = 48;
/** A side of the map is at least this long, px. */
const MIN_SIDE = 4;
/** Width of the map's border on both sides, px. */
const BORDERS = 2;
/** Smallest side of the window's frame, px: its outline is 2 wide on each side. */
const MIN_FRAME = 8;

const arrows: Readonly<Record<string, readonly [down: number, right: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/**
 * The outline of the matrix, on which a drag or arrow keys move the window, the part that the story shows. It has no
 * weights, which would be a blot at this size.
 */
export function RegionMap() {
  const { session } = useApp();
  const summary = useSession((s) => s.summary);
  const window = useDocument((doc) => doc.window);
  const [dragged, setDragged] = useState<Region | null>(null);
  if (!summary || !window || (window.rows >= summary.rows && window.cols >= summary.cols)) return null;
  const { rows, cols } = summary;
  const mapSide = (side: number, otherSide: number): number =>
    Math.max(MIN_SIDE, Math.round(LONGER_SIDE * Math.min(1, side / otherSide)));
  const [width, height] = [mapSide(cols, rows), mapSide(rows, cols)];
  const visibleWindow = dragged ?? window;
  // The frame is placed within the borders.
  const [innerWidth, innerHeight] = [width - BORDERS, height - BORDERS];
  const w = Math.min(innerWidth, Math.max(MIN_FRAME, (innerWidth * visibleWindow.cols) / cols));
  const h = Math.min(innerHeight, Math.max(MIN_FRAME, (innerHeight * visibleWindow.rows) / rows));
  const regionAt = ({ currentTarget, clientX, clientY }: PointerEvent<HTMLElement>): Region => {
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
    <>
      <span className="ms-auto mt-2 text-muted text-12 text-end" aria-hidden="true">
        whole
        <br />
        matrix
      </span>
      <button
        type="button"
        className="relative flex-none mt-2 rounded-[3px] border border-hairline bg-sunken text-ink cursor-grab touch-none"
        style={{ width, height }}
        aria-label={`The window that the story shows, in the matrix of ${shape(rows, cols)}; arrow keys move it`}
        title="Drag the window"
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          setDragged(regionAt(event));
        }}
        onPointerMove={(event) => dragged && setDragged(regionAt(event))}
        onPointerUp={(event) => {
          if (!dragged) return;
          session.setWindow(regionAt(event));
          setDragged(null);
        }}
        onPointerCancel={() => setDragged(null)}
      >
        <span
          className="absolute outline-2 -outline-offset-2 outline-accent rounded-[1px]"
          style={{
            width: w,
            height: h,
            left: Math.min(innerWidth - w, (innerWidth * visibleWindow.col) / cols),
            top: Math.min(innerHeight - h, (innerHeight * visibleWindow.row) / rows),
          }}
        />
      </button>
    </>
  );
}
