import type { BenchCase } from '../core/bench/cases.ts';
import { BenchOracle, type OracleCase } from '../core/bench/oracle.ts';
import { FormatError, OverflowError } from '../core/errors.ts';
import { arrayBytes, type EncodedMatrix } from '../core/encoded/encoded.ts';
import type { Job } from '../core/job.ts';
import { type Choice, type Chosen, startOf } from '../core/kernel/choices.ts';
import type { KernelPlan, KernelSpec } from '../core/kernel/kernel.ts';
import { expectedFor, type Inputs, type Sizes } from '../core/operations/operation.ts';
import type { Rejection, TunedChoices } from '../core/report.ts';
import { verifyOutputs } from '../core/operations/verify.ts';
import { throwIfCancelled } from '../core/pace.ts';
import type { Buffers } from './buffers.ts';
import { kernelSupport } from './can-run.ts';
import {
  type Answer,
  type Candidate,
  type CandidateGroup,
  type CandidateOptions,
  NO_SEARCH,
  reasonOf,
  rejectedCase,
  type RunOracle,
} from './candidate.ts';
import type { GpuContext } from './device.ts';
import { ResourceError } from './guard.ts';
import { OutputBuffer, outputRegions, regionBytes } from './output-buffer.ts';
import { compilePass } from './pipelines.ts';
import { prepareKernel, type Variant } from './prepare.ts';
import type { PreparedKernel } from './prepared-kernel.ts';
import type { Tunable } from './kernel-search.ts';
import { fitsChoices, type Trial, tuningKey, type Tuner } from './tuning.ts';
import { readOutputs } from './verify.ts';

// Prepares the kernels of one case on the device: chooses their plans and tuning numbers, uploads their data, runs each
// once, and compares its output with the oracle.

/** What the kernels of all cases of a run share. */
export interface RunState {
  readonly context: GpuContext;
  readonly buffers: Buffers;
  readonly options: CandidateOptions;
  readonly oracle: RunOracle;
  /** the largest output buffer so far; null: none yet */
  output: OutputBuffer | null;
  /** kernels that cannot run are added */
  readonly rejected: Rejection[];
  readonly job: Job;
}

/** A case with its encoded matrix and the kernels that are requested for it. */
interface EncodedCase {
  readonly bench: BenchCase;
  readonly specs: readonly KernelSpec<EncodedMatrix>[];
  readonly encoded: EncodedMatrix;
  readonly encodeMs: number;
}

/** Puts the kernels of an encoded case on the device and verifies them; with 'auto', until one is correct. */
export async function prepareCase(run: RunState, encodedCase: EncodedCase): Promise<Omit<CandidateGroup, 'bench'>> {
  const { bench, encoded } = encodedCase;
  const { options, oracle, job } = run;
  const { tuner } = options;
  const isAuto = bench.kernels === 'auto';
  const supported = supportedKernels(run, encodedCase);
  if (supported.length === 0) return { candidates: [], ...NO_SEARCH };

  // With 'auto', the kernel that probably is the fastest is prepared first.
  const plans = new CasePlans(run, encodedCase);
  const trial = plans.trialOf(isAuto && supported.length > 1 ? supported : []);
  const recalled = (await tuner?.recallTrial(trial)) ?? null;
  const lead = recalled ?? bench.recordedKernel?.kernel;
  const ordered = isAuto ? supported.toSorted((a, b) => Number(b.id === lead) - Number(a.id === lead)) : supported;
  // Compiled while the reference is computed.
  plans.compileAhead(isAuto ? ordered.slice(0, 1) : ordered);
  const kernels = new DeviceKernels(run, encodedCase, plans, await casesOf(bench, encoded, options, oracle, job));

  const unprepared = [...ordered];
  const addNext = async (what: string): Promise<void> => {
    throwIfCancelled(job);
    job.report({ what, done: ordered.length - unprepared.length, total: ordered.length });
    for (const spec of unprepared.splice(0, 1)) await kernels.add(spec);
  };
  // One correct kernel is enough for a first time.
  const isEnough = (): boolean => isAuto && kernels.candidates.some(({ verified }) => verified.ok);
  while (unprepared.length > 0 && !isEnough()) await addNext(`verify ${unprepared[0].id}`);
  // If a trial of an earlier run chose this kernel, no other is tried.
  if (kernels.candidates.some(({ spec, verified }) => spec.id === recalled && verified.ok)) unprepared.length = 0;

  const keep = async ({ spec, tuned }: Candidate): Promise<void> => {
    await tuner?.keepTrial(trial, spec.id);
    // Also numbers that were not searched (no time left, or a similar GPU's): the kernel won with them.
    if (tuned) await tuner?.keepNumbers((await plans.numbersOf(spec)).key, tuned);
  };
  const candidates = [...kernels.candidates];
  if (unprepared.length === 0 && !kernels.tunables.some((tunable) => tuner?.needsSearch(tunable)))
    return { candidates, search: null, keep };
  const search = async (): Promise<readonly Candidate[]> => {
    plans.compileAhead(unprepared);
    while (unprepared.length > 0) await addNext(`checking ${ordered.length} kernels`);
    return kernels.tuned(tuner ? await tuner.tune(kernels.tunables, isAuto, SEARCH_MS) : []);
  };
  return { candidates, search, keep };
}

/** The requested kernels that can run; adds the others to `rejected`. */
function supportedKernels(
  { context, options, rejected }: RunState,
  { bench, specs, encoded }: EncodedCase,
): readonly KernelSpec<EncodedMatrix>[] {
  const supported: KernelSpec<EncodedMatrix>[] = [];
  const unsupported: Rejection[] = [];
  for (const spec of specs) {
    const support = kernelSupport(spec, encoded, context.facts, options.sizes);
    if (support.ok) supported.push(spec);
    else unsupported.push({ kernel: spec.id, ...rejectedCase(bench), reason: support.reason });
  }
  // With 'auto', kernels that do not fit do not matter as long as one does.
  if (bench.kernels !== 'auto' || supported.length === 0) for (const rejection of unsupported) rejected.push(rejection);
  return supported;
}

/** The plans of the kernels of a case, with the tuning numbers that each begins with. */
class CasePlans {
  readonly #run: RunState;
  readonly #case: EncodedCase;
  readonly #numbers = new Map<KernelSpec<EncodedMatrix>, Promise<Numbers>>();

  constructor(run: RunState, encodedCase: EncodedCase) {
    this.#run = run;
    this.#case = encodedCase;
  }

  planOf(spec: KernelSpec<EncodedMatrix>, chosen?: Chosen): KernelPlan {
    const { context, options } = this.#run;
    return spec.plan(this.#case.encoded, context.facts, options.sizes, chosen);
  }

  /** A trial between kernels of the case. */
  trialOf(specs: readonly KernelSpec<EncodedMatrix>[]): Trial {
    const { bench, encoded } = this.#case;
    const { sizes, coldBytes } = this.#run.options;
    const kernels = specs.map((spec) => ({ id: spec.id, plan: this.planOf(spec) }));
    return { format: bench.format.id, params: bench.params, encoded, sizes, coldBytes, kernels };
  }

  /** The tuning numbers of a kernel: those of an earlier search, or of a similar GPU, or its defaults. */
  numbersOf(spec: KernelSpec<EncodedMatrix>): Promise<Numbers> {
    const numbers = this.#numbers.get(spec) ?? this.#findNumbers(spec);
    this.#numbers.set(spec, numbers);
    return numbers;
  }

  async #findNumbers(spec: KernelSpec<EncodedMatrix>): Promise<Numbers> {
    const { bench, encoded } = this.#case;
    const { context, options } = this.#run;
    const { sizes, coldBytes, tuner } = options;
    const plan = this.planOf(spec);
    const choices = spec.choices?.(encoded, context.facts, sizes) ?? [];
    const key = tuningKey(context, spec, encoded, { plan, choices, sizes, coldBytes });
    const recalled = choices.length > 0 && tuner ? await tuner.recall(key, choices) : null;
    const start = recalled || !tuner ? null : recordedFor(bench, spec, choices);
    const tuned = recalled ?? (start && { chosen: start, start, gain: 1, tried: 1, remembered: true });
    return { key, choices, start, recalled, tuned, plan: tuned ? this.planOf(spec, tuned.chosen) : plan };
  }

  /** Compiles kernels before they are needed. If a plan does not fit, the error appears when it is needed. */
  compileAhead(specs: readonly KernelSpec<EncodedMatrix>[]): void {
    for (const spec of specs)
      this.numbersOf(spec).then(
        ({ plan }) => compileAhead(this.#run.context, spec.id, () => plan),
        () => {},
      );
  }
}

/** The kernels of a case that are on the device so far. */
class DeviceKernels {
  readonly candidates: Candidate[] = [];
  /** for each of `candidates`: what a search for its tuning numbers needs */
  readonly tunables: Tunable[] = [];
  readonly #run: RunState;
  readonly #case: EncodedCase;
  readonly #plans: CasePlans;
  readonly #inputs: KernelCases;

  constructor(run: RunState, encodedCase: EncodedCase, plans: CasePlans, inputs: KernelCases) {
    this.#run = run;
    this.#case = encodedCase;
    this.#plans = plans;
    this.#inputs = inputs;
  }

  /** Adds a kernel to `candidates`, or to `rejected` if it fails. */
  async add(spec: KernelSpec<EncodedMatrix>): Promise<void> {
    try {
      const { key, choices, start, recalled, tuned, plan } = await this.#plans.numbersOf(spec);
      const candidate = await this.#prepare(spec, plan, tuned);
      this.candidates.push(candidate);
      this.tunables.push({
        kernel: candidate.kernel,
        // A kernel that is wrong is never timed.
        choices: candidate.verified.ok ? choices : [],
        start: start ?? startOf(choices),
        isKnown: start !== null,
        tuned: recalled,
        key,
        compile: (chosen) => {
          const otherPlan = this.#plans.planOf(spec, chosen);
          // The promise is shared with the caller, who also receives its error.
          for (const pass of otherPlan.passes) compilePass(this.#run.context, spec.id, pass).catch(() => {});
          return (memory) => this.#onDevice(spec, otherPlan, chosen, memory);
        },
      });
    } catch (error) {
      const reason = reasonOf(error);
      const isTooLarge = error instanceof ResourceError || error instanceof OverflowError;
      const rejection = { kernel: spec.id, ...rejectedCase(this.#case.bench), reason };
      this.#run.rejected.push({ ...rejection, ...(!isTooLarge && { failed: true as const }) });
    }
  }

  /** All candidates with the results of a search, one for each; kernels with other numbers are prepared again. */
  async tuned(results: Awaited<ReturnType<Tuner['tune']>>): Promise<readonly Candidate[]> {
    const searched: Candidate[] = [];
    for (const [i, candidate] of this.candidates.entries()) {
      const { tuned = null, ns = null } = results.at(i) ?? {};
      const { spec } = candidate;
      const isUnchanged =
        tuned === null || Object.entries(tuned.chosen).every(([name, value]) => value === tuned.start[name]);
      // If the kernel cannot be prepared again, for example for lack of memory, it keeps its settings.
      const changed = isUnchanged
        ? tuned && { tuned }
        : await this.#prepare(spec, this.#plans.planOf(spec, tuned.chosen), tuned).catch(
            (error: unknown) => void reasonOf(error),
          );
      searched.push({ ...candidate, ...changed, ...(ns !== null && { trialNs: ns }) });
    }
    return searched;
  }

  /** Puts a kernel on the device, runs it once, and compares its output. */
  async #prepare(spec: KernelSpec<EncodedMatrix>, plan: KernelPlan, tuned: TunedChoices | null): Promise<Candidate> {
    const { bench, encoded, encodeMs } = this.#case;
    const { first, checked, last } = this.#inputs;
    const output = await this.#outputFor(plan);
    const kernel = await this.#onDevice(spec, plan, tuned?.chosen, this.#run.buffers);
    const start = performance.now();
    const words = await kernel.runOnce(output);
    const firstDispatchMs = performance.now() - start;
    const answerOf = (oracleCase: Pick<OracleCase, 'encoded' | 'expected'>): Answer => ({
      outputsOf: outputReader(spec, oracleCase.encoded, this.#run.options.sizes),
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
  }

  async #onDevice(
    spec: KernelSpec<EncodedMatrix>,
    plan: KernelPlan,
    chosen: Chosen | undefined,
    memory: Buffers,
  ): Promise<PreparedKernel> {
    const { encoded } = this.#case;
    const { context, options, job } = this.#run;
    const { first, checked, last } = this.#inputs;
    const variantOf = (oracleCase: Pick<OracleCase, 'encoded' | 'inputs'>): Variant => ({
      plan: oracleCase.encoded === encoded ? plan : spec.plan(oracleCase.encoded, context.facts, options.sizes, chosen),
      inputs: oracleCase.inputs,
    });
    return prepareKernel(context, spec.id, plan, first.inputs, {
      buffers: memory,
      output: await this.#outputFor(plan),
      coldBytes: options.coldBytes,
      otherVariants: checked.map(variantOf),
      ...(last && { last: variantOf(last) }),
      hasOwnMemory: spec.draft !== undefined,
      job,
    });
  }

  /** The output buffer of the run, replaced by a larger one if a plan needs more. */
  async #outputFor(plan: KernelPlan): Promise<OutputBuffer> {
    const { context, buffers } = this.#run;
    const bytes = regionBytes(outputRegions(plan, context.facts.limits.minStorageBufferOffsetAlignment));
    if (this.#run.output === null || this.#run.output.buffer.size < bytes) {
      this.#run.output = await OutputBuffer.create(buffers, bytes);
    }
    return this.#run.output;
  }
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
export function recordedFor(
  bench: BenchCase,
  spec: KernelSpec<EncodedMatrix>,
  choices: readonly Choice[],
): Chosen | null {
  const { kernel, chosen } = bench.recordedKernel ?? {};
  return kernel === spec.id && chosen && fitsChoices(chosen, choices) ? chosen : null;
}

/** Compiles a plan before it is needed. If it does not fit or compile, the error appears when it is needed. */
export function compileAhead(context: GpuContext, id: string, planOf: () => KernelPlan): void {
  try {
    for (const pass of planOf().passes) compilePass(context, id, pass).catch(() => {});
  } catch (error) {
    reasonOf(error);
  }
}

/** The inputs of the kernels of a case, with their expected outputs. */
interface KernelCases {
  readonly first: OracleCase;
  /** alternate with `first` while kernels are timed */
  readonly checked: readonly OracleCase[];
  /** for the verification after the rounds; null if all runs have the same inputs */
  readonly last: OracleCase | null;
}

/** Time for all searches of a case. */
const SEARCH_MS = 5500;

/** Maximum number of bytes of further inputs; if they need more, all runs have the same inputs. */
const MAX_FURTHER_BYTES = 2 ** 28;

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
  const onlyFirst: KernelCases = { first, checked: [], last: null };
  if (secret === undefined || !(oracle instanceof BenchOracle)) return onlyFirst;
  const { inputs } = reference;
  const furtherInputs = oracle.variedInputs(encoded, inputs, secret);
  const isVaried = furtherInputs !== inputs;
  const furtherBytes = isVaried ? bytesOf(changed(furtherInputs, inputs)) : bytesOf(inputs) + arrayBytes(encoded);
  if (furtherBytes > MAX_FURTHER_BYTES) return onlyFirst;
  try {
    const { checked, last } = await oracle.secretCases(bench, encoded, secret, job);
    return { first, checked: [checked], last };
  } catch (error) {
    // The format rejects the matrix with these values.
    if (error instanceof FormatError) return onlyFirst;
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
