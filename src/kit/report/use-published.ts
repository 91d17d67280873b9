import { useEffect, useState } from 'react';
import type { AnyListedFormat, PublishedFigures } from '../../core/format.ts';
import { formats as listed } from '../../formats/catalog.ts';
import { registerPart } from '../browser/lazy-part.ts';
import { whileMounted } from '../browser/while-mounted.ts';

// Loaded in advance, since charts show published figures also without a network.
for (const { published } of listed) if (published) registerPart(published);

/** Figures that authors published about a format, for a chart. */
export interface PublishedLine {
  readonly format: string;
  readonly figures: PublishedFigures;
}

/** Published speeds of the formats, loaded shortly after the page. */
export function usePublished(formats: readonly AnyListedFormat[]): readonly PublishedLine[] {
  const [published, setPublished] = useState<readonly PublishedLine[]>([]);
  useEffect(() => {
    const load = async (): Promise<readonly PublishedLine[]> => {
      const loaded = await Promise.all(
        formats.map(async (format) => {
          const figures: readonly PublishedFigures[] = (await format.published?.()) ?? [];
          return figures.map((f) => ({ format: format.id, figures: f }));
        }),
      );
      return loaded.flat();
    };
    // If loading fails, charts lack these figures.
    return whileMounted(load(), setPublished);
  }, [formats]);
  return published;
}
