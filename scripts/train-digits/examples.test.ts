import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { finish } from '../../src/core/job.ts';
import { denseMatrix, toDense } from '../../src/core/matrix/index.ts';
import { pruneToPatternSteps } from '../../src/core/matrix/prune-pattern.ts';
import { Random } from '../../src/core/number/random.ts';
import { untrainedExamples } from './examples.ts';
import { DigitImages, PIXELS } from '../../src/generate/digit-images.ts';
import { Network } from './network.ts';

const folder = new URL('../../public/examples/', import.meta.url);

it.each(untrainedExamples().map((example) => [example.entry.file, example] as const))(
  '%s is generated again byte for byte',
  (file, { bytes, entry }) => {
    expect(Buffer.compare(readFileSync(new URL(file, folder)), bytes)).toBe(0);
    const index: unknown = JSON.parse(readFileSync(new URL('index.json', folder), 'utf8'));
    expect(index).toContainEqual(entry);
  },
);

it('a network learns to classify digits, and keeps pruned weights at 0', () => {
  const network = new Network([PIXELS, 32, 10], new Random(1));
  const images = new DigitImages(2);
  const pixels = new Float32Array(PIXELS);
  const train = (samples: number): void => {
    for (let k = 0; k < samples; k += 16) {
      for (let i = 0; i < 16; i++) network.learn(pixels, images.next(pixels));
      network.update(16, 3e-3);
    }
  };
  const right = (): number => {
    const test = new DigitImages(3);
    let count = 0;
    for (let k = 0; k < 400; k++) {
      const digit = test.next(pixels);
      count += network.classify(pixels) === digit ? 1 : 0;
    }
    return count / 400;
  };
  expect(right()).toBeLessThan(0.3);
  train(4000);
  expect(right()).toBeGreaterThan(0.7);
  const mask = toDense(finish(pruneToPatternSteps(denseMatrix(32, PIXELS, network.layers[0].cells()), 2, 4)));
  network.layers[0].pruneTo(mask);
  train(160);
  const isZero = (weight: number): boolean => weight === 0;
  expect(Array.from(network.layers[0].cells(), isZero)).toEqual(Array.from(mask, isZero));
});
