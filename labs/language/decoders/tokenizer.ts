// Reads a tokenizer.json (byte-pair encoding), after the checks of tokenizer-checks.ts.

import { Tokenizer } from '@huggingface/tokenizers';
import { checkBound } from '../../../src/core/bounds/check.ts';
import { clip, quotedValue } from '../../../src/core/bounds/quote.ts';
import { ReadError } from '../../../src/core/errors.ts';
import type { DecoderConfig } from './decoder.ts';
import { checkModel, checkParts, checkSplits, type Fields, isFields } from './tokenizer-checks.ts';

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

/**
 * The text that every tokenizer must restore: characters of one to four bytes, punctuation, numbers, spaces and lines.
 */
const PROBE = 'Once, Ben\'s cat said: "No!!!" ...?!  (It\'s 12,345.)\n\n\tna\u00efve \u2014 \u65e5\u672c \ud83d\ude00 ';

/** Maximum tokens of a character: each of its bytes may be a token. */
const MAX_PENDING = 4;

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
  const fields = parseFields(text, name);
  checkModel(fields, vocabulary, name);
  for (const kind of ['normalizer', 'pre_tokenizer', 'decoder']) checkParts(fields[kind], `${name}, ${kind}`);
  checkSplits(fields.pre_tokenizer, name);
  const tokenizer = withReadErrors(name, () =>
    modelTokenizer(libraryTokenizer(fields), vocabulary, isByteLevel(fields.decoder), name),
  );
  const restored = withReadErrors(name, () => roundTrip(tokenizer));
  return checkRestored(restored, tokenizer, name);
}

/** Checks a tokenizer from another kind of file. Throws ReadError if `PROBE` does not survive encoding and decoding. */
export function checkRoundTrip(tokenizer: ModelTokenizer, name: string): ModelTokenizer {
  return checkRestored(roundTrip(tokenizer), tokenizer, name);
}

/** Returns `tokenizer` if `restored`, the result of `roundTrip`, equals PROBE. Throws ReadError otherwise. */
function checkRestored(restored: string, tokenizer: ModelTokenizer, name: string): ModelTokenizer {
  if (restored === PROBE) return tokenizer;
  throw new ReadError(
    `${name}: found ${quotedValue(restored)} for ${quotedValue(PROBE)}, expected a text to come back from its tokens`,
  );
}

/** PROBE encoded, and decoded again. */
function roundTrip(tokenizer: ModelTokenizer): string {
  const stream = tokenizer.stream();
  return tokenizer.encode(PROBE).map(stream.push).join('') + stream.end();
}

/** Parses the JSON object of a file. Throws ReadError. */
function parseFields(text: string, name: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ReadError(`${name}: found ${quotedValue(text.trim())}, expected JSON`);
  }
  if (isFields(value)) return value;
  throw new ReadError(`${name}: found ${quotedValue(value)}, expected an object`);
}

/** The tokenizer of the library, without the post-processor, which would add tokens to a text. */
function libraryTokenizer(fields: Fields): Tokenizer {
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

/** Whether a decoder, or one of those it consists of, joins bytes to characters. */
function isByteLevel(decoder: unknown): boolean {
  if (!isFields(decoder)) return false;
  const { type, decoders } = decoder;
  return type === 'ByteLevel' || (Array.isArray(decoders) && decoders.some(isByteLevel));
}

/** The tokenizer of a model that uses the library's; `hasBytes`: whether a token can be a part of a character. */
function modelTokenizer(tokenizer: Tokenizer, vocabulary: number, hasBytes: boolean, name: string): ModelTokenizer {
  const added = tokenizer.get_added_tokens_decoder();
  /** the token of an id; null: the model has this id, and the tokenizer does not */
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
  let returnedCount = 0;
  const rest = (): string => {
    const text = decode(ids).slice(decode(ids.slice(0, returnedCount)).length);
    ids = ids.slice(returnedCount);
    returnedCount = ids.length;
    return text;
  };
  return {
    push(id) {
      ids = [...ids, id];
      const isPart = ids.length - returnedCount < MAX_PENDING && decode(ids).endsWith('\ufffd');
      return isPart ? '' : rest();
    },
    end: () => (returnedCount < ids.length ? rest() : ''),
  };
}

/** The byte that a character of a byte-level token represents, as `<0xE2>`: unprintable bytes are U+0100 and on. */
function byteInHex(character: string): string {
  const code = character.charCodeAt(0);
  const byte = code < 0x100 ? code : UNSEEN_BYTES[code - 0x100];
  return `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`;
}

/** Unprintable bytes, for U+0100 and on. Source: bytes_to_unicode of GPT-2 (Radford et al. 2019, encoder.py). */
const UNSEEN_BYTES: readonly number[] = Array.from({ length: 256 }, (_, byte) => byte).filter(
  (byte) => byte < 0x21 || (byte > 0x7e && byte < 0xa1) || byte === 0xad,
);
