import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { useStore } from 'zustand';
import { narrationText, type Scene } from '../../core/story/scene.ts';
import type { SceneView } from '../../render/scene-view.ts';
import { shownStory } from '../../state/index.ts';
import { useApp } from '../app-context.ts';
import { sceneOf, scenesAlike } from './use-scene.ts';

/** What was shown last, and in which view. */
interface Shown {
  readonly view: SceneView;
  readonly scene: Scene;
  readonly format: string;
  readonly step: number;
}

/**
 * Keeps the scene in its view. Steps that follow each other move; jumps and other stories appear at once.
 *
 * While the story plays, the next step is prepared beside the frames of this one, a part in each, so that no frame has
 * a whole step to do. When the player reaches it, it is drawn before the words of the page change: a browser lays out a
 * page that has just changed before it measures or draws words, and a frame has no time for that.
 */
export function useShownScene(view: RefObject<SceneView | null>, scene: Scene, format: string): void {
  const { player, session } = useApp();
  const playing = useStore(player.store, (state) => state.playing);
  const shown = useRef<Shown | null>(null);
  const alike = useRef<readonly Scene[]>([]);

  const show = useEffectEvent((next: Scene): void => {
    const into = view.current;
    const before = shown.current?.view === into ? shown.current : null;
    if (!into || before?.scene === next) return;
    const { step } = player.store.getState();
    const { trace, previewing } = session.store.getState();
    const loaded = shownStory(trace);
    // A pruning that is being chosen tells another story in every frame: it is drawn as large as the one before.
    if (loaded && !previewing) alike.current = scenesAlike(loaded, Math.min(step, loaded.trace.steps.length));
    const animate = before !== null && before.format === format && Math.abs(before.step - step) === 1;
    into.show(next, { animate, alike: alike.current });
    into.canvas.setAttribute('aria-label', narrationText(next));
    shown.current = { view: into, scene: next, format, step };
  });

  useEffect(() => {
    show(scene);
  }, [scene, format]);

  useEffect(() => {
    const loaded = shownStory(session.store.getState().trace);
    const next = player.store.getState().step + 1;
    if (!playing || !loaded || next > loaded.trace.steps.length) return;
    let ahead: Scene | null = null;
    let frame = requestAnimationFrame(() => {
      ahead = sceneOf(loaded, next);
      frame = requestAnimationFrame(() => {
        if (ahead) view.current?.prepare(ahead, scenesAlike(loaded, next));
        frame = requestAnimationFrame(function more() {
          if (view.current?.prepareMore()) frame = requestAnimationFrame(more);
        });
      });
    });
    const unsubscribe = player.store.subscribe(({ step }) => {
      if (ahead && step === next && shownStory(session.store.getState().trace) === loaded) show(ahead);
    });
    return () => {
      cancelAnimationFrame(frame);
      unsubscribe();
    };
  }, [scene, playing, player, session, view]);
}
