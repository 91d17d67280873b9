import type { ArrayFile, MatrixFileKind, ReportProgress } from '../../engine/protocol.ts';
import type { SessionContext } from './session-context.ts';

/** Has files written, one at a time: a newer one cancels an older. Null: it failed, which is told, or was cancelled. */
export interface Saving {
  encodingFile(format: string, kind: ArrayFile): Promise<Blob | null>;
  matrixFile(kind: MatrixFileKind): Promise<Blob | null>;
  cancel(): void;
}

export function createSaving(context: SessionContext): Saving {
  const { engine, store, document } = context;

  const write = async (
    title: string,
    ask: (job: number, onProgress: ReportProgress) => Promise<Blob>,
  ): Promise<Blob | null> => {
    const job = context.newJob(title);
    const older = store.getState().saving;
    if (older) void engine.cancel(older.id).catch(context.fail);
    store.setState({ saving: job });
    try {
      return await ask(job.id, (progress) => {
        store.setState(({ saving }) => (saving?.id === job.id ? { saving: { ...saving, progress } } : {}));
      });
    } catch (error) {
      context.fail(error);
      return null;
    } finally {
      store.setState(({ saving }) => (saving?.id === job.id ? { saving: null } : {}));
    }
  };

  return {
    encodingFile: (format, kind) =>
      write('Writing the arrays', (job, onProgress) =>
        engine.encodingFile(job, format, document.getState().params[format] ?? {}, kind, onProgress),
      ),
    matrixFile: (kind) => write('Writing the matrix', (job, onProgress) => engine.matrixFile(job, kind, onProgress)),
    cancel() {
      const { saving } = store.getState();
      if (!saving) return;
      store.setState({ saving: { ...saving, cancelling: true } });
      void engine.cancel(saving.id).catch(context.fail);
    },
  };
}
