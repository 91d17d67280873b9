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

/** The whole of a gated feed-forward block, its parts, and what training adds: what a sweep of the block runs. */
export const WHOLE = FORWARD.id;
export const BLOCK_PARTS: readonly string[] = [GATE.id, UP_DOWN.id, WHOLE, BACKWARD.id, SAMPLED_PRODUCT.id];

/** Operations whose matrix is the activations, tokens by neurons: their sparsity is given as non-zeros per token. */
export const ACTIVATION_OPERATIONS: readonly string[] = [...BLOCK_PARTS, DOWN.id, BACKWARD_STORED.id, FILL.id];
