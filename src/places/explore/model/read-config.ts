import { MODEL_BOUNDS } from '../../../core/bounds/bounds.ts';
import { Newest } from '../../../engine/bridge/newest.ts';
import type { matrix } from '../../../engine/matrix-service.ts';
import type { App } from '../../../kit/app-context.ts';

/**
 * Reads the text of a config.json that a person asked for, at an address or on the hub; null, with a message, if it
 * cannot be read, or if a newer one is requested. The token is only sent to the hub.
 */
type ReadConfig = (reference: string, token: string | null) => Promise<string | null>;

export function createReadConfig({ engine, session }: Pick<App, 'engine' | 'session'>): ReadConfig {
  const service = engine.service<typeof matrix>('matrix');
  const newest = new Newest();
  return async (reference, token) => {
    const request = { reference, token, main: 'config.json', mostBytes: MODEL_BOUNDS.length };
    try {
      return await newest.ask((signal) => service.text({ signal }, request));
    } catch (error) {
      session.fail(error);
      return null;
    }
  };
}
