// Runs the modules of custom formats in frames without access to the page, its storage or the network.

import { SparseScopeError } from '../../../../src/core/errors.ts';
import type { Runner, Runners } from '../module-requests.ts';
import type { Request } from '../module-messages.ts';

/** The error of a module that was terminated: it took too long, sent an unexpected message, or is no longer needed. */
class EndedError extends SparseScopeError {
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

/** What a sandbox is opened with: a page, and the script of its workers. */
export interface SandboxParts {
  /** address of sandbox.html */
  readonly address: string;
  /** text of the script of its workers, the module virtual:own-runtime */
  readonly runtime: string;
}

/** Time after which the user is asked whether to end a module, ms: asking early does no harm. */
const QUESTION_MS = 2000;
/** Time after which a module is terminated without asking, ms: enough on a busy machine for any that ends by itself. */
const LIMIT_MS = 10_000;
/** Time for the frame (an iframe) and a worker to start, ms: longer than any machine needs. */
const START_MS = 20_000;
/** Time for the frame to confirm that it terminated a worker, ms; nothing new starts in a frame that is late. */
const END_MS = 100;
/** Further time for a late frame to confirm, ms; then it is removed. On a busy machine many frames are late. */
const LATE_MS = 5000;
/** Number of short timers into which `afterSteps` divides its time. */
const TIMER_STEPS = 20;

/**
 * Runs the modules of custom formats, in two frames of opaque origins, so that encoding and decoding are isolated
 * from each other, each with a spare worker. Nothing in them can reach the network, the page or any storage
 * (labs/workbench/public/sandbox.html).
 */
export class Sandbox {
  readonly #encoders: ReplaceableFrame;
  readonly #decoders: ReplaceableFrame;

  constructor(parts: SandboxParts) {
    this.#encoders = new ReplaceableFrame(parts);
    this.#decoders = new ReplaceableFrame(parts);
  }

  /** Evaluates a module, in fresh workers. It runs until `end`. */
  evaluate(text: string, options: SandboxOptions = {}): Runners & { readonly end: () => void } {
    const encoder = this.#encoders.evaluate(text, options);
    const decoder = this.#decoders.evaluate(text, options);
    return {
      encoder,
      decoder,
      end: () => {
        const ended = new EndedError('the module was ended');
        encoder.end(ended);
        decoder.end(ended);
      },
    };
  }

  /** Ends everything that is running. */
  close(): void {
    this.#encoders.close();
    this.#decoders.close();
  }
}

/** Holds the frame for encoding or for decoding, and replaces it if it does not terminate a worker in time. */
class ReplaceableFrame {
  readonly #parts: SandboxParts;
  #frame: Frame | null;
  /** late frames in which something is still running */
  readonly #late = new Set<Frame>();

  constructor(parts: SandboxParts) {
    this.#parts = parts;
    this.#frame = this.#open();
  }

  evaluate(text: string, options: SandboxOptions): SandboxWorker {
    this.#frame ??= this.#open();
    return this.#frame.evaluate(text, options);
  }

  close(): void {
    for (const frame of [this.#frame, ...this.#late]) frame?.close();
    this.#frame = null;
  }

  #open(): Frame {
    const frame: Frame = new Frame(this.#parts, {
      onLate: () => {
        this.#late.add(frame);
        if (this.#frame === frame) this.#frame = this.#open();
      },
      onGone: () => this.#late.delete(frame),
    });
    return frame;
  }
}

/** Events of a frame. */
interface FrameEvents {
  /** It did not terminate a worker in time: nothing new starts in it. */
  readonly onLate: () => void;
  /** It was removed. */
  readonly onGone: () => void;
}

/** A frame of an opaque origin with its workers. */
class Frame {
  readonly #parts: SandboxParts;
  readonly #events: FrameEvents;
  readonly #element = document.createElement('iframe');
  readonly #loaded: Promise<Window | null>;
  readonly #running = new Set<SandboxWorker>();
  #spare: SandboxWorker | null;
  #isLate = false;
  #count = 0;

  constructor(parts: SandboxParts, events: FrameEvents) {
    this.#parts = parts;
    this.#events = events;
    const element = this.#element;
    element.setAttribute('sandbox', 'allow-scripts');
    element.allow = '';
    element.referrerPolicy = 'no-referrer';
    element.hidden = true;
    element.title = 'Sandbox';
    element.src = parts.address;
    this.#loaded = new Promise((resolve) => {
      element.addEventListener('load', () => resolve(element.contentWindow), { once: true });
    });
    document.body.append(element);
    this.#spare = this.#begin();
  }

  evaluate(text: string, options: SandboxOptions): SandboxWorker {
    const worker = this.#spare ?? this.#begin();
    worker.load(text, options);
    this.#spare = this.#begin();
    return worker;
  }

  /** Removes the frame with everything that runs there. */
  close(): void {
    if (!this.#element.isConnected) return;
    this.#element.remove();
    this.#spare = null;
    const error = new EndedError('the sandbox was closed');
    for (const worker of this.#running) worker.end(error);
    this.#events.onGone();
  }

  #begin(): SandboxWorker {
    const id = this.#count++;
    const { port1, port2 } = new MessageChannel();
    const worker = new SandboxWorker(port1, () => {
      this.#running.delete(worker);
      if (this.#spare === worker) this.#spare = null;
      if (this.#isLate && this.#running.size === 0) this.close();
      else void this.#endWorker(id);
    });
    this.#running.add(worker);
    void this.#loaded.then((target) =>
      // An opaque origin has no name; the frame is ours, and never navigates.
      target?.postMessage({ ask: 'begin', id, runtime: this.#parts.runtime }, '*', [port2]),
    );
    return worker;
  }

  /**
   * Asks the frame to terminate a worker. A frame that does not confirm in time is busy, perhaps with a flood of
   * messages from the worker, and nothing new starts in it. It is removed once nothing else runs there, or if it stays
   * silent.
   */
  async #endWorker(id: number): Promise<void> {
    const target = await this.#loaded;
    if (!target || !this.#element.isConnected) return;
    const { port1, port2 } = new MessageChannel();
    const ended = new Promise<true>((resolve) => {
      port1.onmessage = () => resolve(true);
    });
    target.postMessage({ ask: 'end', id }, '*', [port2]);
    if (!(await resolvesWithin(ended, END_MS))) {
      this.#retire();
      if (!(await resolvesWithin(ended, LATE_MS))) this.close();
    }
    port1.close();
  }

  #retire(): void {
    if (!this.#element.isConnected || this.#isLate) return;
    this.#isLate = true;
    this.#events.onLate();
    if (this.#spare) this.#running.delete(this.#spare);
    this.#spare = null;
    if (this.#running.size === 0) this.close();
  }
}

/** Whether a promise resolves within this time. */
async function resolvesWithin(promise: Promise<true>, ms: number): Promise<boolean> {
  let stop = (): void => {};
  const late = new Promise<false>((resolve) => {
    stop = afterSteps(ms, () => resolve(false));
  });
  const isInTime = await Promise.race([promise, late]);
  stop();
  return isInTime;
}

/**
 * Calls `run` after this time, unless the returned function is called before. It uses short timers in sequence: a page
 * whose thread was blocked is late with only one of them, and reads the answers that arrived meanwhile before the next.
 */
function afterSteps(ms: number, run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let timersRemaining = TIMER_STEPS;
  const next = (): void => {
    if (timersRemaining-- > 0) timer = setTimeout(next, ms / TIMER_STEPS);
    else run();
  };
  next();
  return () => clearTimeout(timer);
}

/** A pending request. */
interface PendingRequest {
  readonly id: number;
  readonly request: Request;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** A worker in a frame, which evaluates at most one module. Answers arrive in the order of the requests. */
class SandboxWorker implements Runner {
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
