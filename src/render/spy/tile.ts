import type { Region } from '../../core/matrix/index.ts';

/** A part of the matrix as a picture of width x height buckets. The worker's SpyRequest is one. */
export interface TileRequest {
  readonly region: Region;
  readonly width: number;
  readonly height: number;
}

/** The answer, whose region may have grown to whole buckets. The worker's SpyTile is one. */
export interface Tile {
  readonly region: Region;
  readonly width: number;
  readonly height: number;
  /**
   * bucket (i, j) covers the cells from row + i * rowsPerBucket and col + j * colsPerBucket; the last may be cut off
   */
  readonly rowsPerBucket: number;
  readonly colsPerBucket: number;
  /** cells: one bucket per cell, `buckets` holds values. density: share of non-zeros per bucket. */
  readonly kind: 'cells' | 'density';
  /** row-major, length width * height */
  readonly buckets: Float32Array;
}

export type TileProvider = (request: TileRequest) => Promise<Tile>;

export function sameRequest(a: TileRequest, b: TileRequest): boolean {
  return (
    a.width === b.width &&
    a.height === b.height &&
    a.region.row === b.region.row &&
    a.region.col === b.region.col &&
    a.region.rows === b.region.rows &&
    a.region.cols === b.region.cols
  );
}
