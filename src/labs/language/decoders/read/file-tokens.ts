import { inWords } from '../../../../core/bounds/check.ts';
import { ReadError } from '../../../../core/errors.ts';
import type { DecoderConfig } from '../decoder.ts';
import { type ScoredToken, scoreTokens, type TokenKind } from '../score-tokens.ts';
import { LLAMA3, QWEN2 } from '../splits.ts';
import { readTokens, type Tokens } from '../tokens.ts';
import type { GgufMetadata } from './gguf-config.ts';

/** Patterns by llama.cpp's names. */
const SPLITS: Readonly<Record<string, string | null>> = {
  'llama-bpe': LLAMA3,
  'llama-v3': LLAMA3,
  llama3: LLAMA3,
  qwen2: QWEN2,
  // That of GPT-2 comes with the part for bytes.
  'gpt-2': null,
};

/** ggml's types of tokens. */
const CONTROL = 3;
const USER = 4;
const BYTE = 6;

/**
 * The tokenizer in the metadata of a GGUF file: byte pairs with the splits of GPT-2, Llama 3 or Qwen2, or SentencePiece by
 * scores. Throws ReadError with the key, found and expected, and as `readTokens` and `scoreTokens`.
 */
export function ggufTokens(metadata: GgufMetadata, config: DecoderConfig, name: string): Tokens {
  const model = metadata.get('tokenizer.ggml.model');
  const texts = listOf(metadata, 'tokenizer.ggml.tokens', config.vocabulary, isText, name);
  const kinds = metadata.has('tokenizer.ggml.token_type')
    ? listOf(metadata, 'tokenizer.ggml.token_type', config.vocabulary, isNumber, name)
    : texts.map(() => 1);
  if (model === 'llama') {
    const scores = listOf(metadata, 'tokenizer.ggml.scores', config.vocabulary, isNumber, name);
    const kindOf = (kind: number): TokenKind =>
      kind === BYTE ? 'byte' : kind === 1 || kind === USER ? 'normal' : 'control';
    return scoreTokens(
      texts.map((text, i): ScoredToken => ({ text, score: scores[i], kind: kindOf(kinds[i]) })),
      name,
    );
  }
  if (model !== 'gpt2') {
    throw new ReadError(`${name}, tokenizer.ggml.model: found ${inWords(model)}, expected llama or gpt2`);
  }
  const pre = metadata.get('tokenizer.ggml.pre') ?? 'gpt-2';
  if (typeof pre !== 'string' || !Object.hasOwn(SPLITS, pre)) {
    throw new ReadError(
      `${name}, tokenizer.ggml.pre: found ${inWords(pre)}, expected ${Object.keys(SPLITS).join(', ')}`,
    );
  }
  const merges = metadata.get('tokenizer.ggml.merges');
  if (!Array.isArray(merges) || !merges.every(isText)) {
    throw new ReadError(`${name}, tokenizer.ggml.merges: found ${inWords(merges)}, expected a list of pairs`);
  }
  return readTokens(JSON.stringify(byteTokenizer(texts, kinds, merges, SPLITS[pre])), config, name);
}

/** A tokenizer.json of byte pairs. */
function byteTokenizer(
  texts: readonly string[],
  kinds: readonly number[],
  merges: readonly string[],
  split: string | null,
): object {
  const bytes = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true };
  const isAdded = (i: number): boolean => kinds[i] === CONTROL || kinds[i] === USER;
  return {
    added_tokens: texts.flatMap((content, id) =>
      isAdded(id)
        ? [
            {
              id,
              content,
              special: kinds[id] === CONTROL,
              single_word: false,
              lstrip: false,
              rstrip: false,
              normalized: false,
            },
          ]
        : [],
    ),
    normalizer: null,
    pre_tokenizer:
      split === null
        ? { ...bytes, use_regex: true }
        : {
            type: 'Sequence',
            pretokenizers: [
              { type: 'Split', pattern: { Regex: split }, behavior: 'Isolated', invert: false },
              { ...bytes, use_regex: false },
            ],
          },
    post_processor: null,
    decoder: { ...bytes, use_regex: true },
    model: {
      type: 'BPE',
      unk_token: null,
      vocab: Object.fromEntries(texts.flatMap((text, id) => (isAdded(id) ? [] : [[text, id]]))),
      merges,
    },
  };
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

function listOf<T>(
  metadata: GgufMetadata,
  key: string,
  length: number,
  is: (value: unknown) => value is T,
  name: string,
): readonly T[] {
  const found: unknown = metadata.get(key);
  if (Array.isArray(found) && found.length === length && found.every(is)) return found;
  throw new ReadError(`${name}, ${key}: found ${inWords(found)}, expected a list of ${length}`);
}
