import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { joinScenes } from '../../core/story/joined-scene.ts';
import type { Scene } from '../../core/story/scene.ts';
import type { Timeline } from '../../core/story/timeline.ts';
import { chapterAt, chapterStart, type LoadedStory, shownStory, stepsAt, tickCount } from '../../state/index.ts';
import { useApp, useSession } from '../app-context.ts';
import { type SceneSource, sceneOf, sourceOf } from './use-scene.ts';

/** The scene at a tick and at the one that is prepared. */
const REMEMBERED = 2;

/** What a stage of one or two formats shows. */
export interface StageScenes {
  readonly source: SceneSource;
  /** ids of the formats whose stories it tells */
  readonly format: string;
  readonly against: string | null;
}

interface JoinOptions {
  readonly join: typeof joinScenes;
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
  /** the tick at which the player rested before */
  const restBefore = (tick: number): number => {
    const stop = everyStep ? undefined : timeline.stops.find(({ from, at }) => from < tick && tick <= at);
    return stop?.from ?? Math.max(0, tick - 1);
  };
  const draw = (tick: number): Scene => {
    const [now, before] = [stepsAt(timeline, tick), stepsAt(timeline, restBefore(tick))];
    const narrated = (side: 'a' | 'b', loaded: LoadedStory) => ({
      scene: sceneOf(loaded, Math.min(now[side], loaded.trace.steps.length)),
      title: titleOf(loaded.trace.format),
      moved: now[side] !== before[side],
    });
    const difference = timeline.stops.find(({ at }) => at === tick)?.difference;
    return join(window, narrated('a', a), narrated('b', b), difference);
  };
  let last: readonly { readonly tick: number; readonly scene: Scene }[] = [];
  const at = (tick: number): Scene => {
    const known = last.find((remembered) => remembered.tick === tick);
    if (known) return known.scene;
    const scene = draw(tick);
    last = [...last, { tick, scene }].slice(-REMEMBERED);
    return scene;
  };
  const alikeOf = new Map<number, readonly Scene[]>();
  return {
    tickCount: tickCount(timeline),
    at,
    alike(tick) {
      const { chapters } = timeline;
      const chapter = chapterAt(chapters, tick);
      let scenes = alikeOf.get(chapter);
      if (!scenes) {
        const first = chapter < 0 ? 0 : chapterStart(chapters, chapter);
        const end = chapter + 1 < chapters.length ? chapterStart(chapters, chapter + 1) - 1 : tickCount(timeline);
        // Before anything is stored a picture is of another kind than after it.
        alikeOf.set(chapter, (scenes = [...new Set([Math.min(end, first + 1), end])].map(draw)));
      }
      return scenes;
    },
  };
}

/** What the stage of the page shows, of A, of both, or of B where A has no story; null where neither has one. */
export function useStageScenes(): StageScenes | null {
  const { formats, player } = useApp();
  const a = useSession((s) => shownStory(s.trace));
  const b = useSession((s) => shownStory(s.against));
  const timeline = useSession((s) => s.timeline);
  const join = useSession((s) => s.joinScenes);
  const everyStep = useStore(player.store, (s) => s.everyStep);
  return useMemo(() => {
    const titleOf = (id: string): string => formats.find((format) => format.id === id)?.title ?? id;
    // While one of the two is being loaded, what was there stays, with its timeline.
    if (a && b && timeline?.b && join) {
      const source = joinedSource(a, b, timeline, { join, everyStep, titleOf });
      return { source, format: a.trace.format, against: b.trace.format };
    }
    const [one, side] = a ? ([a, 'a'] as const) : ([b, 'b'] as const);
    return one && { source: sourceOf(one, timeline, side), format: one.trace.format, against: null };
  }, [a, b, timeline, join, everyStep, formats]);
}

/** The scene of the player's tick, of those that the stage shows. */
export function useStageScene(scenes: StageScenes | null): Scene | null {
  const { player } = useApp();
  const tick = useStore(player.store, (s) => s.step);
  return scenes && scenes.source.at(Math.min(tick, scenes.source.tickCount));
}
