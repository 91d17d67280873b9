import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { denseMatrix, type Matrix } from '../../core/matrix/index.ts';
import { roundToBf16 } from '../../core/number/index.ts';
import { Random } from '../../core/random.ts';
import { type GpuContext, openDevice, readOutputs, runKernelWords } from '../../gpu/index.ts';
import { hybrid } from './index.ts';
import { layoutKernels, transposedShape } from './layout-kernels.ts';
import type { HybridEncoded } from './layout.ts';
import type { HybridParams } from './params.ts';
import { madeArrays, type MadeArrays, type MadeShape } from './read-hybrid.ts';

let context: GpuContext;
beforeAll(async () => {
  context = await openDevice(navigator.gpu, 'test');
});
afterAll(() => context.destroy());

const PARAMS: HybridParams = { rowSlots: 32, tailShare: 2, valueType: 'bf16' };

/** Odd sizes, so that rows share words; rows and columns that are longer than 32 slots, and rows that are as long. */
const ROWS = 37;
const COLS = 301;
const cells = ((): Float32Array => {
  const random = new Random(4);
  const filled = new Float32Array(ROWS * COLS);
  for (let r = 0; r < ROWS; r++) {
    const count = [0, 3, 30, 31, 40][r % 5];
    for (let i = 0; i < count; i++) filled[r * COLS + ((i * 7 + r) % COLS)] = roundToBf16(random.normal());
    filled[r * COLS + 5] = roundToBf16(random.normal());
    filled[r * COLS + 300] = -1;
  }
  return filled;
})();

function transposed(values: Float32Array, rows: number, cols: number): Matrix {
  return denseMatrix(
    cols,
    rows,
    values.map((_, i) => values[(i % rows) * cols + Math.floor(i / rows)]),
  );
}

const encode = (rows: number, cols: number, values: Float32Array, params = PARAMS): HybridEncoded =>
  hybrid.encode(denseMatrix(rows, cols, values), params);

async function run(id: string, e: HybridEncoded, h: Float32Array): Promise<Uint32Array<ArrayBuffer>> {
  const spec = kernel(id);
  return runKernelWords(context, id, spec.plan(e, context.facts, {}), { h });
}

function kernel(id: string) {
  const spec = layoutKernels.find((k) => k.id === id);
  if (!spec) throw new Error(`found no kernel '${id}'`);
  return spec;
}

/** All arrays are the ones that the encoder makes, empty slots and free rows among them. */
function expectEncoded(made: MadeArrays, expected: HybridEncoded): void {
  for (const name of ['counts', 'tailMap', 'tailRows', 'indices', 'values', 'tail'] as const) {
    expect([...made[name]], name).toEqual([...expected[name]]);
  }
}

describe.for(['hybrid/convert', 'hybrid/convert_from_twell'])('%s', (id) => {
  test('writes what the encoder writes, and L0 and L1 of every row', async () => {
    const e = encode(ROWS, COLS, cells);
    expect(e.tailUsed).toBeGreaterThan(5);
    const made = madeArrays(e, await run(id, e, cells), true);
    expectEncoded(made, e);
    for (let r = 0; r < ROWS; r++) {
      const row = cells.subarray(r * COLS, (r + 1) * COLS);
      expect(made.counts[r]).toBe(row.filter((v) => v !== 0).length);
      const l1 = row.reduce((sum, v) => sum + Math.abs(v), 0);
      expect(Math.abs(made.magnitudes[r] - l1)).toBeLessThanOrEqual(1e-6 * l1);
    }
    expect(made.lost.every((tileRows) => tileRows === 0)).toBe(true);
  });

  test('says where the tail has no more room, and gives no result', async () => {
    const e = encode(10, 60, new Float32Array(600), { ...PARAMS, tailShare: 8 });
    const h = new Float32Array(600);
    for (const r of [3, 5, 7]) h.fill(1, r * 60, r * 60 + 33);
    const words = await run(id, e, h);
    expect(() => readOutputs(kernel(id), e, words, {})).toThrow(
      '1 of 10 rows overflow, the first at row 7: found 3 rows with more than 32 non-zeros, expected at most 2, the room of the tail; choose more row slots, or a larger tail',
    );
  });
});

test('a tile row of TwELL that was too long on the way is told, and no result given', async () => {
  const e = encode(10, 300, new Float32Array(3000));
  const h = new Float32Array(3000);
  h.fill(1, 4 * 300, 4 * 300 + 64);
  h.fill(1, 6 * 300, 6 * 300 + 63);
  const words = await run('hybrid/convert_from_twell', e, h);
  expect(() => readOutputs(kernel('hybrid/convert_from_twell'), e, words, {})).toThrow(
    '1 of 10 rows of TwELL overflow, the first at row 4: found 1 tile rows with lost non-zeros, expected at most 0; choose the conversion from rows in full',
  );
});

describe('hybrid/transpose', () => {
  test('writes what the encoder makes of the transposed matrix', async () => {
    const e = encode(ROWS, COLS, cells);
    const expected = hybrid.encode(transposed(cells, ROWS, COLS), PARAMS);
    expect(expected.tailUsed).toBeGreaterThan(0);
    const shape: MadeShape = transposedShape(e);
    expectEncoded(madeArrays(shape, await run('hybrid/transpose', e, cells), false), expected);
  });

  test('says where the tail of the transpose has no more room, and gives no result', async () => {
    const hot = Float32Array.from({ length: 40 * 60 }, (_, i) => ((i % 60) % 6 === 1 ? 1 : 0));
    const e = encode(40, 60, hot, { ...PARAMS, tailShare: 8 });
    const words = await run('hybrid/transpose', e, hot);
    expect(() => readOutputs(kernel('hybrid/transpose'), e, words, {})).toThrow(
      '2 of 60 rows overflow, the first at row 49: found 10 rows with more than 32 non-zeros, expected at most 8, the room of the tail; choose more row slots, or a larger tail',
    );
  });
});
