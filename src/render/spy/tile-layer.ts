import type { Region } from '../../core/matrix/index.ts';
import type { Theme } from '../theme.ts';
import { bucketOf, paintLines, paintNumerals, paintTile, tileImage, type TileImage } from './spy-painter.ts';
import { sameRequest, type Tile, type TileProvider, type TileRequest } from './tile.ts';
import { TileColors } from './tile-colors.ts';
import { type Axis, Viewport } from './viewport.ts';

/** From this size on a cell is a bucket by itself, px. */
const MIN_CELL = 3;
/** Buckets are at least this large, px. */
const MIN_BUCKET = 2;
/** Margin of a request on every side, as a share of the visible part, so that panning does not reach the edge at once. */
const MARGIN = 0.25;

/** The tile for a view: buckets of one cell or of a power of two cells, a little more than what is visible. */
export function planTile(viewport: Viewport): TileRequest {
  const visible = viewport.visible();
  const cols = span(viewport.columns, visible.col, visible.cols);
  const rows = span(viewport.rows, visible.row, visible.rows);
  return {
    region: { row: rows.start, col: cols.start, rows: rows.extent, cols: cols.extent },
    width: cols.buckets,
    height: rows.buckets,
  };
}

/** The tile of the whole matrix below all others, so that the plot is never blank. */
export function planOverview({ shape, plot }: Viewport): TileRequest {
  const fitted = new Viewport(shape, plot, { k: 1, x: 0, y: 0 });
  return planTile(fitted);
}

function span(axis: Axis, first: number, shown: number): { start: number; extent: number; buckets: number } {
  const perBucket = axis.cell >= MIN_CELL ? 1 : 2 ** Math.ceil(Math.log2(MIN_BUCKET / axis.cell));
  const margin = Math.ceil(shown * MARGIN);
  const start = Math.floor(Math.max(0, first - margin) / perBucket) * perBucket;
  const end = Math.min(axis.count, Math.ceil((first + shown + margin) / perBucket) * perBucket);
  return { start, extent: end - start, buckets: Math.ceil((end - start) / perBucket) };
}

/** Whether a tile already satisfies the request: as fine, and everything visible. */
export function serves(tile: TileRequest, request: TileRequest, visible: Region): boolean {
  return (
    contains(tile.region, visible) &&
    sameDensity(tile.region.cols / tile.width, request.region.cols / request.width) &&
    sameDensity(tile.region.rows / tile.height, request.region.rows / request.height)
  );
}

/** The last bucket of an axis may be a part of one. */
function sameDensity(a: number, b: number): boolean {
  return Math.abs(Math.log2(a / b)) < 0.5;
}

function contains(outer: Region, inner: Region): boolean {
  return (
    inner.row >= outer.row &&
    inner.col >= outer.col &&
    inner.row + inner.rows <= outer.row + outer.rows &&
    inner.col + inner.cols <= outer.col + outer.cols
  );
}

/**
 * Requests tiles, one at a time: while one is pending only the newest request is kept. An answer is delivered even if there is
 * a newer request, since it is closer to it than the current picture is; after `reset` it is not.
 */
export class TileSource {
  readonly #provider: TileProvider;
  readonly #onTile: (tile: Tile, request: TileRequest) => void;
  readonly #onError: (error: unknown) => void;
  #generation = 0;
  #underWay: TileRequest | null = null;
  #wish: TileRequest | null = null;

  constructor(
    provider: TileProvider,
    onTile: (tile: Tile, request: TileRequest) => void,
    onError: (error: unknown) => void,
  ) {
    this.#provider = provider;
    this.#onTile = onTile;
    this.#onError = onError;
  }

  want(request: TileRequest): void {
    if (this.#underWay) {
      this.#wish = sameRequest(this.#underWay, request) ? null : request;
      return;
    }
    void this.#ask(request);
  }

  /** Forgets every request; pending answers are dropped. */
  reset(): void {
    this.#generation++;
    this.#underWay = null;
    this.#wish = null;
  }

  async #ask(request: TileRequest): Promise<void> {
    const generation = this.#generation;
    this.#underWay = request;
    try {
      const tile = await this.#provider(request);
      if (generation === this.#generation) this.#onTile(tile, request);
    } catch (error) {
      if (generation === this.#generation) this.#onError(error);
    }
    if (generation !== this.#generation) return;
    this.#underWay = null;
    const wish = this.#wish;
    this.#wish = null;
    if (wish) await this.#ask(wish);
  }
}

export interface TileLayerOptions {
  readonly provider: TileProvider;
  readonly theme: Theme;
  /** a tile has arrived */
  readonly onTile: () => void;
  readonly onError: (error: unknown) => void;
}

/** A tile's value for one cell. */
export interface TileReading {
  readonly kind: Tile['kind'];
  readonly value: number;
  readonly region: Region;
}

const FADE_MS = 140;

/**
 * The matrix itself in layers: a coarse tile of the whole, above it the tile of the view, above that the previous one while it
 * fades. A picture is shown as soon as any tile has arrived, and stays until a finer one has.
 */
export class TileLayer {
  readonly #source: TileSource;
  #theme: Theme;
  #colors: TileColors;
  #absMax = 0;
  #overview: TileImage | null = null;
  #tile: TileImage | null = null;
  #before: TileImage | null = null;
  #fadeStart = 0;
  #answered: TileRequest | null = null;

  constructor(options: TileLayerOptions) {
    this.#theme = options.theme;
    this.#colors = new TileColors(options.theme);
    this.#source = new TileSource(
      options.provider,
      (tile, request) => {
        this.#answered = request;
        this.#take(tile);
        options.onTile();
      },
      options.onError,
    );
  }

  get kind(): Tile['kind'] {
    return this.#tile?.tile.kind ?? 'density';
  }

  /** Forgets everything; pending answers are dropped. */
  reset(absMax: number): void {
    this.#source.reset();
    this.#absMax = absMax;
    this.#overview = null;
    this.#tile = null;
    this.#before = null;
    this.#answered = null;
  }

  /** Requests the missing tile of the view. */
  want(viewport: Viewport): void {
    if (!this.#overview) {
      this.#source.want(planOverview(viewport));
      return;
    }
    const request = planTile(viewport);
    const best = this.#tile ?? this.#overview;
    // An answered request is not repeated, whatever the answer was.
    const isAnswered = this.#answered !== null && sameRequest(this.#answered, request);
    if (!isAnswered && !serves(best.tile, request, viewport.visible())) this.#source.want(request);
  }

  setColors(theme: Theme): void {
    this.#theme = theme;
    this.#colors = new TileColors(theme);
    if (this.#overview) this.#overview = this.#image(this.#overview.tile);
    if (this.#tile) this.#tile = this.#image(this.#tile.tile);
    this.#before = null;
  }

  /** The value of a cell in the finest tile that has it; null if none does. */
  read(row: number, col: number): TileReading | null {
    for (const image of [this.#tile, this.#overview]) {
      const bucket = image && bucketOf(image.tile, row, col);
      if (!image || !bucket) continue;
      const { kind, buckets, width } = image.tile;
      return { kind, value: buckets[bucket.y * width + bucket.x], region: bucket.region };
    }
    return null;
  }

  /** Draws the layer at a time in ms and returns whether a tile is still fading in. */
  paint(ctx: CanvasRenderingContext2D, viewport: Viewport, time: number, fades: boolean): boolean {
    if (this.#overview) paintTile(ctx, viewport, this.#overview);
    const share = fades ? Math.min(1, Math.max(0, time - this.#fadeStart) / FADE_MS) : 1;
    if (share === 1) this.#before = null;
    if (this.#before) paintTile(ctx, viewport, this.#before);
    if (!this.#tile) return false;
    ctx.globalAlpha = share;
    paintTile(ctx, viewport, this.#tile);
    ctx.globalAlpha = 1;
    if (this.#tile.tile.kind === 'cells') {
      paintLines(ctx, viewport, this.#theme);
      paintNumerals(ctx, viewport, this.#tile, this.#colors, this.#absMax, this.#theme);
    }
    return share < 1;
  }

  #take(tile: Tile): void {
    const image = this.#image(tile);
    // The first tile after a reset is that of the whole matrix.
    this.#overview ??= image;
    this.#before = this.#tile;
    this.#tile = image;
    this.#fadeStart = performance.now();
  }

  #image(tile: Tile): TileImage {
    return tileImage(tile, this.#colors, this.#absMax);
  }
}
