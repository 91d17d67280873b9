import type { SceneView } from '../../render/scene-view.ts';

/** The one stage of the page, so that commands from elsewhere can save its picture. */
let current: SceneView | null = null;

export function currentSceneView(): SceneView | null {
  return current;
}

/** Called by the stage with its view, and with null when it goes. */
export function setCurrentSceneView(view: SceneView | null): void {
  current = view;
}
