import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { denseMatrix } from '../../core/matrix/index.ts';
import { type GpuContext, openDevice, readOutputs, runKernelWords } from '../../gpu/index.ts';
import { blockKernels } from './block-kernels.ts';
import { ell } from './index.ts';
import type { EllParams } from './params.ts';

let context: GpuContext;
beforeAll(async () => {
  context = await openDevice(navigator.gpu, 'test');
});
afterAll(() => context.destroy());

const WIDTH = 8;
const NEURONS = 301;
const TOKENS = 5;
const SLOTS = 31;

/** Inputs whose gate has h[t][n] = wg[n][t]: token t of x is 1 at t and 0 elsewhere. */
function inputsFor(h: (token: number, neuron: number) => number) {
  const x = new Float32Array(TOKENS * WIDTH);
  const wg = new Float32Array(NEURONS * WIDTH);
  for (let t = 0; t < TOKENS; t++) {
    x[t * WIDTH + t] = 1;
    for (let n = 0; n < NEURONS; n++) wg[n * WIDTH + t] = h(t, n);
  }
  return { x, wg };
}

/** The gate in the room of a matrix whose longest row has 31 non-zeros. */
async function gate(params: EllParams, h: (token: number, neuron: number) => number): Promise<Float32Array> {
  const spec = blockKernels[0];
  const longest = new Float32Array(TOKENS * NEURONS).fill(1, 0, SLOTS);
  const e = ell.encode(denseMatrix(TOKENS, NEURONS, longest), params);
  const sizes = { width: WIDTH };
  const words = await runKernelWords(context, spec.id, spec.plan(e, context.facts, sizes), inputsFor(h));
  return readOutputs(spec, e, words, sizes);
}

const COUNTS = [0, 30, 31, 7, 1];
const value = (t: number, n: number): number => (NEURONS - 1 - n < COUNTS[t] ? 1 + (n % 128) / 128 : -1);

describe.for<EllParams>([
  { valueType: 'f16', indexBits: 16 },
  { valueType: 'f16', indexBits: 32 },
  { valueType: 'f32', indexBits: 16 },
  { valueType: 'f32', indexBits: 32 },
])('ell/gate_converted, %o', (params) => {
  test('packs what is above 0 in the order of its columns, up to a full row', async () => {
    const h = await gate(params, value);
    for (let t = 0; t < TOKENS; t++) {
      for (let n = 0; n < NEURONS; n++) {
        if (h[t * NEURONS + n] !== Math.max(0, value(t, n))) expect.fail(`token ${t}, neuron ${n}`);
      }
    }
  });
});

test.for([32, 300])('says where %i non-zeros meet 31 slots, and gives no result', async (count) => {
  const wrong = gate({ valueType: 'f16', indexBits: 32 }, (t, n) => (t > 2 && n < count ? 1 : 0));
  await expect(wrong).rejects.toThrow(
    `2 of 5 rows overflow, the first at token 3: found ${count} non-zeros, expected at most 31; choose TwELL, or the hybrid`,
  );
});
