import { useState } from 'react';
import { useChoices } from '../../../src/kit/browser/choices.ts';
import { type FoldEntry, Folds } from '../../../src/kit/frame/Folds.tsx';
import { type FoldId, SHARED_FIELDS } from './fields.ts';

interface TabFoldsProps {
  readonly folds: readonly FoldEntry<FoldId>[];
  /** a fold that failed is drawn again when this changes */
  readonly resetKey: string;
}

/** The folds of a tab, sections that open and close; the address says which are open. */
export function TabFolds({ folds, resetKey }: TabFoldsProps) {
  const [{ fold }, choose] = useChoices(SHARED_FIELDS);
  const open = fold.filter((name) => folds.some(({ id }) => id === name));
  // The fold that a link has opened.
  const [linked] = useState(open[0]);
  return (
    <div>
      <Folds
        folds={folds}
        open={open}
        onOpen={(next) => choose({ fold: next })}
        {...(linked !== undefined && { linked })}
        resetKey={resetKey}
      />
    </div>
  );
}
