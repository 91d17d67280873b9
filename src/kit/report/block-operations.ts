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

/** The operation of a whole gated feed-forward block, and its parts that are charted over sparsity, training included. */
export const WHOLE_BLOCK = FORWARD.id;
export const BLOCK_OPERATIONS: readonly string[] = [GATE.id, UP_DOWN.id, WHOLE_BLOCK, BACKWARD.id, SAMPLED_PRODUCT.id];

/** Operations on activations, a matrix of tokens by neurons: their sparsity is given as non-zeros per token. */
export const ACTIVATION_OPERATIONS: readonly string[] = [...BLOCK_OPERATIONS, DOWN.id, BACKWARD_STORED.id, FILL.id];
