// A worker of the sandbox, as the page sees it: its requests, answers and time limits.

import { SparseScopeError } from '../../../../src/core/errors.ts';
import type { Runner } from '../module-requests.ts';
import type { Request } from '../module-messages.ts';

/** The error of a module that was terminated: it took too long, sent an unexpected message, or is no longer needed. */
export class EndedError extends SparseScopeError {
  override name = 'EndedError';
}

/** Options for running a module. */
export interface SandboxOptions {
  /**
   * Called when an answer needs more than `limitMs`, to ask the user; the module continues until `end`. Without it,
   * the module is terminated.
   */
  readonly onSlow?: (request: Request['ask']) => void;
  /** maximum milliseconds for an answer; default 2000 if the user is asked, and 10 000 if the module is terminated */
  readonly limitMs?: number;
}

/** Time after which the user is asked whether to end a module, ms: asking early does no harm. */
const QUESTION_MS = 2000;
/** Time after which a module is terminated without asking, ms: enough on a busy machine for any that ends by itself. */
const LIMIT_MS = 10_000;
/** Time for the frame (an iframe) and a worker to start, ms: longer than any machine needs. */
const START_MS = 20_000;
/** Number of short timers into which `afterSteps` divides its time. */
const TIMER_STEPS = 20;

/** A pending request. */
interface PendingRequest {
  readonly id: number;
  readonly request: Request;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** A worker in a frame, which evaluates at most one module. Answers arrive in the order of the requests. */
export class SandboxWorker implements Runner {
  readonly #port: MessagePort;
  readonly #onEnd: () => void;
  readonly #pending: PendingRequest[] = [];
  #options: SandboxOptions = {};
  #isReady = false;
  #ended: Error | null = null;
  #stopTimer: (() => void) | null = null;
  #count = 0;
  /** requests that the next microtask sends in one message */
  #unsent: Request[] = [];

  constructor(port: MessagePort, onEnd: () => void) {
    this.#port = port;
    this.#onEnd = onEnd;
    port.onmessage = ({ data }: MessageEvent<unknown>) => this.#onMessage(data);
    port.onmessageerror = () => this.end(new EndedError('the module sent what cannot be read'));
  }

  load(text: string, options: SandboxOptions): void {
    this.#options = options;
    this.#port.postMessage({ text });
    this.#startTimer();
  }

  ask(request: Request): Promise<unknown> {
    if (this.#ended) return Promise.reject(this.#ended);
    return new Promise((resolve, reject) => {
      const id = this.#count++;
      this.#pending.push({ id, request, resolve, reject });
      this.#unsent.push(request);
      if (this.#unsent.length === 1) queueMicrotask(() => this.#send());
      if (this.#pending.length === 1) this.#startTimer();
    });
  }

  /** Sends all new requests in one message, which costs more than most requests. */
  #send(): void {
    const requests = this.#unsent;
    this.#unsent = [];
    if (this.#ended) return;
    this.#port.postMessage({ id: this.#count - requests.length, requests }, requests.flatMap(buffersOf));
  }

  end(error: Error): void {
    if (this.#ended) return;
    this.#ended = error;
    // Messages in transit are dropped.
    this.#port.close();
    this.#clearTimer();
    for (const { reject } of this.#pending.splice(0)) reject(error);
    this.#onEnd();
  }

  #onMessage(data: unknown): void {
    if (this.#ended) return;
    if (!this.#isReady && data === 'ready') {
      this.#isReady = true;
      this.#startTimer();
      return;
    }
    const { id, answers } = Object(data) as { readonly id?: unknown; readonly answers?: unknown };
    const count = Array.isArray(answers) ? answers.length : 0;
    if (count === 0 || count > this.#pending.length || id !== this.#pending[0].id) {
      this.end(new EndedError('the module spoke out of turn, and was ended'));
      return;
    }
    for (const [i, { resolve }] of this.#pending.splice(0, count).entries()) resolve((answers as unknown[])[i]);
    this.#startTimer();
  }

  /** Starts the time limit of the first request in the queue. */
  #startTimer(): void {
    this.#clearTimer();
    const [first] = this.#pending;
    if (this.#ended || !first) return;
    const { onSlow, limitMs = onSlow ? QUESTION_MS : LIMIT_MS } = this.#options;
    this.#stopTimer = afterSteps(this.#isReady ? limitMs : START_MS, () => {
      const { ask } = first.request;
      if (!this.#isReady) this.end(new EndedError('the sandbox did not start'));
      else if (onSlow) onSlow(ask);
      else this.end(new EndedError(`${ask} did not end within ${limitMs / 1000} s`));
    });
  }

  #clearTimer(): void {
    this.#stopTimer?.();
    this.#stopTimer = null;
  }
}

/** The memory that a request transfers. */
function buffersOf(request: Request): ArrayBufferLike[] {
  if (request.ask === 'encode') {
    const { starts, columns, values } = request.matrix;
    return [starts.buffer, columns.buffer, values.buffer];
  }
  return request.ask === 'decode' ? request.arrays.map(([, elements]) => elements.buffer) : [];
}

/**
 * Calls `run` after this time, unless the returned function is called before. It uses short timers in sequence: a page
 * whose thread was blocked is late with only one of them, and reads the answers that arrived meanwhile before the next.
 */
export function afterSteps(ms: number, run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let timersRemaining = TIMER_STEPS;
  const next = (): void => {
    if (timersRemaining-- > 0) timer = setTimeout(next, ms / TIMER_STEPS);
    else run();
  };
  next();
  return () => clearTimeout(timer);
}
