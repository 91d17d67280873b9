// For tests: a worker's surroundings whose files are on the disk.

import { readFile } from 'node:fs/promises';
import { ServiceJob } from '../../../src/engine/bridge/service-job.ts';
import { LoadedModels } from '../models/loaded-models.ts';

// For tests of the language service in Node: its host, models and jobs.

const now = (): number => performance.now();

/** The functions of the thread that services need; `fetch` reads a file of the disk, whose path is the address. */
export const DISK_HOST = {
  now,
  pause: () => Promise.resolve(),
  fetch: async (url: string) => new Response(new Uint8Array(await readFile(url))),
};

/** Returns the models that come with the page, to be read from the disk. */
export const diskModels = (): LoadedModels => new LoadedModels(DISK_HOST);

/** Returns a job that may be cancelled. */
export const newJob = (): ServiceJob => new ServiceJob({ now });
