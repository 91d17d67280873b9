import type { Command } from './command.ts';
import { type FoldEntry, requestedFold } from './frame/Folds.tsx';

/** A command per fold of a place, with further words that find it; `show` brings the place onto the page. */
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
