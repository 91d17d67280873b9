import { someOf } from '../../../kit/browser/choices.ts';

const FOLD_IDS = ['layers', 'token', 'gaps', 'accuracy', 'published', 'left-out'] as const;
export type FoldId = (typeof FOLD_IDS)[number];

/** Which folds are open. */
export const FOLD_FIELDS = { fold: someOf(FOLD_IDS, []) };
