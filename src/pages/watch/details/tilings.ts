import type { AnyListedFormat } from '../../../core/format.ts';
import type { Tiling } from '../../../theory/overflow-odds.ts';
import { paramFields } from '../../../state/index.ts';

type Params = Readonly<Record<string, unknown>>;

/** How a format divides rows of `cols` columns into tiles; null without tiles, or if no tile can overflow. */
export function tilingOf(format: AnyListedFormat, params: Params, cols: number): Tiling | null {
  const tiles = format.tiles?.(params);
  return tiles && cols > 0 && tiles.capacity < tiles.width ? { cols, ...tiles } : null;
}

interface TilingOption {
  readonly label: string;
  readonly tiling: Tiling;
  readonly current: boolean;
}

/**
 * A parameter that changes the width of tiles, or how many non-zeros of a row fit in a tile, with a tiling for each
 * option.
 */
export interface TilingComparison {
  readonly name: string;
  readonly label: string;
  readonly options: readonly TilingOption[];
}

/** Every choice parameter whose options differ in width or capacity of tiles, by descending number of options. */
export function tilingComparisons(format: AnyListedFormat, params: Params, cols: number): readonly TilingComparison[] {
  const comparisons: TilingComparison[] = [];
  for (const [name, field] of paramFields(format.params)) {
    if (field.kind !== 'choice') continue;
    const options = field.options.flatMap(({ value, label }) => {
      const changed = { ...params, [name]: value };
      const tiling = (format.unusable?.(changed) ?? null) === null ? tilingOf(format, changed, cols) : null;
      return tiling ? [{ label, tiling, current: params[name] === value }] : [];
    });
    if (new Set(options.map(({ tiling }) => `${tiling.width} ${tiling.capacity}`)).size < 2) continue;
    comparisons.push({ name, label: field.label, options });
  }
  return comparisons.toSorted((a, b) => b.options.length - a.options.length);
}
