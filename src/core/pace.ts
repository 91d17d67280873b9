import { CancelledError } from './errors.ts';

/** The clock of a thread, and how it yields to waiting messages. */
export interface Pace {
  /** milliseconds */
  now(): number;
  /** Resolves in a later task, after waiting messages have been handled, and after at least `ms` milliseconds. */
  pause(ms?: number): Promise<void>;
}

/** Work between two pauses, in milliseconds. */
export const SLICE_MS = 10;

/** Throws CancelledError if the job was cancelled. */
export function throwIfCancelled(job: { readonly cancelled: boolean } | undefined): void {
  if (job?.cancelled) throw new CancelledError();
}

/** Declared here: browsers and Node have these, but src/core is compiled without their types. */
declare const performance: { now(): number };
declare const setTimeout: (run: () => void, ms: number) => unknown;
declare const MessageChannel: new () => {
  readonly port1: { onmessage: (() => void) | null; close(): void };
  readonly port2: { postMessage(message: null): void };
};

/**
 * The pace of the current thread. It yields by posting a message to itself: browsers delay timers by 4 ms or more, in
 * hidden pages by a second, but messages not at all.
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
        // An open port would keep Node from exiting.
        port1.close();
        resolve();
      };
      port2.postMessage(null);
    }),
};

/** Yields the thread if SLICE_MS have passed since the last pause. */
export class Pacer {
  #sliceEnd = threadPace.now() + SLICE_MS;

  async pauseIfDue(): Promise<void> {
    if (threadPace.now() < this.#sliceEnd) return;
    await threadPace.pause();
    this.#sliceEnd = threadPace.now() + SLICE_MS;
  }
}
