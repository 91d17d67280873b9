import { expect, it } from 'vitest';
import { BufferPool } from './buffer-pool.ts';

function fakeBuffer(size: number, usage: number, freed: number[]): GPUBuffer {
  return { size, usage, destroy: () => void freed.push(size) } as unknown as GPUBuffer;
}

it('returns the smallest buffer that is large enough and not much larger, for the same use', () => {
  const freed: number[] = [];
  const pool = new BufferPool(1000);
  for (const [size, usage] of [
    [160, 1],
    [128, 1],
    [120, 2],
    [300, 1],
  ]) {
    pool.give(fakeBuffer(size, usage, freed));
  }
  expect(pool.take(120, 1)?.size).toBe(128);
  expect(pool.take(120, 1)?.size).toBe(160);
  expect(pool.take(120, 1)).toBeNull();
  expect(freed).toEqual([]);
  pool.destroy();
  expect(freed).toEqual([120, 300]);
});

it('frees the least recently used ones if it holds too much', () => {
  const freed: number[] = [];
  const pool = new BufferPool(500);
  for (const size of [200, 250, 100, 300]) pool.give(fakeBuffer(size, 1, freed));
  expect(freed).toEqual([200, 250]);
  expect(pool.take(250, 1)?.size).toBe(300);
});
