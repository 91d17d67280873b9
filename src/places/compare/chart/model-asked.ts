import { useMemo } from 'react';
import type { ComparedFormats } from '../rows/compare-row.ts';
import type { ModelQuery } from './model-lines.ts';

/** The query for the model to compare, or for a layer as a model of one; null if a matrix is compared. */
export function useModelQuery({ model, shown }: Pick<ComparedFormats, 'model' | 'shown'>): ModelQuery | null {
  const [shape, fused, head] = [model?.shape ?? null, model?.fused ?? false, model?.head ?? false];
  const { readGBps = null, dispatchNs = 0 } = shown.device.roofs ?? {};
  return useMemo(
    () =>
      shape && {
        model: shape,
        fusion: fused ? 'fused' : 'separate',
        keepHead: !head,
        bounding: readGBps === null ? null : { readGBps, dispatchNs },
      },
    [shape, fused, head, readGBps, dispatchNs],
  );
}
