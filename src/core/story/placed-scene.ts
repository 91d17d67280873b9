import { type Matrix, rowBuffer } from '../matrix/index.ts';
import { box } from './marks.ts';
import { MATRIX_PANEL } from './scene-parts.ts';
import type { Label, Mark, Panel, Scene, Words } from './scene.ts';
import type { Trace } from './trace.ts';
import { countText } from './words.ts';

/*
 * Scenes count rows and columns from the first of the cut. What is shown has the numbers of the matrix, and of a wide cut
 * the columns without a non-zero are folded, with their count.
 */

/** A cut of more columns is wide. */
const WIDE = 64;
/** Units that a fold takes, and the columns that are folded, at least. */
const FOLD = 4;
const MIN_RUN = 6;

/** Where the columns of a wide cut are, once those are folded that hold nothing. */
class Folds {
  /** the left edge of every column, and of the end */
  readonly #at: Float64Array;
  /** the columns that are drawn, -1 in a fold */
  readonly shown: readonly number[];
  readonly runs: readonly { readonly from: number; readonly to: number }[];

  constructor(window: Matrix) {
    const { cols } = window;
    const held = new Uint8Array(cols);
    const buffer = rowBuffer(cols);
    for (let r = 0; r < window.rows; r++) {
      const n = window.readRow(r, buffer);
      for (let i = 0; i < n; i++) held[buffer.columns[i]] = 1;
    }
    this.#at = new Float64Array(cols + 1);
    const shown: number[] = [];
    const runs: { from: number; to: number }[] = [];
    for (let c = 0; c < cols;) {
      let to = c;
      while (to < cols && held[to] === 0) to++;
      if (to - c < MIN_RUN) to = Math.max(to, c + 1);
      else runs.push({ from: c, to });
      const isFold = runs.at(-1)?.from === c;
      for (let i = c; i < to; i++) this.#at[i] = shown.length + (isFold ? ((i - c) * FOLD) / (to - c) : i - c);
      for (let i = 0; i < (isFold ? FOLD : to - c); i++) shown.push(isFold ? -1 : c + i);
      c = to;
    }
    this.#at[cols] = shown.length;
    this.shown = shown;
    this.runs = runs;
  }

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

const known = new WeakMap<Matrix, Folds>();

function foldsOf(window: Matrix): Folds | null {
  if (window.cols <= WIDE) return null;
  let folds = known.get(window);
  if (!folds) known.set(window, (folds = new Folds(window)));
  return folds;
}

/** A panel over the columns of a wide cut, with the empty ones folded. */
function foldedPanel(panel: Panel, window: Matrix, place: Required<Trace>['place']): Panel {
  const folds = panel.unit === 'cell' && panel.columns === window.cols ? foldsOf(window) : null;
  const isMatrix = panel.id === MATRIX_PANEL;
  const columns = folds?.shown.length ?? panel.columns;
  const labels = (): readonly Label[] => {
    if (!panel.columnLabels || (panel.columns !== window.cols && !isMatrix)) return panel.columnLabels ?? [];
    if (!folds) return panel.columnLabels.map((label) => ({ ...label, text: String(Number(label.text) + place.col) }));
    return folds.shown.flatMap((c, at) => (c < 0 ? [] : [{ at, text: String(c + place.col) }]));
  };
  const height = panel.grid?.rows ?? panel.rows;
  return {
    ...panel,
    columns,
    ...(panel.columnLabels && { columnLabels: labels() }),
    ...(isMatrix &&
      place.row > 0 &&
      panel.rowLabels && { rowLabels: panel.rowLabels.map((l) => lowered(l, place.row)) }),
    ...(folds && panel.focus && { focus: { ...panel.focus, x: folds.x(panel.focus.x) } }),
    ...(folds && panel.grid && { grid: { ...panel.grid, shown: folds.shown } }),
    marks: [
      ...panel.marks.flatMap((mark) => (folds ? foldedMark(mark, folds) : [mark])),
      ...(folds && panel.grid
        ? folds.runs.map(({ from, to }) =>
            box(`fold ${from}`, folds.x(from), 0, {
              w: FOLD,
              h: height,
              level: 0,
              text: `${countText(to - from)} empty`,
              label: `columns ${from + place.col} to ${to - 1 + place.col}: empty`,
            }),
          )
        : []),
    ],
  };
}

const lowered = (label: Label, by: number): Label => {
  const [, before, row] = /^(row )?(\d+)$/.exec(label.text) ?? [];
  return row === undefined ? label : { ...label, text: `${before ?? ''}${Number(row) + by}` };
};

function foldedMark(mark: Mark, folds: Folds): readonly Mark[] {
  if (mark.shape === 'box' && mark.w <= 1 && folds.isFolded(mark.x)) return [];
  const x = folds.x(mark.x);
  return [{ ...mark, x, w: mark.shape === 'text' ? mark.w : folds.x(mark.x + mark.w) - x }];
}

/** 'row 3', 'columns 0 to 7', 'x[5]': what has numbers of the cut. A part of it may be emphasised. */
const NUMBERED = /\b(?:(rows?|columns?) (?:\d+(?:(?:, | and | to | or )(?=\d))?)+|[xy]\[\d+\])/gi;

/** Words of a cut with the numbers of its matrix. */
export function withNumbers(text: string, { row, col }: Required<Trace>['place']): string {
  return text.replaceAll(NUMBERED, (found) => {
    const by = /^(?:row|y)/i.test(found) ? row : col;
    return found.replaceAll(/\d+/g, (n) => String(Number(n) + by));
  });
}

/** Words with the numbers of the matrix, though the number may be emphasised and its noun not. */
function placedWords(words: readonly Words[], place: Required<Trace>['place']): readonly Words[] {
  let before = '';
  return words.map((one) => {
    const noun = /(?:rows?|columns?) $/i.exec(before)?.[0] ?? '';
    before = one.text;
    const isNumber = noun !== '' && /^\d/.test(one.text);
    return {
      ...one,
      text: withNumbers(isNumber ? noun + one.text : one.text, place).slice(isNumber ? noun.length : 0),
    };
  });
}

const placedOf = new WeakMap<Scene, Scene>();

/**
 * A scene of a cut as it is shown: with the numbers of its matrix, and without what is empty in a wide cut. The same one for
 * the same scene. O(marks).
 */
export function placedScene(scene: Scene, trace: Pick<Trace, 'window' | 'place'>): Scene {
  let shown = placedOf.get(scene);
  if (!shown) placedOf.set(scene, (shown = placed(scene, trace)));
  return shown;
}

function placed(scene: Scene, { window, place = { row: 0, col: 0 } }: Pick<Trace, 'window' | 'place'>): Scene {
  const isFirst = place.row === 0 && place.col === 0;
  if (isFirst && !foldsOf(window)) return scene;
  const panels = scene.panels.map((panel) => placedPanel(panel, window, place));
  const drawn = new Set(panels.flatMap(({ marks }) => marks.map(({ id }) => id)));
  return {
    ...scene,
    panels,
    links: scene.links.filter(({ from, to }) => drawn.has(from) && drawn.has(to)),
    narration: isFirst ? scene.narration : placedWords(scene.narration, place),
  };
}

/** A panel of a scene as it is shown. */
function placedPanel(panel: Panel, window: Matrix, place: Required<Trace>['place']): Panel {
  const folded = foldedPanel(panel, window, place);
  if (place.row === 0 && place.col === 0) return folded;
  const text = (own: string): string => withNumbers(own, place);
  return {
    ...folded,
    ...(folded.title !== undefined && { title: text(folded.title) }),
    ...(folded.caption !== undefined && { caption: text(folded.caption) }),
    marks: folded.marks.map((mark) =>
      mark.label === undefined || mark.id.startsWith('fold ') ? mark : { ...mark, label: text(mark.label) },
    ),
  };
}
