import { name, version } from '../../package.json';
import { formats } from '../formats/registry.ts';
import { Engine } from './engine.ts';
import { exposeEngine } from './expose.ts';
import { threadPace } from '../core/pace.ts';
import { runtimeName } from './runtime.ts';
import { startThread } from './start-thread.ts';
import { TaskThreads } from './task-threads.ts';

/** Threads beside this one: more than that wait for memory rather than compute. */
const MOST_THREADS = 8;

const engine = new Engine({
  app: `${name} ${version}`,
  runtime: runtimeName(navigator.userAgent),
  gpu: navigator.gpu,
  isSecure: isSecureContext,
  formats,
  fetch: (url, init) => fetch(url, init),
  ...threadPace,
  threads: new TaskThreads({ most: Math.min(MOST_THREADS, navigator.hardwareConcurrency), start: startThread }),
});
// Typed as always there, but kept from pages without a secure address.
exposeEngine(engine, undefined, 'locks' in navigator ? navigator.locks : undefined);
