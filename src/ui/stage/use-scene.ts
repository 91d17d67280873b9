import { useStore } from 'zustand';
import type { AnyFormat } from '../../core/format.ts';
import type { Scene } from '../../core/scene.ts';
import type { Trace } from '../../core/trace.ts';
import { useApp, useSession } from '../app-context.ts';

/** The last scene of each story: stage, inspector and tables all show the same step, and it is drawn up once. */
const lastScenes = new WeakMap<Trace, { readonly step: number; readonly scene: Scene }>();

/** The scene of a step; the one asked for last is remembered. */
export function sceneOf(formats: readonly AnyFormat[], trace: Trace, step: number): Scene | null {
  const last = lastScenes.get(trace);
  if (last?.step === step) return last.scene;
  const format = formats.find((f) => f.id === trace.format);
  if (!format) return null;
  const scene = format.scene(trace, step);
  lastScenes.set(trace, { step, scene });
  return scene;
}

/** What the stage shows now; null before the first matrix, or when the format refuses the window. */
export function useScene(): Scene | null {
  const { formats, player } = useApp();
  const story = useSession((s) => s.trace);
  const step = useStore(player.store, (s) => s.step);
  if (story.kind !== 'ready') return null;
  return sceneOf(formats, story.trace, Math.min(step, story.trace.steps.length));
}
