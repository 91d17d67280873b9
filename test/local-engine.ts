// The engine without a worker, for tests.

import { CancelledError } from '../src/core/errors.ts';
import { ServiceDispatcher } from '../src/engine/bridge/serve.ts';
import { type ServiceOn, type Services, servicesOver } from '../src/engine/bridge/service.ts';

/**
 * Returns services that run on this thread, and `calls`, the names of the called methods. `cancelled` decides when a
 * cancellation arrives at the service; by default at once.
 */
export function localEngine<Host extends { now(): number }>(
  services: readonly ServiceOn<Host>[],
  host: Host,
  cancelled: (cancel: () => void) => void = (cancel) => cancel(),
): Services & { readonly calls: readonly string[] } {
  const dispatcher = new ServiceDispatcher(services, host, host);
  const calls: string[] = [];
  const over = servicesOver(async ({ service, method, watch: { onProgress, signal }, args }) => {
    if (signal?.aborted) throw new CancelledError();
    const id = calls.push(`${service}.${method}`);
    const cancel = (): void => cancelled(() => dispatcher.cancel(id));
    signal?.addEventListener('abort', cancel);
    try {
      return await dispatcher.run(id, service, method, onProgress, args);
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  });
  return { ...over, calls };
}
