import type { Region } from '../../core/matrix/index.ts';
import type { Theme } from '../theme.ts';
import type { TileProvider } from './tile.ts';

/** The matrix of a spy plot (a picture of its non-zeros); its cells come from the provider. */
export interface SpyMatrix {
  readonly rows: number;
  readonly cols: number;
  /** largest finite |value|, the end of the value ramp */
  readonly absMax: number;
}

/** The cell under the pointer, or the bucket: neighbouring cells that are drawn as one. */
export interface SpyHover {
  readonly row: number;
  readonly col: number;
  /** cells: `value` is the cell's, 0 if it is not stored; density: the share of non-zeros of its bucket */
  readonly kind: 'cells' | 'density';
  readonly value: number;
  /** the cells of the bucket: one if `kind` is cells */
  readonly region: Region;
}

/** What a SpyView is created with. */
export interface SpyViewOptions {
  readonly theme: Theme;
  /** colour of the outline of the window: the part of the matrix that the animation works on */
  readonly formatColor: string;
  readonly reducedMotion: boolean;
  readonly provider: TileProvider;
  /** largest window that can be picked */
  readonly maxWindow: { readonly rows: number; readonly cols: number };
  readonly onHover?: (hover: SpyHover | null) => void;
  /** a person has drawn, moved, resized or placed a window */
  readonly onPickWindow?: (region: Region) => void;
  /** a note about the picture (cells that are not square); null for none */
  readonly onNote?: (note: string | null) => void;
  /** the region in view changed */
  readonly onView?: (view: SpyViewState) => void;
}

/** What is in view, and whether it can be zoomed. */
export interface SpyViewState {
  readonly region: Region;
  readonly kind: 'cells' | 'density';
  readonly canZoomIn: boolean;
  readonly canZoomOut: boolean;
}

/** Share of non-zeros per group of rows and per group of columns of the whole matrix, as the worker counts them. */
export interface SpyMarginals {
  readonly rowDensity: Float32Array;
  readonly colDensity: Float32Array;
}
