import type { Command } from './command.ts';
import { type DetailsEntry, requestedDetails } from './frame/Details.tsx';

/** Commands that open the details sections of a page, found by `searchWords`, too; `show` opens that page. */
export const detailsCommands = <Id extends string>(
  sections: readonly Pick<DetailsEntry<Id>, 'id' | 'title'>[],
  searchWords: Readonly<Record<Id, string>>,
  leadsTo: string,
  show: () => void,
): readonly Command[] =>
  sections.map(({ id, title }) => ({
    id: `fold-${id}`,
    group: 'Section',
    title,
    searchWords: searchWords[id],
    leadsTo,
    run() {
      show();
      requestedDetails.setState(id, true);
    },
  }));
