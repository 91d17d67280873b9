import { useEffect, useState } from 'react';
import type { AnyListedFormat, PublishedFigures, Shape } from '../../core/format.ts';
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

/** About the least number of rows and of columns of a layer of which figures were published. */
const MIN_LAYER_SIDE = 1024;

/** Whether published figures, which are of layers of language models, apply to a matrix of this shape. */
function isLikeALayer({ rows, cols }: Shape): boolean {
  return Math.min(rows, cols) >= MIN_LAYER_SIDE;
}

const NONE: readonly PublishedLine[] = [];

/**
 * Published figures of the formats that apply to this matrix, loaded shortly after the page: none for a matrix that is
 * not like a layer; 'any': all.
 */
export function usePublished(
  formats: readonly AnyListedFormat[],
  matrix: Shape | 'any' | null,
): readonly PublishedLine[] {
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
  return matrix === 'any' || (matrix !== null && isLikeALayer(matrix)) ? published : NONE;
}
