import { useMemo } from 'react';
import type { Compared } from '../rows/compare-row.ts';
import type { ModelAsked } from './model-lines.ts';

/** The model that is compared, or its layer as a model of one; null where a matrix is. */
export function useModelAsked({ model }: Pick<Compared, 'model'>): ModelAsked | null {
  const [shape, fused, head] = [model?.shape ?? null, model?.fused ?? false, model?.head ?? false];
  return useMemo(
    () => shape && { model: shape, fusion: fused ? 'fused' : 'separate', keepHead: !head },
    [shape, fused, head],
  );
}
