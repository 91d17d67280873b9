import { createStore } from 'zustand/vanilla';
import type { SceneView } from '../../render/scene-view.ts';

/** The view of the page's only stage, so that commands elsewhere can save its picture; null if there is none. */
export const currentSceneView = createStore<SceneView | null>(() => null);
