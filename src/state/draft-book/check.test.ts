import { describe, expect, it } from 'vitest';
import { REPORT } from '../../../test/reports.ts';
import { DRAFT_BOUNDS } from '../../core/bounds/bounds.ts';
import type { DraftEvent } from '../../worker/protocol.ts';
import { checkedDraft } from './check.ts';
import type { Draft } from './draft.ts';
import { type DraftResult, emptyResult, withEvent } from './result.ts';
import { keptDrafts } from './store.ts';

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
const DRAFT: Draft<DraftResult> = {
  id: 'id-1',
  name: 'mine',
  kernel: 'csr/spmv_scalar',
  params: { valueType: 'f16' },
  from: 'here',
  changedAt: '2026-11-22T00:00:00.000Z',
  files,
  overrides: { WORKGROUP_SIZE: 64 },
  // A result is kept again after each event.
  versions: EVENTS.map((_, i) => ({
    number: i + 1,
    at: `2026-11-2${i}`,
    files,
    overrides: {},
    result: EVENTS.slice(0, i).reduce(withEvent, emptyResult('a matrix', adapter)),
  })),
};

describe('checkedDraft(key, value)', () => {
  it('is a draft as it was kept, after every event of its run', () => {
    expect(checkedDraft('id-1', DRAFT)).toEqual(DRAFT);
    const { start: _, ...answer } = { ...DRAFT, start: files, exercise: '1', versions: [] };
    expect(checkedDraft('id-1', { ...answer, start: files })).toEqual({ ...answer, start: files });
  });

  it.each<readonly [string, Readonly<Record<string, unknown>>]>([
    ['a version that is nothing', { versions: [null] }],
    ['versions out of order', { versions: DRAFT.versions.toReversed() }],
    ['a version without files', { versions: [{ ...DRAFT.versions[0], files: null }] }],
    ['a file that is no text', { files: { a: 1 } }],
    ['a draft that is too long', { files: { a: 'x'.repeat(DRAFT_BOUNDS.length + 1) } }],
    ['an override that is no number', { overrides: { A: '1' } }],
    ['parameters in parameters', { params: { a: { b: 1 } } }],
    ['another id than its key', { id: 'id-2' }],
    ['a kernel that is no text', { kernel: 7 }],
    ['an origin that there is not', { from: 'elsewhere' }],
    ['a date that is no text', { changedAt: 7 }],
  ])('is null for %s', (_, change) => {
    expect(checkedDraft('id-1', { ...DRAFT, ...change })).toBeNull();
  });

  it('leaves out what came of a version where that cannot be read, and keeps its text', () => {
    const [first] = DRAFT.versions;
    const whole = DRAFT.versions.at(-1)?.result;
    for (const result of [
      { checks: [null] },
      { ...whole, checks: [null] },
      { ...whole, timed: { rows: [{}] } },
      { ...whole, messages: [{ severity: 'odd' }] },
    ]) {
      const read = checkedDraft('id-1', { ...DRAFT, versions: [{ ...first, result }] });
      expect(read?.versions).toEqual([{ ...first, result: null }]);
    }
  });

  it('shows what cannot be seen in a name, and cuts one that is too long', () => {
    expect(checkedDraft('id-1', { ...DRAFT, name: `\u202e${'x'.repeat(1e5)}` })?.name).toBe(`\ufffd${'x'.repeat(79)}`);
  });
});

describe('keptDrafts(entries)', () => {
  it('are those that can be read, and what cannot, by key and name', () => {
    const broken = { ...DRAFT, id: 'id-2', name: 'broken', versions: [null] };
    const { drafts, unread } = keptDrafts([
      ['id-2', broken],
      ['id-1', DRAFT],
      [7, 'nothing'],
    ]);
    expect(drafts).toEqual([DRAFT]);
    expect(unread).toEqual([
      { key: 'id-2', name: 'broken' },
      { key: 7, name: '' },
    ]);
  });
});
