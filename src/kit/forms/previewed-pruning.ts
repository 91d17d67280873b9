import { createStore } from 'zustand/vanilla';
import type { Pruning } from '../../engine/matrix/source-types.ts';

/** The pruning under a moving slider; null while none moves. */
export const previewedPruning = createStore<Pruning | null>(() => null);
