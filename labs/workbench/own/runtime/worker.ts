import type { Answer, Request } from '../module-messages.ts';
import { answerTo, failure, type UserFormatModule } from './answer.ts';
import { boundedCopy } from './bounded-copy.ts';

/**
 * A classic worker inside the sandbox: it evaluates the text of a user's module, and answers requests over the port
 * that arrives first. The module runs in the same realm, so it may send messages itself.
 */

/** APIs that some browsers allow at an opaque origin, or that would create another realm, which has all APIs again. */
const FORBIDDEN_APIS = ['caches', 'WebAssembly', 'Worker', 'SharedWorker'];

/** APIs that send any number of messages to the frame, which in some browsers shares a thread with the page. */
const SENDING_APIS = ['postMessage', 'reportError'];

/**
 * APIs that draw or compute on a GPU, or make images for it: the page has the same GPU, whose work continues after the
 * worker has ended. By pattern, since each of them has many classes, and browsers add more.
 */
const DRAWING_APIS = /Canvas|Context$|WebGL|^(WebKit)?GPU|ImageBitmap|ImageDecoder|^Video|^ML|^XR/;

/** Properties of navigator that lead to a GPU. */
const NAVIGATOR_PROPERTIES = ['gpu', 'ml', 'xr'];

/** Removes properties from an object and its prototypes. */
function remove(object: object, isRemoved: (name: string) => boolean): void {
  for (let holder: object | null = object; holder; holder = Reflect.getPrototypeOf(holder)) {
    for (const name of Object.getOwnPropertyNames(holder)) if (isRemoved(name)) Reflect.deleteProperty(holder, name);
  }
}

remove(globalThis, (name) => FORBIDDEN_APIS.includes(name) || SENDING_APIS.includes(name) || DRAWING_APIS.test(name));
remove(navigator, (name) => NAVIGATOR_PROPERTIES.includes(name));

// Saved before the module runs, out of its reach: a module with the port could send anything.
const { apply } = Reflect;
const { preventDefault } = Event.prototype;
const { postMessage: post } = MessagePort.prototype;
const dataOf = Object.getOwnPropertyDescriptor(MessageEvent.prototype, 'data')?.get ?? (() => null);
// Otherwise errors that nobody awaits are also reported to the frame.
for (const type of ['error', 'unhandledrejection']) {
  addEventListener(type, (event) => {
    apply(preventDefault, event, []);
  });
}

/** Maximum lines on the console: enough for finding a mistake. */
let linesRemaining = 1000;
for (const [name, write] of Object.entries(console) as [string, unknown][]) {
  if (typeof write !== 'function') continue;
  Reflect.set(console, name, (...args: readonly unknown[]): void => {
    if (linesRemaining-- > 0) apply(write, console, args);
  });
}

/**
 * After this many milliseconds finished answers are sent before the rest: a waiting caller sees that work continues.
 */
const SLICE_MS = 8;

onmessage = ({ ports: [port] }) => {
  let address = '';
  let module: Promise<UserFormatModule> | null = null;
  const send = (id: number, answers: readonly Answer[]): void => {
    const { copy, buffers } = safeCopy(answers, address);
    apply(post, port, [{ id, answers: copy }, buffers]);
  };
  port.onmessage = async (event) => {
    const data = apply(dataOf, event, []) as { text: string } | { id: number; requests: readonly Request[] };
    if ('text' in data) {
      address = URL.createObjectURL(new Blob([data.text], { type: 'text/javascript' }));
      module = import(/* @vite-ignore */ address) as Promise<UserFormatModule>;
      // The error is handled by the code that awaits it.
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

/** The evaluated module, or the answer to every request if it could not be evaluated. */
async function evaluation(
  module: Promise<UserFormatModule> | null,
  address: string,
): Promise<{ readonly module: UserFormatModule } | { readonly failed: Answer }> {
  try {
    // Wrapped in an object, since a module may export a function `then`.
    return { module: (await module) ?? {} };
  } catch (error) {
    return { failed: failure(error, address) };
  }
}

/** A copy of the answers that is safe to send: if one contains too much, all of them become that error. */
function safeCopy(answers: readonly Answer[], address: string): ReturnType<typeof boundedCopy> {
  try {
    return boundedCopy(answers);
  } catch (error) {
    return boundedCopy(Array.from(answers, () => failure(error, address)));
  }
}
