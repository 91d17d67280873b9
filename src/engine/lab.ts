import { RemoteCache } from '../io/index.ts';
import type { DraftGate } from './bench/bench-host.ts';
import type { ServiceOn } from './bridge/service.ts';
import { createHost, type EngineEnvironment, type EngineHost, type FormatProvider } from './host.ts';
import type { ModelReader, CachedEnvironment } from './matrix/loading.ts';

/** What a lab (an optional part of the application, such as Training) adds to an engine. */
interface WorkerLab {
  readonly services: readonly ServiceOn<EngineHost>[];
  /** reads the models whose weights come with the page */
  readonly models?: ModelReader;
  /** creates the engine's side of custom formats, whose code runs in a sandbox of the page */
  readonly provider?: FormatProvider;
  /** checks kernels that the user changed before they are timed */
  readonly drafts?: DraftGate;
}

/** The type of `startLab` in labs/LAB/worker.ts, which an engine calls once. */
export type StartLab = (environment: CachedEnvironment) => WorkerLab;

/** The shared state of an engine with these labs, and the services that the labs add. */
export function createEngine(
  environment: EngineEnvironment,
  labs: readonly StartLab[],
): { readonly host: EngineHost; readonly services: readonly ServiceOn<EngineHost>[] } {
  const cache = new RemoteCache();
  const started = labs.map((start) => start({ ...environment, cache }));
  const models = started.find((lab) => lab.models)?.models;
  const provider = started.find((lab) => lab.provider)?.provider;
  const drafts = started.find((lab) => lab.drafts)?.drafts;
  return {
    host: createHost({ ...environment, cache, models, provider, drafts }),
    services: started.flatMap(({ services }) => services),
  };
}
