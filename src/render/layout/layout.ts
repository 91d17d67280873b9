import { finish } from '../../core/job.ts';
import { largest } from '../../core/number/statistics.ts';
import type { Link, Panel, Scene } from '../../story/scene.ts';
import type { Font, TextMeasurer } from '../text-measurer.ts';
import { drawingSpace, placeDrawing } from './drawing.ts';
import { enlarged } from './enlarge.ts';
import type { LaidOutScene, PlacedLabel, PlacedMark, PlacedPanel, PlacedTag } from './laid-out.ts';
import { labelRect, routeLinks, withoutCrossedNumbers, withRowLabelsAside } from './link-routes.ts';
import {
  CAPTION_LINE_HEIGHT,
  COLUMN_GAP,
  COLUMNS_FROM,
  ENTRY_GAP,
  HEAD_HEIGHT,
  MIN_HEIGHT_SHARE,
  MIN_ROWS,
  MIN_ZOOM,
  LINE_GAP,
  LINE_GAP_BELOW_CELLS,
  LINE_GAP_WITH_CURVE,
  MARGIN,
  NARROW_BELOW,
  PANEL_HEIGHT_SHARE,
  MATRIX_BESIDE_SHARE,
  REGION_HEIGHT,
  TAG_HEIGHT,
  TITLE_HEIGHT,
  ZOOM_STEP,
} from './metrics.ts';
import { panelHeight, placePanel } from './panel-layout.ts';
import {
  bodyRows,
  type Frame,
  frameOf,
  type PlannedPanel,
  planLine,
  type SharedSizes,
  sharedSizes,
  splitBands,
} from './plan.ts';

/** The stage that a scene is laid out for: its size, and the zoom of its pictures. */
export interface LayoutOptions {
  /** px */
  readonly width: number;
  /** height of the stage in px: the part that is visible at once; a panel is at most about 40 % as high */
  readonly stageHeight: number;
  /** the same for all pictures of a story, however high the words above each are, px; default: `stageHeight` */
  readonly storyHeight?: number;
  readonly measure: TextMeasurer;
  /**
   * zoom of everything, default 1: `zoomOf` finds a suitable zoom for a stage. A scene that would be too high is drawn
   * with a smaller zoom, at least `minZoomOf`
   */
  readonly zoom?: number;
  /** whether lines of cells and labels move closer together before rows are clipped; default: in pictures of two formats */
  readonly squeeze?: boolean | undefined;
}

const TITLE_FONT: Font = { face: 'sans', px: 13, strong: true };
const CAPTION_FONT: Font = { face: 'sans', px: 12 };
/** Minimum width of a scene between its margins, px. */
const MIN_SPACE = 120;

/**
 * Decides every size and position of a scene. Pure; O(marks + grid cells + links * labels).
 * A scene that is higher than the stage is laid out again with fewer rows of its tall panels in view.
 */
export function layoutScene(scene: Scene, options: LayoutOptions): LaidOutScene {
  return finish(layoutInParts(scene, options));
}

/**
 * Like `layoutScene`, in parts that each take a fraction of an animation frame: the next scene is laid out while the
 * current scene is drawn.
 */
export function* layoutInParts(scene: Scene, options: LayoutOptions): Generator<void, LaidOutScene, void> {
  if (scene.drawing) {
    yield* scene.drawing.fitSteps?.(drawingSpace(options)) ?? [];
    return placeDrawing(scene.drawing, options);
  }
  const { measure, stageHeight } = options;
  let { zoom = 1 } = options;
  const minZoom = minZoomOf(scene, options);
  let plan = planToFit(scene, { ...options, zoom });
  while (zoom > minZoom && plan.uncutHeight * Math.max(1, zoom) > stageHeight) {
    zoom = Math.max(minZoom, zoom > 1 ? Math.max(1, zoom - ZOOM_STEP) : zoom - ZOOM_STEP);
    plan = planToFit(scene, { ...options, zoom });
  }
  yield;
  const placedScene = placePanels(plan, measure);
  yield;
  const drawnLinks = linksToDraw(scene, options.width);
  const words = [...placedScene.labels.map((label) => labelRect(label, measure)), ...placedScene.tags];
  // The names of formats take whole lines, which links go around as they do around panels.
  const nameLines = placedScene.tags.map(({ y, h }) => ({ x: 0, y, w: placedScene.width, h }));
  const links = routeLinks(drawnLinks, placedScene.marks, words, [...placedScene.panels, ...nameLines]);
  const uncrossedLabels = withoutCrossedNumbers(links, placedScene.labels, measure);
  const labels = withRowLabelsAside(links, uncrossedLabels, placedScene.marks, placedScene.width, measure);
  return enlarged({ ...placedScene, labels, links }, Math.max(1, zoom), options.width);
}

/** The smallest zoom, to which a picture too high for its stage is squeezed before its rows are clipped. */
export function minZoomOf(scene: Scene, { squeeze = scene.sides !== undefined }: LayoutOptions): number {
  return squeeze ? MIN_ZOOM : 1;
}

/** The links to draw: if two formats are below each other, no link that would cross the upper format. */
function linksToDraw({ links, panels, sides }: Scene, width: number): readonly Link[] {
  if (!sides || width >= COLUMNS_FROM) return links;
  const lowerMarks = new Set(panels.flatMap(({ side, marks }) => (side === 'b' ? marks.map(({ id }) => id) : [])));
  return links.filter(({ from, to }) => lowerMarks.has(from) === lowerMarks.has(to));
}

/** Decides the sizes of a scene, in px before it is enlarged. O(marks). */
export function planToFit(scene: Scene, options: LayoutOptions): FittedPlan {
  const { measure, zoom = 1 } = options;
  const scale = Math.max(1, zoom);
  const squeeze = Math.min(1, zoom);
  const width = Math.floor(options.width / scale);
  const stageHeight = options.stageHeight / scale;
  const space = Math.max(MIN_SPACE, width - 2 * MARGIN);
  const rowsHeight = stageHeight * PANEL_HEIGHT_SHARE;
  // Whether a stage is narrow depends on its own px: enlarging a picture does not change its arrangement.
  const narrow = options.width < NARROW_BELOW;
  const hasWideCells = scene.sides !== undefined;
  const frame = frameOf(
    scene.panels,
    { available: space, narrow, stageHeight, rowsHeight, squeeze, hasWideCells },
    measure,
  );
  if (isCrowded(scene, options)) {
    const tallerFrame = { ...frame, rowsHeight: stageHeight * MATRIX_BESIDE_SHARE };
    return cutToFit(scene, columnsOfCrowded(scene, tallerFrame, measure), tallerFrame, measure);
  }
  return cutToFit(scene, columnsOf(scene, frame, options.width, measure), frame, measure);
}

/** The plan of these columns; if it is higher than the stage, with fewer rows of its tall panels. */
function cutToFit(scene: Scene, columns: readonly Column[], frame: Frame, measure: TextMeasurer): FittedPlan {
  const { stageHeight, rowsHeight } = frame;
  const uncutPlan = planScene(scene, columns, frame);
  const uncutHeight = heightOf(uncutPlan, measure);
  const excess = uncutHeight - stageHeight;
  const isCuttable = scene.panels.some((panel) => bodyRows(panel) > MIN_ROWS);
  if (excess <= 0 || !isCuttable) return { ...uncutPlan, uncutHeight };
  const reducedHeight = Math.max(stageHeight * MIN_HEIGHT_SHARE, heightOfRows(uncutPlan, rowsHeight) - excess);
  return { ...planScene(scene, columns, { ...frame, rowsHeight: reducedHeight }), uncutHeight };
}

/**
 * Height of the visible rows of the tallest panel that can be clipped, px. If that panel is not clipped yet, the height
 * of the two lines that will say that rows are hidden is subtracted.
 */
function heightOfRows({ columns }: ScenePlan, rowsHeight: number): number {
  const heights = columns
    .flatMap(({ lines }) => lines.flat())
    .filter(({ plan: { panel } }) => bodyRows(panel) > MIN_ROWS)
    .map(({ plan: { window, unitY, hiddenY } }) => window.h * unitY - (hiddenY ? 0 : 2 * REGION_HEIGHT));
  return Math.min(rowsHeight, largest(heights, 0));
}

/** Panels (matrices, arrays, bars) below each other: all of a scene, the panels of one format, or panels that two share. */
interface Column {
  /** the column's format, whose name is above the panels; null: no name */
  readonly side: 'a' | 'b' | null;
  /** columns of one level are next to each other, levels below each other */
  readonly level: number;
  readonly x: number;
  readonly shared: SharedSizes;
  readonly lines: readonly (readonly Panel[])[];
}

/** Lines of arrays from which on a matrix may be left of them. */
const MANY_ARRAYS = 5;

/**
 * Whether the panels of one format, below each other and as close as they may be, are higher than the stage. Depends on
 * no step: curves take space in some steps, and words above the picture are higher in some.
 */
function isCrowded(scene: Scene, options: LayoutOptions): boolean {
  const { width, measure, stageHeight, storyHeight = stageHeight } = options;
  const arrays = scene.panels.filter(({ unit }) => unit === 'slot').length;
  if (scene.sides || width < COLUMNS_FROM || arrays < MANY_ARRAYS || minZoomOf(scene, options) === 1) return false;
  const frame = frameOf(
    scene.panels,
    {
      available: Math.max(MIN_SPACE, Math.floor(width) - 2 * MARGIN),
      narrow: false,
      stageHeight: storyHeight,
      rowsHeight: storyHeight * PANEL_HEIGHT_SHARE,
      squeeze: MIN_ZOOM,
      hasWideCells: false,
    },
    measure,
  );
  const sceneWithoutLinks: Scene = { ...scene, links: [] };
  return (
    heightOf(
      cutToFit(sceneWithoutLinks, columnsOf(sceneWithoutLinks, frame, width, measure), frame, measure),
      measure,
    ) > storyHeight
  );
}

/** The columns of a crowded scene: matrices, then x and y, left of all stored arrays; below both, the bytes. */
function columnsOfCrowded({ panels }: Scene, frame: Frame, measure: TextMeasurer): readonly Column[] {
  const space = Math.floor((frame.available - COLUMN_GAP) / 2);
  const halfFrame = { ...frame, available: space };
  const isLeft = ({ id, unit }: Panel): boolean => unit === 'cell' || VECTORS.has(id);
  const bytes = panels.filter(({ unit }) => unit === 'byte');
  const [left, right] = [true, false].map((isLeftColumn) =>
    panels.filter((panel) => panel.unit !== 'byte' && isLeft(panel) === isLeftColumn).map((panel) => [panel]),
  );
  // Array elements (slots) are equally wide in both columns.
  const shared = sharedSizes([...left, ...right], halfFrame, measure);
  return [
    { side: null, level: 0, x: MARGIN, shared, lines: left },
    { side: null, level: 0, x: MARGIN + space + COLUMN_GAP, shared, lines: right },
    ...(bytes.length > 0 ? [column(bytes, { side: null, level: 1, x: MARGIN }, frame, measure)] : []),
  ];
}

/** The panels of the vectors of a product, by their ids. */
const VECTORS: ReadonlySet<string> = new Set(['x', 'y']);

/** The columns of a scene, before their sizes are decided. */
function columnsOf({ panels, sides }: Scene, frame: Frame, width: number, measure: TextMeasurer): readonly Column[] {
  if (!sides) return [column(panels, { side: null, level: 0, x: MARGIN }, frame, measure)];
  const panelsOf = (side: 'a' | 'b' | undefined): readonly Panel[] => panels.filter((panel) => panel.side === side);
  const commonPanels = panelsOf(undefined);
  const columnsAbove =
    commonPanels.length > 0 ? [column(commonPanels, { side: null, level: 0, x: MARGIN }, frame, measure)] : [];
  const isWide = width >= COLUMNS_FROM;
  const space = isWide ? Math.floor((frame.available - COLUMN_GAP) / 2) : frame.available;
  const sideFrame = { ...frame, hasWideCells: false, available: space };
  const [linesA, linesB] = [
    splitBands(bandsOf(panelsOf('a')), sideFrame),
    splitBands(bandsOf(panelsOf('b')), sideFrame),
  ];
  // Array elements (slots) are equally wide in both columns.
  const shared = sharedSizes([...linesA, ...linesB], sideFrame, measure);
  return [
    ...columnsAbove,
    { side: 'a', level: 1, x: MARGIN, shared, lines: linesA },
    { side: 'b', level: isWide ? 1 : 2, x: isWide ? MARGIN + space + COLUMN_GAP : MARGIN, shared, lines: linesB },
  ];
}

function column(
  panels: readonly Panel[],
  position: Pick<Column, 'side' | 'level' | 'x'>,
  frame: Frame,
  measure: TextMeasurer,
): Column {
  const lines = splitBands(bandsOf(panels), frame);
  return { ...position, shared: sharedSizes(lines, frame, measure), lines };
}

/** The lines of a column with the size of their units, before positions are decided. */
interface ColumnPlan extends Pick<Column, 'side' | 'level' | 'x'> {
  readonly title: string;
  readonly lines: readonly (readonly PlannedPanel[])[];
  /** px above each line */
  readonly gaps: readonly number[];
  /** px between the words of each line and its panels, in which a curve enters */
  readonly entries: readonly number[];
  /** width of the column, px */
  readonly available: number;
}

/** The columns of a scene with their sizes. */
export interface ScenePlan {
  readonly columns: readonly ColumnPlan[];
  readonly squeeze: number;
  readonly width: number;
}

/** A scene fitted to a stage. */
export interface FittedPlan extends ScenePlan {
  /** height of the picture before rows were clipped, px before it is enlarged */
  readonly uncutHeight: number;
}

function planScene(scene: Scene, columns: readonly Column[], { available, rowsHeight, squeeze }: Frame): ScenePlan {
  const plannedColumns = columns.map(({ lines, shared, x, ...columnFields }) => ({
    ...columnFields,
    x,
    available: shared.available,
    lines: lines.map((line) => planLine(line, { ...shared, rowsHeight }, x)),
  }));
  const crossedLines = linesWithCurves(
    scene,
    plannedColumns.map(({ lines }) => lines),
  );
  const plans = plannedColumns.map(({ lines, ...columnFields }, columnIndex): ColumnPlan => {
    const entries = lines.map((line, index) =>
      crossedLines[columnIndex].has(index) && isTight(line) ? Math.round(ENTRY_GAP * squeeze) : 0,
    );
    const gaps = lines.map((_, index) =>
      index === 0 ? 0 : gapAbove(lines[index - 1], crossedLines[columnIndex].has(index), squeeze) - entries[index],
    );
    return {
      ...columnFields,
      title: columnFields.side === null ? '' : (scene.sides?.[columnFields.side].title ?? ''),
      lines,
      gaps,
      entries,
    };
  });
  return { columns: plans, squeeze, width: available + 2 * MARGIN };
}

/** Height of the picture, without placing any mark. */
function heightOf(plan: ScenePlan, measure: TextMeasurer): number {
  return Math.ceil(
    eachLevel(plan, (column, top) => {
      const right = column.x + column.available;
      let y = top;
      column.lines.forEach((line, index) => {
        y += column.gaps[index] + placeHeaders(line, 0, right, plan.squeeze, measure).height + column.entries[index];
        y += largest(
          line.map((panel) => panelHeight(panel.plan)),
          0,
        );
      });
      return y;
    }) + MARGIN,
  );
}

/** Calls `place`, which returns a column's bottom, with each column and its top. Returns the lowest bottom. */
function eachLevel({ columns, squeeze }: ScenePlan, place: (column: ColumnPlan, top: number) => number): number {
  let top = MARGIN;
  let bottom = MARGIN;
  columns.forEach((column, i) => {
    if (i > 0 && column.level !== columns[i - 1].level) top = bottom + Math.round(LINE_GAP_BELOW_CELLS * squeeze);
    const head = column.side === null ? 0 : headHeight(squeeze);
    bottom = Math.max(bottom, place(column, top + head));
  });
  return bottom;
}

/** The laid-out scene without its links, whose routes depend on everything else. */
export function placePanels(plan: ScenePlan, measure: TextMeasurer): Omit<LaidOutScene, 'links'> {
  const panels: PlacedPanel[] = [];
  const marks: PlacedMark[] = [];
  const labels: PlacedLabel[] = [];
  const tags: PlacedTag[] = [];
  const bottom = eachLevel(plan, ({ lines, gaps, entries, x: left, available, side, title }, columnTop) => {
    const right = left + available;
    let y = columnTop;
    if (side !== null) {
      const head = placeHead(side, title, left, columnTop, plan.squeeze);
      tags.push(head.tag);
      labels.push(head.label);
    }
    lines.forEach((line, index) => {
      y += gaps[index];
      const header = placeHeaders(line, y, right, plan.squeeze, measure);
      for (const label of header.labels) labels.push(label);
      const top = y + header.height + entries[index];
      let lowest = top;
      for (const { plan: panel, x } of line) {
        const placedPanel = placePanel(panel, x, top, right, measure);
        panels.push(placedPanel.panel);
        for (const label of placedPanel.labels) labels.push(label);
        for (const mark of placedPanel.marks) marks.push(mark);
        lowest = Math.max(lowest, top + placedPanel.height);
      }
      y = lowest;
    });
    return y;
  });
  return { width: plan.width, height: Math.ceil(bottom + MARGIN), panels, marks, labels, tags };
}

/** Height of the line with a format's name, px: squeezed less than the rest, since its font is not. */
function headHeight(squeeze: number): number {
  return Math.round(HEAD_HEIGHT * Math.max(0.8, squeeze));
}

const HEAD_FONT: Font = { face: 'sans', px: 15, strong: true };
const LETTER_FONT: Font = { face: 'sans', px: 11, strong: true };

/** The name of a compared format, above its panels, after its letter: filled for A, outlined for B. */
function placeHead(
  side: 'a' | 'b',
  title: string,
  x: number,
  panelsTop: number,
  squeeze: number,
): { tag: PlacedTag; label: PlacedLabel } {
  const y = panelsTop - headHeight(squeeze) + 1;
  const style = side === 'a' ? 'filled' : 'outlined';
  const tag: PlacedTag = { x, y, w: TAG_HEIGHT, h: TAG_HEIGHT, text: side.toUpperCase(), font: LETTER_FONT, style };
  const tone = side === 'a' ? 'format' : 'against';
  const anchor = { x: x + TAG_HEIGHT + 9, y: y + TAG_HEIGHT / 2, align: 'left' } as const;
  return { tag, label: { text: title, ...anchor, font: HEAD_FONT, role: 'title', tone } };
}

/** The bands (groups of panels that are side by side if they fit), in the order of their first panels. */
function bandsOf(panels: readonly Panel[]): readonly (readonly Panel[])[] {
  const lines: Panel[][] = [];
  const byBand = new Map<number, Panel[]>();
  for (const panel of panels) {
    const band = panel.band === undefined ? undefined : byBand.get(panel.band);
    if (band) {
      band.push(panel);
      continue;
    }
    const line = [panel];
    lines.push(line);
    if (panel.band !== undefined) byBand.set(panel.band, line);
  }
  return lines;
}

/** Whether a line's titles are directly above its panels, without space for a curve to go around the words. */
function isTight(line: readonly PlannedPanel[]): boolean {
  return line.some(({ plan: { panel } }) => panel.title !== undefined && !panel.columnLabels?.length);
}

function gapAbove(previous: readonly PlannedPanel[], isCrossed: boolean, squeeze: number): number {
  const isBelowCells = previous.some(({ plan }) => plan.panel.unit === 'cell');
  return Math.round(squeeze * (isBelowCells ? LINE_GAP_BELOW_CELLS : isCrossed ? LINE_GAP_WITH_CURVE : LINE_GAP));
}

/** For each column, the indices of the lines that a curve enters from above, or passes. */
function linesWithCurves(
  scene: Scene,
  columns: readonly (readonly (readonly PlannedPanel[])[])[],
): readonly ReadonlySet<number>[] {
  const crossedLines = columns.map(() => new Set<number>());
  const curves = scene.links.filter((link) => link.kind === 'curve');
  if (curves.length === 0) return crossedLines;
  const linkedMarks = new Set(curves.flatMap(({ from, to }) => [from, to]));
  const lineOfMark = new Map<string, { readonly column: number; readonly line: number }>();
  columns.forEach((lines, column) =>
    lines.forEach((panels, line) => {
      for (const { plan } of panels)
        for (const { id } of plan.panel.marks) if (linkedMarks.has(id)) lineOfMark.set(id, { column, line });
    }),
  );
  for (const link of curves) {
    const [from, to] = [lineOfMark.get(link.from), lineOfMark.get(link.to)];
    if (!from || !to) continue;
    if (from.column !== to.column) {
      const lowerEnd = from.column > to.column ? from : to;
      crossedLines[lowerEnd.column].add(lowerEnd.line);
    } else if (from.line !== to.line) crossedLines[from.column].add(Math.max(from.line, to.line));
  }
  return crossedLines;
}

/** Titles and captions above a line; a caption that does not fit next to its title goes below it, in several lines. */
function placeHeaders(
  line: readonly PlannedPanel[],
  top: number,
  right: number,
  squeeze: number,
  measure: TextMeasurer,
): { labels: readonly PlacedLabel[]; height: number } {
  const labels: PlacedLabel[] = [];
  let height = 0;
  const titledPanels = line.filter(({ plan }) => plan.panel.title !== undefined || plan.panel.caption !== undefined);
  titledPanels.forEach(({ plan: { panel }, x }, i) => {
    const end = i + 1 < titledPanels.length ? titledPanels[i + 1].x - 12 : right;
    const titleWidth = panel.title === undefined ? 0 : measure(panel.title, TITLE_FONT) + 10;
    const y = top + 9;
    let headerHeight = Math.max(20, Math.round(TITLE_HEIGHT * squeeze));
    if (panel.title !== undefined)
      labels.push({ text: panel.title, x, y, align: 'left', font: TITLE_FONT, role: 'title' });
    if (panel.caption !== undefined) {
      const captionStyle = { align: 'left', font: CAPTION_FONT, role: 'quiet' } as const;
      if (titleWidth + measure(panel.caption, CAPTION_FONT) <= end - x) {
        labels.push({ text: panel.caption, x: x + titleWidth, y: y + 0.5, ...captionStyle });
      } else {
        const firstY = panel.title === undefined ? y : y + CAPTION_LINE_HEIGHT;
        const captionLines = wrap(panel.caption, end - x, CAPTION_FONT, measure);
        captionLines.forEach((text, n) =>
          labels.push({ text, x, y: firstY + n * CAPTION_LINE_HEIGHT, ...captionStyle }),
        );
        headerHeight = firstY - top + captionLines.length * CAPTION_LINE_HEIGHT;
      }
    }
    height = Math.max(height, headerHeight);
  });
  return { labels, height };
}

/** Breaks a text between words into lines of at most `width`; a longer word gets a separate line. */
export function wrap(text: string, width: number, font: Font, measure: TextMeasurer): readonly string[] {
  const lines: string[] = [];
  let current = '';
  for (const word of text.split(' ')) {
    const extendedLine = current === '' ? word : `${current} ${word}`;
    if (current !== '' && measure(extendedLine, font) > width) {
      lines.push(current);
      current = word;
    } else {
      current = extendedLine;
    }
  }
  return [...lines, current];
}
