import { type Matrix, rowBuffer } from '../core/matrix/index.ts';
import { box } from './marks.ts';
import type { Mark, Panel, Scene } from './scene.ts';
import type { Trace } from './trace.ts';
import { countText } from '../core/text/words.ts';

/** A window (the part of a matrix that a story shows) with more columns than this is wide, and is folded. */
const WIDE = 64;
/** Width of a fold, the one box that is drawn for a run of empty columns, in columns. */
const FOLD_WIDTH = 4;
/** Shorter runs of empty columns are not folded. */
const MIN_RUN = 6;

/** Where the columns of a wide window are drawn, with its runs of empty columns folded. */
class FoldedColumns {
  /** where each column begins, and the last one ends, in drawn columns */
  readonly #starts: Float64Array;
  /** the column of the window in each drawn column, -1 in a fold */
  readonly drawnColumns: readonly number[];
  /** the runs of folded columns, each [from, to) */
  readonly runs: readonly { readonly from: number; readonly to: number }[];

  constructor(window: Matrix) {
    const { cols } = window;
    /** 1 for each column with a non-zero */
    const isFilled = new Uint8Array(cols);
    const buffer = rowBuffer(cols);
    for (let r = 0; r < window.rows; r++) {
      const n = window.readRow(r, buffer);
      for (let i = 0; i < n; i++) isFilled[buffer.columns[i]] = 1;
    }
    this.#starts = new Float64Array(cols + 1);
    const shown: number[] = [];
    const runs: { from: number; to: number }[] = [];
    // Columns [from, to) are a run of empty columns, a run that is too short for a fold, or one column with a non-zero.
    for (let from = 0; from < cols;) {
      let to = from;
      while (to < cols && isFilled[to] === 0) to++;
      const isFold = to - from >= MIN_RUN;
      if (isFold) runs.push({ from, to });
      else to = Math.max(to, from + 1);
      const width = isFold ? FOLD_WIDTH : to - from;
      for (let column = from; column < to; column++)
        this.#starts[column] = shown.length + ((column - from) * width) / (to - from);
      for (let i = 0; i < width; i++) shown.push(isFold ? -1 : from + i);
      from = to;
    }
    this.#starts[cols] = shown.length;
    this.drawnColumns = shown;
    this.runs = runs;
  }

  /** Where a position, in columns of the window, is drawn. */
  x(column: number): number {
    const cols = this.#starts.length - 1;
    // Outside the window, columns are as wide as usual.
    if (column <= 0) return column;
    if (column >= cols) return this.#starts[cols] + column - cols;
    const whole = Math.floor(column);
    return this.#starts[whole] + (column - whole) * (this.#starts[whole + 1] - this.#starts[whole]);
  }

  /** Whether a column of the window is in a fold. */
  isFolded(column: number): boolean {
    return this.runs.some(({ from, to }) => column >= from && column < to);
  }
}

const foldedColumnsByWindow = new WeakMap<Matrix, FoldedColumns>();

/** The drawn columns of a window; null if it is not wide. Cached. */
function foldedColumnsOf(window: Matrix): FoldedColumns | null {
  if (window.cols <= WIDE) return null;
  let folded = foldedColumnsByWindow.get(window);
  if (!folded) foldedColumnsByWindow.set(window, (folded = new FoldedColumns(window)));
  return folded;
}

/** A panel of a wide window, with empty columns folded. `first`: number of the window's first column in the matrix. */
function foldedPanel(panel: Panel, cols: number, folded: FoldedColumns, first: number): Panel {
  if (panel.unit !== 'cell' || panel.columns !== cols) return panel;
  const height = panel.grid?.rows ?? panel.rows;
  const labels = folded.drawnColumns.flatMap((column, at) =>
    column < 0 ? [] : [{ at, text: String(column + first) }],
  );
  return {
    ...panel,
    columns: folded.drawnColumns.length,
    ...(panel.columnLabels && { columnLabels: labels }),
    ...(panel.focus && { focus: { ...panel.focus, x: folded.x(panel.focus.x) } }),
    ...(panel.grid && { grid: { ...panel.grid, drawnColumns: folded.drawnColumns } }),
    marks: [
      ...panel.marks.flatMap((mark) => foldedMark(mark, folded)),
      ...(panel.grid
        ? folded.runs.map(({ from, to }) =>
            box(`fold ${from}`, folded.x(from), 0, {
              w: FOLD_WIDTH,
              h: height,
              level: 0,
              text: `${countText(to - from)} empty`,
              label: `columns ${from + first} to ${to - 1 + first}: empty`,
            }),
          )
        : []),
    ],
  };
}

/** A mark at its drawn position; none for a cell inside a fold. */
function foldedMark(mark: Mark, folded: FoldedColumns): readonly Mark[] {
  if (mark.shape === 'box' && mark.w <= 1 && folded.isFolded(mark.x)) return [];
  const x = folded.x(mark.x);
  return [{ ...mark, x, w: mark.shape === 'text' ? mark.w : folded.x(mark.x + mark.w) - x }];
}

const foldedScenes = new WeakMap<Scene, Scene>();

/** A scene whose runs of at least six empty columns are one box each, if the window is wide. Cached. O(marks). */
export function foldedScene(scene: Scene, { window, origin }: Pick<Trace, 'window' | 'origin'>): Scene {
  const folded = foldedColumnsOf(window);
  if (!folded) return scene;
  const cached = foldedScenes.get(scene);
  if (cached) return cached;
  const panels = scene.panels.map((panel) => foldedPanel(panel, window.cols, folded, origin?.col ?? 0));
  const drawn = new Set(panels.flatMap(({ marks }) => marks.map(({ id }) => id)));
  const foldedResult = {
    ...scene,
    panels,
    links: scene.links.filter(({ from, to }) => drawn.has(from) && drawn.has(to)),
  };
  foldedScenes.set(scene, foldedResult);
  return foldedResult;
}
