// Checks a tokenizer.json for everything that @huggingface/tokenizers would run without bounds, or not like the library in
// Rust. All of them throw ReadError.

import { checkBound } from '../../../src/core/bounds/check.ts';
import { quotedValue } from '../../../src/core/bounds/quote.ts';
import { ReadError } from '../../../src/core/errors.ts';
import { KNOWN_PATTERNS } from './splits.ts';

/** Maximum characters of an added token; the library builds a tree of them. */
const MAX_ADDED_LENGTH = 1000;

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

/** An object of a JSON file. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Checks the vocabulary, merges and added tokens of a tokenizer.json. Throws ReadError. */
export function checkModel({ model, added_tokens: added }: Fields, vocabulary: number, name: string): void {
  const {
    type,
    vocab,
    merges,
    end_of_word_suffix: endOfWord,
    continuing_subword_suffix: continuingSubword,
  } = isFields(model) ? model : {};
  // Older files do not name their type.
  if (type !== 'BPE' && type !== undefined)
    throw new ReadError(`${name}, model: found ${quotedValue(type)}, expected 'BPE'`);
  if (!isFields(vocab)) throw new ReadError(`${name}, model: found no vocab, expected an object of ids`);
  for (const suffix of [endOfWord, continuingSubword]) checkContent(suffix, `${name}, model`);
  const addedTokens: readonly unknown[] = Array.isArray(added) ? added : [];
  checkBound(`${name}, added_tokens`, addedTokens.length, MAX_LITERAL_TOKENS, 'tokens', ReadError);
  let addedCharacters = 0;
  const addedTexts = new Set<string>();
  const ids = new Set<unknown>();
  const checkId = (token: unknown, id: unknown): void => {
    if (typeof id !== 'number' || !Number.isInteger(id) || id < 0 || id >= vocabulary) {
      throw new ReadError(
        `${name}: found id ${quotedValue(id)} for ${quotedValue(token)}, expected a whole number below the model's vocabulary of ${vocabulary}`,
      );
    }
  };
  for (const [token, id] of Object.entries(vocab)) {
    checkId(token, id);
    if (ids.has(id))
      throw new ReadError(`${name}: found id ${quotedValue(id)} a second time, expected one token for an id`);
    ids.add(id);
  }
  for (const token of addedTokens) {
    const { content, id } = isFields(token) ? token : {};
    if (typeof content !== 'string' || content.length > MAX_ADDED_LENGTH) {
      throw new ReadError(
        `${name}, added_tokens: found ${quotedValue(content)}, expected a text of at most ${MAX_ADDED_LENGTH} characters`,
      );
    }
    checkId(content, id);
    addedTexts.add(content);
    addedCharacters += content.length;
  }
  checkBound(`${name}, added_tokens`, addedCharacters, MAX_LITERAL_CHARACTERS, 'characters', ReadError);
  if (merges !== undefined) {
    checkMerges(merges, (token) => Object.hasOwn(vocab, token) || addedTexts.has(token), `${name}, merges`);
  }
}

/** Throws ReadError if a token of a pair, or the merged text, is no token: the library would drop its characters. */
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
export function checkParts(root: unknown, where: string): void {
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
function growthOf({ type, pattern, content, replacement, str_rep: inserted }: Fields): number {
  const lengthOf = (text: unknown): number => (typeof text === 'string' ? text.length : 0);
  if (type === 'Metaspace') return Math.max(1, lengthOf(replacement), lengthOf(inserted));
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
export function checkSplits(part: unknown, name: string): void {
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
