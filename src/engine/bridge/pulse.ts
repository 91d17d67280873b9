// Watches whether a thread is alive, by pings and by a lock that the browser releases when the thread ends.

/** How often a thread is pinged. */
const PING_EVERY_MS = 2000;

/**
 * After this many ticks of the page's timer without an answer a thread is considered dead. It answers within 0.4 s on a
 * matrix of 8192 × 8192 (two shared cores), so even a machine fifty times slower passes. Ticks are counted, not time: a
 * page that was asleep or in the background, where timers are slow, does not give up on its thread.
 */
const MAX_MISSED = 12;

/** What a thread offers so that it can be watched. */
export interface Heartbeat {
  /** Answers when the thread handles messages, also between steps: how long its GPU has not answered, in ms. */
  ping(): Promise<number>;
  /** Holds the browser's lock of this name for as long as the thread lives; false where there are no locks. */
  keepLock(name: string): Promise<boolean>;
}

/** The part of the browser's lock manager that is used. */
export type Locks = Pick<LockManager, 'request'>;

/** How the lock of a thread is named and watched. */
export interface PulseOptions {
  /** undefined where the browser has none: then only pings are used */
  readonly locks?: Locks | undefined;
  /** a name that no other thread has, in this page or another */
  readonly newLockName: () => string;
  /** receives the answer of every ping */
  readonly onGpuSilence?: (ms: number) => void;
}

/**
 * Calls `onEnd` once, when the thread has ended by itself, which releases its lock, or no longer answers pings. Missed
 * pings count after the first answer: loading the script may take long. Returns a function that stops the watch.
 */
export function watchPulse(
  thread: Heartbeat,
  onEnd: (how: string) => void,
  { locks, newLockName, onGpuSilence }: PulseOptions,
): () => void {
  const stopping = new AbortController();
  let hasAnswered = false;
  let isAwaitingAnswer = false;
  let missed = 0;
  const end = (how: string): void => {
    if (stopping.signal.aborted) return;
    stopping.abort();
    clearInterval(timer);
    onEnd(how);
  };
  const ping = (): void => {
    isAwaitingAnswer = true;
    const onAnswer = (): void => {
      isAwaitingAnswer = false;
      hasAnswered = true;
    };
    // Any answer, even a failure, is a sign of life.
    thread.ping().then((silenceMs) => {
      onAnswer();
      if (!stopping.signal.aborted) onGpuSilence?.(silenceMs);
    }, onAnswer);
  };
  const timer = setInterval(() => {
    if (!isAwaitingAnswer) {
      missed = 0;
      ping();
    } else if (hasAnswered && ++missed >= MAX_MISSED) {
      end(`did not answer for ${(MAX_MISSED * PING_EVERY_MS) / 1000} seconds`);
    }
  }, PING_EVERY_MS);
  ping();
  if (locks) {
    awaitLock(thread, locks, newLockName(), stopping.signal).then(
      (isFree) => isFree && end('stopped by itself'),
      // Without a lock only pings are used.
      () => {},
    );
  }
  return () => {
    stopping.abort();
    clearInterval(timer);
  };
}

/** Resolves with true when the lock is free, so that the thread, which keeps the lock while it lives, has ended. */
async function awaitLock(thread: Heartbeat, locks: Locks, name: string, signal: AbortSignal): Promise<boolean> {
  if (!(await thread.keepLock(name)) || signal.aborted) return false;
  return locks.request(name, { signal }, async () => true);
}
