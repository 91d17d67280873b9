import { expect, test } from 'vitest';
import { type VersionedDraft, mergedDraft } from './versioned-draft.ts';

type Draft = VersionedDraft<{ readonly text: string }>;

const version = (number: number, at: string) => ({ number, at, text: at });
const draft = (text: string, ...versions: Draft['versions']): Draft => ({ id: 'a', text, changedAt: '', versions });

test('two tabs keep the versions of both, in the order in which they were kept', () => {
  const mine = draft('mine', version(1, '01'), version(2, '03'));
  const found = mergedDraft({ maxVersions: 9 }, draft('other', version(1, '01'), version(2, '02')), mine);
  expect(found).toEqual(draft('mine', version(1, '01'), version(2, '02'), version(3, '03')));
});

test('versions that went because there were too many do not come back', () => {
  const mine = draft('mine', version(2, '02'), version(3, '03'));
  expect(mergedDraft({ maxVersions: 2 }, draft('mine', version(1, '01'), version(2, '02')), mine)).toBe(mine);
});
