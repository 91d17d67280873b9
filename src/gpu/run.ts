import type { Job } from '../core/job.ts';
import type { KernelPlan } from '../core/kernel/kernel.ts';
import type { Inputs } from '../core/operations/operation.ts';
import { throwIfCancelled } from '../core/pace.ts';
import { Buffers } from './buffers.ts';
import type { GpuContext } from './device.ts';
import { prepareKernel } from './prepare.ts';
import { OutputBuffer, outputRegions, regionBytes } from './output-buffer.ts';

/**
 * Runs a kernel's plan once and returns the 32-bit words of its outputs; words left unwritten are POISON_BITS.
 * Frees all its buffers. To run a kernel repeatedly, use `prepareKernel`. Throws like `prepareKernel`.
 */
export async function runKernelWords(
  context: GpuContext,
  id: string,
  plan: KernelPlan,
  inputs: Inputs,
  job?: Job,
): Promise<Uint32Array<ArrayBuffer>> {
  const [words] = await runKernelForEach(context, id, plan, [inputs], job);
  return words;
}

/** Like `runKernelWords`, once for each of several inputs, one or more: the arrays are put on the device once. */
export async function runKernelForEach(
  context: GpuContext,
  id: string,
  plan: KernelPlan,
  [inputs, ...rest]: readonly Inputs[],
  job?: Job,
): Promise<readonly Uint32Array<ArrayBuffer>[]> {
  const buffers = new Buffers(context);
  try {
    const bytes = regionBytes(outputRegions(plan, context.facts.limits.minStorageBufferOffsetAlignment));
    const output = await OutputBuffer.create(buffers, bytes);
    const kernel = await prepareKernel(context, id, plan, inputs, {
      buffers,
      output,
      coldBytes: 0,
      otherVariants: rest.map((otherInputs) => ({ plan, inputs: otherInputs })),
      ...(job && { job }),
    });
    const words: Uint32Array<ArrayBuffer>[] = [];
    for (let slot = 0; slot <= rest.length; slot++) {
      throwIfCancelled(job);
      words.push(await kernel.runOnce(output, slot));
    }
    return words;
  } finally {
    buffers.destroy();
  }
}
