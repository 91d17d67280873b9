import { lazyPart, loadLater } from '../../kit/browser/lazy-part.ts';
import type { Place } from '../../kit/place.ts';
import { VISUALIZE } from './address.ts';
import { stageCommands } from './commands.ts';
import { VisualizePage } from './VisualizePage.tsx';

const keys = async () => (await import('./matrix/matrix-keys.ts')).MATRIX_KEYS;
loadLater(keys);

/** The first screen: its page is part of the application's bundle. */
export const visualize: Place = {
  ...VISUALIZE,
  Page: VisualizePage,
  First: lazyPart(async () => (await import('./FirstMinute.tsx')).FirstMinute),
  commands: (context) => stageCommands(VISUALIZE.id, context),
  keys,
};
