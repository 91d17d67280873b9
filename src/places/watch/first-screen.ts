import { useMemo } from 'react';
import { defaultDocument, sameSource, sameStored, storedA } from '../../state/index.ts';
import { useApp, useDocument } from '../../kit/app-context.ts';

/** Whether the subject is that of the first screen, and nothing has been played yet. */
export function useIsFirstScreen(): boolean {
  const { catalog } = useApp();
  const first = useMemo(() => defaultDocument(catalog), [catalog]);
  return useDocument(
    (doc) =>
      doc.step === 0 &&
      sameSource(doc.source, first.source) &&
      sameStored(storedA(doc), storedA(first)) &&
      sameStored(doc.against, first.against),
  );
}
