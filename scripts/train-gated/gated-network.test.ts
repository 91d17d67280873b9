import { expect, it } from 'vitest';
import { Random } from '../../src/core/number/random.ts';
import { DigitImages, PIXELS } from '../../src/generate/digit-images.ts';
import { GatedNetwork } from './gated-network.ts';
import { scheduled } from '../../test/scheduled.ts';

it('has the gradients that finite differences give, including the gradients of the L1 term', () => {
  const network = new GatedNetwork({ inputs: 6, model: 5, hidden: 12, classes: 3 }, 0.05, new Random(3));
  const input = Float32Array.of(0.3, -0.8, 1.1, 0.5, -0.2, 0.9);
  network.learn(input, 1);
  const step = 2 ** -7;
  for (const { weights, gradient } of network.layers) {
    for (let i = 0; i < weights.length; i++) {
      const before = weights[i];
      weights[i] = before + step;
      const above = network.loss(input, 1);
      weights[i] = before - step;
      const below = network.loss(input, 1);
      weights[i] = before;
      expect(Math.abs((above - below) / (2 * step) - gradient[i])).toBeLessThan(
        2e-3 * Math.max(1, Math.abs(gradient[i])),
      );
    }
  }
});

scheduled(
  'it trains two networks',
  "'has the gradients that finite differences give' in the same file: training is not part of the page",
  'a gated network learns to classify digits, and with an L1 term fewer neurons fire',
  () => {
    const trained = [0, 0.03].map((l1) => {
      const network = new GatedNetwork({ inputs: PIXELS, model: 24, hidden: 64, classes: 10 }, l1, new Random(1));
      const images = new DigitImages(2);
      const pixels = new Float32Array(PIXELS);
      for (let k = 0; k < 3200; k += 16) {
        for (let i = 0; i < 16; i++) network.learn(pixels, images.next(pixels));
        network.update(16, 3e-3);
      }
      const test = new DigitImages(3);
      let right = 0;
      let fired = 0;
      for (let k = 0; k < 200; k++) {
        const digit = test.next(pixels);
        right += network.classify(pixels) === digit ? 1 : 0;
        fired += network.gate.filter((value) => value > 0).length;
      }
      return { right, fired };
    });
    const [without, withL1] = trained;
    expect(without.right).toBeGreaterThan(150);
    expect(withL1.right).toBeGreaterThan(150);
    expect(withL1.fired).toBeLessThan(0.7 * without.fired);
  },
);
