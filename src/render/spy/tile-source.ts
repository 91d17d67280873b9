import { sameRequest, type Tile, type TileProvider, type TileRequest } from './tile.ts';

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

  /** Forgets every request; pending answers are dropped. */
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
