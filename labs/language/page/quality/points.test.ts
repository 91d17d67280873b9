// The points and curves of the quality chart, from the recording and from measurements here.

import { plainText } from '../../../../test/text-rules.ts';
import { describe, expect, test } from 'vitest';
import { bitmask } from '../../../../src/formats/bitmask/index.ts';
import { HARDWARE_2_4, storedShare } from '../../../../src/theory/sliding-sizes.ts';
import { aboveFloor } from '../curve/above-floor.ts';
import { shippedQuality } from '../../test/offers.ts';
import { recipeKey } from '../../decoders/stored/recipe.ts';
import { qualityAnswer } from './answer.ts';
import { brokenFirst, commonLaws } from './broken-laws.ts';
import {
  curveOf,
  denseOf,
  pointName,
  type QualityPoint,
  RECIPES,
  SPENSE,
  recordedPoints,
  relativeBytes,
  untrainedOf,
} from './points.ts';
import { PUBLISHED_SOURCES, publishedLoss } from './QualityTab.tsx';

const recorded = shippedQuality('tales');
const points = recordedPoints(recorded, 6_488_064);
/** The headline of the tab Quality for these points. */
const headlineOf = (judgedPoints: readonly QualityPoint[]): string => plainText(qualityAnswer(judgedPoints, 938) ?? []);

/** A point of 200 judged tales, pruned to half by Wanda in f16, with these changes. */
function point(changes: Partial<QualityPoint>): QualityPoint {
  const { method = 'wanda', density = 0.5 } = changes;
  return {
    id: `${method} ${density} ${changes.trained ?? 0}`,
    method,
    density,
    pattern: null,
    valueType: 'f16',
    trained: 0,
    bitsPerByte: 0.2,
    excessBits: 0.01,
    excessSe: null,
    judged: 200,
    unbroken: 0,
    firstBroken: {},
    bytesShare: 1,
    tales: 200,
    pruning: null,
    ...changes,
  };
}
const SHAPE = { rows: 4096, cols: 4096 };
const dense = point({ method: 'none', density: 1, unbroken: 176 });

describe('quality points', () => {
  test('the points of a recording have unique names and ids, a loss above 0 and at most the dense bytes', () => {
    expect(points).toHaveLength(recorded.rows.length);
    expect(new Set(points.map(({ id }) => id)).size).toBe(points.length);
    const names = points.map((p) => `${pointName(p)} ${p.trained}`);
    expect(new Set(names).size).toBe(names.length);
    for (const p of points) {
      expect(p.excessBits).toBeGreaterThan(0);
      expect(p.bytesShare).toBeGreaterThan(0.1);
      expect(p.bytesShare).toBeLessThanOrEqual(1.001);
    }
  });

  test('Spense needs as many bits per byte as the last frame of SlideSparse and its docs state', () => {
    const bits = (name: string): string | undefined =>
      points.find((p) => pointName(p) === name)?.bitsPerByte.toFixed(3);
    expect(['Spense by Wanda', '6:8 by Wanda', 'dense f16'].map(bits)).toEqual(['0.318', '0.215', '0.213']);
  });

  test('the curve of a pruning method begins with the dense point, and its densities fall', () => {
    expect(curveOf(points, 'wanda')[0]).toBe(denseOf(points));
    const densities = curveOf(points, 'wanda').map((p) => p.density);
    expect(densities).toEqual(densities.toSorted((a, b) => b - a));
  });

  test('every point that can be measured is in the recording, and is listed once', () => {
    const keys = RECIPES.map(recipeKey);
    expect(new Set(keys).size).toBe(keys.length);
    const recordedIds = new Set(points.map(({ id }) => id));
    expect(keys.filter((key) => !recordedIds.has(key))).toEqual([]);
  });

  test('an untrained, pruned f16 point has a pruning for the whole page, unless it is N:M by Wanda or Spense; other points have none', () => {
    for (const p of points) {
      if (p.trained > 0 || p.valueType !== 'f16' || p.method === 'none') expect(p.pruning).toBeNull();
      else if (p.pattern === null) expect(p.pruning).toMatchObject({ way: p.method, density: p.density });
      else if (p.method === 'magnitude' && p.pattern !== SPENSE) expect(p.pruning).toMatchObject({ way: 'n-of-m' });
      else expect(p.pruning, 'the page prunes to N:M only by magnitude').toBeNull();
    }
  });

  test('every point with further training has an untrained point of the same pruning, with a higher loss', () => {
    const trained = points.filter((p) => p.trained > 0);
    expect(trained.length).toBeGreaterThan(1);
    for (const p of trained) {
      const before = untrainedOf(points, p);
      expect(before).toMatchObject({ trained: 0, method: p.method, density: p.density, pattern: p.pattern });
      expect(before?.excessBits).toBeGreaterThan(p.excessBits);
    }
  });

  test('relativeBytes adds positions and scales, and is 1 where pruning saves nothing', () => {
    expect([relativeBytes(1, null, 'f16'), relativeBytes(1, null, 'i8')]).toEqual([1, 0.5]);
    expect([relativeBytes(1, null, 'i4'), relativeBytes(0.5, null, 'f16')]).toEqual([0.28125, 0.5625]);
    expect([relativeBytes(0.5, '2:4', 'f16'), relativeBytes(0.75, '6:8', 'f16')]).toEqual([0.5625, 0.84375]);
    expect(relativeBytes(0.99, null, 'f16')).toBe(1);
    // Half of the columns in 2:4, the others whole.
    expect([relativeBytes(0.75, SPENSE, 'f16'), relativeBytes(0.75, SPENSE, 'i8')]).toEqual([0.78125, 0.40625]);
  });

  test('relativeBytes equals a bitmask with its values, or N:M values with their positions', () => {
    for (const valueType of ['f16', 'i8', 'i4'] as const) {
      const bits = { f16: 16, i8: 8, i4: 4 }[valueType];
      for (const density of [0.1, 0.3, 0.5]) {
        const stored = bitmask.expectedEffectiveDensity?.(density, { valueType }, SHAPE)?.expected ?? Number.NaN;
        expect(relativeBytes(density, null, valueType), `${valueType} at ${density}`).toBe((stored * bits) / 16);
      }
    }
    expect(relativeBytes(0.5, null, 'i4')).toBe(0.203125);
    expect(storedShare(8, HARDWARE_2_4, 8) / 2).toBe(relativeBytes(0.75, '6:8', 'i8'));
  });
});

test('a published perplexity is converted to bits per byte with the bytes per token of its model', () => {
  // EC-SpMV, section 8.4: 5.12 to 24.0 by SparseGPT, 2.229 bits per token; Llama’s tokens have about four bytes.
  expect(publishedLoss(0, 0.5)).toMatchObject({ x: 0.3, y: aboveFloor(Math.log2(24 / 5.12) / 4) });
  expect(Math.log2(24 / 5.12) / 4).toBeCloseTo(0.557, 3);
  expect(PUBLISHED_SOURCES).toContain('4 bytes a token); Qwen3-1.7B');
});

test('the headline calls two shares of unbroken tales different only if the difference is significant', () => {
  // Dense has 176 of 200 tales unbroken: 168 may differ by chance, 160 may not.
  const headlineAt = (unbroken: number): string =>
    headlineOf([dense, point({ density: 0.7, unbroken }), point({ density: 0.6 })]);
  expect(headlineAt(168)).toMatch(/^Down to 70/);
  expect(headlineAt(160)).toMatch(/^With 70/);
});

test('brokenFirst counts the tales by the law that broke first, with the rarer laws together', () => {
  const p = { firstBroken: { spelling: 34, grammar: 29, name: 11, owner: 6, order: 2, end: 1 } };
  const named = commonLaws([point(p), point({ firstBroken: { name: 40 } })], 3);
  expect(named).toEqual(['name', 'spelling', 'grammar']);
  expect(brokenFirst(p, named)).toEqual([
    { law: 'name', count: 11 },
    { law: 'spelling', count: 34 },
    { law: 'grammar', count: 29 },
    { law: 'other', count: 9 },
  ]);
  for (const judgedPoint of points.filter(({ judged }) => judged > 0)) {
    const sum = brokenFirst(judgedPoint, named).reduce((total, { count }) => total + count, 0);
    expect(sum).toBe(judgedPoint.judged - judgedPoint.unbroken);
  }
});
