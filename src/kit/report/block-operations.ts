import {
  BACKWARD,
  BACKWARD_STORED,
  DOWN,
  FILL,
  FORWARD,
  GATE,
  SAMPLED_PRODUCT,
  UP_DOWN,
} from '../../core/operations/index.ts';

/** Id of the operation that computes a whole gated feed-forward block. */
export const WHOLE_BLOCK = FORWARD.id;
/** Ids of the operations on such a block and its parts, training included, that are charted over sparsity. */
export const BLOCK_OPERATIONS: readonly string[] = [GATE.id, UP_DOWN.id, WHOLE_BLOCK, BACKWARD.id, SAMPLED_PRODUCT.id];

/** Ids of operations on activations (a matrix of tokens by neurons): sparsity is given as non-zeros per token. */
export const ACTIVATION_OPERATIONS: readonly string[] = [...BLOCK_OPERATIONS, DOWN.id, BACKWARD_STORED.id, FILL.id];
