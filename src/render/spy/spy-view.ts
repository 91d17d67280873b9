import type { Region } from '../../core/matrix/index.ts';
import type { Theme } from '../theme.ts';
import type { TileProvider } from './tile.ts';

/** The matrix to be shown; its cells come through the provider. */
export interface SpyMatrix {
  readonly rows: number;
  readonly cols: number;
  /** largest finite |value|, the end of the value ramp */
  readonly absMax: number;
}

/** What is under the pointer. */
export interface SpyHover {
  readonly row: number;
  readonly col: number;
  /** in 'cells' the cell's value (0: not stored); in 'density' the share of non-zeros of its bucket */
  readonly kind: 'cells' | 'density';
  readonly value: number;
  /** the bucket: one cell in 'cells' */
  readonly region: Region;
}

export interface SpyViewOptions {
  readonly theme: Theme;
  /** outline of the animation's window */
  readonly formatColor: string;
  readonly reducedMotion: boolean;
  readonly provider: TileProvider;
  /** largest window that can be picked */
  readonly maxWindow: { readonly rows: number; readonly cols: number };
  readonly onHover?: (hover: SpyHover | null) => void;
  /** a window was drawn (shift and drag, or mode 'choose-window'), moved, or clicked into place */
  readonly onPickWindow?: (region: Region) => void;
  /** what the picture cannot say by itself (cells that are not square); null when there is nothing */
  readonly onNote?: (note: string | null) => void;
  /** the region in view changed */
  readonly onView?: (view: SpyViewState) => void;
  /** the provider failed; the last picture stays */
  readonly onError?: (error: unknown) => void;
}

export interface SpyViewState {
  readonly region: Region;
  readonly kind: 'cells' | 'density';
  readonly canZoomIn: boolean;
  readonly canZoomOut: boolean;
}

export type SpyMode = 'pan' | 'choose-window';

/** A spy plot of a matrix of any size on a canvas that fills `container`. */
export class SpyView {
  /** role="img"; set its aria-label */
  readonly canvas: HTMLCanvasElement;

  constructor(container: HTMLElement, options: SpyViewOptions) {
    void options;
    this.canvas = container.ownerDocument.createElement('canvas');
    this.canvas.setAttribute('role', 'img');
    container.append(this.canvas);
  }

  /** Another matrix, or the same one with other cells: fits it and asks for new tiles. */
  setMatrix(matrix: SpyMatrix | null): void {
    void matrix;
  }

  /** Share of non-zeros per group of rows and of columns, drawn as thin bars; null for none. */
  setMarginals(marginals: { readonly rowDensity: Float32Array; readonly colDensity: Float32Array } | null): void {
    void marginals;
  }

  /** The window that the animation works on; null for none. */
  setWindow(region: Region | null): void {
    void region;
  }

  /** The focused cell of a keyboard walk, brought into view; null for none. */
  setCursor(cell: { readonly row: number; readonly col: number } | null): void {
    void cell;
  }

  setMode(mode: SpyMode): void {
    void mode;
  }

  setTheme(theme: Theme, formatColor: string): void {
    void theme;
    void formatColor;
  }

  setReducedMotion(reducedMotion: boolean): void {
    void reducedMotion;
  }

  zoomIn(): void {}
  zoomOut(): void {}
  /** The whole matrix. */
  fit(): void {}
  /** Brings a region into view, as large as it fits. */
  zoomTo(region: Region): void {
    void region;
  }

  /** Removes the canvas and every listener. */
  dispose(): void {
    this.canvas.remove();
  }
}
