import type { Watch } from '../../engine/bridge/service.ts';
import type { ArrayFile, MatrixFileKind } from '../../engine/matrix/types.ts';
import { JobSlot } from './job-slot.ts';
import type { SessionContext } from './session-context.ts';

/** Writes files, one at a time: a newer one cancels an older. Null: it failed, which is announced, or was cancelled. */
export function createSaving(context: SessionContext) {
  const { matrix, store, document } = context;
  const writing = new JobSlot((change) => store.setState(({ saving }) => ({ saving: change(saving) })));

  const write = async (title: string, ask: (watch: Watch) => Promise<Blob>): Promise<Blob | null> => {
    const generation = store.getState().summary?.generation ?? 0;
    try {
      const file = await writing.run(title, ask);
      // The file may contain the other matrix under the name of this one.
      if (await context.isHeld(generation)) return file;
      throw new Error('not saved: another matrix was opened meanwhile');
    } catch (error) {
      context.fail(error);
      return null;
    }
  };

  return {
    /** The arrays of an encoding with its current parameters. */
    encodingFile: (format: string, kind: ArrayFile): Promise<Blob | null> =>
      write('Writing the arrays', (watch) =>
        matrix.encodingFile(watch, format, document.getState().params[format] ?? {}, kind),
      ),
    matrixFile: (kind: MatrixFileKind): Promise<Blob | null> =>
      write('Writing the matrix', (watch) => matrix.matrixFile(watch, kind)),
    cancelSaving: () => writing.cancel(),
  };
}
