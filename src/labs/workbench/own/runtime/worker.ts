import type { Answer, Request } from '../messages.ts';
import { answerTo, failure, type OwnModule } from './answer.ts';
import { boundedCopy } from './bounded-copy.ts';

/**
 * A classic worker inside the sandbox: evaluates the text of a module, and answers what it is asked over the port that comes
 * first. The module runs in this very realm, so whatever is said here may have been said by the module.
 */

/** What not every browser refuses to an opaque origin, and what would be a fresh realm that has it again. */
const CLOSED = ['caches', 'WebAssembly', 'Worker', 'SharedWorker'];

/** What sends messages to the frame, which shares a thread with the page in some browsers: as many as one likes. */
const LOUD = ['postMessage', 'reportError'];

/**
 * What draws or computes on a GPU, or makes pictures for it: the page has the same GPU, and what was handed to it goes on
 * after the worker was ended. By pattern: each of them has many classes, and browsers add more.
 */
const DRAWING = /Canvas|Context$|WebGL|^(WebKit)?GPU|ImageBitmap|ImageDecoder|^Video|^ML|^XR/;

/** Ways to a GPU that a navigator has. */
const NAVIGATORS = ['gpu', 'ml', 'xr'];

/** Removes properties from an object and whatever it inherits from. */
function remove(object: object, isClosed: (name: string) => boolean): void {
  for (let holder: object | null = object; holder; holder = Reflect.getPrototypeOf(holder)) {
    for (const name of Object.getOwnPropertyNames(holder)) if (isClosed(name)) Reflect.deleteProperty(holder, name);
  }
}

remove(globalThis, (name) => CLOSED.includes(name) || LOUD.includes(name) || DRAWING.test(name));
remove(navigator, (name) => NAVIGATORS.includes(name));

// What a module must not reach is taken before it runs: a module with the port could send anything.
const { apply } = Reflect;
const { preventDefault } = Event.prototype;
const { postMessage: post } = MessagePort.prototype;
const dataOf = Object.getOwnPropertyDescriptor(MessageEvent.prototype, 'data')?.get ?? (() => null);
// Errors that nobody awaits are reported to the frame as well.
for (const type of ['error', 'unhandledrejection']) {
  addEventListener(type, (event) => {
    apply(preventDefault, event, []);
  });
}

/** Lines on the console: enough to look for a mistake. */
let linesLeft = 1000;
for (const [name, write] of Object.entries(console) as [string, unknown][]) {
  if (typeof write !== 'function') continue;
  Reflect.set(console, name, (...args: readonly unknown[]): void => {
    if (linesLeft-- > 0) apply(write, console, args);
  });
}

/** Milliseconds after which answers go, though more are to come: a waiting caller learns that work goes on. */
const SLICE_MS = 8;

onmessage = ({ ports: [port] }) => {
  let address = '';
  let module: Promise<OwnModule> | null = null;
  const send = (id: number, answers: readonly Answer[]): void => {
    const { copy, buffers } = sendable(answers, address);
    apply(post, port, [{ id, answers: copy }, buffers]);
  };
  port.onmessage = async (event) => {
    const data = apply(dataOf, event, []) as { text: string } | { id: number; requests: readonly Request[] };
    if ('text' in data) {
      address = URL.createObjectURL(new Blob([data.text], { type: 'text/javascript' }));
      module = import(/* @vite-ignore */ address) as Promise<OwnModule>;
      // It is handled where it is awaited.
      module.catch(() => {});
      return;
    }
    let { id } = data;
    let answers: Answer[] = [];
    let began = performance.now();
    const evaluated = await evaluation(module, address);
    for (const request of data.requests) {
      answers.push('failed' in evaluated ? evaluated.failed : answerTo(evaluated.module, address, request));
      if (performance.now() - began < SLICE_MS) continue;
      send(id, answers);
      id += answers.length;
      answers = [];
      began = performance.now();
    }
    if (answers.length > 0) send(id, answers);
  };
  apply(post, port, ['ready']);
};

/** The module, or the answer to everything that is asked of one that could not be evaluated. */
async function evaluation(
  module: Promise<OwnModule> | null,
  address: string,
): Promise<{ readonly module: OwnModule } | { readonly failed: Answer }> {
  try {
    // In an object: a module may export a function `then`.
    return { module: (await module) ?? {} };
  } catch (error) {
    return { failed: failure(error, address) };
  }
}

/** Answers that may be read: where one has too much in it, all of this turn say so. */
function sendable(answers: readonly Answer[], address: string): ReturnType<typeof boundedCopy> {
  try {
    return boundedCopy(answers);
  } catch (error) {
    return boundedCopy(Array.from(answers, () => failure(error, address)));
  }
}
