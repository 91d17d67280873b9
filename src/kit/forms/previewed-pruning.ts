import { createStore } from 'zustand/vanilla';
import type { Pruning } from '../../engine/matrix/source-types.ts';

/** The pruning that a moving slider shows and nobody has chosen yet; null while no slider moves. */
export const previewedPruning = createStore<Pruning | null>(() => null);
