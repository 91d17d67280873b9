import { FormatError } from '../../../core/errors.ts';
import type { BenchMatrix } from '../../../engine/bench/bench-host.ts';
import type { ServiceJob } from '../../../engine/bridge/service-job.ts';
import { defineService } from '../../../engine/bridge/service.ts';
import type { EngineHost } from '../../../engine/host.ts';
import { kernelFiles, kernelSource, MAX_ENCODED, readKernel } from '../../../engine/kernel-reading/kernel-reading.ts';
import type { KernelFile, KernelReading, KernelRequest } from '../../../engine/kernel-reading/kernel-reading-types.ts';
import type { OpenMatrix } from '../../../engine/matrix/open-matrix.ts';
import { RandomWeights } from '../../../generate/random-weights.ts';

/** In place of a model's random stand-in weights, if they are too many: a matrix that rejects encoding; else null. */
function unencodable({ matrix, name, wholeMatrix }: OpenMatrix): BenchMatrix | null {
  if (!(matrix instanceof RandomWeights) || wholeMatrix !== null || matrix.expectedNonZeros <= MAX_ENCODED) return null;
  const { rows, cols, expectedNonZeros: nnz } = matrix;
  return {
    matrix: { rows, cols, nnz, readRow: (row, into) => matrix.readRow(row, into) },
    source: name,
    encode: (format) => Promise.reject(new FormatError(`${format.title}: found no weights`)),
    isEncoded: () => false,
  };
}

/** The service of Code, which reads kernels as compiled, and all their files for the search. */
export const kernels = defineService('kernels', (host: EngineHost) => ({
  /** Reads a kernel. Encodes the open matrix for it, if the format supports the matrix. */
  async read(job: ServiceJob, request: KernelRequest): Promise<KernelReading> {
    host.throwIfBusy('read a kernel');
    const status = await host.device.status();
    const facts = status.kind === 'ready' ? (await host.device.open()).facts : null;
    const { current } = host.matrix;
    const openMatrix = unencodable(current) ?? (await host.openMatrix(job));
    return { generation: current.generation, ...(await readKernel(host, request, openMatrix, facts, job)) };
  },
  /** A kernel's text, at once: for a substitute of the matrix, and a desktop GPU. */
  source: (_job: ServiceJob, request: Pick<KernelRequest, 'kernel' | 'params'>) => kernelSource(host, request),
  /** Every file of every kernel, for the search. */
  files: (_job: ServiceJob): readonly KernelFile[] => kernelFiles(host.formats),
}));
