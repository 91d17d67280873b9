import type { BenchCase } from '../core/bench/cases.ts';
import type { BenchOracle } from '../core/bench/oracle.ts';
import type { SpanRecorder } from '../core/bench/span-recorder.ts';
import { CancelledError, SparseScopeError } from '../core/errors.ts';
import type { EncodedMatrix } from '../core/encoded/encoded.ts';
import type { Perform } from '../core/job.ts';
import type { KernelSpec } from '../core/kernel/kernel.ts';
import type { Expected, Operation, Sizes } from '../core/operations/operation.ts';
import type { Rejection, TunedChoices, Verification } from '../core/report.ts';
import { verifyOutputs } from '../core/operations/verify.ts';
import { DeviceLostError } from './device.ts';
import type { OutputBuffer } from './output-buffer.ts';
import type { PreparedKernel } from './prepared-kernel.ts';
import type { Tuner } from './tuning.ts';

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
export interface Answer {
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

/** The group members of a case without any kernel that runs. */
export const NO_SEARCH = { search: null, keep: async () => {} } as const satisfies Partial<CandidateGroup>;

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
export type RunOracle = Pick<BenchOracle, 'reference'>;

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
