// The worker's service for users' kernels of custom formats: trying, timing and tracing them.

import { scratchCard } from '../../../../../src/core/scratch/card.ts';
import { kernelPaths, userKernel } from '../../../own/kernel/user-kernel.ts';
import { NOT_RUN, userFormatId } from '../../../own/user-format-source.ts';
import { transferred } from '../../../../../src/engine/bridge/transfer.ts';
import { ServiceJob } from '../../../../../src/engine/bridge/service-job.ts';
import { defineService } from '../../../../../src/engine/bridge/service.ts';
import type { EngineHost } from '../../../../../src/engine/host.ts';
import type { DraftRequest, MemoryAnswer, OnDraftEvent } from '../drafts/draft-types.ts';
import { traceMemory } from '../drafts/trace-memory.ts';
import { type DraftHost, runDraft } from '../drafts/run-draft.ts';
import type { EncodeModuleOnPage, UserKernelRequest, UserMemoryRequest, UserTrialRequest } from './kernel-types.ts';
import { SparseScopeError } from '../../../../../src/core/errors.ts';
import type { Job } from '../../../../../src/core/job.ts';
import { type AnyFormat, resolvedParams } from '../../../../../src/core/format.ts';
import { SPMV } from '../../../../../src/core/operations/index.ts';
import type { BenchEntry } from '../../../../../src/engine/bench/bench-types.ts';
import type { BenchHost, BenchMatrix } from '../../../../../src/engine/bench/bench-host.ts';
import { benchRun } from '../../../../../src/engine/bench-service.ts';
import { type Race, finalTimedEvent, timedEvent } from '../drafts/race-draft.ts';
import { CsrMatrix, type Matrix, toCsr } from '../../../../../src/core/matrix/index.ts';
import { throwIfCancelled } from '../../../../../src/core/pace.ts';
import type { Outcome } from '../../../own/parse-answers.ts';
import type { RoundTrip } from '../../../own/module-requests.ts';
import { firstDifference, matrixMessage } from '../../../own/decoded-matrix.ts';
import { userFormat } from '../../../own/user-format.ts';
import { encodeTimed } from '../../../../../src/engine/matrix/encodings.ts';
import { exampleMatrix } from '../../../../../src/gpu/index.ts';
import type { AwkwardMatrix } from '../../../../../src/generate/awkward/matrices.ts';
import { matrixForNonFiniteX, DRAFT_MATRICES } from '../drafts/trial-cases.ts';

/** Maximum non-zeros of a matrix that the page encodes: its copies there take ten times as many bytes. */
const MAX_NON_ZEROS = 2 ** 26;

/** The matrices to encode: the open one only, or all on which a kernel is verified. */
type MatrixSet = 'open' | 'all';

/**
 * The worker's host (its formats and matrices) with a user's format and kernel added. The page encodes all matrices
 * beforehand, since the user's code does not run in the worker. Throws SparseScopeError and CancelledError.
 */
export async function hostWithFormat(
  host: DraftHost,
  { name, description, text }: UserKernelRequest,
  encode: EncodeModuleOnPage,
  matrixSet: MatrixSet,
  job: Job,
): Promise<{ readonly host: DraftHost; readonly format: AnyFormat }> {
  const opened = await host.openMatrix(job); // the open matrix
  if (opened.matrix.nnz > MAX_NON_ZEROS) {
    throw new SparseScopeError(
      `the open matrix: found ${opened.matrix.nnz} non-zeros, expected at most ${MAX_NON_ZEROS} for one's own format`,
    );
  }
  const edgeCases = (host.draftMatrices ?? DRAFT_MATRICES).map((recipe) => ({
    name: recipe.name,
    matrix: recipe.build(),
  }));
  const matrices: readonly { readonly name: string; readonly matrix: Matrix }[] = [
    { name: opened.source, matrix: opened.matrix },
    ...(matrixSet === 'all' ? [...edgeCases, { name: 'x that is not finite', matrix: matrixForNonFiniteX() }] : []),
  ];
  const results = new Map<Matrix, Outcome<RoundTrip>>();
  for (const [done, { name: what, matrix }] of matrices.entries()) {
    throwIfCancelled(job);
    job.report({ what: `encoding ${what}`, done, total: matrices.length });
    results.set(matrix, await encode(matrixMessage(matrix)));
  }
  throwIfCancelled(job);
  // The matrix to compile for if the kernel cannot run on the open matrix.
  const example = exampleMatrix(64, 64);
  results.set(example, await encode(matrixMessage(example)));
  const resultOf = (matrix: Matrix): Outcome<RoundTrip> =>
    results.get(matrix) ??
    (isEqual(example, matrix) ? results.get(example) : null) ?? {
      kind: 'failed',
      message: NOT_RUN,
      line: 0,
    };
  const withoutKernel = userFormat({ name, text: '', description, resultOf });
  const format: AnyFormat = { ...withoutKernel, kernels: [userKernel(name, description.title, text)] };
  const encodable: BenchMatrix = {
    ...opened,
    encode: (other, params, work) =>
      other.id === format.id
        ? encodeTimed(other, opened.matrix, params, work, host)
        : opened.encode(other, params, work),
    isEncoded: (other, params) => other.id !== format.id && opened.isEncoded(other, params),
  };
  const draftMatrices = edgeCases.map(({ name: what, matrix }): AwkwardMatrix => ({ name: what, build: () => matrix }));
  return {
    host: { ...host, formats: [...host.formats, format], openMatrix: async () => encodable, draftMatrices },
    format,
  };
}

/** Whether two matrices have equal cells: the example is generated anew, so it is another object each time. */
function isEqual(a: Matrix, b: Matrix): boolean {
  return (
    a.rows === b.rows &&
    a.cols === b.cols &&
    a.nnz === b.nnz &&
    firstDifference(new CsrMatrix(toCsr(a)), new CsrMatrix(toCsr(b))) === null
  );
}

/** The request in the form of a request for a draft, a kernel that the user changed. */
function draftOf(request: UserKernelRequest): Omit<DraftRequest, 'time'> {
  const { name, description, params, overrides, text } = request;
  const { id } = scratchCard({ id: userFormatId(name), title: description.title });
  return { kernel: id, params, files: { [kernelPaths(name).code]: text }, overrides, sizes: {} };
}

/** Tries the kernel of a custom format: see `trial` of the service. */
export async function tryUserKernel(
  host: DraftHost,
  request: UserTrialRequest,
  encode: EncodeModuleOnPage,
  job: ServiceJob,
  onEvent: OnDraftEvent,
): Promise<void> {
  const { time, rounds, otherParams } = request;
  const extended = await hostWithFormat(host, request, encode, 'all', job);
  const draft: DraftRequest = { ...draftOf(request), time, ...(rounds === undefined ? {} : { rounds }) };
  return runDraft({ race: raceAgainstFormats(otherParams), ...extended.host }, draft, job, onEvent);
}

/** The worker's service for kernels of custom formats. `encode` encodes matrices in the page's sandbox. */
export const userKernelService = defineService('own-kernels', (host: EngineHost) => ({
  /**
   * Compiles a kernel, verifies it with limited loops and as written, on the open matrix and on edge cases, and, if
   * correct and `time` is set, times it next to the other formats. Errors of the kernel are events. Rejects only if
   * cancelled, while a benchmark runs, or without a matrix.
   */
  async trial(
    job: ServiceJob,
    request: UserTrialRequest,
    encode: EncodeModuleOnPage,
    onEvent: OnDraftEvent,
  ): Promise<void> {
    host.throwIfBusy('try a kernel');
    // Progress is sent in order with the events.
    const reporting = new ServiceJob(host, (progress) => void onEvent({ stage: 'doing', ...progress }));
    job.signal.addEventListener('abort', () => reporting.cancel());
    return tryUserKernel(host, request, encode, reporting, onEvent);
  },
  /** The elements that the lanes of one workgroup touch. Rejects with one message if they cannot be recorded. */
  async memory(job: ServiceJob, request: UserMemoryRequest, encode: EncodeModuleOnPage): Promise<MemoryAnswer> {
    host.throwIfBusy('watch a kernel');
    const { generation } = host.matrix.current;
    const extended = await hostWithFormat(host, request, encode, 'open', job);
    const answer = {
      generation,
      ...(await traceMemory(extended.host, { ...draftOf(request), workgroup: request.workgroup }, job)),
    };
    return transferred(answer, answer.trace);
  },
}));

/**
 * A function that times a user's kernel next to the fastest kernel of every other format that can store the open
 * matrix, in the same cold rounds. `others`: their parameters, by id. Rejects with SparseScopeError or like `benchRun`.
 */
export function raceAgainstFormats(others: UserTrialRequest['otherParams']) {
  return async (host: BenchHost, race: Race, job: Job, onEvent: OnDraftEvent): Promise<void> => {
    const { format, params, draft, rounds } = race;
    const formatWithDraft = { ...format, kernels: [draft] };
    const formats = host.formats.map((other) => (other.id === format.id ? formatWithDraft : other));
    const { matrix } = await host.openMatrix(job);
    const entries = formats.flatMap((other): readonly BenchEntry[] => {
      if (other.id === format.id) return [{ format: other.id, params, kernels: [draft.id] }];
      const userParams = resolvedParams(other.params, others[other.id] ?? {}, matrix);
      const canBeTimed =
        other.kernels.some(({ operation }) => operation === SPMV.id) && other.admits(matrix, userParams).ok;
      return canBeTimed ? [{ format: other.id, params: userParams, kernels: 'auto' }] : [];
    });
    const request = {
      operation: SPMV.id,
      sizes: {},
      workload: { kind: 'stage' }, // the open matrix
      entries,
      memory: 'cold',
      rounds,
      seed: 1,
      where: 'gpu',
    } as const;
    const raceSettings = { draft, original: null, rounds };
    const report = await benchRun({ ...host, formats }, request, job, async (partialReport) => {
      const event = timedEvent(partialReport, raceSettings);
      if (event) await onEvent({ ...event, report: partialReport });
    });
    await onEvent({ ...finalTimedEvent(report, raceSettings), report });
  };
}
