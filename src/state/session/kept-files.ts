import type { MatrixRequests } from './matrix-requests.ts';
import type { SavedFiles } from './saved-files.ts';
import type { SessionContext } from './session-context.ts';

/** Keeps opened files in the browser, so that a reload of this tab opens them again. */
export function createKeptFiles({ store, savedFiles, fail }: SessionContext, requests: MatrixRequests) {
  /** settles when the last change of the kept files has ended; changes run one after the other */
  let lastFileChange: Promise<unknown> = Promise.resolve();
  /** Runs a change of the kept files after those that were requested before. */
  const inTurn = <T>(change: (files: SavedFiles | undefined) => Promise<T>): Promise<T> => {
    const result = lastFileChange.then(async () => change(await savedFiles?.()));
    lastFileChange = result.catch(() => {});
    return result;
  };
  return {
    /** Keeps the open file with this name. */
    async keep(name: string): Promise<void> {
      const opened = requests.opened(name);
      if (!opened || !savedFiles) return;
      try {
        store.setState({ savedFiles: await inTurn(async (files) => (await files?.keep(opened)) ?? []) });
      } catch {
        // Not kept: after a reload, the page asks the user for the file.
      }
    },
    async forget(): Promise<void> {
      try {
        await inTurn(async (files) => files?.forget());
        store.setState({ savedFiles: [] });
      } catch (error) {
        fail(error, 'Forgetting the files');
      }
    },
  };
}
