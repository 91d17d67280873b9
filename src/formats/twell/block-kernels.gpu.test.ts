import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { denseMatrix } from '../../core/matrix/index.ts';
import { type GpuContext, openDevice, runKernelWords } from '../../gpu/index.ts';
import { blockKernels } from './block-kernels.ts';
import { twell } from './index.ts';
import type { TwellEncoded } from './layout.ts';
import type { TwellParams } from './params.ts';

let context: GpuContext;
beforeAll(async () => {
  context = await openDevice(navigator.gpu, 'test');
});
afterAll(() => context.destroy());

const PARAMS: TwellParams = { layout: 'packed', tileWidth: 256, compression: 8, valueType: 'bf16' };
const WIDTH = 8;
const NEURONS = 300;

/** Inputs whose gate has h[t][n] = wg[n][t]: token t of x is 1 at t and 0 elsewhere. */
function inputsFor(tokens: number, h: (token: number, neuron: number) => number) {
  const x = new Float32Array(tokens * WIDTH);
  const wg = new Float32Array(NEURONS * WIDTH);
  for (let t = 0; t < tokens; t++) {
    x[t * WIDTH + t] = 1;
    for (let n = 0; n < NEURONS; n++) wg[n * WIDTH + t] = h(t, n);
  }
  return { x, wg };
}

/** An encoding with the shape of the gate's h: its own non-zeros do not count. */
function shapeOf(tokens: number): TwellEncoded {
  return twell.encode(denseMatrix(tokens, NEURONS, new Float32Array(tokens * NEURONS)), PARAMS);
}

async function gate(id: string, tokens: number, h: (token: number, neuron: number) => number): Promise<Float32Array> {
  const spec = blockKernels.find((kernel) => kernel.id === id);
  if (!spec?.read) throw new Error(`found no kernel '${id}' with its own layout`);
  const e = shapeOf(tokens);
  const plan = spec.plan(e, context.facts, { width: WIDTH });
  return spec.read(e, await runKernelWords(context, id, plan, inputsFor(tokens, h)), { width: WIDTH });
}

describe.for(['twell/gate', 'twell/gate_converted'])('%s', (id) => {
  test('packs the values above 0 in the order of their columns, up to a full tile row', async () => {
    // The three tokens have 0, 30 and 31 positive values in tile 0, at its right end; its other values are negative.
    const counts = [0, 30, 31];
    const value = (t: number, n: number): number => {
      if (n >= 256) return n === 299 ? 2 : 0;
      return 255 - n < counts[t] ? 1 + (n % 128) / 128 : -1;
    };
    const h = await gate(id, 3, value);
    for (const [t, count] of counts.entries()) {
      const row = h.subarray(t * NEURONS, (t + 1) * NEURONS);
      expect(row.filter((v) => v !== 0)).toHaveLength(count + 1);
      for (let n = 0; n < NEURONS; n++) if (row[n] !== Math.max(0, value(t, n))) expect.fail(`token ${t}, neuron ${n}`);
    }
  });

  test.for([32, 33, 256])(
    'reports the tile row in which %i non-zeros overflow 31 slots, without a result',
    async (count) => {
      const overflowing = gate(id, 2, (t, n) => (t === 1 && n < count ? 1 : 0));
      await expect(overflowing).rejects.toThrow(
        `token 1, tile 0: found ${count} non-zeros, expected at most 31; no other tile row overflows; choose a smaller compression, or the hybrid`,
      );
    },
  );

  test('treats NaN as a neuron that does not fire', async () => {
    const h = await gate(id, 2, (t, n) => (n === 7 ? Number.NaN : t === 0 && n === 8 ? 3 : 0));
    expect(h[7]).toBe(0);
    expect(h[8]).toBe(3);
    expect(h.filter((v) => v !== 0)).toHaveLength(1);
  });
});

test('twell/forward_workgroup returns no result if a tile row overflows by one non-zero, and names the token', async () => {
  const spec = blockKernels.find(({ id }) => id === 'twell/forward_workgroup');
  if (!spec?.read) throw new Error("found no kernel 'twell/forward_workgroup' with its own layout");
  const e = shapeOf(2);
  const weights = new Float32Array(NEURONS * WIDTH).fill(1);
  const plan = spec.plan(e, context.facts, { width: WIDTH });
  // Each neuron that fires adds 1 to every column of its token.
  const fired = async (count: number): Promise<Float32Array | undefined> => {
    const inputs = { ...inputsFor(2, (t, n) => (t === 1 && n < count ? 1 : 0)), wu: weights, wd: weights };
    return spec.read?.(e, await runKernelWords(context, spec.id, plan, inputs), { width: WIDTH });
  };
  expect(await fired(31)).toEqual(new Float32Array(2 * WIDTH).fill(31, WIDTH));
  await expect(fired(32)).rejects.toThrow(
    'token 1: found 1 tile row with more than 31 non-zeros, expected none; no other token overflows;',
  );
});

test('twell/down rejects a width above the columns that its lanes can keep', () => {
  const spec = blockKernels.find((kernel) => kernel.id === 'twell/down');
  expect(spec?.fits(shapeOf(1), context.facts, { width: 8200 })).toMatchObject({
    ok: false,
    reason: 'keeps up to 8192 columns of y at once, found 8200',
  });
});
