import { expect, it } from 'vitest';
import { type CachedFile, RemoteCache } from './remote-cache.ts';

const file = (supportsRanges = true): CachedFile => ({ name: 'a', size: 100, validator: '"1"', supportsRanges });
const zeros = (length: number): Uint8Array => new Uint8Array(length);

it('returns the bytes of the piece that contains an offset, of that very file', () => {
  const cache = new RemoteCache();
  const [old, now] = [file(), file()];
  cache.open('a', old);
  cache.keep(old, 10, Uint8Array.of(1, 2, 3));
  expect([9, 10, 12, 13].map((at) => cache.bytesAt(old, at))).toEqual([
    null,
    Uint8Array.of(1, 2, 3),
    Uint8Array.of(3),
    null,
  ]);
  cache.open('a', now);
  expect(cache.file('a')).toBe(now);
  expect([cache.bytesAt(now, 10), cache.bytesAt(old, 10)]).toEqual([null, null]);
});

it('evicts the least recently used bytes first, and keeps none beyond its limit', () => {
  const cache = new RemoteCache(100);
  const known = file();
  cache.open('a', known);
  cache.keep(known, 0, zeros(40));
  cache.keep(known, 1000, zeros(40));
  cache.bytesAt(known, 0);
  cache.keep(known, 2000, zeros(40));
  cache.keep(known, 3000, zeros(101));
  expect([0, 1000, 2000, 3000].map((at) => cache.bytesAt(known, at)?.length)).toEqual([40, undefined, 40, undefined]);
  expect(cache.file('a')).toBe(known);
});

it('forgets a file that was read whole together with its bytes', () => {
  const cache = new RemoteCache(100);
  const whole = file(false);
  cache.open('a', whole);
  cache.keep(whole, 0, zeros(80));
  cache.keep(file(), 0, zeros(30));
  expect(cache.file('a')).toBeNull();
});
