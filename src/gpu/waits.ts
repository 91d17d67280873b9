import { threadPace } from '../core/pace.ts';

// Waits for the GPU of this thread, so that a GPU that never answers is noticed. WebGPU has no time limits.

/** When each wait began, in milliseconds of the thread's clock. */
const waits = new Set<{ readonly since: number }>();

/** Waits for something that the GPU or its driver has to answer, and counts the wait until it is over. */
export async function awaitGpu<T>(answer: Promise<T>): Promise<T> {
  const wait = { since: threadPace.now() };
  waits.add(wait);
  try {
    return await answer;
  } finally {
    waits.delete(wait);
  }
}

/** How long the GPU has left the oldest wait without an answer, in milliseconds; 0 while nothing waits for it. */
export function gpuSilenceMs(): number {
  const now = threadPace.now();
  return [...waits].reduce((longest, { since }) => Math.max(longest, now - since), 0);
}
