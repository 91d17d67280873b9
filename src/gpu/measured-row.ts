import type { Measured } from '../core/bench/cases.ts';
import type { RoundSamples } from '../core/bench/shared-rounds.ts';
import type { Candidate } from './candidates.ts';

/** The note of a report whose kernels a software adapter verified, and was not asked to time. */
export const SOFTWARE_NOTE = 'software adapter: timed only when asked for';

/** A kernel with its measurements; none for one that is wrong or not timed. */
export function measuredRow(
  candidate: Candidate,
  samples: RoundSamples = { samplesNs: [] },
  runsPerSample = 0,
): Measured {
  const { bench, spec, kernel, multiplyAdds, tuned, verified, encodeMs, firstDispatchMs } = candidate;
  return {
    kernel: spec.id,
    format: bench.format.id,
    title: spec.title,
    ...(spec.draft ? { draft: spec.draft } : {}),
    where: 'gpu',
    params: bench.params,
    bytes: kernel.bytes,
    ...(multiplyAdds === undefined ? {} : { multiplyAdds }),
    ...(tuned === null ? {} : { tuned }),
    ...(spec.arithmetic ? { arithmetic: spec.arithmetic } : {}),
    verified,
    ...samples,
    runsPerSample,
    copies: kernel.copies,
    encodeMs,
    uploadMs: kernel.uploadMs,
    compileMs: kernel.compileMs,
    firstDispatchMs,
  };
}
