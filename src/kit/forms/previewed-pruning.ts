import { createStore } from 'zustand/vanilla';
import type { Pruning } from '../../engine/matrix/pruning-way.ts';

/** Where a slider of the word is while it moves. */
export const previewedPruning = createStore<Pruning | null>(() => null);
