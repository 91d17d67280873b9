import type { Region } from '../../core/matrix/index.ts';
import type { Theme } from '../theme.ts';
import { bucketOf, paintLines, paintNumerals, paintTile, tileImage, type TileImage } from './spy-painter.ts';
import {
  isEnough,
  planOverview,
  planTile,
  sameRequest,
  type Tile,
  type TileProvider,
  type TileRequest,
} from './tile.ts';
import { TileColors } from './tile-colors.ts';
import type { Viewport } from './viewport.ts';

/** Options of a TileLayer. */
export interface TileLayerOptions {
  readonly provider: TileProvider;
  readonly theme: Theme;
  /** a tile has arrived */
  readonly onTile: () => void;
}

/** The content of a tile at one cell: the value of the cell, or the share of non-zeros in its bucket (`region`). */
export interface TileReading {
  readonly kind: Tile['kind'];
  readonly value: number;
  readonly region: Region;
}

/** How long a new tile fades in. */
const FADE_MS = 140;

/**
 * Draws the cells of a spy plot from tiles, pictures of parts of the matrix: a coarse one of the whole matrix, the
 * previous one, and one of the visible part, which fades in.
 */
export class TileLayer {
  readonly #source: TileSource;
  #theme: Theme;
  #colors: TileColors;
  #absMax = 0;
  #overview: TileImage | null = null;
  #tile: TileImage | null = null;
  #previous: TileImage | null = null;
  #fadeStart = 0;
  /** the last request that was answered */
  #answered: TileRequest | null = null;

  constructor(options: TileLayerOptions) {
    this.#theme = options.theme;
    this.#colors = new TileColors(options.theme);
    this.#source = new TileSource(options.provider, (tile, request) => {
      this.#answered = request;
      this.#showTile(tile);
      options.onTile();
    });
  }

  get kind(): Tile['kind'] {
    return this.#tile?.tile.kind ?? 'density';
  }

  /** Removes all tiles and drops pending answers, for another matrix with this largest |value|. */
  reset(absMax: number): void {
    this.#source.reset();
    this.#absMax = absMax;
    this.#overview = null;
    this.#tile = null;
    this.#previous = null;
    this.#answered = null;
  }

  /** Requests the tile of the visible part, if it is missing. */
  request(viewport: Viewport): void {
    if (!this.#overview) {
      this.#source.request(planOverview(viewport));
      return;
    }
    const request = planTile(viewport);
    const best = this.#tile ?? this.#overview;
    // An answered request is not repeated, even if the answer was null.
    const isAnswered = this.#answered !== null && sameRequest(this.#answered, request);
    if (!isAnswered && !isEnough(best.tile, request, viewport.visible())) this.#source.request(request);
  }

  setColors(theme: Theme): void {
    this.#theme = theme;
    this.#colors = new TileColors(theme);
    if (this.#overview) this.#overview = this.#image(this.#overview.tile);
    if (this.#tile) this.#tile = this.#image(this.#tile.tile);
    this.#previous = null;
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
    const opacity = fades ? Math.min(1, Math.max(0, time - this.#fadeStart) / FADE_MS) : 1;
    if (opacity === 1) this.#previous = null;
    if (this.#previous) paintTile(ctx, viewport, this.#previous);
    if (!this.#tile) return false;
    ctx.globalAlpha = opacity;
    paintTile(ctx, viewport, this.#tile);
    ctx.globalAlpha = 1;
    if (this.#tile.tile.kind === 'cells') {
      paintLines(ctx, viewport, this.#theme);
      paintNumerals(ctx, viewport, this.#tile, this.#colors, this.#absMax, this.#theme);
    }
    return opacity < 1;
  }

  #showTile(tile: Tile): void {
    const image = this.#image(tile);
    // The first tile after a reset covers the whole matrix.
    this.#overview ??= image;
    this.#previous = this.#tile;
    this.#tile = image;
    this.#fadeStart = performance.now();
  }

  #image(tile: Tile): TileImage {
    return tileImage(tile, this.#colors, this.#absMax);
  }
}

/** Requests tiles one at a time; meanwhile only the newest request waits. */
export class TileSource {
  readonly #provider: TileProvider;
  readonly #onTile: (tile: Tile, request: TileRequest) => void;
  /** counts resets, so that answers to earlier requests are dropped */
  #generation = 0;
  #pending: TileRequest | null = null;
  #next: TileRequest | null = null;

  constructor(provider: TileProvider, onTile: (tile: Tile, request: TileRequest) => void) {
    this.#provider = provider;
    this.#onTile = onTile;
  }

  /** Sends a request now, or after the pending one. */
  request(request: TileRequest): void {
    if (this.#pending) {
      this.#next = sameRequest(this.#pending, request) ? null : request;
      return;
    }
    void this.#send(request);
  }

  /** Removes all requests and drops pending answers. */
  reset(): void {
    this.#generation++;
    this.#pending = null;
    this.#next = null;
  }

  async #send(request: TileRequest): Promise<void> {
    const generation = this.#generation;
    this.#pending = request;
    try {
      const tile = await this.#provider(request);
      if (generation === this.#generation) this.#onTile(tile, request);
    } catch {
      // The previous tile stays; the provider reports its own errors.
    }
    if (generation !== this.#generation) return;
    this.#pending = null;
    const next = this.#next;
    this.#next = null;
    if (next) await this.#send(next);
  }
}
