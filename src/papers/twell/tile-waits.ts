import type { Shape } from '../../core/format.ts';

/** Which tiles of h, the activations inside a feed-forward block, must be finished before a format can store a tile. */
type TileDependency = 'rows above' | 'own row' | 'nothing';

/** What a tile of h waits for in one format. */
interface FormatDependency {
  readonly format: string;
  readonly waits: TileDependency;
  /** the same in words, for the picture */
  readonly says: string;
}

/** What a tile waits for in each format, from the longest wait to none. */
export const FORMAT_DEPENDENCIES: readonly FormatDependency[] = [
  { format: 'macko', waits: 'rows above', says: 'after all before it' },
  { format: 'csr', waits: 'rows above', says: 'after all before it' },
  { format: 'hybrid', waits: 'own row', says: 'after its whole row' },
  { format: 'twell', waits: 'nothing', says: 'at once' },
];

/** A tile of the picture, by row and column of tiles. */
export interface Tile {
  readonly row: number;
  readonly col: number;
}

/** Whether a tile has to be finished before `at` can be written. */
export function isNeededBefore(waits: TileDependency, tile: Tile, at: Tile): boolean {
  if (tile.row === at.row && tile.col === at.col) return false;
  if (waits === 'nothing') return false;
  if (waits === 'own row') return tile.row === at.row;
  return tile.row < at.row || (tile.row === at.row && tile.col < at.col);
}

/** How many tiles, of one row and `tileWidth` columns each, the last one of a matrix waits for. */
export function tilesBefore(waits: TileDependency, { rows, cols }: Shape, tileWidth: number): number {
  const across = Math.ceil(cols / tileWidth);
  if (waits === 'nothing') return 0;
  return (waits === 'own row' ? across : rows * across) - 1;
}
