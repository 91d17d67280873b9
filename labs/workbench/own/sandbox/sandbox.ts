// Runs the modules of custom formats in frames without access to the page, its storage or the network.

import type { Runners } from '../module-requests.ts';
import { afterSteps, EndedError, type SandboxOptions, SandboxWorker } from './sandbox-worker.ts';

/** What a sandbox is opened with: a page, and the script of its workers. */
export interface SandboxParts {
  /** address of sandbox.html */
  readonly address: string;
  /** text of the script of its workers, the module virtual:own-runtime */
  readonly runtime: string;
}

/** Time for the frame to confirm that it terminated a worker, ms; nothing new starts in a frame that is late. */
const END_MS = 100;
/** Further time for a late frame to confirm, ms; then it is removed. On a busy machine many frames are late. */
const LATE_MS = 5000;
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
