import type { Shape } from '../../core/format.ts';

/** What of h has to be finished before a value of one of its tiles has a place. */
type Waits = 'rows above' | 'own row' | 'nothing';

/** A format, and what its values wait for. */
interface Written {
  readonly format: string;
  readonly waits: Waits;
  /** in the picture */
  readonly says: string;
}

/** From the one that waits longest to the one that does not. */
export const WRITTEN: readonly Written[] = [
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
export function isWaitedFor(waits: Waits, tile: Tile, at: Tile): boolean {
  if (tile.row === at.row && tile.col === at.col) return false;
  if (waits === 'nothing') return false;
  if (waits === 'own row') return tile.row === at.row;
  return tile.row < at.row || (tile.row === at.row && tile.col < at.col);
}

/** How many tiles the last one of a matrix waits for. */
export function tilesBefore(waits: Waits, { rows, cols }: Shape, tileWidth: number): number {
  const across = Math.ceil(cols / tileWidth);
  if (waits === 'nothing') return 0;
  return (waits === 'own row' ? across : rows * across) - 1;
}
