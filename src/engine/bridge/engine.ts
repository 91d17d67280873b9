import * as Comlink from 'comlink';
import { CancelledError, EngineDeathError, SparseScopeError } from '../../core/errors.ts';
import { toWire } from './transfer.ts';
import { type PulseOptions, watchPulse } from './pulse.ts';
import type { Bridge } from './serve.ts';
import { type Call, type Services, servicesOver } from './service.ts';

// The engine as the page sees it: services in a worker thread, which is watched and replaced when it dies.

/** An engine that dies earlier than this has had a short life. */
const LONG_LIFE_MS = 60_000;

/** After this many short lives in a row, no further engine is started. */
const MAX_SHORT_LIVES = 5;

/** How an engine died. */
export interface EngineDeath {
  /** what it did, to follow 'The engine': 'stopped by itself' */
  readonly how: string;
  /** It has died so often that no other was started: from now on every call rejects. */
  readonly isFinal: boolean;
}

/** The services of the engine. When its thread dies, another one starts, in which no matrix is open. */
export interface Engine extends Services {
  /** Calls `listener` at every death, once the next engine runs; then waiting calls reject with EngineDeathError. */
  onDeath(listener: (death: EngineDeath) => void): void;
  /** Calls `listener` about every two seconds with the time that the GPU has not answered, in ms; 0: nothing waits for it. */
  onGpuSilence(listener: (ms: number) => void): void;
}

/** A thread in which an engine lives. */
export interface EngineThread {
  readonly endpoint: Comlink.Endpoint;
  /** Ends it at once, even in the middle of work. */
  end(): void;
}

interface EngineOptions extends Omit<PulseOptions, 'onGpuSilence'> {
  /** Starts a thread; `died` has to be called if it fails or ends by itself, with `how` as in EngineDeath. */
  start(died: (how: string) => void): EngineThread;
  /** milliseconds */
  now(): number;
}

/**
 * Starts the engine in a watched thread: when the thread fails, ends or falls silent, it is ended, another one is
 * started, and every call that waits rejects with EngineDeathError. Errors come back without their class; their `name`
 * and message identify them.
 */
export function startEngine(options: EngineOptions): Engine {
  const listeners: ((death: EngineDeath) => void)[] = [];
  const silenceListeners: ((ms: number) => void)[] = [];
  const onGpuSilence = (ms: number): void => {
    for (const listener of silenceListeners) listener(ms);
  };
  // Functions that reject the waiting calls. Promise.race with a promise for the death would keep every answer in memory
  // as long as the page is open.
  let waiting = new Set<(error: Error) => void>();
  let shortLives = 0;
  /** the error of every call once no further engine is started */
  let finalError: Error | null = null;
  let lastJobId = 0;

  const begin = (): Comlink.Remote<Bridge> => {
    const bornAt = options.now();
    let isDead = false;
    const die = (how: string): void => {
      if (isDead) return;
      isDead = true;
      unwatch();
      thread.end();
      shortLives = options.now() - bornAt < LONG_LIFE_MS ? shortLives + 1 : 0;
      const isFinal = shortLives === MAX_SHORT_LIVES;
      onGpuSilence(0);
      const rejected = waiting;
      waiting = new Set();
      if (isFinal) finalError = new SparseScopeError(`The engine ${how}, again and again; reload the page.`);
      else bridge = begin();
      for (const listener of listeners) listener({ how, isFinal });
      const error = new EngineDeathError(`The engine ${how}.`);
      for (const reject of rejected) reject(error);
    };
    const thread = options.start(die);
    const wrapped = Comlink.wrap<Bridge>(thread.endpoint);
    const unwatch = watchPulse(wrapped, die, { ...options, onGpuSilence });
    return wrapped;
  };
  let bridge = begin();

  const call = ({ service, method, watch: { onProgress, signal }, args }: Call): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (finalError) return reject(finalError);
      if (signal?.aborted) return reject(new CancelledError());
      const job = ++lastJobId;
      const callee = bridge;
      const cancel = (): void => void callee.cancel(job).catch(() => {});
      // Reports come through another port than the answer, and may arrive after it.
      let isAnswered = false;
      const report = onProgress && Comlink.proxy<typeof onProgress>((progress) => isAnswered || onProgress(progress));
      const finish = (): void => {
        isAnswered = true;
        waiting.delete(fail);
        signal?.removeEventListener('abort', cancel);
      };
      const fail = (error: Error): void => {
        finish();
        reject(error);
      };
      waiting.add(fail);
      signal?.addEventListener('abort', cancel);
      const answer = callee.call(job, service, method, report ?? null, ...args.map(toWire)); // bounded: its arguments
      answer.then((value) => {
        finish();
        resolve(value);
      }, fail);
    });
  return {
    ...servicesOver(call),
    onDeath: (listener) => void listeners.push(listener),
    onGpuSilence: (listener) => void silenceListeners.push(listener),
  };
}
