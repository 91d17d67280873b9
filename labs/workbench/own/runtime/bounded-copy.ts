// Copies a module’s answer into data that the sandbox can send, with a limit on its size.

import { Rejection } from './list.ts';

/**
 * Maximum objects, lists, entries and pieces of 64 letters in a module's answer: a browser creates all of them before
 * the page, which receives the answer, can inspect any.
 */
export const MAX_ENTRIES = 2 ** 19;

const LETTERS_PER_ENTRY = 64;

// Saved before a module runs, since a module can replace any global. The code below only uses these and syntax.
const { apply } = Reflect;
const { create, getOwnPropertyDescriptor, getPrototypeOf, hasOwn } = Object;
const { isArray } = Array;
const Buffer = ArrayBuffer;
const { isView } = Buffer;
const bufferOf = getOwnPropertyDescriptor(getPrototypeOf(Uint8Array.prototype) as object, 'buffer')?.get;

/** An answer as data that is safe to send, with the memory of its arrays, which is transferred. */
interface SafeCopy {
  readonly copy: unknown;
  readonly buffers: readonly ArrayBuffer[];
}

/**
 * A copy of a module's answer, made of plain objects, lists, numbers, texts and typed arrays, which are not copied.
 * Throws Rejection after `max` entries, since a module may put anything into its answer.
 */
export function boundedCopy(answer: unknown, max = MAX_ENTRIES): SafeCopy {
  let entriesRemaining = max;
  const spend = (letters: number): void => {
    entriesRemaining -= 1 + letters / LETTERS_PER_ENTRY;
    if (entriesRemaining >= 0) return;
    throw new Rejection(
      `the module’s answer: found more than ${max} objects, entries of lists and pieces of ${LETTERS_PER_ENTRY} letters`,
    );
  };
  const buffers: ArrayBuffer[] = [];
  const addBuffer = (view: ArrayBufferView): void => {
    const buffer: unknown = bufferOf && apply(bufferOf, view, []);
    if (!(buffer instanceof Buffer)) return;
    for (let i = 0; i < buffers.length; i++) if (buffers[i] === buffer) return;
    buffers[buffers.length] = buffer;
  };
  const copyOf = (value: unknown): unknown => {
    spend(typeof value === 'string' ? value.length : 0);
    if (typeof value === 'function' || typeof value === 'symbol') return null;
    if (typeof value !== 'object' || value === null) return value;
    if (isView(value)) {
      addBuffer(value);
      return value;
    }
    if (isArray(value)) {
      const list: unknown[] = [];
      for (let i = 0; i < value.length; i++) list[i] = copyOf(value[i]);
      return list;
    }
    const fields = create(null) as Record<string, unknown>;
    for (const name in value) {
      spend(name.length);
      if (hasOwn(value, name)) fields[name] = copyOf((value as Readonly<Record<string, unknown>>)[name]);
    }
    return fields;
  };
  return { copy: copyOf(answer), buffers };
}
