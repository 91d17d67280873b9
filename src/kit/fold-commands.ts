import type { Command } from './command.ts';
import { type FoldEntry, requestedFold } from './frame/Folds.tsx';

/** A command for each fold (a part of the details) of a place, with further words for it; `show` goes to the place. */
export const foldCommands = <Id extends string>(
  folds: readonly Pick<FoldEntry<Id>, 'id' | 'title'>[],
  words: Readonly<Record<Id, string>>,
  leads: string,
  show: () => void,
): readonly Command[] =>
  folds.map(({ id, title }) => ({
    id: `fold-${id}`,
    group: 'Section',
    title,
    also: words[id],
    leads,
    run() {
      show();
      requestedFold.setState(id, true);
    },
  }));
