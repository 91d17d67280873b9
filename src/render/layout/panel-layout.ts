import type { Label, Mark, Panel, UnitKind } from '../../story/scene.ts';
import type { Font, TextMeasurer } from '../text-measurer.ts';
import type { PlacedLabel, PlacedMark, PlacedPanel, Rect } from './laid-out.ts';
import {
  COLUMN_LABEL_HEIGHT,
  REGION_HEIGHT,
  REGION_WIDTH,
  gapX,
  GUTTER_MIN,
  ROW_LABEL_HEIGHT,
  SHORT_LABEL_GAP,
  SMALLEST_TEXT,
  UNITS,
} from './metrics.ts';

// One object for each font: thousands of marks share them, and comparing them is comparing references.
const MONO: readonly Font[] = Array.from({ length: 14 }, (_, px) => ({ face: 'mono', px }));
const BRACKET_FONTS: readonly [Font, Font] = [
  { face: 'mono', px: 12 },
  { face: 'mono', px: 12, strong: true },
];
const TEXT_FONTS: readonly [Font, Font] = [
  { face: 'sans', px: 12 },
  { face: 'sans', px: 12, strong: true },
];
/** The text layout of a mark without words, by size. */
const NO_WORDS = MONO.map((font) => ({ text: null, font }));

/** The words of a mark in the largest size that fits, or none. */
function fitText(mark: Mark, rect: Rect, unit: UnitKind, right: number, measure: TextMeasurer) {
  const maxPx = UNITS[unit].fontPx;
  const noText = NO_WORDS[Math.min(12, maxPx)];
  if (mark.text === undefined || mark.text === '') return noText;
  if (mark.shape === 'text') {
    const font = TEXT_FONTS[mark.focus ? 1 : 0];
    return { text: shorten(mark.text, right - rect.x, font, measure), font };
  }
  if (mark.shape === 'bracket') {
    const font = BRACKET_FONTS[mark.focus ? 1 : 0];
    return { text: measure(mark.text, font) <= rect.w + 6 ? mark.text : null, font };
  }
  if (mark.shape === 'line' || mark.state === 'ghost') return noText;
  for (let px = maxPx; px >= SMALLEST_TEXT; px--) {
    const font = MONO[px];
    if (px + 2 <= rect.h && measure(mark.text, font) + 4 <= rect.w) return { text: mark.text, font };
  }
  return noText;
}

/** The text, shortened with '…' to the width; null if not even three characters fit. */
function shorten(text: string, width: number, font: Font, measure: TextMeasurer): string | null {
  if (measure(text, font) <= width) return text;
  for (let n = text.length - 1; n >= 3; n--) {
    const shortened = `${text.slice(0, n).trimEnd()}…`;
    if (measure(shortened, font) <= width) return shortened;
  }
  return null;
}

/** Boxes of the same width in one panel use one font size, the smallest that any of them needs. */
function withEvenText(marks: readonly PlacedMark[]): readonly PlacedMark[] {
  const sizes = new Map<number, number>();
  let isEven = true;
  for (const { mark, text, font } of marks) {
    if (mark.shape !== 'box' || text === null) continue;
    const px = sizes.get(mark.w);
    if (px !== undefined && px !== font.px) isEven = false;
    if (px === undefined || font.px < px) sizes.set(mark.w, font.px);
  }
  if (isEven) return marks;
  return marks.map((placedMark) => {
    const px = sizes.get(placedMark.mark.w);
    if (placedMark.mark.shape !== 'box' || placedMark.text === null || px === undefined || px === placedMark.font.px)
      return placedMark;
    return { ...placedMark, font: MONO[px] };
  });
}

/** Position of row labels: next to the row, in a gutter (which is 0 without labels), or above the row. */
export type RowLabelPosition =
  | { readonly kind: 'beside'; readonly gutter: number; readonly align: 'left' | 'right' }
  | { readonly kind: 'above' };

/** A panel (matrix, array or bars) before it is placed: the size of its units, such as cells, and its visible part. */
export interface PanelPlan {
  readonly panel: Panel;
  readonly unitX: number;
  readonly unitY: number;
  /** visible part of the body, the panel's grid, in units, whole numbers */
  readonly window: Rect;
  /** rows of the body; rows below it (brackets under a matrix) are visible with any part of the body */
  readonly bodyRows: number;
  /** whether columns, or rows, are outside of the window */
  readonly hiddenX: boolean;
  readonly hiddenY: boolean;
  readonly rowLabels: RowLabelPosition;
  /** factor of heights, below 1 where height is short */
  readonly squeeze: number;
}

/** A placed panel with its marks and labels. */
export interface PlacedPanelParts {
  readonly panel: PlacedPanel;
  readonly marks: readonly PlacedMark[];
  readonly labels: readonly PlacedLabel[];
  /** from its column labels to its last row, px */
  readonly height: number;
}

const COLUMN_FONT: Font = { face: 'mono', px: 12 };
const ROW_FONT: Font = { face: 'sans', px: 13 };
const ROW_NUMBER_FONT: Font = { face: 'mono', px: 12 };
/** Minimum distance of row labels, px: the height of one. */
const MIN_ROW_PITCH = 12;
const HIDDEN_FONT: Font = { face: 'mono', px: 11 };

/** Width of everything that `placePanel` draws. */
export function planWidth(plan: PanelPlan): number {
  const cuts = plan.hiddenX ? leftOverhang(plan.rowLabels) + REGION_WIDTH : 0;
  return gutterOf(plan.rowLabels) + cuts + Math.ceil(plan.window.w * plan.unitX);
}

export function gutterOf(position: RowLabelPosition): number {
  return position.kind === 'beside' ? position.gutter : 0;
}

/** Extra space on the left for the count of hidden columns: 0 next to a gutter that is wide enough for the count. */
export function leftOverhang(position: RowLabelPosition): number {
  return gutterOf(position) >= GUTTER_MIN ? 0 : REGION_WIDTH;
}

/** Places a panel, its gutter and column labels included, at (left, top); words that reach `right` are shortened. */
export function placePanel(
  plan: PanelPlan,
  left: number,
  top: number,
  right: number,
  measure: TextMeasurer,
): PlacedPanelParts {
  const { panel, unitX, unitY, window } = plan;
  const plotX = left + gutterOf(plan.rowLabels) + (plan.hiddenX ? leftOverhang(plan.rowLabels) : 0);
  const columnLabels = panel.columnLabels?.filter((l) => inside(l.at, window.x, window.w)) ?? [];
  const plotY = top + plotTop(plan);

  const toX = (x: number): number => plotX + Math.round((x - window.x) * unitX * 2) / 2;
  const toY = verticalScale(plan, plotY);
  const plotW = Math.ceil(window.w * unitX);
  const plotH = toY.end(window.y + window.h) - plotY;
  const bottom = toY.end(panel.rows);

  const labels: readonly PlacedLabel[] = [
    ...placeColumnLabels(
      columnLabels,
      toX,
      plotY - (plan.hiddenY ? REGION_HEIGHT : 0) - Math.round(11 * Math.max(0.8, plan.squeeze)),
      measure,
    ),
    ...placeRowLabels(plan, toY, left, plotX, measure),
    ...placeHiddenCounts(plan, plotX, plotY, plotW, plotH, toY.start(window.y)),
  ];

  const gap = gapX(panel.unit, unitX);
  const metrics = UNITS[panel.unit];
  const gapY = panel.unit === 'cell' || panel.unit === 'byte' ? Math.min(gap, metrics.gapY) : metrics.gapY;
  const radius = Math.min(metrics.radius, unitX / 5);

  const boxRectOf = (x: number, y: number, w: number, h: number): Rect => {
    const x1 = toX(Math.max(x, window.x)) + (isWhole(x) ? Math.floor(gap / 2) : 0);
    const x2 =
      toX(Math.min(x + w, window.x + window.w)) - (isWhole(x + w) ? gap - Math.floor(gap / 2) : Math.min(1, gap));
    const [from, to] = visibleRows(plan, y, h);
    const y1 = toY.start(from) + Math.floor(gapY / 2);
    const y2 = toY.end(to) - Math.ceil(gapY) + Math.floor(gapY / 2);
    return { x: x1, y: y1, w: Math.max(0.5, x2 - x1), h: Math.max(0.5, y2 - y1) };
  };
  /** the rectangle of a mark that is no box, without the gaps between units */
  const gaplessRectOf = (m: Mark): Rect => {
    const x1 = toX(Math.max(m.x, window.x));
    const [from, to] = visibleRows(plan, m.y, m.h);
    const y1 = toY.start(from);
    return { x: x1, y: y1, w: toX(Math.min(m.x + m.w, window.x + window.w)) - x1, h: Math.max(0, toY.end(to) - y1) };
  };

  const gridRows = panel.grid ? Math.max(0, Math.min(plan.bodyRows, window.y + window.h) - window.y) : 0;
  const grid = {
    columns: panel.grid ? Array.from({ length: window.w }, (_, i) => boxRectOf(window.x + i, window.y, 1, 1)) : [],
    rows: Array.from({ length: gridRows }, (_, i) => boxRectOf(window.x, window.y + i, 1, 1)),
    ...(panel.grid?.firstRow !== undefined && { firstRow: panel.grid.firstRow + window.y }),
    ...(panel.grid?.drawnColumns && { columnNumbers: panel.grid.drawnColumns.slice(window.x, window.x + window.w) }),
  };

  const marks: PlacedMark[] = [];
  for (const mark of panel.marks) {
    if (!isVisible(mark, plan)) continue;
    const rect = mark.shape === 'box' ? boxRectOf(mark.x, mark.y, mark.w, mark.h) : gaplessRectOf(mark);
    const { text, font } = fitText(mark, rect, panel.unit, right, measure);
    // Field by field: spreading is half as fast, and there are a thousand marks.
    marks.push({ x: rect.x, y: rect.y, w: rect.w, h: rect.h, mark, unit: panel.unit, radius, text, font });
  }

  return {
    panel: {
      id: panel.id,
      x: plotX,
      y: plotY,
      w: plotW,
      h: bottom - plotY,
      window,
      unitX,
      unitY,
      grid,
      gridRadius: radius,
    },
    marks: withEvenText(marks),
    labels,
    height: bottom - top,
  };
}

/** The height of the panel as placed by `placePanel`, column labels included. */
export function panelHeight(plan: PanelPlan): number {
  return verticalScale(plan, plotTop(plan)).end(plan.panel.rows);
}

/** From the panel's top to its first row. */
function plotTop({ panel, hiddenY, squeeze }: PanelPlan): number {
  const labels = panel.columnLabels?.length ? Math.round(COLUMN_LABEL_HEIGHT * Math.max(0.8, squeeze)) : 0;
  return labels + (hiddenY ? REGION_HEIGHT : 0);
}

/** Whether any part of a mark is visible; of lines and frames without width or height, their position is tested. */
function isVisible(m: Mark, { window, bodyRows }: PanelPlan): boolean {
  if (m.shape === 'box' && (m.w <= 0 || m.h <= 0)) return false;
  const right = window.x + window.w;
  const x = m.w > 0 ? m.x < right && m.x + m.w > window.x : m.x >= window.x && m.x <= right;
  if (!x || m.y >= bodyRows) return x;
  const bottom = window.y + window.h;
  return m.h > 0 ? m.y < bottom && m.y + m.h > window.y : m.y >= window.y && m.y <= bottom;
}

/** The visible part of the rows [y, y + h), as start and end. */
function visibleRows({ window, bodyRows }: PanelPlan, y: number, h: number): readonly [number, number] {
  if (y >= bodyRows) return [y, y + h];
  const end = y + h > bodyRows ? y + h : Math.min(y + h, window.y + window.h);
  return [Math.max(y, window.y), end];
}

/** Whether a position is between units, where there is a gap; parts of a unit, such as bits, have none. */
function isWhole(x: number): boolean {
  return Math.abs(x - Math.round(x)) < 1e-6;
}

function inside(position: number, start: number, extent: number): boolean {
  return position >= start && position < start + extent;
}

/** From rows of units to px, downwards. A label above a row pushes the row down by the label's height. */
function verticalScale(plan: PanelPlan, plotY: number): { start(y: number): number; end(y: number): number } {
  const { panel, unitY, window, bodyRows, rowLabels } = plan;
  const pushedRows =
    rowLabels.kind === 'above'
      ? (panel.rowLabels ?? []).map((l) => l.at).filter((row) => row >= bodyRows || inside(row, window.y, window.h))
      : [];
  const hiddenRows = bodyRows - window.y - window.h;
  const footer = plan.hiddenY ? REGION_HEIGHT : 0;
  const base = (y: number): number =>
    y > bodyRows || (y === bodyRows && hiddenRows > 0)
      ? plotY + Math.round((y - window.y - hiddenRows) * unitY) + footer
      : plotY + Math.round((y - window.y) * unitY);
  if (pushedRows.length === 0) return { start: base, end: base };
  return {
    start: (y) => base(y) + ROW_LABEL_HEIGHT * pushedRows.filter((row) => row <= y).length,
    end: (y) => base(y) + ROW_LABEL_HEIGHT * pushedRows.filter((row) => row < y).length,
  };
}

function placeColumnLabels(
  columnLabels: readonly Label[],
  toX: (x: number) => number,
  y: number,
  measure: TextMeasurer,
): PlacedLabel[] {
  const placedLabels: { left: number; right: number; label: PlacedLabel }[] = [];
  const sortedLabels = [...columnLabels].sort((a, b) => Number(b.strong ?? false) - Number(a.strong ?? false));
  for (const { at: column, text, strong } of sortedLabels) {
    const font: Font = strong ? { ...COLUMN_FONT, strong } : COLUMN_FONT;
    const halfWidth = measure(text, font) / 2 + 3;
    const x = toX(column + 0.5);
    if (placedLabels.some((p) => p.left < x + halfWidth && p.right > x - halfWidth)) continue;
    const label: PlacedLabel = { text, x, y, align: 'center', font, role: strong ? 'title' : 'quiet' };
    placedLabels.push({ left: x - halfWidth, right: x + halfWidth, label });
  }
  return placedLabels.map((p) => p.label);
}

function placeRowLabels(
  plan: PanelPlan,
  toY: { start(y: number): number },
  left: number,
  plotX: number,
  measure: TextMeasurer,
): readonly PlacedLabel[] {
  const { panel, unitY, window, bodyRows, rowLabels } = plan;
  const visibleLabels = (panel.rowLabels ?? []).filter((l) => l.at >= bodyRows || inside(l.at, window.y, window.h));
  const placedLabels = visibleLabels.map(({ at: row, text, strong }): PlacedLabel => {
    const role = strong ? 'title' : 'row';
    if (rowLabels.kind === 'above') {
      const y = toY.start(row) - ROW_LABEL_HEIGHT / 2;
      return { text, x: plotX, y, align: 'left', font: withWeight({ ...ROW_FONT, px: 12 }, strong), role };
    }
    const y = toY.start(row) + unitY / 2;
    if (rowLabels.align === 'left') {
      const font = withWeight(ROW_FONT, strong);
      const fittingText = shorten(text, rowLabels.gutter - SHORT_LABEL_GAP, font, measure) ?? '';
      return { text: fittingText, x: left, y, align: 'left', font, role };
    }
    const x = left + gutterOf(rowLabels) - SHORT_LABEL_GAP;
    return { text, x, y, align: 'right', font: withWeight(ROW_NUMBER_FONT, strong), role: strong ? 'title' : 'quiet' };
  });
  return unitY >= MIN_ROW_PITCH ? placedLabels : withoutTouchingLabels(placedLabels);
}

/** The labels, without those that would touch the one above. */
function withoutTouchingLabels(labels: readonly PlacedLabel[]): readonly PlacedLabel[] {
  const spacedLabels: PlacedLabel[] = [];
  for (const label of labels) {
    const labelAbove = spacedLabels.at(-1);
    if (!labelAbove || label.y - labelAbove.y >= MIN_ROW_PITCH) spacedLabels.push(label);
  }
  return spacedLabels;
}

function withWeight(font: Font, strong: boolean | undefined): Font {
  return strong ? { ...font, strong } : font;
}

/** Words for what the window omits: how many columns, or that there are more rows. */
function placeHiddenCounts(
  plan: PanelPlan,
  plotX: number,
  plotY: number,
  plotW: number,
  plotH: number,
  firstRow: number,
): PlacedLabel[] {
  const { panel, window, unitY } = plan;
  const labels: PlacedLabel[] = [];
  const note = (text: string, x: number, y: number, align: PlacedLabel['align']): void => {
    labels.push({ text, x, y, align, font: HIDDEN_FONT, role: 'quiet' });
  };
  const middle = panel.unit === 'slot' ? firstRow + unitY / 2 - 2 : plotY + plotH / 2;
  const hiddenBefore = window.x;
  const hiddenAfter = Math.ceil(panel.columns - window.x - window.w);
  if (hiddenBefore > 0) note(`${compactCount(hiddenBefore)}…`, plotX - 4, middle, 'right');
  if (hiddenAfter > 0) note(`…${compactCount(hiddenAfter)}`, plotX + plotW + 4, middle, 'left');
  // Without a number: a panel may itself be a part of a taller matrix.
  if (window.y > 0) note('\u2026 more rows above', plotX, plotY - REGION_HEIGHT / 2, 'left');
  if (window.y + window.h < plan.bodyRows)
    note('\u2026 more rows below', plotX, plotY + plotH + REGION_HEIGHT / 2, 'left');
  return labels;
}

function compactCount(count: number): string {
  return count < 10_000 ? String(count) : `${Math.round(count / 1000)}k`;
}
