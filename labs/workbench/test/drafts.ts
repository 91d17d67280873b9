// Test data: a draft of a kernel with runs, as stored, and its parts.

import type { Draft } from '../page/kernel-drafts/draft.ts';
import { emptyResult, withEvent } from '../page/kernel-drafts/draft-result.ts';
import type { DraftEvent } from '../page/service/drafts/draft-types.ts';
import { REPORT } from '../../../test/reports.ts';

const CHECK = { rows: 4, cols: 4, of: 2, outputs: 4, worstShare: Number.POSITIVE_INFINITY, declined: null };
const EVENTS: readonly DraftEvent[] = [
  { stage: 'doing', what: 'compiling', done: 0, total: 1 },
  {
    stage: 'compiled',
    ok: true,
    messages: [{ severity: 'warning', text: 'unused', file: null, line: 0, column: 0, length: 0 }],
  },
  {
    stage: 'checked',
    matrix: 'a matrix',
    isOpenMatrix: true,
    place: 1,
    ok: false,
    wrong: 1,
    first: [{ output: 1, got: 'NaN', expected: 0.5, bound: 1e-6 }],
    wrongOutputs: Uint8Array.of(0, 1, 0, 0),
    guard: '1 word was written past the end of y.',
    ...CHECK,
  },
  { stage: 'checked', matrix: 'x', isOpenMatrix: false, place: 2, ok: true, wrong: 0, first: [], ...CHECK },
  { stage: 'budget', stopped: false, sentence: 'No lane took more.', loop: { file: 'a.wgsl', line: 3 } },
  {
    stage: 'timed',
    rows: [
      {
        who: 'draft',
        kernel: 'csr/spmv_scalar',
        medianNs: 10,
        p10Ns: 9,
        p90Ns: 11,
        rounds: 20,
        vsOriginal: { ratio: 1.1, p10: 1, p90: 1.2 },
        vsDense: null,
        GBps: 100,
      },
    ],
    of: 20,
    readBandwidthGBps: null,
    clock: { source: 'timestamp-query', quantumNs: 100 },
    report: REPORT,
  },
  { stage: 'ended', ok: true, sentence: 'It is right.' },
];
const adapter = { vendor: 'v', architecture: 'a', device: 'd', description: '' };
const files = { 'csr/spmv_scalar.wgsl': 'fn main() { }' };

/** A draft as the browser stores it, with a version for every event of a run. */
export const STORED_DRAFT: Draft = {
  id: 'id-1',
  name: 'mine',
  kernel: 'csr/spmv_scalar',
  params: { valueType: 'f16' },
  from: 'here',
  changedAt: '2026-11-22T00:00:00.000Z',
  files,
  overrides: { WORKGROUP_SIZE: 64 },
  // The result of a version contains the events before its own.
  versions: EVENTS.map((_, i) => ({
    number: i + 1,
    at: `2026-11-2${i}`,
    files,
    overrides: {},
    result: EVENTS.slice(0, i).reduce(withEvent, emptyResult('a matrix', adapter)),
  })),
};
