import { shortenedText } from '../../core/cut.ts';
import type { Region } from '../../core/matrix/index.ts';
import type { Theme } from '../theme.ts';
import { CameraControl } from './camera-control.ts';
import { WindowGesture } from './window-gesture.ts';
import { paintCursor, paintMarginals, paintWindow } from './spy-painter.ts';
import { watchPixelRatio } from '../stage-space.ts';
import { TileLayer } from './tile-layer.ts';
import { type Camera, cameraAt, type Size, Viewport } from './viewport.ts';
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
  /** the user has drawn, moved, resized or placed a window */
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

/** Space for the marginals (bars at the right and the lower edge) and the gap before them, px. */
const STRIP = { gap: 4, thickness: 14 } as const;
const ZOOM_STEP = 2;

/**
 * A spy plot of a matrix of any size on a canvas that fills `container`: cells from 3 px coloured by value, from 34 px
 * with numbers; smaller cells in buckets, by their share of non-zeros. Wheel, pinch and double click zoom, dragging
 * pans. The plot is never blank: coarser tiles stay until finer ones have arrived.
 */
export class SpyView {
  /** role="img"; set its aria-label */
  readonly canvas: HTMLCanvasElement;
  readonly #container: HTMLElement;
  readonly #context: CanvasRenderingContext2D;
  readonly #options: SpyViewOptions;
  readonly #tiles: TileLayer;
  readonly #gesture: WindowGesture;
  readonly #camera: CameraControl;
  readonly #resizeObserver: ResizeObserver;
  readonly #listeners = new AbortController();
  #theme: Theme;
  #formatColor: string;
  #reducedMotion: boolean;
  #matrix: SpyMatrix | null = null;
  #marginals: SpyMarginals | null = null;
  #window: Region | null = null;
  #cursor: { readonly row: number; readonly col: number } | null = null;
  /** whether a plain drag draws a window instead of panning */
  #isChoosing = false;
  #size: Size = { width: 0, height: 0 };
  #frame = 0;
  #pointer: { readonly x: number; readonly y: number } | null = null;
  #hover: SpyHover | null = null;
  #note: string | null = null;

  constructor(container: HTMLElement, options: SpyViewOptions) {
    this.#container = container;
    this.#options = options;
    this.#theme = options.theme;
    this.#formatColor = options.formatColor;
    this.#reducedMotion = options.reducedMotion;
    this.canvas = container.ownerDocument.createElement('canvas');
    this.canvas.setAttribute('role', 'img');
    this.canvas.style.display = 'block';
    container.append(this.canvas);
    const context = this.canvas.getContext('2d', { alpha: false });
    if (!context) throw new Error('canvas: found no 2D context, expected one; the page may contain too many canvases');
    this.#context = context;
    this.#tiles = new TileLayer({ provider: options.provider, theme: options.theme, onTile: () => this.#onCamera() });
    this.#gesture = new WindowGesture({
      maxWindow: options.maxWindow,
      viewport: () => this.#viewport(),
      window: () => this.#window,
      choosing: () => this.#isChoosing,
      onChange: () => this.#requestDraw(),
      onPick: (region) => options.onPickWindow?.(region),
    });
    // Listens before the camera, so that a press on the window does not also pan: see `isBusy`.
    this.#gesture.listen(this.canvas, this.#listeners.signal);
    this.#camera = new CameraControl(this.canvas, {
      isBusy: () => this.#gesture.active,
      onCamera: () => this.#onCamera(),
      onFlight: () => this.#requestDraw(),
    });
    this.#listen();
    this.#resizeObserver = new ResizeObserver(() => this.#onResize());
    this.#resizeObserver.observe(container);
    watchPixelRatio(() => this.#onResize(), this.#listeners.signal);
    this.#onResize();
  }

  /** Sets another matrix, or the same one with other cells: fits it into the view and requests new tiles. */
  setMatrix(matrix: SpyMatrix | null): void {
    this.#matrix = matrix && matrix.rows > 0 && matrix.cols > 0 ? matrix : null;
    this.#tiles.reset(matrix?.absMax ?? 0);
    this.#cursor = null;
    this.#window = null;
    this.#marginals = null;
    this.#camera.setSpace(this.#matrix, this.#plot, null);
    this.#requestDraw();
  }

  /** Share of non-zeros per group of rows and of columns, drawn as thin bars; null for none. */
  setMarginals(marginals: SpyMarginals | null): void {
    this.#marginals = marginals;
    this.#requestDraw();
  }

  /** The window: the part of the matrix that the animation shows; null for none. */
  setWindow(region: Region | null): void {
    this.#window = region;
    this.#requestDraw();
  }

  /** The cell focused by the keyboard, brought into view; null for none. */
  setCursor(cell: { readonly row: number; readonly col: number } | null): void {
    this.#cursor = cell;
    const viewport = this.#viewport();
    if (cell && viewport) {
      const { x, y, w, h } = viewport.rectOf({ row: cell.row, col: cell.col, rows: 1, cols: 1 });
      const { width, height } = viewport.plot;
      if (x < 0 || y < 0 || x + w > width || y + h > height) {
        const { k } = viewport.camera;
        this.#goTo(cameraAt(k, cell.col + 0.5, cell.row + 0.5, viewport.shape, viewport.plot));
      }
    }
    this.#requestDraw();
  }

  /** Whether a plain drag draws a window instead of panning. */
  setChoosing(isChoosing: boolean): void {
    this.#isChoosing = isChoosing;
    this.#gesture.updateCursor(this.canvas, this.#pointer);
    this.#updateTouch();
    this.#requestDraw();
  }

  setTheme(theme: Theme, formatColor: string): void {
    this.#theme = theme;
    this.#formatColor = formatColor;
    this.#tiles.setColors(theme);
    this.#requestDraw();
  }

  setReducedMotion(reducedMotion: boolean): void {
    this.#reducedMotion = reducedMotion;
  }

  zoomIn(): void {
    this.#zoomBy(ZOOM_STEP);
  }

  zoomOut(): void {
    this.#zoomBy(1 / ZOOM_STEP);
  }

  /** Shows the whole matrix. */
  fit(): void {
    this.#goTo({ k: 1, x: 0, y: 0 });
  }

  /** Removes the canvas and every listener. */
  dispose(): void {
    cancelAnimationFrame(this.#frame);
    this.#tiles.reset(0);
    this.#resizeObserver.disconnect();
    this.#listeners.abort();
    this.#camera.dispose();
    this.canvas.remove();
  }

  #listen(): void {
    const { signal } = this.#listeners;
    this.canvas.addEventListener(
      'pointermove',
      (event) => {
        this.#pointer = { x: event.offsetX, y: event.offsetY };
        this.#gesture.updateCursor(this.canvas, this.#pointer);
        this.#updateHover();
      },
      { signal },
    );
    this.canvas.addEventListener(
      'pointerleave',
      () => {
        this.#pointer = null;
        this.#updateHover();
      },
      { signal },
    );
    this.canvas.addEventListener(
      'dblclick',
      (event) => this.#zoomBy(event.shiftKey ? 1 / ZOOM_STEP : ZOOM_STEP, { x: event.offsetX, y: event.offsetY }),
      { signal },
    );
    this.canvas.ownerDocument.fonts.addEventListener('loadingdone', () => this.#requestDraw(), { signal });
  }

  /** Size of the plot, without the marginals. */
  get #plot(): Size {
    const strip = STRIP.gap + STRIP.thickness;
    return { width: Math.max(1, this.#size.width - strip), height: Math.max(1, this.#size.height - strip) };
  }

  #viewport(): Viewport | null {
    return this.#matrix && this.#size.width > 0 ? new Viewport(this.#matrix, this.#plot, this.#camera.camera) : null;
  }

  #goTo(camera: Camera): void {
    this.#camera.goTo(camera, !this.#reducedMotion);
  }

  #zoomBy(factor: number, around?: { readonly x: number; readonly y: number }): void {
    const { width, height } = this.#plot;
    this.#camera.zoomBy(factor, around ?? { x: width / 2, y: height / 2 }, !this.#reducedMotion);
  }

  #onResize(): void {
    const { clientWidth: width, clientHeight: height } = this.#container;
    const ratio = devicePixelRatio;
    if (width === 0 || height === 0) return;
    const sameSize = width === this.#size.width && height === this.#size.height;
    if (sameSize && this.canvas.width === Math.round(width * ratio)) return;
    // The cell in the middle stays in the middle.
    const middle = this.#viewport()?.middle() ?? null;
    this.#size = { width, height };
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    this.#camera.setSpace(this.#matrix, this.#plot, middle);
    // At once: a resized canvas is blank until it is drawn.
    this.#draw(performance.now());
  }

  #onCamera(): void {
    const viewport = this.#viewport();
    if (viewport) {
      this.#tiles.request(viewport);
      this.#updateHover();
      this.#report(viewport);
    }
    this.#updateTouch();
    this.#requestDraw();
  }

  /** Fingers scroll the page if there is nothing to pan and no window is drawn. */
  #updateTouch(): void {
    this.canvas.style.touchAction = this.#camera.canZoomOut || this.#isChoosing ? 'none' : 'pan-x pan-y';
  }

  /** Reports the visible region, and how cells are drawn if not square. */
  #report(viewport: Viewport): void {
    const ratio = Math.max(viewport.aspect, 1 / viewport.aspect);
    const direction = viewport.aspect > 1 ? 'taller than wide' : 'wider than tall';
    const ratioText = ratio < 10 ? ratio.toFixed(1) : Math.round(ratio).toLocaleString('en');
    const note = ratio > 1.01 ? `cells are drawn ${ratioText} times ${direction}` : null;
    if (note !== this.#note) {
      this.#note = note;
      this.#options.onNote?.(note);
    }
    this.#options.onView?.({
      region: viewport.visible(),
      kind: this.#tiles.kind,
      canZoomIn: this.#camera.canZoomIn,
      canZoomOut: this.#camera.canZoomOut,
    });
  }

  #updateHover(): void {
    const cell = this.#pointer && this.#viewport()?.cellAt(this.#pointer.x, this.#pointer.y);
    const reading = cell && this.#tiles.read(cell.row, cell.col);
    const hover = cell && reading ? { ...cell, ...reading } : null;
    const keyOf = (hovered: SpyHover | null): string =>
      hovered ? `${hovered.row} ${hovered.col} ${hovered.value} ${hovered.kind}` : '';
    if (keyOf(hover) === keyOf(this.#hover)) return;
    this.#hover = hover;
    this.#options.onHover?.(hover);
  }

  #requestDraw(): void {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame((time) => {
      this.#frame = 0;
      this.#camera.advance(time);
      const isFading = this.#draw(time);
      if (this.#camera.flying || isFading) this.#requestDraw();
    });
  }

  /** Draws everything and returns whether a tile is still fading in. */
  #draw(time: number): boolean {
    const ctx = this.#context;
    const ratio = devicePixelRatio;
    const theme = this.#theme;
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.globalAlpha = 1;
    ctx.fillStyle = theme.ground;
    ctx.fillRect(0, 0, this.#size.width, this.#size.height);
    const viewport = this.#viewport();
    if (!viewport) return false;
    const { width, height } = viewport.plot;
    ctx.save();
    ctx.beginPath();
    ctx.rect(0, 0, width, height);
    ctx.clip();
    const isFading = this.#tiles.paint(ctx, viewport, time, !this.#reducedMotion);
    ctx.restore();
    if (this.#marginals) paintMarginals(ctx, viewport, this.#marginals, STRIP, theme);
    // Outlines at the edge of the plot may extend 2 px beyond it.
    ctx.save();
    ctx.beginPath();
    ctx.rect(-2, -2, width + 4, height + 4);
    ctx.clip();
    this.#drawWindow(ctx, viewport);
    if (this.#cursor) paintCursor(ctx, viewport, this.#cursor.row, this.#cursor.col, theme);
    ctx.restore();
    return isFading;
  }

  #drawWindow(ctx: CanvasRenderingContext2D, viewport: Viewport): void {
    const drawn = this.#gesture.drawn;
    const region = drawn ?? this.#window;
    if (!region) return;
    const label = shortenedText(region);
    paintWindow(ctx, viewport, region, { color: this.#formatColor, theme: this.#theme, label, live: drawn !== null });
  }
}
