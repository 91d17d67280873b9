import { name, version } from '../../package.json';
import { formats } from '../formats/registry.ts';
import { Engine } from './engine.ts';
import { exposeEngine } from './expose.ts';
import { threadPace } from '../core/pace.ts';
import { runtimeName } from './runtime.ts';
import { startThread } from './start-thread.ts';
import { browserTuningStore } from './bench/tuning-store.ts';
import { TaskThreads } from './task-threads.ts';

/** Threads beside this one: more than that wait for memory rather than compute. */
const MOST_THREADS = 8;

/** GiB; browsers that tell of it stop somewhere above this, whatever there is. */
const A_LOT = 8;

const { deviceMemory = A_LOT } = navigator as { readonly deviceMemory?: number };

const engine = new Engine({
  app: `${name} ${version}`,
  runtime: runtimeName(navigator.userAgent),
  gpu: navigator.gpu,
  isSecure: isSecureContext,
  formats,
  deviceBytes: deviceMemory < A_LOT ? deviceMemory * 2 ** 30 : null,
  fetch: (url, init) => fetch(url, init),
  ...threadPace,
  tuning: browserTuningStore(),
  threads: new TaskThreads({ most: Math.min(MOST_THREADS, navigator.hardwareConcurrency), start: startThread }),
});
// Typed as always there, but kept from pages without a secure address.
exposeEngine(engine, undefined, 'locks' in navigator ? navigator.locks : undefined);
