import type { BenchCase } from '../core/bench/cases.ts';
import { BenchOracle, type OracleCase } from '../core/bench/oracle.ts';
import type { SpanRecorder } from '../core/bench/span-recorder.ts';
import { CancelledError, FormatError, OverflowError, SparseScopeError } from '../core/errors.ts';
import { arrayBytes, type EncodedMatrix } from '../core/encoded/encoded.ts';
import { type Job, type Perform, withReport } from '../core/job.ts';
import { type Choice, type Chosen, startOf } from '../core/kernel/choices.ts';
import type { KernelPlan, KernelSpec } from '../core/kernel/kernel.ts';
import { isKernelOf } from '../core/operations/spmv.ts';
import { type Expected, expectedFor, type Inputs, type Operation, type Sizes } from '../core/operations/operation.ts';
import type { Rejection, TunedChoices, Verification } from '../core/report.ts';
import { verifyOutputs } from '../core/operations/verify.ts';
import type { Buffers } from './buffers.ts';
import { DeviceLostError, type GpuContext } from './device.ts';
import { ResourceError } from './guard.ts';
import { threadPace, throwIfCancelled } from '../core/pace.ts';
import { compilePass } from './pipelines.ts';
import { prepareKernel, type Variant } from './prepare.ts';
import { OutputBuffer, outputRegions, regionBytes } from './output-buffer.ts';
import type { PreparedKernel } from './prepared-kernel.ts';
import { fitsChoices, type Trial, type Tunable, tuningKey, type Tuner } from './tuning.ts';
import { kernelSupport } from './can-run.ts';
import { readOutputs } from './verify.ts';

// Candidates: the kernels of a run, each compared with the oracle (the product in f64) before it is timed. A case is a
// format with its parameters, in which the matrix is stored.

/** A kernel that is on the device and has been compared with the oracle once. */
export interface Candidate {
  readonly bench: BenchCase;
  readonly spec: KernelSpec<EncodedMatrix>;
  readonly kernel: PreparedKernel;
  /** bytes of the arrays of the format */
  readonly storedBytes: number;
  readonly multiplyAdds: number | undefined;
  /** null if it runs with the default values of its choices, such as the workgroup size */
  readonly tuned: TunedChoices | null;
  readonly output: OutputBuffer;
  /** The expected result of each variant (`PreparedKernel.variants`). */
  readonly answers: readonly Answer[];
  /** the expected result of `PreparedKernel.runLast` */
  readonly lastAnswer: Answer;
  readonly verified: Verification;
  readonly encodeMs: number;
  readonly firstDispatchMs: number;
  /** nanoseconds per run when a search timed the kernels of its case; absent: no search did */
  readonly trialNs?: number;
}

/** How the outputs of a kernel are read, and what they should be. */
interface Answer {
  /** converts the words that the kernel wrote to the outputs of the operation */
  readonly outputsOf: (words: Uint32Array<ArrayBuffer>) => Float32Array;
  readonly expected: Expected;
}

/** The kernels of one case. With 'auto' only the fastest of them takes part. */
export interface CandidateGroup {
  readonly bench: BenchCase;
  readonly candidates: readonly Candidate[];
  /** Prepares the other kernels, searches for tuning numbers, returns all kernels of the case; null: nothing to try. */
  readonly search: (() => Promise<readonly Candidate[]>) | null;
  /** Remembers the kernel that a trial chose, with its tuning numbers, for later runs. */
  readonly keep: (chosen: Candidate) => Promise<void>;
}

const NO_SEARCH = { search: null, keep: async () => {} } as const satisfies Partial<CandidateGroup>;

/** The settings with which the kernels of a run are prepared. */
export interface CandidateOptions {
  readonly operation: Operation;
  readonly sizes: Sizes;
  readonly seed: number;
  /** cold runs rotate copies of at least this many bytes, so that a run's data is in no cache; 0: warm runs */
  readonly coldBytes: number;
  /** seed of further inputs that timed runs alternate with, unknown to authors of kernels; absent: one set of inputs */
  readonly secret?: number;
  /** searches for tuning numbers by timing kernels against each other; absent: kernels use their defaults */
  readonly tuner?: Tuner | null;
  /** other threads for the reference; default: none */
  readonly perform?: Perform | undefined;
  /** the format whose rows the oracle may send to other threads */
  readonly byRows?: string | undefined;
  /** records work that continues during the run; default: it is not recorded */
  readonly timeline?: SpanRecorder | undefined;
  /** the reference for outputs; default: the oracle on the matrix as each format stores it */
  readonly oracle?: RunOracle;
  /** output buffer, if it is large enough; default: one that is allocated on demand */
  readonly output?: OutputBuffer;
}

/** Expected values that outputs are compared with. */
type RunOracle = Pick<BenchOracle, 'reference'>;

/** The state that the kernels of a run share. */
interface Shared {
  /** the largest output buffer so far */
  output: OutputBuffer | null;
  readonly oracle: RunOracle;
}

/** Prepares the kernels of a run on the device, one case after the other. The caller frees `buffers`. */
export class Candidates {
  readonly #context: GpuContext;
  readonly #buffers: Buffers;
  readonly #options: CandidateOptions;
  readonly #rejected: Rejection[];
  readonly #job: Job;
  readonly #shared: Shared;
  /** the next case, which is encoded while another case is prepared */
  #ahead: { readonly bench: BenchCase; readonly encoding: ReturnType<BenchCase['encode']> } | null = null;

  /** Kernels that cannot run are added to `rejected`. */
  constructor(context: GpuContext, buffers: Buffers, options: CandidateOptions, rejected: Rejection[], job: Job) {
    this.#context = context;
    this.#buffers = buffers;
    this.#options = options;
    this.#rejected = rejected;
    this.#job = job;
    const { operation, sizes, seed, secret, perform, byRows, output = null } = options;
    const oracle = options.oracle ?? new BenchOracle(operation, sizes, seed, threadPace, { perform, secret, byRows });
    this.#shared = { output, oracle };
  }

  /**
   * Encodes a case, puts its kernels on the device, runs each once and compares it with the oracle on the matrix as it
   * is stored. With 'auto' the first correct kernel is enough, and the search adds the others. The encoded matrix is
   * released once its kernels are prepared, unless they need it to read their output back. Meanwhile `next` is encoded,
   * until the returned promise resolves. Throws CancelledError and DeviceLostError.
   */
  async prepare(bench: BenchCase, next?: BenchCase): Promise<CandidateGroup> {
    const job = labelled(this.#job, `encode ${bench.format.title}`);
    job.report({ what: '', done: 0, total: 1 });
    const { specs, unknown } = selectKernels(bench, this.#options.operation.id);
    for (const rejection of unknown) this.#rejected.push(rejection);
    try {
      const ahead = this.#ahead?.bench === bench ? this.#ahead.encoding : null;
      const { encoded, encodeMs } = await (ahead ?? bench.encode(job));
      throwIfCancelled(this.#job);
      if (next) this.#encodeAhead(next);
      const prepared = await prepareCase(
        this.#context,
        this.#buffers,
        { bench, specs, encoded, encodeMs },
        this.#options,
        this.#shared,
        this.#rejected,
        this.#job,
      );
      return { bench, ...prepared };
    } catch (error) {
      this.#rejected.push({ kernel: '', ...rejectedCase(bench), reason: reasonOf(error) });
      return { bench, candidates: [], ...NO_SEARCH };
    } finally {
      await this.#untilAhead();
    }
  }

  #encodeAhead(bench: BenchCase): void {
    const { timeline } = this.#options;
    const encoding = bench.encode(withReport(this.#job)).then((done) => {
      this.#compileLead(bench, done.encoded);
      return done;
    });
    const ahead = timeline?.background(`encode ${bench.format.title}`, encoding) ?? encoding;
    // It may fail before anything waits for it, which would end a program in Node.
    ahead.catch(() => {});
    this.#ahead = { bench, encoding: ahead };
  }

  /** Compiles the kernel that will probably be timed first, if one is recorded. */
  #compileLead(bench: BenchCase, encoded: EncodedMatrix): void {
    const { operation, sizes } = this.#options;
    const { facts } = this.#context;
    const lead = selectKernels(bench, operation.id).specs.find(({ id }) => id === bench.known?.kernel);
    if (!lead || !kernelSupport(lead, encoded, facts, sizes).ok) return;
    const chosen = recordedFor(bench, lead, lead.choices?.(encoded, facts, sizes) ?? []) ?? undefined;
    compileAhead(this.#context, lead.id, () => lead.plan(encoded, facts, sizes, chosen));
  }

  /** Waits for `#ahead`: nothing is encoded while anything is timed. `prepare` of that case reports a failure. */
  async #untilAhead(): Promise<void> {
    if (!this.#ahead) return;
    const { bench, encoding } = this.#ahead;
    this.#job.report({ what: `encode ${bench.format.title}`, done: 0, total: 1 });
    await encoding.catch(() => {});
  }
}

/** The job, with a prefix for all of its reports. */
function labelled(job: Job, label: string): Job {
  return withReport(job, (progress) =>
    job.report({ ...progress, what: progress.what === '' ? label : `${label}: ${progress.what}` }),
  );
}

/** A case with its encoded matrix and the kernels that are requested for it. */
interface EncodedCase {
  readonly bench: BenchCase;
  readonly specs: readonly KernelSpec<EncodedMatrix>[];
  readonly encoded: EncodedMatrix;
  readonly encodeMs: number;
}

/** Puts the kernels of an encoded case on the device and verifies them; with 'auto', until one is correct. */
async function prepareCase(
  context: GpuContext,
  buffers: Buffers,
  { bench, specs, encoded, encodeMs }: EncodedCase,
  options: CandidateOptions,
  shared: Shared,
  rejected: Rejection[],
  job: Job,
): Promise<Omit<CandidateGroup, 'bench'>> {
  const about = rejectedCase(bench);
  const supported: KernelSpec<EncodedMatrix>[] = [];
  const unfit: Rejection[] = [];
  for (const spec of specs) {
    const support = kernelSupport(spec, encoded, context.facts, options.sizes);
    if (support.ok) supported.push(spec);
    else unfit.push({ kernel: spec.id, ...about, reason: support.reason });
  }
  // With 'auto', kernels that do not fit do not matter as long as one does.
  if (bench.kernels !== 'auto' || supported.length === 0) for (const rejection of unfit) rejected.push(rejection);
  if (supported.length === 0) return { candidates: [], ...NO_SEARCH };

  const { coldBytes, sizes, tuner } = options;
  const planOf = (spec: KernelSpec<EncodedMatrix>, chosen?: Chosen): KernelPlan =>
    spec.plan(encoded, context.facts, sizes, chosen);
  const choicesOf = (spec: KernelSpec<EncodedMatrix>): readonly Choice[] =>
    spec.choices?.(encoded, context.facts, sizes) ?? [];
  const isAuto = bench.kernels === 'auto';
  const trial: Trial = {
    format: bench.format.id,
    params: bench.params,
    encoded,
    sizes,
    coldBytes,
    kernels: isAuto && supported.length > 1 ? supported.map((spec) => ({ id: spec.id, plan: planOf(spec) })) : [],
  };
  const recalled = (await tuner?.recallTrial(trial)) ?? null;
  const lead = recalled ?? bench.known?.kernel;
  const ordered = isAuto ? supported.toSorted((a, b) => Number(b.id === lead) - Number(a.id === lead)) : supported;
  /** the tuning numbers of each kernel: remembered, or of a similar GPU, or its defaults */
  const numbers = new Map<KernelSpec<EncodedMatrix>, Promise<Numbers>>();
  const findNumbers = async (spec: KernelSpec<EncodedMatrix>): Promise<Numbers> => {
    const plan = planOf(spec);
    const choices = choicesOf(spec);
    const key = tuningKey(context, spec, encoded, { plan, choices, sizes, coldBytes });
    const recalledNumbers = choices.length > 0 && tuner ? await tuner.recall(key, choices) : null;
    const start = recalledNumbers || !tuner ? null : recordedFor(bench, spec, choices);
    const tuned = recalledNumbers ?? (start && { chosen: start, start, gain: 1, tried: 1, remembered: true });
    return { key, choices, start, recalled: recalledNumbers, tuned, plan: tuned ? planOf(spec, tuned.chosen) : plan };
  };
  const numbersOf = (spec: KernelSpec<EncodedMatrix>): Promise<Numbers> => {
    const found = numbers.get(spec) ?? findNumbers(spec);
    numbers.set(spec, found);
    return found;
  };
  const ahead = (specs: readonly KernelSpec<EncodedMatrix>[]): void => {
    // If a plan does not fit, the error appears when it is needed.
    for (const spec of specs)
      numbersOf(spec).then(
        ({ plan }) => compileAhead(context, spec.id, () => plan),
        () => {},
      );
  };
  // Compiled while the reference is computed.
  ahead(isAuto ? ordered.slice(0, 1) : ordered);
  const { first, checked, last } = await casesOf(bench, encoded, options, shared.oracle, job);
  const outputFor = async (plan: KernelPlan): Promise<OutputBuffer> => {
    const bytes = regionBytes(outputRegions(plan, context.facts.limits.minStorageBufferOffsetAlignment));
    if (shared.output === null || shared.output.buffer.size < bytes) {
      shared.output = await OutputBuffer.create(buffers, bytes);
    }
    return shared.output;
  };
  const onDevice = async (
    spec: KernelSpec<EncodedMatrix>,
    plan: KernelPlan,
    chosen: Chosen | undefined,
    memory: Buffers,
  ): Promise<PreparedKernel> => {
    const variantOf = (oracleCase: Pick<OracleCase, 'encoded' | 'inputs'>): Variant => ({
      plan: oracleCase.encoded === encoded ? plan : spec.plan(oracleCase.encoded, context.facts, sizes, chosen),
      inputs: oracleCase.inputs,
    });
    return prepareKernel(context, spec.id, plan, first.inputs, {
      buffers: memory,
      output: await outputFor(plan),
      coldBytes,
      others: checked.map(variantOf),
      ...(last && { last: variantOf(last) }),
      hasOwnMemory: spec.draft !== undefined,
      job,
    });
  };
  const prepare = async (
    spec: KernelSpec<EncodedMatrix>,
    plan: KernelPlan,
    tuned: TunedChoices | null,
  ): Promise<Candidate> => {
    const output = await outputFor(plan);
    const kernel = await onDevice(spec, plan, tuned?.chosen, buffers);
    const start = performance.now();
    const words = await kernel.runOnce(output);
    const firstDispatchMs = performance.now() - start;
    const answerOf = (oracleCase: Pick<OracleCase, 'encoded' | 'expected'>): Answer => ({
      outputsOf: outputReader(spec, oracleCase.encoded, sizes),
      expected: expectedFor(oracleCase.expected, spec),
    });
    const answer = answerOf(first);
    return {
      bench,
      spec,
      kernel,
      storedBytes: arrayBytes(encoded),
      multiplyAdds: plan.multiplyAdds,
      tuned,
      output,
      answers: [answer, ...checked.map(answerOf)],
      lastAnswer: last ? answerOf(last) : answer,
      verified: verifyOutputs(answer.outputsOf(words), answer.expected),
      encodeMs,
      firstDispatchMs,
    };
  };
  const candidates: Candidate[] = [];
  const tunables: Tunable[] = [];
  const add = async (spec: KernelSpec<EncodedMatrix>): Promise<void> => {
    try {
      const { key, choices, start, recalled: tuned, tuned: withNumbers, plan } = await numbersOf(spec);
      const candidate = await prepare(spec, plan, withNumbers);
      candidates.push(candidate);
      tunables.push({
        kernel: candidate.kernel,
        // A kernel that is wrong is never timed.
        choices: candidate.verified.ok ? choices : [],
        start: start ?? startOf(choices),
        isKnown: start !== null,
        tuned,
        key,
        compile(chosen) {
          const tried = planOf(spec, chosen);
          // The promise is shared with the caller, who also receives its error.
          for (const pass of tried.passes) compilePass(context, spec.id, pass).catch(() => {});
          return (memory) => onDevice(spec, tried, chosen, memory);
        },
      });
    } catch (error) {
      const reason = reasonOf(error);
      const isTooLarge = error instanceof ResourceError || error instanceof OverflowError;
      rejected.push({ kernel: spec.id, ...about, reason, ...(!isTooLarge && { failed: true as const }) });
    }
  };
  const keep = async ({ spec, tuned }: Candidate): Promise<void> => {
    await tuner?.keepTrial(trial, spec.id);
    // Also numbers that were not searched (no time left, or a similar GPU's): the kernel won with them.
    if (tuned) await tuner?.keepNumbers((await numbersOf(spec)).key, tuned);
  };
  const rest = [...ordered];
  const addNext = async (what: string): Promise<void> => {
    throwIfCancelled(job);
    job.report({ what, done: ordered.length - rest.length, total: ordered.length });
    for (const spec of rest.splice(0, 1)) await add(spec);
  };
  // One correct kernel is enough for a first time.
  const isEnough = (): boolean => isAuto && candidates.some(({ verified }) => verified.ok);
  while (rest.length > 0 && !isEnough()) await addNext(`verify ${rest[0].id}`);
  // If a trial of an earlier run chose this kernel, no other is tried.
  if (candidates.some(({ spec, verified }) => spec.id === recalled && verified.ok)) rest.length = 0;
  const prepared = [...candidates];
  if (rest.length === 0 && !tunables.some((tunable) => tuner?.needsSearch(tunable)))
    return { candidates, search: null, keep };
  const search = async (): Promise<readonly Candidate[]> => {
    ahead(rest);
    while (rest.length > 0) await addNext(`checking ${ordered.length} kernels`);
    const found = tuner ? await tuner.tune(tunables, isAuto, SEARCH_MS) : [];
    const searched: Candidate[] = [];
    for (const [i, candidate] of candidates.entries()) {
      const { tuned = null, ns = null } = found.at(i) ?? {};
      const { spec } = candidate;
      const isUnchanged =
        tuned === null || Object.entries(tuned.chosen).every(([name, value]) => value === tuned.start[name]);
      // If the kernel cannot be prepared again, for example for lack of memory, it keeps its settings.
      const tried = isUnchanged
        ? tuned && { tuned }
        : await prepare(spec, planOf(spec, tuned.chosen), tuned).catch((error: unknown) => void reasonOf(error));
      searched.push({ ...candidate, ...tried, ...(ns !== null && { trialNs: ns }) });
    }
    return searched;
  };
  return { candidates: prepared, search, keep };
}

/** The tuning numbers of a kernel of a case: values of its choices, such as the workgroup size. */
interface Numbers {
  readonly key: string;
  readonly choices: readonly Choice[];
  /** numbers of a similar GPU, where a search starts; null: it starts from the defaults */
  readonly start: Chosen | null;
  /** numbers of an earlier search on this GPU */
  readonly recalled: TunedChoices | null;
  /** `recalled`, else `start`; null: the kernel runs with its defaults */
  readonly tuned: TunedChoices | null;
  readonly plan: KernelPlan;
}

/** The tuning numbers of this kernel on a similar GPU for a similar matrix; null if there are none. */
function recordedFor(bench: BenchCase, spec: KernelSpec<EncodedMatrix>, choices: readonly Choice[]): Chosen | null {
  const { kernel, chosen } = bench.known ?? {};
  return kernel === spec.id && chosen && fitsChoices(chosen, choices) ? chosen : null;
}

/** Compiles a plan before it is needed. If it does not fit or compile, the error appears when it is needed. */
function compileAhead(context: GpuContext, id: string, planOf: () => KernelPlan): void {
  try {
    for (const pass of planOf().passes) compilePass(context, id, pass).catch(() => {});
  } catch (error) {
    reasonOf(error);
  }
}

/** The inputs of a case's kernels, with expected outputs. */
interface KernelCases {
  readonly first: OracleCase;
  /** alternate with `first` while kernels are timed */
  readonly checked: readonly OracleCase[];
  /** for the verification after the rounds; null if all runs have the same inputs */
  readonly last: OracleCase | null;
}

/** Time for all searches of a case. */
const SEARCH_MS = 5500;

/** If further inputs need more bytes than this, all runs have the same inputs. */
const MAX_OTHER_BYTES = 2 ** 28;

/** The inputs of a case and their expected outputs, with further inputs if there is a secret seed and memory for them. */
async function casesOf(
  bench: BenchCase,
  encoded: EncodedMatrix,
  { secret }: CandidateOptions,
  oracle: RunOracle,
  job: Job,
): Promise<KernelCases> {
  const reference = await oracle.reference(bench, encoded, job);
  const first: OracleCase = { encoded, ...reference };
  const alone: KernelCases = { first, checked: [], last: null };
  if (secret === undefined || !(oracle instanceof BenchOracle)) return alone;
  const { inputs } = reference;
  const other = oracle.variedInputs(encoded, inputs, secret);
  const isVaried = other !== inputs;
  const otherBytes = isVaried ? bytesOf(changed(other, inputs)) : bytesOf(inputs) + arrayBytes(encoded);
  if (otherBytes > MAX_OTHER_BYTES) return alone;
  try {
    const { checked, last } = await oracle.secretCases(bench, encoded, secret, job);
    return { first, checked: [checked], last };
  } catch (error) {
    // The format rejects the matrix with these values.
    if (error instanceof FormatError) return alone;
    throw error;
  }
}

/** The members of `inputs` that are not the same arrays in `others`. */
function changed(inputs: Inputs, others: Inputs): Inputs {
  return Object.fromEntries(Object.entries(inputs).filter(([name, values]) => values !== others[name]));
}

function bytesOf(inputs: Inputs): number {
  return Object.values(inputs).reduce((sum, { byteLength }) => sum + byteLength, 0);
}

/** Converts the words of a kernel to outputs; keeps `encoded` in memory only if its output layout needs it. */
function outputReader(spec: KernelSpec<EncodedMatrix>, encoded: EncodedMatrix, sizes: Sizes): Answer['outputsOf'] {
  if (spec.read) return (words) => readOutputs(spec, encoded, words, sizes);
  return (words) => new Float32Array(words.buffer);
}

/** Runs the kernel on inputs that it has not had yet, in the memory that its timed runs left, and compares the output. */
export async function verifyAgain({ kernel, output, lastAnswer }: Candidate): Promise<Verification> {
  const outputs = lastAnswer.outputsOf(await kernel.runLast(output));
  return verifyOutputs(outputs, lastAnswer.expected, { checkedAfterTiming: true });
}

/** Compares the output of the run that used `slot`: runs rotate through the slots, each with a variant of the inputs. */
export async function verifyTimed({ kernel, output, answers }: Candidate, slot: number): Promise<Verification> {
  const words = await kernel.readSlot(output, slot);
  const { outputsOf, expected } = answers[slot % kernel.variants];
  return verifyOutputs(outputsOf(words), expected);
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

/** What a refusal in a report records about its case: format, parameters, and the draft, a kernel that a user wrote. */
export function rejectedCase({ format, params, draft }: BenchCase): Pick<Rejection, 'format' | 'params' | 'draft'> {
  return { format: format.id, params, ...(draft && { draft }) };
}

/** The message of an error that concerns only one kernel. Rethrows errors that concern the whole run, and bugs. */
export function reasonOf(error: unknown): string {
  const isOfOneKernel = error instanceof SparseScopeError || error instanceof RangeError;
  if (!isOfOneKernel || error instanceof CancelledError || error instanceof DeviceLostError) throw error;
  return error.message;
}
