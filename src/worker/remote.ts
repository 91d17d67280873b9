import * as Comlink from 'comlink';
import type { DeviceStatus, EngineApi, ReportProgress } from './protocol.ts';

/**
 * The engine at the other end of `endpoint`. Errors come back without their class; their `name` and message tell them
 * apart. `onDeath` is given a function to be called when the other end has died: every call that waits rejects with its
 * error, and every later one.
 */
export function remoteEngine(endpoint: Comlink.Endpoint, onDeath: (die: (error: Error) => void) => void): EngineApi {
  const remote = Comlink.wrap<EngineApi>(endpoint);
  let death: Error | null = null;
  // Not a race with one promise, which would keep every answer for as long as the page lives.
  const waiting = new Set<(error: Error) => void>();
  onDeath((error) => {
    death = error;
    for (const reject of waiting) reject(error);
    waiting.clear();
  });
  const call = <T>(ask: () => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      if (death) {
        reject(death);
        return;
      }
      waiting.add(reject);
      ask()
        .then(resolve, reject)
        .finally(() => waiting.delete(reject));
    });
  const proxied = (onProgress: ReportProgress): ReportProgress => Comlink.proxy(onProgress);
  return {
    open: (job, request, onProgress) => call(() => remote.open(job, request, proxied(onProgress))),
    tensors: (job, request, onProgress) => call(() => remote.tensors(job, request, proxied(onProgress))),
    preview: (job, request, onProgress) => call(() => remote.preview(job, request, proxied(onProgress))),
    encodingFile: (job, format, params, kind, onProgress) =>
      call(() => remote.encodingFile(job, format, params, kind, proxied(onProgress))),
    matrixFile: (job, kind, onProgress) => call(() => remote.matrixFile(job, kind, proxied(onProgress))),
    spy: (request) => call(() => remote.spy(request)),
    marginals: (rowBuckets, colBuckets) => call(() => remote.marginals(rowBuckets, colBuckets)),
    window: (region) => call(() => remote.window(region)),
    pruningRanks: (job, region, ranking) => call(() => remote.pruningRanks(job, region, ranking)),
    tileCounts: (job, tileWidth) => call(() => remote.tileCounts(job, tileWidth)),
    encode: (job, format, params, onProgress) => call(() => remote.encode(job, format, params, proxied(onProgress))),
    device: () => call<DeviceStatus>(async () => remote.device()),
    bench: (job, request, onProgress) => call(() => remote.bench(job, request, proxied(onProgress))),
    sweep: (job, request, axis, onProgress) => call(() => remote.sweep(job, request, axis, proxied(onProgress))),
    setHidden: (hidden) => call(() => remote.setHidden(hidden)),
    cancel: (job) => call(() => remote.cancel(job)),
  };
}
