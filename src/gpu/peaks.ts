import peaks from '../../shaders/common/peaks.wgsl';
import type { Job } from '../core/job.ts';
import { matricesPiece } from '../core/kernel/gemm-i8-subgroup-plan.ts';
import type { DeviceFacts, KernelPlan, PassPlan } from '../core/kernel/kernel.ts';
import { shaderFiles } from '../core/kernel/shader.ts';
import { type Arithmetic, ARITHMETICS, type BenchReport, PEAK_FIELDS } from '../core/report.ts';
import { sinkPlan } from './bandwidth.ts';
import type { Buffers } from './buffers.ts';
import type { GpuContext } from './device.ts';
import { prepareKernel } from './prepare.ts';
import type { OutputBuffer } from './output-buffer.ts';
import type { PreparedKernel } from './prepared-kernel.ts';

// Kernels that only compute, each with one kind of arithmetic, to measure its peak on a device. Each dispatches several
// times as many workgroups as the largest devices run at once.

const WORKGROUP_SIZE = 256;
/** The share of the workgroups that a software adapter dispatches: all of them would take it seconds. */
export const SOFTWARE_SHARE = 1 / 64;

const shareOf = ({ isFallback }: Pick<DeviceFacts, 'isFallback'>): number => (isFallback ? SOFTWARE_SHARE : 1);

/** A kernel that measures one kind of arithmetic. */
interface PeakProbe {
  readonly id: string;
  readonly files: (device: DeviceFacts) => PassPlan['files'];
  readonly steps: number;
  readonly workgroups: number;
  /** multiply-adds of one invocation in one step */
  readonly perStep: number;
}

/** Lanes of a subgroup in the kernel of subgroup matrices. */
const SUBGROUP = 32;
const PEAK_PROBES: Readonly<Record<Arithmetic, PeakProbe>> = {
  /** A step: the multiply-adds of eight vec4. */
  f32: {
    id: 'common/fma_peak',
    files: () => shaderFiles(peaks.variants.fma),
    steps: 512,
    workgroups: 4096,
    perStep: 32,
  },
  /** A step: 16 × 8 dot products of four bytes; sums in i32. */
  i8: {
    id: 'common/dot_peak',
    files: () => shaderFiles(peaks.variants.dot),
    steps: 64,
    workgroups: 4096,
    perStep: 16 * 8 * 4,
  },
  /** A step: eight products of subgroup matrices by each subgroup, 16 × 16 sums of 32 products of bytes. */
  'i8-matrix': {
    id: 'common/matrix_peak',
    files: (device) => shaderFiles(peaks.variants.matrix, [matricesPiece(device)]),
    steps: 512,
    workgroups: 2048,
    perStep: (8 * 16 * 16 * 32) / SUBGROUP,
  },
};

/** Multiply-adds of one run of `peakPlan` on a GPU; a software adapter does the share `SOFTWARE_SHARE` of them. */
export function peakMultiplyAdds(arithmetic: Arithmetic): number {
  const { steps, workgroups, perStep } = PEAK_PROBES[arithmetic];
  return workgroups * WORKGROUP_SIZE * steps * perStep;
}

/** The plan for one kind of arithmetic. `shown`: for tests, the invocation whose sum is the output, and its steps. */
export function peakPlan(
  arithmetic: Arithmetic,
  device: DeviceFacts,
  shown?: { readonly invocation: number; readonly steps: number },
): KernelPlan {
  const { files, steps, workgroups } = PEAK_PROBES[arithmetic];
  return sinkPlan(
    files(device),
    { WORKGROUP_SIZE, STEPS: shown?.steps ?? steps, ...(shown && { SHOWN: shown.invocation }) },
    shown ? Math.floor(shown.invocation / WORKGROUP_SIZE) + 1 : workgroups * shareOf(device),
  );
}

/** A kernel of one kind of arithmetic, ready to run on a device. */
export interface PreparedPeak {
  readonly arithmetic: Arithmetic;
  readonly kernel: PreparedKernel;
  /** multiply-adds of one run */
  readonly multiplyAdds: number;
}

/** The kernels that measure these kinds of arithmetic, each once. */
export function preparePeaks(
  context: GpuContext,
  buffers: Buffers,
  output: OutputBuffer,
  wanted: ReadonlySet<Arithmetic>,
  job: Job,
): Promise<readonly PreparedPeak[]> {
  return Promise.all(
    ARITHMETICS.filter((arithmetic) => wanted.has(arithmetic)).map(async (arithmetic) => {
      const { facts } = context;
      const plan = peakPlan(arithmetic, facts);
      const options = { buffers, output, coldBytes: 0, job };
      const kernel = await prepareKernel(context, PEAK_PROBES[arithmetic].id, plan, {}, options);
      return { arithmetic, kernel, multiplyAdds: peakMultiplyAdds(arithmetic) * shareOf(facts) };
    }),
  );
}

/** The peaks, in 10^9 multiply-adds per second, as fields of a report. `timesNs`: one run of each kernel. */
export function peakFields(
  peaks: readonly PreparedPeak[],
  timesNs: readonly number[],
): Pick<BenchReport, (typeof PEAK_FIELDS)[Arithmetic]> {
  return Object.fromEntries(
    peaks.map(({ arithmetic, multiplyAdds }, i) => [PEAK_FIELDS[arithmetic], multiplyAdds / timesNs[i]]),
  );
}
