import { useEffect, useState } from 'react';
import type { AnyListedFormat, PublishedFigures } from '../../core/format.ts';
import { formats as listed } from '../../formats/catalog.ts';
import { loadLater } from '../browser/lazy-part.ts';

// The published squares are also available without a network.
for (const { published } of listed) if (published) loadLater(published);

/** Published figures with their format. */
export interface PublishedLine {
  readonly format: string;
  readonly figures: PublishedFigures;
}

/** Published speeds of the formats, loaded shortly after the page. */
export function usePublished(formats: readonly AnyListedFormat[]): readonly PublishedLine[] {
  const [published, setPublished] = useState<readonly PublishedLine[]>([]);
  useEffect(() => {
    let wanted = true;
    const load = async (): Promise<void> => {
      const loaded = await Promise.all(
        formats.map(async (format) => {
          const figures: readonly PublishedFigures[] = (await format.published?.()) ?? [];
          return figures.map((f) => ({ format: format.id, figures: f }));
        }),
      );
      if (wanted) setPublished(loaded.flat());
    };
    // Without it only the squares are missing.
    load().catch(() => {});
    return () => {
      wanted = false;
    };
  }, [formats]);
  return published;
}
