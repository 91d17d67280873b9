// Tokenizers read from GGUF metadata: SentencePiece by scores (as in llama.cpp), byte pair encoding, and the bos
// token.

import { describe, expect, it } from 'vitest';
import { byteTokenizer, tinyConfig } from '../../test/decoders.ts';
import { scoredVocabulary } from '../../test/models/gguf.ts';
import type { GgufValue } from '../../../../src/io/tensors/gguf.ts';
import { scoreTokenizer, type TokenKind } from '../score-tokenizer.ts';
import { readGgufTokenizer, hasBeginningMark } from './gguf-tokenizer.ts';

const VOCABULARY = scoredVocabulary();
/** Token types of GGUF. */
const [NORMAL, CONTROL, USER_DEFINED, UNUSED, BYTE] = [1, 3, 4, 5, 6];
type Metadata = Readonly<Record<string, GgufValue>>;
/** Tokens that are added, with the type of each. */
type Types = Readonly<Record<string, number>>;
const TEXTS = ['the cat', ' the  cat\n', 'T\u00e9 \u65e5\u672c \ud83d\ude00!', 'cathe', ''];

describe('SentencePiece by scores', () => {
  const metadata = new Map<string, GgufValue>([
    ['tokenizer.ggml.model', 'llama'],
    ['tokenizer.ggml.tokens', VOCABULARY.map(({ text }) => text)],
    ['tokenizer.ggml.scores', VOCABULARY.map(({ score }) => score)],
    ['tokenizer.ggml.token_type', VOCABULARY.map((_, i) => (i < 3 ? CONTROL : i < 259 ? BYTE : NORMAL))],
  ]);
  const config = tinyConfig({ vocabulary: VOCABULARY.length });
  const id = (text: string): number => VOCABULARY.findIndex((token) => token.text === text);

  it('joins the pair with the highest score first, and falls back to bytes', () => {
    const tokens = readGgufTokenizer(metadata, config, 'x.gguf');
    // 'th' has the highest score, then 'the', then '\u2581the': 'ca' comes before 'at'.
    expect(tokens.encode('the cat')).toEqual([id('\u2581the'), id('\u2581cat')]);
    expect(tokens.encode('cathe')).toEqual([id('\u2581'), id('ca'), id('the')]);
    expect(tokens.encode('\u00e9')).toEqual([id('\u2581'), 3 + 0xc3, 3 + 0xa9]);
    for (const text of TEXTS) expect(tokens.decode(tokens.encode(text))).toBe(text);
    expect(tokens.piece(id('\u2581cat'))).toBe(' cat');
  });

  /** The tokenizer with more tokens, from id 293 on. */
  const withTokens = (more: Types, keys: Metadata = {}) => {
    const [changedMetadata, types] = [new Map(metadata), Object.values(more)];
    const added = { tokens: Object.keys(more), scores: types.map(() => 0), token_type: types };
    for (const [key, values] of Object.entries(added)) {
      const before = changedMetadata.get(`tokenizer.ggml.${key}`) as readonly (string | number)[];
      changedMetadata.set(`tokenizer.ggml.${key}`, [...before, ...values] as GgufValue);
    }
    for (const [key, value] of Object.entries(keys)) changedMetadata.set(key, value);
    return readGgufTokenizer(changedMetadata, tinyConfig({ vocabulary: VOCABULARY.length + types.length }), 'x.gguf');
  };
  /** Ids of '\u2581', 'a', 'b' and the first added token. The expected ids are those of llama.cpp. */
  const [SPACE, A, B, IM] = [259, 260, 261, 293];

  it('matches user-defined tokens before merges, with a space before each text between them', () => {
    const tokens = withTokens({ '<|im|>': USER_DEFINED });
    expect(tokens.encode('a<|im|>b')).toEqual([SPACE, A, IM, SPACE, B]);
    expect(tokens.encode('<|im|><|im|>')).toEqual([IM, IM]);
    expect(tokens.encode('<|im|> b')).toEqual([IM, SPACE, SPACE, B]);
    for (const text of ['a<|im|>b', '<|im|> b', ' a <|im|>  the cat']) {
      expect(tokens.decode(tokens.encode(text))).toBe(text);
      const stream = tokens.stream();
      expect(tokens.encode(text).map(stream.push).join('') + stream.end()).toBe(text);
    }
    expect(tokens.piece(IM)).toBe('<|im|>');
  });

  it('matches the longest token first, at any position', () => {
    const tokens = withTokens({ ab: USER_DEFINED, bcd: USER_DEFINED, '\u00e9\u00e9': USER_DEFINED });
    expect(tokens.encode('abcd')).toEqual([SPACE, A, 294]);
    expect(tokens.encode('ab\u00e9\u00e9')).toEqual([293, 295]);
  });

  it('matches control tokens and the unknown token in texts, and omits them from decoded texts', () => {
    const tokens = withTokens({ '<|im_end|>': NORMAL });
    // The last is a normal token by its type, and a control token by its text.
    expect(tokens.encode('<s>a</s><unk><|im_end|>')).toEqual([1, SPACE, A, 2, 0, 293]);
    expect(tokens.decode([1, SPACE, A, 2, 0, 293])).toBe('a');
  });

  it('merges to tokens of every type, and omits unused tokens from decoded texts', () => {
    const tokens = withTokens({ '\u2581b': UNUSED });
    expect([tokens.encode('a b'), tokens.decode([SPACE, A, 293])]).toEqual([[SPACE, A, 293], 'a']);
  });

  it('follows metadata: no space before a text, no white space after the tokens of Phi-3', () => {
    const im = { '<|im|>': USER_DEFINED };
    const bare = withTokens(im, { 'tokenizer.ggml.add_space_prefix': false });
    expect(bare.encode('a<|im|>b')).toEqual([A, IM, B]);
    expect([bare.encode(' a'), bare.decode([SPACE, A])]).toEqual([[SPACE, A], ' a']);
    const phi = withTokens(im, { 'general.name': 'Phi-3 Mini' });
    expect(phi.encode('a<|im|> \n b<s> a')).toEqual([SPACE, A, IM, SPACE, B, 1, SPACE, SPACE, A]);
  });

  it('rejects what llama.cpp rejects', () => {
    expect(() => withTokens({ the: NORMAL })).toThrow(
      "x.gguf: found 'the' a second time at 293, expected one token for a text",
    );
    expect(() => withTokens({}, { 'tokenizer.ggml.add_space_prefix': 0 })).toThrow(
      'x.gguf, tokenizer.ggml.add_space_prefix: found 0, expected true or false',
    );
  });

  it('is rejected if it loses characters, and if bytes are missing', () => {
    const upper = VOCABULARY.map((token) => ({ ...token, kind: 'normal' as const }));
    expect(() => scoreTokenizer(upper, 'x')).toThrow('x: found tokens for 0 bytes, expected 256');
    // The token of byte 0xf0 represents byte 0x41 a second time, so no token represents 0xf0.
    const kindOf = (i: number): TokenKind => (i < 3 ? 'control' : i < 259 ? 'byte' : 'normal');
    const swapped = VOCABULARY.map((token, i) => ({ ...token, kind: kindOf(i) }));
    swapped[3 + 0xf0] = { ...swapped[3 + 0xf0], text: '<0x41>' };
    expect(() => scoreTokenizer(swapped, 'x')).toThrow('x: found');
  });
});

describe('byte pairs of a GGUF file', () => {
  const file = byteTokenizer(
    ['t h', 'th e', '1 2', '12 3', '123 4'].map((pair) => pair.split(' ') as [string, string]),
  ) as { model: { vocab: Record<string, number>; merges: readonly (readonly string[])[] } };
  // Keys that are digits come first in an object.
  const texts = Object.entries(file.model.vocab)
    .toSorted(([, a], [, b]) => a - b)
    .map(([text]) => text);
  const config = tinyConfig({ vocabulary: texts.length });
  const metadata = (pre: string | null, more: Types = {}) =>
    new Map<string, GgufValue>([
      ['tokenizer.ggml.model', 'gpt2'],
      ...(pre === null ? [] : ([['tokenizer.ggml.pre', pre]] as const)),
      ['tokenizer.ggml.tokens', [...texts, ...Object.keys(more)]],
      ['tokenizer.ggml.token_type', [...texts.map((_, i) => (i < 2 ? CONTROL : NORMAL)), ...Object.values(more)]],
      ['tokenizer.ggml.merges', file.model.merges.map((pair) => pair.join(' '))],
    ]);
  /**
   * The ids: '<bos>' 0, '<eos>' 1, a byte 2 + its number ('a' 99), 'th' 258, 'the' 259, '12' 260, '123' 261, '1234' 262, then
   * those of `more` from 263 on.
   */
  const withTokens = (pre: string | null, more: Types = {}) => {
    const vocabulary = texts.length + Object.keys(more).length;
    return readGgufTokenizer(metadata(pre, more), tinyConfig({ vocabulary }), 'x.gguf');
  };
  const pieces = (pre: string, text: string): readonly string[] => {
    const tokens = readGgufTokenizer(metadata(pre), config, 'x.gguf');
    return tokens.encode(text).map((id) => tokens.piece(id));
  };

  it('splits numbers as GPT-2, Llama 3 and Qwen2 do', () => {
    expect(pieces('gpt-2', 'the1234')).toEqual(['the', '1234']);
    expect(pieces('llama-bpe', 'the1234')).toEqual(['the', '123', '4']);
    expect(pieces('qwen2', 'the1234')).toEqual(['the', '1', '2', '3', '4']);
  });

  it('applies four splits if the file names none', () => {
    for (const pre of [null, 'default']) expect(withTokens(pre).encode('a1234')).toEqual([99, 261, 54]);
    expect(withTokens('gpt-2').encode('a1234')).toEqual([99, 262]);
  });

  it('keeps a whole word that is a token, with the split of Llama 3', () => {
    const cat = { cat: NORMAL };
    expect(withTokens('llama-bpe', cat).encode('cat')).toEqual([263]);
    expect(withTokens('qwen2', cat).encode('cat')).toEqual([101, 99, 118]);
  });

  it('matches added tokens before merges, the longest first', () => {
    const tokens = withTokens('gpt-2', {
      '<|im|>': USER_DEFINED,
      ab: USER_DEFINED,
      bcd: USER_DEFINED,
      '<|im_end|>': NORMAL,
      '[PAD]': UNUSED,
    });
    expect(tokens.encode('a<|im|>b')).toEqual([99, 263, 100]);
    expect(tokens.encode('abcd')).toEqual([99, 265]);
    expect([tokens.encode('<bos>the<|im_end|>'), tokens.decode([0, 259, 266])]).toEqual([[0, 259, 266], 'the']);
    expect(tokens.encode('[PAD]')).toHaveLength(5);
    expect(tokens.decode(tokens.encode('a<|im|> b'))).toBe('a<|im|> b');
    expect(() => withTokens('gpt-2', { the: NORMAL })).toThrow(
      "x.gguf, tokenizer.ggml.tokens: found 'the' twice, expected one token for a text",
    );
  });

  it('rejects other splits and kinds by name', () => {
    expect(() => pieces('deepseek-llm', 'a')).toThrow(
      "x.gguf, tokenizer.ggml.pre: found 'deepseek-llm', expected llama-bpe",
    );
    const other = new Map(metadata('gpt-2')).set('tokenizer.ggml.model', 'bert');
    expect(() => readGgufTokenizer(other, config, 'x.gguf')).toThrow("found 'bert', expected llama or gpt2");
  });
});

describe('the beginning token (bos)', () => {
  const hasMark = (keys: Metadata): boolean => hasBeginningMark(new Map(Object.entries(keys)), 'x.gguf');

  it('is added with SentencePiece and Llama 3, unless the file specifies otherwise', () => {
    expect(hasMark({ 'tokenizer.ggml.model': 'llama' })).toBe(true);
    expect(hasMark({ 'tokenizer.ggml.model': 'gpt2' })).toBe(false);
    expect(hasMark({ 'tokenizer.ggml.model': 'gpt2', 'tokenizer.ggml.pre': 'llama-bpe' })).toBe(true);
    expect(hasMark({ 'tokenizer.ggml.model': 'gpt2', 'tokenizer.ggml.add_bos_token': true })).toBe(true);
    expect(hasMark({ 'tokenizer.ggml.model': 'llama', 'tokenizer.ggml.add_bos_token': false })).toBe(false);
  });

  it('has no counterpart at the end of a text', () => {
    expect(hasMark({ 'tokenizer.ggml.add_eos_token': false })).toBe(true);
    expect(() => hasMark({ 'tokenizer.ggml.add_eos_token': true })).toThrow(
      'x.gguf, tokenizer.ggml.add_eos_token: found true, expected false: texts go on after a prompt',
    );
  });
});
