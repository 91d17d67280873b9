// Finds parameters of a sparse format with which the activations of a training step fit into its arrays.

import { OverflowError, SparseScopeError } from '../../../../src/core/errors.ts';
import { type AnyFormat, defaultParams, type EncodedMatrix } from '../../../../src/core/format.ts';
import type { Job } from '../../../../src/core/job.ts';
import type { KernelSpec } from '../../../../src/core/kernel/kernel.ts';
import { csrMatrix, type Matrix } from '../../../../src/core/matrix/index.ts';
import { FORWARD } from '../../../../src/core/operations/index.ts';
import { throwIfCancelled } from '../../../../src/core/pace.ts';
import { kernelSupport, type GpuContext, readOutputs, runKernelWords } from '../../../../src/gpu/index.ts';
import { type Attempt, keptBytes, STEP_PARTS, type StepFormats } from '../../theory/step.ts';

const SEED = 1;

/** A matrix of the same shape without non-zeros: its encoding is arrays without values, as large as parameters say. */
function emptyMatrix({ rows, cols }: Matrix): Matrix {
  return csrMatrix({
    rows,
    cols,
    indptr: new Uint32Array(rows + 1),
    indices: new Uint32Array(0),
    data: new Float32Array(0),
  });
}

/** The first format except `reference` (dense) with kernels for the forward and backward pass of a training step. */
function sparseFormat(formats: readonly AnyFormat[], reference: AnyFormat): AnyFormat {
  const [forward, backward] = STEP_PARTS;
  const hasKernel = ({ kernels }: AnyFormat, operation: string): boolean =>
    kernels.some((k) => k.operation === operation);
  const sparse = formats.find(
    (f) => f.id !== reference.id && [forward, backward].every((p) => hasKernel(f, p.operation)),
  );
  if (!sparse) throw new SparseScopeError('training step: found no sparse format with its kernels, expected one');
  return sparse;
}

/**
 * Finds parameters with which the arrays of the sparse format do not overflow: runs the forward pass on the GPU, for
 * random inputs of `width` columns whose gate has about the density of `h` (a row per token), first with the default
 * parameters. After an overflow the pass runs again with larger arrays, as in the TwELL paper (appendix B.2.1). Throws
 * SparseScopeError if the largest arrays overflow, too.
 */
export async function findFittingParams(
  context: GpuContext,
  { formats, reference }: { readonly formats: readonly AnyFormat[]; readonly reference: AnyFormat },
  h: Matrix,
  width: number,
  job: Job,
): Promise<StepFormats> {
  const format = sparseFormat(formats, reference);
  const [{ operation }] = STEP_PARTS;
  const empty = emptyMatrix(h);
  const sizes = { width };
  const inputs = FORWARD.inputs(h, sizes, SEED);
  const attempts: Attempt[] = [];
  // Bytes that the backward pass reads again.
  const keptBytesOf = (stored: AnyFormat, params: Readonly<Record<string, unknown>>, encoded: EncodedMatrix): number =>
    keptBytes(stored.storage(encoded), String(params.valueType));
  const keptByAttempt: number[] = [];
  for (let params: Readonly<Record<string, unknown>> | null = defaultParams(format.params); params !== null;) {
    throwIfCancelled(job);
    job.report({ what: `forward pass, attempt ${attempts.length + 1}`, done: attempts.length, total: 0 });
    const arrays: EncodedMatrix = format.encode(empty, params);
    const rejections: string[] = [];
    const spec = format.kernels.find((kernel: KernelSpec<EncodedMatrix>) => {
      if (kernel.operation !== operation) return false;
      const support = kernelSupport(kernel, arrays, context.facts, sizes);
      if (!support.ok) rejections.push(support.reason);
      return support.ok;
    });
    if (!spec) throw new SparseScopeError(`training step: ${rejections.join('; ')}`);
    keptByAttempt.push(keptBytesOf(format, params, arrays));
    const plan = spec.plan(arrays, context.facts, sizes);
    const words = await runKernelWords(context, spec.id, plan, inputs, job);
    try {
      readOutputs(spec, arrays, words, sizes);
    } catch (error) {
      if (!(error instanceof OverflowError)) throw error;
      // The first clause of the message names the rows: '8 of 10 rows overflow, the first at row 2: found …'.
      const [overflow] = error.message.split(/[,:]/);
      attempts.push({ params, overflow });
      params = format.larger?.(params) ?? null;
      continue;
    }
    attempts.push({ params, overflow: null });
    const referenceParams = defaultParams(reference.params);
    return {
      format: format.id,
      reference: reference.id,
      attempts,
      kept: {
        reference: keptBytesOf(reference, referenceParams, reference.encode(empty, referenceParams)),
        sparse: keptByAttempt[keptByAttempt.length - 1],
        sparseAtFirst: keptByAttempt[0],
      },
    };
  }
  throw new SparseScopeError(`training step: ${attempts.at(-1)?.overflow ?? ''} in the largest arrays`);
}
