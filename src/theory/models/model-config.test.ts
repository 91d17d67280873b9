import { describe, expect, it } from 'vitest';
import { ReadError } from '../../core/errors.ts';
import { readModelConfig } from './model-config.ts';
import { KNOWN_MODELS } from './model-shape.ts';

const LLAMA = {
  _name_or_path: 'meta-llama/Llama-2-7b-hf',
  architectures: ['LlamaForCausalLM'],
  hidden_size: 4096,
  intermediate_size: 11008,
  model_type: 'llama',
  num_attention_heads: 32,
  num_hidden_layers: 32,
  num_key_value_heads: 32,
  tie_word_embeddings: false,
  vocab_size: 32000,
};

const read = (fields: unknown) => readModelConfig(JSON.stringify(fields), 'config.json');

function sentence(text: string): string {
  try {
    readModelConfig(text, 'config.json');
  } catch (error) {
    expect(error).toBeInstanceOf(ReadError);
    return error instanceof Error ? error.message : '';
  }
  return 'nothing was wrong';
}

describe('a config.json', () => {
  it('gives the shape that the list has', () => {
    expect(read(LLAMA)).toEqual({ ...KNOWN_MODELS[0], name: 'Llama-2-7b-hf' });
  });

  it('may leave out what follows', () => {
    const { num_key_value_heads: _, tie_word_embeddings: __, _name_or_path: ___, ...rest } = LLAMA;
    expect(read(rest)).toEqual({ ...KNOWN_MODELS[0], name: 'config.json' });
    expect(read({ ...rest, num_key_value_heads: null, head_dim: null })).toMatchObject({ kvHeads: 32, headDim: 128 });
  });

  it('knows what families leave out', () => {
    const small = { hidden_size: 896, intermediate_size: 4864, num_hidden_layers: 24, num_attention_heads: 14 };
    const qwen = {
      ...small,
      model_type: 'qwen2',
      num_key_value_heads: 2,
      vocab_size: 151936,
      tie_word_embeddings: true,
    };
    expect(read(qwen)).toEqual({ ...KNOWN_MODELS.find((m) => m.name === 'Qwen2.5-0.5B'), name: 'config.json' });
    const gemma = { ...small, model_type: 'gemma2', num_key_value_heads: 2, vocab_size: 256000 };
    expect(read(gemma)).toMatchObject({ headDim: 256, tied: true, biases: [] });
    const seeing = {
      model_type: 'gemma3',
      vision_config: { hidden_size: 1152 },
      text_config: { model_type: 'gemma3_text', hidden_size: 2560, intermediate_size: 10240, num_hidden_layers: 34 },
    };
    expect(read(seeing)).toMatchObject({
      hidden: 2560,
      heads: 8,
      kvHeads: 4,
      headDim: 256,
      vocabulary: 262208,
      tied: true,
    });
  });

  it('tells of biases', () => {
    expect(read({ ...LLAMA, attention_bias: true, mlp_bias: true }).biases).toEqual([
      'q',
      'k',
      'v',
      'o',
      'gate',
      'up',
      'down',
    ]);
  });

  it.each([
    ['', 'config.json: found an empty file, expected JSON'],
    ['<!doctype html><title>', "config.json: found '<!doctype html><title>', expected JSON"],
    ['[]', 'config.json: found no object, expected the fields of a config.json in { }'],
    ['null', 'config.json: found no object, expected the fields of a config.json in { }'],
    ['{"n_embd": 768}', 'config.json, hidden_size: found nothing, expected a whole number from 1 to 16777216'],
    [
      JSON.stringify({ ...LLAMA, vocab_size: '32000' }),
      'config.json, vocab_size: found "32000", expected a whole number from 1 to 16777216',
    ],
    [
      JSON.stringify({ ...LLAMA, num_hidden_layers: 0 }),
      'config.json, num_hidden_layers: found 0, expected a whole number from 1 to 16777216',
    ],
    [
      JSON.stringify({ ...LLAMA, num_key_value_heads: 5 }),
      'config.json, num_key_value_heads: found 5, expected a divisor of the 32 attention heads',
    ],
    [
      JSON.stringify({ ...LLAMA, tie_word_embeddings: 'no' }),
      'config.json, tie_word_embeddings: found "no", expected true or false',
    ],
    [
      JSON.stringify({ ...LLAMA, hidden_size: 4097 }),
      'config.json, head_dim: found nothing, expected it, since 4097 is no multiple of 32 heads',
    ],
    [
      JSON.stringify({ ...LLAMA, num_local_experts: 8 }),
      'config.json, num_local_experts: found 8 experts, expected a model in which every token meets every matrix',
    ],
  ])('that is wrong is told in one sentence: %s', (text, expected) => {
    expect(sentence(text)).toBe(expected);
  });

  it('is no longer than any is', () => {
    expect(sentence(' '.repeat(2 ** 20 + 1))).toContain('expected at most 1\u202f048\u202f576');
  });
});
