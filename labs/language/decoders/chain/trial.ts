// Chooses the fastest kernel of a format for many tokens by timing the candidates.

import type { EncodedMatrix } from '../../../../src/core/encoded/encoded.ts';
import type { Job } from '../../../../src/core/job.ts';
import type { KernelSpec } from '../../../../src/core/kernel/kernel.ts';
import { indexOfSmallest } from '../../../../src/core/number/statistics.ts';
import { Buffers, openClock, type GpuContext, type Runnable, TimedKernel, Timer } from '../../../../src/gpu/index.ts';
import { Arena } from './arena.ts';
import { encodeLaunches } from './chain.ts';
import { type ManyOperation, manyKernels } from './kernels.ts';
import { chainPlan } from './chain-plans.ts';
import { planLaunches } from './launches.ts';
import { type ChainMatrix, MANY_TOKENS } from './weights.ts';

const ROUNDS = 5;
/** GPUs raise their clocks under load. */
const WARM_UP_MS = 200;
/** Length of a timed pass relative to a pass of a benchmark: shorter, since there are many candidates. */
const PASS_SCALE = 0.25;

/**
 * The matrix with the fastest of its format's kernels for many tokens (`many`), found by timing each with every tile
 * size: a device does not report how many tiles keep it busy. Throws SparseScopeError if a run is in progress,
 * KernelError, CancelledError, DeviceLostError.
 */
export async function withFastestKernel(
  context: GpuContext,
  matrix: ChainMatrix,
  kernels: readonly KernelSpec<EncodedMatrix>[],
  job: Job,
  tokens = MANY_TOKENS,
  operation: ManyOperation = 'gemm',
): Promise<ChainMatrix> {
  const { encoded } = matrix;
  const candidates = manyKernels(encoded, kernels, context.facts, tokens, operation);
  if (candidates.length < 2) return { ...matrix, many: candidates.at(0) ?? null };
  return context.exclusively(async () => {
    const arena = new Arena(context, job);
    const buffers = new Buffers(context);
    try {
      const x = await arena.allocate('activations', 'x', 4 * tokens * encoded.cols);
      const y = await arena.allocate('activations', 'y', 4 * tokens * encoded.rows);
      const timer = new Timer(await openClock(context, buffers), job, PASS_SCALE);
      const timedKernels: TimedKernel<Runnable>[] = [];
      for (const many of candidates) {
        const { id } = many.spec;
        const plan = chainPlan(context, id, { ...matrix, many }, tokens);
        const target = { kind: 'matrices', label: 'trial', product: 'trial' } as const;
        const launches = await planLaunches(arena, target, { plan, id }, () => x, [{ buffer: y }]);
        const encode = (pass: GPUComputePassEncoder, _: number, runs: number): void => {
          for (let i = 0; i < runs; i++) encodeLaunches(pass, launches);
        };
        timedKernels.push(new TimedKernel({ id, slots: 1, variants: 1, encode }));
      }
      for (const kernel of timedKernels) await timer.probe(kernel);
      await timer.warmUp(timedKernels, WARM_UP_MS);
      const ns = await timer.timeInTurns(timedKernels, ROUNDS);
      return { ...matrix, many: candidates[indexOfSmallest(ns)] };
    } finally {
      buffers.destroy();
      arena.destroy();
    }
  });
}
