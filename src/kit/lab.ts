import type { ComponentType } from 'react';
import type { FormatProvider } from './format-provider.ts';
import type { Place } from './place.ts';

/** What a folder of src/labs adds to the page: `lab.ts` exports it, and one line of src/app/labs.ts lists it. */
export interface Lab {
  /** One with the id of a place of the house is shown in its place. */
  readonly places: readonly Place[];
  /** where formats come from that are not in the catalog */
  readonly provider?: FormatProvider;
  /** a link from a lesson to an exercise of the lab, by its number */
  readonly Exercise?: ComponentType<{ readonly id: string }>;
}
