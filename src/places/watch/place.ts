import type { Place } from '../../kit/place.ts';
import { placeState } from '../../state/index.ts';
import { WATCH, WATCH_FIELDS } from './address.ts';
import { stageCommands } from './commands.ts';
import { WatchPage } from './WatchPage.tsx';

/** The first screen: its page is part of the application's bundle. */
export const watch: Place = {
  ...WATCH,
  Page: WatchPage,
  isPlain: (doc) => placeState(doc, WATCH_FIELDS).visit === 'first',
  // A story multiplies by one vector, whatever is measured elsewhere.
  leavesOut: ['tokens'],
  commands: (context) => stageCommands(WATCH.id, context),
  finds: async () => (await import('./finds.ts')).FINDS,
};
