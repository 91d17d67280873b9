// Where a point of the quality chart leads: to a pruning, to overrides, or to another model.

import { expect, it } from 'vitest';
import { shippedQuality } from '../../test/offers.ts';
import { targetOf } from './QualityTab.tsx';
import { pointName, recordedPoints } from './points.ts';

const recorded = shippedQuality('tales');
const points = recordedPoints(recorded, 6.5e6);
const named = (name: string, trained = 0) => {
  const point = points.find((p) => pointName(p) === name && (trained === 0 || Math.round(p.trained) === trained));
  if (!point) throw new Error(`no point ${name}`);
  return targetOf(point, { id: 'tales' });
};

it('a point opens its pruning in the selection bar if the bar can express it', () => {
  expect(named('Wanda, 50\u202f% left')).toEqual({ to: 'sentence', pruning: { way: 'wanda', density: 0.5 } });
  expect(named('dense f16')).toEqual({ to: 'sentence', pruning: null });
  expect(named('2:4 by magnitude')).toEqual({ to: 'sentence', pruning: { way: 'n-of-m', kept: 2, group: 4 } });
});

it('other points become choices for all matrices, in a format that stores their value type', () => {
  expect(named('6:8 by Wanda')).toEqual({
    to: 'own',
    choice: { pruning: { way: 'n-of-m', kept: 6, group: 8, by: 'wanda' } },
  });
  expect(named('i4')).toMatchObject({ to: 'own', choice: { pruning: { way: 'none' }, valueType: 'i4' } });
  expect(named('Wanda, 50\u202f% left, i8')).toMatchObject({
    choice: { pruning: { way: 'wanda', density: 0.5 }, valueType: 'i8' },
  });
});

it('a point of a further trained model opens the shipped model, and does nothing without one', () => {
  expect(named('Wanda, 25\u202f% left, trained further', 45)).toMatchObject({
    to: 'model',
    model: { id: 'tales-pruned' },
  });
  expect(named('2:4 by Wanda, trained further', 8)).toBeNull();
});

it('a point of Spense opens nothing: neither the bar nor the tab Text has it', () => {
  expect(named('Spense by Wanda')).toBeNull();
});
