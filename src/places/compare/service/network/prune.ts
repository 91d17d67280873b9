import type { Steps } from '../../../../core/job.ts';
import type { Matrix } from '../../../../core/matrix/index.ts';
import { columnNorms } from '../../../../generate/prune-wanda.ts';
import { pruneSteps } from '../../../../engine/matrix/pruning.ts';
import { asReadSteps } from './forward.ts';
import type { Layer, Network } from './network.ts';
import type { NetworkPruning } from './types.ts';

/**
 * For each layer, the norm of every column of its inputs over `inputs`: consecutive images outside of the test set. The
 * whole network runs, unpruned.
 */
export function* inputNormsSteps(network: Network, inputs: Float32Array): Steps<readonly Float32Array[]> {
  const outputs = yield* asReadSteps(network, inputs);
  return network.layers.map(({ weights }, k) => columnNorms(k === 0 ? inputs : outputs[k - 1], weights.cols));
}

/** A layer's weights after pruning. Throws MatrixError for numbers out of range. */
export function prunedLayerSteps(layer: Layer, pruning: NetworkPruning, norms: Float32Array): Steps<Matrix> {
  return pruneSteps(layer.weights, pruning, norms);
}
