// The worker of the page: runs the engine with all formats and labs (folders of labs), and answers requests.

import { name, version } from '../../package.json';
import { threadPace } from '../core/pace.ts';
import { browserTuningStore } from '../engine/bench/tuning-store.ts';
import { serve } from '../engine/bridge/serve.ts';
import { createEngine, type StartLab } from '../engine/lab.ts';
import { runtimeName } from '../engine/runtime.ts';
import { startTaskThread } from './start-task-thread.ts';
import { TaskThreads } from '../engine/task-threads.ts';
import { formats } from '../formats/registry.ts';
import { services } from './services.ts';

/** Maximum number of helper threads: more would wait for memory instead of computing. */
const MAX_THREADS = 8;

/** The largest memory that browsers report, GiB: a device that reports it may have more. */
const MAX_REPORTED_MEMORY = 8;

const { deviceMemory = MAX_REPORTED_MEMORY } = navigator as { readonly deviceMemory?: number };

const labs = import.meta.glob<StartLab>('../../labs/*/worker.ts', { eager: true, import: 'startLab' });

const engine = createEngine(
  {
    app: `${name} ${version}`,
    runtime: runtimeName(navigator.userAgent),
    gpu: navigator.gpu,
    isSecure: isSecureContext,
    formats,
    deviceBytes: deviceMemory < MAX_REPORTED_MEMORY ? deviceMemory * 2 ** 30 : null,
    fetch: (url, init) => fetch(url, init),
    ...threadPace,
    tuning: browserTuningStore(),
    threads: new TaskThreads({ max: Math.min(MAX_THREADS, navigator.hardwareConcurrency), start: startTaskThread }),
  },
  Object.values(labs),
);
// `navigator.locks` is typed as always present, but is absent at an insecure address.
serve([...services, ...engine.services], engine.host, {
  locks: 'locks' in navigator ? navigator.locks : undefined,
  gpu: engine.host.device,
});
