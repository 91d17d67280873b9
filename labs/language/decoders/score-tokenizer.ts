// The tokenizer of files whose tokens have scores: neighbours that form the token with the highest score merge first.

import { quotedValue } from '../../../src/core/bounds/quote.ts';
import { ReadError } from '../../../src/core/errors.ts';
import { type LiteralToken, literalSplitter } from './literal-tokens.ts';
import { mergedNeighbours } from './merged-neighbours.ts';
import { type ModelTokenizer, checkRoundTrip, tokenStream } from './tokenizer.ts';

/**
 * The kind of a token. Control tokens, such as the end of a text, and user-defined tokens are matched literally;
 * control and unused tokens decode to nothing. A 'byte' token is one byte of a character that has no token.
 */
export type TokenKind = 'normal' | 'control' | 'user' | 'unused' | 'byte';

/** A token of a SentencePiece vocabulary. The neighbours whose merged token has the highest score are merged first. */
export interface ScoredToken {
  /** with U+2581 for a space; '<0x0A>' for a byte */
  readonly text: string;
  readonly score: number;
  readonly kind: TokenKind;
}

const SPACE = '\u2581';
const BYTE = /^<0x([0-9A-F]{2})>$/;

/** Maximum characters of a text: a prompt, not a book. */
const MAX_CHARACTERS = 2 ** 20;

/** Maximum UTF-16 code units of a token that is merged from two tokens. */
const MAX_TOKEN_LENGTH = 1024;

/** Settings of `scoreTokenizer`. */
interface ScoreOptions {
  /** whether a space is put before a text, and after every literal token */
  readonly addsSpace?: boolean;
  /** whether white space after a literal token is omitted */
  readonly strips?: (text: string) => boolean;
}

/**
 * A tokenizer that does byte-pair encoding by scores, with bytes for text without a token, as SentencePiece and
 * llama.cpp do. Literal tokens are matched first; a space is put before every text between them; then the neighbours
 * that form the token with the highest score are merged, from the left among equals, until none form a token.
 *
 * Throws ReadError if not all 256 bytes have tokens, if two tokens have the same text, and if encoding and decoding
 * changes a sample text with all kinds of letters.
 */
export function scoreTokenizer(
  vocabulary: readonly ScoredToken[],
  name: string,
  { addsSpace = true, strips = () => false }: ScoreOptions = {},
): ModelTokenizer {
  // `ids`: by text; `bytes`: the id of each byte's token; `byteOf`: the reverse of `bytes`.
  const ids = new Map<string, number>();
  const bytes = new Map<number, number>();
  const byteOf = new Map<number, number>();
  const literals: LiteralToken[] = [];
  for (const [id, { text, kind }] of vocabulary.entries()) {
    const byte = kind === 'byte' ? BYTE.exec(text)?.[1] : undefined;
    if (byte !== undefined) {
      bytes.set(Number.parseInt(byte, 16), id);
      byteOf.set(id, Number.parseInt(byte, 16));
    }
    if (isLiteral(kind)) literals.push({ id, text, strips: strips(text) });
    if (ids.has(text) && text !== '') {
      throw new ReadError(`${name}: found ${quotedValue(text)} a second time at ${id}, expected one token for a text`);
    }
    ids.set(text, id);
  }
  if (bytes.size !== 256) {
    throw new ReadError(`${name}: found tokens for ${bytes.size} bytes, expected 256, for letters that no token has`);
  }
  const splitAtLiterals = literalSplitter(literals, name);
  const encoder = new TextEncoder();
  const tokenOf = (id: number): ScoredToken => {
    const token = vocabulary[id] as ScoredToken | undefined;
    if (token) return token;
    throw new RangeError(`token ${id}: expected one of the vocabulary`);
  };

  /** The ids of a text between literal tokens: merged neighbours, and bytes for what has no token. */
  const encodedPart = (text: string): readonly number[] => {
    const letters = Array.from((addsSpace ? SPACE : '') + text.replaceAll(' ', SPACE));
    return mergedNeighbours(letters, (pair) => {
      const id = pair.length <= MAX_TOKEN_LENGTH ? ids.get(pair) : undefined;
      return id === undefined ? null : vocabulary[id].score;
    }).flatMap((piece) => {
      const id = ids.get(piece);
      return id === undefined ? Array.from(encoder.encode(piece), (byte) => bytes.get(byte) ?? 0) : [id];
    });
  };

  const encode = (text: string): readonly number[] => {
    if (text.length > MAX_CHARACTERS) {
      throw new ReadError(`${name}: found a text of ${text.length} characters, expected at most ${MAX_CHARACTERS}`);
    }
    return splitAtLiterals(text.toWellFormed()).flatMap((part) =>
      typeof part === 'number' ? [part] : encodedPart(part),
    );
  };

  const decode = (tokenIds: readonly number[]): string => {
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    let decoded = '';
    const append = (part: Uint8Array): void => {
      decoded += decoder.decode(part, { stream: true });
    };
    // Whether the next normal token begins with a space that `encode` added: at the beginning, and after a literal.
    let hasAddedSpace = addsSpace;
    for (const id of tokenIds) {
      const { text, kind } = tokenOf(id);
      const byte = byteOf.get(id);
      const begin = hasAddedSpace && kind === 'normal' && text.startsWith(SPACE) ? 1 : 0;
      if (byte !== undefined) append(Uint8Array.of(byte));
      else if (kind === 'normal') append(encoder.encode(text.slice(begin).replaceAll(SPACE, ' ')));
      else if (kind === 'user') append(encoder.encode(text));
      hasAddedSpace = addsSpace && isLiteral(kind);
    }
    return decoded + decoder.decode();
  };

  const tokenizer: ModelTokenizer = {
    encode,
    decode,
    piece(id) {
      const { text, kind } = tokenOf(id);
      return kind === 'user' ? text : text.replaceAll(SPACE, ' ');
    },
    stream: () => tokenStream(decode),
  };
  return checkRoundTrip(tokenizer, name);
}

/** Whether tokens of a kind are matched literally. */
export function isLiteral(kind: TokenKind): boolean {
  return kind === 'control' || kind === 'user';
}
