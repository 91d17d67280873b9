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
const TOKENIZER = readTokenizer(JSON.stringify(FILE), CONFIG);

const rejectionText = (changes: object): string =>
  rejectionOf(() => readTokenizer(JSON.stringify({ ...FILE, ...changes }), CONFIG));

describe('readTokenizer', () => {
  it('merges tokens in the order of the file', () => {
    // Ids: two special tokens, 256 bytes, then the four merged pairs, of which ' the' is the last.
    expect([TOKENIZER.encode('the the'), TOKENIZER.encode('')]).toEqual([[260, 261], []]);
    expect([TOKENIZER.decode([260, 261]), TOKENIZER.decode([])]).toEqual(['the the', '']);
  });

  it.each(golden.sentences)('restores %j from its tokens, whole and piece by piece', (text) => {
    const ids = TOKENIZER.encode(text);
    expect(TOKENIZER.decode(ids)).toBe(text);
    const stream = TOKENIZER.stream();
    const pieces = ids.map(stream.push);
    expect(pieces.join('') + stream.end()).toBe(text);
    expect(pieces.some((piece) => piece.includes('\ufffd'))).toBe(false);
  });

  it('streams whole characters', () => {
    const stream = TOKENIZER.stream();
    expect([TOKENIZER.encode('a\u20acb').map(stream.push), stream.end()]).toEqual([['a', '', '', '\u20ac', 'b'], '']);
    expect([stream.push(2 + 0xe2), stream.end(), stream.end()]).toEqual(['', '\ufffd', '']);
  });

  it('does not delay a stream of invalid UTF-8 forever', () => {
    const stream = TOKENIZER.stream();
    const ids = Array.from({ length: 9 }, () => 2 + 0xff);
    expect(ids.map(stream.push).join('') + stream.end()).toBe('\ufffd'.repeat(9));
  });

  it('omits special tokens from texts, and displays them by name', () => {
    expect(TOKENIZER.decode([0, 260, 1])).toBe('the');
    const pieces = [0, 1, 261, 2 + 0xe2, 2 + 0x0a, 2 + 0x41].map(TOKENIZER.piece);
    expect(pieces).toEqual(['<bos>', '<eos>', ' the', '<0xE2>', '\n', 'A']);
    expect(() => TOKENIZER.decode([300])).toThrow(new RangeError('token 300: expected one of the vocabulary'));
    for (const id of [-1, 300, 260.5]) expect(() => TOKENIZER.piece(id)).toThrow(RangeError);
  });

  it('omits tokens that only the model has from texts, and displays them by number', () => {
    // The model has 300 ids, and the file tokens for 262.
    expect([TOKENIZER.decode([299, 260, 262]), TOKENIZER.decode([299])]).toEqual(['the', '']);
    expect([261, 262, 299].map(TOKENIZER.piece)).toEqual([' the', '<unused 262>', '<unused 299>']);
    const stream = TOKENIZER.stream();
    expect([[2 + 0xe2, 299, 2 + 0x82, 2 + 0xac].map(stream.push), stream.end()]).toEqual([['', '', '', '\u20ac'], '']);
  });

  /** Changes of the file that make it invalid or unsupported. */
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

  /** Changes that are rejected before any text is encoded, since they could take too much time or memory. */
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

  /** Lists of merges that are rejected, since letters would be lost or their form is invalid. */
  const LOSSY = [
    [['l', 'l']],
    [['\u20ac', 'l']],
    [['a', 'b', 'c']],
    ['a b c'],
    [['t', 'h'], 't h'],
    ['t h', ['t', 'h']],
    't h',
  ];

  it('rejects an invalid file with one message', async () => {
    const output = [
      ...REJECTED.map((changes) => rejectionText(changes)),
      ...Object.entries(TOO_MUCH).map(([what, changes]) => `${what}\n  ${rejectionText(changes)}`),
      ...LOSSY.map((merges) => {
        const model = { ...(FILE.model as object), merges };
        return `merges ${JSON.stringify(merges)}\n  ${rejectionText({ model })}`;
      }),
    ];
    await expect(output.map((line) => `${line}\n`).join('')).toMatchFileSnapshot('words/tokens.txt');
  });

  it.each([...KNOWN_PATTERNS].map(String))('supports the known pattern %j', (pattern) => {
    const { pre_tokenizer: bytes } = FILE;
    const parts = [splitBy(pattern), { ...(bytes as object), use_regex: false }];
    expect(rejectionText({ pre_tokenizer: { type: 'Sequence', pretokenizers: parts } })).toBe('nothing was wrong');
  });

  it('rejects a file whose tokens do not restore the test text', () => {
    expect(rejectionText({ normalizer: { type: 'Lowercase' } })).toMatch(
      /^tokenizer\.json: found 'once, ben's .*' for 'Once, Ben's .*', expected a text to come back from its tokens$/,
    );
    expect(rejectionText({ model: { type: 'BPE', vocab: { a: 2 }, merges: [] } })).toMatch(
      /^tokenizer\.json: found 'aaa' for 'Once, Ben's .*', expected a text to come back from its tokens$/,
    );
    expect(rejectionText({ model: { type: 'BPE', vocab: { a: 2 }, merges: [], unk_token: 'a?' } })).toMatch(
      /^tokenizer\.json: found 'Once, Ben's .*', expected letters that its tokens have$/,
    );
  });

  it('rejects a file that is not JSON', () => {
    const wrong = (text: string): string => rejectionOf(() => readTokenizer(text, CONFIG));
    expect(wrong('<html>')).toBe("tokenizer.json: found '<html>', expected JSON");
    expect(wrong('[]')).toBe('tokenizer.json: found a list, expected an object');
  });
});
