import { SparseScopeError } from '../../core/errors.ts';
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
  /** milliseconds for an answer; default 2000 */
  readonly limitMs?: number;
}

/** What a sandbox is made with. */
export interface SandboxParts {
  /** of sandbox.html */
  readonly address: string;
  /** the script of its workers: virtual:own-runtime */
  readonly runtime: string;
}

const LIMIT_MS = 2000;
/** For the frame and a worker to start: longer than any machine takes. */
const START_MS = 20_000;
/** For the frame to say that it ended a worker; then the frame goes, and its workers with it. */
const END_MS = 100;

/**
 * Where texts of modules are run: in two frames of opaque origins, so that what encodes cannot reach what decodes, each with
 * a worker that waits. Nothing in them can reach the network, the page or anything that is stored (public/sandbox.html).
 */
export class Sandbox {
  readonly #encoders: Frame;
  readonly #decoders: Frame;

  constructor(parts: SandboxParts) {
    this.#encoders = new Frame(parts);
    this.#decoders = new Frame(parts);
  }

  /** Evaluates a module, in fresh workers. It is run until `end`. */
  evaluate(text: string, options: SandboxOptions = {}): Runners & { readonly end: () => void } {
    const encoder = this.#encoders.evaluate(text, options);
    const decoder = this.#decoders.evaluate(text, options);
    return {
      encoder,
      decoder,
      end: () => {
        encoder.end(new EndedError('the module was ended'));
        decoder.end(new EndedError('the module was ended'));
      },
    };
  }

  /** Ends everything that runs. */
  close(): void {
    this.#encoders.close();
    this.#decoders.close();
  }
}

/** A frame of an opaque origin with its workers. */
class Frame {
  readonly #parts: SandboxParts;
  #element: HTMLIFrameElement | null = null;
  #loaded: Promise<Window | null> = Promise.resolve(null);
  #warm: Sandboxed | null = null;
  readonly #running = new Set<Sandboxed>();
  #count = 0;

  constructor(parts: SandboxParts) {
    this.#parts = parts;
    this.#open();
    this.#warm = this.#begin();
  }

  evaluate(text: string, options: SandboxOptions): Sandboxed {
    if (!this.#element) this.#open();
    const worker = this.#warm ?? this.#begin();
    worker.load(text, options);
    this.#warm = this.#begin();
    return worker;
  }

  close(): void {
    const error = new EndedError('the sandbox was closed');
    this.#element?.remove();
    this.#element = null;
    this.#warm = null;
    for (const worker of this.#running) worker.end(error);
  }

  #open(): void {
    const element = document.createElement('iframe');
    element.setAttribute('sandbox', 'allow-scripts');
    element.allow = '';
    element.referrerPolicy = 'no-referrer';
    element.hidden = true;
    element.title = 'Where formats of one’s own run';
    element.src = this.#parts.address;
    this.#element = element;
    this.#loaded = new Promise((resolve) => {
      element.addEventListener('load', () => resolve(element.contentWindow), { once: true });
    });
    document.body.append(element);
  }

  #begin(): Sandboxed {
    const id = this.#count++;
    const { port1, port2 } = new MessageChannel();
    const element = this.#element;
    const loaded = this.#loaded;
    const worker = new Sandboxed(port1, () => {
      this.#running.delete(worker);
      if (this.#warm === worker) this.#warm = null;
      void this.#endWorker(id, element, loaded);
    });
    this.#running.add(worker);
    void loaded.then((target) =>
      // An opaque origin has no name; the frame is ours, and never goes elsewhere.
      target?.postMessage({ ask: 'begin', id, runtime: this.#parts.runtime }, '*', [port2]),
    );
    return worker;
  }

  /** Asks the frame to end a worker, and removes the frame if it does not. */
  async #endWorker(id: number, element: HTMLIFrameElement | null, loaded: Promise<Window | null>): Promise<void> {
    const target = await loaded;
    if (!target || !element?.isConnected) return;
    const { port1, port2 } = new MessageChannel();
    const isEnded = await new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(false), END_MS);
      port1.onmessage = () => {
        clearTimeout(timer);
        resolve(true);
      };
      target.postMessage({ ask: 'end', id }, '*', [port2]);
    });
    port1.close();
    if (!isEnded && element === this.#element) this.close();
  }
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
  #timer: ReturnType<typeof setTimeout> | null = null;
  #count = 0;

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
      this.#port.postMessage({ id, request }, buffersOf(request));
      if (this.#waiting.length === 1) this.#watch();
    });
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
    const [first] = this.#waiting;
    const { id, answer } = Object(data) as { readonly id?: unknown; readonly answer?: unknown };
    if (!first || id !== first.id) {
      this.end(new EndedError('the module sent a message out of its turn, and was ended'));
      return;
    }
    this.#waiting.shift();
    first.resolve(answer);
    this.#watch();
  }

  /** Gives the first in the queue its time. */
  #watch(): void {
    this.#stopWatching();
    const [first] = this.#waiting;
    if (this.#ended || !first) return;
    const { onLong, limitMs = LIMIT_MS } = this.#options;
    this.#timer = setTimeout(
      () => {
        const { ask } = first.request;
        if (!this.#isReady) this.end(new EndedError('the sandbox did not start'));
        else if (onLong) onLong(ask);
        else this.end(new EndedError(`${ask} did not end within ${limitMs / 1000} s`));
      },
      this.#isReady ? limitMs : START_MS,
    );
  }

  #stopWatching(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
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
