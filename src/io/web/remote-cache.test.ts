import { expect, it } from 'vitest';
import { type CachedFile, RemoteCache } from './remote-cache.ts';

const file = (supportsRanges = true): CachedFile => ({ name: 'a', size: 100, validator: '"1"', supportsRanges });
const zeros = (length: number): Uint8Array => new Uint8Array(length);

it('bytesAt returns the cached bytes from an offset on, and none of an older version of the file', () => {
  const cache = new RemoteCache();
  const [old, current] = [file(), file()];
  cache.open('a', old);
  cache.keep(old, 10, Uint8Array.of(1, 2, 3));
  expect([9, 10, 12, 13].map((offset) => cache.bytesAt(old, offset))).toEqual([
    null,
    Uint8Array.of(1, 2, 3),
    Uint8Array.of(3),
    null,
  ]);
  cache.open('a', current);
  expect(cache.file('a')).toBe(current);
  expect([cache.bytesAt(current, 10), cache.bytesAt(old, 10)]).toEqual([null, null]);
});

it('evicts the least recently used bytes first, and does not cache a piece larger than its limit', () => {
  const cache = new RemoteCache(100);
  const cached = file();
  cache.open('a', cached);
  cache.keep(cached, 0, zeros(40));
  cache.keep(cached, 1000, zeros(40));
  cache.bytesAt(cached, 0);
  cache.keep(cached, 2000, zeros(40));
  cache.keep(cached, 3000, zeros(101));
  expect([0, 1000, 2000, 3000].map((offset) => cache.bytesAt(cached, offset)?.length)).toEqual([
    40,
    undefined,
    40,
    undefined,
  ]);
  expect(cache.file('a')).toBe(cached);
});

it('evicts a file without ranges together with its bytes, since it was read as a whole', () => {
  const cache = new RemoteCache(100);
  const whole = file(false);
  cache.open('a', whole);
  cache.keep(whole, 0, zeros(80));
  cache.keep(file(), 0, zeros(30));
  expect(cache.file('a')).toBeNull();
});
