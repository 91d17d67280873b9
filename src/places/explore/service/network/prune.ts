import type { Steps } from '../../../../core/job.ts';
import type { Matrix } from '../../../../core/matrix/index.ts';
import { columnNorms } from '../../../../generate/prune-wanda.ts';
import { pruneSteps } from '../../../../engine/matrix/pruning.ts';
import { asReadSteps } from './forward.ts';
import type { Layer, Network } from './network.ts';
import type { NetworkPruning } from './types.ts';

/**
 * For each layer the norm of every column of what goes into it, over `inputs`: images one after the other, which the
 * network is not tested with. The whole network runs, as it was trained.
 */
export function* inputNormsSteps(network: Network, inputs: Float32Array): Steps<readonly Float32Array[]> {
  const outputs = yield* asReadSteps(network, inputs);
  return network.layers.map(({ weights }, k) => columnNorms(k === 0 ? inputs : outputs[k - 1], weights.cols));
}

/** The weights of a layer without what a pruning drops. Throws MatrixError for numbers out of range. */
export function prunedLayerSteps(layer: Layer, pruning: NetworkPruning, norms: Float32Array): Steps<Matrix> {
  return pruneSteps(layer.weights, pruning, norms);
}
