import { expect, test } from 'vitest';
import { timeLeft } from './time-left.ts';

test('the time that is left follows from how fast the present kind of work has gone', () => {
  let ms = 0;
  const left = timeLeft(() => ms);
  const at = (now: number, what: string, done: number): number | null => {
    ms = now;
    return left({ what, done, total: 100 });
  };
  expect(at(0, 'encode EC-SpMV: reading rows', 0)).toBeNull();
  // Too early to say.
  expect(at(1000, 'encode EC-SpMV: matching', 5)).toBeNull();
  // A tenth took 4 s.
  expect(at(4000, 'encode EC-SpMV: matching', 10)).toBe(36_000);
  expect(at(36_000, 'encode EC-SpMV: laying out blocks', 96)).toBeNull();
  // Another work begins anew.
  expect([at(40_000, 'rounds', 50), at(45_000, 'rounds', 60)]).toEqual([null, 20_000]);
  expect(at(46_000, 'rounds', 10)).toBeNull();
});
