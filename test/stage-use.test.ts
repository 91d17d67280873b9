// Pictures of every chapter use most of the stage.

import { describe, expect, it } from 'vitest';
import { defaultParams, storyParams } from '../src/core/format.ts';
import type { LaidOutScene } from '../src/render/layout/laid-out.ts';
import { layoutScene } from '../src/render/layout/layout.ts';
import { labelRect } from '../src/render/layout/link-routes.ts';
import { ON_STAGE, zoomOf } from '../src/render/layout/zoom.ts';
import { estimateTextWidth } from '../src/render/text-measurer.ts';
import { sizeGroupOf } from '../src/kit/stage/use-scene.ts';
import { firstVisitMatrix } from './shipped.ts';
import { formatsWithStories } from './stories.ts';
import { cases } from './scheduled.ts';

/** Inner size of the stage in windows of 1440 × 900 and 2560 × 1440; e2e/present.spec.ts compares it with the page. */
const STAGES = [
  { name: '1440 × 900', width: 1393, stageHeight: 435 },
  { name: '2560 × 1440', width: 2001, stageHeight: 884 },
] as const;

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

for (const { format, story } of await formatsWithStories()) {
  describe(format.id, async () => {
    const window = await firstVisitMatrix(format.bestExample.id);
    const params = storyParams<object>(format.params, defaultParams(format.params));
    const narrated = { story, trace: story.trace(window, params) };
    const { chapters } = narrated.trace;

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
