// The headline about a draft (a user's changed kernel) and its last run.

import { describe, expect, it } from 'vitest';
import { plainText } from '../../../../test/text-rules.ts';
import { STORED_DRAFT } from '../../test/drafts.ts';
import { emptyResult, withEvent, type DraftResult } from '../kernel-drafts/draft-result.ts';
import type { DraftCheck, DraftEvent } from '../service/drafts/draft-types.ts';
import type { Draft } from '../kernel-drafts/draft.ts';
import { draftWords, visibleRun } from './draft-words.ts';

const CHECK: DraftCheck = {
  stage: 'checked',
  matrix: 'uniform 96 × 64',
  isOpenMatrix: true,
  rows: 96,
  cols: 64,
  place: 1,
  of: 2,
  ok: true,
  outputs: 96,
  wrong: 0,
  worstShare: 0.1,
  first: [],
  declined: null,
};
const OTHER: DraftCheck = { ...CHECK, matrix: '1 column', isOpenMatrix: false, outputs: 9, place: 2 };

const resultOf = (...events: readonly DraftEvent[]): DraftResult =>
  events.reduce(withEvent, emptyResult('uniform 96 × 64', null));

function draftOf(result: DraftResult | null, files: Draft['files'] = {}): Draft {
  const version = { number: 1, at: '2026-01-01', files: {}, overrides: {}, result };
  return { ...STORED_DRAFT, files, overrides: {}, versions: [version] };
}

const sentence = (draft: Draft): string => plainText(draftWords(draft, visibleRun(draft)));

const COMPILED: DraftEvent = { stage: 'compiled', ok: true, messages: [] };

describe('draftWords(draft, run)', () => {
  it('states the result of a run, or its progress', async () => {
    const error = { severity: 'error', text: 'no', file: 'a.wgsl', line: 40, column: 1, length: 0 } as const;
    const runs: readonly (readonly DraftEvent[])[] = [
      [{ stage: 'compiled', ok: false, messages: [error] }],
      [COMPILED, { ...CHECK, ok: false, wrong: 14 }],
      [COMPILED, CHECK, { ...OTHER, ok: false, wrong: 2 }],
      [COMPILED, { ...CHECK, ok: false, guard: '1 word was written past the end of y.' }],
      [COMPILED, CHECK, OTHER, { stage: 'ended', ok: true, sentence: 'Right.' }],
      [COMPILED, CHECK, { stage: 'ended', ok: false, sentence: 'The run was stopped.' }],
      [COMPILED, { stage: 'doing', what: 'verifying', done: 1, total: 2 }],
      [COMPILED, { stage: 'doing', what: '300 × 65', done: 16, total: 23 }],
    ];
    const texts = runs.map((events) => `${sentence(draftOf(resultOf(...events)))}\n`).join('');
    await expect(texts).toMatchFileSnapshot('words/drafts.txt');
  });

  it('states the ratios to the original and to dense, and a later change of the text', () => {
    const ratio = (r: number): { ratio: number; p10: number; p90: number } => ({ ratio: r, p10: r, p90: r });
    const BASE = { kernel: 'csr/spmv_scalar', p10Ns: 1, p90Ns: 1, rounds: 12, GBps: null };
    const timed = (medianNs: number): DraftEvent => ({
      stage: 'timed',
      of: 12,
      readBandwidthGBps: null,
      clock: { source: 'timestamp-query', quantumNs: 1 },
      rows: [
        { ...BASE, who: 'draft', medianNs: 1, vsOriginal: ratio(1.07), vsDense: ratio(1.31) },
        { ...BASE, who: 'original', medianNs: 1.07, vsOriginal: null, vsDense: null },
        { ...BASE, who: 'reference', medianNs, vsOriginal: null, vsDense: null },
      ],
    });
    const draftWithTime = (medianNs: number, files?: Draft['files']) =>
      sentence(draftOf(resultOf(COMPILED, CHECK, timed(medianNs)), files));
    const faster = 'Draft 1 is 1.07 times as fast as the original and';
    expect(draftWithTime(3)).toBe(`${faster} 1.31 to 3.00 times as fast as dense.`);
    expect(draftWithTime(1.31)).toBe(`${faster} 1.31 times as fast as dense.`);
    expect(draftWithTime(1.31, { 'a.wgsl': 'fn' })).toMatch(/ Draft 2 was not run\.$/);
  });
});
