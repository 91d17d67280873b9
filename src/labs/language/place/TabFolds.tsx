import { useState } from 'react';
import { useChoices } from '../../../kit/browser/choices.ts';
import { type FoldEntry, Folds } from '../../../kit/frame/Folds.tsx';
import { type FoldId, PLACE_FIELDS } from './fields.ts';

interface TabFoldsProps {
  readonly folds: readonly FoldEntry<FoldId>[];
  /** a fold that failed is tried again when this changes */
  readonly resetKey: string;
}

/** The details of a tab; the address says which folds are open. */
export function TabFolds({ folds, resetKey }: TabFoldsProps) {
  const [{ fold }, choose] = useChoices(PLACE_FIELDS);
  const open = fold.filter((one) => folds.some(({ id }) => id === one));
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
