// Fuzzes the readers of a language model's files other than the weights: config.json, tokenizer.json, safetensors
// header.

import { ReadError } from '../../../src/core/errors.ts';
import type { Random } from '../../../src/core/number/random.ts';
import { fileSource, openSafetensors } from '../../../src/io/index.ts';
import type { DecoderConfig } from '../decoders/decoder.ts';
import { readDecoderConfig } from '../decoders/read/decoder-config.ts';
import { rotaryFrequencies } from '../decoders/rotary.ts';
import { readTokenizer, type ModelTokenizer } from '../decoders/tokenizer.ts';
import { byteTokenizer } from '../test/decoders.ts';
import { type Json, mutatedJson, smallerJson } from '../../../fuzz/json.ts';
import { pick } from '../../../fuzz/pieces.ts';
import { defineTarget, type Fault, SILENT_STEPS } from '../../../fuzz/target.ts';
import { errorFault } from '../../../fuzz/words.ts';

const FILES = ['config.json', 'tokenizer.json', 'model.safetensors'] as const;

/** A fuzzed file of a model; of model.safetensors only the header. */
interface Case {
  readonly file: (typeof FILES)[number];
  readonly text: string;
}

/** The RoPE scaling of Llama 3, as a config.json states it. */
const LLAMA3_ROPE_SCALING = {
  rope_type: 'llama3',
  factor: 8,
  low_freq_factor: 1,
  high_freq_factor: 4,
  original_max_position_embeddings: 8192,
};
const CONFIG = {
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
  eos_token_id: [1, 2],
  max_position_embeddings: 256,
  hidden_act: 'silu',
};
/** Valid configurations, which mutations begin with. */
const CONFIGS: readonly string[] = [
  CONFIG,
  { ...CONFIG, rope_scaling: LLAMA3_ROPE_SCALING, model_type: 'mistral', sliding_window: 4096 },
  { ...CONFIG, rope_parameters: { ...LLAMA3_ROPE_SCALING, rope_theta: 500_000 }, attention_bias: true, mlp_bias: true },
  { ...CONFIG, quantization_config: { quant_method: 'compressed-tensors', config_groups: {} } },
  { ...CONFIG, compression_config: { sparsity_config: { format: 'sparse-bitmask', targets: ['Linear'] } } },
].map((config) => JSON.stringify(config));

/** A byte-level BPE tokenizer with a few merges. */
const BYTE_LEVEL = byteTokenizer([
  ['\u0120', 'a'],
  ['t', 'h'],
  ['th', 'e'],
]);
/** The tokens of letters of SENTENCE_PIECE. */
const LETTERS = ['<unk>', '\u2581', ...'abcdefghijklmnopqrstuvwxyz\u00e4'.split('')];
/** A SentencePiece tokenizer like Llama's. */
const SENTENCE_PIECE = {
  added_tokens: [{ id: 0, content: '<unk>', special: true }],
  normalizer: { type: 'Sequence', normalizers: [{ type: 'Prepend', prepend: '\u2581' }] },
  pre_tokenizer: { type: 'Metaspace', replacement: '\u2581', prepend_scheme: 'first', split: true },
  decoder: { type: 'Sequence', decoders: [{ type: 'ByteFallback' }, { type: 'Fuse' }] },
  model: {
    type: 'BPE',
    unk_token: '<unk>',
    byte_fallback: true,
    fuse_unk: true,
    vocab: Object.fromEntries(
      [
        ...LETTERS,
        ...Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`),
      ].map((token, id) => [token, id]),
    ),
    merges: ['a b', 'ab c'],
  },
};
/** Valid tokenizers, which mutations begin with. */
const TOKENIZERS: readonly string[] = [
  BYTE_LEVEL,
  {
    ...BYTE_LEVEL,
    pre_tokenizer: {
      type: 'Sequence',
      pretokenizers: [
        { type: 'Split', pattern: { Regex: '\\p{N}{1,3}' }, behavior: 'Isolated' },
        BYTE_LEVEL.pre_tokenizer,
      ],
    },
  },
  SENTENCE_PIECE,
].map((tokenizer) => JSON.stringify(tokenizer));

/** Ids of the model for which tokenizers are read. */
const VOCABULARY = 300;

/** Values that mutations put into a file. */
const HOSTILE: readonly ((random: Random) => Json)[] = [
  () => null,
  () => [],
  () => ({}),
  (random) => random.below(2) === 0,
  (random) => pick(random, [0, -0, -1, 0.5, 1, 2, 3, 7, 299, 300, 2 ** 24, 2 ** 24 + 1, 2 ** 53, 1e308, 5e-324]),
  (random) =>
    pick(random, ['', '64', 'NaN', '__proto__', 'constructor', '\u202e', '\ud800', 'relu', 'linear', '\u0000']),
  (random) =>
    pick(random, ['Punctuation', 'Contiguous', 'MergedWithNext', 'Lowercase', 'Strip', 'Unigram', 'WordPiece']),
  (random) => 'x'.repeat(pick(random, [61, 300_000])),
  (random) => {
    let nested: Json = 1;
    for (let i = pick(random, [3, 3000]); i > 0; i--) nested = [nested];
    return nested;
  },
  (random) => {
    let nested: Json = {};
    for (let i = pick(random, [3, 3000]); i > 0; i--) nested = { a: nested };
    return nested;
  },
  // Parts of tokenizers whose evaluation takes very long: regular expressions with catastrophic backtracking.
  (random) => split(pick(random, ['(a|a)+$', '(\\w+\\s?)+$', '(.*)*x', '\\p{N}', '['])),
  (random) => {
    let nested = split('\\p{N}');
    for (let i = pick(random, [2, 3000]); i > 0; i--) nested = { type: 'Sequence', pretokenizers: [nested] };
    return nested;
  },
  (random) => {
    const content = 'x'.repeat(pick(random, [1, 2, 16, 300_000]));
    const part: Json = pick(random, [
      { type: 'Replace', pattern: { String: 'x' }, content },
      { type: 'Prepend', prepend: content },
      { type: 'ByteLevel' },
      { type: 'FixedLength', length: pick(random, [-1, 0, 1]) },
    ]);
    const copies: Json[] = Array.from({ length: pick(random, [1, 4, 30]) }, () => structuredClone(part));
    return { type: 'Sequence', normalizers: copies, pretokenizers: copies, decoders: copies };
  },
  (random) => pick(random, [['t', 'x'], ['the', 'the'], 't h e', ['a', 'b', 'c']]),
];

function split(pattern: string): Json {
  return { type: 'Split', pattern: { Regex: pattern }, behavior: 'Isolated' };
}

/** A header of safetensors whose tensors have no bytes. */
const HEADER = JSON.stringify({
  __metadata__: { format: 'pt' },
  ...Object.fromEntries(
    ['a.weight', 'b.weight'].map((name) => [name, { dtype: 'F32', shape: [0, 4], data_offsets: [0, 0] }]),
  ),
});

/** Checks that a header is opened, or rejected with a ReadError. */
async function checkHeader(text: string): Promise<Fault | null> {
  const header = new TextEncoder().encode(text);
  const bytes = new Uint8Array(8 + header.length);
  new DataView(bytes.buffer).setUint32(0, header.length, true);
  bytes.set(header, 8);
  try {
    await openSafetensors(fileSource({ name: 'model.safetensors', bytes }), { report: () => {}, cancelled: false });
    return null;
  } catch (error) {
    return errorFault(error, ReadError);
  }
}

/** Texts that every tokenizer has to encode once it is read. */
const TEXTS = [
  '',
  'the cat',
  ' a  b\n\n',
  '!!??..',
  'na\u00efve \ud83d\ude00',
  '\ud800',
  '<bos>the<eos>',
  'x'.repeat(2000),
];

/** Checks that a configuration is rejected with a ReadError, or has bos and eos in the vocabulary and finite frequencies. */
function checkConfig(text: string): Fault | null {
  let config: DecoderConfig;
  try {
    config = readDecoderConfig(text, 'config.json');
  } catch (error) {
    return errorFault(error, ReadError);
  }
  const isId = (id: number): boolean => Number.isInteger(id) && id >= 0 && id < config.vocabulary;
  if (![...config.eos, config.bos ?? 0].every(isId))
    return { law: 'bos and eos are in the vocabulary', message: text.slice(0, 2000) };
  const numbers = [config.normEps, ...rotaryFrequencies(config)];
  if (numbers.every((value) => Number.isFinite(value) && value >= 0)) return null;
  return { law: 'rotary frequencies are finite', message: numbers.slice(0, 8).join(' ') };
}

/**
 * Checks that a tokenizer is rejected with a ReadError, or encodes texts to valid ids and decodes them to the same text as
 * a stream and at once.
 */
function checkTokenizer(text: string): Fault | null {
  let tokenizer: ModelTokenizer;
  try {
    tokenizer = readTokenizer(text, { vocabulary: VOCABULARY });
  } catch (error) {
    return errorFault(error, ReadError);
  }
  for (const typed of TEXTS) {
    let ids: readonly number[];
    try {
      ids = tokenizer.encode(typed);
    } catch (error) {
      const fault = errorFault(error, ReadError);
      if (fault) return fault;
      continue;
    }
    const invalidId = ids.find((id) => !Number.isInteger(id) || id < 0 || id >= VOCABULARY);
    if (invalidId !== undefined)
      return { law: 'ids are in the vocabulary', message: `${invalidId} in ${JSON.stringify(typed)}` };
    const stream = tokenizer.stream();
    const streamed = ids.map(stream.push).join('') + stream.end();
    if (streamed !== tokenizer.decode(ids)) {
      const message = `${JSON.stringify(typed)}: found ${JSON.stringify(streamed)}, expected ${JSON.stringify(tokenizer.decode(ids))}`;
      return { law: 'the stream adds up to the decoded text', message: message.slice(0, 2000) };
    }
    for (const id of ids) tokenizer.piece(id);
  }
  return null;
}

/** The target 'decoders': files of a model with malicious contents. */
export const decodersTarget = defineTarget<Case>({
  id: 'decoders',
  unit: 'decoders',
  share: 0.05,
  maxSteps: SILENT_STEPS,
  generate(random) {
    const file = pick(random, FILES);
    const originals = { 'config.json': CONFIGS, 'tokenizer.json': TOKENIZERS, 'model.safetensors': [HEADER] };
    const original = JSON.parse(pick(random, originals[file])) as Json;
    return { file, text: JSON.stringify(mutatedJson(random, original, HOSTILE)) };
  },
  check({ file, text }) {
    if (file === 'config.json') return checkConfig(text);
    return file === 'tokenizer.json' ? checkTokenizer(text) : checkHeader(text);
  },
  *smaller({ file, text }) {
    for (const less of smallerJson(text)) yield { file, text: less };
  },
  toJson: (c) => c,
  fromJson(value) {
    const { file, text } = value as Case;
    return { file: FILES.includes(file) ? file : 'tokenizer.json', text: String(text) };
  },
});
