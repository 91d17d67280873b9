import type { PublishedLine } from '../../../kit/report/use-published.ts';

/** The card of the published speeds to show if the device has none. */
export const PUBLISHED_CARD = 'RTX 4090';

/** The cards of published speeds. */
export function cardsWith(published: readonly PublishedLine[]): readonly string[] {
  return [
    ...new Set(
      published.flatMap(({ figures }) =>
        figures.quantity === 'speed' && figures.device !== null ? [figures.device] : [],
      ),
    ),
  ];
}
