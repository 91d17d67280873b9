import { useStore } from 'zustand';
import type { Scene } from '../../core/story/scene.ts';
import type { Timeline } from '../../core/story/timeline.ts';
import type { Trace } from '../../core/story/trace.ts';
import { chapterAt, chapterStart, type LoadedStory, shownStory, stepsAt, tickCount } from '../../state/index.ts';
import { useApp, useSession } from '../app-context.ts';

/** The step on the stage, and the one that is prepared. */
const REMEMBERED = 2;
/** The last scenes of each story: stage, inspector and tables all show the same step, and it is drawn up once. */
const lastScenes = new WeakMap<object, { readonly step: number; readonly scene: Scene }[]>();

/** What scenes are remembered by: with the bytes of the whole matrix, step 0 is another. Each is of one trace alone. */
function keyOf({ trace, whole }: LoadedStory): object {
  return whole ?? trace;
}

/** The scene of a step; the two that were drawn up last are remembered. */
export function sceneOf(loaded: LoadedStory, step: number): Scene {
  const { story, trace, whole } = loaded;
  const key = keyOf(loaded);
  const last = lastScenes.get(key) ?? [];
  const known = last.find((remembered) => remembered.step === step);
  if (known) return known.scene;
  const scene = story.scene(trace, step, whole);
  lastScenes.set(key, [...last, { step, scene }].slice(-REMEMBERED));
  return scene;
}

const chaptersOf = new WeakMap<object, Map<number, readonly Scene[]>>();

/**
 * Steps of the chapter that a step belongs to which say how large its pictures are: its first, its last and some between.
 * One list for all steps of a chapter.
 */
export function scenesAlike(loaded: LoadedStory, step: number): readonly Scene[] {
  const { story, trace, whole } = loaded;
  const key = keyOf(loaded);
  let known = chaptersOf.get(key);
  if (!known) chaptersOf.set(key, (known = new Map()));
  const chapter = chapterAt(trace.chapters, step);
  let scenes = known.get(chapter);
  if (!scenes) {
    const steps = samplesOf(trace, chapter);
    known.set(chapter, (scenes = steps.map((n) => story.scene(trace, n, whole))));
  }
  return scenes;
}

function samplesOf({ chapters, steps }: Trace, chapter: number): readonly number[] {
  const first = chapter < 0 ? 0 : chapterStart(chapters, chapter);
  const last = chapter + 1 < chapters.length ? chapterStart(chapters, chapter + 1) - 1 : steps.length;
  return [...new Set([first, Math.floor((first + last) / 2), last])];
}

/** The scenes that a canvas shows one after the other, by ticks of the player. */
export interface SceneSource {
  readonly tickCount: number;
  /** the same scene when it is asked for twice in a row */
  at(tick: number): Scene;
  /** Scenes that say how large the one of a tick is drawn; the same list for all that are drawn alike. */
  alike(tick: number): readonly Scene[];
}

const sources = new WeakMap<object, { readonly timeline: Timeline | null; readonly source: SceneSource }>();

/** The scenes of a story at the ticks of a timeline. The same object for the same story. */
export function sourceOf(loaded: LoadedStory, timeline: Timeline | null, side: 'a' | 'b' = 'a'): SceneSource {
  const key = keyOf(loaded);
  const known = sources.get(key);
  if (known?.timeline === timeline) return known.source;
  const last = loaded.trace.steps.length;
  const stepAt = (tick: number): number => Math.min(stepsAt(timeline, tick)[side], last);
  const source: SceneSource = {
    tickCount: timeline ? tickCount(timeline) : last,
    at: (tick) => sceneOf(loaded, stepAt(tick)),
    alike: (tick) => scenesAlike(loaded, stepAt(tick)),
  };
  sources.set(key, { timeline, source });
  return source;
}

/** The scene of a step, or of the last one: a story that is being left may be longer than its successor. */
function shownScene(loaded: LoadedStory | null, step: number): Scene | null {
  return loaded && sceneOf(loaded, Math.min(step, loaded.trace.steps.length));
}

/** What the stage shows of A now; null before the first matrix, and when there is no story of the window. */
export function useScene(): Scene | null {
  const { player } = useApp();
  const loaded = useSession((s) => shownStory(s.trace));
  const timeline = useSession((s) => s.timeline);
  const step = useStore(player.store, (s) => stepsAt(timeline, s.step).a);
  return shownScene(loaded, step);
}

/** @public What the stage shows now of A and of B; null for one that has no story. */
export function useScenes(): { readonly a: Scene | null; readonly b: Scene | null } {
  const { player } = useApp();
  const loaded = useSession((s) => shownStory(s.against));
  const timeline = useSession((s) => s.timeline);
  const step = useStore(player.store, (s) => stepsAt(timeline, s.step).b);
  return { a: useScene(), b: shownScene(loaded, step) };
}
