import { CancelledError } from './errors.ts';

/** The clock of a thread, and how it is given back. */
export interface Pace {
  /** milliseconds */
  now(): number;
  /** Resolves in a later task, after messages that are waiting have been seen; at the earliest after `ms`. */
  pause(ms?: number): Promise<void>;
}

/** Work between two pauses, in milliseconds. */
export const SLICE_MS = 10;

/** Throws CancelledError when nobody wants the result of the job any more. */
export function throwIfCancelled(job: { readonly cancelled: boolean } | undefined): void {
  if (job?.cancelled) throw new CancelledError();
}

/** What browsers, their workers and Node have alike, and no library of types without one of them names. */
declare const performance: { now(): number };
declare const setTimeout: (run: () => void, ms: number) => unknown;
declare const MessageChannel: new () => {
  readonly port1: { onmessage: (() => void) | null; close(): void };
  readonly port2: { postMessage(message: null): void };
};

/**
 * The pace of the thread that this runs on. It pauses by a message to itself: timers are slowed down to 4 ms and more, and
 * to a second where nobody sees the page; messages are not.
 */
export const threadPace: Pace = {
  now: () => performance.now(),
  pause: (ms) =>
    new Promise((resolve) => {
      if (ms !== undefined) {
        setTimeout(resolve, ms);
        return;
      }
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        // Open, it would keep Node from coming to its end.
        port1.close();
        resolve();
      };
      port2.postMessage(null);
    }),
};

/** Gives the thread back when SLICE_MS have passed since it last did. */
export class Pacer {
  #sliceEnd = threadPace.now() + SLICE_MS;

  async breathe(): Promise<void> {
    if (threadPace.now() < this.#sliceEnd) return;
    await threadPace.pause();
    this.#sliceEnd = threadPace.now() + SLICE_MS;
  }
}
