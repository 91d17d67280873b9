import fmaPeakWgsl from '../../shaders/common/fma_peak.wgsl';
import type { Job } from '../core/job.ts';
import type { Buffers } from './buffers.ts';
import { shaderFiles } from '../core/kernel/shader.ts';
import type { GpuContext } from './device.ts';
import { type OutputBuffer, prepareKernel, type PreparedKernel } from './run.ts';

const WORKGROUP_SIZE = 256;
const STEPS = 512;
/** Several times what the largest devices run at once. */
const WORKGROUPS = 4096;
/** Eight chains of vec4. */
const PER_STEP = 32;

/** Multiply-adds of one run of `prepareFmaPeak`. */
export const FMA_PEAK_MULTIPLY_ADDS = WORKGROUPS * WORKGROUP_SIZE * STEPS * PER_STEP;

/** A kernel that does nothing but multiply and add in f32: what arithmetic alone can reach. */
export function prepareFmaPeak(
  context: GpuContext,
  buffers: Buffers,
  output: OutputBuffer,
  job?: Job,
): Promise<PreparedKernel> {
  return prepareKernel(
    context,
    'common/fma_peak',
    {
      buffers: [{ role: 'output', name: 'sink', bytes: 16 }],
      passes: [
        {
          files: shaderFiles(fmaPeakWgsl),
          constants: { WORKGROUP_SIZE, STEPS },
          bindings: ['sink'],
          workgroups: [WORKGROUPS, 1, 1],
        },
      ],
      bytes: 0,
    },
    {},
    { buffers, output, coldBytes: 0, ...(job ? { job } : {}) },
  );
}
