import { binomialTail } from '../../core/statistics.ts';

/**
 * P(at least one tile of a row overflows) if non-zeros fell independently, with a mean of `perRow` in `cols` columns cut
 * into tiles of `tileWidth`. 0.03 at 400 and 0.5 at 500 of 5632 columns with tiles of 256 and 31 places. O(tileWidth).
 */
export function rowOverflowOdds(perRow: number, cols: number, tileWidth: number, capacity: number): number {
  if (cols === 0) return 0;
  const p = perRow / cols;
  const fullTiles = Math.floor(cols / tileWidth);
  // A tile without columns never overflows, and log1p(-1) times no tile is no number.
  const full = fullTiles === 0 ? 0 : fullTiles * Math.log1p(-binomialTail(tileWidth, p, capacity));
  return -Math.expm1(full + Math.log1p(-binomialTail(cols % tileWidth, p, capacity)));
}
