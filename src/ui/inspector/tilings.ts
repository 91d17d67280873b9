import type { AnyFormat } from '../../core/format.ts';
import { denseMatrix } from '../../core/matrix/index.ts';
import type { Tiling } from '../../theory/overflow-odds.ts';
import { paramFields } from '../../state/index.ts';

type Params = Readonly<Record<string, unknown>>;

/**
 * How a format that cuts rows into tiles cuts rows of `cols` columns; null for every other, and for one whose tile rows
 * hold all that they can have. What a tile row holds is what the format admits of a row that is one tile, by bisection:
 * nothing here knows how it packs. O(tileWidth log tileWidth).
 */
export function tilingOf(format: AnyFormat, params: Params, cols: number): Tiling | null {
  const width = format.tileWidth?.(params);
  if (width === undefined || cols === 0) return null;
  const holds = (count: number): boolean =>
    format.admits(denseMatrix(1, width, new Float32Array(width).fill(1, 0, count)), params).ok;
  let capacity = 0;
  let tooMany = width + 1;
  while (tooMany - capacity > 1) {
    const middle = Math.floor((capacity + tooMany) / 2);
    if (holds(middle)) capacity = middle;
    else tooMany = middle;
  }
  return capacity < width ? { cols, width, capacity } : null;
}

/** One option of a parameter, with the tiling that it would make. */
export interface TilingOption {
  readonly label: string;
  readonly tiling: Tiling;
  /** the option that is set now */
  readonly current: boolean;
}

/** A parameter that changes how full a tile row may get. */
export interface TilingComparison {
  readonly name: string;
  readonly label: string;
  readonly options: readonly TilingOption[];
}

/** Every choice parameter whose options differ in width or capacity, the one with the most options first. */
export function tilingComparisons(format: AnyFormat, params: Params, cols: number): readonly TilingComparison[] {
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
