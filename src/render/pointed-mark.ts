import type { Cell } from '../core/matrix/index.ts';
import { cellName, cellOfMark } from '../story/scene-parts.ts';
import type { LaidOutScene, PlacedMark, Rect } from './layout/laid-out.ts';

/** The mark nearest to a point, at most `reach` px away; of equally near marks the smallest; null if none. O(marks). */
export function markAt({ marks }: Pick<LaidOutScene, 'marks'>, x: number, y: number, reach: number): PlacedMark | null {
  let best: PlacedMark | null = null;
  let min = Number.POSITIVE_INFINITY;
  for (const m of marks) {
    // A frame surrounds other marks, and the pointer means those.
    if (m.mark.shape === 'frame' || m.mark.shape === 'line') continue;
    const distance = Math.max(m.x - x, x - m.x - m.w, m.y - y, y - m.y - m.h, 0);
    if (distance > reach) continue;
    // Distance decides; the area, at most about 10^6 px², decides between equal distances.
    const rank = distance * 1e6 + m.w * m.h;
    if (rank < min) {
      best = m;
      min = rank;
    }
  }
  return best;
}

/** The cell at a point, counted in the window (the part of the matrix that the story shows); null if there is none. */
export function cellAt(layout: LaidOutScene, x: number, y: number, reach: number): Cell | null {
  const placed = markAt(layout, x, y, reach);
  const cell = placed && cellOfMark(placed.mark.id);
  if (cell) return cell;
  for (const { grid, window } of layout.panels) {
    const col = grid.columns.findIndex((column) => x >= column.x - GAP && x < column.x + column.w + GAP);
    const row = grid.rows.findIndex((line) => y >= line.y - GAP && y < line.y + line.h + GAP);
    // -1 if the point is in no column, or in the gap of columns that are left out.
    const matrixCol = grid.columnNumbers ? (grid.columnNumbers[col] ?? -1) : col < 0 ? -1 : window.x + col;
    if (grid.firstRow !== undefined && row >= 0 && matrixCol >= 0) return { row: grid.firstRow + row, col: matrixCol };
  }
  return null;
}

/** Half the gap between cells, px. */
const GAP = 1;

/** The rectangle of a cell of the window in a laid-out scene; null if the scene does not show the cell. */
export function cellRect({ panels, marks }: LaidOutScene, { row, col }: Cell): Rect | null {
  const name = cellName(row, col);
  const placed =
    marks.find(({ mark }) => mark.id === name) ??
    marks.find(({ mark }) => mark.id.endsWith(` ${name}`) && cellOfMark(mark.id));
  if (placed) return placed;
  for (const { grid, window } of panels) {
    const column = grid.columns[grid.columnNumbers ? grid.columnNumbers.indexOf(col) : col - window.x];
    const line = grid.firstRow === undefined ? undefined : grid.rows[row - grid.firstRow];
    if (column && line) return { x: column.x, y: line.y, w: column.w, h: line.h };
  }
  return null;
}
