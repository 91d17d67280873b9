// Test helper: writes small random models as GGUF files, as llama.cpp does.

import { f16Bits } from '../../../../src/core/number/index.ts';
import { bytesOf } from '../../../../test/io/safetensors.ts';
import type { MadeModel } from './make.ts';

/**
 * Reorders the rows of every head so that halves become neighbours: transformers does the reverse when it converts a
 * model.
 */
export function interleaved(w: Float32Array, headDim: number, cols: number): Float32Array {
  const out = new Float32Array(w.length);
  const half = headDim / 2;
  for (let r = 0; r < w.length / cols; r++) {
    const [head, i] = [Math.floor(r / headDim), r % headDim];
    const newRow = head * headDim + (i < half ? 2 * i : 2 * (i - half) + 1);
    out.set(w.subarray(r * cols, (r + 1) * cols), newRow * cols);
  }
  return out;
}

/** For tests: the parts, concatenated. */
export function concatenated(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    out.set(part, offset);
    offset += part.length;
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

const GGUF_VERSION = 3;
/** The numbers of the types of metadata values in GGUF. */
const VALUE_TYPES = { u32: 4, f32: 6, bool: 7, string: 8, array: 9 };
/** The numbers of the types of tensors in GGUF. */
const TENSOR_TYPES = { f32: 0, f16: 1 };
/** Bytes of which the offset of each tensor is a multiple. */
const ALIGNMENT = 32;

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
  const typeOf = (value: number | string | boolean): number => {
    if (typeof value === 'string') return VALUE_TYPES.string;
    if (typeof value === 'boolean') return VALUE_TYPES.bool;
    return Number.isInteger(value) ? VALUE_TYPES.u32 : VALUE_TYPES.f32;
  };
  const write = (type: number, value: number | string | boolean): void => {
    if (type === VALUE_TYPES.string) text(String(value));
    else if (type === VALUE_TYPES.bool) parts.push(Uint8Array.of(value ? 1 : 0));
    else if (type === VALUE_TYPES.u32) u32(Number(value));
    else parts.push(bytesOf(Float32Array.of(Number(value))));
  };
  // The header: the version, the numbers of tensors and of entries of metadata, and the entries. An array has the type
  // `array`, followed by the type of its elements.
  u32(GGUF_VERSION);
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
    const type = typeof value[0] === 'string' ? VALUE_TYPES.string : VALUE_TYPES.f32;
    u32(VALUE_TYPES.array);
    u32(type);
    u64(value.length);
    for (const item of value) write(type, item);
  }
  // The list of tensors, each with its offset into the data, then the data itself, aligned.
  const aligned = (bytes: number): number => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
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
  const ggufTensors = [...tensors].map(([name, { shape, values }]) => {
    const inBlock = /^model\.layers\.(\d+)\.(.+)\.(weight|bias)$/.exec(name);
    const ggufName = inBlock
      ? `blk.${inBlock[1]}.${GGUF_NAMES[inBlock[2]]}.${inBlock[3]}`
      : ({ 'model.embed_tokens.weight': 'token_embd.weight', 'model.norm.weight': 'output_norm.weight' }[name] ??
        'output.weight');
    const isInterleaved = arch !== 'qwen2' && /[qk]_proj\.weight$/.test(name);
    const cells = isInterleaved ? interleaved(values, headDim, n('hidden_size')) : values;
    const isHalf = matrices === 'f16' && shape.length === 2;
    const bytes = isHalf ? bytesOf(Uint16Array.from(cells, (v) => f16Bits(v))) : bytesOf(cells);
    return { name: ggufName, kind: isHalf ? TENSOR_TYPES.f16 : TENSOR_TYPES.f32, shape, bytes };
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
    ggufTensors,
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
