import { useState } from 'react';
import { useChoices } from '../../../src/kit/browser/choices.ts';
import { type FoldEntry, Folds } from '../../../src/kit/frame/Folds.tsx';
import { type FoldId, SHARED_FIELDS } from './fields.ts';

interface TabFoldsProps {
  readonly folds: readonly FoldEntry<FoldId>[];
  /** a failed details section is drawn again when this changes */
  readonly resetKey: string;
}

/** The details sections of a tab, which open and close; the address lists the open ones. */
export function TabFolds({ folds, resetKey }: TabFoldsProps) {
  const [{ fold }, choose] = useChoices(SHARED_FIELDS);
  const open = fold.filter((name) => folds.some(({ id }) => id === name));
  // The details section that a link has opened.
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
