import { describe, expect, it } from 'vitest';
import { CancelledError } from '../core/errors.ts';
import { defaultParams } from '../core/format.ts';
import type { Job } from '../core/job.ts';
import { formatById } from '../formats/registry.ts';
import { generate } from '../generate/generate.ts';
import { threadPace } from '../core/pace.ts';
import { finishPaced } from './worker-pace.ts';
import { startTaskThread } from '../app/start-task-thread.ts';
import { TaskThreads } from './task-threads.ts';

const pace = threadPace;

describe('threads of a browser', () => {
  const format = formatById('ec-csr');
  const params = { ...defaultParams<Record<string, unknown>>(format.params), maxRounds: 1, maxGranularity: 2 };
  const m = generate({ pattern: 'shared-columns', rows: 1024, cols: 4096, density: 0.05, seed: 3 });

  it('encode EC-SpMV to the same bytes as one thread', async () => {
    const threads = new TaskThreads({ max: 3, start: startTaskThread });
    const job: Job = { report: () => {}, cancelled: false };
    const spread = await finishPaced(format.encodeSteps(m, params), job, { ...pace, threads });
    expect(threads.count).toBe(3);
    threads.end();
    expect(spread).toEqual(format.encode(m, params));
  });

  it('threads of a browser are ended by a cancel', async () => {
    const threads = new TaskThreads({ max: 2, start: startTaskThread });
    const job = { report: () => void setTimeout(() => (job.cancelled = true), 0), cancelled: false };
    const encoding = finishPaced(format.encodeSteps(m, params), job, { ...pace, threads });
    await expect(encoding).rejects.toThrow(CancelledError);
    expect(threads.count).toBe(0);
  });
});
