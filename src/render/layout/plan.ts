import { largest, smallest } from '../../core/number/statistics.ts';
import type { Panel } from '../../story/scene.ts';
import type { Font, TextMeasurer } from '../text-measurer.ts';
import type { Rect } from './laid-out.ts';
import {
  BAND_GAP,
  COMFORTABLE_CELL,
  REGION_WIDTH,
  GUTTER_MAX,
  GUTTER_MIN,
  MIN_ROWS,
  MARGIN,
  PANEL_HEIGHT_SHARE,
  ROW_STEP,
  SHORT_LABEL_GAP,
  SMALLEST_TEXT,
  UNITS,
  WIDE_CELL,
} from './metrics.ts';
import { gutterOf, leftOverhang, type PanelPlan, planWidth, type RowLabelPosition } from './panel-layout.ts';

/** The space for the panels of a scene (matrices, arrays, bars), before they are arranged in lines. */
export interface Frame {
  /** width from margin to margin, px */
  readonly available: number;
  readonly narrow: boolean;
  readonly stageHeight: number;
  /** maximum height of the rows of a panel before they are clipped, px */
  readonly rowsHeight: number;
  /** gutter of the row labels that are words next to their rows; 0 if there are none */
  readonly gutter: number;
  /** gutter of row labels that are row numbers or single letters: the same in every panel, so that columns align */
  readonly shortGutter: number;
  /** 1 or, to save height, less: lines are closer together, and words keep their size */
  readonly squeeze: number;
  /** cells may be wider than high, to fill the width */
  readonly hasWideCells: boolean;
}

/** A frame with the width of a slot (an array element), so that slots of different lines align. */
export interface SharedSizes extends Frame {
  /** in every panel that has a line to itself, px */
  readonly slotWidth: number;
}

/** A panel with the size of its units (`UnitKind`) and the part of it that is shown, before its height is known. */
export interface PlannedPanel {
  readonly plan: PanelPlan;
  /** left edge of everything that belongs to the panel */
  readonly x: number;
}

/** On narrow screens, panels side by side (a band) get separate lines below this multiple of their smallest unit. */
const COMFORTABLE_SHARE = 2;

/** Rows of a panel that belong to its grid or, without one, all of them. */
export function bodyRows(panel: Panel): number {
  return panel.grid?.rows ?? Math.ceil(panel.rows);
}

/** The frame of these panels: the given sizes, and the widths of the gutters that contain row labels. */
export function frameOf(
  panels: readonly Panel[],
  sizes: Omit<Frame, 'gutter' | 'shortGutter'>,
  measure: TextMeasurer,
): Frame {
  let gutter = 0;
  let shortGutter = 0;
  for (const panel of panels) {
    if (hasShortLabels(panel)) shortGutter = Math.max(shortGutter, gutterForLabels(panel, measure));
    else if (!sizes.narrow)
      gutter = Math.max(gutter, Math.min(GUTTER_MAX, widestRowLabel(panel, measure) + 14), GUTTER_MIN);
    else if (!labelsFitAbove(panel)) gutter = Math.max(gutter, gutterForLabels(panel, measure));
  }
  return { ...sizes, gutter, shortGutter };
}

/**
 * The sizes for these lines: slots are equally wide in every panel that has a line to itself, as wide as their words
 * need.
 */
export function sharedSizes(lines: readonly (readonly Panel[])[], frame: Frame, measure: TextMeasurer): SharedSizes {
  const slots = lines.flatMap((line) => (line.length === 1 && line[0].unit === 'slot' ? line : []));
  const widthFor = (font: Font): number =>
    largest(
      slots.map((panel) => widthForText(panel, font, measure)),
      UNITS.slot.min,
    );
  const comfortable = widthFor(SLOT_FONT);
  const min = widthFor(SMALL_SLOT_FONT);
  const fitting = slots.map((p) => (frame.available - gutterOf(rowLabelPosition(p, frame))) / p.columns);
  // If some panels fit only with smaller words, all words are smaller; panels that are clipped anyway do not count.
  const tight = fitting.filter((width) => width >= min && width < comfortable);
  const width = tight.length > 0 ? smallest(tight) : Math.max(comfortable, smallest(fitting));
  return { ...frame, slotWidth: Math.floor(Math.min(UNITS.slot.max, width)) };
}

/** Width of the longest row label, px; 0 without row labels. */
function widestRowLabel(panel: Panel, measure: TextMeasurer): number {
  return largest(
    (panel.rowLabels ?? []).map((l) => measure(l.text, { face: 'sans', px: 13, strong: true })),
    0,
  );
}

function gutterForLabels(panel: Panel, measure: TextMeasurer): number {
  return Math.ceil(widestRowLabel(panel, measure)) + SHORT_LABEL_GAP;
}

/** Whether the row labels are row numbers or single letters: these are always next to their row. */
function hasShortLabels(panel: Panel): boolean {
  return (panel.rowLabels ?? []).every(({ text }) => text.length <= 2 || /^\d+$/.test(text));
}

/** Whether the row labels are so few that narrow screens show them above their rows. */
function labelsFitAbove(panel: Panel): boolean {
  return (panel.rowLabels?.length ?? 0) <= 3;
}

const SLOT_FONT: Font = { face: 'mono', px: 12 };
const SMALL_SLOT_FONT: Font = { face: 'mono', px: SMALLEST_TEXT };

/** Width that a slot needs so that the words of most of its marks fit; long words do not widen every slot. */
function widthForText(panel: Panel, font: Font, measure: TextMeasurer): number {
  let widest = 0;
  for (const m of panel.marks) {
    if (m.shape !== 'box' || m.text === undefined || m.w <= 0) continue;
    const width = (measure(m.text, font) + 7) / m.w;
    if (width <= UNITS.slot.max) widest = Math.max(widest, width);
  }
  return Math.ceil(widest);
}

function rowLabelPosition(panel: Panel, { narrow, gutter, shortGutter }: Frame): RowLabelPosition {
  const count = panel.rowLabels?.length ?? 0;
  if (count === 0) return { kind: 'beside', gutter: 0, align: 'right' };
  if (hasShortLabels(panel)) {
    const lineUp = panel.unit !== 'cell' && gutter > 0;
    return { kind: 'beside', gutter: lineUp ? gutter : shortGutter, align: lineUp ? 'left' : 'right' };
  }
  return narrow && labelsFitAbove(panel) ? { kind: 'above' } : { kind: 'beside', gutter, align: 'left' };
}

/** The lines of a scene: the panels of a band are side by side if they fit, else below each other. */
export function splitBands(bands: readonly (readonly Panel[])[], frame: Frame): readonly (readonly Panel[])[] {
  return bands.flatMap((band) => (hasSpace(band, frame) ? [band] : band.map((panel) => [panel])));
}

/** Places the panels of one line of `splitBands`, from `left` on. */
export function planLine(line: readonly Panel[], shared: SharedSizes, left = MARGIN): readonly PlannedPanel[] {
  if (line.length === 1) return [{ plan: planAlone(line[0], shared), x: left }];
  return planBand(line, shared, left);
}

/** Whether every panel of a band keeps its smallest unit on one line. */
function hasSpace(band: readonly Panel[], frame: Frame): boolean {
  if (band.length === 1) return true;
  const min = largest(band.map((panel) => UNITS[panel.unit].min));
  if (frame.narrow && unitOfBand(band, frame) < COMFORTABLE_SHARE * min) return false;
  const { plan, x } = planBand(band, frame)[band.length - 1];
  return x + planWidth(plan) <= MARGIN + frame.available + 0.5;
}

/** Width of a unit if all panels of a band share the line without its gutters and gaps, px. */
function unitOfBand(band: readonly Panel[], frame: Frame): number {
  const gutters = band.reduce((sum, panel) => sum + gutterOf(rowLabelPosition(panel, frame)), 0);
  const columns = band.reduce((sum, panel) => sum + panel.columns, 0);
  return (frame.available - gutters - BAND_GAP * (band.length - 1)) / columns;
}

/** Places the panels of a band side by side, even if they do not fit. */
function planBand(band: readonly Panel[], frame: Frame, start = MARGIN): readonly PlannedPanel[] {
  const unit = unitOfBand(band, frame);
  let x = start;
  return band.map((panel) => {
    const { min, max } = UNITS[panel.unit];
    const unitX = panel.unit === 'bar' ? unit : wholePx(Math.min(max, Math.max(min, unit)), min);
    const share = Math.max(unit * panel.columns, 2 * REGION_WIDTH + unitX);
    const plan = planInSpace(panel, share, unitX, frame, rowLabelPosition(panel, frame));
    const left = x;
    x += planWidth(plan) + BAND_GAP;
    return { plan, x: left };
  });
}

/** Sizes of a panel that has a line to itself. */
function planAlone(panel: Panel, shared: SharedSizes): PanelPlan {
  const rowLabels = rowLabelPosition(panel, shared);
  const space = shared.available - gutterOf(rowLabels);
  if (shared.hasWideCells && panel.unit === 'cell') {
    const width = wholePx(Math.min(WIDE_CELL, space / Math.ceil(panel.columns)), UNITS.cell.min);
    const byHeight = Math.floor((shared.stageHeight * PANEL_HEIGHT_SHARE) / panel.rows);
    const max = Math.round(UNITS.cell.max * shared.squeeze);
    const height = Math.min(width, max, Math.max(byHeight, COMFORTABLE_CELL));
    return planInSpace(panel, space, width, shared, rowLabels, height);
  }
  return planInSpace(panel, space, unitForSpace(panel, space, shared), shared, rowLabels);
}

/** Largest unit with which the panel fits the available width, within the limits of its kind. */
function unitForSpace(panel: Panel, space: number, { slotWidth, stageHeight }: SharedSizes): number {
  const { min, max } = UNITS[panel.unit];
  if (panel.unit === 'slot') return slotWidth;
  if (panel.unit === 'bar') return space / panel.columns;
  const byWidth = wholePx(Math.min(max, space / Math.ceil(panel.columns)), min);
  if (panel.unit === 'byte') return byWidth;
  const byHeight = Math.floor((stageHeight * PANEL_HEIGHT_SHARE) / panel.rows);
  return Math.max(Math.min(byWidth, byHeight), Math.min(byWidth, COMFORTABLE_CELL));
}

/** Whole px keep edges sharp; small units keep halves, since a px would be a large part of them. */
function wholePx(unit: number, min: number): number {
  return Math.max(min, unit >= 5 ? Math.floor(unit) : Math.floor(unit * 2) / 2);
}

/** Decides the visible part of a panel, given the size of its unit. */
function planInSpace(
  panel: Panel,
  space: number,
  unitX: number,
  { rowsHeight, squeeze }: Frame,
  rowLabels: RowLabelPosition,
  cellHeight = unitX,
): PanelPlan {
  const { pitchY } = UNITS[panel.unit];
  const unitY = pitchY === null ? cellHeight : Math.round(pitchY * squeeze);
  const columns = Math.ceil(panel.columns);
  const body = bodyRows(panel);
  const hiddenX = panel.unit !== 'bar' && panel.columns * unitX > space + 0.5;
  const visibleColumns = hiddenX
    ? Math.max(1, Math.floor((space - leftOverhang(rowLabels) - REGION_WIDTH) / unitX))
    : columns;
  const fits = Math.floor(rowsHeight / unitY);
  // In steps, so that a height of a few px more or less in another picture does not change what is in view.
  const visibleRows = Math.min(body, Math.max(MIN_ROWS, fits - (fits % ROW_STEP)));
  const window: Rect = {
    x: windowStart(columns, panel.focus?.x ?? 0, visibleColumns),
    y: windowStart(body, panel.focus?.y ?? 0, visibleRows),
    w: hiddenX ? visibleColumns : panel.columns,
    h: visibleRows,
  };
  return { panel, unitX, unitY, window, bodyRows: body, hiddenX, hiddenY: visibleRows < body, rowLabels, squeeze };
}

/**
 * First unit of a window of `size` out of `length` units that shows the focus. The window moves by thirds of its size,
 * so that the picture does not move with every step of the focus, unless the focus would leave the window.
 */
export function windowStart(length: number, focus: number, size: number): number {
  if (length <= size) return 0;
  const step = Math.max(1, Math.floor(size / 3));
  const start = Math.round((focus - size / 2) / step) * step;
  const shown = Math.min(Math.max(start, Math.floor(focus) - size + 1), Math.floor(focus));
  return Math.max(0, Math.min(length - size, shown));
}
