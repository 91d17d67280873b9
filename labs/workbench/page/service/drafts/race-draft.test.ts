// The event with the times of a draft compared with the original kernel.

import { expect, it } from 'vitest';
import { CSR_ROW, DENSE_ROW, REPORT } from '../../../../../test/reports.ts';
import { timedEvent } from './race-draft.ts';

const draft = { id: 'csr/spmv_subgroup (draft)' };
const original = { id: CSR_ROW.kernel };
const race = { draft, original, rounds: 8 };

it('timedEvent compares a draft with its original over the rounds in which both were timed', () => {
  const slow = CSR_ROW.samplesNs;
  const row = {
    ...CSR_ROW,
    kernel: draft.id,
    samplesNs: slow.slice(1).map((ns) => ns / 2),
    rounds: slow.slice(1).map((_, i) => i + 1),
  };
  const event = timedEvent({ ...REPORT, rows: [DENSE_ROW, CSR_ROW, row] }, race);
  if (event?.stage !== 'timed') throw new Error('expected times');
  expect(event.rows.map(({ who, kernel }) => [who, kernel])).toEqual([
    ['reference', DENSE_ROW.kernel],
    ['original', CSR_ROW.kernel],
    ['draft', CSR_ROW.kernel],
  ]);
  expect(event.rows[2]).toMatchObject({ rounds: slow.length - 1, vsOriginal: { ratio: 2, p10: 2, p90: 2 } });
  expect([event.rows[1].vsOriginal?.ratio, event.of]).toEqual([1, 8]);
});

it('timedEvent returns null while the draft has no time, and for a draft with wrong outputs', () => {
  expect(timedEvent({ ...REPORT, rows: [DENSE_ROW, CSR_ROW] }, race)).toBeNull();
  const wrong = { ...CSR_ROW, kernel: draft.id, verified: { ...CSR_ROW.verified, ok: false } };
  expect(timedEvent({ ...REPORT, rows: [DENSE_ROW, CSR_ROW, wrong] }, race)).toBeNull();
});
