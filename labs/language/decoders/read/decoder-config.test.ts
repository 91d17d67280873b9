// readDecoderConfig: the config.json of a decoder, and what is rejected.

import { describe, expect, it } from 'vitest';
import { rejectionOf } from '../../../../test/io/rejections.ts';
import { tinyConfig } from '../../test/decoders.ts';
import { weightsOf } from '../../../../src/theory/models/model-shape.ts';
import { readDecoderConfig } from './decoder-config.ts';

const TALES = {
  architectures: ['LlamaForCausalLM'],
  model_type: 'llama',
  hidden_size: 96,
  intermediate_size: 384,
  num_hidden_layers: 4,
  num_attention_heads: 3,
  num_key_value_heads: 1,
  head_dim: 32,
  rms_norm_eps: 1e-5,
  rope_theta: 10_000,
  vocab_size: 1024,
  tie_word_embeddings: true,
  bos_token_id: 0,
  eos_token_id: 1,
  max_position_embeddings: 256,
  hidden_act: 'silu',
};

const LLAMA3_SPLIT = {
  rope_type: 'llama3',
  factor: 8,
  low_freq_factor: 1,
  high_freq_factor: 4,
  original_max_position_embeddings: 8192,
};

const SCALING = { factor: 8, lowFrequency: 1, highFrequency: 4, originalContext: 8192 };

/** SparseLM of 0.5B as released. */
const SPARSE = {
  model_type: 'llama_sparse_relu',
  hidden_size: 2048,
  intermediate_size: 5632,
  num_hidden_layers: 8,
  num_attention_heads: 32,
  num_key_value_heads: 32,
  head_dim: undefined,
  rope_theta: 100_000,
  vocab_size: 49_152,
  bos_token_id: 0,
  eos_token_id: 0,
  max_position_embeddings: 2048,
  sparsity_gated_mlp: true,
};

const OPT = {
  model_type: 'opt',
  ffn_dim: 64,
  num_attention_heads: 4,
  num_key_value_heads: 4,
  max_position_embeddings: 32,
};
const GPT2 = { model_type: 'gpt2', n_embd: 16, n_layer: 2, n_head: 4, vocab_size: 40, n_positions: 32 };
const LEARNED = {
  norm: 'layer',
  gated: false,
  normEps: 1e-5,
  biases: ['q', 'k', 'v', 'o', 'up', 'down'],
  tied: true,
  context: 32,
};
const ALL_BIASES = ['q', 'k', 'v', 'o', 'gate', 'up', 'down'];

const read = (changes: object = {}) => readDecoderConfig(JSON.stringify({ ...TALES, ...changes }), 'config.json');

const message = (changes: object): string => rejectionOf(() => read(changes));

describe('a config.json of a decoder', () => {
  it('gives the sizes and all other properties', () => {
    const sizes = { hidden: 96, intermediate: 384, layers: 4, heads: 3, kvHeads: 1, headDim: 32, vocabulary: 1024 };
    expect(read()).toEqual(tinyConfig({ name: 'config.json', ...sizes, tied: true, context: 256 }));
  });

  it.each<[string, object, object]>([
    ['rope_scaling', { rope_theta: 5e5, rope_scaling: LLAMA3_SPLIT }, { rotary: { theta: 5e5, scaling: SCALING } }],
    [
      'rope_parameters',
      { rope_theta: undefined, rope_parameters: { ...LLAMA3_SPLIT, rope_theta: 5e5 } },
      { rotary: { theta: 5e5, scaling: SCALING } },
    ],
    [
      'usual rope_parameters',
      { rope_theta: null, rope_parameters: { rope_type: 'default', rope_theta: 1000 } },
      { rotary: { theta: 1000, pairing: 'halves', scaling: null } },
    ],
    ['no epsilon', { rms_norm_eps: undefined }, { normEps: 1e-6 }],
    ['no context', { max_position_embeddings: undefined }, { context: 2048 }],
    ['no angle', { rope_theta: undefined }, { rotary: { theta: 10_000 } }],
    ['no activation', { hidden_act: undefined }, { activation: 'silu' }],
    ['no mark before a text', { bos_token_id: null, eos_token_id: [1, 5] }, { bos: null, eos: [1, 5] }],
    ['no marks', { bos_token_id: undefined, eos_token_id: undefined }, { bos: null, eos: [] }],
    ['a window of its context', { model_type: 'mistral', sliding_window: 4096 }, { window: undefined }],
    ['a window', { model_type: 'mistral', sliding_window: 64 }, { window: 64 }],
    [
      'a window that is not used',
      { model_type: 'qwen2', sliding_window: 32, use_sliding_window: false },
      { biases: ['q', 'k', 'v'], window: undefined },
    ],
    ['biases', { attention_bias: true, mlp_bias: true }, { biases: ALL_BIASES }],
    [
      'weights only stored sparse',
      { quantization_config: { quant_method: 'compressed-tensors', config_groups: {} } },
      { layers: 4 },
    ],
    [
      'weights only stored sparse, as of old',
      { compression_config: { sparsity_config: { format: 'sparse-bitmask' } } },
      { layers: 4 },
    ],
    ['ReLU built in', SPARSE, { activation: 'relu', activationName: 'silu', rotary: { theta: 100_000 } }],
    ['ReLU said', { ...SPARSE, hidden_act: 'relu' }, { activation: 'relu', activationName: undefined }],
    ['ReLU not said', { ...SPARSE, hidden_act: undefined }, { activation: 'relu', activationName: undefined }],
    ['swish said', { ...SPARSE, hidden_act: 'swish' }, { activation: 'relu', activationName: 'swish' }],
    ['the field of SparseLM', { sparsity_gated_mlp: true }, { activation: 'relu', activationName: 'silu' }],
    ['the field of SparseLM, null', { sparsity_gated_mlp: null }, { activation: 'silu' }],
    [
      'no gate',
      { model_type: 'qwen2', sparsity_gated_mlp: false, sparsity_new_intermediate_size: 64 },
      { activation: 'relu', gated: false, intermediate: 64 },
    ],
    ['OPT', OPT, { ...LEARNED, activation: 'relu', positions: 34, bos: 0, eos: [1] }],
    ['GPT-2', GPT2, { ...LEARNED, activation: 'gelu', positions: 32, intermediate: 64 }],
  ])('is read with %s', (_, changes, expected) => {
    const config = read(changes);
    for (const [field, value] of Object.entries(expected)) {
      if (value === undefined) expect(config).not.toHaveProperty(field);
      else expect(config).toMatchObject({ [field]: value });
    }
  });

  it('gives the number of weights of SparseLM 0.5B', () => {
    expect(weightsOf(read(SPARSE))).toBe(511_705_088);
  });

  it('is rejected for unsupported values, with the field, found and expected', async () => {
    const wrong: readonly object[] = [
      { model_type: 'gemma' },
      { model_type: undefined },
      { text_config: TALES },
      { hidden_act: 'gelu' },
      { rms_norm_eps: 0 },
      { rms_norm_eps: '1e-5' },
      { rope_theta: -1 },
      { rope_theta: 5e-324 },
      { head_dim: 31 },
      { max_position_embeddings: 0 },
      { bos_token_id: 1024 },
      { eos_token_id: [1, -1] },
      { rope_scaling: 4 },
      { rope_scaling: { type: 'linear', factor: 2 } },
      { rope_scaling: { factor: 2 } },
      { rope_parameters: { ...LLAMA3_SPLIT, high_freq_factor: 1 } },
      { rope_parameters: { ...LLAMA3_SPLIT, factor: undefined } },
      { partial_rotary_factor: 0.5 },
      { sliding_window: 64 },
      { quantization_config: { quant_method: 'gptq' } },
      { compression_config: { config_groups: { group_0: {} } } },
      { hidden_size: 0 },
      { num_hidden_layers: 10_000 },
      { ...SPARSE, num_hidden_layers: 28 },
      { ...SPARSE, hidden_act: 3 },
      { sparsity_gated_mlp: 'yes' },
      { ...GPT2, sparsity_gated_mlp: true },
      { ...GPT2, activation_function: 'gelu' },
      { ...GPT2, scale_attn_by_inverse_layer_idx: true },
      { ...OPT, do_layer_norm_before: false },
      { ...OPT, word_embed_proj_dim: 8 },
    ];
    const texts = wrong.map((changes) => `${JSON.stringify(changes)}\n  ${message(changes)}\n`);
    await expect(texts.join('')).toMatchFileSnapshot('words/configs.txt');
  });
});
