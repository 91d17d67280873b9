import type { Command } from './command.ts';
import { type FoldEntry, requestedFold } from './frame/Folds.tsx';

/** A command for each fold (a part of the details) of a place, with further words for it; `leadsTo` names the place, and `show` goes there. */
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
