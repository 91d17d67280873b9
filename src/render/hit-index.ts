import type { Cell } from '../core/matrix/index.ts';
import { cellName, cellOfMark } from '../core/story/scene-parts.ts';
import type { LaidOutScene, PlacedMark, Rect } from './layout/laid-out.ts';

/** Side of a square of the index, px. */
const SQUARE = 32;

/** Finds the mark of a laid-out scene that is at a point, by an index of squares of 32 px and the marks that touch them. */
export class HitIndex {
  readonly #columns: number;
  readonly #squares: (PlacedMark[] | undefined)[];

  /** O(marks * squares that each touches). */
  constructor(marks: readonly PlacedMark[], width: number, height: number) {
    this.#columns = Math.max(1, Math.ceil(width / SQUARE));
    const rows = Math.max(1, Math.ceil(height / SQUARE));
    this.#squares = Array.from({ length: this.#columns * rows });
    const squareAt = (v: number, n: number): number => Math.min(n - 1, Math.max(0, Math.floor(v / SQUARE)));
    for (const m of marks) {
      // A frame surrounds marks that can be pointed at themselves.
      if (m.mark.shape === 'frame' || m.mark.shape === 'line') continue;
      for (let row = squareAt(m.y, rows); row <= squareAt(m.y + m.h, rows); row++) {
        for (let col = squareAt(m.x, this.#columns); col <= squareAt(m.x + m.w, this.#columns); col++) {
          const at = row * this.#columns + col;
          const square = this.#squares[at];
          if (square) square.push(m);
          else this.#squares[at] = [m];
        }
      }
    }
  }

  /** The mark nearest to a point and within `reach` px of it, of several the smallest; null if there is none. */
  at(x: number, y: number, reach = 1.5): PlacedMark | null {
    if (x < 0 || y < 0) return null;
    const col = Math.floor(x / SQUARE);
    if (col >= this.#columns) return null;
    const square = this.#squares[Math.floor(y / SQUARE) * this.#columns + col];
    let best: PlacedMark | null = null;
    let min = Number.POSITIVE_INFINITY;
    for (const m of square ?? []) {
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

/** The cell of the matrix window at a point: that of the `mark` found there, or an empty cell of a grid; null if none. */
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

/** The rectangle of a cell of the matrix window in a laid-out scene; null if the scene does not show the cell. */
export function cellRect({ panels, marks }: LaidOutScene, { row, col }: Cell): Rect | null {
  const name = cellName(row, col);
  const placed =
    marks.find(({ mark }) => mark.id === name) ??
    marks.find(({ mark }) => mark.id.endsWith(` ${name}`) && cellOfMark(mark.id));
  if (placed) return placed;
  for (const { grid, window } of panels) {
    const column = grid.columns[grid.shown ? grid.shown.indexOf(col) : col - window.x];
    const line = grid.firstRow === undefined ? undefined : grid.rows[row - grid.firstRow];
    if (column && line) return { x: column.x, y: line.y, w: column.w, h: line.h };
  }
  return null;
}
