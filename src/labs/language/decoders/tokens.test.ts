import { describe, expect, it } from 'vitest';
import golden from '../../../../scripts/language/train-tales/golden-configs.json';
import { refusalOf } from '../../../../test/io/refusals.ts';
import { byteTokenizer } from '../../../../test/language/decoders.ts';
import { ReadError } from '../../../core/errors.ts';
import { KNOWN_PATTERNS } from './splits.ts';
import { readTokens } from './tokens.ts';

const CONFIG = { vocabulary: 300 };
const FILE = byteTokenizer([
  ['\u0120', 'a'],
  ['t', 'h'],
  ['th', 'e'],
  ['\u0120', 'the'],
]);
const TOKENS = readTokens(JSON.stringify(FILE), CONFIG);

const sentence = (changes: object): string =>
  refusalOf(() => readTokens(JSON.stringify({ ...FILE, ...changes }), CONFIG));

describe('tokens', () => {
  it('are merged in the order of the file', () => {
    // ' the' is the last of four pairs after the two marks and 256 bytes.
    expect(TOKENS.encode('the the')).toEqual([260, 261]);
    expect(TOKENS.encode('')).toEqual([]);
    expect(TOKENS.decode([260, 261])).toBe('the the');
    expect(TOKENS.decode([])).toBe('');
  });

  it.each(golden.sentences)('give back %j, whole and piece by piece', (text) => {
    const ids = TOKENS.encode(text);
    expect(TOKENS.decode(ids)).toBe(text);
    const stream = TOKENS.stream();
    const pieces = ids.map(stream.push);
    expect(pieces.join('') + stream.end()).toBe(text);
    expect(pieces.some((piece) => piece.includes('\ufffd'))).toBe(false);
  });

  it('come one letter at a time from a stream', () => {
    const stream = TOKENS.stream();
    expect(TOKENS.encode('a\u20acb').map(stream.push)).toEqual(['a', '', '', '\u20ac', 'b']);
    expect(stream.end()).toBe('');
    expect(stream.push(2 + 0xe2)).toBe('');
    expect(stream.end()).toBe('\ufffd');
    expect(stream.end()).toBe('');
  });

  it('that are no UTF-8 are not held back for ever', () => {
    const stream = TOKENS.stream();
    const ids = Array.from({ length: 9 }, () => 2 + 0xff);
    expect(ids.map(stream.push).join('') + stream.end()).toBe('\ufffd'.repeat(9));
  });

  it('leave special ones out of texts, and show them by name', () => {
    expect(TOKENS.decode([0, 260, 1])).toBe('the');
    expect([0, 1, 261, 2 + 0xe2, 2 + 0x0a, 2 + 0x41].map(TOKENS.piece)).toEqual([
      '<bos>',
      '<eos>',
      ' the',
      '<0xE2>',
      '\n',
      'A',
    ]);
    expect(() => TOKENS.decode([299])).toThrow(new RangeError('token 299: expected one of the vocabulary'));
    expect(() => TOKENS.piece(-1)).toThrow(RangeError);
  });

  const REFUSED = [
    { model: { type: 'Unigram', vocab: [] } },
    { model: null },
    { model: { type: 'BPE', vocab: { a: 300 }, merges: [] } },
    { model: { type: 'BPE', vocab: { a: 2, b: 2 }, merges: [] } },
    { added_tokens: [{ id: 400, content: '<pad>' }] },
    { added_tokens: [{ id: 2, content: 'x'.repeat(1001) }] },
    { decoder: { type: 'Sequence', decoders: [null] } },
    { pre_tokenizer: { type: 'Sequence', pretokenizers: [{ type: 'Punctuation', behavior: 'Isolated' }] } },
    { pre_tokenizer: { type: 'Split', pattern: { String: ' ' }, behavior: 'MergedWithNext' } },
    { pre_tokenizer: { type: 'Unheard' } },
    { pre_tokenizer: {} },
  ];

  it('are refused with one sentence', async () => {
    await expect(REFUSED.map((changes) => `${sentence(changes)}\n`).join('')).toMatchFileSnapshot('words/tokens.txt');
  });

  const replace = { type: 'Replace', pattern: { String: 'x' }, content: 'xx' };
  const nested = (depth: number): object =>
    depth === 0 ? { type: 'Digits' } : { type: 'Sequence', pretokenizers: [nested(depth - 1)] };
  const splitBy = (pattern: string): object => ({ type: 'Split', pattern: { Regex: pattern }, behavior: 'Isolated' });

  it.each([
    [
      'a pattern that is not known, wherever it is',
      { pre_tokenizer: { type: 'Sequence', pretokenizers: [splitBy('(a|a)+$')] } },
      "pre_tokenizer: found the pattern '(a|a)+$', expected one of GPT-2, Llama 3, Qwen2 or another known model",
    ],
    [
      'a pattern of a normalizer',
      { normalizer: { ...replace, pattern: { Regex: '(.*)*x' } } },
      "normalizer: found the pattern '(.*)*x', expected one of GPT-2, Llama 3, Qwen2 or another known model",
    ],
    [
      'normalizers that double a text each',
      { normalizer: { type: 'Sequence', normalizers: Array.from({ length: 5 }, () => replace) } },
      'normalizer: found parts that make a text more than 16 times as long, expected at most that',
    ],
    [
      'too many parts',
      { decoder: { type: 'Sequence', decoders: Array.from({ length: 16 }, () => ({ type: 'Fuse' })) } },
      'decoder: found 17 parts, expected at most 16',
    ],
    [
      'parts that are nested too deep',
      { pre_tokenizer: nested(4) },
      'pre_tokenizer: found 5 parts inside each other, expected at most 4',
    ],
    [
      'a long text that is put before every other',
      { normalizer: { type: 'Prepend', prepend: 'x'.repeat(17) } },
      "normalizer: found 'xxxxxxxxxxxxxxxxx', expected a text of at most 16 characters",
    ],
    [
      'pieces of no length',
      { pre_tokenizer: { type: 'FixedLength', length: 0 } },
      'pre_tokenizer: found length 0, expected at least 1',
    ],
    [
      'too many added tokens',
      { added_tokens: Array.from({ length: 10_001 }, () => ({ id: 0, content: '<pad>' })) },
      'added_tokens: found 10\u202f001 tokens, expected at most 10\u202f000',
    ],
    [
      'added tokens with too many characters',
      { added_tokens: Array.from({ length: 251 }, () => ({ id: 0, content: 'x'.repeat(1000) })) },
      'added_tokens: found 251\u202f000 characters, expected at most 250\u202f000',
    ],
  ])('refuse %s, before any text is read', (_, changes, message) => {
    expect(sentence(changes)).toBe(`tokenizer.json, ${message}`);
  });

  it.each([
    [[['l', 'l']], "found 'll' in pair 0, expected a token of the vocabulary"],
    [[['\u20ac', 'l']], "found '\u20ac' in pair 0, expected a token of the vocabulary"],
    [[['a', 'b', 'c']], 'found a list at 0, expected two tokens, written like the first pair'],
    [['a b c'], "found 'a b c' at 0, expected two tokens, written like the first pair"],
    [[['t', 'h'], 't h'], "found 't h' at 1, expected two tokens, written like the first pair"],
    [['t h', ['t', 'h']], 'found a list at 1, expected two tokens, written like the first pair'],
    ['t h', "found 't h', expected a list of pairs"],
  ])('refuse merges %j, which would lose letters', (merges, message) => {
    expect(sentence({ model: { ...(FILE.model as object), merges } })).toBe(`tokenizer.json, merges: ${message}`);
  });

  it.each([...KNOWN_PATTERNS].map(String))('are read with the known pattern %j', (pattern) => {
    const { pre_tokenizer: bytes } = FILE;
    const parts = [splitBy(pattern), { ...(bytes as object), use_regex: false }];
    expect(sentence({ pre_tokenizer: { type: 'Sequence', pretokenizers: parts } })).toBe('nothing was wrong');
  });

  it('refuse what does not come back as it was', () => {
    expect(sentence({ normalizer: { type: 'Lowercase' } })).toMatch(
      /^tokenizer\.json: found 'once, ben's .*' for 'Once, Ben's .*', expected a text to come back from its tokens$/,
    );
    expect(sentence({ model: { type: 'BPE', vocab: { a: 2 }, merges: [] } })).toMatch(
      /^tokenizer\.json: found 'aaa' for 'Once, Ben's .*', expected a text to come back from its tokens$/,
    );
    expect(sentence({ model: { type: 'BPE', vocab: { a: 2 }, merges: [], unk_token: 'a?' } })).toMatch(
      /^tokenizer\.json: found 'Once, Ben's .*', expected letters that its tokens have$/,
    );
  });

  it('refuse what is no JSON', () => {
    expect(() => readTokens('<html>', CONFIG)).toThrow(new ReadError("tokenizer.json: found '<html>', expected JSON"));
    expect(() => readTokens('[]', CONFIG)).toThrow(new ReadError('tokenizer.json: found a list, expected an object'));
  });
});
