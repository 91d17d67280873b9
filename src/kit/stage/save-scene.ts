import { messageOf } from '../../core/error-messages.ts';
import type { Caption } from '../../render/index.ts';
import type { Scene } from '../../story/scene.ts';
import type { App } from '../app-context.ts';
import { registerPart } from '../browser/lazy-part.ts';
import { saveBlob } from '../browser/save-blob.ts';
import { currentSceneView } from './current-scene-view.ts';
import { captionOf, formatsOnStage, pictureName } from './picture-caption.ts';

// The code for saving is loaded in advance, so that saving works without a network too.
registerPart(() => import('../../render/export-svg.ts'));
registerPart(() => import('../../render/export-png.ts'));
registerPart(() => import('../../render/layout/heading.ts'));

/** Saves the page's current picture with its text as a file, or announces that there is none. */
export async function saveScene(kind: 'svg' | 'png', app: App): Promise<void> {
  const view = currentSceneView.getState();
  const name = `${pictureName(formatsOnStage(app), app.player.store.getState())}.${kind}`;
  const caption = (scene: Scene): Caption => captionOf(app, scene);
  try {
    const blob =
      kind === 'svg' ? svgBlob((await view?.toSvg(caption)) ?? null) : ((await view?.toPng(caption)) ?? null);
    if (blob) saveBlob(name, blob);
    else app.announce('There is no picture to save.');
  } catch (error) {
    app.announce(`${name}: ${messageOf(error)}`);
  }
}

function svgBlob(text: string | null): Blob | null {
  return text === null ? null : new Blob([text], { type: 'image/svg+xml' });
}
