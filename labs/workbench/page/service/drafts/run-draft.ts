// Runs a draft (a user's changed kernel) in the worker: compiles it, checks its results on several matrices, and
// times it.

import { CancelledError, OverflowError, SparseScopeError } from '../../../../../src/core/errors.ts';
import type { AnyFormat, EncodedMatrix } from '../../../../../src/core/format.ts';
import type { Job } from '../../../../../src/core/job.ts';
import { type DeviceFacts, type KernelSpec, unsuitedReason } from '../../../../../src/core/kernel/kernel.ts';
import { isScratch } from '../../../../../src/core/scratch/card.ts';
import { operationById, SPMV } from '../../../../../src/core/operations/index.ts';
import { completeSizes } from '../../../../../src/core/operations/operation.ts';
import { throwIfCancelled } from '../../../../../src/core/pace.ts';
import {
  compileMessages,
  draftSpec,
  type LoopPosition,
  type TrialBudget,
  type TrialMatrix,
  type TrialResult,
  tryKernel,
} from '../../../gpu/index.ts';
import {
  kernelSupport,
  DeviceLostError,
  forgetPasses,
  type GpuContext,
  exampleMatrix,
} from '../../../../../src/gpu/index.ts';
import type { AwkwardMatrix } from '../../../../../src/generate/awkward/matrices.ts';
import type { BenchHost } from '../../../../../src/engine/bench/bench-host.ts';
import { kernelOf, paramsFor } from '../../../../../src/engine/bench/kernel-of.ts';
import { runAbandonable } from './run-abandonable.ts';
import type { DraftCheck, DraftRequest, OnDraftEvent } from './draft-types.ts';
import { canStopLateWorkgroups, loopLimit } from './loop-limits.ts';
import { type Race, raceDraft } from './race-draft.ts';
import { DRAFT_MATRICES, trialCases } from './trial-cases.ts';
import type { TrialCase } from './trial-case.ts';

const DEFAULT_ROUNDS = 20;

/** Maximum number of incorrect outputs that a check lists. */
const MAX_LISTED = 16;

/** The functions of the worker that the run of a draft uses. */
export interface DraftHost extends BenchHost {
  /** Runs `work` while nothing else runs. */
  exclusively(work: () => Promise<void>): Promise<void>;
  /** matrices to try in addition to the open matrix; default: DRAFT_MATRICES of trial-cases.ts */
  readonly draftMatrices?: readonly AwkwardMatrix[];
  /** times a correct draft; default: `raceDraft`, against the original kernel */
  readonly race?: (host: BenchHost, race: Race, job: Job, onEvent: OnDraftEvent) => Promise<void>;
}

type Budget = NonNullable<TrialBudget>;

/** The largest number of rows, or of columns, of the matrices. */
function largestOf(cases: readonly TrialCase[], side: 'rows' | 'cols'): number {
  return Math.max(...cases.map((trialCase) => trialCase[side])); // bounded: the trial matrices, a fixed list
}

/** Thrown if a draft does not compile, does not end, or gives wrong results: the run ends with the message. */
class DraftFault extends SparseScopeError {
  override name = 'DraftFault';
}

/**
 * Runs a draft (a user's changed kernel): compiles it, tries it on the open matrix and on edge cases, and times it.
 * Results and failures are reported to `onEvent`. Throws CancelledError, and unexpected errors.
 */
export async function runDraft(host: DraftHost, request: DraftRequest, job: Job, onEvent: OnDraftEvent): Promise<void> {
  try {
    const sentence = await new DraftRun(host, request, job, onEvent).run();
    await onEvent({ stage: 'ended', ok: true, sentence });
  } catch (error) {
    if (error instanceof CancelledError || job.cancelled) throw error;
    if (!(error instanceof SparseScopeError || error instanceof RangeError)) throw error;
    await onEvent({ stage: 'ended', ok: false, sentence: finalText(error) });
  }
}

/** The message of an error as a sentence that ends a run. */
function finalText(error: Error): string {
  const { message } = error;
  const capitalised = /^[a-z]+ /.test(message) ? `${message[0].toUpperCase()}${message.slice(1)}` : message;
  const sentence = capitalised.replace(/\.?$/, '.');
  return error instanceof DeviceLostError ? `${sentence} The next run opens it again.` : sentence;
}

/** A matrix that the kernel supports, prepared for a trial. */
interface PreparedMatrix {
  readonly trialCase: TrialCase;
  /** the matrix's number in this run, from 1 */
  readonly number: number;
  readonly trial: TrialMatrix;
}

/** A single run of a draft, for `runDraft`. */
class DraftRun {
  readonly #host: DraftHost;
  readonly #request: DraftRequest;
  readonly #job: Job;
  readonly #onEvent: OnDraftEvent;

  constructor(host: DraftHost, request: DraftRequest, job: Job, onEvent: OnDraftEvent) {
    this.#host = host;
    this.#request = request;
    this.#job = job;
    this.#onEvent = onEvent;
  }

  /** Returns the final message of a run that succeeds. Throws DraftFault, and errors of the kernel and the device. */
  async run(): Promise<string> {
    const { kernel, time, rounds = DEFAULT_ROUNDS } = this.#request;
    const { format, spec } = kernelOf(this.#host, kernel);
    const sizes = completeSizes(operationById(spec.operation), { ...spec.max, ...this.#request.sizes });
    const draft = draftSpec(spec, this.#request);
    // The matrix of the whole run, even if another is opened meanwhile.
    const opened = await this.#host.openMatrix(this.#job);
    const params = paramsFor(format, spec, this.#request.params, opened.matrix);
    const host: BenchHost = { ...this.#host, openMatrix: async () => opened };
    const context = await host.device.open();
    const { facts } = context;
    const tryAndTime = async (): Promise<string> => {
      const cases = trialCases(opened, this.#host.draftMatrices ?? DRAFT_MATRICES, {
        format,
        spec: draft,
        params,
        sizes,
        facts,
        pace: host,
      });
      const open = await this.#prepare(cases, 0);
      // If the kernel cannot run on the open matrix, it is compiled for an example.
      const compiledFor = open?.trial.encoded ?? (format.encode(exampleMatrix(64, 64), params) as EncodedMatrix);
      // The limit of the largest matrix for all: the limit is in the text, which is then compiled only once.
      const largest = { rows: largestOf(cases, 'rows'), cols: largestOf(cases, 'cols') };
      const budget = await this.#compile(context, draft, compiledFor, open?.trial.sizes ?? sizes, largest);
      const correct = await this.#checkAll(context, draft, cases, open, budget);
      if (correct.length === 0) throw new DraftFault(`${kernel} runs on none of the matrices: not tried`);
      await this.#tryAsWritten(context, draft, correct, cases.length);
      const rightText = `right on ${correct.length === 1 ? 'the one matrix' : `all ${correct.length} matrices`}`;
      if (!time) return `The draft is ${rightText}.`;
      if (!open) return `The draft is ${rightText}, but not timed: it cannot run on the open matrix.`;
      if (facts.isFallback) {
        const otherwise = this.#host.race ? 'not timed' : 'time it under Measure';
        return `The draft is ${rightText}. This is a software adapter: ${otherwise}.`;
      }
      const original = isScratch(kernel) ? rivalOf(format, params, open.trial, facts) : spec;
      const race = { format, params, original, draft, sizes, rounds };
      await this.#host.exclusively(() => (this.#host.race ?? raceDraft)(host, race, this.#job, this.#onEvent));
      return `The draft is ${rightText}, and was timed.`;
    };
    try {
      return await runAbandonable(context, this.#job, tryAndTime);
    } finally {
      forgetPasses(context, draft.id);
    }
  }

  /** Prepares a matrix; null, with an event, if the kernel does not support it. */
  async #prepare(cases: readonly TrialCase[], index: number): Promise<PreparedMatrix | null> {
    const trialCase = cases[index];
    throwIfCancelled(this.#job);
    this.#job.report({ what: `preparing ${trialCase.name}`, done: index, total: cases.length });
    const prepared = await trialCase.prepare(this.#job);
    if (prepared.ok) return { trialCase, number: index + 1, trial: prepared.trial };
    await this.#decline(trialCase, index + 1, cases.length, prepared.reason);
    return null;
  }

  /** Reports the compiler's messages. Returns limits on loops, enough for a matrix of the size `largest`. */
  async #compile(
    context: GpuContext,
    draft: KernelSpec<EncodedMatrix>,
    encoded: EncodedMatrix,
    sizes: TrialMatrix['sizes'],
    largest: Pick<EncodedMatrix, 'rows' | 'cols'>,
  ): Promise<Budget> {
    this.#job.report({ what: 'compiling', done: 0, total: 1 });
    const plan = draft.plan(encoded, context.facts, sizes);
    const messages = await compileMessages(context, draft.id, plan);
    const firstError = messages.find(({ severity }) => severity === 'error');
    await this.#onEvent({ stage: 'compiled', ok: firstError === undefined, messages });
    if (firstError) {
      const where = firstError.file === null ? '' : `${firstError.file}, line ${firstError.line}: `;
      throw new DraftFault(`It does not compile: ${where}${firstError.text}`);
    }
    const maxIterations = loopLimit(largest, plan);
    return { maxIterations, stopsLateWorkgroups: await canStopLateWorkgroups(context, draft.id, plan, maxIterations) };
  }

  /**
   * Runs the draft with limits on loops. Returns the matrices that it supports; throws DraftFault if an output is
   * incorrect or a loop did not end.
   */
  async #checkAll(
    context: GpuContext,
    draft: KernelSpec<EncodedMatrix>,
    cases: readonly TrialCase[],
    open: PreparedMatrix | null,
    budget: Budget,
  ): Promise<readonly PreparedMatrix[]> {
    const correct: PreparedMatrix[] = [];
    const wrong: DraftCheck[] = [];
    for (const index of cases.keys()) {
      const prepared = index === 0 ? open : await this.#prepare(cases, index);
      if (!prepared) continue;
      const result = await this.#try(context, draft, prepared, budget, cases.length);
      if (!result) continue;
      if (result.stopped) await this.#endStopped(prepared.trialCase, budget.maxIterations, result.stopped);
      const check = checkOf(prepared, result, cases.length);
      await this.#onEvent(check);
      if (check.ok) correct.push(prepared);
      else wrong.push(check);
    }
    if (correct.length + wrong.length > 0) {
      await this.#onEvent({ stage: 'budget', stopped: false, sentence: '', loop: null });
    }
    if (wrong.length > 0) throw new DraftFault(wrongText(wrong, correct.length + wrong.length));
    return correct;
  }

  /**
   * Runs the draft as a benchmark would: limits on loops can hide a missing barrier, and the guard bytes behind an
   * output change its length.
   */
  async #tryAsWritten(
    context: GpuContext,
    draft: KernelSpec<EncodedMatrix>,
    matrices: readonly PreparedMatrix[],
    total: number,
  ): Promise<void> {
    for (const prepared of matrices) {
      const result = await this.#try(context, draft, prepared, null, total);
      if (!result) continue;
      const check = checkOf(prepared, result, total);
      if (check.ok) continue;
      await this.#onEvent(check);
      throw new DraftFault(
        `right with limited loops, wrong as written: it may depend on the order of lanes, or on its output’s length: ${wrongText([check], matrices.length)}`,
      );
    }
  }

  /** Runs the draft on a matrix; null, with an event, if the result does not fit the format's arrays. */
  async #try(
    context: GpuContext,
    draft: KernelSpec<EncodedMatrix>,
    { trialCase, number, trial }: PreparedMatrix,
    budget: TrialBudget,
    total: number,
  ): Promise<TrialResult | null> {
    throwIfCancelled(this.#job);
    this.#job.report({ what: budget ? trialCase.name : `${trialCase.name}, as written`, done: number - 1, total });
    try {
      return await tryKernel(context, draft, trial, budget, this.#job);
    } catch (error) {
      if (error instanceof DeviceLostError || error instanceof CancelledError) throw error;
      if (error instanceof OverflowError) {
        await this.#decline(trialCase, number, total, error.message);
        return null;
      }
      if (error instanceof SparseScopeError) throw new DraftFault(`${trialCase.name}: ${error.message}`);
      throw error;
    }
  }

  /** Ends the run because a loop exceeded its limit. Throws DraftFault. */
  async #endStopped({ name }: TrialCase, maxIterations: number, loop: LoopPosition): Promise<never> {
    const sentence = `On ${name}, the loop in line ${loop.line} of ${loop.file} took more than ${maxIterations.toLocaleString('en')} turns: stopped.`;
    await this.#onEvent({ stage: 'budget', stopped: true, sentence, loop });
    throw new DraftFault(sentence);
  }

  /** Reports that a matrix was not tried, with the reason `declined`. */
  async #decline(trialCase: TrialCase, number: number, total: number, declined: string): Promise<void> {
    const unchecked = { ok: true, outputs: 0, wrong: 0, worstShare: 0, first: [] };
    await this.#onEvent({ stage: 'checked', ...matrixOf(trialCase), place: number, of: total, ...unchecked, declined });
  }
}

/** The fields of a check that describe its matrix. */
const matrixOf = ({ name, isOpenMatrix, rows, cols }: TrialCase) => ({ matrix: name, isOpenMatrix, rows, cols });

/** The rival of a kernel written from scratch: the format's first kernel that runs here; null if none does. */
function rivalOf(
  format: AnyFormat,
  params: Readonly<Record<string, unknown>>,
  { encoded, sizes }: TrialMatrix,
  facts: DeviceFacts,
): KernelSpec<EncodedMatrix> | null {
  const fits = (spec: KernelSpec<EncodedMatrix>): boolean =>
    spec.operation === SPMV.id &&
    unsuitedReason(spec, params) === null &&
    kernelSupport(spec, encoded, facts, sizes).ok;
  return (format.kernels as readonly KernelSpec<EncodedMatrix>[]).find(fits) ?? null;
}

/** The report on one matrix; `total`: the number of matrices in this run. */
function checkOf(
  { trialCase, number }: PreparedMatrix,
  { verified, wrongMarks, overruns }: TrialResult,
  total: number,
): DraftCheck {
  const { failureCount, failures, outputs, worstShare } = verified;
  return {
    stage: 'checked',
    ...matrixOf(trialCase),
    place: number,
    of: total,
    ok: verified.ok && overruns.length === 0,
    outputs,
    wrong: failureCount,
    worstShare,
    first: failures
      .slice(0, MAX_LISTED)
      .map(({ row, found, expected, bound }) => ({ output: row, got: found, expected, bound })),
    ...(trialCase.isOpenMatrix && failureCount > 0 ? { wrongOutputs: wrongMarks } : {}),
    ...(overruns.length > 0 ? { guard: overruns.map(guardText).join(' ') } : {}),
    declined: null,
  };
}

/** A sentence that a draft wrote past the end of a buffer. */
function guardText({ name, words, firstByte }: TrialResult['overruns'][number]): string {
  const count = words === 1 ? '1 word was' : `${words} words were`;
  const where = firstByte === 0 ? 'right behind its end' : `${firstByte} bytes behind its end`;
  return `${count} written past the end of ${name}, the first ${where}.`;
}

/** A text on which results are wrong, for the sentence that ends a run. */
function wrongText(wrong: readonly DraftCheck[], tried: number): string {
  const [first] = wrong;
  const what = first.wrong === 0 ? (first.guard ?? '') : `${first.wrong} of ${first.outputs} outputs are wrong`;
  const others = wrong.length === 1 ? '' : `, and ${wrong.length - 1} more of ${tried} matrices are wrong`;
  return `Wrong, so not timed: on ${first.matrix}, ${what.replace(/\.$/, '')}${others}`;
}
