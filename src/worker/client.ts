import { SparseScopeError } from '../core/errors.ts';
import type { EngineApi } from './protocol.ts';
import { remoteEngine } from './remote.ts';

/** Starts the one worker and gives the engine in it, which is told whether the page can be seen. */
export function connectEngine(): EngineApi {
  const worker = new Worker(new URL('./engine.worker.ts', import.meta.url), { type: 'module', name: 'engine' });
  const engine = remoteEngine(worker, (die) => {
    worker.addEventListener('error', (event) => {
      // Without a message the script itself could not be loaded.
      const detail = event.message ? `it failed: ${event.message}` : 'its script could not be loaded';
      die(new SparseScopeError(`The worker that computes has stopped, since ${detail}; reload the page.`));
    });
    worker.addEventListener('messageerror', () => {
      die(new SparseScopeError('The worker that computes sent a message that cannot be read; reload the page.'));
    });
  });
  const tellVisibility = (): void => void engine.setHidden(document.hidden).catch(() => {});
  document.addEventListener('visibilitychange', tellVisibility);
  tellVisibility();
  return engine;
}
