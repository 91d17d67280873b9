// readDecoderConfig: the config.json of a decoder, and what is rejected.

import { describe, expect, it } from 'vitest';
import { rejectionOf } from '../../../../test/io/rejections.ts';
import { tinyConfig } from '../../test/decoders.ts';
import { weightsOf } from '../../../../src/theory/models/model-shape.ts';
import { readDecoderConfig } from './decoder-config.ts';

/** The config.json of a shipped model, which each test changes. */
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

/** The RoPE scaling of Llama 3, as a config.json states it, and as readDecoderConfig returns it. */
const LLAMA3_ROPE_SCALING = {
  rope_type: 'llama3',
  factor: 8,
  low_freq_factor: 1,
  high_freq_factor: 4,
  original_max_position_embeddings: 8192,
};

const PARSED_SCALING = { factor: 8, lowFrequency: 1, highFrequency: 4, originalContext: 8192 };

/** The fields in which SparseLM 0.5B, as released, differs from TALES. */
const SPARSE_LM = {
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

/** The fields in which an OPT and a GPT-2 differ from TALES, and the properties that both have as read. */
const OPT = {
  model_type: 'opt',
  ffn_dim: 64,
  num_attention_heads: 4,
  num_key_value_heads: 4,
  max_position_embeddings: 32,
};
const GPT2 = { model_type: 'gpt2', n_embd: 16, n_layer: 2, n_head: 4, vocab_size: 40, n_positions: 32 };
const LAYER_NORM_CONFIG = {
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
  it('is read with its sizes and all other properties', () => {
    const sizes = { hidden: 96, intermediate: 384, layers: 4, heads: 3, kvHeads: 1, headDim: 32, vocabulary: 1024 };
    expect(read()).toEqual(tinyConfig({ name: 'config.json', ...sizes, tied: true, context: 256 }));
  });

  it.each<[string, object, object]>([
    [
      'rope_scaling',
      { rope_theta: 5e5, rope_scaling: LLAMA3_ROPE_SCALING },
      { rotary: { theta: 5e5, scaling: PARSED_SCALING } },
    ],
    [
      'rope_parameters',
      { rope_theta: undefined, rope_parameters: { ...LLAMA3_ROPE_SCALING, rope_theta: 5e5 } },
      { rotary: { theta: 5e5, scaling: PARSED_SCALING } },
    ],
    [
      'rope_parameters of the default type',
      { rope_theta: null, rope_parameters: { rope_type: 'default', rope_theta: 1000 } },
      { rotary: { theta: 1000, pairing: 'halves', scaling: null } },
    ],
    ['no rms_norm_eps', { rms_norm_eps: undefined }, { normEps: 1e-6 }],
    ['no max_position_embeddings', { max_position_embeddings: undefined }, { context: 2048 }],
    ['no rope_theta', { rope_theta: undefined }, { rotary: { theta: 10_000 } }],
    ['no hidden_act', { hidden_act: undefined }, { activation: 'silu' }],
    ['bos_token_id of null', { bos_token_id: null, eos_token_id: [1, 5] }, { bos: null, eos: [1, 5] }],
    ['no bos_token_id and eos_token_id', { bos_token_id: undefined, eos_token_id: undefined }, { bos: null, eos: [] }],
    [
      'a sliding_window of at least its context',
      { model_type: 'mistral', sliding_window: 4096 },
      { window: undefined },
    ],
    ['a sliding_window', { model_type: 'mistral', sliding_window: 64 }, { window: 64 }],
    [
      'a sliding_window and use_sliding_window of false',
      { model_type: 'qwen2', sliding_window: 32, use_sliding_window: false },
      { biases: ['q', 'k', 'v'], window: undefined },
    ],
    ['attention_bias and mlp_bias', { attention_bias: true, mlp_bias: true }, { biases: ALL_BIASES }],
    [
      'quantization_config for weights that are only stored sparse',
      { quantization_config: { quant_method: 'compressed-tensors', config_groups: {} } },
      { layers: 4 },
    ],
    [
      'compression_config, the older name of quantization_config',
      { compression_config: { sparsity_config: { format: 'sparse-bitmask' } } },
      { layers: 4 },
    ],
    [
      'the type llama_sparse_relu, which uses ReLU although hidden_act says silu',
      SPARSE_LM,
      { activation: 'relu', activationName: 'silu', rotary: { theta: 100_000 } },
    ],
    [
      'the type llama_sparse_relu and hidden_act of relu',
      { ...SPARSE_LM, hidden_act: 'relu' },
      { activation: 'relu', activationName: undefined },
    ],
    [
      'the type llama_sparse_relu and no hidden_act',
      { ...SPARSE_LM, hidden_act: undefined },
      { activation: 'relu', activationName: undefined },
    ],
    [
      'the type llama_sparse_relu and hidden_act of swish',
      { ...SPARSE_LM, hidden_act: 'swish' },
      { activation: 'relu', activationName: 'swish' },
    ],
    ['sparsity_gated_mlp of true', { sparsity_gated_mlp: true }, { activation: 'relu', activationName: 'silu' }],
    ['sparsity_gated_mlp of null', { sparsity_gated_mlp: null }, { activation: 'silu' }],
    [
      'sparsity_gated_mlp of false, which means no gate',
      { model_type: 'qwen2', sparsity_gated_mlp: false, sparsity_new_intermediate_size: 64 },
      { activation: 'relu', gated: false, intermediate: 64 },
    ],
    ['the fields of OPT', OPT, { ...LAYER_NORM_CONFIG, activation: 'relu', positions: 34, bos: 0, eos: [1] }],
    ['the fields of GPT-2', GPT2, { ...LAYER_NORM_CONFIG, activation: 'gelu', positions: 32, intermediate: 64 }],
  ])('is read with %s', (_, changes, expected) => {
    const config = read(changes);
    for (const [field, value] of Object.entries(expected)) {
      if (value === undefined) expect(config).not.toHaveProperty(field);
      else expect(config).toMatchObject({ [field]: value });
    }
  });

  it('of SparseLM 0.5B is read with the number of weights that it has', () => {
    expect(weightsOf(read(SPARSE_LM))).toBe(511_705_088);
  });

  it('is rejected if a value is unsupported, with the field, found and expected', async () => {
    const unsupported: readonly object[] = [
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
      { rope_parameters: { ...LLAMA3_ROPE_SCALING, high_freq_factor: 1 } },
      { rope_parameters: { ...LLAMA3_ROPE_SCALING, factor: undefined } },
      { partial_rotary_factor: 0.5 },
      { sliding_window: 64 },
      { quantization_config: { quant_method: 'gptq' } },
      { compression_config: { config_groups: { group_0: {} } } },
      { hidden_size: 0 },
      { num_hidden_layers: 10_000 },
      { ...SPARSE_LM, num_hidden_layers: 28 },
      { ...SPARSE_LM, hidden_act: 3 },
      { sparsity_gated_mlp: 'yes' },
      { ...GPT2, sparsity_gated_mlp: true },
      { ...GPT2, activation_function: 'gelu' },
      { ...GPT2, scale_attn_by_inverse_layer_idx: true },
      { ...OPT, do_layer_norm_before: false },
      { ...OPT, word_embed_proj_dim: 8 },
    ];
    const texts = unsupported.map((changes) => `${JSON.stringify(changes)}\n  ${message(changes)}\n`);
    await expect(texts.join('')).toMatchFileSnapshot('words/configs.txt');
  });
});
