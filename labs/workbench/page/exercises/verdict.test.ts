// verdictOf: whether an answer to a kernel exercise reaches its goal.

import { describe, expect, it } from 'vitest';
import { exercises } from '../../exercises/index.ts';
import type { Draft } from '../kernel-drafts/draft.ts';
import { type DraftResult, emptyResult, withEvent } from '../kernel-drafts/draft-result.ts';
import type { DraftEvent, DraftTime } from '../service/drafts/draft-types.ts';
import { draftWords, visibleRun } from '../drafts/draft-words.ts';
import { verdictOf } from './KernelVerdict.tsx';

const [, exercise] = exercises;
const PATH = `${exercise.kernel}.wgsl`;
const START = { [PATH]: exercise.start };

const resultOf = (...events: readonly DraftEvent[]): DraftResult =>
  events.reduce(withEvent, emptyResult('a matrix', null));

/** An answer whose run had this result. */
function answer(result: DraftResult | null, files: Draft['files'] = START): Draft {
  const versions = result === null ? [] : [{ number: 1, at: '2026-01-01', files, overrides: {}, result }];
  const about = { id: 'a', name: 'mine', kernel: exercise.kernel, params: {}, from: 'here', overrides: {} } as const;
  return { ...about, changedAt: '2026-01-01', files, versions, start: START, exercise: exercise.id };
}

const ENDED: DraftEvent = { stage: 'ended', ok: true, sentence: 'Right.' };
const ratio = { ratio: 1.5, p10: 1.5, p90: 1.5 };
const timedAt = (GBps: number, medianNs = 1e5): DraftEvent => {
  const times = { medianNs, p10Ns: medianNs, p90Ns: medianNs, rounds: 20, vsDense: null, GBps };
  const row: DraftTime = { who: 'draft', kernel: exercise.kernel, ...times, vsOriginal: ratio };
  const slower = { medianNs: 1.5 * medianNs, vsOriginal: null };
  const rival: DraftTime = { who: 'original', kernel: 'csr/spmv_staged', ...times, ...slower };
  const clock = { source: 'timestamp-query', quantumNs: 1 } as const;
  return { stage: 'timed', rows: [row, rival], of: 20, readBandwidthGBps: 1000, clock };
};
const verdict = (draft: Draft, isSoftware = false): ReturnType<typeof verdictOf> =>
  verdictOf(exercise, draft, visibleRun(draft), isSoftware);

describe('verdictOf', () => {
  it('reports the missing part of the text that the exercise begins with', () => {
    expect(verdict(answer(null))).toMatchObject({ kind: 'open', sentence: 'It has not run.' });
    const wrong = resultOf({ stage: 'ended', ok: false, sentence: 'Wrong.' });
    expect(verdict(answer(wrong))).toMatchObject({ kind: 'wrong', sentence: exercise.unfinished });
    expect(verdict(answer(wrong, { [PATH]: 'other' })).sentence).toMatch(/^Not right yet/);
  });

  it('is done at or above the goal, and states the share that was reached below it', () => {
    expect(verdict(answer(resultOf(timedAt(200), ENDED)))).toMatchObject({ kind: 'done', share: 0.2 });
    const below = verdict(answer(resultOf(timedAt(190), ENDED)));
    expect(below).toMatchObject({ kind: 'right', share: 0.19 });
    expect(below.sentence).not.toContain('too small');
    expect(verdict(answer(resultOf(timedAt(190, 1e4), ENDED))).sentence).toContain('too small');
  });

  it('does not judge the speed of a software GPU, and leaves the goal open without times', () => {
    expect(verdict(answer(resultOf(ENDED)), true)).toMatchObject({ kind: 'done', share: null });
    expect(verdict(answer(resultOf(ENDED)))).toMatchObject({ kind: 'right', share: null });
  });
});

it('compares a kernel from scratch with the kernel that was timed with it', () => {
  const draft = answer(resultOf({ stage: 'compiled', ok: true, messages: [] }, timedAt(200), ENDED));
  const sentence = draftWords(draft, visibleRun(draft)).map(({ text }) => text);
  expect(sentence.join('')).toBe('Draft 1 is 1.50 times as fast as csr/spmv_staged.');
});
