import { expect, it } from 'vitest';
import { ticksWithSpace } from './label-space.ts';

const label = (tick: number): string => String(tick);

it('keeps all ticks if their texts fit', () => {
  expect(ticksWithSpace([0, 1, 2], [], (t) => 40 * t, label)).toEqual([0, 1, 2]);
});
it('leaves out those that would lie on others, the first ones last', () => {
  expect(ticksWithSpace([0, 1, 2, 3, 4], [4, 0], (t) => 8 * t, label)).toEqual([4, 0, 2]);
});
it('keeps fewer ticks if their labels are long', () => {
  expect(ticksWithSpace([1, 2], [], (t) => 20 * t, label)).toEqual([1, 2]);
  expect(ticksWithSpace([1000, 2000], [], (t) => t / 50, label)).toEqual([1000]);
});
