import { useState } from 'react';
import { useChoices } from '../../../src/kit/browser/choices.ts';
import { type DetailsEntry, Details } from '../../../src/kit/frame/Details.tsx';
import { type DetailsId, SHARED_FIELDS } from './fields.ts';

interface TabDetailsProps {
  readonly sections: readonly DetailsEntry<DetailsId>[];
  /** a failed details section is drawn again when this changes */
  readonly resetKey: string;
}

/** The details sections of a tab, which open and close; the address lists the open ones. */
export function TabDetails({ sections, resetKey }: TabDetailsProps) {
  const [{ fold: section }, choose] = useChoices(SHARED_FIELDS);
  const open = section.filter((name) => sections.some(({ id }) => id === name));
  // The details section that a link has opened.
  const [linked] = useState(open[0]);
  return (
    <div>
      <Details
        sections={sections}
        open={open}
        onOpen={(next) => choose({ fold: next })}
        {...(linked !== undefined && { linked })}
        resetKey={resetKey}
      />
    </div>
  );
}
