import type { Words } from '../../core/text/words.ts';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { joinScenes } from '../../story/joined-scene.ts';
import type { AnyListedFormat } from '../../core/format.ts';
import { foldedScene } from '../../story/folded-scene.ts';
import { type Frame, type FrameContext, frameScene, frameWords } from '../../story/frames.ts';
import type { Scene } from '../../story/scene.ts';
import type { Timeline } from '../../story/timeline.ts';
import type { Trace } from '../../story/trace.ts';
import {
  chapterAt,
  chapterStart,
  type LoadedStory,
  type Player,
  type SessionState,
  visibleStory,
  stepsAt,
  lastTick,
} from '../../state/index.ts';
import { useApp, useSession } from '../app-context.ts';
import { useFrameContext } from './use-frame-context.ts';

// The scenes on the stage, the page's area for a story's pictures: built for each step, cached, and read by hooks. With
// one format (A) a tick of the player is a step; with two (A and B), the timeline lists the step of each at every tick.
// A frame is a tick at which the player rests.

/** Scenes of each story that are cached: the current step, the prepared one, and the last one of a transition. */
const CACHED_SCENES = 3;
/** The latest scenes of each story: stage, inspector and tables all show the same step, whose scene is built once. */
const lastScenes = new WeakMap<object, { readonly step: number; readonly scene: Scene }[]>();

/** The object by which scenes are cached: the whole matrix, whose bytes step 0 shows, or the trace if it is absent. */
function keyOf({ trace, wholeMatrix }: LoadedStory): object {
  return wholeMatrix ?? trace;
}

/** The scene of a step as the stage shows it: long runs of empty columns are folded to a box. */
export const sceneOf = (loaded: LoadedStory, step: number): Scene =>
  foldedScene(unfoldedScene(loaded, step), loaded.trace);

/** The scene of a step before folding, with positions in the story's part of the matrix; the latest ones are cached. */
function unfoldedScene(loaded: LoadedStory, step: number): Scene {
  const { story, trace, wholeMatrix } = loaded;
  const key = keyOf(loaded);
  const latestScenes = lastScenes.get(key) ?? [];
  const cachedEntry = latestScenes.find((scene) => scene.step === step);
  if (cachedEntry) return cachedEntry.scene;
  const scene = story.scene(trace, step, wholeMatrix);
  lastScenes.set(key, [...latestScenes, { step, scene }].slice(-CACHED_SCENES));
  return scene;
}

const sizeGroups = new WeakMap<object, Map<number, readonly Scene[]>>();

/** The first, middle and last scene of a step's chapter: they decide the size of its pictures. One list per chapter. */
export function sizeGroupOf(loaded: LoadedStory, step: number): readonly Scene[] {
  const { story, trace, wholeMatrix } = loaded;
  const key = keyOf(loaded);
  let byChapter = sizeGroups.get(key);
  if (!byChapter) sizeGroups.set(key, (byChapter = new Map()));
  const chapter = chapterAt(trace.chapters, step);
  let scenes = byChapter.get(chapter);
  if (!scenes) {
    const steps = samplesOf(trace, chapter);
    byChapter.set(chapter, (scenes = steps.map((n) => foldedScene(story.scene(trace, n, wholeMatrix), trace))));
  }
  return scenes;
}

/** The first, middle and last step of a chapter. */
function samplesOf({ chapters, steps }: Trace, chapter: number): readonly number[] {
  const first = chapter < 0 ? 0 : chapterStart(chapters, chapter);
  const last = chapter + 1 < chapters.length ? chapterStart(chapters, chapter + 1) - 1 : steps.length;
  return [...new Set([first, Math.floor((first + last) / 2), last])];
}

/** The scenes that a canvas shows in sequence, by ticks of the player. */
export interface SceneSource {
  readonly tickCount: number;
  /** returns the same object for two consecutive calls with one tick */
  at(tick: number): Scene;
  /** The scenes that decide the size of a tick's picture; the same list for all ticks that share a size. */
  sizeGroup(tick: number): readonly Scene[];
}

/** A function of scenes that returns the same object for the same scene. */
export function memoizedByScene<Part extends Scene | null>(part: (scene: Scene) => Part): (scene: Scene) => Part {
  const results = new WeakMap<Scene, Part>();
  return (scene) => {
    let result = results.get(scene);
    if (result === undefined) results.set(scene, (result = part(scene)));
    return result;
  };
}

/** A source of parts of scenes. `part` has to return the same object for the same scene. */
export function partialSource(source: SceneSource, part: (scene: Scene) => Scene): SceneSource {
  return { ...source, at: (tick) => part(source.at(tick)), sizeGroup: (tick) => source.sizeGroup(tick).map(part) };
}

const sources = new WeakMap<object, { readonly timeline: Timeline | null; readonly source: SceneSource }>();

/** The scenes of a story at the ticks of a timeline. The same object for the same story. */
export function storySource(loaded: LoadedStory, timeline: Timeline | null, side: 'a' | 'b' = 'a'): SceneSource {
  const key = keyOf(loaded);
  const cachedEntry = sources.get(key);
  if (cachedEntry?.timeline === timeline) return cachedEntry.source;
  const last = loaded.trace.steps.length;
  const stepAt = (tick: number): number => Math.min(stepsAt(timeline, tick)[side], last);
  const source: SceneSource = {
    tickCount: timeline ? lastTick(timeline) : last,
    at: (tick) => sceneOf(loaded, stepAt(tick)),
    sizeGroup: (tick) => sizeGroupOf(loaded, stepAt(tick)),
  };
  sources.set(key, { timeline, source });
  return source;
}

/** The scene of a step, or of the last step if the story is shorter; null without a story. */
function visibleScene(loaded: LoadedStory | null, step: number): Scene | null {
  return loaded && sceneOf(loaded, Math.min(step, loaded.trace.steps.length));
}

/** The current scene of A; null before the first matrix, and if it has no story. */
export function useScene(): Scene | null {
  const { player } = useApp();
  const loaded = useSession((s) => visibleStory(s.trace));
  const timeline = useSession((s) => s.timeline);
  const step = useStore(player.store, (s) => stepsAt(timeline, s.step).a);
  return visibleScene(loaded, step);
}

/** @public The current scenes of A and of B; null for a format without a story. */
export function useScenes(): { readonly a: Scene | null; readonly b: Scene | null } {
  const { player } = useApp();
  const loaded = useSession((s) => visibleStory(s.storyB));
  const timeline = useSession((s) => s.timeline);
  const step = useStore(player.store, (s) => stepsAt(timeline, s.step).b);
  return { a: useScene(), b: visibleScene(loaded, step) };
}

/** What the stage shows of one or two formats. */
export interface StageScenes {
  readonly source: SceneSource;
  /** ids of the formats of the stories */
  readonly format: string;
  readonly otherFormat: string | null;
}

interface JoinOptions {
  readonly join: typeof joinScenes;
  /** whether the player goes through every step */
  readonly everyStep: boolean;
  readonly titleOf: (format: string) => string;
}

/** The pictures of both stories at every tick of their timeline. */
function joinedSource(
  a: LoadedStory,
  b: LoadedStory,
  timeline: Timeline,
  { join, everyStep, titleOf }: JoinOptions,
): SceneSource {
  const { window } = a.trace;
  /** the tick of the frame before this tick; if the player goes through every step, the tick before */
  const restBefore = (tick: number): number => {
    const previousFrame = everyStep ? undefined : timeline.frames.findLast(({ at }) => at < tick);
    return previousFrame?.at ?? Math.max(0, tick - 1);
  };
  const drawTick = (tick: number): Scene => {
    const [currentSteps, previousSteps] = [stepsAt(timeline, tick), stepsAt(timeline, restBefore(tick))];
    const sideOf = (side: 'a' | 'b', loaded: LoadedStory) => ({
      scene: unfoldedScene(loaded, Math.min(currentSteps[side], loaded.trace.steps.length)),
      title: titleOf(loaded.trace.format),
      moved: currentSteps[side] !== previousSteps[side],
    });
    return foldedScene(join(window, sideOf('a', a), sideOf('b', b), a.trace.origin), a.trace);
  };
  let cachedScenes: readonly { readonly tick: number; readonly scene: Scene }[] = [];
  const sceneAt = (tick: number): Scene => {
    const cachedEntry = cachedScenes.find((scene) => scene.tick === tick);
    if (cachedEntry) return cachedEntry.scene;
    const scene = drawTick(tick);
    cachedScenes = [...cachedScenes, { tick, scene }].slice(-CACHED_SCENES);
    return scene;
  };
  const sizeGroupsByChapter = new Map<number, readonly Scene[]>();
  return {
    tickCount: lastTick(timeline),
    at: sceneAt,
    sizeGroup(tick) {
      const { chapters } = timeline;
      const chapter = chapterAt(chapters, tick);
      let scenes = sizeGroupsByChapter.get(chapter);
      if (!scenes) {
        const first = chapter < 0 ? 0 : chapterStart(chapters, chapter);
        const end = chapter + 1 < chapters.length ? chapterStart(chapters, chapter + 1) - 1 : lastTick(timeline);
        // Without the first scene: before anything is stored, a picture differs in kind from later ones.
        sizeGroupsByChapter.set(chapter, (scenes = [...new Set([Math.min(end, first + 1), end])].map(drawTick)));
      }
      return scenes;
    },
  };
}

interface StagedStories extends Pick<SessionState, 'timeline' | 'joinScenes'> {
  readonly a: LoadedStory | null;
  readonly b: LoadedStory | null;
  readonly everyStep: boolean;
}

/** What the stage shows for a given state, as a new object at every call. */
export function stageScenesOf(
  { a, b, timeline, joinScenes: join, everyStep }: StagedStories,
  formats: readonly Pick<AnyListedFormat, 'id' | 'title'>[],
): StageScenes | null {
  const titleOf = (id: string): string => formats.find((format) => format.id === id)?.title ?? id;
  // While one of the two is loading, the previous picture stays, with its timeline.
  if (a && b && timeline?.b && join) {
    const source = joinedSource(a, b, timeline, { join, everyStep, titleOf });
    return { source, format: a.trace.format, otherFormat: b.trace.format };
  }
  const [onlyStory, side] = a ? ([a, 'a'] as const) : ([b, 'b'] as const);
  return (
    onlyStory && { source: storySource(onlyStory, timeline, side), format: onlyStory.trace.format, otherFormat: null }
  );
}

/** What the page's stage shows: A, both, or B if A has no story; null if neither has a story. */
export function useStageScenes(): StageScenes | null {
  const { formats, player } = useApp();
  const a = useSession((s) => visibleStory(s.trace));
  const b = useSession((s) => visibleStory(s.storyB));
  const timeline = useSession((s) => s.timeline);
  const joinScenes = useSession((s) => s.joinScenes);
  const everyStep = useStore(player.store, (s) => s.frame === null);
  return useMemo(
    () => stageScenesOf({ a, b, timeline, joinScenes, everyStep }, formats),
    [a, b, timeline, joinScenes, everyStep, formats],
  );
}

/** The scene at the player's tick, even if the stage shows a directed frame's picture instead. */
export function useTickScene(scenes: StageScenes | null): Scene | null {
  const { player } = useApp();
  const tick = useStore(player.store, (s) => s.step);
  return scenes && scenes.source.at(Math.min(tick, scenes.source.tickCount));
}

/** The frame that the player shows, if it is directed: with text and pictures written for a story; else null. */
export function scriptFrameOf({ frame, frames }: ReturnType<Player['store']['getState']>): Frame | null {
  return frame === null ? null : (frames[frame - 1]?.scriptFrame ?? null);
}

/** The last picture of each frame that the stage has shown. */
const pictures = new WeakMap<
  Frame,
  { readonly pictureIndex: number; readonly context: FrameContext; readonly scene: Scene }
>();

/** The last picture of a frame that the stage has shown, in the context in which it was shown; null for others. */
export function lastPictureOf(frame: Frame): Scene | null {
  const lastShown = pictures.get(frame);
  return lastShown ? frameScene(frame, frame.moves.length - 1, lastShown.context) : null;
}

/** The picture on the stage: a directed frame's picture, or the scene at the player's tick. */
export function useStageScene(scenes: StageScenes | null): Scene | null {
  const { player } = useApp();
  const frame = useStore(player.store, scriptFrameOf);
  const pictureIndex = useStore(player.store, (s) => s.picture);
  const context = useFrameContext();
  const scene = useTickScene(frame ? null : scenes);
  if (!frame || !scenes) return scene;
  const cachedEntry = pictures.get(frame);
  if (cachedEntry?.pictureIndex === pictureIndex && cachedEntry.context === context) return cachedEntry.scene;
  const drawnScene = frameScene(frame, pictureIndex, context);
  pictures.set(frame, { pictureIndex, context, scene: drawnScene });
  return drawnScene;
}

/** The text on the stage: during a transition, the text of the frame at its end. */
export function useStageWords(scenes: StageScenes | null): readonly Words[] {
  const { player } = useApp();
  const scene = useStageScene(scenes);
  const everyStep = useStore(player.store, ({ frame }) => frame === null);
  const frameTick = useStore(player.store, ({ frame, frames, step }) => frames[(frame ?? 0) - 1]?.at ?? step);
  if (!scenes || !scene) return [];
  if (scene.drawing) return scene.narration;
  const sceneAtFrame = scenes.source.at(Math.min(frameTick, scenes.source.tickCount));
  return everyStep ? sceneAtFrame.narration : frameWords(sceneAtFrame);
}
