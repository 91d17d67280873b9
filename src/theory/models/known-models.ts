import { type ModelShape, QKV, UNGATED_MATRICES } from './model-shape.ts';

/**
 * The models that the page lists by name, with the sizes of their config.json: Llama 2 (Touvron et al. 2023), Llama
 * 3.1 (Grattafiori et al. 2024), Mistral 7B (Jiang et al. 2023), Qwen2.5 (Qwen Team 2024), Qwen3 (Qwen Team 2025),
 * Gemma 2 (Gemma Team 2024), OPT (Zhang et al. 2022), GPT-2 (Radford et al. 2019), and the models of the TwELL paper
 * (Cetin et al. 2026, table 2). Mixtures of experts: Mixtral (Jiang et al. 2024), Qwen3-30B-A3B and DeepSeek-V2. The
 * last four models come with the page: see `SHIPPED_MODELS`.
 */
export const KNOWN_MODELS: readonly ModelShape[] = [
  known('Llama-2-7B', [4096, 11008, 32, 32, 32, 128, 32_000]),
  known('Llama-2-13B', [5120, 13824, 40, 40, 40, 128, 32_000]),
  known('Llama-2-70B', [8192, 28672, 80, 64, 8, 128, 32_000]),
  known('Llama-3.1-8B', [4096, 14336, 32, 32, 8, 128, 128_256]),
  known('Llama-3.1-70B', [8192, 28672, 80, 64, 8, 128, 128_256]),
  known('Mistral-7B-v0.1', [4096, 14336, 32, 32, 8, 128, 32_000]),
  known('Qwen2.5-0.5B', [896, 4864, 24, 14, 2, 64, 151_936], { tied: true, biases: QKV }),
  known('Qwen2.5-1.5B', [1536, 8960, 28, 12, 2, 128, 151_936], { tied: true, biases: QKV }),
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
    biases: UNGATED_MATRICES,
  }),
  known('GPT-2', [768, 3072, 12, 12, 12, 64, 50_257], {
    gated: false,
    positions: 1024,
    tied: true,
    biases: UNGATED_MATRICES,
  }),
  ...([8, 18, 28, 38] as const).map((layers, i) =>
    known(`TwELL ${['0.5B', '1B', '1.5B', '2B'][i]}`, [2048, 5632, layers, 32, 32, 64, 49_152], { tied: true }),
  ),
  known('Tales 3.4M', [192, 768, 6, 6, 2, 32, 1024], { tied: true }),
  known('Tales ReLU 3.4M', [192, 768, 6, 6, 2, 32, 1024], { tied: true }),
  known('Tales pruned 3.4M', [192, 768, 6, 6, 2, 32, 1024], { tied: true }),
  known('Tales 0.6M', [96, 384, 4, 3, 1, 32, 1024], { tied: true }),
];

/** The repository of each known model on the Hugging Face hub that has safetensors there, by name. */
const HUB_NAMES: Readonly<Record<string, string>> = {
  'Llama-2-7B': 'meta-llama/Llama-2-7b-hf',
  'Llama-2-13B': 'meta-llama/Llama-2-13b-hf',
  'Llama-2-70B': 'meta-llama/Llama-2-70b-hf',
  'Llama-3.1-8B': 'meta-llama/Llama-3.1-8B',
  'Llama-3.1-70B': 'meta-llama/Llama-3.1-70B',
  'Mistral-7B-v0.1': 'mistralai/Mistral-7B-v0.1',
  'Qwen2.5-0.5B': 'Qwen/Qwen2.5-0.5B',
  'Qwen2.5-1.5B': 'Qwen/Qwen2.5-1.5B',
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

/** A model whose weights come with the page: a folder of models/ in the site, as the Hugging Face hub has them. */
export interface ShippedModel {
  /** in addresses, and the name of its folder */
  readonly id: string;
  readonly shape: ModelShape;
}

/** Folders of shipped models, by name. */
const FOLDERS = {
  'Tales 3.4M': 'tales',
  'Tales ReLU 3.4M': 'tales-relu',
  'Tales pruned 3.4M': 'tales-pruned',
  'Tales 0.6M': 'tales-small',
} as const;

/** The known models that come with the page: they write tales, short stories. */
export const SHIPPED_MODELS: readonly ShippedModel[] = KNOWN_MODELS.flatMap((shape) => {
  const id = shippedId(shape);
  return id === null ? [] : [{ id, shape }];
});

/** The id of a model that comes with the page; null for any other. */
export function shippedId({ name }: Pick<ModelShape, 'name'>): string | null {
  return Object.hasOwn(FOLDERS, name) ? FOLDERS[name as keyof typeof FOLDERS] : null;
}

/** The shipped model with this id; null for any other. */
export function shippedModel(id: string): ShippedModel | null {
  return SHIPPED_MODELS.find((one) => one.id === id) ?? null;
}
