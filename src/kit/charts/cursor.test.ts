import { expect, it } from 'vitest';
import { linearSteps, movedByKey, ratioSteps } from './cursor.ts';

const key = (name: string, shiftKey = false) => ({ key: name, shiftKey });
const axis = { domain: [0, 1] as const };

it('moves by whole steps, from wherever it was', () => {
  const step = linearSteps(0.01);
  let position = 0.3;
  for (let i = 0; i < 7; i++) position = step(position, 1);
  expect([position, step(0.3041, 1), linearSteps(5)(20, -2)]).toEqual([0.37, 0.31, 10]);
});

it('multiplies along a logarithmic axis', () => {
  const step = ratioSteps(10);
  expect(step(0.01, 10)).toBeCloseTo(0.1, 12);
  expect(step(step(0.02, 1), -1)).toBeCloseTo(10 ** -1.7, 12);
});

it('follows the keys within the axis', () => {
  const cursor = { x: 0.95, step: linearSteps(0.01) };
  expect([movedByKey(key('ArrowRight'), cursor, axis), movedByKey(key('ArrowRight', true), cursor, axis)]).toEqual([
    0.96, 1,
  ]);
  expect([movedByKey(key('PageDown'), cursor, axis), movedByKey(key('Home'), cursor, axis)]).toEqual([0.85, 0]);
  expect(movedByKey(key('End'), cursor, axis)).toBe(1);
  expect(movedByKey(key('ArrowLeft'), cursor, { ...axis, reversed: true })).toBe(0.96);
  expect(movedByKey(key('a'), cursor, axis)).toBeNull();
});
