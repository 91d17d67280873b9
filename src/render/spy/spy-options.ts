import type { Region } from '../../core/matrix/index.ts';
import type { Theme } from '../theme.ts';
import type { TileProvider } from './tile.ts';

/** The matrix to show; its cells come from the provider. */
export interface SpyMatrix {
  readonly rows: number;
  readonly cols: number;
  /** largest finite |value|, the end of the value ramp */
  readonly absMax: number;
}

/** The cell or the bucket of cells under the pointer. */
export interface SpyHover {
  readonly row: number;
  readonly col: number;
  /** in 'cells' the cell's value (0: not stored); in 'density' the share of non-zeros of its bucket */
  readonly kind: 'cells' | 'density';
  readonly value: number;
  /** the bucket: one cell in 'cells' */
  readonly region: Region;
}

/** What a SpyView is created with. */
export interface SpyViewOptions {
  readonly theme: Theme;
  /** outline of the animation's window */
  readonly formatColor: string;
  readonly reducedMotion: boolean;
  readonly provider: TileProvider;
  /** largest window that can be picked */
  readonly maxWindow: { readonly rows: number; readonly cols: number };
  readonly onHover?: (hover: SpyHover | null) => void;
  /** a cell was clicked or tapped */
  readonly onSelect?: (cell: { readonly row: number; readonly col: number }) => void;
  /** a window was drawn (shift and drag, or mode 'choose-window'), moved, resized, or clicked into place */
  readonly onPickWindow?: (region: Region) => void;
  /** a note about the picture (cells that are not square); null for none */
  readonly onNote?: (note: string | null) => void;
  /** the region in view changed */
  readonly onView?: (view: SpyViewState) => void;
  /** the provider failed; the last picture stays */
  readonly onError?: (error: unknown) => void;
}

/** What is in view, and whether it can be zoomed. */
export interface SpyViewState {
  readonly region: Region;
  readonly kind: 'cells' | 'density';
  readonly canZoomIn: boolean;
  readonly canZoomOut: boolean;
}

/** Share of non-zeros per group of rows and per group of columns, over the whole matrix, as the worker's `Marginals`. */
export interface SpyMarginals {
  readonly rowDensity: Float32Array;
  readonly colDensity: Float32Array;
}

/** What a plain drag does: move the view, or draw a window. */
export type SpyMode = 'pan' | 'choose-window';
