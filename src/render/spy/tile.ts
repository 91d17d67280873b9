import type { Region } from '../../core/matrix/index.ts';

/** A part of the matrix as a picture of width x height buckets. The worker's SpyRequest is one. */
export interface TileRequest {
  readonly region: Region;
  readonly width: number;
  readonly height: number;
}

/** The answer. The worker's SpyTile is one. */
export interface Tile {
  readonly region: Region;
  readonly width: number;
  readonly height: number;
  /** cells: one bucket per cell, `buckets` holds values. density: share of non-zeros per bucket. */
  readonly kind: 'cells' | 'density';
  /** row-major, length width * height */
  readonly buckets: Float32Array;
}

export type TileProvider = (request: TileRequest) => Promise<Tile>;
