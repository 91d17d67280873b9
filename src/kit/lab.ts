import type { ComponentType } from 'react';
import type { FormatProvider } from './format-provider.ts';
import type { Place } from './place.ts';

/** What a folder of src/labs adds to the page: `lab.ts` exports it, and one line of src/app/labs.ts lists it. */
export interface Lab {
  /** pages such as Compare; one with the id of a page of the application replaces it */
  readonly places: readonly Place[];
  /** the source of formats outside the catalog */
  readonly provider?: FormatProvider;
  /** a link from a lesson to an exercise of the lab, by its number */
  readonly Exercise?: ComponentType<{ readonly id: string }>;
}

/** The places `before` and `after` with the `added` ones between them; an added one replaces a place with its id. */
export function withLabPlaces<P extends { readonly id: string }>(
  before: readonly P[],
  added: readonly P[],
  after: readonly P[],
): readonly P[] {
  const own = [...before, ...after];
  const replaced = (place: P): P => added.find(({ id }) => id === place.id) ?? place;
  const others = added.filter(({ id }) => !own.some((place) => place.id === id));
  return [...before.map(replaced), ...others, ...after.map(replaced)];
}
