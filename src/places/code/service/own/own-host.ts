import { SparseScopeError } from '../../../../core/errors.ts';
import type { AnyFormat } from '../../../../core/format.ts';
import type { Job } from '../../../../core/job.ts';
import { CsrMatrix, type Matrix, toCsr } from '../../../../core/matrix/index.ts';
import { throwIfCancelled } from '../../../../core/pace.ts';
import type { Outcome } from '../../../../own/answers.ts';
import type { Run } from '../../../../own/asking.ts';
import { difference, sent } from '../../../../own/decoded.ts';
import { ownFormat } from '../../../../own/format.ts';
import { ownKernel } from '../../../../own/kernel/spec.ts';
import type { BenchMatrix } from '../../../../engine/bench/bench-host.ts';
import { encodeTimed } from '../../../../engine/matrix/encodings.ts';
import { standInMatrix } from '../../../../gpu/index.ts';
import type { AwkwardMatrix } from '../../../../generate/awkward/matrices.ts';
import { badMatrix, DRAFT_MATRICES } from '../drafts/try-matrices.ts';
import type { DraftHost } from '../drafts/run.ts';
import type { EncodeModuleOnPage, OwnKernelRequest } from './own-types.ts';

/** Non-zeros of a matrix that is sent to be encoded elsewhere: its copies there take ten times as many bytes. */
const MAX_SENT = 2 ** 26;

/** Which matrices the host has to know: the open one alone, or all that a kernel is tried on. */
type Which = 'open' | 'all';

/**
 * A host in which a format of one's own is one of the formats, with the kernel of its author. Whatever it stores was asked
 * for before: nothing of its module runs here. Throws SparseScopeError and CancelledError.
 */
export async function ownHost(
  host: DraftHost,
  { name, description, text }: OwnKernelRequest,
  encode: EncodeModuleOnPage,
  which: Which,
  job: Job,
): Promise<{ readonly host: DraftHost; readonly format: AnyFormat }> {
  const stage = await host.stage(job);
  if (stage.matrix.nnz > MAX_SENT) {
    throw new SparseScopeError(
      `the open matrix: found ${stage.matrix.nnz} non-zeros, expected at most ${MAX_SENT} for a format of one's own`,
    );
  }
  const small = (host.draftMatrices ?? DRAFT_MATRICES).map((one) => ({ name: one.name, matrix: one.build() }));
  const asked: readonly { readonly name: string; readonly matrix: Matrix }[] = [
    { name: stage.source, matrix: stage.matrix },
    ...(which === 'all' ? [...small, { name: 'x that is not finite', matrix: badMatrix() }] : []),
  ];
  const runs = new Map<Matrix, Outcome<Run>>();
  for (const [done, { name: what, matrix }] of asked.entries()) {
    throwIfCancelled(job);
    job.report({ what: `encoding ${what}`, done, total: asked.length });
    runs.set(matrix, await encode(sent(matrix)));
  }
  throwIfCancelled(job);
  // What is compiled where the kernel cannot run on the open matrix.
  const other = standInMatrix(64, 64);
  runs.set(other, await encode(sent(other)));
  const known = (matrix: Matrix): Outcome<Run> | undefined =>
    runs.get(matrix) ?? (isLike(other, matrix) ? runs.get(other) : undefined);
  const runOf = (matrix: Matrix): Outcome<Run> =>
    known(matrix) ?? ({ kind: 'failed', message: 'the module has not been run on this matrix', line: 0 } as const);
  const plain = ownFormat({ name, text: '', description, runOf });
  const format: AnyFormat = { ...plain, kernels: [ownKernel(name, description.title, text)] };
  const own: BenchMatrix = {
    ...stage,
    encode: (one, params, work) =>
      one.id === format.id ? encodeTimed(one, stage.matrix, params, work, host) : stage.encode(one, params, work),
    isEncoded: (one, params) => one.id !== format.id && stage.isEncoded(one, params),
  };
  const draftMatrices = small.map(({ name: what, matrix }): AwkwardMatrix => ({ name: what, build: () => matrix }));
  return {
    host: { ...host, formats: [...host.formats, format], stage: async () => own, draftMatrices },
    format,
  };
}

/** Whether a matrix is such a one as the other: kernels are planned on a stand-in that is made anew. */
function isLike(a: Matrix, b: Matrix): boolean {
  return (
    a.rows === b.rows &&
    a.cols === b.cols &&
    a.nnz === b.nnz &&
    difference(new CsrMatrix(toCsr(a)), new CsrMatrix(toCsr(b))) === null
  );
}
