import { FormatError, KernelError, MatrixError, SparseScopeError } from '../../../../core/errors.ts';
import { type AnyFormat, type EncodedMatrix, resolvedParams } from '../../../../core/format.ts';
import type { Steps } from '../../../../core/job.ts';
import type { DeviceFacts, KernelPlan, KernelSpec } from '../../../../core/kernel/kernel.ts';
import type { Matrix } from '../../../../core/matrix/index.ts';
import { GEMM } from '../../../../core/operations/gemm.ts';
import type { Sizes } from '../../../../core/operations/operation.ts';
import { SPMV } from '../../../../core/operations/spmv.ts';
import { PIXELS } from '../../../../generate/digit-images.ts';
import { admitKernel, timedProduct, timedVectors } from '../../../../gpu/index.ts';
import type { DeviceHolder } from '../../../../engine/device.ts';
import { encodeTimed } from '../../../../engine/matrix/encodings.ts';
import type { ServiceJob } from '../../../../engine/bridge/job.ts';
import { finishPaced, type WorkerPace } from '../../../../engine/pace.ts';
import { finishLayer, forwardSteps, largestOf } from './forward.ts';
import type { ImageSet } from '../../../../generate/digit-sets.ts';
import type { Layer, Network } from './network.ts';
import { prunedLayerSteps } from './prune.ts';
import type { LayerFacts, NetworkChoice, NetworkOutcome } from './types.ts';

/** Images between two readings of the clock: about 10 ms, many ticks of any clock. */
const GROUP = 10;

/** What runs of a network need from the worker. */
export interface NetworkHost extends WorkerPace {
  readonly formats: readonly AnyFormat[];
  readonly device: DeviceHolder;
}

/** A network as stored for a choice. */
export interface StoredNetwork {
  readonly format: AnyFormat;
  readonly layers: readonly Layer[];
  /** one for each layer */
  readonly encoded: readonly EncodedMatrix[];
}

/**
 * Prunes and encodes every layer. Throws FormatError if the format cannot hold one, MatrixError for an invalid pruning,
 * SparseScopeError for an unknown format, and CancelledError. `norms` as returned by `inputNormsSteps`.
 */
export async function storeNetwork(
  { layers }: Network,
  norms: readonly Float32Array[],
  choice: NetworkChoice,
  job: ServiceJob,
  host: NetworkHost,
): Promise<StoredNetwork> {
  const format = host.formats.find((f) => f.id === choice.format);
  if (!format) {
    const known = host.formats.map((f) => f.id).join(', ');
    throw new SparseScopeError(`network: found format '${choice.format}', expected one of ${known}`);
  }
  const encoded: EncodedMatrix[] = [];
  for (const [k, layer] of layers.entries()) {
    const isKept = choice.pruning === null || (choice.layers === 'hidden' && k === layers.length - 1);
    const steps = isKept || choice.pruning === null ? null : prunedLayerSteps(layer, choice.pruning, norms[k]);
    const weights: Matrix = steps === null ? layer.weights : await finishPaced(steps, job, host);
    const params = resolvedParams(format.params, choice.params, weights);
    const admission = format.admits(weights, params);
    if (!admission.ok) throw new FormatError(`${layer.name}: ${admission.reason}`);
    encoded.push((await encodeTimed(format, weights, params, job, host)).encoded);
  }
  return { format, layers, encoded };
}

/**
 * Runs the images through a stored network. Throws KernelError if the GPU has no kernel for a layer; CancelledError.
 */
export async function runNetwork(
  stored: StoredNetwork,
  images: ImageSet,
  where: NetworkChoice['where'],
  job: ServiceJob,
  host: NetworkHost,
): Promise<NetworkOutcome> {
  const { format, layers, encoded } = stored;
  const ran =
    where === 'gpu'
      ? await runOnGpu(stored, images, job, host)
      : { ...(await finishPaced(cpuSteps(stored, images, host), job, host)), kernels: layers.map(() => null) };
  const facts = layers.map(({ name, weights: { rows, cols } }, k): LayerFacts => {
    const bytes = format.storage(encoded[k]).totalBytes;
    return { name, rows, cols, nnz: encoded[k].nnz, bytes, kernel: ran.kernels[k] };
  });
  const nnz = facts.reduce((sum, layer) => sum + layer.nnz, 0);
  const cells = facts.reduce((sum, layer) => sum + layer.rows * layer.cols, 0);
  let right = 0;
  for (const [k, answer] of ran.answers.entries()) right += answer === images.labels[k] ? 1 : 0;
  return {
    kind: 'ran',
    layers: facts,
    bytes: facts.reduce((sum, layer) => sum + layer.bytes, 0),
    nnz,
    density: nnz / cells,
    images: ran.answers.length,
    right,
    answers: ran.answers,
    samplesNs: ran.samplesNs,
  };
}

/** Each layer's output for one image, by the format's own `multiply`. */
export function activationsSteps(stored: StoredNetwork, pixels: Float32Array): Steps<readonly Float32Array[]> {
  return forwardSteps(stored.layers, pixels, (k, x, y) => multiplyEach(stored, k, x, y));
}

interface Ran {
  readonly answers: Uint8Array;
  readonly samplesNs: readonly number[];
}

/** A few images at a time through all layers; only the products are timed. */
function* cpuSteps(stored: StoredNetwork, images: ImageSet, { now }: Pick<NetworkHost, 'now'>): Steps<Ran> {
  const { layers } = stored;
  const count = images.labels.length;
  const answers = new Uint8Array(count);
  const samplesNs: number[] = [];
  for (let first = 0; first < count; first += GROUP) {
    const end = Math.min(count, first + GROUP);
    let x = images.pixels.subarray(first * PIXELS, end * PIXELS);
    let ms = 0;
    for (const k of layers.keys()) {
      const y = new Float32Array((end - first) * layers[k].weights.rows);
      const start = now();
      multiplyEach(stored, k, x, y);
      ms += now() - start;
      finishLayer(layers, k, y);
      x = y;
    }
    samplesNs.push((ms * 1e6) / (end - first));
    answers.set(largestOf(x, x.length / (end - first)), first);
    yield { what: 'images', done: end, total: count };
  }
  return { answers, samplesNs };
}

/** One product after another: `multiply` takes one vector. */
function multiplyEach({ format, layers, encoded }: StoredNetwork, k: number, x: Float32Array, y: Float32Array): void {
  const { rows, cols } = layers[k].weights;
  for (let i = 0; i * cols < x.length; i++) {
    format.multiply(encoded[k], x.subarray(i * cols, (i + 1) * cols), y.subarray(i * rows, (i + 1) * rows));
  }
}

/**
 * Layer by layer: all images at once by the format's first kernel of Y = X Aᵀ that fits, or one after another by its
 * first kernel of y = A x.
 */
async function runOnGpu(
  { format, layers, encoded }: StoredNetwork,
  images: ImageSet,
  job: ServiceJob,
  host: NetworkHost,
): Promise<Ran & { readonly kernels: readonly string[] }> {
  const context = await host.device.open();
  const count = images.labels.length;
  const kernels: string[] = [];
  const samples: (readonly number[])[] = [];
  let x = images.pixels;
  for (const [k, { name }] of layers.entries()) {
    job.throwIfCancelled();
    job.report({ what: `layer ${name} on the GPU`, done: k, total: layers.length });
    const chosen = kernelFor(format, encoded[k], context.facts, count);
    const atOnce = chosen.spec.operation === GEMM.id;
    const product = atOnce
      ? await timedProduct(context, chosen, { x }, job)
      : await timedVectors(context, chosen, x, job);
    finishLayer(layers, k, product.outputs);
    kernels.push(chosen.spec.id);
    samples.push(atOnce ? product.samplesNs.map((ns) => ns / count) : product.samplesNs);
    x = product.outputs;
  }
  const rounds = Math.min(...samples.map((s) => s.length)); // bounded: one for each of three layers
  return {
    answers: largestOf(x, x.length / count),
    samplesNs: Array.from({ length: rounds }, (_, i) => samples.reduce((sum, s) => sum + s[i], 0)),
    kernels,
  };
}

/**
 * The first kernel that can run, in the format's order, Y = X Aᵀ before y = A x; its inputs are f32. Throws KernelError
 * if there is none.
 */
function kernelFor(
  format: AnyFormat,
  encoded: EncodedMatrix,
  facts: DeviceFacts,
  tokens: number,
): { readonly spec: KernelSpec<EncodedMatrix>; readonly encoded: EncodedMatrix; readonly sizes: Sizes } {
  const reasons: string[] = [];
  for (const { operation, sizes } of [
    { operation: GEMM, sizes: { tokens } },
    { operation: SPMV, sizes: {} },
  ]) {
    for (const spec of format.kernels as readonly KernelSpec<EncodedMatrix>[]) {
      if (spec.operation !== operation.id) continue;
      const admission = admitKernel(spec, encoded, facts, sizes);
      if (!admission.ok) reasons.push(`${spec.id} ${admission.reason}`);
      else if (takesF32(spec.plan(encoded, facts, sizes))) return { spec, encoded, sizes };
      else reasons.push(`${spec.id} rounds what goes in`);
    }
  }
  throw new KernelError(
    reasons.length === 0 ? `${format.title} has no kernel of ${GEMM.title} or ${SPMV.title}` : reasons.join('; '),
  );
}

function takesF32({ buffers }: KernelPlan): boolean {
  return buffers.every((buffer) => buffer.role !== 'input' || buffer.type === 'f32');
}

/** The message of an error that concerns only one choice. Rethrows any other. */
export function refusalOf(error: unknown): string {
  const ofOneChoice = error instanceof FormatError || error instanceof MatrixError || error instanceof KernelError;
  if (ofOneChoice) return error.message;
  throw error;
}
