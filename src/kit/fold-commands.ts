import type { Command } from './command.ts';
import { type FoldEntry, requestedFold } from './frame/Folds.tsx';

/** A command for each fold (titled section) of a page. `words` find it, too; `leadsTo`: the page; `show` opens it. */
export const foldCommands = <Id extends string>(
  folds: readonly Pick<FoldEntry<Id>, 'id' | 'title'>[],
  words: Readonly<Record<Id, string>>,
  leadsTo: string,
  show: () => void,
): readonly Command[] =>
  folds.map(({ id, title }) => ({
    id: `fold-${id}`,
    group: 'Section',
    title,
    also: words[id],
    leadsTo,
    run() {
      show();
      requestedFold.setState(id, true);
    },
  }));
