import { useMemo } from 'react';
import { useDocument } from '../../../kit/app-context.ts';
import { currentParams, type Stored } from '../../../state/index.ts';

/** A of the sentence; the same object until it changes. */
export function useStoredA(): Stored {
  const format = useDocument((doc) => doc.format);
  const params = useDocument(currentParams);
  return useMemo(() => ({ format, params }), [format, params]);
}
