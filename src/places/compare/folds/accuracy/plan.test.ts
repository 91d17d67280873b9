import { expect, it } from 'vitest';
import { formats, referenceFormat } from '../../../../formats/registry.ts';
import {
  densityOf,
  keyOf,
  planRuns,
  pruningAt,
  pruningsOf,
  pruningText,
  valueTypesOf,
  WAYS,
  orderedFormats,
} from './plan.ts';

const weights = orderedFormats(formats, referenceFormat.id);
const params = Object.fromEntries(formats.map((f) => [f.id, {}]));
const request = { reference: referenceFormat, params, layers: 'all', where: 'cpu' } as const;

it('takes formats of weights first, those before that promise to be small', () => {
  const ids = weights.map((f) => f.id);
  expect(ids).not.toContain(referenceFormat.id);
  expect(ids).toHaveLength(formats.length - 1);
  expect(ids.slice(0, 2).toSorted()).toEqual(['bitmask', 'macko']);
  expect(ids.slice(-2).toSorted()).toEqual(['hybrid', 'twell']);
  expect(weights.map((f) => valueTypesOf(f)[0])).toEqual(
    weights.map((f) => (ids.slice(-2).includes(f.id) ? 'bf16' : 'f16')),
  );
});

it('runs the whole network first, then each density with every format and value type before the next', () => {
  const plan = planRuns({ ...request, ways: ['magnitude', 'wanda'], formats: weights.slice(0, 2) });
  const whole = plan.filter((c) => c.pruning === null);
  expect(plan.slice(0, whole.length)).toEqual(whole);
  expect(whole.map((c) => c.params.valueType)).toEqual(valueTypesOf(referenceFormat));
  const ofFirst = weights.slice(0, 2).flatMap((f) => valueTypesOf(f).map((v) => [f.id, v, 'magnitude']));
  const seen = plan
    .slice(whole.length, whole.length + ofFirst.length + 1)
    .map((c) => [c.format, c.params.valueType, c.pruning?.way]);
  expect(seen).toEqual([...ofFirst, [weights[0].id, 'f16', 'wanda']]);
  expect(new Set(plan.map((c) => keyOf(c, 4000))).size).toBe(plan.length);
});

it('plans nothing but the whole network without a format or a way', () => {
  expect(planRuns({ ...request, ways: ['magnitude'], formats: [] }).every((c) => c.pruning === null)).toBe(true);
  expect(planRuns({ ...request, ways: [], formats: weights }).every((c) => c.pruning === null)).toBe(true);
});

it.each(WAYS)('%s has prunings of falling and rising density, each told in words', (way) => {
  const prunings = pruningsOf(way);
  expect(prunings.length).toBeGreaterThan(6);
  for (const pruning of prunings) {
    expect(densityOf(pruning)).toBeGreaterThan(0);
    expect(densityOf(pruning)).toBeLessThan(1);
    expect(pruningText(pruning)).not.toBe('');
    expect(pruningAt(way, densityOf(pruning)).way).toBe(way);
  }
});

it('takes the nearest pattern of N:M', () => {
  expect(pruningAt('n-of-m', 0.52)).toEqual({ way: 'n-of-m', kept: 2, group: 4 });
  expect(pruningAt('n-of-m', 0.74)).toEqual({ way: 'n-of-m', kept: 6, group: 8 });
  expect(densityOf(null)).toBe(1);
});

it('knows a choice again whatever the order of its parameters, and the whole network whatever is pruned', () => {
  const choice = { format: 'a', params: { x: 1, y: 2 }, pruning: null, layers: 'all', where: 'cpu' } as const;
  expect(keyOf({ ...choice, params: { y: 2, x: 1 }, layers: 'hidden' }, 100)).toBe(keyOf(choice, 100));
  expect(keyOf(choice, 200)).not.toBe(keyOf(choice, 100));
  expect(keyOf({ ...choice, where: 'gpu' }, 100)).not.toBe(keyOf(choice, 100));
});
