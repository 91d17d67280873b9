import type { MatrixFileKind } from '../../engine/matrix/types.ts';
import { notLoaded } from '../../state/index.ts';
import type { App } from '../app-context.ts';
import { loadLater } from './lazy-part.ts';
import type * as Writer from './write-files.ts';

const load = (): Promise<typeof Writer> => import('./write-files.ts');
loadLater(load);

const write = (app: App, how: (writer: typeof Writer) => Promise<void>): Promise<void> =>
  load().then(how, () => app.announce(notLoaded('Saving')));

/** Saves the matrix on the stage. */
export function saveMatrix(kind: MatrixFileKind, app: App): Promise<void> {
  return write(app, (writer) => writer.saveMatrix(kind, app));
}

/** Saves the arrays of the format on the stage under their documented names. */
export function saveArrays(kind: 'npz' | 'safetensors', app: App): Promise<void> {
  return write(app, (writer) => writer.saveArrays(kind, app));
}
