import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { useStore } from 'zustand';
import { narrationText, type Scene } from '../../core/story/scene.ts';
import type { SceneView } from '../../render/scene-view.ts';
import { shownStory } from '../../state/index.ts';
import { useApp, useSession } from '../app-context.ts';
import { type SceneSource, sourceOf } from './use-scene.ts';

/** What was shown last, and in which view. */
interface Shown {
  readonly view: SceneView;
  readonly scene: Scene;
  readonly format: string;
  readonly step: number;
  readonly atMs: number;
}

/** Steps of a sweep that follow each other faster appear at once: there is no time for a movement. */
const MIN_MOTION_MS = 120;

/**
 * Keeps the scene in its view. Steps that follow each other move; jumps and other stories appear at once. `scenes`: where
 * the scene comes from; by default the story of A.
 *
 * While the story plays, the next step is prepared beside the frames of this one, a part in each, so that no frame has
 * a whole step to do. When the player reaches it, it is drawn before the words of the page change: a browser lays out a
 * page that has just changed before it measures or draws words, and a frame has no time for that.
 */
export function useShownScene(
  view: RefObject<SceneView | null>,
  scene: Scene,
  format: string,
  scenes: SceneSource | null = null,
): void {
  const {
    player,
    session: { store },
  } = useApp();
  const playing = useStore(player.store, (state) => state.playing);
  const loaded = useSession((s) => shownStory(s.trace));
  const timeline = useSession((s) => s.timeline);
  const source = scenes ?? (loaded && sourceOf(loaded, timeline));
  const shown = useRef<Shown | null>(null);
  const alike = useRef<readonly Scene[]>([]);

  const show = useEffectEvent((next: Scene): void => {
    const into = view.current;
    const before = shown.current?.view === into ? shown.current : null;
    if (!into || before?.scene === next) return;
    const { step, sweepingTo } = player.store.getState();
    const { previewing } = store.getState();
    // A pruning that is being chosen tells another story in every frame: it is drawn as large as the one before.
    if (source && !previewing) alike.current = source.alike(Math.min(step, source.tickCount));
    const atMs = performance.now();
    const follows = before !== null && before.format === format && Math.abs(before.step - step) === 1;
    const animate = follows && (sweepingTo === null || atMs - before.atMs >= MIN_MOTION_MS);
    into.show(next, { animate, alike: alike.current });
    into.canvas.setAttribute('aria-label', narrationText(next));
    shown.current = { view: into, scene: next, format, step, atMs };
  });

  useEffect(() => {
    show(scene);
  }, [scene, format]);

  useEffect(() => {
    const next = player.store.getState().step + 1;
    if (!playing || !source || next > source.tickCount) return;
    const { trace, against } = store.getState();
    let ahead: Scene | null = null;
    let frame = requestAnimationFrame(() => {
      ahead = source.at(next);
      frame = requestAnimationFrame(() => {
        if (ahead) view.current?.prepare(ahead, source.alike(next));
        frame = requestAnimationFrame(function more() {
          if (view.current?.prepareMore()) frame = requestAnimationFrame(more);
        });
      });
    });
    const unsubscribe = player.store.subscribe(({ step }) => {
      const now = store.getState();
      if (ahead && step === next && now.trace === trace && now.against === against) show(ahead);
    });
    return () => {
      cancelAnimationFrame(frame);
      unsubscribe();
    };
  }, [scene, playing, player, store, source, view]);
}
