import type { ArrayFile, MatrixFileKind } from '../../engine/matrix/types.ts';
import { Newest } from '../../engine/bridge/newest.ts';
import type { Watch } from '../../engine/bridge/service.ts';
import type { SessionContext } from './session-context.ts';
import { newJob } from './session-state.ts';

/** Has files written, one at a time: a newer one cancels an older. Null: it failed, which is told, or was cancelled. */
export interface Saving {
  /** The arrays of an encoding with its current parameters. */
  encodingFile(format: string, kind: ArrayFile): Promise<Blob | null>;
  matrixFile(kind: MatrixFileKind): Promise<Blob | null>;
  cancelSaving(): void;
}

export function createSaving(context: SessionContext): Saving {
  const { matrix, store, document } = context;
  const writing = new Newest();

  const write = async (title: string, ask: (watch: Watch) => Promise<Blob>): Promise<Blob | null> => {
    const turn = writing.begin();
    store.setState({ saving: newJob(title) });
    try {
      return await ask({
        signal: turn.signal,
        onProgress(progress) {
          if (turn.isNewest) store.setState(({ saving }) => ({ saving: saving && { ...saving, progress } }));
        },
      });
    } catch (error) {
      context.fail(error);
      return null;
    } finally {
      if (turn.isNewest) store.setState({ saving: null });
    }
  };

  return {
    encodingFile: (format, kind) =>
      write('Writing the arrays', (watch) =>
        matrix.encodingFile(watch, format, document.getState().params[format] ?? {}, kind),
      ),
    matrixFile: (kind) => write('Writing the matrix', (watch) => matrix.matrixFile(watch, kind)),
    cancelSaving() {
      const { saving } = store.getState();
      if (!saving) return;
      store.setState({ saving: { ...saving, cancelling: true } });
      writing.cancel();
    },
  };
}
