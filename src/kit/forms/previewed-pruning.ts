import { createStore } from 'zustand/vanilla';
import type { Pruning } from '../../engine/matrix/pruning-way.ts';

/** The pruning under a moving slider; null while none moves. */
export const previewedPruning = createStore<Pruning | null>(() => null);
