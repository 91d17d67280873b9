import { createStore } from 'zustand/vanilla';
import type { Pruning } from '../../engine/matrix/pruning-way.ts';

/** A language model that writes text, as the sentence names it. */
interface WritingModel {
  /** 'Tales 3.4M' */
  readonly name: string;
  /** null: none of its matrices is pruned */
  readonly pruning: Pruning | null;
}

/**
 * The model whose text the current place shows, if the document is about something else. The sentence then names this model.
 * null: the document's subject is shown.
 */
export const writingModel = createStore<WritingModel | null>(() => null);
