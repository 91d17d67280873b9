import type { MeasuredRow } from '../core/bench/report-rows.ts';
import type { RoundSamples } from '../core/bench/shared-rounds.ts';
import type { Candidate } from './candidate.ts';
import type { PreparedKernel } from './prepared-kernel.ts';

// Rows and notes of the report of a benchmark run.

/** The note of a report whose kernels a software adapter verified and did not time. */
export const SOFTWARE_NOTE = 'software adapter: timed only when asked for';

/** The row of a kernel in the report; it has no samples if the kernel is wrong or was not timed. */
export function measuredRow(
  candidate: Candidate,
  samples: RoundSamples = { samplesNs: [] },
  runsPerSample = 0,
): MeasuredRow {
  const { bench, spec, kernel, storedBytes, multiplyAdds, tuned, verified, encodeMs, firstDispatchMs } = candidate;
  return {
    kernel: spec.id,
    format: bench.format.id,
    title: spec.title,
    ...(spec.draft ? { draft: spec.draft } : {}),
    where: 'gpu',
    params: bench.params,
    bytes: kernel.bytes,
    storedBytes,
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

/** Notes on kernels that may read from a cache: the copies of their arrays have fewer than `coldBytes` bytes in all. */
export function copyNotes(kernels: readonly PreparedKernel[], coldBytes: number): readonly string[] {
  const notes: string[] = [];
  const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toPrecision(3)} MiB`;
  const withoutCopies = kernels.filter((kernel) => kernel.rotatedBytes === 0 && kernel.bytes < coldBytes);
  if (withoutCopies.length > 0) {
    const ids = withoutCopies.map((kernel) => `${kernel.id} ${mebibytes(kernel.bytes)}`).join(', ');
    notes.push(`only inputs are read, perhaps from a cache: ${ids}`);
  }
  const tooFew = kernels
    .filter((kernel) => kernel.rotatedBytes > 0 && kernel.rotatedBytes < coldBytes)
    .map((kernel) => `${kernel.id} ${mebibytes(kernel.rotatedBytes)}`);
  const rotation = `a cold run should rotate ${mebibytes(coldBytes)}, more than the copies of a matrix this small`;
  if (tooFew.length > 0) notes.push(`${rotation}: perhaps read from a cache: ${tooFew.join(', ')}`);
  return notes;
}
