import { expect, it } from 'vitest';
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

/** A speed of rounds without any spread, beside two times. */
const of = (ratio: number, quotient: number): Speed => ({ ratio, p10: ratio, p90: ratio, quotient });

/** Nothing is faster than a kernel that does nothing. */
const LAUNCH: Partial<SideTime> = { bound: { ns: 1250, by: 'dispatch' } };

const FACTS: AnswerFacts = {
  a: side('MACKO', 23_900),
  b: side('dense f16', 30_100),
  device: 'NVIDIA H200',
  speed: of(1.26, 1.26),
  byBytes: 1.6,
  isApart: false,
  isLike: false,
  of: 'this matrix',
  tokens: 1,
  isBlock: false,
  caution: '',
};

const text = (changed: Partial<AnswerFacts>): string =>
  answerWords({ ...FACTS, ...changed })
    .map((word) => word.text)
    .join('')
    .replaceAll('\u202f', ' ');

it.each<[Partial<AnswerFacts>, string]>([
  [
    {},
    'On NVIDIA H200, MACKO multiplies this matrix in 23.9 µs, dense f16 in 30.1: 1.26 times as fast. If only bytes counted: 1.60 times.',
  ],
  [
    { isLike: true, tokens: 8, byBytes: null, b: side('CSR', 2_100_000), speed: of(87.9, 87.9) },
    'On NVIDIA H200, MACKO multiplies a random matrix like it with 8 tokens in 23.9 µs, CSR in 2.10 ms: 87.9 times as fast.',
  ],
  [
    { b: side('ELL', 933_000, { isSimple: true }), speed: of(39.1, 39), byBytes: null },
    'On NVIDIA H200, MACKO multiplies this matrix in 23.9 µs, ELL (one simple kernel) in 933: 39.0 times as fast.',
  ],
  [{ b: null, speed: null }, 'On NVIDIA H200, MACKO multiplies this matrix in 23.9 µs.'],
  [
    {
      a: side('TwELL', 1_370_000),
      b: side('dense f16', 3_890_000),
      speed: of(2.84, 2.84),
      byBytes: null,
      isBlock: true,
    },
    'On NVIDIA H200, TwELL computes a feed-forward block with these activations in 1.37 ms, dense f16 in 3.89: 2.84 times as fast.',
  ],
  [
    { a: side('TwELL', 1_370_000), b: null, speed: null, isBlock: true, isLike: true },
    'On NVIDIA H200, TwELL computes a feed-forward block with activations like these in 1.37 ms.',
  ],
  [
    { b: side('ELL', null, { reason: 'too wide.' }), speed: null },
    'On NVIDIA H200, MACKO multiplies this matrix in 23.9 µs; ELL was not timed: too wide.',
  ],
  [
    { a: side('EC-SpMV', null), speed: null },
    'On NVIDIA H200, dense f16 multiplies this matrix in 30.1 µs; EC-SpMV was not timed.',
  ],
  [
    { a: side('TwELL', null, { cannotStore: true, reason: 'a tile overflows' }) },
    'TwELL cannot store this matrix: a tile overflows.',
  ],
  [
    {
      a: side('MACKO', null, { bound: { ns: 72_800, by: 'bytes' } }),
      b: side('dense f16', null, { bound: { ns: 117_000, by: 'bytes' } }),
      speed: null,
    },
    'Neither was timed on NVIDIA H200: MACKO’s bytes take at least 72.8 µs, those of dense f16 117. If only bytes counted: 1.60 times.',
  ],
  [{ a: side('MACKO', null), b: side('CSR', null), speed: null }, 'Neither was timed on NVIDIA H200.'],
  [
    { a: side('MACKO', null, LAUNCH), b: side('CSR', null, LAUNCH), speed: null },
    'Neither was timed on NVIDIA H200, too small to time: starting any kernel takes 1.25 µs.',
  ],
  [
    { a: side('MACKO', null, LAUNCH), b: null, speed: null },
    'MACKO was not timed on NVIDIA H200, too small to time: starting any kernel takes 1.25 µs.',
  ],
  [
    { a: side('MACKO', null, { bound: { ns: 2.12, by: 'bytes' } }), b: side('CSR', null, LAUNCH), speed: null },
    'Neither was timed on NVIDIA H200: MACKO’s bytes are read in less than 1 µs.',
  ],
  [
    { isApart: true },
    'On NVIDIA H200, MACKO multiplies this matrix in 23.9 µs, dense f16 in 30.1, in another run: 1.26 times as fast. If only bytes counted: 1.60 times.',
  ],
  [
    { a: side('MACKO', 1_490_000), b: side('dense f16', 6_230_000), speed: of(4.4, 6.23 / 1.49), byBytes: null },
    'On NVIDIA H200, MACKO multiplies this matrix in 1.49 ms, dense f16 in 6.23; round by round: 4.40 times as fast.',
  ],
  [
    { a: side('MACKO', 3_160_000), b: side('dense f16', 156e6), speed: { ...of(22.1, 156 / 3.16), p10: 12, p90: 31 } },
    'On NVIDIA H200, MACKO multiplies this matrix in 3.16 ms, dense f16 in 156: too noisy to divide: 12.0 to 49.4 times. If only bytes counted: 1.60 times.',
  ],
  [
    { a: side('MACKO', 670_000), b: side('dense f16', 882_000), speed: { ...of(1.12, 882 / 670), p10: 0.9, p90: 1.4 } },
    'On NVIDIA H200, MACKO multiplies this matrix in 670 µs, dense f16 in 882: too noisy to divide: 0.90 to 1.40 times. If only bytes counted: 1.60 times.',
  ],
  [
    {
      a: side('MACKO', 2_440_000),
      b: side('dense f16', 1_890_000),
      speed: { ...of(11.9, 1.89 / 2.44), p10: 8, p90: 14 },
    },
    'On NVIDIA H200, MACKO multiplies this matrix in 2.44 ms, dense f16 in 1.89: too noisy to divide: 0.77 to 14.0 times. If only bytes counted: 1.60 times.',
  ],
  [
    { b: side('dense f16', 23_800), speed: { ...of(1.002, 238 / 239), p10: 0.99, p90: 1.01 }, byBytes: null },
    'On NVIDIA H200, MACKO multiplies this matrix in 23.9 µs, dense f16 in 23.8: about as fast: 0.99 to 1.01 times.',
  ],
  [
    { device: 'one thread of the CPU', caution: 'This says nothing about a GPU.', b: null },
    'On one thread of the CPU, MACKO multiplies this matrix in 23.9 µs. This says nothing about a GPU.',
  ],
])('the answer to %j', (changed, sentence) => {
  expect(text(changed)).toBe(sentence);
});

it('bounds no ratio: two lower bounds say nothing about the ratio of what was measured', () => {
  const untimed = {
    a: side('MACKO', null, { bound: { ns: 15_990, by: 'bytes' } }),
    b: side('ELL', null, { bound: { ns: 26_420, by: 'bytes' } }),
    speed: null,
  };
  for (const changed of [
    { a: side('MACKO', 23_857), b: side('ELL', 932_960), speed: of(39.1, 39.1), byBytes: 1.65 },
    untimed,
  ]) {
    expect(text(changed)).not.toMatch(/allow|at most/);
    expect(text(changed)).toMatch(/If only bytes counted: 1\.6[05] times\.$/);
  }
});

it('never has a bound and a measured time in one sentence', () => {
  const sentences = text({}).split(/(?<=\.) /);
  expect(sentences.filter((sentence) => /µs/.test(sentence) && /would|at most|at least/.test(sentence))).toEqual([]);
});
