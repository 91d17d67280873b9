import type { bench } from '../engine/bench-service.ts';
import { type Engine, type EngineThread, startEngine } from '../engine/bridge/engine.ts';

/** Starts the worker that runs the engine, restarts it if it dies, and reports to it whether the page is visible. */
export function connectEngine(): Engine {
  const engine = startEngine({
    start: startWorker,
    now: () => performance.now(),
    // The worker has a lock, which is released when it ends. Typed as always present, but absent at insecure
    // addresses; so is `randomUUID`, which only locks use.
    locks: 'locks' in navigator ? navigator.locks : undefined,
    newLockName: () => `sparsescope engine ${crypto.randomUUID()}`,
  });
  const service = engine.service<typeof bench>('bench');
  const sendVisibility = (): void => void service.setHidden({}, document.hidden).catch(() => {});
  document.addEventListener('visibilitychange', sendVisibility);
  engine.onDeath(sendVisibility);
  sendVisibility();
  return engine;
}

function startWorker(died: (how: string) => void): EngineThread {
  const worker = new Worker(new URL('./engine.worker.ts', import.meta.url), { type: 'module', name: 'engine' });
  worker.addEventListener('error', (event) => {
    // Without a message the script itself could not be loaded.
    died(event.message ? `failed (${event.message})` : 'could not be loaded');
  });
  worker.addEventListener('messageerror', () => died('sent a message that cannot be read'));
  return { endpoint: worker, end: () => worker.terminate() };
}
