import { blockOf, matricesOf, type ModelShape } from '../../../theory/models/model-shape.ts';

/** A dispatch of a token that a chain of kernels decodes. */
export interface TokenDispatch {
  /** null: before the first block, or past the last */
  readonly layer: number | null;
  /** cells of the matrices that it multiplies; 0: none */
  readonly cells: number;
  /** of lm_head, which stays dense */
  readonly isHead: boolean;
}

/** Logits from which one dispatch draws, which also lets the next token begin; more need two, and one more to begin. */
const CHOSEN_AT_ONCE = 4096;

/**
 * The dispatches of one token, in their order, where a product is one dispatch: q, k and v together, o, gate and up together,
 * and down in every block; between them attention with rotary and cache, and the activation. o and down add to the stream
 * themselves, as kernels do that store each row once. Of a large vocabulary there is a norm in front of the first block and
 * of the head; else the draw scales the logits, and lets the next token begin.
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
    const product = (of: number): TokenDispatch => ({ layer, cells: of, isHead: false });
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
