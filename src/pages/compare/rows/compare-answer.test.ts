import { describe, expect, it } from 'vitest';
import { plainText } from '../../../../test/text-rules.ts';
import { defaultParams } from '../../../core/format.ts';
import { formats } from '../../../formats/catalog.ts';
import type { MatrixSummary } from '../../../engine/matrix/matrix-types.ts';
import type { FormatParams } from '../../../state/index.ts';
import { KNOWN_MODELS } from '../../../theory/models/known-models.ts';
import { REPORT } from '../../../../test/reports.ts';
import { compareAnswer, rankingText } from './compare-answer.ts';
import type { CompareRow } from './compare-row.ts';
import { storedVariantOf } from './stored-variants.ts';

const SHAPE = { rows: 512, cols: 512 };

function row(id: string, params: FormatParams, fields: Partial<CompareRow>): CompareRow {
  const format = formats.find((format) => format.id === id);
  if (!format) throw new Error(id);
  return {
    ...storedVariantOf(format, { ...defaultParams<FormatParams>(format.params), ...params }, SHAPE),
    state: 'known',
    bytes: null,
    isExpected: false,
    parts: null,
    why: null,
    needs: null,
    minNs: null,
    measuredNs: null,
    tokenNs: null,
    remedy: null,
    bestParams: null,
    job: null,
    figures: null,
    ...fields,
  };
}

const macko = row('macko', {}, { bytes: 199_352 });
const csr = row('csr', {}, { bytes: 316_624 });
const bitmask = row('bitmask', {}, { bytes: 192_106 });
const i4 = row('dense', { valueType: 'i4' }, { bytes: 147_456 });
const rejectedTwell = row('twell', {}, { state: 'refused' });
const rejectedBsr = row('bsr', {}, { state: 'refused' });
/** a format that has not been encoded yet */
const unencoded = row('ec-csr', {}, { state: 'open' });

type AnswerInput = Parameters<typeof compareAnswer>[0];

const BASE: AnswerInput = {
  level: 'matrix',
  rows: [],
  a: null,
  b: null,
  f16Bytes: 524_288,
  tokens: 1,
  summary: SHAPE as unknown as MatrixSummary,
  model: null,
  isMeasured: true,
};

/** Compare's answer as plain text; null if there is none. */
function answerText(changed: Partial<AnswerInput>): string | null {
  const words = compareAnswer({ ...BASE, ...changed });
  return words && plainText(words).replaceAll('\u202f', ' ');
}

/** Texts with their cases, one after another. */
const textOfAnswers = (answers: Readonly<Record<string, string | null>>): string =>
  Object.entries(answers)
    .map(([caseName, text]) => `${caseName}\n  ${String(text)}\n`)
    .join('');

it('the answer about a matrix has the bytes of A and B, and dense in 4 bits if that is smaller', async () => {
  const largeMacko = { ...macko, bytes: 73_400_000 };
  const smallMacko = { ...macko, bytes: 100_000 };
  const i8 = row('macko', { valueType: 'i8' }, { bytes: 122_480 });
  const otherRows = ['csr', 'ell', 'bsr', 'ec-csr', 'bitmask'].map((id, i) => row(id, {}, { bytes: 100_000 + i }));
  const waitingCsr: CompareRow = { ...csr, state: 'waiting', bytes: null };
  const answers = {
    'A and B': answerText({ rows: [macko, csr, bitmask, i4, rejectedTwell], a: macko, b: csr }),
    'A alone': answerText({ rows: [macko, csr, i4], a: macko }),
    'against dense in 4 bits': answerText({ rows: [macko, csr, bitmask, i4], a: csr, b: i4 }),
    'A is refused': answerText({ rows: [macko, csr, bitmask, rejectedTwell], a: rejectedTwell, b: csr }),
    'B is refused': answerText({ rows: [macko, rejectedTwell], a: macko, b: rejectedTwell }),
    'B has to be encoded': answerText({ rows: [macko, unencoded], a: macko, b: unencoded }),
    'both are refused': answerText({ rows: [rejectedTwell, rejectedBsr], a: rejectedTwell, b: rejectedBsr }),
    'A is refused, B has to be encoded': answerText({
      rows: [rejectedTwell, unencoded],
      a: rejectedTwell,
      b: unencoded,
    }),
    'an expected size': answerText({
      rows: [{ ...largeMacko, isExpected: true }],
      a: { ...largeMacko, isExpected: true },
    }),
    'bytes after megabytes': answerText({ rows: [largeMacko, i4], a: largeMacko }),
    'dense in 4 bits takes more': answerText({ rows: [smallMacko, i4], a: smallMacko }),
    'two of one format': answerText({ rows: [macko, i8], a: macko, b: i8 }),
    'among many': answerText({ rows: [macko, ...otherRows], a: macko }),
    'another one is waited for': answerText({ rows: [macko, waitingCsr], a: macko }),
    'A is waited for': answerText({ rows: [waitingCsr], a: waitingCsr }),
  };
  await expect(textOfAnswers(answers)).toMatchFileSnapshot('words/answers-of-a-matrix.txt');
});

it('the answer about a model compares measured times, whole tokens and bounds only with the same kind', async () => {
  const model = { shape: KNOWN_MODELS[3], isLayer: false, starts: null };
  const mixture = KNOWN_MODELS.find(({ name }) => name === 'Qwen3-30B-A3B') ?? model.shape;
  const starting = (count: number) => ({ ...model, starts: { count, ns: count * 1260 } });
  const a = { ...macko, bytes: 10.8e9, minNs: 1e9 / 469, measuredNs: 1e9 / 259 };
  const dense = row('dense', {}, { bytes: 16.1e9, minNs: 1e9 / 306, measuredNs: 1e9 / 240 });
  const boundI4 = { ...i4, bytes: 6e9, minNs: 1e9 / 922 };
  const answerWith = (changed: Partial<AnswerInput>) =>
    answerText({ level: 'model', model, f16Bytes: 16.1e9, rows: [a, dense, boundI4], a, b: dense, ...changed });
  const wholeA = { ...a, tokenNs: 1e9 / 203 };
  const wholeDense = { ...dense, tokenNs: 1e9 / 171 };
  const timedI4 = { ...boundI4, measuredNs: 2e6 };
  const boundMacko = { ...a, measuredNs: null };
  const untimedMacko = { ...boundMacko, minNs: null };
  const gain = { measured: { gain: 1.49, model: 'TwELL 1.5B' } } as NonNullable<CompareRow['gain']>;
  const answers = {
    'both were measured': answerWith({}),
    'A was measured': answerWith({ b: { ...dense, measuredNs: null } }),
    '4 bits were measured, too': answerWith({ rows: [a, dense, timedI4] }),
    'whole tokens of both': answerWith({ rows: [wholeA, wholeDense, boundI4], a: wholeA, b: wholeDense }),
    'matrices of 4 bits': answerWith({ rows: [wholeA, wholeDense, timedI4], a: wholeA, b: wholeDense }),
    'whole tokens of 4 bits': answerWith({ rows: [wholeA, { ...timedI4, tokenNs: 2.5e6 }], a: wholeA, b: wholeDense }),
    // Times of one's matrices cannot be compared with whole tokens of the other.
    'whole tokens of A': answerWith({ a: wholeA }),
    bounds: answerWith({ rows: [boundMacko, dense, boundI4], a: boundMacko }),
    'no speed, A alone': answerWith({ rows: [untimedMacko], a: untimedMacko, b: null }),
    'a prompt, not measured': answerWith({ tokens: 8, rows: [untimedMacko], a: untimedMacko }),
    'a prompt': answerWith({ tokens: 8 }),
    'a prompt in 4 bits, too': answerWith({ tokens: 8, rows: [a, dense, timedI4] }),
    'A has to be encoded': answerWith({ a: unencoded }),
    'B has to be encoded': answerWith({ b: unencoded }),
    'A is refused': answerWith({ a: rejectedTwell }),
    'A stores activations': answerWith({ a: { ...rejectedTwell, gain } }),
    'A stores activations of this model': answerWith({
      a: { ...rejectedTwell, gain: { measured: { ...gain.measured, model: model.shape.name } } as typeof gain },
    }),
    'B is refused': answerWith({ b: rejectedTwell, isMeasured: false }),
    // 424 × 1.26 µs are more than a quarter of 1e9 / 469 ns, 423 × 1.26 µs less.
    'bounds, and many starts': answerWith({
      rows: [boundMacko, boundI4],
      a: boundMacko,
      b: null,
      model: starting(424),
    }),
    'bounds, and a few': answerWith({ rows: [boundMacko, boundI4], a: boundMacko, b: null, model: starting(423) }),
    'many starts, measured': answerWith({ model: starting(424) }),
    'matrices of a mixture': answerWith({ rows: [a, dense, timedI4], model: { ...model, shape: mixture } }),
    'a layer': answerWith({ model: { ...model, isLayer: true }, a: boundMacko }),
  };
  await expect(textOfAnswers(answers)).toMatchFileSnapshot('words/answers-of-a-model.txt');
});

/** The row with a measured time and the report of its run. */
const withTime = (row: CompareRow, measuredNs: number): CompareRow => ({
  ...row,
  measuredNs,
  figures: {
    encodeMs: null,
    verification: null,
    isSound: null,
    measurement: { timedRow: { report: REPORT } } as never,
  },
});

describe('rankingText', () => {
  it('rankingText names the smallest and the fastest of the formats with values of as many bits as A', () => {
    const rows = [withTime(macko, 23_900), withTime(csr, 33_200), bitmask, withTime(i4, 16_700), rejectedTwell];
    const text = 'In 16 bits, smallest: bitmask, fastest: MACKO.';
    expect(rankingText({ level: 'matrix', rows, a: rows[0] })).toBe(text);
    expect(rankingText({ level: 'matrix', rows, a: rows[3] })).toBe('');
  });

  it('rankingText is empty for one row alone, before sizes are known, and for a model', () => {
    const rankingOf = (rows: readonly CompareRow[], level: AnswerInput['level'] = 'matrix'): string =>
      rankingText({ level, rows, a: rows[0] });
    expect(rankingOf([withTime(macko, 23_900), csr, bitmask])).toBe('In 16 bits, smallest: bitmask.');
    expect(rankingOf([macko])).toBe('');
    expect(rankingOf([macko, csr, { ...bitmask, state: 'waiting', bytes: null }])).toBe('');
    expect(rankingOf([macko, csr], 'model')).toBe('');
  });
});

it('the answer ends with dense in few bits if that is smaller than A, or the fastest of all', async () => {
  const [a, b] = [withTime(macko, 23_900), withTime(csr, 33_200)];
  const i8 = row('dense', { valueType: 'i8' }, { bytes: 270_000 });
  const answers = {
    'smaller and the fastest': answerText({ rows: [a, b, withTime(i4, 16_700)], a, b }),
    'smaller, not the fastest': answerText({ rows: [a, b, withTime(i4, 26_700)], a, b }),
    'larger, and the fastest': answerText({
      rows: [{ ...a, bytes: 9000 }, b, withTime(i4, 16_700)],
      a: { ...a, bytes: 9000 },
      b,
    }),
    'smaller, and in 8 bits the fastest': answerText({
      rows: [a, b, withTime(i4, 16_700), withTime(i8, 15_000)],
      a,
      b,
    }),
    'is B': answerText({ rows: [a, withTime(i4, 16_700)], a, b: withTime(i4, 16_700) }),
  };
  await expect(textOfAnswers(answers)).toMatchFileSnapshot('words/answers-with-dense.txt');
});
