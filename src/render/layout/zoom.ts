import { largest } from '../../core/number/statistics.ts';
import type { Scene } from '../../story/scene.ts';
import type { TextMeasurer } from '../text-measurer.ts';
import { type FittedPlan, type LayoutOptions, minZoomOf, placePanels, planToFit, type ScenePlan } from './layout.ts';
import { MARGIN, NARROW_BELOW, ZOOM_STEP } from './metrics.ts';
import { planWidth } from './panel-layout.ts';
import type { PlannedPanel } from './plan.ts';

/** Limits on the zoom of pictures: how much they are enlarged. */
export interface ZoomLimits {
  readonly max: number;
  /** the maximum for pictures without a matrix, whose words would become too large */
  readonly maxOfWords: number;
  /** maximum px of a cell of a matrix */
  readonly largestCell: number;
  /** for an array too wide for its stage: the least share of the columns visible at zoom 1 that stay visible */
  readonly minRegion: number;
}

/** For a picture below text of 18 px: the font of a picture that consists of text only is at most as large. */
export const ON_STAGE: ZoomLimits = { max: 1.75, maxOfWords: 1.375, largestCell: 44, minRegion: 0.55 };
/** The picture alone, in a presentation: readable from the last row of a lecture hall. */
export const ON_SCREEN: ZoomLimits = { max: 3.5, maxOfWords: 2.25, largestCell: 96, minRegion: 0.35 };

/** A picture that fills this share of the stage's height, or of its width by matrices or arrays, is large enough. */
const FILLED_ENOUGH = 0.86;
/** Maximum share of the stage's height, since similar steps may be a little higher. */
const MAX_HEIGHT = 0.96;

/**
 * The zoom of a group of similar scenes on a stage: what the median scene needs to fill the height or the width, while
 * it still fits and shows everything that it shows at zoom 1. Below 1 if a picture that may be squeezed would be too
 * high; 1 on narrow stages, which are full. O(marks of the scenes) for every step of 0.125.
 */
export function zoomOf(scenes: readonly Scene[], stage: Omit<LayoutOptions, 'zoom'>, limits = ON_STAGE): number {
  // A drawing fills its stage by itself.
  if (stage.width < NARROW_BELOW || scenes.length === 0 || scenes.some(({ drawing }) => drawing)) return 1;
  const zooms = scenes.map((scene) => zoomOfScene(scene, stage, limits)).toSorted((a, b) => a - b);
  // If one of them has to save height, all of them do.
  return zooms[0] < 1 ? zooms[0] : zooms[Math.floor((zooms.length - 1) / 2)];
}

/**
 * The zoom of one scene: decreased from 1 while the scene is too high, or increased until it fills the stage or would no
 * longer show everything.
 */
function zoomOfScene(
  scene: Scene,
  stage: Omit<LayoutOptions, 'zoom'>,
  { max, maxOfWords, largestCell, minRegion }: ZoomLimits,
): number {
  const usual = planToFit(scene, stage);
  const limit = cellOf(usual) > 0 ? max : maxOfWords;
  let chosen = 1;
  let plan = usual;
  const min = minZoomOf(scene, stage);
  while (chosen > min && plan.uncutHeight > stage.stageHeight) {
    chosen -= ZOOM_STEP;
    plan = planToFit(scene, { ...stage, zoom: chosen });
  }
  if (chosen < 1) return chosen;
  while (chosen + ZOOM_STEP <= limit && !isEnough(plan, stage, chosen)) {
    const zoom = chosen + ZOOM_STEP;
    const next = planToFit(scene, { ...stage, zoom });
    const fits = next.uncutHeight * zoom <= MAX_HEIGHT * stage.stageHeight && cellOf(next) * zoom <= largestCell;
    if (!fits || !showsAsMuch(next, usual, minRegion, stage.measure)) break;
    chosen = zoom;
    plan = next;
  }
  return chosen;
}

function panelsOf(plan: ScenePlan): readonly PlannedPanel[] {
  return plan.columns.flatMap(({ lines }) => lines.flat());
}

/**
 * Whether a picture fills its stage: by its height, or by the width of its matrices or, without any, of its arrays.
 * Bars are always as wide as the stage and do not count.
 */
function isEnough(plan: FittedPlan, { width, stageHeight }: LayoutOptions, zoom: number): boolean {
  if (plan.uncutHeight * zoom >= FILLED_ENOUGH * stageHeight) return true;
  const panels = panelsOf(plan).filter(({ plan: p }) => p.panel.unit !== 'bar');
  const matrices = panels.filter(({ plan: p }) => p.panel.unit === 'cell');
  const ends = (matrices.length > 0 ? matrices : panels).map(({ plan: p, x }) => x + planWidth(p) - MARGIN);
  return largest(ends, 0) * zoom >= FILLED_ENOUGH * (width - 2 * MARGIN);
}

/** Size of the largest cell, px before it is enlarged. */
function cellOf(plan: ScenePlan): number {
  return largest(
    panelsOf(plan).map(({ plan: p }) => (p.panel.unit === 'cell' ? p.unitX : 0)),
    0,
  );
}

/** Whether a picture shows the same as at zoom 1: the same lines and windows, and no more texts omitted or shortened. */
function showsAsMuch(plan: ScenePlan, usual: ScenePlan, minRegion: number, measure: TextMeasurer): boolean {
  const before = panelsOf(usual);
  const isWhole = panelsOf(plan).every(({ plan: p }, i) => {
    const { window, hiddenX } = before[i].plan;
    const mayLose = hiddenX && p.panel.unit !== 'cell';
    return p.window.w >= window.w * (mayLose ? minRegion : 1) && p.window.h >= window.h;
  });
  const isArrangedAlike = plan.columns.every(({ lines }, i) => lines.length === usual.columns[i].lines.length);
  if (!isWhole || !isArrangedAlike) return false;
  return missingWords(plan, measure) <= missingWords(usual, measure);
}

/** Number of marks and labels in view whose words are omitted or shortened. */
function missingWords(plan: ScenePlan, measure: TextMeasurer): number {
  const { marks, labels } = placePanels(plan, measure);
  const clippedMarks = marks.filter(
    ({ mark, text }) => mark.text !== undefined && mark.state !== 'ghost' && text !== mark.text,
  );
  return clippedMarks.length + labels.filter(({ text }) => text.endsWith('…')).length;
}
