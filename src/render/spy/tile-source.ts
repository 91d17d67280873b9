import { sameRequest, type Tile, type TileProvider, type TileRequest } from './tile.ts';

/**
 * Requests tiles, one at a time: while one is pending only the newest wish is kept. An answer is handed on even if
 * there is a newer wish, since it is closer to it than what is on the screen; after `reset` it is not.
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

  /** Forgets every wish; pending answers are dropped. */
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
