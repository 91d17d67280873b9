import { messageOf } from '../../core/errors.ts';
import { visibleStory } from '../../state/index.ts';
import type { App } from '../app-context.ts';
import { registerPart } from '../browser/lazy-part.ts';
import { saveBlob } from '../browser/save-blob.ts';
import { currentSceneView } from './current-scene-view.ts';

// The code for saving is loaded in advance, so that saving works without a network too.
registerPart(() => import('../../render/export-svg.ts'));
registerPart(() => import('../../render/export-png.ts'));

/** Saves the page's current picture as a file, or announces that there is none. */
export async function saveScene(kind: 'svg' | 'png', app: App): Promise<void> {
  const view = currentSceneView.getState();
  const format = visibleStory(app.session.store.getState().trace)?.trace.format ?? 'scene';
  const name = `${format}-step-${app.player.store.getState().step}.${kind}`;
  try {
    const blob = kind === 'svg' ? svgBlob((await view?.toSvg()) ?? null) : ((await view?.toPng()) ?? null);
    if (blob) saveBlob(name, blob);
    else app.announce('There is no picture to save.');
  } catch (error) {
    app.announce(`${name}: ${messageOf(error)}`);
  }
}

function svgBlob(text: string | null): Blob | null {
  return text === null ? null : new Blob([text], { type: 'image/svg+xml' });
}
