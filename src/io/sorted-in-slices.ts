import type { Job } from '../core/job.ts';
import { Pacer, throwIfCancelled } from '../core/pace.ts';

/** The items in the order of `compare`, stably, yielding the thread; O(n log n). Throws CancelledError. */
export async function sortedInSlices<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
  job: Job,
): Promise<readonly T[]> {
  const pacer = new Pacer();
  const pauseIfDue = (): Promise<void> => {
    throwIfCancelled(job);
    return pacer.pauseIfDue();
  };
  let sorted: T[] = [];
  for (let from = 0; from < items.length; from += SLICE) {
    for (const item of items.slice(from, from + SLICE).sort(compare)) sorted.push(item);
    await pauseIfDue();
  }
  for (let run = SLICE; run < sorted.length; run *= 2) {
    const merged: T[] = [];
    for (let from = 0; from < sorted.length; from += 2 * run) {
      const middle = Math.min(sorted.length, from + run);
      const end = Math.min(sorted.length, from + 2 * run);
      let [left, right] = [from, middle];
      while (left < middle || right < end) {
        const takesLeft = right === end || (left < middle && compare(sorted[left], sorted[right]) <= 0);
        merged.push(sorted[takesLeft ? left++ : right++]);
        if (merged.length % SLICE === 0) await pauseIfDue();
      }
    }
    sorted = merged;
  }
  return sorted;
}

/** Items that are sorted or merged between two checks of the clock: well below a millisecond. */
const SLICE = 1024;
