import type { Job } from '../job.ts';
import { Random } from '../number/random.ts';
import type { Pace } from '../pace.ts';
import type { Workload } from '../report.ts';
import { type BenchOptions, droppedNotes, shuffled, untilSeen } from './cases.ts';

/** At the earliest so long after the last time, a run hands over the rounds that it has. */
const PART_MS = 1000;

/** Samples by kernel, then by round. */
export type Samples = readonly (readonly number[])[];

export interface RoundsOf {
  /** kernels, by their number */
  readonly kernels: number;
  /** Times one of them, in nanoseconds per run. */
  sample(kernel: number): Promise<number>;
  /**
   * Takes the samples of all complete rounds so far, never of none: now and then between two rounds, and as soon as they
   * end, whichever way. They change afterwards.
   */
  part?(samples: Samples, rounds: number): void;
}

/**
 * The rounds of a run: each times every kernel once, in a random order of its own, from the seed of the workload. A round
 * that nobody saw to its end is measured again, of which a sentence goes to `notes`. Throws what `sample` throws, and
 * CancelledError where it is cancelled while the page is hidden.
 */
export async function timeRounds(
  { kernels, sample, part }: RoundsOf,
  options: Pick<BenchOptions, 'isHidden' | 'workload'>,
  notes: string[],
  job: Job,
  pace: Pace,
): Promise<Samples> {
  const { rounds, seed } = options.workload;
  const random = new Random(seed);
  const indices = Array.from({ length: kernels }, (_, i) => i);
  const samples = indices.map((): number[] => []);
  let dropped = 0;
  let done = 0;
  let handed = 0;
  let handedAtMs = pace.now();
  const hand = (): void => {
    if (done > handed) part?.(samples, done);
    handed = done;
    handedAtMs = pace.now();
  };
  try {
    while (done < rounds) {
      await untilSeen(options, job, pace);
      job.report({ what: 'rounds', done, total: rounds });
      const times: number[] = [];
      let hidden = false;
      for (const i of shuffled(indices, random)) {
        times[i] = await sample(i);
        hidden ||= options.isHidden?.() ?? false;
      }
      if (hidden) {
        dropped++;
        continue;
      }
      for (const i of indices) samples[i].push(times[i]);
      done++;
      if (pace.now() - handedAtMs >= PART_MS) hand();
    }
  } finally {
    hand();
  }
  for (const note of droppedNotes(dropped)) notes.push(note);
  return samples;
}

/** What a run that broke off after `rounds` complete rounds says of itself. */
export function partOf<T extends { readonly workload: Workload; readonly notes: readonly string[] }>(
  whole: T,
  rounds: number,
): T {
  const { workload, notes } = whole;
  const note = `the run broke off after ${rounds} of ${workload.rounds} rounds; the outputs were not verified again`;
  return { ...whole, workload: { ...workload, rounds }, notes: [note, ...notes] };
}
