/** Sizes of a language model whose blocks are attention and a feed-forward, from which its matrices follow. */
export interface ModelShape {
  readonly name: string;
  /** width of the stream between blocks */
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
  /** of a mixture of experts; absent where every token meets every matrix */
  readonly experts?: Experts;
  /** of attention whose keys and values go through a narrow stream; absent otherwise */
  readonly latent?: Latent;
}

/** Feed-forward blocks of a layer, of which a token goes through a few, chosen by a router. */
export interface Experts {
  /** in a layer */
  readonly count: number;
  /** of them, those that a token goes through */
  readonly active: number;
  /** width inside one */
  readonly width: number;
  /** width inside the shared ones together, through which every token goes; 0 without any */
  readonly shared: number;
  /** how many layers, from the first on, have one feed-forward block of `intermediate` instead */
  readonly dense: number;
}

/** Multi-head latent attention (DeepSeek-V2, Liu et al. 2024): q may be narrow, too. */
export interface Latent {
  /** width of q's stream; 0 where q is one matrix */
  readonly q: number;
  /** width of the stream of keys and values */
  readonly kv: number;
  /** columns of a head, of its `headDim`, that turn with the position; one such key is shared by all heads */
  readonly rope: number;
  /** columns of one head of v */
  readonly value: number;
}

/**
 * Matrices of a model, by the names of the Llama family's files without their '_proj'; up and down also for blocks
 * without a gate. Those of experts and of latent attention by the names of DeepSeek's.
 */
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

export const QKV: readonly MatrixName[] = ['q', 'k', 'v'];

/** Every matrix of a block without a gate. */
export const UNGATED: readonly MatrixName[] = ['q', 'k', 'v', 'o', 'up', 'down'];

/**
 * Published models, with the sizes of their own config.json: Llama 2 (Touvron et al. 2023), Llama 3.1 (Grattafiori et al.
 * 2024), Mistral 7B (Jiang et al. 2023), Qwen2.5 (Qwen Team 2024), Qwen3 (Qwen Team 2025), Gemma 2 (Gemma Team 2024), OPT
 * (Zhang et al. 2022), GPT-2 (Radford et al. 2019), those of the TwELL paper (Cetin et al. 2026, table 2). The last ones come
 * with the page: see `SHIPPED_MODELS`. Mixtures of experts: Mixtral (Jiang et al. 2024), Qwen3 and DeepSeek-V2.
 */
export const KNOWN_MODELS: readonly ModelShape[] = [
  known('Llama-2-7B', [4096, 11008, 32, 32, 32, 128, 32_000]),
  known('Llama-2-13B', [5120, 13824, 40, 40, 40, 128, 32_000]),
  known('Llama-2-70B', [8192, 28672, 80, 64, 8, 128, 32_000]),
  known('Llama-3.1-8B', [4096, 14336, 32, 32, 8, 128, 128_256]),
  known('Llama-3.1-70B', [8192, 28672, 80, 64, 8, 128, 128_256]),
  known('Mistral-7B-v0.1', [4096, 14336, 32, 32, 8, 128, 32_000]),
  known('Qwen2.5-0.5B', [896, 4864, 24, 14, 2, 64, 151_936], { tied: true, biases: QKV }),
  known('Qwen2.5-7B', [3584, 18944, 28, 28, 4, 128, 152_064], { biases: QKV }),
  known('Qwen2.5-14B', [5120, 13824, 48, 40, 8, 128, 152_064], { biases: QKV }),
  known('Qwen3-8B', [4096, 12288, 36, 32, 8, 128, 151_936]),
  known('Gemma-2-9B', [3584, 14336, 42, 16, 8, 256, 256_000], { tied: true }),
  known('Mixtral-8x7B', [4096, 14336, 32, 32, 8, 128, 32_000], {
    experts: { count: 8, active: 2, width: 14336, shared: 0, dense: 0 },
  }),
  known('Qwen3-30B-A3B', [2048, 6144, 48, 32, 4, 128, 151_936], {
    experts: { count: 128, active: 8, width: 768, shared: 0, dense: 0 },
  }),
  known('DeepSeek-V2-Lite', [2048, 10944, 27, 16, 16, 192, 102_400], {
    experts: { count: 64, active: 6, width: 1408, shared: 2816, dense: 1 },
    latent: { q: 0, kv: 512, rope: 64, value: 128 },
  }),
  known('OPT-6.7B', [4096, 16384, 32, 32, 32, 128, 50_272], {
    gated: false,
    positions: 2050,
    tied: true,
    biases: UNGATED,
  }),
  known('GPT-2', [768, 3072, 12, 12, 12, 64, 50_257], { gated: false, positions: 1024, tied: true, biases: UNGATED }),
  ...([8, 18, 28, 38] as const).map((layers, i) =>
    known(`TwELL ${['0.5B', '1B', '1.5B', '2B'][i]}`, [2048, 5632, layers, 32, 32, 64, 49_152], { tied: true }),
  ),
  known('Tales 3.4M', [192, 768, 6, 6, 2, 32, 1024], { tied: true }),
  known('Tales ReLU 3.4M', [192, 768, 6, 6, 2, 32, 1024], { tied: true }),
  known('Tales pruned 3.4M', [192, 768, 6, 6, 2, 32, 1024], { tied: true }),
  known('Tales 0.6M', [96, 384, 4, 3, 1, 32, 1024], { tied: true }),
];

/** Where the files of known models are on the Hugging Face hub, where they are safetensors. By `name`. */
const HUB_NAMES: Readonly<Record<string, string>> = {
  'Llama-2-7B': 'meta-llama/Llama-2-7b-hf',
  'Llama-2-13B': 'meta-llama/Llama-2-13b-hf',
  'Llama-2-70B': 'meta-llama/Llama-2-70b-hf',
  'Llama-3.1-8B': 'meta-llama/Llama-3.1-8B',
  'Llama-3.1-70B': 'meta-llama/Llama-3.1-70B',
  'Mistral-7B-v0.1': 'mistralai/Mistral-7B-v0.1',
  'Qwen2.5-0.5B': 'Qwen/Qwen2.5-0.5B',
  'Qwen2.5-7B': 'Qwen/Qwen2.5-7B',
  'Qwen2.5-14B': 'Qwen/Qwen2.5-14B',
  'Qwen3-8B': 'Qwen/Qwen3-8B',
  'Gemma-2-9B': 'google/gemma-2-9b',
  'Mixtral-8x7B': 'mistralai/Mixtral-8x7B-v0.1',
  'Qwen3-30B-A3B': 'Qwen/Qwen3-30B-A3B',
  'DeepSeek-V2-Lite': 'deepseek-ai/DeepSeek-V2-Lite',
  'GPT-2': 'openai-community/gpt2',
};

/** The model's name on the hub, `org/name`; null for one that is not listed, or has no safetensors there. */
export function hubNameOf({ name }: Pick<ModelShape, 'name'>): string | null {
  return Object.hasOwn(HUB_NAMES, name) ? HUB_NAMES[name] : null;
}

type Sizes = readonly [
  hidden: number,
  intermediate: number,
  layers: number,
  heads: number,
  kvHeads: number,
  headDim: number,
  vocabulary: number,
];

function known(
  name: string,
  sizes: Sizes,
  rest: Partial<Pick<ModelShape, 'gated' | 'positions' | 'tied' | 'biases' | 'experts' | 'latent'>> = {},
): ModelShape {
  const [hidden, intermediate, layers, heads, kvHeads, headDim, vocabulary] = sizes;
  const sized = { name, hidden, intermediate, layers, heads, kvHeads, headDim, vocabulary };
  return { ...sized, gated: true, positions: 0, tied: false, biases: [], ...rest };
}

/** Matrices of one size in a model. */
export interface ModelMatrix {
  /** one name, or several that are stored as one matrix */
  readonly names: readonly MatrixName[];
  /** outputs */
  readonly rows: number;
  /** inputs */
  readonly cols: number;
  /** how many there are in the model */
  readonly count: number;
  /** of them, those with which a token is multiplied: fewer where they are experts */
  readonly active: number;
  /** of those in layers: the first of the layers that have it, and the one after the last */
  readonly layers: readonly [from: number, to: number] | null;
}

/** Whether q, k and v are stored as one matrix, and gate and up as one, as some runtimes do. */
export type Fusion = 'separate' | 'fused';

/** The matrices that tokens are multiplied with, in that order; without biases and the embedding. */
export function matricesOf(model: ModelShape, fusion: Fusion = 'separate'): readonly ModelMatrix[] {
  const { hidden, intermediate, layers, vocabulary, gated, experts } = model;
  const dense = experts?.dense ?? layers;
  const inLayers =
    (from: number, to: number, each = 1, active = each) =>
    (names: readonly MatrixName[], rows: number, cols: number): ModelMatrix[] =>
      from === to
        ? []
        : [{ names, rows, cols, count: (to - from) * each, active: (to - from) * active, layers: [from, to] }];
  const feedForward = (
    inThem: ReturnType<typeof inLayers>,
    width: number,
    [gate, up, down]: readonly [MatrixName, MatrixName, MatrixName],
  ): readonly ModelMatrix[] => [
    ...(gated && fusion === 'fused'
      ? inThem([gate, up], 2 * width, hidden)
      : [...(gated ? inThem([gate], width, hidden) : []), ...inThem([up], width, hidden)]),
    ...inThem([down], hidden, width),
  ];
  const inMixed = inLayers(dense, layers);
  return [
    ...attentionOf(model, fusion, inLayers(0, layers)),
    ...feedForward(inLayers(0, dense), intermediate, ['gate', 'up', 'down']),
    ...(experts
      ? [
          ...inMixed(['router'], experts.count, hidden),
          ...feedForward(inLayers(dense, layers, experts.count, experts.active), experts.width, [
            'expert_gate',
            'expert_up',
            'expert_down',
          ]),
          ...(experts.shared === 0
            ? []
            : feedForward(inMixed, experts.shared, ['shared_gate', 'shared_up', 'shared_down'])),
        ]
      : []),
    ...(vocabulary === 0
      ? []
      : [{ names: ['lm_head'] as const, rows: vocabulary, cols: hidden, count: 1, active: 1, layers: null }]),
  ];
}

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

/** One of its blocks as a model of its own, without lm_head and tables. Those with experts are after those without. */
export function blockOf(model: ModelShape, layer = 0): ModelShape {
  const { experts, ...rest } = model;
  const block = { ...rest, layers: 1, vocabulary: 0, positions: 0 };
  return experts && layer >= experts.dense ? { ...block, experts: { ...experts, dense: 0 } } : block;
}

/** Matrices of one shape, which is measured once. */
export interface ShapeGroup {
  /** in the order of `matricesOf` */
  readonly parts: readonly ModelMatrix[];
  readonly rows: number;
  readonly cols: number;
  /** matrices of this shape in the model */
  readonly count: number;
  /** of them, those with which a token is multiplied */
  readonly active: number;
  /** whether it stays dense, whatever the others are stored as */
  readonly keptDense: boolean;
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
    const at = groups.findIndex((g) => g.rows === rows && g.cols === cols && g.keptDense === keptDense);
    if (at < 0) groups.push({ parts: [matrix], rows, cols, count, active, keptDense });
    else {
      const { parts, ...group } = groups[at];
      groups[at] = {
        ...group,
        parts: [...parts, matrix],
        count: group.count + count,
        active: group.active + active,
      };
    }
  }
  return groups;
}

/** Weights that a token is multiplied with. */
export function multipliedWeights(model: ModelShape): number {
  return matricesOf(model).reduce((sum, { rows, cols, active }) => sum + rows * cols * active, 0);
}

/** Weights of tables in which a token looks up a row: an embedding that is not lm_head, and learned positions. */
export function embeddingWeights({ tied, vocabulary, positions, hidden }: ModelShape): number {
  return ((tied ? 0 : vocabulary) + positions) * hidden;
}

/** Weights of all matrices, with the embedding; without norms and biases. */
export function weightsOf(model: ModelShape): number {
  return matricesOf(model).reduce((sum, { rows, cols, count }) => sum + rows * cols * count, embeddingWeights(model));
}

/**
 * Bytes that the KV cache grows by with every token of context: keys and values of every block, `bytesPerValue` each; of
 * latent attention the narrow stream of both.
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
