import type { EncodedMatrix } from '../../../src/core/format.ts';
import type { Job } from '../../../src/core/job.ts';
import type { KernelSpec } from '../../../src/core/kernel/kernel.ts';
import type { LeftOutRules } from './left-out-rules.ts';
import { median } from '../../../src/core/number/statistics.ts';
import type { Inputs, Sizes } from '../../../src/core/operations/operation.ts';
import { messageOf } from '../../../src/core/error-messages.ts';
import {
  Buffers,
  openClock,
  type GpuContext,
  prepareKernel,
  OutputBuffer,
  outputRegions,
  regionBytes,
  TimedKernel,
  Timer,
} from '../../../src/gpu/index.ts';
import { leftOutParts } from './left-out-parts.ts';

/** The times of a kernel, whole and without each of its parts. */
export interface LeftOutTimes {
  /** nanoseconds of the whole kernel, the median of its samples */
  readonly wholeNs: number;
  /** by part: the median of its share of the whole in the same round; or why it was not measured */
  readonly parts: readonly { readonly name: string; readonly share: number | null; readonly reason?: string }[];
}

/** Options of `timeLeftOut`. */
export interface LeftOutOptions {
  readonly sizes: Sizes;
  readonly rules: LeftOutRules;
  /** rotate at least this many bytes of sparse arrays */
  readonly coldBytes: number;
  readonly rounds: number;
  readonly warmUpMs: number;
  readonly job: Job;
}

/** Length of a sample relative to benchmarks: there are many kernels, and a precision of a few percent is enough. */
const BATCH_SCALE = 0.33;

/**
 * Times a kernel whole and without each of its parts, in interleaved rounds, with its initial choices. The caller has
 * checked `kernelSupport`. A part without which the kernel does not compile is listed with the reason. Throws like
 * `prepareKernel`.
 */
export async function timeLeftOut(
  context: GpuContext,
  spec: KernelSpec<EncodedMatrix>,
  encoded: EncodedMatrix,
  inputs: Inputs,
  { sizes, rules, coldBytes, rounds, warmUpMs, job }: LeftOutOptions,
): Promise<LeftOutTimes> {
  const buffers = new Buffers(context);
  try {
    const plan = spec.plan(encoded, context.facts, sizes);
    const bytes = regionBytes(outputRegions(plan, context.facts.limits.minStorageBufferOffsetAlignment));
    const output = await OutputBuffer.create(buffers, bytes);
    const prepare = async (id: string, variant: typeof plan) =>
      new TimedKernel(await prepareKernel(context, id, variant, inputs, { buffers, output, coldBytes, job }));
    const wholeKernel = await prepare(spec.id, plan);
    await wholeKernel.kernel.runOnce(output);
    const timer = new Timer(await openClock(context, buffers), job, BATCH_SCALE);
    const parts = await Promise.all(
      leftOutParts(plan, rules, encoded).map(async ({ name, plan: planWithoutPart }) => {
        try {
          return { name, kernel: await prepare(`${spec.id} without ${name}`, planWithoutPart), shares: [] as number[] };
        } catch (error) {
          return { name, kernel: null, reason: messageOf(error) };
        }
      }),
    );
    const timedParts = parts.flatMap((part) => (part.kernel === null ? [] : [part]));
    const kernels = [wholeKernel, ...timedParts.map(({ kernel }) => kernel)];
    for (const kernel of kernels) await timer.probe(kernel);
    await timer.warmUp(kernels, warmUpMs);
    const wholeNs: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const ns = await timer.sample(wholeKernel);
      wholeNs.push(ns);
      for (const { kernel, shares } of timedParts) shares.push((await timer.sample(kernel)) / ns);
    }
    return {
      wholeNs: median(wholeNs),
      parts: parts.map((part) =>
        part.kernel === null
          ? { name: part.name, share: null, reason: part.reason }
          : { name: part.name, share: median(part.shares) },
      ),
    };
  } finally {
    buffers.destroy();
  }
}
