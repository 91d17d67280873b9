// From which number of non-zeros on a sparse training step is no longer faster.

import { expect, it } from 'vitest';
import { type StepPoint, stepRatio, stepCrossover } from './step.ts';

/** A step whose three parts take a third each. */
const pointAt = (mean: number, denseNs: number, sparseNs: number): StepPoint => {
  const time = (ns: number): { medianNs: number; p10Ns: number; p90Ns: number } => ({
    medianNs: ns / 3,
    p10Ns: ns / 3,
    p90Ns: ns / 3,
  });
  const part = { reference: time(denseNs), sparse: time(sparseNs), ratio: null, rounds: 9, isRight: true };
  return {
    format: 'hybrid',
    reference: 'dense',
    attempts: [],
    kept: { reference: 1, sparse: 1, sparseAtFirst: 1 },
    mean,
    parts: { forward: part, backward: part, update: part },
  };
};

it('stepCrossover does not count a sparse step with the same time as faster', () => {
  const points = [pointAt(8, 6e6, 3e6), pointAt(30, 6e6, 6e6), pointAt(100, 6e6, 9e6)];
  expect([points.map(stepRatio), stepCrossover(points)]).toEqual([[2, 1, 2 / 3], { below: 8, from: 30 }]);
  expect(stepCrossover(points.slice(1))).toEqual({ below: null, from: 30 });
  expect(stepCrossover(points.slice(0, 1))).toEqual({ below: 8, from: null });
});
