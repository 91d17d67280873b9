import { useMemo } from 'react';
import { useDocument } from '../../../kit/app-context.ts';
import { baseOf } from '../../../state/index.ts';
import type { Compared } from './compare-row.ts';

/** What the sentence says, compared. */
export function useCompared(): Compared {
  const level = useDocument(({ source }) => {
    const base = baseOf(source);
    return base.kind === 'model' && base.matrix === undefined ? 'model' : 'matrix';
  });
  return useMemo(() => ({ level, rows: [] }), [level]);
}
