// A target of the fuzzer: what the browser has stored.

import { formats } from '../../../src/formats/registry.ts';
import { createExerciseProgress } from '../exercises/exercise-progress.ts';
import { withCurrentVersion, mergedDraft } from '../library/versioned-draft.ts';
import { storedDrafts } from '../library/draft-store.ts';
import { draftProblem } from '../page/drafts/draft-problem.ts';
import { draftWords, visibleRun } from '../page/drafts/draft-words.ts';
import { versionNumber } from '../page/kernel-drafts/draft.ts';
import { draftText } from '../page/kernel-drafts/draft-file.ts';
import { KERNEL_DRAFTS } from '../page/kernel-drafts/kernel-library.ts';
import { resultWords } from '../page/kernel-drafts/draft-result.ts';
import { variantOf } from '../page/kernel-drafts/variants.ts';
import { STORED_DRAFT } from '../test/drafts.ts';
import { differenceFault, storageOf, storedTarget } from '../../../fuzz/records/stored.ts';
import type { Fault } from '../../../fuzz/target.ts';
import { messageFault } from '../../../fuzz/words.ts';

/** Parses a draft's JSON into what IndexedDB returns, where the `points` of a map of wrong outputs are bytes. */
function revived(text: string): unknown {
  return JSON.parse(text, (key, value: unknown) => {
    if (key !== 'points' || typeof value !== 'object' || value === null) return value;
    return Uint8Array.from(Object.values(value), Number);
  });
}

/** The first fault that a stored draft reveals, or null. */
function draftFault(text: string): Fault | null {
  let value: unknown;
  try {
    value = revived(text);
  } catch {
    // A mutation can break the JSON, but IndexedDB stores objects, not texts: there is nothing to test.
    return null;
  }
  const { drafts, unreadable } = storedDrafts(KERNEL_DRAFTS, [[STORED_DRAFT.id, value]]);
  if (drafts.length + unreadable.length !== 1) return { law: 'nothing is lost', message: `${drafts.length} drafts` };
  for (const { name } of unreadable) if (name !== '') return messageFault(name);
  for (const draft of drafts) {
    const next = mergedDraft(
      KERNEL_DRAFTS,
      draft,
      withCurrentVersion(KERNEL_DRAFTS, { ...draft, files: { a: 'b' } }, '2027'),
    );
    for (const { number, result } of next.versions) {
      const fault = messageFault(resultWords(result).text);
      if (fault) return fault;
      variantOf(draft, number, formats);
    }
    if (versionNumber(next) !== next.versions.at(-1)?.number)
      return { law: 'versions are counted', message: String(versionNumber(next)) };
    const words = draftWords(draft, visibleRun(draft)).map((part) => part.text);
    const problem = draftProblem(draft, formats);
    for (const text of [draft.name, words.join(''), ...(problem === null ? [] : [problem])]) {
      // A message of the engine may list the alternatives.
      const fault = messageFault(text.slice(0, 600));
      if (fault) return fault;
    }
    draftText(draft);
  }
  return null;
}

/** The first fault that stored progress in exercises reveals, or null. */
function exercisesFault(text: string): Fault | null {
  const storage = storageOf(text);
  const progress = createExerciseProgress(() => storage);
  progress.record('1', { done: true, share: 0.9 });
  progress.record('1', { done: true, share: 0.95 });
  for (const [exercise, { done, share }] of Object.entries(progress.store.getState())) {
    const isValid = typeof done === 'boolean' && (share === null || (Number.isFinite(share) && share >= 0));
    if (!isValid) return { law: 'progress consists of counts', message: `${exercise}: ${done}, ${share}` };
  }
  return differenceFault(progress.store.getState()['1'], createExerciseProgress(() => storage).store.getState()['1']);
}

/** The target: mutated drafts and progress in exercises, as the browser stores them. */
export const savedTarget = storedTarget('kept', 0.015, {
  draft: { valid: { ...STORED_DRAFT, start: STORED_DRAFT.files, exercise: '1' }, check: draftFault },
  exercises: { valid: { 1: { done: true, share: 0.8 }, 2: { done: false, share: null } }, check: exercisesFault },
});
