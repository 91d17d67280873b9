import { createStore } from 'zustand/vanilla';
import type { Pruning } from '../../engine/matrix/source-types.ts';

/** A language model, as the sentence at the top of the page names it. */
interface WritingModel {
  /** 'Tales 3.4M' */
  readonly name: string;
  /** null: none of its matrices is pruned */
  readonly pruning: Pruning | null;
}

/** The language model that the page shows; null if the open matrix is from this model, or on other pages. */
export const writingModel = createStore<WritingModel | null>(() => null);
