// Tests of the thread that runs fuzz cases: shrinking, seeds and saved cases.

import { expect, it } from 'vitest';
import { rangesToRemove } from './pieces.ts';
import { defineTarget } from './target.ts';
import { PULSE, randomOf, runThread, type ThreadMessage } from './thread.ts';

/** A target with two faults: an x before a y breaks a law, and 'bbbb' throws. */
const words = defineTarget<string>({
  id: 'words',
  unit: 'words',
  share: 1,
  maxSteps: null,
  generate: (random) => Array.from({ length: 12 }, () => 'abxy'[random.below(4)]).join(''),
  check: (word) => {
    if (word.includes('bbbb')) throw new Error('four of them');
    return /x.*y/.test(word) ? { law: 'no x before a y', message: word } : null;
  },
  *smaller(word) {
    for (const [from, to] of rangesToRemove(word.length)) yield word.slice(0, from) + word.slice(to);
  },
  toJson: (word) => word,
  fromJson: String,
});

/** Runs 300 cases as one of `threads` threads, and returns the thread's messages. */
async function output(seed: number, thread: number, threads: number): Promise<readonly ThreadMessage[]> {
  const messages: ThreadMessage[] = [];
  const plan = { seed, thread, threads, endsAt: null, againstScipy: false };
  const targets = [{ id: 'words', from: thread, count: 300 }];
  const pulse = new SharedArrayBuffer(4 * PULSE.words);
  await runThread({ ...plan, targets, pulse }, [words], (message) => messages.push(message));
  return messages;
}

it('a broken law is found once, and shrunk as far as possible', async () => {
  const finds = (await output(1, 0, 1)).filter((message) => message.kind === 'find');
  const smallest = finds.filter((find) => find.isSmallest);
  expect(smallest.map(({ fault }) => fault.law)).toEqual(
    expect.arrayContaining(['no x before a y', 'a check throws no error']),
  );
  expect(finds.length).toBe(2 * smallest.length);
  expect(smallest.find(({ fault }) => fault.law === 'no x before a y')?.json).toBe('xy');
  expect(smallest.find(({ fault }) => fault.law === 'a check throws no error')?.json).toBe('bbbb');
});

it('the same seed gives the same cases, however many threads share them', async () => {
  const word = (seed: number, index: number): unknown => words.generate(randomOf(seed, 'words', index)).toJson();
  expect(word(1, 7)).toBe(word(1, 7));
  expect(word(1, 7)).not.toBe(word(2, 7));
  expect(word(1, 7)).not.toBe(word(1, 8));
  const tried = async (thread: number, threads: number): Promise<number> => {
    const progress = (await output(3, thread, threads)).filter((message) => message.kind === 'progress');
    return progress.reduce((sum, message) => sum + message.tried, 0);
  };
  expect([await tried(0, 1), await tried(0, 2), await tried(1, 2)]).toEqual([300, 150, 150]);
});

it('a case that was saved as JSON is the case that was found', async () => {
  expect(await words.fromJson('axby').find()).toEqual({ law: 'no x before a y', message: 'axby' });
  expect(await words.fromJson('yx').find()).toBeNull();
});
