import { createStore } from 'zustand/vanilla';
import type { SceneView } from '../../render/index.ts';

/** The canvas view with the page's current picture, for commands that save it; null if there is none. */
export const currentSceneView = createStore<SceneView | null>(() => null);
