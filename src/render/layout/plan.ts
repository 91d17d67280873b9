import type { Panel } from '../../core/scene.ts';
import type { Font, TextMeasurer } from '../text-measurer.ts';
import type { Rect } from './laid-out.ts';
import {
  COMFORTABLE_CELL,
  CUT_WIDTH,
  GUTTER_MAX,
  GUTTER_MIN,
  LEAST_ROWS,
  PANEL_HEIGHT_SHARE,
  ROW_STEP,
  SHORT_LABEL_GAP,
  UNITS,
} from './metrics.ts';
import { gutterOf, leftCut, type PanelPlan, type RowLabelPlace } from './panel-layout.ts';

/** What the panels of a scene share, so that equal things line up. */
export interface SharedSizes {
  /** room from margin to margin */
  readonly room: number;
  readonly narrow: boolean;
  readonly stageHeight: number;
  /** height that the rows of a panel may take before they are cut, px */
  readonly rowsHeight: number;
  /** gutter of the row labels that are words; 0 when there are none */
  readonly gutter: number;
  /** width of a slot in every panel that has a line to itself */
  readonly slotWidth: number;
}

/** Rows of a panel that belong to its grid or, without one, all of them. */
export function bodyRows(panel: Panel): number {
  return panel.grid?.rows ?? Math.ceil(panel.rows);
}

export function sharedSizes(
  panels: readonly Panel[],
  alone: (panel: Panel) => boolean,
  room: number,
  narrow: boolean,
  heights: Pick<SharedSizes, 'stageHeight' | 'rowsHeight'>,
  measure: TextMeasurer,
): SharedSizes {
  let gutter = 0;
  for (const panel of panels) {
    if (narrow || hasShortLabels(panel)) continue;
    gutter = Math.max(gutter, Math.min(GUTTER_MAX, widestRowLabel(panel, measure) + 14), GUTTER_MIN);
  }
  const slots = panels.filter((p) => p.unit === 'slot' && alone(p));
  const shared = { room, narrow, ...heights, gutter, slotWidth: 0 };
  const least = Math.max(UNITS.slot.min, ...slots.map((p) => widthForText(p, measure)));
  const wanted = slots.map((p) => (room - gutterOf(rowLabelPlace(p, shared, measure))) / p.columns);
  const slotWidth = Math.floor(Math.min(UNITS.slot.max, Math.max(least, Math.min(...wanted))));
  return { ...shared, slotWidth };
}

function widestRowLabel(panel: Panel, measure: TextMeasurer): number {
  return Math.max(0, ...(panel.rowLabels ?? []).map((l) => measure(l.text, { face: 'sans', px: 13, strong: true })));
}

/** Whether the row labels are row numbers or single letters: they stand right beside their row, everywhere. */
function hasShortLabels(panel: Panel): boolean {
  return (panel.rowLabels ?? []).every(({ text }) => text.length <= 2 || /^\d+$/.test(text));
}

const SLOT_FONT: Font = { face: 'mono', px: 12 };

/** Width that a slot needs so that the words of most of its marks fit; long words do not widen every slot. */
function widthForText(panel: Panel, measure: TextMeasurer): number {
  let widest = 0;
  for (const m of panel.marks) {
    if (m.shape !== 'box' || m.text === undefined || m.w <= 0) continue;
    const width = (measure(m.text, SLOT_FONT) + 7) / m.w;
    if (width <= UNITS.slot.max) widest = Math.max(widest, width);
  }
  return Math.ceil(widest);
}

/** Where the row labels of a panel stand. */
export function rowLabelPlace(
  panel: Panel,
  { narrow, gutter }: Pick<SharedSizes, 'narrow' | 'gutter'>,
  measure: TextMeasurer,
): RowLabelPlace {
  const count = panel.rowLabels?.length ?? 0;
  const own = Math.ceil(widestRowLabel(panel, measure)) + SHORT_LABEL_GAP;
  if (count === 0) return { kind: 'beside', gutter: 0, align: 'right' };
  if (hasShortLabels(panel)) {
    const lineUp = panel.unit !== 'cell' && gutter > 0;
    return { kind: 'beside', gutter: lineUp ? gutter : own, align: lineUp ? 'left' : 'right' };
  }
  if (!narrow) return { kind: 'beside', gutter, align: 'left' };
  return count <= 3 ? { kind: 'above' } : { kind: 'beside', gutter: own, align: 'left' };
}

/** Sizes of a panel that has a line to itself. */
export function planAlone(panel: Panel, shared: SharedSizes, measure: TextMeasurer): PanelPlan {
  const rowLabels = rowLabelPlace(panel, shared, measure);
  const room = shared.room - gutterOf(rowLabels);
  return planInRoom(panel, room, unitForRoom(panel, room, shared), shared.rowsHeight, rowLabels);
}

/** Largest unit with which the panel fits the room, within the limits of its kind. */
function unitForRoom(panel: Panel, room: number, { slotWidth, stageHeight }: SharedSizes): number {
  const { min, max } = UNITS[panel.unit];
  if (panel.unit === 'slot') return slotWidth;
  if (panel.unit === 'bar') return room / panel.columns;
  const byWidth = wholePx(Math.min(max, room / Math.ceil(panel.columns)), min);
  if (panel.unit === 'byte') return byWidth;
  const byHeight = Math.floor((stageHeight * PANEL_HEIGHT_SHARE) / panel.rows);
  return Math.max(Math.min(byWidth, byHeight), Math.min(byWidth, COMFORTABLE_CELL));
}

/** Whole px keep edges sharp; small units keep halves, since a px would be a large part of them. */
export function wholePx(unit: number, min: number): number {
  return Math.max(min, unit >= 5 ? Math.floor(unit) : Math.floor(unit * 2) / 2);
}

/** Decides the visible part of a panel, given the size of its unit. */
export function planInRoom(
  panel: Panel,
  room: number,
  unitX: number,
  rowsHeight: number,
  rowLabels: RowLabelPlace,
): PanelPlan {
  const unitY = UNITS[panel.unit].pitchY ?? unitX;
  const columns = Math.ceil(panel.columns);
  const body = bodyRows(panel);
  const cutX = panel.unit !== 'bar' && panel.columns * unitX > room + 0.5;
  const visibleColumns = cutX ? Math.max(1, Math.floor((room - leftCut(rowLabels) - CUT_WIDTH) / unitX)) : columns;
  const fits = Math.floor(rowsHeight / unitY);
  // In steps, so that a few px more or less in the next step do not change what is in view.
  const visibleRows = Math.min(body, Math.max(LEAST_ROWS, fits - (fits % ROW_STEP)));
  const window: Rect = {
    x: windowStart(columns, panel.focus?.x ?? 0, visibleColumns),
    y: windowStart(body, panel.focus?.y ?? 0, visibleRows),
    w: cutX ? visibleColumns : panel.columns,
    h: visibleRows,
  };
  return { panel, unitX, unitY, window, bodyRows: body, cutX, cutY: visibleRows < body, rowLabels };
}

/**
 * First unit of a window of `size` out of `length` units that shows the focus. It moves in steps of a third of the
 * window, so that the picture stands still while the focus walks, and then by as much as a person can follow.
 */
export function windowStart(length: number, focus: number, size: number): number {
  if (length <= size) return 0;
  const step = Math.max(1, Math.floor(size / 3));
  const start = Math.round((focus - size / 2) / step) * step;
  const shown = Math.min(Math.max(start, Math.floor(focus) - size + 1), Math.floor(focus));
  return Math.max(0, Math.min(length - size, shown));
}
