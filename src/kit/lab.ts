import type { ComponentType } from 'react';
import type { AppPage } from './page.ts';
import type { FormatProvider } from './format-provider.ts';

/** What a lab, a folder of labs, adds to the application. Its `lab.ts` exports this; src/app/labs.ts lists it. */
export interface Lab {
  /** its pages; each replaces the page of the application with the same id, if there is one */
  readonly pages: readonly AppPage[];
  /** the source of formats outside the catalog */
  readonly provider?: FormatProvider;
  /** a link from a lesson to an exercise of the lab, by the exercise's `id` */
  readonly Exercise?: ComponentType<{ readonly id: string }>;
}

/** The pages `before` and `after`, a lab's pages between them; an `added` page replaces one with the same id. */
export function withLabPages<P extends { readonly id: string }>(
  before: readonly P[],
  added: readonly P[],
  after: readonly P[],
): readonly P[] {
  const pages = [...before, ...after];
  const replaced = (page: P): P => added.find(({ id }) => id === page.id) ?? page;
  const newPages = added.filter(({ id }) => !pages.some((page) => page.id === id));
  return [...before.map(replaced), ...newPages, ...after.map(replaced)];
}
