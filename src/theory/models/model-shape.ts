/** The sizes in a language model's config.json, from which all of its matrices follow: see `matricesOf`. */
export interface ModelShape {
  readonly name: string;
  /** width of the residual stream */
  readonly hidden: number;
  /** width inside the feed-forward block */
  readonly intermediate: number;
  /** number of blocks */
  readonly layers: number;
  /** heads of q */
  readonly heads: number;
  /** heads of k and of v, a divisor of `heads` */
  readonly kvHeads: number;
  /** columns of one head */
  readonly headDim: number;
  /** 0 for a block alone: it has no lm_head and no embedding */
  readonly vocabulary: number;
  /** the feed-forward block has a gate besides up and down */
  readonly gated: boolean;
  /** rows of a table of learned positions, which is added to the embedding; 0 with rotary positions */
  readonly positions: number;
  /** lm_head is the embedding, stored once */
  readonly tied: boolean;
  /** names of the matrices with a bias; empty if there are none */
  readonly biases: readonly MatrixName[];
  /** of a mixture of experts; absent for other models */
  readonly experts?: Experts;
  /** of attention with low-rank keys and values; absent otherwise */
  readonly latent?: LatentAttention;
}

/** The experts of a layer: feed-forward blocks. For each token, a router chooses a few of them. */
export interface Experts {
  /** experts in a layer */
  readonly count: number;
  /** how many of them a token goes through */
  readonly active: number;
  /** width inside an expert */
  readonly width: number;
  /** width inside the shared experts together, through which every token goes; 0 without any */
  readonly shared: number;
  /** how many layers, from the first on, have one feed-forward block of `intermediate` instead */
  readonly dense: number;
}

/** Multi-head latent attention (DeepSeek-V2, Liu et al. 2024): keys, values and often q come from low-rank latents. */
export interface LatentAttention {
  /** width of q's latent; 0 where q is one matrix */
  readonly q: number;
  /** width of the latent of keys and values */
  readonly kv: number;
  /** how many of the `headDim` columns of a head have a rotary position; all heads share this part of the key */
  readonly rope: number;
  /** columns of one head of v */
  readonly value: number;
}

/** Names of a model's matrices: Llama's without '_proj', and DeepSeek's for experts and latent attention. */
export type MatrixName = (typeof MATRIX_NAMES)[number];

export const MATRIX_NAMES = [
  'q',
  'q_a',
  'q_b',
  'k',
  'v',
  'kv_a',
  'kv_b',
  'o',
  'gate',
  'up',
  'down',
  'router',
  'expert_gate',
  'expert_up',
  'expert_down',
  'shared_gate',
  'shared_up',
  'shared_down',
  'lm_head',
] as const;

/** The matrices that compute queries, keys and values. */
export const QKV: readonly MatrixName[] = ['q', 'k', 'v'];

/** Every matrix of a block without a gate. */
export const UNGATED_MATRICES: readonly MatrixName[] = ['q', 'k', 'v', 'o', 'up', 'down'];

/** One matrix of a block, or several stored as one, over all layers that have it; or lm_head. */
export interface ModelMatrix {
  /** one name, or several that are stored as one matrix */
  readonly names: readonly MatrixName[];
  /** outputs */
  readonly rows: number;
  /** inputs */
  readonly cols: number;
  /** how many there are in the model */
  readonly count: number;
  /** how many of them a token is multiplied with: fewer than `count` for experts */
  readonly active: number;
  /** the layers that have it, `to` excluded; null for lm_head */
  readonly layers: readonly [from: number, to: number] | null;
}

/** Whether q, k and v are stored as one matrix, and gate and up as one, as some runtimes do. */
export type Fusion = 'separate' | 'fused';

/** The matrices that tokens are multiplied with, in that order; without biases and the embedding. */
export function matricesOf(model: ModelShape, fusion: Fusion = 'separate'): readonly ModelMatrix[] {
  const { hidden, intermediate, layers, vocabulary, gated, experts } = model;
  const dense = experts?.dense ?? layers;
  /** returns a function that makes a matrix of the layers `from` to `to` - 1 */
  const inLayers =
    (from: number, to: number, perLayer = 1, activePerLayer = perLayer) =>
    (names: readonly MatrixName[], rows: number, cols: number): ModelMatrix[] =>
      from === to
        ? []
        : [
            {
              names,
              rows,
              cols,
              count: (to - from) * perLayer,
              active: (to - from) * activePerLayer,
              layers: [from, to],
            },
          ];
  const feedForward = (
    matrixOf: ReturnType<typeof inLayers>,
    width: number,
    [gate, up, down]: readonly [MatrixName, MatrixName, MatrixName],
  ): readonly ModelMatrix[] => [
    ...(gated && fusion === 'fused'
      ? matrixOf([gate, up], 2 * width, hidden)
      : [...(gated ? matrixOf([gate], width, hidden) : []), ...matrixOf([up], width, hidden)]),
    ...matrixOf([down], hidden, width),
  ];
  const inExpertLayers = inLayers(dense, layers);
  return [
    ...attentionOf(model, fusion, inLayers(0, layers)),
    ...feedForward(inLayers(0, dense), intermediate, ['gate', 'up', 'down']),
    ...(experts
      ? [
          ...inExpertLayers(['router'], experts.count, hidden),
          ...feedForward(inLayers(dense, layers, experts.count, experts.active), experts.width, [
            'expert_gate',
            'expert_up',
            'expert_down',
          ]),
          ...(experts.shared === 0
            ? []
            : feedForward(inExpertLayers, experts.shared, ['shared_gate', 'shared_up', 'shared_down'])),
        ]
      : []),
    ...(vocabulary === 0
      ? []
      : [{ names: ['lm_head'] as const, rows: vocabulary, cols: hidden, count: 1, active: 1, layers: null }]),
  ];
}

/** The matrices of attention: q, k, v and o, or the matrices of latent attention. */
function attentionOf(
  { hidden, heads, kvHeads, headDim, latent }: ModelShape,
  fusion: Fusion,
  inBlock: (names: readonly MatrixName[], rows: number, cols: number) => readonly ModelMatrix[],
): readonly ModelMatrix[] {
  const q = heads * headDim;
  const kv = kvHeads * headDim;
  if (latent) {
    return [
      ...(latent.q === 0 ? inBlock(['q'], q, hidden) : inBlock(['q_a'], latent.q, hidden)),
      ...(latent.q === 0 ? [] : inBlock(['q_b'], q, latent.q)),
      ...inBlock(['kv_a'], latent.kv + latent.rope, hidden),
      ...inBlock(['kv_b'], heads * (headDim - latent.rope + latent.value), latent.kv),
      ...inBlock(['o'], hidden, heads * latent.value),
    ];
  }
  return [
    ...(fusion === 'fused'
      ? inBlock(['q', 'k', 'v'], q + 2 * kv, hidden)
      : [...inBlock(['q'], q, hidden), ...inBlock(['k'], kv, hidden), ...inBlock(['v'], kv, hidden)]),
    ...inBlock(['o'], hidden, q),
  ];
}

/** One block of a model as a separate model, without lm_head and embeddings; with experts if `layer` has them. */
export function blockOf(model: ModelShape, layer = 0): ModelShape {
  const { experts, ...rest } = model;
  const block = { ...rest, layers: 1, vocabulary: 0, positions: 0 };
  return experts && layer >= experts.dense ? { ...block, experts: { ...experts, dense: 0 } } : block;
}

/** All matrices of one shape: a benchmark measures the shape once. */
export interface ShapeGroup {
  /** in the order of `matricesOf` */
  readonly parts: readonly ModelMatrix[];
  readonly rows: number;
  readonly cols: number;
  /** matrices of this shape in the model */
  readonly count: number;
  /** how many of them a token is multiplied with */
  readonly active: number;
  /** whether they stay dense in every format */
  readonly keptDense: boolean;
}

/** The matrices of a shape: 'q, k, v, o'; matrices stored as one are joined by a plus: 'q + k + v'. */
export function namesOf({ parts }: ShapeGroup): string {
  return parts.map(({ names }) => names.join(' + ')).join(', ');
}

/** The distinct shapes of a model. Routers, and with `keepHead` lm_head, stay dense, and have separate groups. */
export function shapeGroups(
  model: ModelShape,
  { fusion = 'separate', keepHead = false }: { readonly fusion?: Fusion; readonly keepHead?: boolean } = {},
): readonly ShapeGroup[] {
  const groups: ShapeGroup[] = [];
  for (const matrix of matricesOf(model, fusion)) {
    const { names, rows, cols, count, active } = matrix;
    const keptDense = (keepHead && names.includes('lm_head')) || names.includes('router');
    const index = groups.findIndex((g) => g.rows === rows && g.cols === cols && g.keptDense === keptDense);
    if (index < 0) groups.push({ parts: [matrix], rows, cols, count, active, keptDense });
    else {
      const { parts, ...group } = groups[index];
      groups[index] = {
        ...group,
        parts: [...parts, matrix],
        count: group.count + count,
        active: group.active + active,
      };
    }
  }
  return groups;
}

/**
 * Kernels that a token starts for a matrix of all layers: one for each, but for the experts of a layer one for gate and
 * up, and one for down, since one start can serve all that the router chose.
 */
export function startsOf({ names, active, layers }: ModelMatrix): number {
  if (layers === null || !names[0].startsWith('expert_')) return active;
  return names.at(-1) === 'expert_gate' ? 0 : layers[1] - layers[0]; // the start of up is that of gate, too
}

/** Kernels that a token starts for all matrices. */
export function kernelStarts(model: ModelShape, fusion: Fusion = 'separate'): number {
  return matricesOf(model, fusion).reduce((sum, matrix) => sum + startsOf(matrix), 0);
}

/** Weights that a token is multiplied with. */
export function multipliedWeights(model: ModelShape): number {
  return matricesOf(model).reduce((sum, { rows, cols, active }) => sum + rows * cols * active, 0);
}

/** Weights of the tables that are only looked up: an embedding that is not lm_head, and learned positions. */
export function embeddingWeights({ tied, vocabulary, positions, hidden }: ModelShape): number {
  return ((tied ? 0 : vocabulary) + positions) * hidden;
}

/** Weights of a model: all matrices and the embedding, without norms and biases. */
export function weightsOf(model: ModelShape): number {
  return matricesOf(model).reduce((sum, { rows, cols, count }) => sum + rows * cols * count, embeddingWeights(model));
}

/**
 * Bytes of the KV cache for one token of context: keys and values of every block, `bytesPerValue` each. Latent
 * attention stores the latent instead.
 */
export function kvCacheBytesPerToken({ layers, kvHeads, headDim, latent }: ModelShape, bytesPerValue = 2): number {
  return layers * (latent ? latent.kv + latent.rope : 2 * kvHeads * headDim) * bytesPerValue;
}

/** Numbers in the biases of all blocks. */
export function biasCount(model: ModelShape): number {
  return matricesOf(model)
    .filter(({ names }) => model.biases.includes(names[0]))
    .reduce((sum, { rows, count }) => sum + rows * count, 0);
}
