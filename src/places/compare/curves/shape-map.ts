import { isHeld } from '../../../theory/expected-bytes.ts';
import { relativeSize, type SizeQuestion, type Variant } from './variants.ts';

/** A cell of the map: the smallest format, and its size relative to dense. */
export interface MapCell {
  readonly density: number;
  /** null where nothing holds such a matrix */
  readonly winner: Variant | null;
  readonly size: number;
}

/** Densities of the map's columns. */
export const MAP_DENSITIES: readonly number[] = [
  0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95,
];

/** Shapes of language models, and small ones in which row starts matter. */
export const MAP_SHAPES: readonly (readonly [rows: number, cols: number])[] = [
  [4096, 64],
  [4096, 256],
  [1024, 1024],
  [2048, 5632],
  [4096, 4096],
  [4096, 11_008],
  [14_336, 4096],
  [8192, 28_672],
];

/** A row of the map before any format is compared. */
export const EMPTY_ROW: readonly MapCell[] = MAP_DENSITIES.map((density) => ({
  density,
  winner: null,
  size: Number.NaN,
}));

/** A row of the map with one more variant, which takes the cells in which it is smaller. O(densities). */
export function withVariant(row: readonly MapCell[], variant: Variant, question: SizeQuestion): readonly MapCell[] {
  return row.map((cell) => {
    const { density, winner } = cell;
    if (!isHeld(variant, density, question, question.placement)) return cell;
    const size = relativeSize(variant, density, question);
    return size < (winner === null ? Infinity : cell.size) ? { density, winner: variant, size } : cell;
  });
}

/** The column that is nearest to a share, by their ratio. */
export function columnNear(share: number): number {
  const away = (column: number): number => Math.abs(Math.log(MAP_DENSITIES[column] / share));
  return MAP_DENSITIES.reduce((best, _, column) => (away(column) < away(best) ? column : best), 0);
}
