import { createStore } from 'zustand/vanilla';
import type { Pruning } from '../../engine/matrix/pruning-way.ts';

interface WritingModel {
  /** 'Tales 3.4M' */
  readonly name: string;
  /** null: none of its matrices is pruned */
  readonly pruning: Pruning | null;
}

/**
 * The model whose text the shown place has, where the document is about something else: the sentence names this one, since
 * what is below it is this model's. null: the document is about what is shown.
 */
export const writingModel = createStore<WritingModel | null>(() => null);
