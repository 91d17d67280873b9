import type { SceneView } from '../../render/scene-view.ts';

/** The view of the page's only stage, so that commands elsewhere can save its picture. */
let current: SceneView | null = null;

/** The view of the stage on the page; null if it shows none. */
export function currentSceneView(): SceneView | null {
  return current;
}

/** Called by the stage with its view, and with null when it is removed. */
export function setCurrentSceneView(view: SceneView | null): void {
  current = view;
}
