import { readFile } from 'node:fs/promises';
import { ServiceJob } from '../../../src/engine/bridge/service-job.ts';
import { LoadedModels } from '../models/loaded-models.ts';

const now = (): number => performance.now();

/** For tests: what services have of this thread, where addresses are paths. */
export const DISK_HOST = {
  now,
  pause: () => Promise.resolve(),
  fetch: async (url: string) => new Response(new Uint8Array(await readFile(url))),
};

/** For tests: the models that come with the page. */
export const diskModels = (): LoadedModels => new LoadedModels(DISK_HOST);

/** For tests: a job that may be cancelled. */
export const newJob = (): ServiceJob => new ServiceJob({ now });
