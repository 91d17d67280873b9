import type { Job } from '../core/job.ts';
import type { DeviceFacts, KernelPlan } from '../core/kernel/kernel.ts';
import { ARITHMETICS, type Arithmetic, type BenchReport, PEAK_FIELDS } from '../core/report.ts';
import type { Buffers } from './buffers.ts';
import type { GpuContext } from './device.ts';
import {
  DOT_PEAK_MULTIPLY_ADDS,
  dotPeakPlan,
  FMA_PEAK_MULTIPLY_ADDS,
  fmaPeakPlan,
  MATRIX_PEAK_MULTIPLY_ADDS,
  matrixPeakPlan,
} from './peak-plans.ts';
import { prepareKernel } from './prepare.ts';
import type { OutputBuffer, PreparedKernel } from './prepared-kernel.ts';

/** The probe of each kind of arithmetic. */
const INSTRUMENTS: Readonly<
  Record<
    Arithmetic,
    {
      readonly id: string;
      readonly plan: (device: DeviceFacts) => KernelPlan;
      readonly multiplyAdds: number;
    }
  >
> = {
  f32: { id: 'common/fma_peak', plan: () => fmaPeakPlan(), multiplyAdds: FMA_PEAK_MULTIPLY_ADDS },
  i8: { id: 'common/dot_peak', plan: () => dotPeakPlan(), multiplyAdds: DOT_PEAK_MULTIPLY_ADDS },
  'i8-matrix': { id: 'common/matrix_peak', plan: matrixPeakPlan, multiplyAdds: MATRIX_PEAK_MULTIPLY_ADDS },
};

/** A kernel with only one kind of arithmetic. */
export interface Peak {
  readonly arithmetic: Arithmetic;
  readonly kernel: PreparedKernel;
}

/** The kernels that measure these kinds of arithmetic, each once. */
export function preparePeaks(
  context: GpuContext,
  buffers: Buffers,
  output: OutputBuffer,
  wanted: ReadonlySet<Arithmetic>,
  job: Job,
): Promise<readonly Peak[]> {
  return Promise.all(
    ARITHMETICS.filter((arithmetic) => wanted.has(arithmetic)).map(async (arithmetic) => {
      const { id, plan } = INSTRUMENTS[arithmetic];
      const kernel = await prepareKernel(context, id, plan(context.facts), {}, { buffers, output, coldBytes: 0, job });
      return { arithmetic, kernel };
    }),
  );
}

/** Their figures for a report, from the time of one run of each in nanoseconds. */
export function peakFields(
  peaks: readonly Peak[],
  timesNs: readonly number[],
): Pick<BenchReport, (typeof PEAK_FIELDS)[Arithmetic]> {
  return Object.fromEntries(
    peaks.map(({ arithmetic }, i) => [PEAK_FIELDS[arithmetic], INSTRUMENTS[arithmetic].multiplyAdds / timesNs[i]]),
  );
}
