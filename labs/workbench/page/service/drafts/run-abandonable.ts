// Runs work that can be abandoned, even if a compiler or a GPU does not answer.

import type { Job } from '../../../../../src/core/job.ts';
import type { GpuContext } from '../../../../../src/gpu/index.ts';

/** Time for a cancelled job to end by itself, ms. */
const GRACE_MS = 100;
const POLL_MS = 25;

/**
 * Runs `work`, which may keep a compiler or a GPU busy for minutes. If the job is cancelled and the work does not end
 * within GRACE_MS, the device is destroyed: everything that waits for it throws DeviceLostError at once, and the next
 * caller that needs a device opens another.
 */
export async function runAbandonable<T>(
  context: Pick<GpuContext, 'destroy'>,
  job: Job,
  work: () => Promise<T>,
): Promise<T> {
  let remainingMs = GRACE_MS;
  const watch = setInterval(() => {
    if (!job.cancelled) return;
    remainingMs -= POLL_MS;
    if (remainingMs > 0) return;
    clearInterval(watch);
    context.destroy();
  }, POLL_MS);
  try {
    return await work();
  } finally {
    clearInterval(watch);
  }
}
