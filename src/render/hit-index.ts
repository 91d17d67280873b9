import type { Cell } from '../core/matrix/index.ts';
import { cellName, cellOfMark } from '../core/story/scene-parts.ts';
import type { LaidOutScene, PlacedMark, Rect } from './layout/laid-out.ts';

const BUCKET = 32;

/** Finds the mark at a point, by the squares of 32 px that marks touch. */
export class HitIndex {
  readonly #columns: number;
  readonly #buckets: (PlacedMark[] | undefined)[];

  /** O(marks * squares that each touches). */
  constructor(marks: readonly PlacedMark[], width: number, height: number) {
    this.#columns = Math.max(1, Math.ceil(width / BUCKET));
    const rows = Math.max(1, Math.ceil(height / BUCKET));
    this.#buckets = Array.from({ length: this.#columns * rows });
    const clampTo = (v: number, n: number): number => Math.min(n - 1, Math.max(0, Math.floor(v / BUCKET)));
    for (const m of marks) {
      // A frame surrounds marks that are found themselves.
      if (m.mark.shape === 'frame' || m.mark.shape === 'line') continue;
      for (let row = clampTo(m.y, rows); row <= clampTo(m.y + m.h, rows); row++) {
        for (let col = clampTo(m.x, this.#columns); col <= clampTo(m.x + m.w, this.#columns); col++) {
          const at = row * this.#columns + col;
          const bucket = this.#buckets[at];
          if (bucket) bucket.push(m);
          else this.#buckets[at] = [m];
        }
      }
    }
  }

  /** The smallest mark within `reach` px of the point, the nearest first; null if there is none. */
  at(x: number, y: number, reach = 1.5): PlacedMark | null {
    if (x < 0 || y < 0) return null;
    const col = Math.floor(x / BUCKET);
    if (col >= this.#columns) return null;
    const bucket = this.#buckets[Math.floor(y / BUCKET) * this.#columns + col];
    let best: PlacedMark | null = null;
    let min = Number.POSITIVE_INFINITY;
    for (const m of bucket ?? []) {
      const away = Math.max(m.x - x, x - m.x - m.w, m.y - y, y - m.y - m.h, 0);
      if (away > reach) continue;
      const size = away * 1e6 + m.w * m.h;
      if (size < min) {
        best = m;
        min = size;
      }
    }
    return best;
  }
}

/** The cell of the window at a point where a mark was found: the mark itself, or a cell of a grid without one of its own. */
export function cellAt({ panels }: LaidOutScene, mark: PlacedMark | null, x: number, y: number): Cell | null {
  const cell = mark && cellOfMark(mark.mark.id);
  if (cell) return cell;
  for (const { grid, window } of panels) {
    const col = grid.columns.findIndex((column) => x >= column.x - GAP && x < column.x + column.w + GAP);
    const row = grid.rows.findIndex((line) => y >= line.y - GAP && y < line.y + line.h + GAP);
    const at = grid.shown ? (grid.shown[col] ?? -1) : col < 0 ? -1 : window.x + col;
    if (grid.firstRow !== undefined && row >= 0 && at >= 0) return { row: grid.firstRow + row, col: at };
  }
  return null;
}

/** Half the gap between cells, px. */
const GAP = 1;

/** The rectangle of a window's cell in a picture; null if it is not shown. */
export function cellRect({ panels, marks }: LaidOutScene, { row, col }: Cell): Rect | null {
  const name = cellName(row, col);
  const found =
    marks.find(({ mark }) => mark.id === name) ??
    marks.find(({ mark }) => mark.id.endsWith(` ${name}`) && cellOfMark(mark.id));
  if (found) return found;
  for (const { grid, window } of panels) {
    const column = grid.columns[grid.shown ? grid.shown.indexOf(col) : col - window.x];
    const line = grid.firstRow === undefined ? undefined : grid.rows[row - grid.firstRow];
    if (column && line) return { x: column.x, y: line.y, w: column.w, h: line.h };
  }
  return null;
}
