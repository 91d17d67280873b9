import { select } from 'd3-selection';
import { zoom, type ZoomBehavior, zoomIdentity, type ZoomTransform } from 'd3-zoom';
import type { Region } from '../../core/matrix/index.ts';
import { ease } from '../paint/motion.ts';
import type { Theme } from '../theme.ts';
import { PickGesture } from './pick-gesture.ts';
import {
  bucketOf,
  paintCursor,
  paintLines,
  paintMarginals,
  paintNumerals,
  paintTile,
  paintWindow,
  tileImage,
  type TileImage,
} from './spy-painter.ts';
import type { Tile, TileProvider, TileRequest } from './tile.ts';
import { type ColorBy, TileColors } from './tile-colors.ts';
import { planOverview, planTile, serves } from './tile-plan.ts';
import { TileSource } from './tile-source.ts';
import {
  type Camera,
  cameraAt,
  cameraFor,
  constrain,
  fittedCell,
  largestZoom,
  type Size,
  Viewport,
} from './viewport.ts';

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
  /** what the colour of a cell says; default 'sign' */
  readonly colorBy?: ColorBy;
  readonly onHover?: (hover: SpyHover | null) => void;
  /** a cell was clicked or tapped */
  readonly onSelect?: (cell: { readonly row: number; readonly col: number }) => void;
  /** a window was drawn (shift and drag, or mode 'choose-window'), moved, resized, or clicked into place */
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

/** Room for the marginals at the right and the lower edge: the bars and the gap before them, px. */
const STRIP = { gap: 4, thickness: 14 } as const;
const ZOOM_STEP = 2;
const CAMERA_MS = 260;
const FADE_MS = 140;

/**
 * A spy plot of a matrix of any size on a canvas that fills `container`: share of non-zeros per bucket, cells
 * coloured by value from 3 px, numerals from 34 px. Wheel, pinch and double click zoom, dragging pans. The picture is
 * never blank: coarser tiles stay until finer ones have come.
 */
export class SpyView {
  /** role="img"; set its aria-label */
  readonly canvas: HTMLCanvasElement;
  readonly #container: HTMLElement;
  readonly #context: CanvasRenderingContext2D;
  readonly #options: SpyViewOptions;
  readonly #zoom: ZoomBehavior<HTMLCanvasElement, unknown>;
  readonly #source: TileSource;
  readonly #pick: PickGesture;
  readonly #resizeObserver: ResizeObserver;
  readonly #listeners = new AbortController();
  #theme: Theme;
  #formatColor: string;
  #colorBy: ColorBy;
  #colors: TileColors;
  #reducedMotion: boolean;
  #matrix: SpyMatrix | null = null;
  #marginals: { readonly rowDensity: Float32Array; readonly colDensity: Float32Array } | null = null;
  #window: Region | null = null;
  #cursor: { readonly row: number; readonly col: number } | null = null;
  #mode: SpyMode = 'pan';
  #size: Size = { width: 0, height: 0 };
  #camera: Camera = { k: 1, x: 0, y: 0 };
  #overview: TileImage | null = null;
  #tile: TileImage | null = null;
  #before: TileImage | null = null;
  #fadeStart = 0;
  #flight: { readonly from: Camera; readonly to: Camera; readonly start: number } | null = null;
  #frame = 0;
  #pointer: { readonly x: number; readonly y: number } | null = null;
  #hover: SpyHover | null = null;
  #note: string | null = null;

  constructor(container: HTMLElement, options: SpyViewOptions) {
    this.#container = container;
    this.#options = options;
    this.#theme = options.theme;
    this.#formatColor = options.formatColor;
    this.#colorBy = options.colorBy ?? 'sign';
    this.#colors = new TileColors(options.theme, this.#colorBy);
    this.#reducedMotion = options.reducedMotion;
    this.canvas = container.ownerDocument.createElement('canvas');
    this.canvas.setAttribute('role', 'img');
    this.canvas.style.cssText = 'display: block; touch-action: none';
    container.append(this.canvas);
    const context = this.canvas.getContext('2d', { alpha: false });
    if (!context) throw new Error('canvas: found no 2D context, expected one; the page may hold too many canvases');
    this.#context = context;
    this.#source = new TileSource(
      options.provider,
      (tile, request) => this.#onTile(tile, request),
      (error) => options.onError?.(error),
    );
    this.#pick = new PickGesture({
      maxWindow: options.maxWindow,
      viewport: () => this.#viewport(),
      window: () => this.#window,
      choosing: () => this.#mode === 'choose-window',
      onChange: () => this.#requestDraw(),
      onPick: (region) => options.onPickWindow?.(region),
    });
    // The picker hears of a press before d3-zoom does, and keeps what is its own.
    this.#pick.listen(this.canvas, this.#listeners.signal);
    this.#zoom = zoom<HTMLCanvasElement, unknown>()
      .filter((event: MouseEvent) => (!event.ctrlKey || event.type === 'wheel') && !event.button && !this.#pick.active)
      .clickDistance(4)
      .on('zoom', (event: { transform: ZoomTransform; sourceEvent: unknown }) => {
        if (event.sourceEvent !== null && event.sourceEvent !== undefined) this.#flight = null;
        this.#camera = event.transform;
        this.#onCamera();
      });
    this.#zoom.constrain((transform) => this.#constrained(transform));
    select(this.canvas).call(this.#zoom).on('dblclick.zoom', null);
    this.#listen();
    this.#resizeObserver = new ResizeObserver(() => this.#onResize());
    this.#resizeObserver.observe(container);
    this.#onResize();
  }

  /** Another matrix, or the same one with other cells: fits it and asks for new tiles. */
  setMatrix(matrix: SpyMatrix | null): void {
    this.#matrix = matrix && matrix.rows > 0 && matrix.cols > 0 ? matrix : null;
    this.#source.reset();
    this.#overview = null;
    this.#tile = null;
    this.#before = null;
    this.#cursor = null;
    this.#window = null;
    this.#marginals = null;
    this.#flight = null;
    this.#prepareZoom();
    this.#apply(zoomIdentity);
    this.#requestDraw();
  }

  /** Share of non-zeros per group of rows and of columns, drawn as thin bars; null for none. */
  setMarginals(marginals: { readonly rowDensity: Float32Array; readonly colDensity: Float32Array } | null): void {
    this.#marginals = marginals;
    this.#requestDraw();
  }

  /** The window that the animation works on; null for none. */
  setWindow(region: Region | null): void {
    this.#window = region;
    this.#requestDraw();
  }

  /** The focused cell of a keyboard walk, brought into view; null for none. */
  setCursor(cell: { readonly row: number; readonly col: number } | null): void {
    this.#cursor = cell;
    const viewport = this.#viewport();
    if (cell && viewport) {
      const { x, y, w, h } = viewport.rectOf({ row: cell.row, col: cell.col, rows: 1, cols: 1 });
      const { width, height } = viewport.plot;
      if (x < 0 || y < 0 || x + w > width || y + h > height) {
        this.#flyTo(cameraAt(this.#camera.k, cell.col + 0.5, cell.row + 0.5, viewport.shape, viewport.plot));
      }
    }
    this.#requestDraw();
  }

  setMode(mode: SpyMode): void {
    this.#mode = mode;
    this.#pick.updateCursor(this.canvas, this.#pointer);
    this.#requestDraw();
  }

  setColorBy(colorBy: ColorBy): void {
    this.#colorBy = colorBy;
    this.#recolor();
  }

  setTheme(theme: Theme, formatColor: string): void {
    this.#theme = theme;
    this.#formatColor = formatColor;
    this.#recolor();
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

  /** The whole matrix. */
  fit(): void {
    const viewport = this.#viewport();
    if (viewport) this.#flyTo(constrain({ k: 1, x: 0, y: 0 }, viewport.shape, viewport.plot));
  }

  /** Brings a region into view, as large as it fits. */
  zoomTo(region: Region): void {
    const viewport = this.#viewport();
    if (viewport) this.#flyTo(cameraFor(region, viewport.shape, viewport.plot));
  }

  /** Removes the canvas and every listener. */
  dispose(): void {
    cancelAnimationFrame(this.#frame);
    this.#source.reset();
    this.#resizeObserver.disconnect();
    this.#listeners.abort();
    select(this.canvas).on('.zoom', null);
    this.canvas.remove();
  }

  #listen(): void {
    const { signal } = this.#listeners;
    this.canvas.addEventListener(
      'pointermove',
      (event) => {
        this.#pointer = { x: event.offsetX, y: event.offsetY };
        this.#pick.updateCursor(this.canvas, this.#pointer);
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
      'click',
      (event) => {
        if (event.shiftKey || this.#mode === 'choose-window') return;
        const cell = this.#viewport()?.cellAt(event.offsetX, event.offsetY);
        if (cell) this.#options.onSelect?.(cell);
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

  /** The plot, without the strips for the marginals. */
  get #plot(): Size {
    const strip = STRIP.gap + STRIP.thickness;
    return { width: Math.max(1, this.#size.width - strip), height: Math.max(1, this.#size.height - strip) };
  }

  #viewport(): Viewport | null {
    return this.#matrix && this.#size.width > 0 ? new Viewport(this.#matrix, this.#plot, this.#camera) : null;
  }

  #constrained(transform: ZoomTransform): ZoomTransform {
    if (!this.#matrix) return zoomIdentity;
    const { k, x, y } = constrain(transform, this.#matrix, this.#plot);
    return zoomIdentity.translate(x, y).scale(k);
  }

  #prepareZoom(): void {
    const { width, height } = this.#plot;
    this.#zoom.extent([
      [0, 0],
      [width, height],
    ]);
    this.#zoom.scaleExtent([1, this.#matrix ? largestZoom(this.#matrix, this.#plot) : 1]);
  }

  #apply(camera: Camera): void {
    const { k, x, y } = camera;
    select(this.canvas).call((selection) => {
      this.#zoom.transform(selection, this.#constrained(zoomIdentity.translate(x, y).scale(k)));
    });
  }

  #zoomBy(factor: number, around?: { x: number; y: number }): void {
    const matrix = this.#matrix;
    if (!matrix) return;
    const { width, height } = this.#plot;
    const point = around ?? { x: width / 2, y: height / 2 };
    const from = this.#flight?.to ?? this.#camera;
    const k = Math.min(largestZoom(matrix, this.#plot), Math.max(1, from.k * factor));
    const ratio = k / from.k;
    const to = { k, x: point.x - (point.x - from.x) * ratio, y: point.y - (point.y - from.y) * ratio };
    this.#flyTo(constrain(to, matrix, this.#plot));
  }

  #flyTo(to: Camera): void {
    if (this.#reducedMotion) {
      this.#apply(to);
      return;
    }
    this.#flight = { from: this.#camera, to, start: performance.now() };
    this.#requestDraw();
  }

  /** Moves the camera along its flight: the zoom in equal ratios, and the point that it aims at straight. */
  #advanceFlight(time: number): void {
    const flight = this.#flight;
    if (!flight) return;
    const share = Math.min(1, Math.max(0, (time - flight.start) / CAMERA_MS));
    const t = ease(share);
    const { from, to } = flight;
    const k = from.k * (to.k / from.k) ** t;
    // The point of the picture that stays where it is on the screen while k goes from one to the other.
    const along = to.k === from.k ? t : (k - from.k) / (to.k - from.k);
    const camera = { k, x: from.x + (to.x - from.x) * along, y: from.y + (to.y - from.y) * along };
    if (share === 1) this.#flight = null;
    this.#apply(share === 1 ? to : camera);
  }

  #onResize(): void {
    const { clientWidth: width, clientHeight: height } = this.#container;
    const ratio = devicePixelRatio;
    if (width === 0 || height === 0) return;
    const sameSize = width === this.#size.width && height === this.#size.height;
    if (sameSize && this.canvas.width === Math.round(width * ratio)) return;
    const before = this.#viewport();
    const middle = before?.visible();
    const cell = before ? fittedCell(before.shape, before.plot) * before.camera.k : 0;
    this.#size = { width, height };
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    this.#flight = null;
    this.#prepareZoom();
    if (this.#matrix && before && middle && before.camera.k > 1) {
      const k = Math.min(largestZoom(this.#matrix, this.#plot), cell / fittedCell(this.#matrix, this.#plot));
      const { col, cols, row, rows } = middle;
      this.#apply(cameraAt(Math.max(1, k), col + cols / 2, row + rows / 2, this.#matrix, this.#plot));
    } else {
      this.#apply({ k: 1, x: 0, y: 0 });
    }
    // At once: a canvas that has changed its size is blank until it is drawn.
    this.#draw(performance.now());
  }

  #onCamera(): void {
    const viewport = this.#viewport();
    if (viewport) {
      if (!this.#overview) this.#source.want(planOverview(viewport));
      else this.#wantTile(viewport);
      this.#updateHover();
      this.#report(viewport);
    }
    this.#requestDraw();
  }

  #wantTile(viewport: Viewport): void {
    const request = planTile(viewport);
    const visible = viewport.visible();
    const best = this.#tile ?? this.#overview;
    if (best && serves(best.tile, request, visible)) return;
    this.#source.want(request);
  }

  #onTile(tile: Tile, request: TileRequest): void {
    const matrix = this.#matrix;
    if (!matrix) return;
    const image = tileImage(tile, this.#colors, matrix.absMax);
    const isOverview = request.region.rows === matrix.rows && request.region.cols === matrix.cols;
    if (isOverview && !this.#overview) this.#overview = image;
    this.#before = this.#tile;
    this.#tile = image;
    this.#fadeStart = performance.now();
    this.#onCamera();
  }

  #recolor(): void {
    this.#colors = new TileColors(this.#theme, this.#colorBy);
    const absMax = this.#matrix?.absMax ?? 0;
    if (this.#overview) this.#overview = tileImage(this.#overview.tile, this.#colors, absMax);
    if (this.#tile) this.#tile = tileImage(this.#tile.tile, this.#colors, absMax);
    this.#before = null;
    this.#requestDraw();
  }

  #report(viewport: Viewport): void {
    const ratio = Math.max(viewport.aspect, 1 / viewport.aspect);
    const direction = viewport.aspect > 1 ? 'taller than wide' : 'wider than tall';
    const text = ratio < 10 ? ratio.toFixed(1) : Math.round(ratio).toLocaleString('en');
    const note = ratio > 1.01 ? `cells are drawn ${text} times ${direction}, so that the matrix can be seen` : null;
    if (note !== this.#note) {
      this.#note = note;
      this.#options.onNote?.(note);
    }
    this.#options.onView?.({
      region: viewport.visible(),
      kind: this.#tile?.tile.kind ?? 'density',
      canZoomIn: this.#camera.k < largestZoom(viewport.shape, viewport.plot) * 0.999,
      canZoomOut: this.#camera.k > 1.001,
    });
  }

  #updateHover(): void {
    const hover = this.#hoverNow();
    const before = this.#hover;
    const same =
      hover?.row === before?.row &&
      hover?.col === before?.col &&
      hover?.value === before?.value &&
      hover?.kind === before?.kind;
    if (same && (hover === null) === (before === null)) return;
    this.#hover = hover;
    this.#options.onHover?.(hover);
  }

  #hoverNow(): SpyHover | null {
    if (!this.#pointer) return null;
    const cell = this.#viewport()?.cellAt(this.#pointer.x, this.#pointer.y);
    if (!cell) return null;
    for (const image of [this.#tile, this.#overview]) {
      const bucket = image && bucketOf(image.tile, cell.row, cell.col);
      if (!image || !bucket) continue;
      const value = image.tile.buckets[bucket.y * image.tile.width + bucket.x];
      return { ...cell, kind: image.tile.kind, value, region: bucket.region };
    }
    return null;
  }

  #requestDraw(): void {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame((time) => {
      this.#frame = 0;
      this.#advanceFlight(time);
      this.#draw(time);
      if (this.#flight || this.#before) this.#requestDraw();
    });
  }

  #draw(time: number): void {
    const ctx = this.#context;
    const ratio = devicePixelRatio;
    const theme = this.#theme;
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.globalAlpha = 1;
    ctx.fillStyle = theme.ground;
    ctx.fillRect(0, 0, this.#size.width, this.#size.height);
    const viewport = this.#viewport();
    const matrix = this.#matrix;
    if (!viewport || !matrix) return;
    const { width, height } = viewport.plot;
    ctx.save();
    ctx.beginPath();
    ctx.rect(0, 0, width, height);
    ctx.clip();
    if (this.#overview) paintTile(ctx, viewport, this.#overview);
    const fade = this.#reducedMotion ? 1 : Math.min(1, Math.max(0, time - this.#fadeStart) / FADE_MS);
    if (fade === 1) this.#before = null;
    if (this.#before) paintTile(ctx, viewport, this.#before);
    if (this.#tile) {
      ctx.globalAlpha = this.#before ? fade : 1;
      paintTile(ctx, viewport, this.#tile);
      ctx.globalAlpha = 1;
      if (this.#tile.tile.kind === 'cells') paintLines(ctx, viewport, theme);
      paintNumerals(ctx, viewport, this.#tile, this.#colors, matrix.absMax, theme);
    }
    ctx.restore();
    if (this.#marginals) paintMarginals(ctx, viewport, this.#marginals, STRIP, theme);
    ctx.save();
    ctx.beginPath();
    ctx.rect(-2, -2, width + 4, height + 4);
    ctx.clip();
    this.#drawWindow(ctx, viewport);
    if (this.#cursor) paintCursor(ctx, viewport, this.#cursor.row, this.#cursor.col, theme);
    ctx.restore();
  }

  #drawWindow(ctx: CanvasRenderingContext2D, viewport: Viewport): void {
    const drawn = this.#pick.drawn;
    const region = drawn ?? this.#window;
    if (!region) return;
    const label = `window ${region.rows} × ${region.cols}`;
    paintWindow(ctx, viewport, region, { color: this.#formatColor, theme: this.#theme, label, live: drawn !== null });
  }
}
