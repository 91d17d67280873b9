import type { HeldToken, OnWriteEvent } from './types.ts';

/** Events are sent about as often as somebody sees a difference. */
export const SEND_EVERY_MS = 50;

/** Gathers tokens, so that a message carries several. */
export class Sender {
  dense: string[] = [];
  held: HeldToken[] = [];
  readonly #now: () => number;
  readonly #onEvent: OnWriteEvent;
  #at = Number.NEGATIVE_INFINITY;

  constructor(now: () => number, onEvent: OnWriteEvent) {
    this.#now = now;
    this.#onEvent = onEvent;
  }

  async send(all = false): Promise<void> {
    if (!all && this.#now() - this.#at < SEND_EVERY_MS) return;
    this.#at = this.#now();
    const { dense, held } = this;
    this.dense = [];
    this.held = [];
    if (dense.length > 0) await this.#onEvent({ kind: 'written', tokens: dense });
    if (held.length > 0) await this.#onEvent({ kind: 'held', tokens: held });
  }
}
