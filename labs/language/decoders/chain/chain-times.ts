// What the time of a token consists of: the time of each kind of dispatch.

import type { Job } from '../../../../src/core/job.ts';
import { median } from '../../../../src/core/number/statistics.ts';
import { Buffers, openClock, type GpuContext, type Runnable, TimedKernel, Timer } from '../../../../src/gpu/index.ts';
import type { Chain } from './chain.ts';
import { LAUNCH_KINDS, type LaunchKind } from './launches.ts';

/** Each round times one pass of every kind of dispatch. */
const ROUNDS = 7;
/** GPUs raise their clocks under load; under the light load of a small model this needs most of a second. */
const WARM_UP_MS = 1000;
/** Length of a timed pass relative to a pass of a benchmark: shorter, since there are many kinds. */
const PASS_SCALE = 0.25;
/** Tokens per pass when whole tokens are timed. */
const TIMED_TOKENS = 16;

/** The time of one token by kind of dispatch, at the current position of the sequence. */
export interface ChainTimes {
  /** tokens before it */
  readonly position: number;
  readonly source: 'timestamp-query' | 'wall-clock';
  /** resolution of the clock, in nanoseconds */
  readonly quantumNs: number;
  /** for each kind that occurs, the number of dispatches and the nanoseconds of all of them in sequence */
  readonly kinds: Readonly<Partial<Record<LaunchKind, { readonly launches: number; readonly ns: number }>>>;
  /** nanoseconds of consecutive whole tokens: samples, each the mean of several tokens */
  readonly tokenNs: readonly number[];
}

/**
 * Times the next token of a chain, a decoder on the GPU. Each kind is timed by itself, with shared data warm, so that
 * their sum need not equal the time of a token. Times of a software adapter do not apply to GPUs. The sequence is
 * unchanged. Throws SparseScopeError if a run is in progress, KernelError, CancelledError, DeviceLostError.
 */
export function chainTimes(context: GpuContext, chain: Chain, job: Job): Promise<ChainTimes> {
  return context.exclusively(async () => {
    const buffers = new Buffers(context);
    try {
      const clock = await openClock(context, buffers);
      const timer = new Timer(clock, job, PASS_SCALE);
      const byKind = LAUNCH_KINDS.map((kind) => ({ kind, launches: chain.launches.filter((l) => l.kind === kind) }));
      const timed = byKind
        .filter(({ launches }) => launches.length > 0)
        .map(({ kind, launches }) => {
          const runnable: Runnable = {
            id: kind,
            slots: 1,
            variants: 1,
            encode: (pass, _, runs) => chain.encodeRepeated(pass, launches, runs),
          };
          return { kind, launches: launches.length, kernel: new TimedKernel(runnable), samples: [] as number[] };
        });
      for (const { kernel } of timed) await timer.probe(kernel);
      if (!context.facts.isFallback) {
        await timer.warmUp(
          timed.map(({ kernel }) => kernel),
          WARM_UP_MS,
        );
      }
      const tokens = Math.min(TIMED_TOKENS, chain.context - chain.length);
      const tokenNs: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        for (const { kernel, samples } of timed) samples.push(await timer.sample(kernel));
        if (tokens > 0) {
          tokenNs.push(
            await clock.time('tokens', tokens, (pass, runs) => chain.encodeTokens(pass, Math.min(runs, tokens))),
          );
        }
      }
      const kinds = timed.map(({ kind, launches, samples }) => [kind, { launches, ns: median(samples) }] as const);
      return {
        position: chain.length,
        source: clock.source,
        quantumNs: clock.quantumNs,
        kinds: Object.fromEntries(kinds),
        tokenNs,
      };
    } finally {
      buffers.destroy();
    }
  });
}
