import { bracket, frame } from '../../../core/story/marks.ts';
import { type MarkLook, matrixPanel, pageStart } from '../../../core/story/scene-parts.ts';
import type { Link, Mark, Panel } from '../../../core/story/scene.ts';
import type { TwellTrace } from './trace.ts';

/** Panels of a scene and the links between them. */
export interface Picture {
  readonly panels: readonly Panel[];
  readonly links: readonly Link[];
}

/** Rows of the window that are shown above other panels. */
export const ROWS_SHOWN = 8;
/** Rows of the window, and of the packed tiles, if the panels below matter more. */
export const FEW_ROWS = 2;
/** Below the cells, for the names of the tiles: a line and a half, since cells may be smaller than words. */
const NAMES_BELOW = 1.5;

/** The subject of a step. */
export interface Place {
  readonly row: number;
  /** number of rows from `row` on, if the step is about several; default 1 */
  readonly rows?: number;
  /** null: all of them */
  readonly tile: number | null;
  /** tile that must be in view if the step is about all of them; default 0 */
  readonly near?: number;
  /** the only outlined element of the arrays */
  readonly element?: number;
  /** the step is about all rows; `row` is only in view */
  readonly whole?: boolean;
  /** rows that are shown if other panels matter more; default: as many as there is room for */
  readonly max?: number;
}

/** The window of activations with its tiles. Panel id 'matrix'. */
export function activationsPanel(
  t: TwellTrace,
  { row, rows: rowsHere = 1, tile, whole, max }: Place,
  look?: (row: number, col: number) => MarkLook,
): Panel {
  const { rows, cols } = t.window;
  const { tileWidth } = t.params;
  const rowsShown = Math.min(ROWS_SHOWN, max ?? ROWS_SHOWN);
  const shown = Math.min(rows, rowsShown);
  const top = pageStart(rows, row, shown);
  const overlay: Mark[] = [];
  for (let i = 0; i < t.encoded.tiles && shown > 0; i++) {
    const x = i * tileWidth;
    const w = Math.min(tileWidth, cols - x);
    const here = i === tile;
    overlay.push(
      bracket(`tile ${i}`, x, top + shown, w, `tile ${i}`, {
        h: NAMES_BELOW,
        tone: here ? 'format' : 'neutral',
        label: `tile ${i}, columns ${x} to ${x + w - 1}`,
      }),
    );
    if (here) {
      overlay.push(frame('tile', x, top, w, shown, { tone: 'format', label: `tile ${i}` }));
      if (!whole)
        overlay.push(
          frame('tile row', x, row, w, Math.min(rowsHere, top + shown - row), {
            focus: true,
            label: `${rowsHere === 1 ? `token ${row}` : `tokens ${row} to ${row + rowsHere - 1}`}, tile ${i}`,
          }),
        );
    }
  }
  if (tile === null && !whole && shown > 0 && cols > 0) {
    overlay.push(frame('row', 0, row, cols, 1, { focus: true, label: `token ${row}` }));
  }
  const panel = matrixPanel(t.window, {
    row,
    rowsShown,
    caption: t.negatives > 0 ? 'tokens × hidden neurons' : 'tokens × hidden neurons, after ReLU',
    overlay,
    linesBelow: NAMES_BELOW,
    look: (r, c) => {
      const tileOf = Math.floor(c / tileWidth);
      const isMine = !whole && r === row && (tile === null || tileOf === tile);
      return { ...(isMine ? { focus: true } : {}), ...look?.(r, c) };
    },
  });
  return { ...panel, title: 'activations h' };
}
