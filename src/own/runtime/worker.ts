import type { Answer, Request } from '../messages.ts';
import { answerTo, failure, type OwnModule } from './answer.ts';

/**
 * A classic worker inside the sandbox: evaluates the text of a module, and answers what it is asked over the port that comes
 * first. The module runs in this very realm, so whatever is said here may have been said by the module.
 */

/** What not every browser refuses to an opaque origin, and what would be a fresh realm that has it again. */
const CLOSED = ['caches', 'WebAssembly', 'Worker', 'SharedWorker'];

for (const name of CLOSED) {
  for (let holder: object | null = globalThis; holder; holder = Reflect.getPrototypeOf(holder)) {
    Reflect.deleteProperty(holder, name);
  }
}

onmessage = ({ ports: [port] }) => {
  let address = '';
  let module: Promise<OwnModule> | null = null;
  port.onmessage = async ({ data }: MessageEvent<{ text: string } | { id: number; request: Request }>) => {
    if ('text' in data) {
      address = URL.createObjectURL(new Blob([data.text], { type: 'text/javascript' }));
      module = import(/* @vite-ignore */ address) as Promise<OwnModule>;
      // It is handled where it is awaited.
      module.catch(() => {});
      return;
    }
    let answer: Answer;
    try {
      answer = answerTo((await module) ?? {}, address, data.request);
    } catch (error) {
      answer = failure(error, address);
    }
    port.postMessage({ id: data.id, answer }, [...buffersOf(answer)]);
  };
  port.postMessage('ready');
};

/** The memory of an answer's lists, to be handed over. */
function buffersOf(value: unknown, found = new Set<ArrayBuffer>()): Set<ArrayBuffer> {
  if (ArrayBuffer.isView(value)) {
    if (value.buffer instanceof ArrayBuffer) found.add(value.buffer);
  } else if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) buffersOf(inner, found);
  }
  return found;
}
