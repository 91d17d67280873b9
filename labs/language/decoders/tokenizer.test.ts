// readTokenizer: byte pair encoding from a tokenizer.json.

import { describe, expect, it } from 'vitest';
import golden from '../scripts/train-tales/golden-configs.json';
import { rejectionOf } from '../../../test/io/rejections.ts';
import { byteTokenizer } from '../test/decoders.ts';
import { KNOWN_PATTERNS } from './splits.ts';
import { readTokenizer } from './tokenizer.ts';

const CONFIG = { vocabulary: 300 };
const FILE = byteTokenizer(
  ['\u0120 a', 't h', 'th e', '\u0120 the'].map((pair) => pair.split(' ') as [string, string]),
);
const TOKENS = readTokenizer(JSON.stringify(FILE), CONFIG);

const sentence = (changes: object): string =>
  rejectionOf(() => readTokenizer(JSON.stringify({ ...FILE, ...changes }), CONFIG));

describe('tokens of a tokenizer.json', () => {
  it('are merged in the order of the file', () => {
    // ' the' is the last of four pairs after the two marks and 256 bytes.
    expect([TOKENS.encode('the the'), TOKENS.encode('')]).toEqual([[260, 261], []]);
    expect([TOKENS.decode([260, 261]), TOKENS.decode([])]).toEqual(['the the', '']);
  });

  it.each(golden.sentences)('return %j, whole and piece by piece', (text) => {
    const ids = TOKENS.encode(text);
    expect(TOKENS.decode(ids)).toBe(text);
    const stream = TOKENS.stream();
    const pieces = ids.map(stream.push);
    expect(pieces.join('') + stream.end()).toBe(text);
    expect(pieces.some((piece) => piece.includes('\ufffd'))).toBe(false);
  });

  it('are returned by a stream in whole characters', () => {
    const stream = TOKENS.stream();
    expect([TOKENS.encode('a\u20acb').map(stream.push), stream.end()]).toEqual([['a', '', '', '\u20ac', 'b'], '']);
    expect([stream.push(2 + 0xe2), stream.end(), stream.end()]).toEqual(['', '\ufffd', '']);
  });

  it('with invalid UTF-8 are not delayed forever by a stream', () => {
    const stream = TOKENS.stream();
    const ids = Array.from({ length: 9 }, () => 2 + 0xff);
    expect(ids.map(stream.push).join('') + stream.end()).toBe('\ufffd'.repeat(9));
  });

  it('with a special meaning are omitted from texts, and displayed by name', () => {
    expect(TOKENS.decode([0, 260, 1])).toBe('the');
    const pieces = [0, 1, 261, 2 + 0xe2, 2 + 0x0a, 2 + 0x41].map(TOKENS.piece);
    expect(pieces).toEqual(['<bos>', '<eos>', ' the', '<0xE2>', '\n', 'A']);
    expect(() => TOKENS.decode([300])).toThrow(new RangeError('token 300: expected one of the vocabulary'));
    for (const id of [-1, 300, 260.5]) expect(() => TOKENS.piece(id)).toThrow(RangeError);
  });

  it('that only the model has are omitted from texts, and displayed by number', () => {
    // The model has 300 ids, and the file tokens for 262.
    expect([TOKENS.decode([299, 260, 262]), TOKENS.decode([299])]).toEqual(['the', '']);
    expect([261, 262, 299].map(TOKENS.piece)).toEqual([' the', '<unused 262>', '<unused 299>']);
    const stream = TOKENS.stream();
    expect([[2 + 0xe2, 299, 2 + 0x82, 2 + 0xac].map(stream.push), stream.end()]).toEqual([['', '', '', '\u20ac'], '']);
  });

  const REJECTED = [
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

  const replace = { type: 'Replace', pattern: { String: 'x' }, content: 'xx' };
  const nested = (depth: number): object =>
    depth === 0 ? { type: 'Digits' } : { type: 'Sequence', pretokenizers: [nested(depth - 1)] };
  const splitBy = (pattern: string): object => ({ type: 'Split', pattern: { Regex: pattern }, behavior: 'Isolated' });

  const sequence = (of: string, parts: readonly object[]) => ({ type: 'Sequence', [of]: parts });
  const many = <T>(length: number, part: T): T[] => Array.from({ length }, () => part);

  /** Before any text is read. */
  const TOO_MUCH = {
    'a pattern that is not known, wherever it is': { pre_tokenizer: sequence('pretokenizers', [splitBy('(a|a)+$')]) },
    'a pattern of a normalizer': { normalizer: { ...replace, pattern: { Regex: '(.*)*x' } } },
    'normalizers that double a text each': { normalizer: sequence('normalizers', many(5, replace)) },
    'too many parts': { decoder: sequence('decoders', many(16, { type: 'Fuse' })) },
    'parts that are nested too deep': { pre_tokenizer: nested(4) },
    'a long text that is put before every other': { normalizer: { type: 'Prepend', prepend: 'x'.repeat(17) } },
    'pieces of no length': { pre_tokenizer: { type: 'FixedLength', length: 0 } },
    'too many added tokens': { added_tokens: many(10_001, { id: 0, content: '<pad>' }) },
    'added tokens with too many characters': { added_tokens: many(251, { id: 0, content: 'x'.repeat(1000) }) },
  };

  /** Merges that would lose letters. */
  const LOSSY = [
    [['l', 'l']],
    [['\u20ac', 'l']],
    [['a', 'b', 'c']],
    ['a b c'],
    [['t', 'h'], 't h'],
    ['t h', ['t', 'h']],
    't h',
  ];

  it('are rejected with one message if the file is invalid', async () => {
    const output = [
      ...REJECTED.map((changes) => sentence(changes)),
      ...Object.entries(TOO_MUCH).map(([what, changes]) => `${what}\n  ${sentence(changes)}`),
      ...LOSSY.map((merges) => {
        const model = { ...(FILE.model as object), merges };
        return `merges ${JSON.stringify(merges)}\n  ${sentence({ model })}`;
      }),
    ];
    await expect(output.map((line) => `${line}\n`).join('')).toMatchFileSnapshot('words/tokens.txt');
  });

  it.each([...KNOWN_PATTERNS].map(String))('are read with the known pattern %j', (pattern) => {
    const { pre_tokenizer: bytes } = FILE;
    const parts = [splitBy(pattern), { ...(bytes as object), use_regex: false }];
    expect(sentence({ pre_tokenizer: { type: 'Sequence', pretokenizers: parts } })).toBe('nothing was wrong');
  });

  it('are rejected if they do not restore the test text', () => {
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

  it('are rejected if the file is not JSON', () => {
    const wrong = (text: string): string => rejectionOf(() => readTokenizer(text, CONFIG));
    expect(wrong('<html>')).toBe("tokenizer.json: found '<html>', expected JSON");
    expect(wrong('[]')).toBe('tokenizer.json: found a list, expected an object');
  });
});
