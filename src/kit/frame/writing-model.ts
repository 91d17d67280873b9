import { createStore } from 'zustand/vanilla';
import type { Pruning } from '../../engine/matrix/source-types.ts';

/** A language model that writes text, as the sentence above the page names it. */
interface WritingModel {
  /** 'Tales 3.4M' */
  readonly name: string;
  /** null: none of its matrices is pruned */
  readonly pruning: Pruning | null;
}

/** The model that the sentence names: the page shows its text, and the open matrix is not of it. Else null. */
export const writingModel = createStore<WritingModel | null>(() => null);
