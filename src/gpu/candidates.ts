import type { BenchCase } from '../core/bench/cases.ts';
import { BenchOracle } from '../core/bench/oracle.ts';
import type { EncodedMatrix } from '../core/encoded/encoded.ts';
import { type Job, withReport } from '../core/job.ts';
import type { KernelSpec } from '../core/kernel/kernel.ts';
import { isKernelOf } from '../core/operations/spmv.ts';
import type { Rejection } from '../core/report.ts';
import { threadPace, throwIfCancelled } from '../core/pace.ts';
import type { Buffers } from './buffers.ts';
import { kernelSupport } from './can-run.ts';
import { type CandidateGroup, type CandidateOptions, NO_SEARCH, reasonOf, rejectedCase } from './candidate.ts';
import { compileAhead, prepareCase, recordedFor, type RunState } from './case-kernels.ts';
import type { GpuContext } from './device.ts';

/** Prepares the kernels of a run on the device, one case after the other. The caller frees `buffers`. */
export class Candidates {
  readonly #run: RunState;
  /** the next case, which is encoded while another case is prepared */
  #ahead: { readonly bench: BenchCase; readonly encoding: ReturnType<BenchCase['encode']> } | null = null;

  /** Kernels that cannot run are added to `rejected`. */
  constructor(context: GpuContext, buffers: Buffers, options: CandidateOptions, rejected: Rejection[], job: Job) {
    const { operation, sizes, seed, secret, perform, byRows, output = null } = options;
    const oracle = options.oracle ?? new BenchOracle(operation, sizes, seed, threadPace, { perform, secret, byRows });
    this.#run = { context, buffers, options, oracle, output, rejected, job };
  }

  /**
   * Encodes a case, puts its kernels on the device, runs each once and compares it with the oracle on the matrix as it
   * is stored. With 'auto' the first correct kernel is enough, and the search adds the others. The encoded matrix is
   * released once its kernels are prepared, unless they need it to read their output back. Meanwhile `next` is encoded,
   * until the returned promise resolves. Throws CancelledError and DeviceLostError.
   */
  async prepare(bench: BenchCase, next?: BenchCase): Promise<CandidateGroup> {
    const { options, rejected } = this.#run;
    const job = labelled(this.#run.job, `encode ${bench.format.title}`);
    job.report({ what: '', done: 0, total: 1 });
    const { specs, unknown } = selectKernels(bench, options.operation.id);
    for (const rejection of unknown) rejected.push(rejection);
    try {
      const ahead = this.#ahead?.bench === bench ? this.#ahead.encoding : null;
      const { encoded, encodeMs } = await (ahead ?? bench.encode(job));
      throwIfCancelled(this.#run.job);
      if (next) this.#encodeAhead(next);
      const prepared = await prepareCase(this.#run, { bench, specs, encoded, encodeMs });
      return { bench, ...prepared };
    } catch (error) {
      rejected.push({ kernel: '', ...rejectedCase(bench), reason: reasonOf(error) });
      return { bench, candidates: [], ...NO_SEARCH };
    } finally {
      await this.#untilAhead();
    }
  }

  #encodeAhead(bench: BenchCase): void {
    const { options, job } = this.#run;
    const encoding = bench.encode(withReport(job)).then((result) => {
      this.#compileLead(bench, result.encoded);
      return result;
    });
    const ahead = options.timeline?.background(`encode ${bench.format.title}`, encoding) ?? encoding;
    // It may fail before anything waits for it, which would end a program in Node.
    ahead.catch(() => {});
    this.#ahead = { bench, encoding: ahead };
  }

  /** Compiles the kernel that will probably be timed first, if one is recorded. */
  #compileLead(bench: BenchCase, encoded: EncodedMatrix): void {
    const { context, options } = this.#run;
    const { operation, sizes } = options;
    const { facts } = context;
    const lead = selectKernels(bench, operation.id).specs.find(({ id }) => id === bench.recordedKernel?.kernel);
    if (!lead || !kernelSupport(lead, encoded, facts, sizes).ok) return;
    const chosen = recordedFor(bench, lead, lead.choices?.(encoded, facts, sizes) ?? []) ?? undefined;
    compileAhead(context, lead.id, () => lead.plan(encoded, facts, sizes, chosen));
  }

  /** Waits for `#ahead`: nothing is encoded while anything is timed. `prepare` of that case reports a failure. */
  async #untilAhead(): Promise<void> {
    if (!this.#ahead) return;
    const { bench, encoding } = this.#ahead;
    this.#run.job.report({ what: `encode ${bench.format.title}`, done: 0, total: 1 });
    await encoding.catch(() => {});
  }
}

/** The job, with a prefix for all of its reports. */
function labelled(job: Job, label: string): Job {
  return withReport(job, (progress) =>
    job.report({ ...progress, what: progress.what === '' ? label : `${label}: ${progress.what}` }),
  );
}

/** The kernels that a case requests, and refusals for names that its format does not have. */
function selectKernels(bench: BenchCase, operation: string) {
  const { format } = bench;
  const available: readonly KernelSpec<EncodedMatrix>[] = format.kernels.filter((k) => isKernelOf(k, operation));
  if (bench.kernels === 'auto' || bench.kernels === 'all') {
    return { specs: available.filter(({ id }) => !bench.except?.includes(id)), unknown: [] };
  }
  const ids = new Set(bench.kernels);
  const known = available.map((k) => k.id);
  return {
    specs: available.filter((k) => ids.has(k.id)),
    unknown: bench.kernels
      .filter((id) => !known.includes(id))
      .map((id) => ({
        kernel: id,
        ...rejectedCase(bench),
        reason: `found no kernel of this name for '${operation}', expected one of ${known.join(', ')}`,
      })),
  };
}
