import { largest } from '../../core/number/statistics.ts';
import type { Panel, Scene } from '../../core/story/scene.ts';
import type { Font, TextMeasurer } from '../text-measurer.ts';
import { enlarged } from './enlarge.ts';
import type { LaidOutScene, PlacedLabel, PlacedMark, PlacedPanel } from './laid-out.ts';
import { routeLinks, withoutNumbersBelow, withRowsAside } from './link-routes.ts';
import {
  CAPTION_LINE_HEIGHT,
  ENTRY_GAP,
  LEAST_HEIGHT_SHARE,
  LEAST_ROWS,
  LINE_GAP,
  LINE_GAP_BELOW_CELLS,
  LINE_GAP_WITH_CURVE,
  MARGIN,
  NARROW_BELOW,
  PANEL_HEIGHT_SHARE,
  TITLE_HEIGHT,
  ZOOM_STEP,
} from './metrics.ts';
import { panelHeight, placePanel } from './panel-layout.ts';
import { bodyRows, frameOf, type PlannedPanel, planLine, type SharedSizes, sharedSizes, splitBands } from './plan.ts';

export interface LayoutOptions {
  /** px */
  readonly width: number;
  /** height of the stage in px: what is visible at once; a panel takes at most about 40 % of it */
  readonly stageHeight: number;
  readonly measure: TextMeasurer;
  /**
   * enlargement of everything, default 1: `zoomOf` finds a suitable one for a stage. A scene that would be too high is
   * drawn smaller, down to 1
   */
  readonly zoom?: number;
}

const TITLE_FONT: Font = { face: 'sans', px: 13, strong: true };
const CAPTION_FONT: Font = { face: 'sans', px: 12 };

/**
 * Decides every size and position of a scene. Pure; O(marks + grid cells + links * labels).
 * A scene that is higher than the stage is laid out again with fewer rows of its tall panels in view.
 */
export function layoutScene(scene: Scene, options: LayoutOptions): LaidOutScene {
  const parts = layoutInParts(scene, options);
  for (;;) {
    const part = parts.next();
    if (part.done) return part.value;
  }
}

/**
 * Like `layoutScene`, in parts that each take a fraction of a frame: the next scene is laid out while the current one
 * is drawn.
 */
export function* layoutInParts(scene: Scene, options: LayoutOptions): Generator<void, LaidOutScene, void> {
  const { measure, stageHeight } = options;
  let { zoom = 1 } = options;
  let plan = planToFit(scene, { ...options, zoom });
  while (zoom > 1 && plan.uncutHeight * zoom > stageHeight) {
    zoom = Math.max(1, zoom - ZOOM_STEP);
    plan = planToFit(scene, { ...options, zoom });
  }
  yield;
  const placed = placePanels(plan, measure);
  yield;
  const links = routeLinks(scene.links, placed.marks, placed.labels, placed.panels, measure);
  const crossed = withoutNumbersBelow(links, placed.labels, measure);
  const labels = withRowsAside(links, crossed, placed.marks, placed.width, measure);
  return enlarged({ ...placed, labels, links }, zoom, options.width);
}

/** Decides the sizes of a scene, in px before it is enlarged. O(marks). */
export function planToFit(scene: Scene, options: LayoutOptions): FittedPlan {
  const { measure, zoom = 1 } = options;
  const width = Math.floor(options.width / zoom);
  const stageHeight = options.stageHeight / zoom;
  const room = Math.max(120, width - 2 * MARGIN);
  const rowsHeight = stageHeight * PANEL_HEIGHT_SHARE;
  // Whether a stage is narrow depends on its own px: enlarging a picture does not change its arrangement.
  const narrow = options.width < NARROW_BELOW;
  const frame = frameOf(scene.panels, { room, narrow, stageHeight, rowsHeight }, measure);
  const lines = splitBands(bandsOf(scene.panels), frame);
  const shared = sharedSizes(lines, frame, measure);
  const first = planScene(scene, lines, shared);
  const uncutHeight = heightOf(first, measure);
  const excess = uncutHeight - stageHeight;
  const isCuttable = scene.panels.some((panel) => bodyRows(panel) > LEAST_ROWS);
  if (excess <= 0 || !isCuttable) return { ...first, uncutHeight };
  const cut = Math.max(stageHeight * LEAST_HEIGHT_SHARE, rowsHeight - excess);
  return { ...planScene(scene, lines, { ...shared, rowsHeight: cut }), uncutHeight };
}

/** The lines of a scene with the size of their units, before positions are decided. */
export interface ScenePlan {
  readonly lines: readonly (readonly PlannedPanel[])[];
  /** px above each line, and between its words and its panels */
  readonly gaps: readonly number[];
  readonly entries: readonly number[];
  readonly room: number;
}

/** A scene fitted to a stage. */
export interface FittedPlan extends ScenePlan {
  /** height of the picture before rows were cut, px before it is enlarged */
  readonly uncutHeight: number;
}

function planScene(scene: Scene, panels: readonly (readonly Panel[])[], shared: SharedSizes): ScenePlan {
  const lines = panels.map((line) => planLine(line, shared));
  const crossed = gapsWithCurves(scene, lines);
  const entries = lines.map((line, index) => (crossed.has(index) && isTight(line) ? ENTRY_GAP : 0));
  const gaps = lines.map((_, index) =>
    index === 0 ? 0 : gapAbove(lines[index - 1], crossed.has(index)) - entries[index],
  );
  return { lines, gaps, entries, room: shared.room };
}

/** Height of the picture, without placing any mark. */
function heightOf({ lines, gaps, entries, room }: ScenePlan, measure: TextMeasurer): number {
  let y = MARGIN;
  lines.forEach((line, index) => {
    y += gaps[index] + placeHeaders(line, 0, MARGIN + room, measure).height + entries[index];
    y += largest(
      line.map(({ plan }) => panelHeight(plan)),
      0,
    );
  });
  return Math.ceil(y + MARGIN);
}

/** Everything but the links, whose routes depend on all of it. */
export function placePanels(
  { lines, gaps, entries, room }: ScenePlan,
  measure: TextMeasurer,
): Omit<LaidOutScene, 'links'> {
  const panels: PlacedPanel[] = [];
  const marks: PlacedMark[] = [];
  const labels: PlacedLabel[] = [];
  let y = MARGIN;
  lines.forEach((line, index) => {
    y += gaps[index];
    const header = placeHeaders(line, y, MARGIN + room, measure);
    for (const label of header.labels) labels.push(label);
    const top = y + header.height + entries[index];
    let bottom = top;
    for (const { plan, x } of line) {
      const placed = placePanel(plan, x, top, MARGIN + room, measure);
      panels.push(placed.panel);
      for (const label of placed.labels) labels.push(label);
      for (const mark of placed.marks) marks.push(mark);
      bottom = Math.max(bottom, top + placed.height);
    }
    y = bottom;
  });
  return { width: room + 2 * MARGIN, height: Math.ceil(y + MARGIN), panels, marks, labels };
}

/** Panels by band, in the order of the first of each. */
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

/** Whether the words above a line are directly on its panels: a curve that enters cannot go around them. */
function isTight(line: readonly PlannedPanel[]): boolean {
  return line.some(({ plan: { panel } }) => panel.title !== undefined && !panel.columnLabels?.length);
}

function gapAbove(previous: readonly PlannedPanel[], isCrossed: boolean): number {
  if (previous.some(({ plan }) => plan.panel.unit === 'cell')) return LINE_GAP_BELOW_CELLS;
  return isCrossed ? LINE_GAP_WITH_CURVE : LINE_GAP;
}

/** Index of every line that a curve enters from above, or passes. */
function gapsWithCurves(scene: Scene, lines: readonly (readonly PlannedPanel[])[]): ReadonlySet<number> {
  const crossed = new Set<number>();
  const curves = scene.links.filter((link) => link.kind === 'curve');
  if (curves.length === 0) return crossed;
  const linked = new Set(curves.flatMap(({ from, to }) => [from, to]));
  const lineOfMark = new Map<string, number>();
  lines.forEach((line, index) => {
    for (const { plan } of line) for (const { id } of plan.panel.marks) if (linked.has(id)) lineOfMark.set(id, index);
  });
  for (const link of curves) {
    const from = lineOfMark.get(link.from);
    const to = lineOfMark.get(link.to);
    if (from !== undefined && to !== undefined && from !== to) crossed.add(Math.max(from, to));
  }
  return crossed;
}

/** Titles and captions above a line; a caption that does not fit next to its title goes below it, in several lines. */
function placeHeaders(
  line: readonly PlannedPanel[],
  top: number,
  right: number,
  measure: TextMeasurer,
): { labels: readonly PlacedLabel[]; height: number } {
  const labels: PlacedLabel[] = [];
  let height = 0;
  const titled = line.filter(({ plan }) => plan.panel.title !== undefined || plan.panel.caption !== undefined);
  titled.forEach(({ plan: { panel }, x }, i) => {
    const end = i + 1 < titled.length ? titled[i + 1].x - 12 : right;
    const titleWidth = panel.title === undefined ? 0 : measure(panel.title, TITLE_FONT) + 10;
    const y = top + 9;
    let own = TITLE_HEIGHT;
    if (panel.title !== undefined)
      labels.push({ text: panel.title, x, y, align: 'left', font: TITLE_FONT, role: 'title' });
    if (panel.caption !== undefined) {
      const quiet = { align: 'left', font: CAPTION_FONT, role: 'quiet' } as const;
      if (titleWidth + measure(panel.caption, CAPTION_FONT) <= end - x) {
        labels.push({ text: panel.caption, x: x + titleWidth, y: y + 0.5, ...quiet });
      } else {
        const first = panel.title === undefined ? y : y + CAPTION_LINE_HEIGHT;
        const wrapped = wrap(panel.caption, end - x, CAPTION_FONT, measure);
        wrapped.forEach((text, n) => labels.push({ text, x, y: first + n * CAPTION_LINE_HEIGHT, ...quiet }));
        own = first - top + wrapped.length * CAPTION_LINE_HEIGHT;
      }
    }
    height = Math.max(height, own);
  });
  return { labels, height };
}

/** Breaks a text between words into lines of at most `width`; a longer word gets a line of its own. */
export function wrap(text: string, width: number, font: Font, measure: TextMeasurer): readonly string[] {
  const lines: string[] = [];
  let current = '';
  for (const word of text.split(' ')) {
    const longer = current === '' ? word : `${current} ${word}`;
    if (current !== '' && measure(longer, font) > width) {
      lines.push(current);
      current = word;
    } else {
      current = longer;
    }
  }
  return [...lines, current];
}
