import type { Words } from '../core/text/words.ts';
import type { Matrix } from '../core/matrix/index.ts';
import { cellName, type MarkStyle, matrixPanel, MATRIX_PANEL } from './scene-parts.ts';
import type { Label, Link, Mark, Panel, Scene, Tone } from './scene.ts';
import type { Trace } from './trace.ts';

/** The picture (scene) of one of two formats. */
export interface NarratedScene {
  readonly scene: Scene;
  /** the format's name */
  readonly title: string;
  /** whether its story has advanced since the player last stopped; if not, a viewer knows its words already */
  readonly moved: boolean;
}

/**
 * One picture of one window (part of a matrix) in two formats: its cells once, as both draw them, then the panels of
 * each. The names in `about` of marks connect them: pointing at a mark finds all marks with the same name. Ids and
 * names begin with 'a' or 'b', except for cells. The mark of a stored element also has its cell's name. `position`:
 * where the window begins in its matrix. O(marks).
 */
export function joinScenes(window: Matrix, a: NarratedScene, b: NarratedScene, position?: Trace['origin']): Scene {
  const first = new Side('a', a.scene);
  const second = new Side('b', b.scene);
  const cells = cellsPanel(window, position, first, second);
  const panels = [...(cells ? [cells] : []), ...first.otherPanels(), ...second.otherPanels()];
  const drawn = new Set(panels.flatMap(({ marks }) => marks.map(({ id }) => id)));
  return {
    panels,
    links: [...first.links(), ...second.links()].filter(({ from, to }) => drawn.has(from) && drawn.has(to)),
    narration: joinedNarration(a, b),
    code: a.scene.code,
    sides: { a: { title: a.title }, b: { title: b.title } },
  };
}

/** The id, and name, of a cell: the same in the scenes of all formats. */
const CELL = /^cell (\d+),(\d+)$/;

/** One of the two scenes, with its ids, names and marks as used in the picture of both. */
class Side {
  readonly side: 'a' | 'b';
  readonly scene: Scene;
  /** its panel of the window's cells */
  readonly cells: Panel | null;
  /** the names of the cells that share a name with a mark, by that name */
  readonly #cellsByName = new Map<string, string[]>();

  constructor(side: 'a' | 'b', scene: Scene) {
    this.side = side;
    this.scene = scene;
    this.cells = scene.panels.find(({ id }) => id === MATRIX_PANEL) ?? null;
    for (const { id, highlightNames } of this.cells?.marks ?? []) {
      if (!CELL.test(id)) continue;
      for (const name of highlightNames ?? []) {
        if (CELL.test(name)) continue;
        const cells = this.#cellsByName.get(name);
        if (cells) cells.push(id);
        else this.#cellsByName.set(name, [id]);
      }
    }
  }

  /** A name in the picture of both. The name of a cell is the same for both sides. */
  name(name: string): string {
    return CELL.test(name) ? name : `${this.side} ${name}`;
  }

  /** A tone in the picture of both: the second format has another colour than the first. */
  tone(tone: Tone): Tone {
    return tone === 'format' && this.side === 'b' ? 'against' : tone;
  }

  names(about: readonly string[]): string[] {
    return about.map((name) => this.name(name));
  }

  /** A mark of this scene as it is in the picture of both. */
  mark({ highlightNames, from, ...mark }: Mark): Mark {
    const names = highlightNames && this.names(highlightNames);
    // Stored elements of a cell are found in both formats, by way of the cell.
    if (highlightNames && names && mark.shape !== 'frame') {
      for (const name of highlightNames)
        for (const cell of this.#cellsByName.get(name) ?? []) if (!names.includes(cell)) names.push(cell);
    }
    return {
      ...mark,
      id: `${this.side} ${mark.id}`,
      tone: this.tone(mark.tone),
      ...(names ? { highlightNames: names } : {}),
      ...(from === undefined ? {} : { from: this.name(from) }),
    };
  }

  links(): Link[] {
    return this.scene.links.map(({ id, from, to, kind, tone }) => ({
      id: `${this.side} ${id}`,
      from: this.name(from),
      to: this.name(to),
      kind,
      tone: this.tone(tone),
    }));
  }

  /** The panels of the scene below the cells. */
  otherPanels(): readonly Panel[] {
    const { side } = this;
    return this.scene.panels.flatMap((panel): Panel[] => {
      if (panel === this.cells) return [];
      return [{ ...panel, id: `${side} ${panel.id}`, side, marks: panel.marks.map((mark) => this.mark(mark)) }];
    });
  }

  /** The first row of the window that the panel of its cells shows. */
  top(): number {
    return this.cells?.grid?.firstRow ?? 0;
  }
}

/** The window's cells, each as both formats draw it; null if neither draws them. */
function cellsPanel(window: Matrix, position: Trace['origin'], a: Side, b: Side): Panel | null {
  const main = a.cells ?? b.cells;
  if (!main) return null;
  const [styleA, styleB] = [cellStyles(a), cellStyles(b)];
  const sides = [a, b].filter(({ cells }) => cells !== null);
  const focusedRow = (a.cells ? a : b).top() + (main.focus?.y ?? 0);
  const linesBelow = sides.map(({ cells }) => (cells ? cells.rows - cellRowsOf(cells) : 0));
  const panel = matrixPanel(window, {
    row: Math.max(0, Math.min(window.rows - 1, focusedRow)),
    style: (r, c) => joinedStyle(styleA?.(r, c), styleB?.(r, c)),
    linesBelow: linesBelow.reduce((sum, lines) => sum + lines, 0),
    ...(position && { origin: position }),
  });
  const cellRows = cellRowsOf(panel);
  const top = panel.grid?.firstRow ?? 0;
  const marks: Mark[] = [...panel.marks];
  const labels: Label[] = (panel.rowLabels ?? []).map(({ at, text }) => ({ at, text: `row ${text}` }));
  // The marks that a format adds to the cells move by the difference of the first visible rows; marks and labels below
  // the cells stay below them, first A's, then B's.
  sides.forEach((side, i) => {
    const { cells } = side;
    if (!cells) return;
    const sideCellRows = cellRowsOf(cells);
    const rowShift = side.top() - top;
    const firstLineBelow = cellRows + (i === 0 ? 0 : linesBelow[0]);
    for (const mark of cells.marks) {
      if (CELL.test(mark.id)) continue;
      const isBelow = mark.y >= sideCellRows;
      const y = isBelow ? mark.y - sideCellRows + firstLineBelow : mark.y + rowShift;
      if (y >= 0 && (isBelow || y + mark.h <= cellRows)) marks.push({ ...side.mark(mark), y });
    }
    for (const label of cells.rowLabels ?? [])
      if (label.at >= sideCellRows) labels.push({ ...label, at: label.at - sideCellRows + firstLineBelow });
  });
  const { title: _, caption: __, ...untitled } = panel;
  const focusedMark = panel.marks.find(({ focus }) => focus);
  const strongLine = focusedMark && Math.floor(focusedMark.y);
  return {
    ...untitled,
    marks,
    rowLabels: labels.map((label) => (label.at === strongLine ? { ...label, strong: true } : label)),
  };
}

/** How many rows of cells the panel shows; below them, it may have further lines. */
function cellRowsOf(panel: Panel): number {
  return panel.grid?.rows ?? panel.rows;
}

/** How a side draws each cell, undefined for cells that it does not show; null if it draws none. */
function cellStyles(side: Side): ((row: number, col: number) => MarkStyle | undefined) | null {
  if (!side.cells) return null;
  const styles = new Map<string, MarkStyle>();
  for (const { id, highlightNames, state, focus, tone, level } of side.cells.marks) {
    if (!CELL.test(id)) continue;
    styles.set(id, {
      tone: side.tone(tone),
      highlightNames: side.names(highlightNames ?? []).filter((name) => name !== id),
      ...(state === undefined ? {} : { state }),
      ...(focus === undefined ? {} : { focus }),
      ...(level === undefined ? {} : { level }),
    });
  }
  return (row, col) => styles.get(cellName(row, col));
}

/** The style of a cell that both formats draw, or one of them. */
function joinedStyle(a: MarkStyle | undefined, b: MarkStyle | undefined): MarkStyle {
  if (!a || !b) return a ?? b ?? {};
  // A colour by which one format marks the cell wins over the usual colour of values.
  const main = a.tone === 'values' && b.tone !== 'values' ? b : a;
  const { state: _, ...style } = main;
  return {
    ...style,
    highlightNames: [...(a.highlightNames ?? []), ...(b.highlightNames ?? [])],
    ...(a.focus || b.focus ? { focus: true } : {}),
    // Dimmed only where both dim it.
    ...(a.state !== undefined && b.state !== undefined ? { state: a.state } : {}),
  };
}

/** The narration of A, or of B if only B has advanced. */
function joinedNarration(a: NarratedScene, b: NarratedScene): readonly Words[] {
  return a.moved || !b.moved
    ? withFormatName(a.scene.narration, a.title, 'format')
    : withFormatName(b.scene.narration, b.title, 'against');
}

/** The words with the format's name in its colour where it first occurs; if it does not occur, it is put before them. */
function withFormatName(words: readonly Words[], title: string, tone: 'format' | 'against'): readonly Words[] {
  if (words.length === 0) return words;
  const name = new RegExp(`(?<![\\w-])${title.replace(/[^\w\s]/g, '\\$&')}(?![\\w-])`);
  const index = words.findIndex(({ text }) => name.test(text));
  if (index < 0) return [{ text: title, strong: true, tone }, { text: ': ' }, ...words];
  const { text, ...style } = words[index];
  const start = text.search(name);
  const parts = [
    { ...style, text: text.slice(0, start) },
    { ...style, text: title, tone },
    { ...style, text: text.slice(start + title.length) },
  ].filter((part) => part.text !== '');
  return [...words.slice(0, index), ...parts, ...words.slice(index + 1)];
}
