import { defaultParams, stageParams } from '../../src/core/format.ts';
import { keyMoments } from '../../src/core/story/moments.ts';
import { formats } from '../../src/formats/registry.ts';
import { generate } from '../../src/generate/generate.ts';

/** A script for the page: how long its stories take to be laid out, on the largest window. */

const SCENES = 100;
/** Some take less than the step of the page's clock. */
const REPEATS = 10;
/** Windows by what is left; a story that refuses most has the first that it takes. */
const DENSITIES = [0.3, 0.05];

/** By format: milliseconds for a scene, the mean of many over the story, and for its key moments. */
export async function storyFigures(): Promise<
  readonly { readonly id: string; readonly sceneMs: number; readonly momentsMs: number }[]
> {
  const windows = DENSITIES.map((density) => generate({ pattern: 'uniform', rows: 64, cols: 64, density, seed: 7 }));
  return Promise.all(
    formats.map(async (format) => {
      const story = await format.story();
      const params = stageParams<Readonly<Record<string, unknown>>>(format.params, defaultParams(format.params));
      const window = windows.find((m) => story.admits(m, params).ok);
      if (!window) throw new Error(`${format.id}: found no window that its story admits`);
      const trace = story.trace(window, params);
      const begun = performance.now();
      for (let i = 0; i < SCENES; i++) story.scene(trace, Math.floor((i * (trace.steps.length - 1)) / (SCENES - 1)));
      const narratedAt = performance.now();
      // The least of some: the first ones are compiled.
      let momentsMs = Number.POSITIVE_INFINITY;
      for (let i = 0; i < 5; i++) {
        const before = performance.now();
        for (let again = 0; again < REPEATS; again++) keyMoments({ story, trace });
        momentsMs = Math.min(momentsMs, (performance.now() - before) / REPEATS);
      }
      return { id: format.id, sceneMs: (narratedAt - begun) / SCENES, momentsMs };
    }),
  );
}
