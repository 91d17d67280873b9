import { type Part, storedPart } from '../../core/kernel/multi-pass-plan.ts';
import type { HybridEncoded } from './layout.ts';

type StoredArray = 'values' | 'indices' | 'counts' | 'tailMap' | 'tailRows' | 'tail';

/** Arrays of the hybrid as buffers of a kernel. */
export function storedIn(e: HybridEncoded, names: readonly StoredArray[]): readonly Part[] {
  return names.map((name) => storedPart(name, e[name]));
}
