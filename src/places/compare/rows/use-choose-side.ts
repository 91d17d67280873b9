import { useCallback } from 'react';
import { useApp } from '../../../kit/app-context.ts';
import type { FormatChoice } from '../../../state/index.ts';
import { remedyPhrase, type Remedy, withRemedy } from '../../../state/document.ts';

export type Choose = (side: 'a' | 'b', stored: FormatChoice, remedy?: Remedy | null) => void;

/** Sets A or B, with the change that the format needs, and announces it. */
export function useChooseSide(): Choose {
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
