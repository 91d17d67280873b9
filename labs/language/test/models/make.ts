// Test helper: makes small random models of every supported architecture, as files of Hugging Face.

import { f16Bits } from '../../../../src/core/number/index.ts';
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
  of: (name: string) => boolean = () => true,
): Uint8Array<ArrayBuffer> {
  const chosen = [...tensors].filter(([name]) => of(name));
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

/**
 * Reorders the rows of every head so that halves become neighbours: transformers does the reverse when it converts a
 * model.
 */
export function interleaved(w: Float32Array, headDim: number, cols: number): Float32Array {
  const out = new Float32Array(w.length);
  const half = headDim / 2;
  for (let r = 0; r < w.length / cols; r++) {
    const [head, i] = [Math.floor(r / headDim), r % headDim];
    const to = head * headDim + (i < half ? 2 * i : 2 * (i - half) + 1);
    out.set(w.subarray(r * cols, (r + 1) * cols), to * cols);
  }
  return out;
}

/** For tests: the parts, concatenated. */
export function concatenated(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** For tests: a vocabulary of SentencePiece: three marks, 256 bytes, letters, and a few joined ones. */
export function scoredVocabulary(): readonly { readonly text: string; readonly score: number }[] {
  const hex = (byte: number): string => byte.toString(16).toUpperCase().padStart(2, '0');
  const words = [
    '\u2581',
    ...Array.from('abcdefghijklmnopqrstuvwxyz'),
    'th',
    'the',
    '\u2581the',
    'ca',
    'at',
    'cat',
    '\u2581cat',
  ];
  return [
    ...['<unk>', '<s>', '</s>'].map((text) => ({ text, score: 0 })),
    ...Array.from({ length: 256 }, (_, byte) => ({ text: `<0x${hex(byte)}>`, score: 0 })),
    ...words.map((text, i) => ({ text, score: -i })),
  ];
}

type Metadata = Readonly<Record<string, number | string | boolean | readonly number[] | readonly string[]>>;

/** For tests: a GGUF file of these metadata and tensors. Whole numbers are written as u32, others as f32. */
export function ggufModel(
  metadata: Metadata,
  tensors: readonly {
    readonly name: string;
    readonly kind: number;
    readonly shape: readonly number[];
    readonly bytes: Uint8Array;
  }[],
): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [new TextEncoder().encode('GGUF')];
  const u32 = (value: number): void => void parts.push(bytesOf(Uint32Array.of(value)));
  const u64 = (value: number): void => void parts.push(bytesOf(BigUint64Array.of(BigInt(value))));
  const text = (value: string): void => {
    const bytes = new TextEncoder().encode(value);
    u64(bytes.length);
    parts.push(bytes);
  };
  const typeOf = (value: number | string | boolean): number =>
    typeof value === 'string' ? 8 : typeof value === 'boolean' ? 7 : Number.isInteger(value) ? 4 : 6;
  const write = (type: number, value: number | string | boolean): void => {
    if (type === 8) text(String(value));
    else if (type === 7) parts.push(Uint8Array.of(value ? 1 : 0));
    else if (type === 4) u32(Number(value));
    else parts.push(bytesOf(Float32Array.of(Number(value))));
  };
  // The header: the version, the numbers of tensors and of entries of metadata, and the entries. An array has its own
  // type (9), before the type of its elements.
  u32(3);
  u64(tensors.length);
  u64(Object.keys(metadata).length);
  for (const [key, value] of Object.entries(metadata)) {
    text(key);
    if (typeof value !== 'object') {
      const type = typeOf(value);
      u32(type);
      write(type, value);
      continue;
    }
    const type = typeof value[0] === 'string' ? 8 : 6;
    u32(9);
    u32(type);
    u64(value.length);
    for (const item of value) write(type, item);
  }
  // The list of tensors, each with its offset into the data, then the data itself, aligned.
  const aligned = (bytes: number): number => Math.ceil(bytes / 32) * 32;
  let offset = 0;
  for (const { name, kind, shape, bytes } of tensors) {
    text(name);
    u32(shape.length);
    for (const size of shape.toReversed()) u64(size);
    u32(kind);
    u64(offset);
    offset += aligned(bytes.length);
  }
  const pad = (): void => {
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    parts.push(new Uint8Array(aligned(length) - length));
  };
  pad();
  for (const { bytes } of tensors) {
    parts.push(bytes);
    pad();
  }
  return concatenated(parts);
}

const GGUF_NAMES: Readonly<Record<string, string>> = {
  'self_attn.q_proj': 'attn_q',
  'self_attn.k_proj': 'attn_k',
  'self_attn.v_proj': 'attn_v',
  'self_attn.o_proj': 'attn_output',
  'mlp.gate_proj': 'ffn_gate',
  'mlp.up_proj': 'ffn_up',
  'mlp.down_proj': 'ffn_down',
  input_layernorm: 'attn_norm',
  post_attention_layernorm: 'ffn_norm',
};

/**
 * For tests: a model of Llama or Qwen2 as llama.cpp writes it, in f32, or with its matrices in f16; `tokenizer`: its
 * metadata.
 */
export function ggufOf(
  { config, tensors }: MadeModel,
  tokenizer: Metadata,
  matrices: 'f32' | 'f16' = 'f32',
): Uint8Array<ArrayBuffer> {
  const arch = String(config.model_type);
  const n = (field: string): number => Number(config[field]);
  const headDim = n('hidden_size') / n('num_attention_heads');
  const named = [...tensors].map(([name, { shape, values }]) => {
    const inBlock = /^model\.layers\.(\d+)\.(.+)\.(weight|bias)$/.exec(name);
    const to = inBlock
      ? `blk.${inBlock[1]}.${GGUF_NAMES[inBlock[2]]}.${inBlock[3]}`
      : ({ 'model.embed_tokens.weight': 'token_embd.weight', 'model.norm.weight': 'output_norm.weight' }[name] ??
        'output.weight');
    const isTurned = arch !== 'qwen2' && /[qk]_proj\.weight$/.test(name);
    const cells = isTurned ? interleaved(values, headDim, n('hidden_size')) : values;
    const isHalf = matrices === 'f16' && shape.length === 2;
    const bytes = isHalf ? bytesOf(Uint16Array.from(cells, (v) => f16Bits(v))) : bytesOf(cells);
    return { name: to, kind: isHalf ? 1 : 0, shape, bytes };
  });
  return ggufModel(
    {
      'general.architecture': arch,
      'general.name': 'Tiny',
      [`${arch}.context_length`]: n('max_position_embeddings'),
      [`${arch}.embedding_length`]: n('hidden_size'),
      [`${arch}.block_count`]: n('num_hidden_layers'),
      [`${arch}.feed_forward_length`]: n('intermediate_size'),
      [`${arch}.attention.head_count`]: n('num_attention_heads'),
      [`${arch}.attention.head_count_kv`]: n('num_key_value_heads'),
      [`${arch}.attention.layer_norm_rms_epsilon`]: n('rms_norm_eps'),
      [`${arch}.rope.freq_base`]: n('rope_theta'),
      'tokenizer.ggml.bos_token_id': 0,
      'tokenizer.ggml.eos_token_id': 1,
      ...tokenizer,
    },
    named,
  );
}

/** For tests: `scoredVocabulary` as the metadata of a GGUF file. Lists of numbers are written as f32. */
export function ggufTokenizer(vocabulary: ReturnType<typeof scoredVocabulary>): Metadata {
  const [control, byte, normal] = [3, 6, 1];
  return {
    'tokenizer.ggml.model': 'llama',
    'tokenizer.ggml.tokens': vocabulary.map(({ text }) => text),
    'tokenizer.ggml.scores': vocabulary.map(({ score }) => score),
    'tokenizer.ggml.token_type': vocabulary.map((_, i) => (i < 3 ? control : i < 259 ? byte : normal)),
  };
}
