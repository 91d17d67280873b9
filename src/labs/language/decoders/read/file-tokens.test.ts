import { describe, expect, it } from 'vitest';
import { byteTokenizer, tinyConfig } from '../../../../../test/language/decoders.ts';
import { scoredVocabulary } from '../../../../../test/language/models/make.ts';
import type { GgufValue } from '../../../../io/tensors/gguf.ts';
import { scoreTokens, type TokenKind } from '../score-tokens.ts';
import { ggufTokens } from './file-tokens.ts';

const VOCABULARY = scoredVocabulary();
const BYTE_TYPE = 6;
const TEXTS = ['the cat', ' the  cat\n', 'T\u00e9 \u65e5\u672c \ud83d\ude00!', 'cathe', ''];

describe('SentencePiece by scores', () => {
  const metadata = new Map<string, GgufValue>([
    ['tokenizer.ggml.model', 'llama'],
    ['tokenizer.ggml.tokens', VOCABULARY.map(({ text }) => text)],
    ['tokenizer.ggml.scores', VOCABULARY.map(({ score }) => score)],
    ['tokenizer.ggml.token_type', VOCABULARY.map((_, i) => (i < 3 ? 3 : i < 259 ? BYTE_TYPE : 1))],
  ]);
  const config = tinyConfig({ vocabulary: VOCABULARY.length });
  const id = (text: string): number => VOCABULARY.findIndex((token) => token.text === text);

  it('joins the pair with the highest score first, and falls back to bytes', () => {
    const tokens = ggufTokens(metadata, config, 'x.gguf');
    // 'th' has the highest score, then 'the', then '\u2581the': 'ca' comes before 'at'.
    expect(tokens.encode('the cat')).toEqual([id('\u2581the'), id('\u2581cat')]);
    expect(tokens.encode('cathe')).toEqual([id('\u2581'), id('ca'), id('the')]);
    expect(tokens.encode('\u00e9')).toEqual([id('\u2581'), 3 + 0xc3, 3 + 0xa9]);
    for (const text of TEXTS) expect(tokens.decode(tokens.encode(text))).toBe(text);
    expect(tokens.piece(id('\u2581cat'))).toBe(' cat');
  });

  it('is refused where it loses letters, and where bytes are missing', () => {
    const upper = VOCABULARY.map((token) => ({ ...token, kind: 'normal' as const }));
    expect(() => scoreTokens(upper, 'x')).toThrow('x: found tokens for 0 bytes, expected 256');
    // A token that says it is 'e' and stands for another letter.
    const kindOf = (i: number): TokenKind => (i < 3 ? 'control' : i < 259 ? 'byte' : 'normal');
    const swapped = VOCABULARY.map((token, i) => ({ ...token, kind: kindOf(i) }));
    swapped[3 + 0xf0] = { ...swapped[3 + 0xf0], text: '<0x41>' };
    expect(() => scoreTokens(swapped, 'x')).toThrow('x: found');
  });
});

describe('byte pairs of a GGUF file', () => {
  const file = byteTokenizer([
    ['t', 'h'],
    ['th', 'e'],
    ['1', '2'],
    ['12', '3'],
    ['123', '4'],
  ]) as { model: { vocab: Record<string, number>; merges: readonly (readonly string[])[] } };
  // Keys that are digits come first in an object.
  const texts = Object.entries(file.model.vocab)
    .toSorted(([, a], [, b]) => a - b)
    .map(([text]) => text);
  const config = tinyConfig({ vocabulary: texts.length });
  const metadata = (pre: string) =>
    new Map<string, GgufValue>([
      ['tokenizer.ggml.model', 'gpt2'],
      ['tokenizer.ggml.pre', pre],
      ['tokenizer.ggml.tokens', texts],
      ['tokenizer.ggml.token_type', texts.map((_, i) => (i < 2 ? 3 : 1))],
      ['tokenizer.ggml.merges', file.model.merges.map((pair) => pair.join(' '))],
    ]);
  const pieces = (pre: string, text: string): readonly string[] => {
    const tokens = ggufTokens(metadata(pre), config, 'x.gguf');
    return tokens.encode(text).map((id) => tokens.piece(id));
  };

  it('splits numbers as GPT-2, Llama 3 and Qwen2 do', () => {
    expect(pieces('gpt-2', 'the1234')).toEqual(['the', '1234']);
    expect(pieces('llama-bpe', 'the1234')).toEqual(['the', '123', '4']);
    expect(pieces('qwen2', 'the1234')).toEqual(['the', '1', '2', '3', '4']);
  });

  it('refuses other splits and kinds by name', () => {
    expect(() => pieces('deepseek-llm', 'a')).toThrow(
      "x.gguf, tokenizer.ggml.pre: found 'deepseek-llm', expected llama-bpe",
    );
    const other = new Map(metadata('gpt-2')).set('tokenizer.ggml.model', 'bert');
    expect(() => ggufTokens(other, config, 'x.gguf')).toThrow("found 'bert', expected llama or gpt2");
  });
});
