// Test helper: makes small random models of every supported architecture, as files of Hugging Face; gguf.ts writes them
// as GGUF.

import { Random } from '../../../../src/core/number/random.ts';
import { bytesOf, safetensorsFile } from '../../../../test/io/safetensors.ts';
import type { ModelRequest } from '../../models/imported-models.ts';
import { byteTokenizer } from '../decoders.ts';
import type { Tensors } from './forward.ts';

const jsonBytes = (value: unknown): Uint8Array<ArrayBuffer> => new TextEncoder().encode(JSON.stringify(value));

/** For tests: the files of a model in one piece, whose tokens are bytes. */
export function filesOf(model: MadeModel): Readonly<Record<string, Uint8Array<ArrayBuffer>>> {
  return {
    'config.json': jsonBytes(model.config),
    'tokenizer.json': jsonBytes(byteTokenizer()),
    'model.safetensors': safetensorsOf(model),
  };
}

/** For tests: a request for picked files. */
export function pickedFiles(files: Readonly<Record<string, Uint8Array<ArrayBuffer>>>): ModelRequest {
  return { kind: 'files', folder: 'tiny', files: Object.entries(files).map(([name, bytes]) => ({ name, bytes })) };
}

/** For tests: a random tiny model as its authors would publish it. */
export interface MadeModel {
  readonly config: Readonly<Record<string, number | boolean | string | null>>;
  readonly tensors: Tensors;
}

const SHARED = { vocab_size: 258, bos_token_id: 0, eos_token_id: 1 } as const;
const LLAMA = {
  ...SHARED,
  model_type: 'llama',
  hidden_size: 24,
  intermediate_size: 40,
  num_hidden_layers: 2,
  num_attention_heads: 4,
  num_key_value_heads: 2,
  rms_norm_eps: 1e-5,
  rope_theta: 10_000,
  max_position_embeddings: 64,
  tie_word_embeddings: false,
  hidden_act: 'silu',
} as const;

/** For tests: a config.json of every architecture that is decoded. */
export const ARCHITECTURES: Readonly<Record<string, MadeModel['config']>> = {
  llama: LLAMA,
  // As the authors of TwELL publish theirs: hidden_act is silu, ReLU is built in, and the inner size is the second one.
  sparselm: {
    ...LLAMA,
    model_type: 'llama_sparse_relu',
    num_key_value_heads: 4,
    rope_theta: 100_000,
    tie_word_embeddings: true,
    sparsity_gated_mlp: true,
    sparsity_new_intermediate_size: 56,
  },
  mistral: { ...LLAMA, model_type: 'mistral', sliding_window: 5 },
  qwen2: { ...LLAMA, model_type: 'qwen2', tie_word_embeddings: true, use_sliding_window: false, sliding_window: 5 },
  opt: {
    ...SHARED,
    model_type: 'opt',
    hidden_size: 24,
    ffn_dim: 40,
    num_hidden_layers: 2,
    num_attention_heads: 4,
    word_embed_proj_dim: 24,
    max_position_embeddings: 64,
    do_layer_norm_before: true,
    activation_function: 'relu',
  },
  gpt2: {
    ...SHARED,
    model_type: 'gpt2',
    n_embd: 24,
    n_inner: null,
    n_layer: 2,
    n_head: 4,
    n_positions: 64,
    layer_norm_epsilon: 1e-5,
    activation_function: 'gelu_new',
  },
};

/** Names and shapes of the tensors of a config.json, as transformers saves them. */
function shapesOf(config: MadeModel['config']): readonly (readonly [string, readonly number[]])[] {
  const n = (field: string): number => Number(config[field]);
  const vocabulary = n('vocab_size');
  const shapes: [string, readonly number[]][] = [];
  const add = (name: string, ...shape: number[]): void => void shapes.push([name, shape]);
  const withBias = (name: string, ...shape: number[]): void => {
    add(`${name}.weight`, ...shape);
    add(`${name}.bias`, config.model_type === 'gpt2' && shape.length > 1 ? shape[1] : shape[0]);
  };
  // GPT-2 has fused q, k and v, and stores its matrices transposed.
  if (config.model_type === 'gpt2') {
    const h = n('n_embd');
    add('transformer.wte.weight', vocabulary, h);
    add('transformer.wpe.weight', n('n_positions'), h);
    for (let i = 0; i < n('n_layer'); i++) {
      const prefix = `transformer.h.${i}`;
      withBias(`${prefix}.ln_1`, h);
      withBias(`${prefix}.attn.c_attn`, h, 3 * h);
      withBias(`${prefix}.attn.c_proj`, h, h);
      withBias(`${prefix}.ln_2`, h);
      withBias(`${prefix}.mlp.c_fc`, h, 4 * h);
      withBias(`${prefix}.mlp.c_proj`, 4 * h, h);
    }
    withBias('transformer.ln_f', h);
    return shapes;
  }
  const h = n('hidden_size');
  if (config.model_type === 'opt') {
    const top = 'model.decoder';
    add(`${top}.embed_tokens.weight`, vocabulary, h);
    add(`${top}.embed_positions.weight`, n('max_position_embeddings') + 2, h);
    for (let i = 0; i < n('num_hidden_layers'); i++) {
      const prefix = `${top}.layers.${i}`;
      for (const name of ['q_proj', 'k_proj', 'v_proj', 'out_proj']) withBias(`${prefix}.self_attn.${name}`, h, h);
      withBias(`${prefix}.self_attn_layer_norm`, h);
      withBias(`${prefix}.fc1`, n('ffn_dim'), h);
      withBias(`${prefix}.fc2`, h, n('ffn_dim'));
      withBias(`${prefix}.final_layer_norm`, h);
    }
    withBias(`${top}.final_layer_norm`, h);
    return shapes;
  }
  // Llama, and the architectures with its names.
  const kv = (n('num_key_value_heads') * h) / n('num_attention_heads');
  const inner = n('sparsity_new_intermediate_size') || n('intermediate_size');
  add('model.embed_tokens.weight', vocabulary, h);
  for (let i = 0; i < n('num_hidden_layers'); i++) {
    const prefix = `model.layers.${i}`;
    add(`${prefix}.input_layernorm.weight`, h);
    add(`${prefix}.post_attention_layernorm.weight`, h);
    const projection =
      config.model_type === 'qwen2' ? withBias : (name: string, ...s: number[]) => add(`${name}.weight`, ...s);
    projection(`${prefix}.self_attn.q_proj`, h, h);
    projection(`${prefix}.self_attn.k_proj`, kv, h);
    projection(`${prefix}.self_attn.v_proj`, kv, h);
    add(`${prefix}.self_attn.o_proj.weight`, h, h);
    add(`${prefix}.mlp.gate_proj.weight`, inner, h);
    add(`${prefix}.mlp.up_proj.weight`, inner, h);
    add(`${prefix}.mlp.down_proj.weight`, h, inner);
  }
  add('model.norm.weight', h);
  if (config.tie_word_embeddings !== true) add('lm_head.weight', vocabulary, h);
  return shapes;
}

/** For tests: a model with random weights, large enough for every part to show in its logits. */
export function makeModel(config: MadeModel['config'], seed: number): MadeModel {
  const random = new Random(seed);
  const tensors = new Map(
    shapesOf(config).map(([name, shape]) => {
      const isNorm = /norm|ln_/.test(name) && name.endsWith('weight');
      const deviation = shape.length === 1 ? 0.2 : /embed|wte|wpe|lm_head/.test(name) ? 0.5 : 1.5 / Math.sqrt(shape[1]);
      const length = shape.reduce((product, s) => product * s, 1);
      const values = Float32Array.from({ length }, () => (isNorm ? 1 : 0) + deviation * random.normal());
      return [name, { shape, values }] as const;
    }),
  );
  return { config, tensors };
}

/** For tests: some of its tensors as a safetensors file in f32. */
export function safetensorsOf(
  { tensors }: MadeModel,
  isIncluded: (name: string) => boolean = () => true,
): Uint8Array<ArrayBuffer> {
  const chosen = [...tensors].filter(([name]) => isIncluded(name));
  return safetensorsFile(
    Object.fromEntries(
      chosen.map(([name, { shape, values }]) => [name, { dtype: 'F32', shape, bytes: bytesOf(values) }]),
    ),
  );
}

/** For tests: the model in two files and their index, by name. */
export function sharded(model: MadeModel): Readonly<Record<string, Uint8Array<ArrayBuffer>>> {
  const names = [...model.tensors.keys()];
  const fileOf = (name: string): string => `model-0000${names.indexOf(name) % 2 === 0 ? 1 : 2}-of-00002.safetensors`;
  const index = { metadata: {}, weight_map: Object.fromEntries(names.map((name) => [name, fileOf(name)])) };
  const files = [...new Set(names.map(fileOf))];
  return {
    'model.safetensors.index.json': new TextEncoder().encode(JSON.stringify(index)),
    ...Object.fromEntries(files.map((file) => [file, safetensorsOf(model, (name) => fileOf(name) === file)])),
  };
}
