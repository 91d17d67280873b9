import type { Command } from './command.ts';
import { type FoldEntry, requestedFold } from './frame/Folds.tsx';

/** Commands that open the details sections of a page, found by `searchWords`, too; `show` opens that page. */
export const foldCommands = <Id extends string>(
  folds: readonly Pick<FoldEntry<Id>, 'id' | 'title'>[],
  searchWords: Readonly<Record<Id, string>>,
  leadsTo: string,
  show: () => void,
): readonly Command[] =>
  folds.map(({ id, title }) => ({
    id: `fold-${id}`,
    group: 'Section',
    title,
    searchWords: searchWords[id],
    leadsTo,
    run() {
      show();
      requestedFold.setState(id, true);
    },
  }));
