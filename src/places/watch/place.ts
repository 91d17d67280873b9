import { loadLater } from '../../kit/browser/lazy-part.ts';
import type { Place } from '../../kit/place.ts';
import { WATCH } from './address.ts';
import { stageCommands } from './commands.ts';
import { WatchPage } from './WatchPage.tsx';

const keys = async () => (await import('./stage/editing-keys.ts')).EDITING_KEYS;
loadLater(keys);

/** The first screen: its page is part of the application's bundle. */
export const watch: Place = {
  ...WATCH,
  Page: WatchPage,
  commands: (context) => stageCommands(WATCH.id, context),
  keys,
};
