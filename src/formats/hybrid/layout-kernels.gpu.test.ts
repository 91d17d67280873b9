import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { denseMatrix, type Matrix } from '../../core/matrix/index.ts';
import { roundToBf16 } from '../../core/number/index.ts';
import { FILL } from '../../core/operations/index.ts';
import { Random } from '../../core/number/random.ts';
import { type GpuContext, openDevice, readOutputs, runKernelWords } from '../../gpu/index.ts';
import { hybrid } from './index.ts';
import { layoutKernels, transposedShape } from './layout-kernels.ts';
import type { HybridEncoded } from './layout.ts';
import type { HybridParams } from './params.ts';
import { filledArrays, convertedArrays, type ConvertedArrays, type ConvertedShape } from './read-hybrid.ts';

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

async function run(id: string, e: HybridEncoded, full: Float32Array): Promise<Uint32Array<ArrayBuffer>> {
  const spec = kernel(id);
  const name = spec.operation === FILL.id ? 'g' : 'h';
  return runKernelWords(context, id, spec.plan(e, context.facts, {}), { [name]: full });
}

function kernel(id: string) {
  const spec = layoutKernels.find((k) => k.id === id);
  if (!spec) throw new Error(`found no kernel '${id}'`);
  return spec;
}

/** Expects all arrays to equal the encoder's, including empty slots and unused rows. */
function expectEncoded(found: ConvertedArrays, expected: HybridEncoded): void {
  for (const name of ['counts', 'tailMap', 'tailRows', 'indices', 'values', 'tail'] as const) {
    expect([...found[name]], name).toEqual([...expected[name]]);
  }
}

describe.for(['hybrid/convert', 'hybrid/convert_from_twell'])('%s', (id) => {
  test('writes what the encoder writes, and L0 and L1 of every row', async () => {
    const e = encode(ROWS, COLS, cells);
    expect(e.tailUsed).toBeGreaterThan(5);
    const result = convertedArrays(e, await run(id, e, cells), true);
    expectEncoded(result, e);
    for (let r = 0; r < ROWS; r++) {
      const row = cells.subarray(r * COLS, (r + 1) * COLS);
      expect(result.counts[r]).toBe(row.filter((v) => v !== 0).length);
      const l1 = row.reduce((sum, v) => sum + Math.abs(v), 0);
      expect(Math.abs(result.magnitudes[r] - l1)).toBeLessThanOrEqual(1e-6 * l1);
    }
    expect(result.lost.every((tileRows) => tileRows === 0)).toBe(true);
  });

  test('reports where the tail is full, and returns no result', async () => {
    const e = encode(10, 60, new Float32Array(600), { ...PARAMS, tailShare: 8 });
    const h = new Float32Array(600);
    for (const r of [3, 5, 7]) h.fill(1, r * 60, r * 60 + 33);
    const words = await run(id, e, h);
    expect(() => readOutputs(kernel(id), e, words, {})).toThrow(
      'row 7 overflows: found 3 rows with more than 32 non-zeros, expected at most 2, the capacity of the tail; choose more row slots, or a larger tail',
    );
  });
});

test('a tile row of TwELL that was too long on the way is reported, and no result given', async () => {
  const e = encode(10, 300, new Float32Array(3000));
  const h = new Float32Array(3000);
  h.fill(1, 4 * 300, 4 * 300 + 64);
  h.fill(1, 6 * 300, 6 * 300 + 63);
  const words = await run('hybrid/convert_from_twell', e, h);
  expect(() => readOutputs(kernel('hybrid/convert_from_twell'), e, words, {})).toThrow(
    'row 4 of TwELL overflows: found 1 tile row with lost non-zeros, expected none; choose the conversion from full rows',
  );
});

describe('hybrid/transpose', () => {
  test('writes what the encoder makes of the transposed matrix', async () => {
    const e = encode(ROWS, COLS, cells);
    const expected = hybrid.encode(transposed(cells, ROWS, COLS), PARAMS);
    expect(expected.tailUsed).toBeGreaterThan(0);
    const shape: ConvertedShape = transposedShape(e);
    expectEncoded(convertedArrays(shape, await run('hybrid/transpose', e, cells), false), expected);
  });

  test('reports where the tail of the transpose is full, and returns no result', async () => {
    // Ten of the 60 columns are full, and the tail of the transpose has space for eight.
    const cellsOfHotColumns = Float32Array.from({ length: 40 * 60 }, (_, i) => ((i % 60) % 6 === 1 ? 1 : 0));
    const e = encode(40, 60, cellsOfHotColumns, { ...PARAMS, tailShare: 8 });
    const words = await run('hybrid/transpose', e, cellsOfHotColumns);
    expect(() => readOutputs(kernel('hybrid/transpose'), e, words, {})).toThrow(
      '2 of 60 rows overflow, the first at row 49: found 10 rows with more than 32 non-zeros, expected at most 8, the capacity of the tail; choose more row slots, or a larger tail',
    );
  });
});

describe('hybrid/fill', () => {
  /** A gradient g without zeros: normal values, ties between two bf16 values, values beyond and below the range of bf16, and non-finite ones. */
  function fullOf(rows: number, cols: number): Float32Array {
    const random = new Random(9);
    const edges = [1 + 2 ** -8, 1 + 3 * 2 ** -8, -3.4e38, 1e-45, Number.NaN, Number.NEGATIVE_INFINITY];
    return Float32Array.from({ length: rows * cols }, (_, i) => (i % 5 === 3 ? edges[i % 6] : random.normal()));
  }

  /** g where h has an entry, and 0 elsewhere. */
  const masked = (h: Float32Array, g: Float32Array): Float32Array => g.map((value, i) => (h[i] === 0 ? 0 : value));

  test.for([
    ['short and long rows', ROWS, COLS, cells],
    ['rows, some of them empty', 3, 40, Float32Array.from({ length: 120 }, (_, i) => (i > 39 && i < 80 ? 0 : 1))],
    ['one row', 1, 50, Float32Array.from({ length: 50 }, (_, i) => i % 2)],
    ['one row in the tail', 1, 50, new Float32Array(50).fill(1)],
    ['rows with a NaN', 2, 9, Float32Array.from({ length: 18 }, (_, i) => (i % 4 === 0 ? Number.NaN : 0))],
    ['empty rows alone', 4, 40, new Float32Array(160)],
    ['no rows', 0, 7, new Float32Array(0)],
    ['no columns', 5, 0, new Float32Array(0)],
  ] as const)('of %s makes what the encoder makes of these cells alone', async ([, rows, cols, h]) => {
    const e = encode(rows, cols, h);
    const g = fullOf(rows, cols);
    const words = await run('hybrid/fill', e, g);
    expectEncoded(filledArrays(e, words), encode(rows, cols, masked(h, g)));
    const outputs = readOutputs(kernel('hybrid/fill'), e, words, {});
    expect(outputs).toEqual(masked(h, g).map((value) => roundToBf16(value)));
  });

  test('keeps the slots of values that become 0, so that other values stay where they are', async () => {
    const e = encode(ROWS, COLS, cells);
    const g = new Float32Array(cells.length).fill(1);
    const arrays = filledArrays(e, await run('hybrid/fill', e, g));
    const firsts = Array.from({ length: ROWS }, (_, r) => cells.subarray(r * COLS).findIndex((value) => value !== 0));
    for (const [r, column] of firsts.entries()) g[r * COLS + column] = 0;
    const withZeros = filledArrays(e, await run('hybrid/fill', e, g));
    const expected = { ...arrays, values: arrays.values.slice(), tail: arrays.tail.slice() };
    for (const [r, column] of firsts.entries()) {
      if (e.counts[r] > e.slots) expected.tail[e.tailMap[r] * COLS + column] = 0;
      else expected.values[r * e.slots] = 0;
    }
    expect(withZeros).toEqual(expected);
  });

  test('does not fill a slot whose value was rounded to 0', async () => {
    const h = Float32Array.of(1, 0, 1e-45, 2);
    const e = encode(1, 4, h);
    expect([...e.values]).toEqual([0x3f80, 0, 0x4000, 0]);
    const { values } = filledArrays(e, await run('hybrid/fill', e, Float32Array.of(3, 3, 3, 3)));
    expect([...values]).toEqual([0x4040, 0, 0x4040, 0]);
  });
});
