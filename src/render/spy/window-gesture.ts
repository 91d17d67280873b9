import type { Cell, Region } from '../../core/matrix/index.ts';
import { HANDLE, MIN_WITH_HANDLE, outlineRect } from './spy-painter.ts';
import { clamp, type Shape, type Viewport } from './viewport.ts';

/** What a drag does with the window, the part of the matrix that the animation shows. */
type DragKind = 'draw' | 'move' | 'resize';

/** Size of a window that a click places if there was none before. */
const FIRST_WINDOW: Shape = { rows: 16, cols: 32 };

/** The rectangle from one cell to another, both included; if larger than `max`, clipped on the side of `to`. */
export function drawnRegion(from: Cell, to: Cell, max: Shape): Region {
  const rows = Math.min(max.rows, Math.abs(to.row - from.row) + 1);
  const cols = Math.min(max.cols, Math.abs(to.col - from.col) + 1);
  return {
    row: to.row >= from.row ? from.row : from.row - rows + 1,
    col: to.col >= from.col ? from.col : from.col - cols + 1,
    rows,
    cols,
  };
}

/** The region moved by whole cells, kept inside the matrix. */
export function movedRegion(region: Region, by: Cell, shape: Shape): Region {
  return {
    ...region,
    row: clamp(region.row + by.row, 0, Math.max(0, shape.rows - region.rows)),
    col: clamp(region.col + by.col, 0, Math.max(0, shape.cols - region.cols)),
  };
}

/** The region with its lower right corner at a cell, from 1 × 1 to `max` cells. */
export function resizedRegion(region: Region, corner: Cell, max: Shape): Region {
  return {
    ...region,
    rows: clamp(corner.row - region.row + 1, 1, max.rows),
    cols: clamp(corner.col - region.col + 1, 1, max.cols),
  };
}

/** A window around a clicked cell, of the same size as the window before. */
export function clickedRegion(cell: Cell, before: Region | null, shape: Shape, max: Shape): Region {
  const { rows, cols } = before ?? FIRST_WINDOW;
  const size = { rows: Math.min(rows, max.rows, shape.rows), cols: Math.min(cols, max.cols, shape.cols) };
  const centred = { row: cell.row - (size.rows >> 1), col: cell.col - (size.cols >> 1), ...size };
  return movedRegion(centred, { row: 0, col: 0 }, shape);
}

/** What a WindowGesture needs to know of its spy plot, and what it calls there. */
export interface WindowGestureOptions {
  readonly maxWindow: Shape;
  readonly viewport: () => Viewport | null;
  readonly window: () => Region | null;
  /** whether a drag without Shift draws a window */
  readonly choosing: () => boolean;
  /** the region being drawn changed */
  readonly onChange: () => void;
  readonly onPick: (region: Region) => void;
}

/** Distance from a window within which a press still grabs the window, px. */
const GRAB_MARGIN = 4;
/** A pointer that moves less than this while pressed makes a click, not a drag, px. */
const MIN_DRAG = 4;

interface Drag {
  readonly pointerId: number;
  readonly kind: DragKind;
  readonly from: Cell;
  readonly x: number;
  readonly y: number;
  readonly before: Region | null;
  readonly moved: boolean;
}

/**
 * Lets the user draw the window in a spy plot (with Shift, or while `choosing`), move it, or resize it by its corner.
 */
export class WindowGesture {
  readonly #options: WindowGestureOptions;
  #drag: Drag | null = null;
  #drawn: Region | null = null;

  constructor(options: WindowGestureOptions) {
    this.#options = options;
  }

  /** Whether a drag is in progress: nothing else should handle the pointer. */
  get active(): boolean {
    return this.#drag !== null;
  }

  /** The region being drawn; null for none. */
  get drawn(): Region | null {
    return this.#drawn;
  }

  listen(canvas: HTMLCanvasElement, signal: AbortSignal): void {
    canvas.addEventListener('pointerdown', (event) => this.#begin(canvas, event), { signal });
    canvas.addEventListener('pointermove', (event) => this.#move(event), { signal });
    canvas.addEventListener('pointerup', (event) => this.#end(event), { signal });
    canvas.addEventListener('pointercancel', () => this.#cancel(), { signal });
  }

  /** Sets the pointer's shape to what a press would do. */
  updateCursor(canvas: HTMLCanvasElement, at: { readonly x: number; readonly y: number } | null): void {
    const kind = at ? this.#kindAt(at.x, at.y, false) : null;
    const shapes = { draw: 'crosshair', move: 'move', resize: 'nwse-resize' } as const;
    canvas.style.cursor = kind === null ? 'grab' : shapes[kind];
  }

  #kindAt(x: number, y: number, shift: boolean): DragKind | null {
    const viewport = this.#options.viewport();
    if (!viewport) return null;
    const window = this.#options.window();
    if (shift) return 'draw';
    if (window) {
      const outline = outlineRect(viewport, window);
      const [right, bottom] = [outline.x + outline.w, outline.y + outline.h];
      const hasHandle = outline.w >= MIN_WITH_HANDLE && outline.h >= MIN_WITH_HANDLE;
      if (hasHandle && Math.abs(x - right) <= HANDLE && Math.abs(y - bottom) <= HANDLE) return 'resize';
      const fillsView = outline.w >= viewport.plot.width && outline.h >= viewport.plot.height;
      const isWithinX = x >= outline.x - GRAB_MARGIN && x <= right + GRAB_MARGIN;
      const isWithinY = y >= outline.y - GRAB_MARGIN && y <= bottom + GRAB_MARGIN;
      // A window that fills the view would leave nothing to pan by.
      if (isWithinX && isWithinY && !fillsView) return 'move';
    }
    return this.#options.choosing() ? 'draw' : null;
  }

  #begin(canvas: HTMLCanvasElement, event: PointerEvent): void {
    if (event.button !== 0 || !event.isPrimary || this.#drag) return;
    const viewport = this.#options.viewport();
    const kind = this.#kindAt(event.offsetX, event.offsetY, event.shiftKey);
    if (!viewport || kind === null) return;
    canvas.setPointerCapture(event.pointerId);
    this.#drag = {
      pointerId: event.pointerId,
      kind,
      from: viewport.nearestCell(event.offsetX, event.offsetY),
      x: event.offsetX,
      y: event.offsetY,
      before: this.#options.window(),
      moved: false,
    };
  }

  #move(event: PointerEvent): void {
    const drag = this.#drag;
    const viewport = this.#options.viewport();
    if (!drag || event.pointerId !== drag.pointerId || !viewport) return;
    const moved = drag.moved || Math.hypot(event.offsetX - drag.x, event.offsetY - drag.y) >= MIN_DRAG;
    if (!moved) return;
    this.#drag = { ...drag, moved };
    this.#drawn = this.#regionOf(drag, viewport.nearestCell(event.offsetX, event.offsetY), viewport.shape);
    this.#options.onChange();
  }

  #regionOf({ kind, from, before }: Drag, to: Cell, shape: Shape): Region {
    const { maxWindow } = this.#options;
    if (kind === 'draw' || !before) return drawnRegion(from, to, maxWindow);
    if (kind === 'resize') return resizedRegion(before, to, maxWindow);
    return movedRegion(before, { row: to.row - from.row, col: to.col - from.col }, shape);
  }

  #end(event: PointerEvent): void {
    const drag = this.#drag;
    if (!drag || event.pointerId !== drag.pointerId) return;
    const viewport = this.#options.viewport();
    let region = this.#drawn;
    if (!region && viewport && drag.kind === 'draw') {
      region = clickedRegion(drag.from, drag.before, viewport.shape, this.#options.maxWindow);
    }
    this.#cancel();
    if (region) this.#options.onPick(region);
  }

  #cancel(): void {
    this.#drag = null;
    this.#drawn = null;
    this.#options.onChange();
  }
}
