import type { BenchCase } from '../core/bench/cases.ts';
import { BenchOracle } from '../core/bench/oracle.ts';
import { CancelledError, OverflowError, SparseScopeError } from '../core/errors.ts';
import type { EncodedMatrix } from '../core/format.ts';
import type { Job } from '../core/job.ts';
import type { KernelSpec } from '../core/kernel/kernel.ts';
import { type Expected, expectedFor, type Sizes } from '../core/operations/operation.ts';
import { operationById } from '../core/operations/index.ts';
import type { Refusal, Verification } from '../core/report.ts';
import { verifyOutputs } from '../core/operations/verify.ts';
import type { Buffers } from './buffers.ts';
import { DeviceLostError, type GpuContext } from './device.ts';
import { ResourceError } from './guard.ts';
import { threadPace, throwIfCancelled } from '../core/pace.ts';
import { OutputBuffer, outputRegions, prepareKernel, type PreparedKernel, regionBytes } from './run.ts';
import { admitKernel, readOutputs } from './verify.ts';

/** A kernel that is on the device and has been compared with the oracle once. */
export interface Candidate {
  readonly bench: BenchCase;
  readonly spec: KernelSpec<EncodedMatrix>;
  readonly kernel: PreparedKernel;
  readonly multiplyAdds: number | undefined;
  /** where it writes to */
  readonly output: OutputBuffer;
  /** The outputs of the operation, out of the words that it wrote. */
  readonly outputsOf: (words: Uint32Array<ArrayBuffer>) => Float32Array;
  readonly expected: Expected;
  readonly verified: Verification;
  readonly encodeMs: number;
  readonly firstDispatchMs: number;
}

/** The kernels of one case. With 'auto' only the fastest of them is wanted. */
export interface CandidateGroup {
  readonly bench: BenchCase;
  readonly candidates: readonly Candidate[];
}

export interface CandidateOptions {
  readonly operation: string;
  readonly sizes: Sizes;
  readonly seed: number;
  readonly coldBytes: number;
}

/**
 * Encodes each case, puts its kernels on the device, runs each once and compares it with the oracle on the matrix as it
 * is stored. What cannot run is added to `refused`. An encoded matrix is let go once its kernels are prepared, unless
 * they need it to read their output back. Throws CancelledError and DeviceLostError; the caller frees `buffers`.
 */
export async function prepareCandidates(
  context: GpuContext,
  buffers: Buffers,
  cases: readonly BenchCase[],
  options: CandidateOptions,
  refused: Refusal[],
  job: Job,
): Promise<readonly CandidateGroup[]> {
  const groups: CandidateGroup[] = [];
  const oracle = new BenchOracle(operationById(options.operation), options.sizes, options.seed, threadPace);
  const shared: Shared = { output: null, oracle };
  for (const [done, bench] of cases.entries()) {
    job.report({ what: `encode ${bench.format.title}`, done, total: cases.length });
    const { specs, unknown } = selectKernels(bench, options.operation);
    for (const refusal of unknown) refused.push(refusal);
    try {
      const { encoded, encodeMs } = await bench.encode(job);
      throwIfCancelled(job);
      const candidates = await prepareCase(
        context,
        buffers,
        { bench, specs, encoded, encodeMs },
        options,
        shared,
        refused,
        job,
      );
      groups.push({ bench, candidates });
    } catch (error) {
      refused.push({ kernel: '', format: bench.format.id, params: bench.params, reason: reasonOf(error) });
    }
  }
  return groups;
}

/** What the kernels of a run have in common. */
interface Shared {
  /** the largest so far */
  output: OutputBuffer | null;
  readonly oracle: BenchOracle;
}

interface EncodedCase {
  readonly bench: BenchCase;
  readonly specs: readonly KernelSpec<EncodedMatrix>[];
  readonly encoded: EncodedMatrix;
  readonly encodeMs: number;
}

async function prepareCase(
  context: GpuContext,
  buffers: Buffers,
  { bench, specs, encoded, encodeMs }: EncodedCase,
  options: CandidateOptions,
  shared: Shared,
  refused: Refusal[],
  job: Job,
): Promise<Candidate[]> {
  const format = bench.format.id;
  const admitted: KernelSpec<EncodedMatrix>[] = [];
  const unfit: Refusal[] = [];
  for (const spec of specs) {
    const admission = admitKernel(spec, encoded, context.facts, options.sizes);
    if (admission.ok) admitted.push(spec);
    else unfit.push({ kernel: spec.id, format, params: bench.params, reason: admission.reason });
  }
  // With 'auto' nobody asked for the variants that do not fit, as long as one does.
  if (bench.kernels !== 'auto' || admitted.length === 0) for (const refusal of unfit) refused.push(refusal);
  if (admitted.length === 0) return [];

  const { inputs, expected: expectedWith } = await shared.oracle.reference(bench, encoded, job);
  const candidates: Candidate[] = [];
  for (const [done, spec] of admitted.entries()) {
    throwIfCancelled(job);
    job.report({ what: `verify ${spec.id}`, done, total: admitted.length });
    const expected = expectedFor(expectedWith, spec);
    try {
      const { coldBytes, sizes } = options;
      const plan = spec.plan(encoded, context.facts, sizes);
      const bytes = regionBytes(outputRegions(plan, context.facts.limits.minStorageBufferOffsetAlignment));
      if (shared.output === null || shared.output.buffer.size < bytes) {
        shared.output = await OutputBuffer.create(buffers, bytes);
      }
      const { output } = shared;
      const kernel = await prepareKernel(context, spec.id, plan, inputs, { buffers, output, coldBytes, job });
      const start = performance.now();
      const words = await kernel.runOnce(output);
      const firstDispatchMs = performance.now() - start;
      const outputsOf = outputReader(spec, encoded, sizes);
      candidates.push({
        bench,
        spec,
        kernel,
        multiplyAdds: plan.multiplyAdds,
        output,
        outputsOf,
        expected,
        verified: verifyOutputs(outputsOf(words), expected),
        encodeMs,
        firstDispatchMs,
      });
    } catch (error) {
      const reason = reasonOf(error);
      refused.push({
        kernel: spec.id,
        format,
        params: bench.params,
        reason,
        ...(error instanceof ResourceError || error instanceof OverflowError ? {} : { failed: true as const }),
      });
    }
  }
  return candidates;
}

/** Only a kernel with a layout of its own keeps the encoded matrix. */
function outputReader(spec: KernelSpec<EncodedMatrix>, encoded: EncodedMatrix, sizes: Sizes): Candidate['outputsOf'] {
  if (spec.read) return (words) => readOutputs(spec, encoded, words, sizes);
  return (words) => new Float32Array(words.buffer);
}

/** Runs the kernel on the last copy of its arrays and compares it again. */
export async function verifyAgain({ kernel, output, outputsOf, expected }: Candidate): Promise<Verification> {
  return verifyOutputs(outputsOf(await kernel.runOnce(output, kernel.copies - 1)), expected, true);
}

function selectKernels(
  bench: BenchCase,
  operation: string,
): { specs: readonly KernelSpec<EncodedMatrix>[]; unknown: readonly Refusal[] } {
  const { format } = bench;
  const available: readonly KernelSpec<EncodedMatrix>[] = format.kernels.filter((k) => k.operation === operation);
  if (bench.kernels === 'auto' || bench.kernels === 'all') return { specs: available, unknown: [] };
  const wanted = new Set(bench.kernels);
  const known = available.map((k) => k.id);
  return {
    specs: available.filter((k) => wanted.has(k.id)),
    unknown: bench.kernels
      .filter((id) => !known.includes(id))
      .map((id) => ({
        kernel: id,
        format: format.id,
        params: bench.params,
        reason: `found no kernel of this name for '${operation}', expected one of ${known.join(', ')}`,
      })),
  };
}

/** The sentence of an error that concerns one kernel alone. Throws what concerns the whole run, and what is a bug. */
function reasonOf(error: unknown): string {
  const ofOneKernel = error instanceof SparseScopeError || error instanceof RangeError;
  if (!ofOneKernel || error instanceof CancelledError || error instanceof DeviceLostError) throw error;
  return error.message;
}
