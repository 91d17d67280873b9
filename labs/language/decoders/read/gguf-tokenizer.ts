// Builds a tokenizer from the metadata of a GGUF file (llama.cpp), as a tokenizer.json or as SentencePiece with
// scores.

import { quotedValue } from '../../../../src/core/bounds/quote.ts';
import { ReadError } from '../../../../src/core/errors.ts';
import type { GgufValue } from '../../../../src/io/index.ts';
import type { DecoderConfig } from '../decoder.ts';
import { isLiteral, type ScoredToken, scoreTokenizer, type TokenKind } from '../score-tokenizer.ts';
import { literalSplitter } from '../literal-tokens.ts';
import { LLAMA3_SPLIT, QWEN2_SPLIT, UNNAMED_SPLITS } from '../splits.ts';
import { readTokenizer, type ModelTokenizer } from '../tokenizer.ts';

/** The metadata of a GGUF file, by key. */
export type GgufMetadata = ReadonlyMap<string, GgufValue>;

/** How texts are split before merges. */
interface SplitRule {
  /**
   * regular expressions, applied one after the other; null: the one of GPT-2, built into the ByteLevel pre-tokenizer
   */
  readonly patterns: readonly string[] | null;
  /** whether a split text that is a token stays whole, even if its merges give other tokens */
  readonly ignoresMerges?: boolean;
}
const LLAMA3_RULE: SplitRule = { patterns: [LLAMA3_SPLIT], ignoresMerges: true };
const QWEN2_RULE: SplitRule = { patterns: [QWEN2_SPLIT] };
/** How texts are split, by the value of tokenizer.ggml.pre. */
const SPLITS: Readonly<Record<string, SplitRule>> = {
  'llama-bpe': LLAMA3_RULE,
  'llama-v3': LLAMA3_RULE,
  llama3: LLAMA3_RULE,
  qwen2: QWEN2_RULE,
  'deepseek-r1-qwen': QWEN2_RULE,
  'gpt-2': { patterns: null },
  default: { patterns: UNNAMED_SPLITS },
};

/** The kinds of tokens by ggml's numbers for them. */
const KINDS: Readonly<Record<number, TokenKind>> = {
  1: 'normal',
  // The unknown token: found only where a text spells it out, like a control token.
  2: 'control',
  3: 'control',
  4: 'user',
  5: 'unused',
  6: 'byte',
};

/**
 * Tokens that llama.cpp treats as control tokens, even if a file disagrees: ends of texts, turns and calls, and tokens
 * for fill-in-the-middle.
 */
const CONTROL_TEXTS: ReadonlySet<string> = new Set(
  [
    '</s> <eos> [EOS] <EOT> _<EOT> [EOT] <|eot_id|> <|eom_id|> <|im_end|> <|end|> <|endoftext|> <|end_of_text|>',
    '<end_of_turn> <end_of_utterance> <turn|> [e~[ <\uff5cend\u2581of\u2581sentence\uff5c>',
    '<|return|> <|call|> <|calls|> <|flush|> <|tool_response> <|repo_name|> <|file_sep|> <reponame>',
    '<|fim_prefix|> <|fim_suffix|> <|fim_middle|> <|fim_pad|> <fim_prefix> <fim_suffix> <fim_middle> <fim_pad>',
  ].flatMap((texts) => texts.split(' ')),
);

/**
 * The tokenizer in the metadata of the GGUF file `name`: byte pairs with the splits of GPT-2, Llama 3 or Qwen2, or
 * SentencePiece with scores; the ids are the ids of llama.cpp. Throws ReadError with the key, found and expected, and
 * like `readTokenizer` and `scoreTokenizer`.
 */
export function readGgufTokenizer(metadata: GgufMetadata, config: DecoderConfig, name: string): ModelTokenizer {
  const model = metadata.get('tokenizer.ggml.model');
  const texts = listOf(metadata, 'tokenizer.ggml.tokens', config.vocabulary, isText, name);
  const types = metadata.has('tokenizer.ggml.token_type')
    ? listOf(metadata, 'tokenizer.ggml.token_type', config.vocabulary, isNumber, name)
    : texts.map(() => 1);
  const kinds = types.map((type, i): TokenKind => {
    const kind = KINDS[type] ?? 'unused';
    return kind !== 'user' && CONTROL_TEXTS.has(texts[i]) ? 'control' : kind;
  });
  const strips = strippingOf(metadata);
  if (model === 'llama') {
    const scores = listOf(metadata, 'tokenizer.ggml.scores', config.vocabulary, isNumber, name);
    const addsSpace = flagOf(metadata, 'tokenizer.ggml.add_space_prefix', true, name);
    const vocabulary = texts.map((text, i): ScoredToken => ({ text, score: scores[i], kind: kinds[i] }));
    return scoreTokenizer(vocabulary, name, { addsSpace, strips });
  }
  if (model !== 'gpt2') {
    throw new ReadError(`${name}, tokenizer.ggml.model: found ${quotedValue(model)}, expected llama or gpt2`);
  }
  const pre = metadata.get('tokenizer.ggml.pre') ?? 'default';
  if (typeof pre !== 'string' || !Object.hasOwn(SPLITS, pre)) {
    throw new ReadError(
      `${name}, tokenizer.ggml.pre: found ${quotedValue(pre)}, expected ${Object.keys(SPLITS).join(', ')}`,
    );
  }
  const merges = metadata.get('tokenizer.ggml.merges');
  if (!Array.isArray(merges) || !merges.every(isText)) {
    throw new ReadError(`${name}, tokenizer.ggml.merges: found ${quotedValue(merges)}, expected a list of pairs`);
  }
  const idOf = new Map(texts.map((text, id) => [text, id]));
  const repeatedText = texts.find((text, id) => text !== '' && idOf.get(text) !== id);
  if (repeatedText !== undefined) {
    throw new ReadError(
      `${name}, tokenizer.ggml.tokens: found ${quotedValue(repeatedText)} twice, expected one token for a text`,
    );
  }
  const tokenizer = readTokenizer(JSON.stringify(byteTokenizer(texts, kinds, merges, SPLITS[pre])), config, name);
  const literals = texts.flatMap((text, id) => (isLiteral(kinds[id]) ? [{ id, text, strips: strips(text) }] : []));
  const splitAtLiterals = literalSplitter(literals, name);
  return {
    ...tokenizer,
    encode: (text) =>
      splitAtLiterals(text).flatMap((part) => (typeof part === 'number' ? [part] : tokenizer.encode(part))),
  };
}

/** The content of a tokenizer.json for byte-level BPE. */
function byteTokenizer(
  texts: readonly string[],
  kinds: readonly TokenKind[],
  merges: readonly string[],
  { patterns, ignoresMerges = false }: SplitRule,
): object {
  const bytes = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true };
  const added = { single_word: false, lstrip: false, rstrip: false, normalized: false };
  return {
    added_tokens: texts.flatMap((content, id) =>
      isLiteral(kinds[id]) ? [{ id, content, special: kinds[id] === 'control', ...added }] : [],
    ),
    normalizer: null,
    pre_tokenizer:
      patterns === null
        ? { ...bytes, use_regex: true }
        : {
            type: 'Sequence',
            pretokenizers: [
              ...patterns.map((Regex) => ({ type: 'Split', pattern: { Regex }, behavior: 'Isolated', invert: false })),
              { ...bytes, use_regex: false },
            ],
          },
    post_processor: null,
    decoder: { ...bytes, use_regex: true },
    model: {
      type: 'BPE',
      unk_token: null,
      ignore_merges: ignoresMerges,
      vocab: Object.fromEntries(texts.flatMap((text, id) => (isLiteral(kinds[id]) ? [] : [[text, id]]))),
      merges,
    },
  };
}

/** Returns a predicate: whether white space after a literal token is dropped. As in llama.cpp, only Phi-3 does so. */
function strippingOf(metadata: GgufMetadata): (text: string) => boolean {
  const name = metadata.get('general.name');
  const isPhi = typeof name === 'string' && /phi-?3/i.test(name);
  return (text) => isPhi && !['<unk>', '<s>', '<|endoftext|>'].includes(text);
}

/** Whether bos precedes every text: the default for SentencePiece and Llama 3. Throws ReadError. */
export function hasBeginningMark(metadata: GgufMetadata, name: string): boolean {
  const pre = metadata.get('tokenizer.ggml.pre');
  const isDefault =
    metadata.get('tokenizer.ggml.model') !== 'gpt2' || (typeof pre === 'string' && SPLITS[pre] === LLAMA3_RULE);
  if (flagOf(metadata, 'tokenizer.ggml.add_eos_token', false, name)) {
    throw new ReadError(
      `${name}, tokenizer.ggml.add_eos_token: found true, expected false: texts go on after a prompt`,
    );
  }
  return flagOf(metadata, 'tokenizer.ggml.add_bos_token', isDefault, name);
}

/** Returns a boolean of the metadata. Throws ReadError for any other value. */
function flagOf(metadata: GgufMetadata, key: string, byDefault: boolean, name: string): boolean {
  const value = metadata.get(key) ?? byDefault;
  if (typeof value === 'boolean') return value;
  throw new ReadError(`${name}, ${key}: found ${quotedValue(value)}, expected true or false`);
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** Returns a list of `length` elements of the metadata. Throws ReadError for any other value. */
function listOf<T>(
  metadata: GgufMetadata,
  key: string,
  length: number,
  isElement: (value: unknown) => value is T,
  name: string,
): readonly T[] {
  const list: unknown = metadata.get(key);
  if (Array.isArray(list) && list.length === length && list.every(isElement)) return list;
  throw new ReadError(`${name}, ${key}: found ${quotedValue(list)}, expected a list of ${length}`);
}
