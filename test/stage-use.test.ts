// Pictures of every chapter use most of the stage.

import { describe, expect, it } from 'vitest';
import { defaultParams, storyParams } from '../src/core/format.ts';
import type { LaidOutScene } from '../src/render/layout/laid-out.ts';
import { layoutScene } from '../src/render/layout/layout.ts';
import { labelRect } from '../src/render/layout/link-routes.ts';
import { ON_STAGE, zoomOf } from '../src/render/layout/zoom.ts';
import { estimateTextWidth } from '../src/render/text-measurer.ts';
import { sizeGroupOf } from '../src/kit/stage/use-scene.ts';
import { formats } from '../src/formats/registry.ts';
import type { Drawing } from '../src/story/scene.ts';
import { NOWHERE } from './frames.ts';
import { firstVisitMatrix } from './shipped.ts';
import { formatsWithStories } from './stories.ts';
import { cases } from './scheduled.ts';

/** Inner size of the stage in windows of 1440 × 900 and 2560 × 1440; e2e/present.spec.ts compares it with the page. */
const STAGES = [
  { name: '1440 × 900', width: 1393, stageHeight: 519 },
  { name: '2560 × 1440', width: 2001, stageHeight: 989 },
] as const;

/** The stage in a window of 1280 × 720, as e2e/sizes.spec.ts measures it on the page. */
const SMALL_STAGE = { width: 1233, stageHeight: 416 } as const;
/** Lines of arrays from which on the matrix is left of them where all would be too high below each other. */
const MANY_ARRAYS = 5;

/** Minimum share of the stage's height or width that a picture fills. */
const USED = 0.7;
/**
 * Steps of a chapter that are checked: at least half of them fill the stage. Some end with a different kind of picture.
 */
const SAMPLES = cases(6, 12);

/** The share of the stage that marks and labels fill: the larger of height and width. */
function shareOf(picture: LaidOutScene, { width, stageHeight }: { width: number; stageHeight: number }): number {
  const boxes = [
    ...picture.marks,
    ...picture.labels.map((label) => labelRect(label, estimateTextWidth)),
    ...picture.panels,
  ];
  const extent = (at: 'x' | 'y', size: 'w' | 'h'): number =>
    boxes.reduce((max, b) => Math.max(max, b[at] + b[size]), 0) - boxes.reduce((min, b) => Math.min(min, b[at]), width);
  return Math.max(extent('x', 'w') / width, extent('y', 'h') / stageHeight);
}

/** Inside a window of 1280 × 720: the space for a picture, its visible height, and that of controls above it, px. */
const SMALL_LAPTOP = { width: 1217, height: 358, visible: 376, answers: 76, slider: 90 } as const;
/** A picture ends below this share of the space, and no gap between its marks is larger than this share of it. */
const END = 0.55;
const LARGEST_GAP = 0.35;

/** The largest vertical gap between marks, and where the last of them ends, px. */
function extentOf({ marks }: Drawing): { readonly gap: number; readonly end: number } {
  let [end, gap] = [0, 0];
  for (const { y, h, size = 13 } of marks.toSorted((a, b) => a.y - b.y)) {
    gap = Math.max(gap, y - end);
    end = Math.max(end, y + Math.max(h, size));
  }
  return { gap, end };
}

for (const { format, story } of await formatsWithStories()) {
  describe(format.id, async () => {
    const window = await firstVisitMatrix(format.bestExample.id);
    const params = storyParams<object>(format.params, defaultParams(format.params));
    const narrated = { story, trace: story.trace(window, params) };
    const { chapters } = narrated.trace;
    // A matrix that a test declares has more rows than a page shows.
    const frames = (formats.some(({ id }) => id === format.id) && story.frames?.(narrated.trace)) || [];

    it.runIf(frames.length > 0)('has frames that fit a window of 1280 × 720, and fill it', () => {
      const { width, height, visible, answers, slider } = SMALL_LAPTOP;
      const space = { width, height, measure: estimateTextWidth };
      const wrong = frames.flatMap((frame) => {
        const drawing = frame.draw(frame.moves.length - 1, NOWHERE);
        const picture = drawing.inSpace?.(space) ?? drawing;
        const free = visible - (frame.question ? answers : frame.slider ? slider : 0);
        const { gap, end } = extentOf(picture);
        const isFilled = gap <= LARGEST_GAP * free && end >= END * free;
        // Frames with a slider have few bars as long as no time is known.
        const fills = frame.slider !== undefined || frame.question !== undefined || isFilled;
        return picture.height <= free && fills
          ? []
          : [`${frame.id}: ${picture.height} px of ${free}, its last mark ends at ${end}, a gap of ${gap}`];
      });
      expect(wrong).toEqual([]);
    });

    it('has steps of many arrays that fit a window of 1280 × 720, arranged alike in a chapter', () => {
      const options = { ...SMALL_STAGE, measure: estimateTextWidth, squeeze: true };
      for (const { id, firstStep, stepCount } of chapters) {
        const zoom = zoomOf(sizeGroupOf(narrated, firstStep + 1), options, ON_STAGE);
        const every = Math.max(1, Math.floor(stepCount / SAMPLES));
        const lefts = new Map<string, number>();
        for (let step = firstStep + 1; step <= firstStep + stepCount; step += every) {
          const scene = story.scene(narrated.trace, step);
          if (scene.panels.filter(({ unit }) => unit === 'slot').length < MANY_ARRAYS) continue;
          const picture = layoutScene(scene, { ...options, zoom });
          expect(picture.height, `${id}, step ${step}`).toBeLessThanOrEqual(SMALL_STAGE.stageHeight);
          const right = picture.panels.reduce((max, { x, w }) => Math.max(max, x + w), 0);
          expect(right, `${id}, step ${step}`).toBeLessThanOrEqual(SMALL_STAGE.width);
          for (const { id: panel, x } of picture.panels.filter(({ unitX }) => unitX >= 30)) {
            // A count of hidden elements may be left of an array.
            expect(Math.abs((lefts.get(panel) ?? x) - x), `${id}, step ${step}: ${panel}`).toBeLessThan(40);
            lefts.set(panel, x);
          }
        }
      }
    });

    it.each(STAGES)('fills the stage at $name in every chapter', (stage) => {
      const options = { ...stage, measure: estimateTextWidth };
      const halves = chapters.map(({ id, firstStep, stepCount }) => {
        const zoom = zoomOf(sizeGroupOf(narrated, firstStep + 1), options, ON_STAGE);
        const every = Math.max(1, Math.floor(stepCount / SAMPLES));
        const shares: number[] = [];
        for (let step = firstStep + 1; step <= firstStep + stepCount; step += every)
          shares.push(shareOf(layoutScene(story.scene(narrated.trace, step), { ...options, zoom }), stage));
        return { chapter: id, share: shares.toSorted((a, b) => a - b)[Math.floor((shares.length - 1) / 2)] };
      });
      expect(halves.filter(({ share }) => share < USED)).toEqual([]);
    });
  });
}
