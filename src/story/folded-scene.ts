import { type Matrix, rowBuffer } from '../core/matrix/index.ts';
import { box } from './marks.ts';
import type { Mark, Panel, Scene } from './scene.ts';
import type { Trace } from './trace.ts';
import { countText } from '../core/text/words.ts';

/** A window (the part of a matrix that a story shows) with more columns than this is wide, and is folded. */
const WIDE = 64;
/** Width of a fold, the one box that is drawn for a run of empty columns, in columns. */
const MIN_HIDDEN = 4;
/** Shorter runs of empty columns are not folded. */
const MIN_RUN = 6;

/** Where the columns of a wide window are drawn, with its runs of empty columns folded. */
class HiddenBands {
  /** where each column begins, and the last one ends, in drawn columns */
  readonly #at: Float64Array;
  /** the column of the window in each drawn column, -1 in a fold */
  readonly shown: readonly number[];
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
    this.#at = new Float64Array(cols + 1);
    const shown: number[] = [];
    const runs: { from: number; to: number }[] = [];
    for (let c = 0; c < cols;) {
      let to = c;
      while (to < cols && isFilled[to] === 0) to++;
      if (to - c < MIN_RUN) to = Math.max(to, c + 1);
      else runs.push({ from: c, to });
      const isHiddenBand = runs.at(-1)?.from === c;
      for (let i = c; i < to; i++)
        this.#at[i] = shown.length + (isHiddenBand ? ((i - c) * MIN_HIDDEN) / (to - c) : i - c);
      for (let i = 0; i < (isHiddenBand ? MIN_HIDDEN : to - c); i++) shown.push(isHiddenBand ? -1 : c + i);
      c = to;
    }
    this.#at[cols] = shown.length;
    this.shown = shown;
    this.runs = runs;
  }

  /** Where a position, in columns of the window, is drawn. */
  x(column: number): number {
    const last = this.#at.length - 1;
    if (column <= 0 || column >= last) return column <= 0 ? column : this.#at[last] + column - last;
    const whole = Math.floor(column);
    return this.#at[whole] + (column - whole) * (this.#at[whole + 1] - this.#at[whole]);
  }

  isFolded(column: number): boolean {
    return this.runs.some(({ from, to }) => column >= from && column < to);
  }
}

const hiddenBandsByWindow = new WeakMap<Matrix, HiddenBands>();

function hiddenBandsOf(window: Matrix): HiddenBands | null {
  if (window.cols <= WIDE) return null;
  let hiddenBands = hiddenBandsByWindow.get(window);
  if (!hiddenBands) hiddenBandsByWindow.set(window, (hiddenBands = new HiddenBands(window)));
  return hiddenBands;
}

/** A panel of a wide window, with empty columns folded. `first`: number of the window's first column in the matrix. */
function foldedPanel(panel: Panel, cols: number, hiddenBands: HiddenBands, first: number): Panel {
  if (panel.unit !== 'cell' || panel.columns !== cols) return panel;
  const height = panel.grid?.rows ?? panel.rows;
  const labels = hiddenBands.shown.flatMap((c, at) => (c < 0 ? [] : [{ at, text: String(c + first) }]));
  return {
    ...panel,
    columns: hiddenBands.shown.length,
    ...(panel.columnLabels && { columnLabels: labels }),
    ...(panel.focus && { focus: { ...panel.focus, x: hiddenBands.x(panel.focus.x) } }),
    ...(panel.grid && { grid: { ...panel.grid, shown: hiddenBands.shown } }),
    marks: [
      ...panel.marks.flatMap((mark) => foldedMark(mark, hiddenBands)),
      ...(panel.grid
        ? hiddenBands.runs.map(({ from, to }) =>
            box(`fold ${from}`, hiddenBands.x(from), 0, {
              w: MIN_HIDDEN,
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

function foldedMark(mark: Mark, hiddenBands: HiddenBands): readonly Mark[] {
  if (mark.shape === 'box' && mark.w <= 1 && hiddenBands.isFolded(mark.x)) return [];
  const x = hiddenBands.x(mark.x);
  return [{ ...mark, x, w: mark.shape === 'text' ? mark.w : hiddenBands.x(mark.x + mark.w) - x }];
}

const foldedOf = new WeakMap<Scene, Scene>();

/** A scene whose runs of at least six empty columns are one box each, if the window is wide. Cached. O(marks). */
export function foldedScene(scene: Scene, { window, origin }: Pick<Trace, 'window' | 'origin'>): Scene {
  const hiddenBands = hiddenBandsOf(window);
  if (!hiddenBands) return scene;
  const known = foldedOf.get(scene);
  if (known) return known;
  const panels = scene.panels.map((panel) => foldedPanel(panel, window.cols, hiddenBands, origin?.col ?? 0));
  const drawn = new Set(panels.flatMap(({ marks }) => marks.map(({ id }) => id)));
  const shown = { ...scene, panels, links: scene.links.filter(({ from, to }) => drawn.has(from) && drawn.has(to)) };
  foldedOf.set(scene, shown);
  return shown;
}
