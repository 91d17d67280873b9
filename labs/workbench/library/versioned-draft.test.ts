// Merging two states of a draft, which two tabs of the browser saved.

import { expect, test } from 'vitest';
import { type VersionedDraft, mergedDraft } from './versioned-draft.ts';

type Draft = VersionedDraft<{ readonly text: string }>;

const version = (number: number, at: string) => ({ number, at, text: at });
const draft = (text: string, ...versions: Draft['versions']): Draft => ({ id: 'a', text, changedAt: '', versions });

test('mergedDraft contains the versions of both tabs, in the order in which they were saved', () => {
  const thisTabsDraft = draft('mine', version(1, '01'), version(2, '03'));
  const merged = mergedDraft({ maxVersions: 9 }, draft('other', version(1, '01'), version(2, '02')), thisTabsDraft);
  expect(merged).toEqual(draft('mine', version(1, '01'), version(2, '02'), version(3, '03')));
});

test('mergedDraft does not restore versions that were removed because there were too many', () => {
  const thisTabsDraft = draft('mine', version(2, '02'), version(3, '03'));
  expect(mergedDraft({ maxVersions: 2 }, draft('mine', version(1, '01'), version(2, '02')), thisTabsDraft)).toBe(
    thisTabsDraft,
  );
});
