import { defaultParams, storyParams } from '../../src/core/format.ts';
import { type FrameContext, frameScene } from '../../src/story/frames.ts';
import { timelineOf } from '../../src/story/timeline.ts';
import { formats } from '../../src/formats/registry.ts';
import { generate } from '../../src/generate/generate.ts';
import { loadStory } from '../../src/story/format-story.ts';

// Runs inside the page (bench/page/visits.ts), and measures how long the computation of stories takes on the largest window.

/** Number of scenes per story, spread evenly over its steps. */
const SCENES = 100;
/** Short work is repeated, since it may take less than the resolution of the page's clock. */
const REPEATS = 10;
/** Densities of windows; each story uses the first window that it supports. */
const DENSITIES = [0.3, 0.05];

const CONTEXT: FrameContext = { layout: 'wide', wholeMatrix: null, recordedTimes: null };

/** The times of the story of a format, in ms. */
interface StoryFigures {
  readonly id: string;
  /** mean time to compute a scene */
  readonly sceneMs: number;
  /** time to compute all frames */
  readonly framesMs: number;
  /** mean time to compute a picture of a frame that the story itself defines (`scriptFrame`) */
  readonly pictureMs: number;
}

/** Measures the stories of all formats. */
export async function storyFigures(): Promise<readonly StoryFigures[]> {
  const windows = DENSITIES.map((density) => generate({ pattern: 'uniform', rows: 64, cols: 64, density, seed: 7 }));
  return Promise.all(
    formats.map(async (format) => {
      const story = await loadStory(format);
      const params = storyParams<Readonly<Record<string, unknown>>>(format.params, defaultParams(format.params));
      const window = windows.find((m) => story.admits(m, params).ok);
      if (!window) throw new Error(`${format.id}: found no window that its story supports`);
      const trace = story.trace(window, params);
      const scenesStart = performance.now();
      for (let i = 0; i < SCENES; i++) story.scene(trace, Math.floor((i * (trace.steps.length - 1)) / (SCENES - 1)));
      const scenesEnd = performance.now();
      // The minimum of five: code is compiled during the first ones.
      let framesMs = Number.POSITIVE_INFINITY;
      for (let i = 0; i < 5; i++) {
        const before = performance.now();
        for (let again = 0; again < REPEATS; again++) timelineOf({ story, trace });
        framesMs = Math.min(framesMs, (performance.now() - before) / REPEATS);
      }
      const directed = timelineOf({ story, trace }).frames.flatMap((frame) => frame.scriptFrame ?? []);
      const pictures = directed.flatMap((frame) => frame.moves.map((_, picture) => ({ frame, picture })));
      const picturesStart = performance.now();
      for (let again = 0; again < REPEATS; again++) {
        for (const { frame, picture } of pictures) frameScene(frame, picture, CONTEXT);
      }
      const picturesMs = performance.now() - picturesStart;
      return {
        id: format.id,
        sceneMs: (scenesEnd - scenesStart) / SCENES,
        framesMs,
        pictureMs: picturesMs / REPEATS / pictures.length,
      };
    }),
  );
}
