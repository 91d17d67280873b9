import * as Comlink from 'comlink';

// Prepares values for messages between page and worker: functions become proxies, buffers may be transferred, not copied.

/** For each marked value (an answer or argument of a service): the part whose buffers move to the other thread. */
const TRANSFERRED = new WeakMap<object, object>();

/** Marks a value: the buffers of `part` will move to the other thread, and this thread can no longer read them. */
export function transferred<T extends object>(value: T, part: object = value): T {
  TRANSFERRED.set(value, part);
  return value;
}

/** A value prepared for Comlink: functions become proxies, and marked buffers are transferred. */
export function toWire(value: unknown): unknown {
  if (typeof value === 'function') return Comlink.proxy(value);
  const part = typeof value === 'object' && value !== null ? TRANSFERRED.get(value) : undefined;
  if (!part) return value;
  const buffers = new Set<ArrayBuffer>();
  collect(part, buffers);
  return Comlink.transfer(value, [...buffers]);
}

/** Adds the buffers of a value, except if a typed array views only a part: the rest may be in use. */
function collect(value: unknown, buffers: Set<ArrayBuffer>): void {
  if (value instanceof ArrayBuffer) {
    buffers.add(value);
  } else if (ArrayBuffer.isView(value)) {
    const { buffer, byteLength } = value;
    if (buffer instanceof ArrayBuffer && byteLength === buffer.byteLength) buffers.add(buffer);
  } else if (Array.isArray(value)) {
    for (const item of value) collect(item, buffers);
  } else if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype) {
    for (const item of Object.values(value)) collect(item, buffers);
  }
}
