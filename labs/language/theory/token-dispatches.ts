import { blockOf, matricesOf, type ModelShape } from '../../../src/theory/models/model-shape.ts';

/** One of the dispatches that a GPU runs for a token: a product with matrices, or another stage. */
export interface TokenDispatch {
  /** null: before the first block, or after the last block */
  readonly layer: number | null;
  /** cells of the matrices that are multiplied; 0: not a product */
  readonly cells: number;
  /** whether it is the product with lm_head, which is never pruned */
  readonly isHead: boolean;
}

/** Most logits for which one dispatch samples a token and starts the next; more logits take three dispatches. */
const MAX_LOGITS_AT_ONCE = 4096;

/**
 * The dispatches of one token in order, with one dispatch for each product. In every block: q, k and v together,
 * attention with rotary and cache, o, gate and up together, the activation, and down; the products o and down also add
 * to the residual stream. With a large vocabulary there is a norm before the first block and before the head; otherwise
 * the dispatch that samples scales the logits, and starts the next token.
 */
export function tokenDispatches(model: ModelShape): readonly TokenDispatch[] {
  const { layers, vocabulary, hidden } = model;
  const cells = matricesOf(blockOf(model), 'fused').map(({ rows, cols, count }) => rows * cols * count);
  const [attention, o, ...feedForward] = cells;
  const down = feedForward.at(-1) ?? 0;
  const up = feedForward.slice(0, -1).reduce((sum, rows) => sum + rows, 0);
  const other = (layer: number | null): TokenDispatch => ({ layer, cells: 0, isHead: false });
  const isSampledAtOnce = vocabulary <= MAX_LOGITS_AT_ONCE;
  const block = (layer: number): readonly TokenDispatch[] => {
    const product = (count: number): TokenDispatch => ({ layer, cells: count, isHead: false });
    const norm = layer === layers - 1 && !isSampledAtOnce ? [other(layer)] : [];
    return [product(attention), other(layer), product(o), product(up), other(layer), product(down), ...norm];
  };
  return [
    ...(isSampledAtOnce ? [] : [other(null)]),
    ...Array.from({ length: layers }, (_, layer) => block(layer)).flat(),
    { layer: null, cells: vocabulary * hidden, isHead: true },
    other(null),
    ...(isSampledAtOnce ? [] : [other(null)]),
  ];
}
