import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Random } from '../../core/random.ts';
import { type GpuContext, openDevice, runKernel } from '../../gpu/index.ts';
import { type Activations, activationsFit, liftedWords, liftPlan, quantisePlan } from './activation-kernels.ts';
import { quantise } from '../../core/quantise.ts';
import { lift } from './lift.ts';
import { HALF_GROUPS } from './params.ts';

let context: GpuContext;
beforeAll(async () => {
  context = await openDevice(navigator.gpu, 'test');
});
afterAll(() => context.destroy());

/** Rows of every magnitude: ordinary, all zeros, all equal, below every scale, far below 1/512, far above 65504. */
function activations({ tokens, cols }: Activations): Float32Array {
  const random = new Random(cols);
  const magnitudes = [1, 0, 2 ** -12, 1e-33, 1e6, 3e-5, 1e30, 2 ** -110];
  const x = new Float32Array(tokens * cols);
  for (let t = 0; t < tokens; t++) {
    const magnitude = magnitudes[t % magnitudes.length];
    for (let c = 0; c < cols; c++) x[t * cols + c] = t % 5 === 4 ? magnitude : random.normal() * magnitude;
  }
  // Halves: with an absmax of 127 every one of them is a tie.
  for (let c = 0; c < cols; c++) x[c] = c === 0 ? 127 : (c % 250) / 2 - 62;
  return x;
}

/** What a plan's output has to be: the words of every row, then the bits of the scales. */
function expected(a: Activations, x: Float32Array, words: number, wordsOf: (q: Int8Array) => Uint32Array): Uint32Array {
  const output = new Uint32Array(a.tokens * (words + 1));
  const scales = new Float32Array(output.buffer, 4 * a.tokens * words);
  for (let t = 0; t < a.tokens; t++) {
    const q = quantise(x.subarray(t * a.cols, (t + 1) * a.cols));
    output.set(wordsOf(q.values), t * words);
    scales[t] = q.scale;
  }
  return output;
}

/** Four to a word, as they stand. */
function packed(values: Int8Array): Uint32Array {
  const words = new Uint32Array(Math.ceil(values.length / 4));
  new Int8Array(words.buffer).set(values);
  return words;
}

const SHAPES: readonly Activations[] = [
  { tokens: 9, cols: 1 },
  { tokens: 20, cols: 31 },
  { tokens: 17, cols: 64 },
  { tokens: 8, cols: 1100 },
];

describe('activations', () => {
  test.for(SHAPES)('of $tokens x $cols are quantised to the integers and scales of the CPU', async (a) => {
    expect(activationsFit(a, context.facts).ok).toBe(true);
    const x = activations(a);
    const output = await runKernel(context, 'slidesparse/quantise', quantisePlan(a), { x });
    expect(new Uint32Array(output.buffer)).toEqual(expected(a, x, Math.ceil(a.cols / 4), packed));
  });

  test.for(SHAPES)('of $tokens x $cols are lifted to the words of the CPU, for every pattern', async (a) => {
    const x = activations(a);
    for (const halfGroup of HALF_GROUPS) {
      const output = await runKernel(context, 'slidesparse/lift', liftPlan(a, halfGroup), { x });
      const words = liftedWords(a.cols, halfGroup);
      expect(new Uint32Array(output.buffer)).toEqual(expected(a, x, words, (q) => lift(q, halfGroup, words)));
    }
  });

  test('wider than workgroup memory are refused with limit and need', () => {
    const limit = context.facts.limits.maxComputeWorkgroupStorageSize;
    const refusal = activationsFit({ tokens: 1, cols: limit }, context.facts);
    expect(refusal.ok ? '' : refusal.reason).toBe(
      `a workgroup needs ${limit + 1024} bytes of memory for ${limit} columns, but this device has ${limit}`,
    );
  });
});
