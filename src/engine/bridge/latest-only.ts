import { CancelledError } from '../../core/errors.ts';

/** One of several requests; only the newest counts. */
export interface Request {
  /** aborts when a newer request begins, and when this one is cancelled */
  readonly signal: AbortSignal;
  /** whether no newer request has begun */
  readonly isCurrent: boolean;
}

/** Keeps only the newest request: a new one cancels the one before. */
export class LatestOnly {
  #current: AbortController | null = null;

  /** Begins a request, for callers that use an answer even after `cancel`; other callers use `ask`. */
  begin(): Request {
    const mine = new AbortController();
    this.#current?.abort();
    this.#current = mine;
    const isCurrent = (): boolean => this.#current === mine;
    return {
      signal: mine.signal,
      get isCurrent() {
        return isCurrent();
      },
    };
  }

  /** The result of `work`, begun as the newest request. Throws CancelledError if it is cancelled or another begins. */
  async ask<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { signal } = this.begin();
    try {
      const answer = await work(signal);
      if (!signal.aborted) return answer;
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    throw new CancelledError();
  }

  /** Cancels the newest request. */
  cancel(): void {
    this.#current?.abort();
  }
}
