import { defaultParams, storyParams } from '../../src/core/format.ts';
import { type FrameContext, frameScene } from '../../src/story/frames.ts';
import { timelineOf } from '../../src/story/timeline.ts';
import { formats } from '../../src/formats/registry.ts';
import { generate } from '../../src/generate/generate.ts';
import { loadStory } from '../../src/story/format-story.ts';

/** A script for the page: how long its stories take to be laid out, on the largest window. */

const SCENES = 100;
/** Some take less than the step of the page's clock. */
const REPEATS = 10;
/** Windows by density; a story that rejects most has the first that it accepts. */
const DENSITIES = [0.3, 0.05];

const CONTEXT: FrameContext = { layout: 'wide', whole: null, recordedTimes: null };

/** Of one format, milliseconds. */
interface StoryFigures {
  readonly id: string;
  /** for a scene, the mean of many over the story */
  readonly sceneMs: number;
  /** until its frames are known */
  readonly framesMs: number;
  /** for a picture of a directed frame, the mean of all: its script's, or at least its last */
  readonly pictureMs: number;
}

/** By format. */
export async function storyFigures(): Promise<readonly StoryFigures[]> {
  const windows = DENSITIES.map((density) => generate({ pattern: 'uniform', rows: 64, cols: 64, density, seed: 7 }));
  return Promise.all(
    formats.map(async (format) => {
      const story = await loadStory(format);
      const params = storyParams<Readonly<Record<string, unknown>>>(format.params, defaultParams(format.params));
      const window = windows.find((m) => story.admits(m, params).ok);
      if (!window) throw new Error(`${format.id}: found no window that its story supports`);
      const trace = story.trace(window, params);
      const begun = performance.now();
      for (let i = 0; i < SCENES; i++) story.scene(trace, Math.floor((i * (trace.steps.length - 1)) / (SCENES - 1)));
      const narratedAt = performance.now();
      // The shortest of some: the first ones are compiled.
      let framesMs = Number.POSITIVE_INFINITY;
      for (let i = 0; i < 5; i++) {
        const before = performance.now();
        for (let again = 0; again < REPEATS; again++) timelineOf({ story, trace });
        framesMs = Math.min(framesMs, (performance.now() - before) / REPEATS);
      }
      const directed = timelineOf({ story, trace }).frames.flatMap((frame) => frame.scriptFrame ?? []);
      const pictures = directed.flatMap((frame) => frame.moves.map((_, picture) => ({ frame, picture })));
      const drawnFrom = performance.now();
      for (let again = 0; again < REPEATS; again++) {
        for (const { frame, picture } of pictures) frameScene(frame, picture, CONTEXT);
      }
      const drawnMs = performance.now() - drawnFrom;
      return {
        id: format.id,
        sceneMs: (narratedAt - begun) / SCENES,
        framesMs,
        pictureMs: drawnMs / REPEATS / pictures.length,
      };
    }),
  );
}
