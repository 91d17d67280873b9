import type { OnStore } from './recorders.ts';
import type { ArrayBuilder, Builder } from './builder.ts';

// A builder for stories, which reports what an encoder stores.

/** A builder that appends to `inner`; it passes each stored number to `onStore`, each range of zeros to `onZeros`. */
export function reportingBuilder(
  inner: Builder,
  onStore: OnStore,
  onZeros: (from: number, to: number) => void,
): ArrayBuilder {
  const push = (value: number, isPadding = false): number => {
    const index = inner.push(value);
    onStore(index, value, isPadding);
    return index;
  };
  const set = (index: number, value: number): void => {
    inner.set(index, value);
    onStore(index, value, false);
  };
  return {
    get length() {
      return inner.length;
    },
    push: (value) => push(value),
    pushFields(...numbers) {
      const index = inner.pushFields(...numbers); // bounded: fields of a word
      onStore(index, inner.get(index), false);
      return index;
    },
    pushAll(values, count = values.length) {
      for (let i = 0; i < count; i++) push(values[i]);
    },
    pad(value = 0, count = 1) {
      for (let i = 0; i < count; i++) push(value, true);
      inner.padding += count;
    },
    zeros(count) {
      inner.zeros(count);
      onZeros(inner.length - count, inner.length);
    },
    get: (index) => inner.get(index),
    set,
    setEvery(first, step, values, count) {
      for (let i = 0; i < count; i++) set(first + i * step, values[i]);
    },
    setAt(indices, values, count, from = 0) {
      for (let i = 0; i < count; i++) set(from + indices[i], typeof values === 'number' ? values : values[i]);
      return indices
        .subarray(0, count)
        .reduce((nonZeros, index) => nonZeros + (inner.get(from + index) === 0 ? 0 : 1), 0);
    },
  };
}
