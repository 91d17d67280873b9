import { SparseScopeError } from '../../../../core/errors.ts';
import type { Runner, Runners } from '../asking.ts';
import type { Request } from '../messages.ts';

/** A module that was ended: it took too long, spoke out of turn, or nobody wants its answer any more. */
class EndedError extends SparseScopeError {
  override name = 'EndedError';
}

/** How a module is run. */
export interface SandboxOptions {
  /**
   * Called when an answer takes longer than `limitMs`, to ask a person; the module runs on until `end`. Without it, the
   * module is ended.
   */
  readonly onLong?: (what: Request['ask']) => void;
  /** milliseconds for an answer; default 2000 where a person is asked, and 10 000 where the module is ended */
  readonly limitMs?: number;
}

/** What a sandbox is made with. */
export interface SandboxParts {
  /** of sandbox.html */
  readonly address: string;
  /** the script of its workers: virtual:own-runtime */
  readonly runtime: string;
}

/** After which a person is asked, who can wait: too early does no harm. */
const ASK_MS = 2000;
/** After which a module is ended unasked: more than a busy machine takes for one that ends by itself. */
const UNASKED_MS = 10_000;
/** For the frame and a worker to start: longer than any machine takes. */
const START_MS = 20_000;
/** For the frame to say that it ended a worker; then nothing more begins in it. */
const END_MS = 100;
/** For a frame that is late to say so after all; then it goes, with everything in it. On a busy machine many are late. */
const LATE_MS = 5000;
/** Timers of which `afterTurns` makes up its time. */
const TURNS = 20;

/**
 * Where texts of modules are run: in two frames of opaque origins, so that what encodes cannot reach what decodes, each with
 * a worker that waits. Nothing in them can reach the network, the page or anything that is stored (public/sandbox.html).
 */
export class Sandbox {
  readonly #encoders: Side;
  readonly #decoders: Side;

  constructor(parts: SandboxParts) {
    this.#encoders = new Side(parts);
    this.#decoders = new Side(parts);
  }

  /** Evaluates a module, in fresh workers. It is run until `end`. */
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

  /** Ends everything that runs. */
  close(): void {
    this.#encoders.close();
    this.#decoders.close();
  }
}

/** What encodes, or what decodes: one frame, and another in its place as soon as it does not end a worker in time. */
class Side {
  readonly #parts: SandboxParts;
  #frame: Frame | null;
  /** frames that are late, while something still runs in them */
  readonly #late = new Set<Frame>();

  constructor(parts: SandboxParts) {
    this.#parts = parts;
    this.#frame = this.#open();
  }

  evaluate(text: string, options: SandboxOptions): Sandboxed {
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

/** What a frame tells its side. */
interface FrameEvents {
  /** It did not end a worker in time: nothing more begins in it. */
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
  readonly #running = new Set<Sandboxed>();
  #warm: Sandboxed | null;
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
    this.#warm = this.#begin();
  }

  evaluate(text: string, options: SandboxOptions): Sandboxed {
    const worker = this.#warm ?? this.#begin();
    worker.load(text, options);
    this.#warm = this.#begin();
    return worker;
  }

  /** Removes the frame, and with it everything that runs there. */
  close(): void {
    if (!this.#element.isConnected) return;
    this.#element.remove();
    this.#warm = null;
    const error = new EndedError('the sandbox was closed');
    for (const worker of this.#running) worker.end(error);
    this.#events.onGone();
  }

  #begin(): Sandboxed {
    const id = this.#count++;
    const { port1, port2 } = new MessageChannel();
    const worker = new Sandboxed(port1, () => {
      this.#running.delete(worker);
      if (this.#warm === worker) this.#warm = null;
      if (this.#isLate && this.#running.size === 0) this.close();
      else void this.#endWorker(id);
    });
    this.#running.add(worker);
    void this.#loaded.then((target) =>
      // An opaque origin has no name; the frame is ours, and never goes elsewhere.
      target?.postMessage({ ask: 'begin', id, runtime: this.#parts.runtime }, '*', [port2]),
    );
    return worker;
  }

  /**
   * Asks the frame to end a worker. A frame that does not say so in time is busy with something, perhaps with messages that
   * the worker floods it with: nothing more begins in it. It goes once nothing else runs there, or if it stays silent.
   */
  async #endWorker(id: number): Promise<void> {
    const target = await this.#loaded;
    if (!target || !this.#element.isConnected) return;
    const { port1, port2 } = new MessageChannel();
    const ended = new Promise<true>((resolve) => {
      port1.onmessage = () => resolve(true);
    });
    target.postMessage({ ask: 'end', id }, '*', [port2]);
    if (!(await within(ended, END_MS))) {
      this.#retire();
      if (!(await within(ended, LATE_MS))) this.close();
    }
    port1.close();
  }

  #retire(): void {
    if (!this.#element.isConnected || this.#isLate) return;
    this.#isLate = true;
    this.#events.onLate();
    if (this.#warm) this.#running.delete(this.#warm);
    this.#warm = null;
    if (this.#running.size === 0) this.close();
  }
}

/** Whether something happens within so many milliseconds. */
async function within(what: Promise<true>, ms: number): Promise<boolean> {
  let stop = (): void => {};
  const late = new Promise<false>((resolve) => {
    stop = afterTurns(ms, () => resolve(false));
  });
  const isIn = await Promise.race([what, late]);
  stop();
  return isIn;
}

/**
 * Calls `run` after so many milliseconds unless it is stopped before, by short timers, one after the other: a page that was
 * kept from running is late with one of them alone, and reads the answers that came meanwhile before the next.
 */
function afterTurns(ms: number, run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let left = TURNS;
  const next = (): void => {
    if (left-- > 0) timer = setTimeout(next, ms / TURNS);
    else run();
  };
  next();
  return () => clearTimeout(timer);
}

/** What waits for an answer. */
interface Waiting {
  readonly id: number;
  readonly request: Request;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** A worker in a frame, in which at most one module is evaluated. Answers come in the order of the requests. */
class Sandboxed implements Runner {
  readonly #port: MessagePort;
  readonly #onEnd: () => void;
  readonly #waiting: Waiting[] = [];
  #options: SandboxOptions = {};
  #isReady = false;
  #ended: Error | null = null;
  #stopTimer: (() => void) | null = null;
  #count = 0;
  /** requests that go in one message at the end of this turn */
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
    this.#watch();
  }

  ask(request: Request): Promise<unknown> {
    if (this.#ended) return Promise.reject(this.#ended);
    return new Promise((resolve, reject) => {
      const id = this.#count++;
      this.#waiting.push({ id, request, resolve, reject });
      this.#unsent.push(request);
      if (this.#unsent.length === 1) queueMicrotask(() => this.#send());
      if (this.#waiting.length === 1) this.#watch();
    });
  }

  /** A message costs more than most requests, so all of one turn go together. */
  #send(): void {
    const requests = this.#unsent;
    this.#unsent = [];
    if (this.#ended) return;
    this.#port.postMessage({ id: this.#count - requests.length, requests }, requests.flatMap(buffersOf));
  }

  end(error: Error): void {
    if (this.#ended) return;
    this.#ended = error;
    // Messages that are under way are dropped.
    this.#port.close();
    this.#stopWatching();
    for (const { reject } of this.#waiting.splice(0)) reject(error);
    this.#onEnd();
  }

  #onMessage(data: unknown): void {
    if (this.#ended) return;
    if (!this.#isReady && data === 'ready') {
      this.#isReady = true;
      this.#watch();
      return;
    }
    const { id, answers } = Object(data) as { readonly id?: unknown; readonly answers?: unknown };
    const count = Array.isArray(answers) ? answers.length : 0;
    if (count === 0 || count > this.#waiting.length || id !== this.#waiting[0].id) {
      this.end(new EndedError('the module spoke out of turn, and was ended'));
      return;
    }
    for (const [i, { resolve }] of this.#waiting.splice(0, count).entries()) resolve((answers as unknown[])[i]);
    this.#watch();
  }

  /** Gives the first in the queue its time. */
  #watch(): void {
    this.#stopWatching();
    const [first] = this.#waiting;
    if (this.#ended || !first) return;
    const { onLong, limitMs = onLong ? ASK_MS : UNASKED_MS } = this.#options;
    this.#stopTimer = afterTurns(this.#isReady ? limitMs : START_MS, () => {
      const { ask } = first.request;
      if (!this.#isReady) this.end(new EndedError('the sandbox did not start'));
      else if (onLong) onLong(ask);
      else this.end(new EndedError(`${ask} did not end within ${limitMs / 1000} s`));
    });
  }

  #stopWatching(): void {
    this.#stopTimer?.();
    this.#stopTimer = null;
  }
}

/** The memory that a request hands over. */
function buffersOf(request: Request): ArrayBufferLike[] {
  if (request.ask === 'encode') {
    const { starts, columns, values } = request.matrix;
    return [starts.buffer, columns.buffer, values.buffer];
  }
  return request.ask === 'decode' ? request.arrays.map(([, elements]) => elements.buffer) : [];
}
