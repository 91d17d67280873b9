import * as Comlink from 'comlink';
import { EngineDeathError, SparseScopeError } from '../core/errors.ts';
import type { DeviceStatus, EngineDeath, EngineThreadApi, ReportProgress, WatchedEngine } from './protocol.ts';
import { type PulseOptions, watchPulse } from './pulse.ts';

/** An engine that lives at least so long did not die of how it was started. */
const LONG_LIFE_MS = 60_000;

/** After so many short lives in a row no other engine is started. */
const MOST_SHORT_LIVES = 5;

/** A thread in which an engine lives. */
export interface EngineThread {
  readonly endpoint: Comlink.Endpoint;
  /** At once, whatever it is doing. */
  end(): void;
}

export interface RemoteOptions extends PulseOptions {
  /** Starts a thread; `died` is to be called when it ends in a way that it does not tell itself, with what it did. */
  start(died: (how: string) => void): EngineThread;
  /** milliseconds */
  now(): number;
}

/**
 * The engine in a thread of its own, which is watched: when it fails, ends or falls silent, it is ended, another one is
 * started, and every call that waits rejects with EngineDeathError. Errors come back without their class; their `name`
 * and message tell them apart.
 */
export function remoteEngine(options: RemoteOptions): WatchedEngine {
  const listeners: ((death: EngineDeath) => void)[] = [];
  // Not a race with one promise, which would keep every answer for as long as the page lives.
  let waiting = new Set<(error: Error) => void>();
  let shortLives = 0;
  let end: Error | null = null;

  const begin = (): Comlink.Remote<EngineThreadApi> => {
    const bornAt = options.now();
    let isOver = false;
    const die = (how: string): void => {
      if (isOver) return;
      isOver = true;
      unwatch();
      thread.end();
      shortLives = options.now() - bornAt < LONG_LIFE_MS ? shortLives + 1 : 0;
      const isFinal = shortLives === MOST_SHORT_LIVES;
      const left = waiting;
      waiting = new Set();
      if (isFinal) end = new SparseScopeError(`The engine ${how}, again and again; reload the page.`);
      else remote = begin();
      for (const listener of listeners) listener({ how, isFinal });
      const error = new EngineDeathError(`The engine ${how}.`);
      for (const reject of left) reject(error);
    };
    const thread = options.start(die);
    const wrapped = Comlink.wrap<EngineThreadApi>(thread.endpoint);
    const unwatch = watchPulse(wrapped, die, options);
    return wrapped;
  };
  let remote = begin();

  const call = <T>(ask: () => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      if (end) return reject(end);
      const mine = waiting;
      mine.add(reject);
      ask()
        .then(resolve, reject)
        .finally(() => mine.delete(reject));
    });
  const proxied = (onProgress: ReportProgress): ReportProgress => Comlink.proxy(onProgress);
  return {
    open: (job, request, onProgress) => call(() => remote.open(job, request, proxied(onProgress))),
    tensors: (job, request, onProgress) => call(() => remote.tensors(job, request, proxied(onProgress))),
    preview: (job, request, onProgress) => call(() => remote.preview(job, request, proxied(onProgress))),
    text: (job, request) => call(() => remote.text(job, request)),
    encodingFile: (job, format, params, kind, onProgress) =>
      call(() => remote.encodingFile(job, format, params, kind, proxied(onProgress))),
    matrixFile: (job, kind, onProgress) => call(() => remote.matrixFile(job, kind, proxied(onProgress))),
    spy: (request) => call(() => remote.spy(request)),
    marginals: (rowBuckets, colBuckets) => call(() => remote.marginals(rowBuckets, colBuckets)),
    window: (region) => call(() => remote.window(region)),
    pruningRanks: (job, region, ranking) => call(() => remote.pruningRanks(job, region, ranking)),
    tileCounts: (job, tileWidth) => call(() => remote.tileCounts(job, tileWidth)),
    encode: (job, format, params, onProgress) => call(() => remote.encode(job, format, params, proxied(onProgress))),
    compare: (job, params, onProgress) => call(() => remote.compare(job, params, proxied(onProgress))),
    bestParams: (job, format, params, onProgress) =>
      call(() => remote.bestParams(job, format, params, proxied(onProgress))),
    sizes: (job, request, onProgress, takeSize) =>
      call(() => remote.sizes(job, request, proxied(onProgress), Comlink.proxy(takeSize))),
    kernel: (job, request, onProgress) => call(() => remote.kernel(job, request, proxied(onProgress))),
    kernelFiles: () => call(() => remote.kernelFiles()),
    draft: (job, request, take) => call(() => remote.draft(job, request, Comlink.proxy(take))),
    memory: (job, request) => call(() => remote.memory(job, request)),
    loads: (job, request, onProgress) => call(() => remote.loads(job, request, proxied(onProgress))),
    subgroupLoads: (job, request) => call(() => remote.subgroupLoads(job, request)),
    device: () => call<DeviceStatus>(async () => remote.device()),
    bench: (job, request, onProgress, takePart, before) =>
      call(() => remote.bench(job, request, proxied(onProgress), Comlink.proxy(takePart), before)),
    sweep: (job, request, axis, onProgress, takeReport, before) =>
      call(() => remote.sweep(job, request, axis, proxied(onProgress), Comlink.proxy(takeReport), before)),
    forgetTuning: () => call(() => remote.forgetTuning()),
    network: (job, request, onProgress, takeResult) =>
      call(() => remote.network(job, request, proxied(onProgress), Comlink.proxy(takeResult))),
    digit: (job, request) => call(() => remote.digit(job, request)),
    testImages: (job, first, count) => call(() => remote.testImages(job, first, count)),
    live: (job, request, take) => call(() => remote.live(job, request, Comlink.proxy(take))),
    endLive: () => call(() => remote.endLive()),
    setHidden: (hidden) => call(() => remote.setHidden(hidden)),
    cancel: (job) => call(() => remote.cancel(job)),
    onDeath: (listener) => void listeners.push(listener),
  };
}
