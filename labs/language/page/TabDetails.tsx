import { useState } from 'react';
import { useChoices } from '../../../src/kit/browser/choices.ts';
import { type DetailsEntry, Details } from '../../../src/kit/frame/Details.tsx';
import { type DetailsId, SHARED_FIELDS } from './fields.ts';

interface TabDetailsProps {
  readonly folds: readonly DetailsEntry<DetailsId>[];
  /** a failed details section is drawn again when this changes */
  readonly resetKey: string;
}

/** The details sections of a tab, which open and close; the address lists the open ones. */
export function TabDetails({ folds, resetKey }: TabDetailsProps) {
  const [{ fold }, choose] = useChoices(SHARED_FIELDS);
  const open = fold.filter((name) => folds.some(({ id }) => id === name));
  // The details section that a link has opened.
  const [linked] = useState(open[0]);
  return (
    <div>
      <Details
        folds={folds}
        open={open}
        onOpen={(next) => choose({ fold: next })}
        {...(linked !== undefined && { linked })}
        resetKey={resetKey}
      />
    </div>
  );
}
