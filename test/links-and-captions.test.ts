// No curve of a picture crosses a label.

import { describe, expect, it } from 'vitest';
import { defaultParams, storyParams } from '../src/core/format.ts';
import type { LaidOutScene, PlacedLink, Rect } from '../src/render/layout/laid-out.ts';
import { layoutScene } from '../src/render/layout/layout.ts';
import { labelRect } from '../src/render/layout/link-routes.ts';
import { estimateTextWidth } from '../src/render/text-measurer.ts';
import { firstVisitMatrix } from './shipped.ts';
import { formatsWithStories } from './stories.ts';
import { cases } from './scheduled.ts';

/** Points along a link, so dense that no word fits between two of them. */
function pointsOf({ start, curves }: PlacedLink): readonly (readonly [number, number])[] {
  const points: (readonly [number, number])[] = [];
  let [x0, y0] = start;
  for (const [ax, ay, bx, by, x, y] of curves) {
    for (let i = 0; i <= 64; i++) {
      const t = i / 64;
      const u = 1 - t;
      const [a, b, c, d] = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t];
      points.push([a * x0 + b * ax + c * bx + d * x, a * y0 + b * ay + c * by + d * y]);
    }
    [x0, y0] = [x, y];
  }
  return points;
}

function isInside([x, y]: readonly [number, number], r: Rect): boolean {
  return x > r.x && x < r.x + r.w && y > r.y && y < r.y + r.h;
}

/** The labels that links cross, each with the id of the link. */
function crossings(picture: LaidOutScene): readonly string[] {
  const words = picture.labels.map((label) => ({ text: label.text, rect: labelRect(label, estimateTextWidth) }));
  return picture.links
    .filter(({ kind }) => kind === 'curve')
    .flatMap((link) => {
      const points = pointsOf(link);
      return words
        .filter(({ rect }) => points.some((point) => isInside(point, rect)))
        .map(({ text }) => `${link.id} runs through '${text}'`);
    });
}

/** One step in this many of each story. */
const EVERY = cases(8, 3);

for (const { format, story } of await formatsWithStories()) {
  describe(format.id, async () => {
    const window = await firstVisitMatrix(format.bestExample.id);
    const trace = story.trace(window, storyParams<object>(format.params, defaultParams(format.params)));

    it.each([
      [366, 560],
      [797, 583],
    ])('no curve crosses words on a stage of %i × %i px', (width, stageHeight) => {
      const found: string[] = [];
      for (let step = 0; step <= trace.steps.length; step += EVERY) {
        const picture = layoutScene(story.scene(trace, step), { width, stageHeight, measure: estimateTextWidth });
        for (const crossing of crossings(picture)) found.push(`step ${step}: ${crossing}`);
      }
      expect(found).toEqual([]);
    });
  });
}
