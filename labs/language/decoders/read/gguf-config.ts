// Reads a decoder's configuration from the metadata of a GGUF file (llama.cpp), by way of a config.json.

import { MODEL_BOUNDS } from '../../../../src/core/bounds/bounds.ts';
import { quotedValue } from '../../../../src/core/bounds/quote.ts';
import { ReadError, withVisibleSigns } from '../../../../src/core/errors.ts';
import type { DecoderConfig } from '../decoder.ts';
import { readDecoderConfig } from './decoder-config.ts';
import { type GgufMetadata, hasBeginningMark } from './gguf-tokenizer.ts';

/** Metadata keys of Llama and Qwen2, without 'ARCHITECTURE.' before them, and their fields in a config.json. */
const LLAMA_FIELDS: Readonly<Record<string, string>> = {
  context_length: 'max_position_embeddings',
  embedding_length: 'hidden_size',
  block_count: 'num_hidden_layers',
  feed_forward_length: 'intermediate_size',
  'attention.head_count': 'num_attention_heads',
  'attention.head_count_kv': 'num_key_value_heads',
  'attention.key_length': 'head_dim',
  'attention.layer_norm_rms_epsilon': 'rms_norm_eps',
  'attention.sliding_window': 'sliding_window',
  'rope.freq_base': 'rope_theta',
  sparsity_gated_mlp: 'sparsity_gated_mlp',
};

/** The same for GPT-2. */
const GPT2_FIELDS: Readonly<Record<string, string>> = {
  context_length: 'n_positions',
  embedding_length: 'n_embd',
  block_count: 'n_layer',
  feed_forward_length: 'n_inner',
  'attention.head_count': 'n_head',
  'attention.layer_norm_epsilon': 'layer_norm_epsilon',
};

/** Architectures of llama.cpp that can be decoded; 'llama' includes Mistral. */
const ARCHITECTURES = ['llama', 'qwen2', 'gpt2'];
/**
 * An architecture that llama.cpp does not know: the order of rows in q and k is undefined, and a wrong one goes
 * unnoticed.
 */
const SPARSE_LM = 'llama_sparse_relu';

/**
 * Reads a decoder's configuration from a GGUF file: its metadata, and the names of its tensors, which show whether it
 * has a separate head and biases. `name`: the name of the file in errors, and of the model if it has none.
 *
 * Throws ReadError with the key, found and expected.
 */
export function readGgufConfig(metadata: GgufMetadata, tensors: ReadonlySet<string>, name: string): DecoderConfig {
  const architecture = metadata.get('general.architecture');
  if (architecture === SPARSE_LM) {
    throw new ReadError(
      `${name}, general.architecture: found ${SPARSE_LM}, whose order of rows in q and k no GGUF says, expected its safetensors`,
    );
  }
  if (typeof architecture !== 'string' || !ARCHITECTURES.includes(architecture)) {
    throw new ReadError(
      `${name}, general.architecture: found ${quotedValue(architecture)}, expected one of ${ARCHITECTURES.join(', ')}`,
    );
  }
  const tokens = metadata.get('tokenizer.ggml.tokens');
  if (!Array.isArray(tokens)) {
    throw new ReadError(`${name}, tokenizer.ggml.tokens: found ${quotedValue(tokens)}, expected a list of tokens`);
  }
  rejectScaling(metadata, tensors, architecture, name);
  const isGpt = architecture === 'gpt2';
  const isWindowed = typeof metadata.get(`${architecture}.attention.sliding_window`) === 'number';
  const fields: Record<string, unknown> = {
    model_type: architecture === 'llama' && isWindowed ? 'mistral' : architecture,
    vocab_size: tokens.length,
    tie_word_embeddings: !tensors.has('output.weight'),
    ...(architecture === 'llama' && { attention_bias: tensors.has('blk.0.attn_q.bias') }),
  };
  for (const [key, field] of Object.entries(isGpt ? GPT2_FIELDS : LLAMA_FIELDS)) {
    const value = metadata.get(`${architecture}.${key}`);
    if (value !== undefined) fields[field] = value;
  }
  const modelName = metadata.get('general.name');
  if (typeof modelName === 'string' && modelName !== '')
    fields._name_or_path = withVisibleSigns(modelName.slice(0, MODEL_BOUNDS.name));
  const bos = metadata.get('tokenizer.ggml.bos_token_id');
  const eos = metadata.get('tokenizer.ggml.eos_token_id');
  if (bos !== undefined && hasBeginningMark(metadata, name)) fields.bos_token_id = bos;
  if (eos !== undefined) fields.eos_token_id = eos;
  const config = readDecoderConfig(JSON.stringify(fields), name);
  // llama.cpp keeps the rows of q and k of Llama in their original order: neighbours rotate together.
  return architecture === 'llama' ? { ...config, rotary: { ...config.rotary, pairing: 'neighbours' } } : config;
}

/** Throws ReadError for scaled rotary frequencies, which are not supported in GGUF files. */
function rejectScaling(metadata: GgufMetadata, tensors: ReadonlySet<string>, architecture: string, name: string): void {
  const key = `${architecture}.rope.scaling.type`;
  const scaling = metadata.get(key);
  if (scaling !== undefined && scaling !== 'none') {
    throw new ReadError(`${name}, ${key}: found ${quotedValue(scaling)}, expected none`);
  }
  if (tensors.has('rope_freqs.weight')) {
    throw new ReadError(`${name}, rope_freqs.weight: found rotary frequencies, expected none; bring its safetensors`);
  }
}
