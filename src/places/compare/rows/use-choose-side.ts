import { useCallback } from 'react';
import { useApp } from '../../../kit/app-context.ts';
import type { FormatChoice } from '../../../state/index.ts';
import { remedyPhrase, type Remedy, withRemedy } from '../../../state/document.ts';

/** Makes a format A or B. */
export type ChooseSide = (side: 'a' | 'b', stored: FormatChoice, remedy?: Remedy | null) => void;

/** How a row is made A or B. If the format cannot store the matrix, the remedy changes the matrix too, and is announced. */
export function useChooseSide(): ChooseSide {
  const { document, session, announce, formats } = useApp();
  return useCallback(
    (side, stored, remedy = null) => {
      const next = withRemedy(document.getState(), side, stored, remedy);
      if (remedy === null) {
        document.setState(next);
        return;
      }
      const title = formats.find(({ id }) => id === stored.format)?.title ?? stored.format;
      const name = session.store.getState().summary?.name ?? 'this matrix';
      void session.restore(next);
      announce(`${title} cannot store ${name}: ${remedyPhrase(remedy)}.`);
    },
    [document, session, announce, formats],
  );
}
