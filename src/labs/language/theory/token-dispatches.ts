import { blockOf, matricesOf, type ModelShape } from '../../../theory/models/model-shape.ts';

/** One of the dispatches that a GPU runs for a token: a product, or another stage. */
export interface TokenDispatch {
  /** null: before the first block, or past the last */
  readonly layer: number | null;
  /** cells of the matrices in its product; 0: none */
  readonly cells: number;
  /** of lm_head, which stays dense */
  readonly isHead: boolean;
}

/**
 * Maximum logits for one dispatch that draws a token and starts the next one; more need two dispatches, and one more to start.
 */
const CHOSEN_AT_ONCE = 4096;

/**
 * The dispatches of one token in order, if each product is one dispatch: in every block q, k and v together, o, gate and up
 * together, and down; between them attention with rotary and cache, and the activation. o and down add to the residual
 * stream themselves, as kernels do that store each row once. With a large vocabulary there is a norm before the first
 * block and before the head; otherwise the draw scales the logits, and starts the next token.
 */
export function tokenDispatches(model: ModelShape): readonly TokenDispatch[] {
  const { layers, vocabulary, hidden } = model;
  const cells = matricesOf(blockOf(model), 'fused').map(({ rows, cols, count }) => rows * cols * count);
  const [attention, o, ...feedForward] = cells;
  const down = feedForward.at(-1) ?? 0;
  const up = feedForward.slice(0, -1).reduce((sum, one) => sum + one, 0);
  const rest = (layer: number | null): TokenDispatch => ({ layer, cells: 0, isHead: false });
  const isDrawnAtOnce = vocabulary <= CHOSEN_AT_ONCE;
  const block = (layer: number): readonly TokenDispatch[] => {
    const product = (count: number): TokenDispatch => ({ layer, cells: count, isHead: false });
    const norm = layer === layers - 1 && !isDrawnAtOnce ? [rest(layer)] : [];
    return [product(attention), rest(layer), product(o), product(up), rest(layer), product(down), ...norm];
  };
  return [
    ...(isDrawnAtOnce ? [] : [rest(null)]),
    ...Array.from({ length: layers }, (_, layer) => block(layer)).flat(),
    { layer: null, cells: vocabulary * hidden, isHead: true },
    rest(null),
    ...(isDrawnAtOnce ? [] : [rest(null)]),
  ];
}
