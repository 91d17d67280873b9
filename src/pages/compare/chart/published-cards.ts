import type { PublishedFigures } from '../../../core/format.ts';
import { listText } from '../../../core/text/words.ts';
import type { PublishedLine } from '../../../kit/report/use-published.ts';

/** The graphics card whose published speeds are shown if the shown device has none. */
export const FALLBACK_CARD = 'RTX 4090';

/** The graphics cards with published speeds. */
export function publishedCards(published: readonly PublishedLine[]): readonly string[] {
  const speeds = published.filter(({ figures }) => figures.quantity === 'speed');
  return [...new Set(speeds.flatMap(({ figures }) => figures.device ?? []))];
}

/** For each source of published figures, which a chart shows as squares: a note on what the squares show. */
export function publishedNotes(figures: readonly PublishedFigures[]): readonly string[] {
  return [...new Set(figures.map(({ source }) => source))].map((source) => {
    const shown = figures.filter((f) => f.source === source);
    const device = shown[0].device === null ? '' : `, ${shown[0].device}`;
    return `Squares: ${listText(shown.map(({ title }) => title))}${device}. Published by ${source}.`;
  });
}
