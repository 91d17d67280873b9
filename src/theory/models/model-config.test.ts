import { describe, expect, it } from 'vitest';
import { rejectionOf } from '../../../test/io/rejections.ts';
import { readModelConfig } from './model-config.ts';
import { multipliedWeights, weightsOf } from './model-shape.ts';
import { KNOWN_MODELS } from './known-models.ts';

/** The fields of a config.json, written as there. */
const fields = (text: string): Record<string, unknown> => JSON.parse(`{${text}}`);

const LLAMA = fields(`
  "_name_or_path": "meta-llama/Llama-2-7b-hf", "architectures": ["LlamaForCausalLM"], "model_type": "llama",
  "hidden_size": 4096, "intermediate_size": 11008, "num_attention_heads": 32, "num_hidden_layers": 32,
  "num_key_value_heads": 32, "tie_word_embeddings": false, "vocab_size": 32000`);

const OPT = fields(`
  "_name_or_path": "facebook/opt-6.7b", "activation_function": "relu", "do_layer_norm_before": true, "ffn_dim": 16384,
  "hidden_size": 4096, "max_position_embeddings": 2048, "model_type": "opt", "num_attention_heads": 32,
  "num_hidden_layers": 32, "vocab_size": 50272, "word_embed_proj_dim": 4096`);

const GPT2 = fields(`
  "activation_function": "gelu_new", "model_type": "gpt2", "n_ctx": 1024, "n_embd": 768, "n_head": 12, "n_layer": 12,
  "n_positions": 1024, "vocab_size": 50257`);

const read = (config: unknown) => readModelConfig(JSON.stringify(config), 'config.json');

const messageFor = (text: string): string => rejectionOf(() => readModelConfig(text, 'config.json'));

describe('readModelConfig', () => {
  it('computes omitted fields that follow from others', () => {
    const { num_key_value_heads: _, tie_word_embeddings: __, _name_or_path: ___, ...rest } = LLAMA;
    expect(read(rest)).toEqual({ ...KNOWN_MODELS[0], name: 'config.json' });
    expect(read({ ...rest, num_key_value_heads: null, head_dim: null })).toMatchObject({ kvHeads: 32, headDim: 128 });
  });

  it('uses the defaults of a family for omitted fields, and reads the text model of a model for images', () => {
    const small = { hidden_size: 896, intermediate_size: 4864, num_hidden_layers: 24, num_attention_heads: 14 };
    const two = { ...small, num_key_value_heads: 2 };
    const qwen = { ...two, model_type: 'qwen2', vocab_size: 151936, tie_word_embeddings: true };
    expect(read(qwen)).toEqual({ ...KNOWN_MODELS.find((m) => m.name === 'Qwen2.5-0.5B'), name: 'config.json' });
    const gemma = { ...two, model_type: 'gemma2', vocab_size: 256000 };
    expect(read(gemma)).toMatchObject({ headDim: 256, tied: true, biases: [] });
    const imageModel = {
      model_type: 'gemma3',
      vision_config: { hidden_size: 1152 },
      text_config: { model_type: 'gemma3_text', hidden_size: 2560, intermediate_size: 10240, num_hidden_layers: 34 },
    };
    const defaults = { heads: 8, kvHeads: 4, headDim: 256, vocabulary: 262208, tied: true };
    expect(read(imageModel)).toMatchObject({ ...defaults, hidden: 2560 });
  });

  it('reads OPT and GPT-2 by their own field names: no gate, learned positions, a bias in every matrix', () => {
    const listed = (name: string) => KNOWN_MODELS.find((m) => m.name === name);
    expect(read(OPT)).toEqual({ ...listed('OPT-6.7B'), name: 'opt-6.7b' });
    expect(read({ ...OPT, enable_bias: false }).biases).toEqual([]);
    expect(read(GPT2)).toEqual({ ...listed('GPT-2'), name: 'config.json' });
    expect(read({ ...GPT2, n_inner: null }).intermediate).toBe(3072);
    expect(read({ ...GPT2, n_inner: 1000 }).intermediate).toBe(1000);
  });

  it.each([
    ['a folder and its parent', '/models/meta/tiny', 'tiny'],
    ['slashes at its end', 'org/name///', 'name'],
    ['the slashes of Windows', String.raw`C:\\models\\tiny`, 'tiny'],
    ['slashes alone', '/'.repeat(900_000), 'config.json'],
    ['60,000 slashes and a letter', `${'/'.repeat(60_000)}a`, 'a'],
    ['900,000 slashes and a letter', `${'/'.repeat(900_000)}a`, 'a'],
    ['letters between a million slashes', 'a/'.repeat(450_000), 'a'],
    ['a name longer than is shown', `org/${'x'.repeat(500_000)}`, 'x'.repeat(60)],
    ['letters that cannot be seen', 'a\u202eb\u0000\ud800', 'a\ufffdb\u2400\ufffd'],
  ])('reads the name of the model from a path with %s', (_, path, name) => {
    // An algorithm whose time grows with the square of the length would exceed the time limit of a test here.
    expect(read({ ...LLAMA, _name_or_path: path }).name).toBe(name);
  });

  const MIXED = { hidden_size: 2048, num_attention_heads: 32, vocab_size: 151936, num_key_value_heads: 4 };
  const QWEN: Record<string, unknown> = {
    ...MIXED,
    ...fields(`"model_type": "qwen3_moe", "head_dim": 128, "intermediate_size": 6144, "num_hidden_layers": 48,
      "num_experts": 128, "num_experts_per_tok": 8, "moe_intermediate_size": 768, "decoder_sparse_step": 1,
      "mlp_only_layers": []`),
  };
  const LITE = fields(`
    "model_type": "deepseek_v2", "hidden_size": 2048, "intermediate_size": 10944, "num_attention_heads": 16,
    "num_key_value_heads": 16, "num_hidden_layers": 27, "vocab_size": 102400, "n_routed_experts": 64,
    "num_experts_per_tok": 6, "moe_intermediate_size": 1408, "n_shared_experts": 2, "first_k_dense_replace": 1,
    "moe_layer_freq": 1, "q_lora_rank": null, "kv_lora_rank": 512, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64,
    "v_head_dim": 128`);
  const ERNIE = fields(`
    "model_type": "ernie4_5_moe", "hidden_size": 2560, "intermediate_size": 12288, "num_attention_heads": 20,
    "num_key_value_heads": 4, "num_hidden_layers": 28, "vocab_size": 103424, "moe_num_experts": 64, "moe_k": 6,
    "moe_intermediate_size": 1536, "moe_num_shared_experts": 2, "moe_layer_start_index": 1, "moe_layer_end_index": -1,
    "moe_layer_interval": 1`);

  it('reads the experts of a mixture, whose number has one of four field names', () => {
    const listed = (name: string) => ({ ...KNOWN_MODELS.find((m) => m.name === name), name: 'config.json' });
    const { _name_or_path: _, ...mistral } = LLAMA;
    const mixtral = { ...mistral, model_type: 'mixtral', intermediate_size: 14336, num_key_value_heads: 8 };
    expect(read({ ...mixtral, num_local_experts: 8, num_experts_per_tok: 2 })).toEqual(listed('Mixtral-8x7B'));
    expect(read(QWEN)).toEqual(listed('Qwen3-30B-A3B'));
    expect(read(LITE)).toEqual(listed('DeepSeek-V2-Lite'));
    // ERNIE-4.5-21B-A3B: 21.8 billion weights by its config.json; its authors state 21 and 3.
    const ernie = read(ERNIE);
    expect(ernie.experts).toEqual({ count: 64, active: 6, width: 1536, shared: 3072, dense: 1 });
    expect([weightsOf(ernie), multipliedWeights(ernie)]).toEqual([21_825_290_240, 3_352_002_560]);
  });

  it('reads the width of shared experts, and queries from a low-rank latent', () => {
    const shared = { ...QWEN, model_type: 'qwen2_moe', shared_expert_intermediate_size: 5632 };
    expect(read(shared)).toMatchObject({ biases: ['q', 'k', 'v'], experts: { shared: 5632 } });
    expect(read({ ...LITE, q_lora_rank: 1536 }).latent).toEqual({ q: 1536, kv: 512, rope: 64, value: 128 });
    expect(read({ ...QWEN, model_type: 'olmoe', intermediate_size: 1024 }).experts?.width).toBe(1024);
  });

  const MIXTURES = [
    { ...QWEN, num_experts: undefined, num_local_experts: 128 },
    { ...QWEN, num_experts_per_tok: 129 },
    { ...QWEN, decoder_sparse_step: 2 },
    { ...QWEN, mlp_only_layers: [3] },
    { ...QWEN, moe_intermediate_size: null },
    { ...LITE, first_k_dense_replace: 27 },
    { ...LITE, n_shared_experts: -1 },
    { ...LITE, kv_lora_rank: null },
    { ...ERNIE, moe_layer_end_index: 20 },
  ];

  it('rejects an unsupported mixture with one message', async () => {
    await expect(MIXTURES.map((config) => `${messageFor(JSON.stringify(config))}\n`).join('')).toMatchFileSnapshot(
      'words/mixtures.txt',
    );
  });

  it('accepts a model without experts that states one expert or none', () => {
    expect(read({ ...LLAMA, num_experts: 1, num_local_experts: 0, n_routed_experts: null }).hidden).toBe(4096);
  });

  it('reads which matrices have a bias', () => {
    expect(read({ ...LLAMA, attention_bias: true, mlp_bias: true }).biases).toEqual('q k v o gate up down'.split(' '));
  });

  const WRONG = [
    '',
    '<!doctype html><title>',
    '[]',
    'null',
    '{"n_embd": 768}',
    JSON.stringify({ ...LLAMA, vocab_size: '32000' }),
    JSON.stringify({ ...LLAMA, num_hidden_layers: 0 }),
    JSON.stringify({ ...LLAMA, num_key_value_heads: 5 }),
    JSON.stringify({ ...LLAMA, tie_word_embeddings: 'no' }),
    JSON.stringify({ ...LLAMA, hidden_size: 4097 }),
    JSON.stringify({ ...LLAMA, num_local_experts: 8 }),
    JSON.stringify({ ...LLAMA, num_attention_heads: 2 ** 24, head_dim: 128 }),
    JSON.stringify({ ...LLAMA, num_experts: '64' }),
    JSON.stringify({ ...LLAMA, num_local_experts: [8] }),
    JSON.stringify({ ...LLAMA, model_type: 'gpt_neox' }),
    JSON.stringify({ ...OPT, word_embed_proj_dim: 512 }),
    JSON.stringify({ ...GPT2, n_layer: '12' }),
    `{"model_type":"llama","hidden_size":${'['.repeat(1e5)}${']'.repeat(1e5)}}`,
  ];

  it('rejects a wrong file with one message', async () => {
    await expect(WRONG.map((text) => `${messageFor(text)}\n`).join('')).toMatchFileSnapshot('words/configs.txt');
  });

  it('rejects a file that is longer than any real config.json', () => {
    expect(messageFor(' '.repeat(2 ** 20 + 1))).toContain('expected at most 1\u202f048\u202f576');
  });
});
