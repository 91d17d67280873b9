// Reads a tokenizer.json (byte-pair encoding), with checks for everything that the library would run without bounds.

import { Tokenizer } from '@huggingface/tokenizers';
import { checkBound } from '../../../src/core/bounds/check.ts';
import { clip, quotedValue } from '../../../src/core/bounds/quote.ts';
import { ReadError } from '../../../src/core/errors.ts';
import type { DecoderConfig } from './decoder.ts';
import { KNOWN_PATTERNS } from './splits.ts';

/** The tokenizer of a model: text to token ids, and back. */
export interface ModelTokenizer {
  /** The ids of a text, without bos and eos. Throws ReadError for a character without a token. */
  encode(text: string): readonly number[];
  /**
   * The text of ids, without special tokens such as bos, and without ids of the model that have no token; invalid UTF-8
   * becomes U+FFFD. Throws RangeError for an id outside the model's vocabulary, as `piece` does.
   */
  decode(ids: readonly number[]): string;
  /**
   * A token for display: its text, a special token's name, `<0xE2>` for each byte of a partial character, or `<unused
   * ID>` without a token: a model's matrices may have more rows than its tokenizer has tokens.
   */
  piece(id: number): string;
  /** Decodes tokens one after the other. */
  stream(): TokenStream;
}

/**
 * Decodes a text token by token, in whole characters. The returned texts add up to the text of `ModelTokenizer.decode`.
 */
export interface TokenStream {
  /** The text that the token adds, including delayed text of earlier tokens; '' if it ends inside a character. */
  push(id: number): string;
  /** The text that is still delayed. */
  end(): string;
}

/** Maximum characters of a tokenizer.json: twice the largest vocabularies. */
const MAX_CHARACTERS = 2 ** 25;

/** Maximum characters of an added token; the library builds a tree of them. */
const LONGEST_ADDED = 1000;

/** Maximum literal tokens (added tokens in a tokenizer.json) and their characters: every text is searched for each. */
export const MAX_LITERAL_TOKENS = 10_000;
export const MAX_LITERAL_CHARACTERS = 250_000;

/** Maximum parts of a normalizer, a pre-tokenizer or a decoder, and their nesting depth. */
const MAX_PARTS = 16;
const MAX_NESTED = 4;

/** Maximum characters that a part inserts at once. */
const MAX_CONTENT = 16;

/** Maximum growth of a text through all parts, as a factor. */
const MAX_GROWTH = 16;

/**
 * The text that every tokenizer must restore: characters of one to four bytes, punctuation, numbers, spaces and lines.
 */
const PROBE = 'Once, Ben\'s cat said: "No!!!" ...?!  (It\'s 12,345.)\n\n\tna\u00efve \u2014 \u65e5\u672c \ud83d\ude00 ';

/** Maximum tokens of a character: each of its bytes may be a token. */
const MAX_PENDING = 4;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns the tokenizer in a tokenizer.json, with byte-pair encoding (BPE). `vocabulary`: the number of ids of the
 * model.
 *
 * Throws ReadError for another kind of tokenizer, for ids outside the vocabulary, for a part that
 * @huggingface/tokenizers does not run like the library in Rust, and if `PROBE` does not survive encoding and decoding.
 */
export function readTokenizer(
  text: string,
  { vocabulary }: Pick<DecoderConfig, 'vocabulary'>,
  name = 'tokenizer.json',
): ModelTokenizer {
  checkBound(name, text.length, MAX_CHARACTERS, 'characters', ReadError);
  const fields = parsed(text, name);
  checkModel(fields, vocabulary, name);
  for (const kind of ['normalizer', 'pre_tokenizer', 'decoder']) checkParts(fields[kind], `${name}, ${kind}`);
  checkSplits(fields.pre_tokenizer, name);
  const tokens = withReadErrors(name, () =>
    tokensOf(tokenizerOf(fields), vocabulary, isByteLevel(fields.decoder), name),
  );
  return checkedTokens(
    withReadErrors(name, () => roundTrip(tokens)),
    tokens,
    name,
  );
}

/** Checks a tokenizer from another kind of file. Throws ReadError if `PROBE` does not survive encoding and decoding. */
export function checkRoundTrip(tokens: ModelTokenizer, name: string): ModelTokenizer {
  return checkedTokens(roundTrip(tokens), tokens, name);
}

/** `tokens`, if `back`, the text that they made of PROBE, equals it. Throws ReadError otherwise. */
function checkedTokens(back: string, tokens: ModelTokenizer, name: string): ModelTokenizer {
  if (back === PROBE) return tokens;
  throw new ReadError(
    `${name}: found ${quotedValue(back)} for ${quotedValue(PROBE)}, expected a text to come back from its tokens`,
  );
}

/** PROBE encoded, and decoded again. */
function roundTrip(tokens: ModelTokenizer): string {
  const stream = tokens.stream();
  return tokens.encode(PROBE).map(stream.push).join('') + stream.end();
}

/** Parses the JSON object of a file. Throws ReadError. */
function parsed(text: string, name: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ReadError(`${name}: found ${quotedValue(text.trim())}, expected JSON`);
  }
  if (isFields(value)) return value;
  throw new ReadError(`${name}: found ${quotedValue(value)}, expected an object`);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Checks the vocabulary, merges and added tokens of a tokenizer.json. Throws ReadError. */
function checkModel({ model, added_tokens: added }: Fields, vocabulary: number, name: string): void {
  const {
    type,
    vocab,
    merges,
    end_of_word_suffix: end,
    continuing_subword_suffix: inside,
  } = isFields(model) ? model : {};
  // Older files do not name their type.
  if (type !== 'BPE' && type !== undefined)
    throw new ReadError(`${name}, model: found ${quotedValue(type)}, expected 'BPE'`);
  if (!isFields(vocab)) throw new ReadError(`${name}, model: found no vocab, expected an object of ids`);
  for (const suffix of [end, inside]) checkContent(suffix, `${name}, model`);
  const extra: readonly unknown[] = Array.isArray(added) ? added : [];
  checkBound(`${name}, added_tokens`, extra.length, MAX_LITERAL_TOKENS, 'tokens', ReadError);
  let characters = 0;
  const contents = new Set<string>();
  const ids = new Set<unknown>();
  const check = (token: unknown, id: unknown): void => {
    if (typeof id !== 'number' || !Number.isInteger(id) || id < 0 || id >= vocabulary) {
      throw new ReadError(
        `${name}: found id ${quotedValue(id)} for ${quotedValue(token)}, expected a whole number below the model's vocabulary of ${vocabulary}`,
      );
    }
  };
  for (const [token, id] of Object.entries(vocab)) {
    check(token, id);
    if (ids.has(id))
      throw new ReadError(`${name}: found id ${quotedValue(id)} a second time, expected one token for an id`);
    ids.add(id);
  }
  for (const token of extra) {
    const { content, id } = isFields(token) ? token : {};
    if (typeof content !== 'string' || content.length > LONGEST_ADDED) {
      throw new ReadError(
        `${name}, added_tokens: found ${quotedValue(content)}, expected a text of at most ${LONGEST_ADDED} characters`,
      );
    }
    check(content, id);
    contents.add(content);
    characters += content.length;
  }
  checkBound(`${name}, added_tokens`, characters, MAX_LITERAL_CHARACTERS, 'characters', ReadError);
  if (merges !== undefined) {
    checkMerges(merges, (token) => Object.hasOwn(vocab, token) || contents.has(token), `${name}, merges`);
  }
}

/** Throws ReadError if one of a pair, or its merged text, is no token: the library would drop its characters. */
function checkMerges(merges: unknown, isToken: (text: string) => boolean, where: string): void {
  if (!Array.isArray(merges)) throw new ReadError(`${where}: found ${quotedValue(merges)}, expected a list of pairs`);
  const pairs: readonly unknown[] = merges;
  // Pairs are written as two texts or as one text with a space, all of them in the same way.
  for (const [i, merge] of pairs.entries()) {
    const parts: readonly unknown[] =
      Array.isArray(merge) && Array.isArray(pairs[0]) ? merge : typeof merge === 'string' ? merge.split(' ') : [];
    const [first, second] = parts;
    if (
      parts.length !== 2 ||
      typeof first !== 'string' ||
      typeof second !== 'string' ||
      Array.isArray(pairs[0]) !== Array.isArray(merge)
    ) {
      throw new ReadError(
        `${where}: found ${quotedValue(merge)} at ${i}, expected two tokens, written like the first pair`,
      );
    }
    const missing = [first, second, first + second].find((text) => !isToken(text));
    if (missing === undefined) continue;
    throw new ReadError(`${where}: found ${quotedValue(missing)} in pair ${i}, expected a token of the vocabulary`);
  }
}

/** Fields of parts with texts that they may insert. */
const CONTENTS = [
  'content',
  'prepend',
  'replacement',
  'str_rep',
  'suffix',
  'prefix',
  'pad_token',
  'word_delimiter_token',
];

/** Parts that lengthen a text, with their maximum factor. */
const GROWTH: Readonly<Record<string, number>> = {
  ByteLevel: 3,
  BertNormalizer: 3,
  BPEDecoder: 2,
  CTC: 2,
  WordPiece: 2,
};

/**
 * Rejects everything that could run forever: unknown patterns, texts that grow with every part, too many parts.
 * @huggingface/tokenizers runs anything in a file, and cannot be interrupted.
 */
function checkParts(root: unknown, where: string): void {
  let growth = 1;
  let count = 0;
  const visit = (part: unknown, depth: number): void => {
    if (!isFields(part)) return;
    checkBound(where, ++count, MAX_PARTS, 'parts', ReadError);
    checkBound(where, depth, MAX_NESTED, 'parts inside each other', ReadError);
    const { type, pattern, length } = part;
    for (const key of CONTENTS) checkContent(part[key], where);
    if (isFields(pattern) && pattern.Regex !== undefined && !KNOWN_PATTERNS.has(pattern.Regex)) {
      throw new ReadError(
        `${where}: found the pattern ${quotedValue(pattern.Regex)}, expected one of GPT-2, Llama 3, Qwen2 or another known model`,
      );
    }
    if (type === 'FixedLength' && !(typeof length === 'number' && length >= 1)) {
      throw new ReadError(`${where}: found length ${quotedValue(length)}, expected at least 1`);
    }
    growth *= growthOf(part);
    if (growth > MAX_GROWTH) {
      throw new ReadError(
        `${where}: found parts that make a text more than ${MAX_GROWTH} times as long, expected at most that`,
      );
    }
    for (const inner of [part.normalizers, part.pretokenizers, part.decoders]) {
      if (Array.isArray(inner)) for (const innerPart of inner) visit(innerPart, depth + 1);
    }
  };
  visit(root, 1);
}

/** The maximum growth of a text through a part with checked contents, as a factor. */
function growthOf({ type, pattern, content, replacement, str_rep: written }: Fields): number {
  const lengthOf = (text: unknown): number => (typeof text === 'string' ? text.length : 0);
  if (type === 'Metaspace') return Math.max(1, lengthOf(replacement), lengthOf(written));
  if (type !== 'Replace') return GROWTH[String(type)] ?? 1;
  const matched = isFields(pattern) ? lengthOf(pattern.String) : 0;
  // An empty pattern matches between any two letters, which stay.
  return matched === 0 ? 1 + lengthOf(content) : Math.max(1, lengthOf(content) / matched);
}

/** Checks an optional text for its type and length. Throws ReadError. */
function checkContent(content: unknown, where: string): void {
  if (content === undefined || content === null) return;
  if (typeof content === 'string' && content.length <= MAX_CONTENT) return;
  throw new ReadError(`${where}: found ${quotedValue(content)}, expected a text of at most ${MAX_CONTENT} characters`);
}

/**
 * Rejects parts that @huggingface/tokenizers 0.2.0 does not run like the library in Rust: in JavaScript runs of
 * punctuation always stay together, and a split at a pattern isolates or removes the match.
 */
function checkSplits(part: unknown, name: string): void {
  if (!isFields(part)) return;
  const { type, behavior, pretokenizers } = part;
  const supported = type === 'Punctuation' ? ['Contiguous'] : ['Isolated', 'Removed'];
  const isSplit = type === 'Punctuation' || type === 'Split';
  if (isSplit && !supported.includes(typeof behavior === 'string' ? behavior : 'Isolated')) {
    throw new ReadError(
      `${name}, pre_tokenizer: found ${type} with behavior ${quotedValue(behavior)}, expected ${supported.join(' or ')}`,
    );
  }
  if (Array.isArray(pretokenizers)) for (const inner of pretokenizers) checkSplits(inner, name);
}

/** The tokenizer of the library, without the post-processor, which would add tokens to a text. */
function tokenizerOf(fields: Fields): Tokenizer {
  // The library expects parts that files may omit.
  const parts = { added_tokens: [], normalizer: null, pre_tokenizer: null, decoder: null, ...fields };
  return new Tokenizer({ ...parts, post_processor: null }, {});
}

/**
 * The result of `make`. Every error except ReadError comes from the library, which expects valid files, and becomes a
 * ReadError.
 */
function withReadErrors<T>(name: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof ReadError) throw error;
    const message = error instanceof Error ? error.message : '';
    // Some of the library's messages are not meant for users.
    const why = /^$|\bundefined\b|\[object /.test(message) ? '' : ` (${clip(message)})`;
    throw new ReadError(
      `${name}: found parts that do not make a tokenizer${why}, expected the parts of a tokenizer.json`,
    );
  }
}

/** Whether a decoder, or one of those it consists of, joins bytes to letters. */
function isByteLevel(decoder: unknown): boolean {
  if (!isFields(decoder)) return false;
  const { type, decoders } = decoder;
  return type === 'ByteLevel' || (Array.isArray(decoders) && decoders.some(isByteLevel));
}

/** The tokenizer of a model, made from that of the library; `hasBytes`: a token can be part of a letter. */
function tokensOf(tokenizer: Tokenizer, vocabulary: number, hasBytes: boolean, name: string): ModelTokenizer {
  const added = tokenizer.get_added_tokens_decoder();
  /** null: the model has this id, and the tokenizer has not */
  const tokenOf = (id: number): string | null => {
    const token = tokenizer.id_to_token(id);
    if (token !== undefined) return token;
    if (Number.isInteger(id) && id >= 0 && id < vocabulary) return null;
    throw new RangeError(`token ${id}: expected one of the vocabulary`);
  };
  const text = (ids: readonly number[], skipsSpecial: boolean): string => {
    const existing = ids.filter((id) => tokenOf(id) !== null);
    const options = { skip_special_tokens: skipsSpecial, clean_up_tokenization_spaces: false };
    return existing.length === 0 ? '' : tokenizer.decode(existing, options);
  };
  const decode = (ids: readonly number[]): string => text(ids, true);
  return {
    encode(input) {
      // The library's types promise ids, but a text without a token has none.
      const ids: readonly (number | undefined)[] = tokenizer.encode(input, { add_special_tokens: false }).ids;
      if (ids.every((id) => id !== undefined)) return ids;
      throw new ReadError(`${name}: found ${quotedValue(input)}, expected letters that its tokens have`);
    },
    decode,
    piece(id) {
      const token = tokenOf(id);
      if (token === null) return `<unused ${id}>`;
      if (added.has(id)) return token;
      if (!hasBytes) return token.replaceAll('\u2581', ' ');
      const decoded = text([id], false);
      return decoded.includes('\ufffd') ? Array.from(token, byteInHex).join('') : decoded;
    },
    stream: () => tokenStream(decode),
  };
}

/** A stream for any function that decodes ids. */
export function tokenStream(decode: (ids: readonly number[]) => string): TokenStream {
  // Some decoders treat the first token in a special way, so the last tokens are decoded again together with the next.
  let ids: readonly number[] = [];
  /** how many of `ids` have been returned as text */
  let returned = 0;
  const rest = (): string => {
    const text = decode(ids).slice(decode(ids.slice(0, returned)).length);
    ids = ids.slice(returned);
    returned = ids.length;
    return text;
  };
  return {
    push(id) {
      ids = [...ids, id];
      const isPart = ids.length - returned < MAX_PENDING && decode(ids).endsWith('\ufffd');
      return isPart ? '' : rest();
    },
    end: () => (returned < ids.length ? rest() : ''),
  };
}

/** The byte that a character of a byte-level token represents, as `<0xE2>`: unprintable bytes are U+0100 and on. */
function byteInHex(letter: string): string {
  const code = letter.charCodeAt(0);
  const byte = code < 0x100 ? code : UNSEEN_BYTES[code - 0x100];
  return `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`;
}

/** Unprintable bytes, for U+0100 and on. Source: bytes_to_unicode of GPT-2 (Radford et al. 2019, encoder.py). */
const UNSEEN_BYTES: readonly number[] = Array.from({ length: 256 }, (_, byte) => byte).filter(
  (byte) => byte < 0x21 || (byte > 0x7e && byte < 0xa1) || byte === 0xad,
);
