import { describe, expect, it } from 'vitest';
import golden from '../../../../../scripts/language/train-tales/golden-configs.json';
import { refusalOf } from '../../../../../test/io/refusals.ts';
import { weightsOf } from '../../../../theory/models/model-shape.ts';
import type { DecoderConfig } from '../decoder.ts';
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

const LLAMA3 = {
  rope_type: 'llama3',
  factor: 8,
  low_freq_factor: 1,
  high_freq_factor: 4,
  original_max_position_embeddings: 8192,
};

const read = (changes: object = {}) => readDecoderConfig(JSON.stringify({ ...TALES, ...changes }), 'config.json');

const sentence = (changes: object): string => refusalOf(() => read(changes));

describe('a config.json of a decoder', () => {
  it('gives sizes and everything else', () => {
    expect(read()).toEqual({
      name: 'config.json',
      hidden: 96,
      intermediate: 384,
      layers: 4,
      heads: 3,
      kvHeads: 1,
      headDim: 32,
      vocabulary: 1024,
      gated: true,
      positions: 0,
      tied: true,
      biases: [],
      normEps: 1e-5,
      activation: 'silu',
      rotary: { theta: 10_000, pairing: 'halves', scaling: null },
      context: 256,
      bos: 0,
      eos: [1],
    });
  });

  it('reads both spellings of rotary positions', () => {
    const scaling = { factor: 8, lowFrequency: 1, highFrequency: 4, originalContext: 8192 };
    const expected = { theta: 500_000, pairing: 'halves', scaling };
    expect(read({ rope_theta: 500_000, rope_scaling: LLAMA3 }).rotary).toEqual(expected);
    const five = { rope_theta: undefined, rope_parameters: { ...LLAMA3, rope_theta: 500_000 } };
    expect(read(five).rotary).toEqual(expected);
    const usual = { rope_theta: null, rope_parameters: { rope_type: 'default', rope_theta: 1000 } };
    expect(read(usual).rotary).toEqual({ theta: 1000, pairing: 'halves', scaling: null });
  });

  it('assumes what transformers assumes where it is silent', () => {
    const silent = read({
      rms_norm_eps: undefined,
      rope_theta: undefined,
      max_position_embeddings: undefined,
      hidden_act: undefined,
    });
    expect(silent).toMatchObject({ normEps: 1e-6, context: 2048, activation: 'silu', rotary: { theta: 10_000 } });
  });

  it('has no mark before a text, or several ends, where the file says so', () => {
    expect(read({ bos_token_id: null, eos_token_id: [1, 5] })).toMatchObject({ bos: null, eos: [1, 5] });
    expect(read({ bos_token_id: undefined, eos_token_id: undefined })).toMatchObject({ bos: null, eos: [] });
  });

  it('accepts Mistral, biases, and weights that are only stored sparse', () => {
    expect(read({ model_type: 'mistral', sliding_window: 4096 }).layers).toBe(4);
    expect(read({ attention_bias: true, mlp_bias: true }).biases).toEqual(['q', 'k', 'v', 'o', 'gate', 'up', 'down']);
    expect(read({ quantization_config: { quant_method: 'compressed-tensors', config_groups: {} } }).layers).toBe(4);
    expect(read({ compression_config: { sparsity_config: { format: 'sparse-bitmask' } } }).layers).toBe(4);
  });

  it('reads Qwen2 with its biases, and the window of Mistral', () => {
    const qwen = read({ model_type: 'qwen2', sliding_window: 32, use_sliding_window: false });
    expect(qwen.biases).toEqual(['q', 'k', 'v']);
    expect(qwen.window).toBeUndefined();
    expect(read({ model_type: 'mistral', sliding_window: 64 }).window).toBe(64);
  });

  it('reads SparseLM of 0.5B, whose ReLU is built in', () => {
    const released = {
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
    const config = read(released);
    expect(config).toMatchObject({ activation: 'relu', saidActivation: 'silu', rotary: { theta: 100_000 } });
    expect(weightsOf(config)).toBe(511_705_088);
    expect(read({ ...released, hidden_act: 'relu' }).saidActivation).toBeUndefined();
    expect(read({ ...released, hidden_act: undefined }).saidActivation).toBeUndefined();
    expect(read({ ...released, hidden_act: 'swish' }).saidActivation).toBe('swish');
    expect(sentence({ ...released, num_hidden_layers: 28 })).toBe(
      'config.json: found a model of 1539309568 weights, expected at most 536870912',
    );
    expect(sentence({ ...released, hidden_act: 3 })).toBe(
      'config.json, hidden_act: found 3, expected the name of an activation',
    );
  });

  it('takes its field for ReLU in other families with a gate, and refuses it in those without', () => {
    expect(read({ sparsity_gated_mlp: true })).toMatchObject({ activation: 'relu', saidActivation: 'silu' });
    expect(read({ sparsity_gated_mlp: null }).activation).toBe('silu');
    expect(read({ model_type: 'qwen2', sparsity_gated_mlp: false, sparsity_new_intermediate_size: 64 })).toMatchObject({
      activation: 'relu',
      gated: false,
      intermediate: 64,
    });
    expect(sentence({ sparsity_gated_mlp: 'yes' })).toBe(
      "config.json, sparsity_gated_mlp: found 'yes', expected true or false",
    );
    expect(
      sentence({ model_type: 'gpt2', n_embd: 16, n_layer: 2, n_head: 4, n_positions: 32, sparsity_gated_mlp: true }),
    ).toBe('config.json, sparsity_gated_mlp: found true, expected nothing in a model of gpt2');
  });

  it('reads OPT and GPT-2', () => {
    const opt = {
      model_type: 'opt',
      hidden_size: 16,
      ffn_dim: 64,
      num_hidden_layers: 2,
      num_attention_heads: 4,
      vocab_size: 40,
      max_position_embeddings: 32,
      bos_token_id: 2,
      eos_token_id: 2,
    };
    const shared = {
      norm: 'layer',
      gated: false,
      normEps: 1e-5,
      biases: ['q', 'k', 'v', 'o', 'up', 'down'],
      tied: true,
    };
    const of = (fields: object): DecoderConfig => readDecoderConfig(JSON.stringify(fields), 'config.json');
    expect(of(opt)).toMatchObject({ ...shared, activation: 'relu', positions: 34, context: 32, bos: 2, eos: [2] });
    const gpt = { model_type: 'gpt2', n_embd: 16, n_layer: 2, n_head: 4, vocab_size: 40, n_positions: 32 };
    expect(of(gpt)).toMatchObject({ ...shared, activation: 'gelu', positions: 32, context: 32, intermediate: 64 });
    const refusal = (fields: object) => () => of(fields);
    expect(refusal({ ...opt, do_layer_norm_before: false })).toThrow(
      'config.json, do_layer_norm_before: found false, expected true',
    );
    expect(refusal({ ...opt, word_embed_proj_dim: 8 })).toThrow(
      'word_embed_proj_dim: found 8, expected hidden_size, 16',
    );
    expect(refusal({ ...gpt, activation_function: 'gelu' })).toThrow(
      "activation_function: found 'gelu', expected relu or gelu_new",
    );
    expect(refusal({ ...gpt, scale_attn_by_inverse_layer_idx: true })).toThrow('found true, expected false');
  });

  it.each(golden.configs)('accepts the golden config $name', ({ config: own, ids }) => {
    const config = { ...golden.common, ...own };
    const found = readDecoderConfig(JSON.stringify(config), 'config.json');
    expect(found.vocabulary).toBe(config.vocab_size);
    expect(found.bos).toBe(ids[0]);
    expect(ids.length).toBeLessThanOrEqual(found.context);
  });

  it('refuses what is not decoded, with the field, found and expected', async () => {
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
      { rope_parameters: { ...LLAMA3, high_freq_factor: 1 } },
      { rope_parameters: { ...LLAMA3, factor: undefined } },
      { partial_rotary_factor: 0.5 },
      { sliding_window: 64 },
      { quantization_config: { quant_method: 'gptq' } },
      { compression_config: { config_groups: { group_0: {} } } },
      { hidden_size: 0 },
    ];
    const said = wrong.map((changes) => `${JSON.stringify(changes)}\n  ${sentence(changes)}\n`);
    await expect(said.join('')).toMatchFileSnapshot('words/configs.txt');
  });

  it('refuses a model too large for a page, before its weights are read', () => {
    expect(sentence({ num_hidden_layers: 10_000 })).toBe(
      'config.json: found a model of 1351778304 weights, expected at most 536870912',
    );
  });
});
