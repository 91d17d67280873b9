import type { KernelPlan } from '../src/core/kernel/kernel.ts';
import type { Inputs } from '../src/core/operations/operation.ts';
import { type GpuContext, runKernelWords } from '../src/gpu/index.ts';

/** For tests: runs a kernel's plan once on the device, and returns its output as f32. */
export async function runKernel(
  context: GpuContext,
  id: string,
  plan: KernelPlan,
  inputs: Inputs,
): Promise<Float32Array> {
  return new Float32Array((await runKernelWords(context, id, plan, inputs)).buffer);
}
