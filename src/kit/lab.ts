import type { Place } from './place.ts';

/** What a folder of src/labs adds to the page: `lab.ts` exports it, and one line of src/app/labs.ts lists it. */
export interface Lab {
  readonly places: readonly Place[];
}
