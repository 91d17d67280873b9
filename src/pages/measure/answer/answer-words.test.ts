import { expect, it } from 'vitest';
import { plainText } from '../../../../test/text-rules.ts';
import type { Speed } from '../../../kit/words/speed-of.ts';
import { type AnswerFacts, answerWords, type SideTime } from './answer-words.ts';

const side = (name: string, ns: number | null, more: Partial<SideTime> = {}): SideTime => ({
  name,
  ns,
  bound: null,
  reason: null,
  cannotStore: false,
  isSimple: false,
  ...more,
});

/** A speed whose rounds have this ratio and spread, by default none, and whose two times have the ratio `ofTimes`. */
const speedOf = (ofRounds: number, ofTimes: number, p10 = ofRounds, p90 = ofRounds): Speed => ({
  ratio: ofTimes,
  rounds: { ratio: ofRounds, p10, p90 },
});

/** A lower bound that is the time of an empty dispatch: no kernel is faster. */
const LAUNCH: Partial<SideTime> = { bound: { ns: 1250, cause: 'dispatch' } };

const FACTS: AnswerFacts = {
  a: side('MACKO', 23_900),
  b: side('dense f16', 30_100),
  device: 'NVIDIA H200',
  speed: speedOf(1.26, 1.26),
  byBytes: 1.6,
  isEarly: false,
  areTwoRuns: false,
  isOtherMatrix: false,
  matrix: 'this matrix',
  tokens: 1,
  isBlock: false,
  ended: null,
  among: null,
  caution: '',
};

const text = (changed: Partial<AnswerFacts>): string =>
  plainText(answerWords({ ...FACTS, ...changed })).replaceAll('\u202f', ' ');

const CHANGES: readonly Partial<AnswerFacts>[] = [
  {},
  { isOtherMatrix: true, tokens: 8, byBytes: null, b: side('CSR', 2_100_000), speed: speedOf(87.9, 87.9) },
  { b: side('ELL', 933_000, { isSimple: true }), speed: speedOf(39.1, 39), byBytes: null },
  { b: null, speed: null },
  {
    a: side('TwELL', 1_370_000),
    b: side('dense f16', 3_890_000),
    speed: speedOf(2.84, 2.84),
    byBytes: null,
    isBlock: true,
  },
  { a: side('TwELL', 1_370_000), b: null, speed: null, isBlock: true, isOtherMatrix: true },
  { b: side('ELL', null, { reason: 'too wide.' }), speed: null },
  { a: side('EC-SpMV', null), speed: null },
  { a: side('TwELL', null, { cannotStore: true, reason: 'a tile overflows' }) },
  {
    a: side('MACKO', null, { bound: { ns: 72_800, cause: 'bytes' } }),
    b: side('dense f16', null, { bound: { ns: 117_000, cause: 'bytes' } }),
    speed: null,
  },
  { a: side('MACKO', null), b: side('CSR', null), speed: null },
  { a: side('MACKO', null, LAUNCH), b: side('CSR', null, LAUNCH), speed: null },
  { a: side('MACKO', null, LAUNCH), b: null, speed: null },
  { a: side('MACKO', null, { bound: { ns: 2.12, cause: 'bytes' } }), b: side('CSR', null, LAUNCH), speed: null },
  { areTwoRuns: true },
  { isEarly: true, caution: 'First 3 of 24 rounds.' },
  { a: side('MACKO', 1_490_000), b: side('dense f16', 6_230_000), speed: speedOf(4.4, 6.23 / 1.49), byBytes: null },
  { a: side('MACKO', 3_160_000), b: side('dense f16', 156e6), speed: speedOf(22.1, 156 / 3.16, 12, 31) },
  { a: side('MACKO', 670_000), b: side('dense f16', 882_000), speed: speedOf(1.12, 882 / 670, 0.9, 1.4) },
  {
    a: side('MACKO', 2_440_000),
    b: side('dense f16', 1_890_000),
    speed: speedOf(11.9, 1.89 / 2.44, 8, 14),
  },
  { b: side('dense f16', 23_800), speed: speedOf(1.002, 238 / 239, 0.99, 1.01), byBytes: null },
  { device: 'one thread of the CPU', caution: 'A GPU has other times.', b: null },
];

it('answerWords states the times, and what was not timed', async () => {
  await expect(CHANGES.map((changed) => `${text(changed)}\n`).join('')).toMatchFileSnapshot('words/answers.txt');
});
