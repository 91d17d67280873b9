import { Newest } from '../../engine/bridge/newest.ts';
import type { matrix } from '../../engine/matrix-service.ts';
import type { App } from '../app-context.ts';

/**
 * Reads the text of a file that a person asked for, at an address or on the hub; null, with a message, if it cannot be
 * read, or if a newer one is requested. The token is only sent to the hub.
 */
type ReadText = (reference: string, token: string | null) => Promise<string | null>;

interface TextFile {
  /** the file that is meant where a reference to the hub names none */
  readonly main: string;
  readonly maxBytes: number;
}

export function createReadText({ engine, session }: Pick<App, 'engine' | 'session'>, file: TextFile): ReadText {
  const service = engine.service<typeof matrix>('matrix');
  const newest = new Newest();
  return async (reference, token) => {
    try {
      return await newest.ask((signal) => service.text({ signal }, { reference, token, ...file }));
    } catch (error) {
      session.fail(error);
      return null;
    }
  };
}
