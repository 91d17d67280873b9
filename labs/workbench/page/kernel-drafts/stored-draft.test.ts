// Drafts of kernels as the browser stores them: what is checked when they are read, and versions.

import { describe, expect, it } from 'vitest';
import { STORED_DRAFT as DRAFT } from '../../test/drafts.ts';
import { DRAFT_BOUNDS } from '../../theory/bounds.ts';
import { FORMAT_DRAFTS } from '../../provider/format-library.ts';
import { checkedDraft } from './stored-draft.ts';
import { storedDrafts } from '../../library/draft-store.ts';

describe('checkedDraft(key, value)', () => {
  it('returns a valid draft unchanged, also an answer to an exercise', () => {
    expect(checkedDraft('id-1', DRAFT)).toEqual(DRAFT);
    const answer = { ...DRAFT, start: DRAFT.files, exercise: '1', versions: [] };
    expect(checkedDraft('id-1', answer)).toEqual(answer);
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
    ['an unknown origin', { from: 'elsewhere' }],
    ['a date that is no text', { changedAt: 7 }],
  ])('returns null for %s', (_, change) => {
    expect(checkedDraft('id-1', { ...DRAFT, ...change })).toBeNull();
  });

  it('drops an unreadable result of a version, and keeps the version’s text', () => {
    const [first] = DRAFT.versions;
    const lastResult = DRAFT.versions.at(-1)?.result;
    for (const result of [
      { checks: [null] },
      { ...lastResult, checks: [null] },
      { ...lastResult, timed: { rows: [{}] } },
      { ...lastResult, messages: [{ severity: 'odd' }] },
    ]) {
      const read = checkedDraft('id-1', { ...DRAFT, versions: [{ ...first, result }] });
      expect(read?.versions).toEqual([{ ...first, result: null }]);
    }
  });

  it('makes invisible characters of a name visible, and shortens a name that is too long', () => {
    expect(checkedDraft('id-1', { ...DRAFT, name: `\u202e${'x'.repeat(1e5)}` })?.name).toBe(`\ufffd${'x'.repeat(79)}`);
  });
});

describe('storedDrafts(entries)', () => {
  it('returns readable drafts although other entries are invalid', () => {
    const cyclic: Record<string, unknown> = { name: 'round' };
    cyclic['versions'] = [cyclic];
    const values = [
      7n,
      Number.NaN,
      null,
      new Map(),
      new Uint8Array(3),
      new Date(0),
      cyclic,
      [DRAFT],
      { ...DRAFT, id: 7n },
    ];
    const odd = values.map((value, i) => [i, value] as const);
    for (const checked of [checkedDraft, FORMAT_DRAFTS.checked]) {
      expect(storedDrafts<unknown>({ checked }, odd).unreadable.map(({ key }) => key)).toEqual(odd.map(([key]) => key));
    }
    expect(storedDrafts({ checked: checkedDraft }, [...odd, ['id-1', DRAFT]]).drafts).toEqual([DRAFT]);
    const throwingForKey0 = (key: unknown): string => {
      if (key === 0) throw new RangeError('a fault');
      return 'read';
    };
    expect(storedDrafts({ checked: throwingForKey0 }, odd.slice(0, 2))).toEqual({
      drafts: ['read'],
      unreadable: [{ key: 0, name: '' }],
    });
  });

  it('separates readable drafts from unreadable entries, listed by key and name', () => {
    const broken = { ...DRAFT, id: 'id-2', name: 'broken', versions: [null] };
    const { drafts, unreadable } = storedDrafts({ checked: checkedDraft }, [
      ['id-2', broken],
      ['id-1', DRAFT],
      [7, 'nothing'],
    ]);
    expect(drafts).toEqual([DRAFT]);
    expect(unreadable).toEqual([
      { key: 'id-2', name: 'broken' },
      { key: 7, name: '' },
    ]);
  });
});
