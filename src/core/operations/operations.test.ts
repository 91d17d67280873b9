import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csrOf } from '../../../test/matrices.ts';
import { differencesOf, dot, worstDifference } from '../../../test/gated-block.ts';
import { finish } from '../job.ts';
import { denseMatrix, type Matrix, toCsr, toDense } from '../matrix/index.ts';
import { roundToBf16 } from '../number/index.ts';
import {
  completeSizes,
  defaultSizes,
  type Expected,
  expectedFor,
  expectedOf,
  type Inputs,
  type Operation,
  type Sizes,
} from './operation.ts';
import { POISON_BITS, verifyOutputs } from './verify.ts';
import { quantise } from '../number/quantise.ts';
import { Random } from '../number/random.ts';
import {
  DOWN,
  FILL,
  FORWARD,
  GATE,
  GEMM,
  GEMM_I8,
  OPERATIONS,
  operationById,
  QUANTISE,
  SPMV,
  SPMV_ZEROS,
  TRANSPOSE,
  UP_DOWN,
} from './index.ts';
import { sampleOf } from './sample.ts';
import { expectedWithNonFiniteFirst } from './spmv.ts';
import { BACKWARD, fromMillionths, SAMPLED_PRODUCT, UPDATE } from './training.ts';
import { cases } from '../../../test/scheduled.ts';

/** The precision of a kernel whose sums have one rounding more than the products have terms. */
const PRECISION = { extraRoundings: 1 };

/** Hidden activations of a gated block: a matrix with this density of positive bf16 values, a row per token. */
function hiddenMatrix(rows: number, cols: number, density: number, seed: number): Matrix {
  const random = new Random(seed);
  const cells = Float32Array.from({ length: rows * cols }, () =>
    random.uniform() < density ? roundToBf16(random.uniform() + 0.25) : 0,
  );
  return denseMatrix(rows, cols, cells);
}

/** Three steps for each size of an operation. */
const threeSteps = (operation: Operation): Sizes =>
  Object.fromEntries(Object.entries(operation.sizes).map(([name, { step = 1 }]) => [name, 3 * step]));

describe.for(OPERATIONS.map((o) => [o.id, o] as const))('operation %s', ([id, operation]) => {
  const m = hiddenMatrix(7, 30, 0.3, 1);
  const sizes = threeSteps(operation);

  test('operationById returns it', () => {
    expect(operationById(id)).toBe(operation);
  });

  test('the seed determines its inputs', () => {
    expect(operation.inputs(m, sizes, 1)).toEqual(operation.inputs(m, sizes, 1));
  });

  test('every output of a small matrix has an expected value and a bound, which verifyOutputs uses', () => {
    const { output, bound, sample } = expectedOf(operation, m, operation.inputs(m, sizes, 1), sizes, PRECISION);
    expect(output.length).toBeGreaterThan(0);
    expect(bound).toHaveLength(output.length);
    expect(sample).toBeUndefined();
    // The expected outputs, rounded to f32, pass; with one error above the bound they fail.
    const result = Float32Array.from(output);
    expect(verifyOutputs(result, { output, bound }).ok).toBe(true);
    result[0] += 2 * bound[0] + 1;
    expect(verifyOutputs(result, { output, bound }).failureCount).toBe(1);
  });

  test('the default sizes are multiples of their steps', () => {
    for (const [name, { step = 1 }] of Object.entries(operation.sizes))
      expect(defaultSizes(operation)[name] % step).toBe(0);
  });
});

/** The operations whose inputs can change while the matrix stays the same. */
const VARIED = OPERATIONS.filter((o) => o.varied !== undefined);

describe('other inputs (`varied`)', () => {
  test('exist for every operation except down, convert, unpack and transpose', () => {
    const others = OPERATIONS.filter((o) => !VARIED.includes(o)).map((o) => o.id);
    expect(others).toEqual(['down', 'convert', 'unpack', 'transpose']);
  });

  test.for(VARIED.map((o) => [o.id, o] as const))('of %s are as long, and give other outputs', ([, operation]) => {
    const m = hiddenMatrix(7, 30, 0.3, 1);
    const sizes = threeSteps(operation);
    const inputs = operation.inputs(m, sizes, 1);
    const outputOf = (variant: Inputs): Float64Array => expectedOf(operation, m, variant, sizes, PRECISION).output;
    const variants = [inputs, ...[2, 3, 4].map((seed) => operation.varied?.(m, inputs, sizes, seed) ?? inputs)];
    const outputs = variants.map(outputOf);
    for (const [i, output] of outputs.entries()) {
      for (const [name, values] of Object.entries(inputs)) expect(variants[i][name]).toHaveLength(values.length);
      for (const other of outputs.slice(0, i)) {
        // Zeros stay zeros: a weight that no activation reaches, a neuron that does not fire.
        const equalCount = output.filter((value, k) => value !== 0 && value === other[k]).length;
        expect(equalCount).toBeLessThan(output.length / 4);
      }
    }
  });

  test.for([GATE, FORWARD].map((o) => [o.id, o] as const))(
    'of %s give the same rows of h, in another order',
    ([, operation]) => {
      const m = hiddenMatrix(9, 64, 0.2, 1);
      const sizes = { width: 24 };
      const inputs = operation.inputs(m, sizes, 1);
      const signsOfRows = (variant: Inputs): string[] => {
        const { output } = expectedOf(GATE, m, variant, sizes, PRECISION);
        return Array.from({ length: m.rows }, (_, r) =>
          Array.from(output.subarray(r * m.cols, (r + 1) * m.cols), Math.sign).join(''),
        ).toSorted();
      };
      const other = operation.varied?.(m, inputs, sizes, 5) ?? inputs;
      expect(signsOfRows(other)).toEqual(signsOfRows(inputs));
    },
  );

  test('do not change what is stored for the backward pass', () => {
    const m = hiddenMatrix(7, 30, 0.3, 1);
    const inputs = BACKWARD.inputs(m, { width: 8 }, 1);
    const other = BACKWARD.varied?.(m, inputs, { width: 8 }, 2);
    expect(other).toEqual({ ...inputs, dy: expect.anything() });
    expect(other?.dy).not.toEqual(inputs.dy);
  });
});

describe('products', () => {
  test('of several tokens contain the product of each token', () => {
    const m = hiddenMatrix(5, 20, 0.4, 2);
    const inputs = GEMM.inputs(m, { tokens: 3 }, 4);
    const { output } = expectedOf(GEMM, m, inputs, { tokens: 3 }, PRECISION);
    const cells = toDense(m);
    for (let t = 0; t < 3; t++) {
      for (let r = 0; r < 5; r++) expect(output[t * 5 + r]).toBeCloseTo(dot(inputs.x, t, cells, r, 20), 12);
    }
  });

  test('of quantised tokens contain the product of the integers times the scale of the token', () => {
    const m = hiddenMatrix(4, 20, 0.4, 2);
    const inputs = GEMM_I8.inputs(m, { tokens: 2 }, 4);
    const { output } = expectedOf(GEMM_I8, m, inputs, { tokens: 2 }, PRECISION);
    const { values, scale } = quantise(inputs.x.subarray(20, 40));
    expect(output[4]).toBeCloseTo(scale * dot(values, 0, toDense(m), 0, 20), 12);
  });

  test('QUANTISE has a bound of 0: its integers must be exact', () => {
    const m = hiddenMatrix(1, 6, 1, 2);
    const inputs = { x: Float32Array.of(127, 1.5, -2.5, 0, 63.5, -127) };
    const { output, bound } = expectedOf(QUANTISE, m, inputs, { tokens: 1 }, PRECISION);
    expect([...output.subarray(0, 6)]).toEqual([127, 2, -2, 0, 64, -127]);
    expect(Math.max(...bound)).toBe(0);
  });
});

describe('error bounds', () => {
  /**
   * The error bound of a sum in f32 with `roundings` roundings in total, including those of products. `magnitude`: the sum of
   * the absolute values.
   */
  const sumBound = (roundings: number, magnitude: number): number =>
    ((roundings * 2 ** -24) / (1 - roundings * 2 ** -24)) * magnitude + roundings * 2 ** -126;
  /** The largest error of rounding a value to bf16. */
  const bf16Error = (value: number): number => 2 ** -8 * value;
  /** Eight equal values: a row of width 8. */
  const eightTimes = (value: number): Float32Array => new Float32Array(8).fill(value);
  const WIDTH_8 = { width: 8 };
  /** One token with one neuron that fired. */
  const oneFiredNeuron = denseMatrix(1, 1, Float32Array.of(2));

  test.each([1, 3])('of a sum allow a rounding for every product, and %i further ones', (roundings) => {
    const m = denseMatrix(1, 3, Float32Array.of(2, 0, -3));
    const boundOf = (operation: Operation, matrix: Matrix, inputs: Inputs, sizes: Sizes): number =>
      expectedOf(operation, matrix, inputs, sizes, { extraRoundings: roundings }).bound[0];
    const x = Float32Array.of(0.5, 9, 0.25);
    expect(boundOf(SPMV, m, { x }, {})).toBe(sumBound(2 + roundings, 1.75));
    expect(boundOf(GEMM, m, { x }, { tokens: 1 })).toBe(sumBound(2 + roundings, 1.75));
    // Quantised to 64, 127 and -127, half their values.
    const i8 = { x: Float32Array.of(32, 63.5, -63.5) };
    expect(boundOf(GEMM_I8, m, i8, { tokens: 1 })).toBe(sumBound(2 + roundings, (2 * 64 + 3 * 127) / 2));
    expect(boundOf(GATE, oneFiredNeuron, { x: eightTimes(1), wg: eightTimes(-0.5) }, WIDTH_8)).toBe(
      sumBound(8 + roundings, 4),
    );
    expect(boundOf(SAMPLED_PRODUCT, oneFiredNeuron, { dy: eightTimes(1), wd: eightTimes(-0.5) }, WIDTH_8)).toBe(
      sumBound(8 + roundings, 4),
    );
    const wd = new Float32Array(24).fill(0.5);
    expect(boundOf(DOWN, m, { wd }, WIDTH_8)).toBe(sumBound(2 + roundings, 2.5));
  });

  test('of a sum allow every rounding to flush a subnormal to 0, and are infinite if the sum may overflow', () => {
    const boundOf = (x: number): number =>
      expectedOf(SPMV, oneFiredNeuron, { x: Float32Array.of(x) }, {}, PRECISION).bound[0];
    expect(boundOf(2 ** -120)).toBe(sumBound(2, 2 ** -119));
    expect(boundOf(2 ** -120)).toBeGreaterThan(2 * 2 ** -126);
    expect(boundOf(2 ** 127)).toBe(Number.POSITIVE_INFINITY);
    const overflowing = { x: eightTimes(2 ** 126), wu: eightTimes(0.5), wd: eightTimes(2 ** -20) };
    expect(expectedOf(UP_DOWN, oneFiredNeuron, overflowing, WIDTH_8, PRECISION).bound[0]).toBe(
      Number.POSITIVE_INFINITY,
    );
  });

  test('of outputs that are rounded to bf16 include that rounding', () => {
    const inputs = { x: eightTimes(1), wg: eightTimes(0.5) };
    const { bound } = expectedOf(GATE, oneFiredNeuron, inputs, WIDTH_8, { extraRoundings: 1, outputType: 'bf16' });
    const inF32 = sumBound(9, 4);
    expect(bound[0]).toBe(inF32 + bf16Error(4 + inF32) + 2 ** -126);
  });

  /** The largest error of h * u for u = 4 and h = 2, if the error of h is `hError`. */
  const errorOfProduct = (hError: number): number => {
    const upError = sumBound(8 + 2, 4);
    const error = 4 * hError + 2 * upError + hError * upError;
    return error + bf16Error(8 + error) + 2 ** -126 * 5;
  };

  test('of UP_DOWN include two further roundings in the intermediate sum, and of h * u to bf16', () => {
    const inputs = { x: eightTimes(1), wu: eightTimes(0.5), wd: eightTimes(0.25) };
    const error = errorOfProduct(0) * 0.25;
    const { output, bound } = expectedOf(UP_DOWN, oneFiredNeuron, inputs, WIDTH_8, { extraRoundings: 3 });
    expect([output[0], bound[0]]).toEqual([2, error + sumBound(1 + 3, 2 + error)]);
  });

  test('of FORWARD include the rounding of h to bf16, and are almost 0 for a neuron that is surely off', () => {
    const rest = { wu: eightTimes(0.5), wd: eightTimes(0.25) };
    const inputs = { x: eightTimes(1), wg: eightTimes(0.25), ...rest };
    const gateError = sumBound(8 + 2, 2);
    const error = errorOfProduct(gateError + bf16Error(2 + gateError)) * 0.25;
    const { output, bound } = expectedOf(FORWARD, oneFiredNeuron, inputs, WIDTH_8, { extraRoundings: 3 });
    expect([output[0], bound[0]]).toEqual([2, error + sumBound(1 + 3, 2 + error)]);
    const offNeuron = expectedOf(
      FORWARD,
      oneFiredNeuron,
      { x: eightTimes(1), wg: eightTimes(-0.25), ...rest },
      WIDTH_8,
      {
        extraRoundings: 3,
      },
    );
    // The bound is not 0, since a subnormal product may be flushed.
    expect(offNeuron.bound[0]).toBeLessThan(2 ** -120);
  });

  test.for([0, 20, 15_625, 1_000_000])(
    'of BACKWARD with L1 %i include four further roundings in the intermediate sums',
    (l1) => {
      const inputs = {
        x: eightTimes(1),
        dy: eightTimes(1),
        wg: eightTimes(0.125),
        wu: eightTimes(0.5),
        wd: eightTimes(0.25),
      };
      const { output, bound } = expectedOf(BACKWARD, oneFiredNeuron, inputs, { ...WIDTH_8, l1 }, { extraRoundings: 4 });
      const huError = sumBound(8 + 4, 4);
      const dh = 2 + fromMillionths(l1);
      const dhError = sumBound(8 + 4, dh);
      const dhu = 2 * dhError;
      const dhg = dh * huError + 4 * dhError + huError * dhError;
      const dx = dhu * 0.5 + dhg * 0.125;
      const [ofX, ofWg, ofWu, ofWd] = [0, 8, 16, 24].map((index) => ({ value: output[index], bound: bound[index] }));
      expect(ofX).toEqual({ value: 2 * dh * 0.5 + 4 * dh * 0.125, bound: dx + sumBound(2 + 4, 1.5 * dh + dx) });
      expect(ofWg).toEqual({ value: 4 * dh, bound: dhg + sumBound(1 + 4, 4 * dh + dhg) });
      expect(ofWu).toEqual({ value: 2 * dh, bound: dhu + sumBound(1 + 4, 2 * dh + dhu) });
      expect(ofWd).toEqual({ value: 8, bound: 2 * huError + sumBound(1 + 4, 8 + 2 * huError) });
    },
  );

  test('UPDATE moves every weight against its gradient, by the rate in millionths, with two roundings', () => {
    const inputs = {
      wg: eightTimes(1),
      dwg: eightTimes(2),
      wu: eightTimes(-0.5),
      dwu: eightTimes(4),
      wd: eightTimes(0),
      dwd: eightTimes(-1),
    };
    const { output, bound } = expectedOf(
      UPDATE,
      oneFiredNeuron,
      inputs,
      { ...WIDTH_8, rate: 250_000 },
      { extraRoundings: 2 },
    );
    expect([0, 8, 16].map((index) => output[index])).toEqual([0.5, -1.5, 0.25]);
    expect(bound[0]).toBe(sumBound(2 + 2, 1 + 0.5));
  });

  test('of BACKWARD allow both signs of an h near 0, and an h that overflows before a small factor', () => {
    const inputs = {
      x: eightTimes(1),
      dy: eightTimes(1),
      wg: eightTimes(0.125),
      wu: eightTimes(0.5),
      wd: eightTimes(0.25),
    };
    const boundOfWeights = (h: Matrix, changed: Inputs): { wu: number; wd: number } => {
      const { bound } = expectedOf(
        BACKWARD,
        h,
        { ...inputs, ...changed },
        { ...WIDTH_8, l1: 15_625 },
        { extraRoundings: 4 },
      );
      return { wu: bound[16], wd: bound[24] };
    };
    const dhu = 2 * (sumBound(8 + 4, 2 + 2 ** -6) + 2 * 2 ** -6);
    const cancelling = eightTimes(0.5).map((value, i) => (i % 2 === 0 ? value : -value));
    expect(boundOfWeights(oneFiredNeuron, { wu: cancelling }).wu).toBe(dhu + sumBound(1 + 4, 4 + dhu));
    const large = { x: eightTimes(2 ** 124), dy: eightTimes(2 ** -20) };
    expect(boundOfWeights(oneFiredNeuron, large).wd).toBeLessThan(2 ** 100);
    expect(boundOfWeights(denseMatrix(1, 1, Float32Array.of(4)), large).wd).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('GATE', () => {
  test('has inputs with which about as many neurons of a row fire as it has non-zeros, and no dead neuron fires', () => {
    const random = new Random(5);
    const cells = new Float32Array(64 * 1000);
    // Rows from sparse to dense; every third neuron is dead.
    for (let i = 0; i < cells.length; i++) {
      const [r, c] = [Math.floor(i / 1000), i % 1000];
      if (c % 3 !== 0 && random.uniform() < r / 80) cells[i] = 1;
    }
    const m = denseMatrix(64, 1000, cells);
    const { output } = expectedOf(GATE, m, GATE.inputs(m, { width: 64 }, 1), { width: 64 }, PRECISION);
    const { indptr } = toCsr(m);
    for (let r = 0; r < 64; r++) {
      const row = output.subarray(r * 1000, (r + 1) * 1000);
      const firing = row.reduce((n, h) => n + (h > 0 ? 1 : 0), 0);
      const nonZeros = indptr[r + 1] - indptr[r];
      expect(Math.abs(firing - nonZeros)).toBeLessThan(120);
      for (let c = 0; c < 1000; c += 3) expect(row[c]).toBe(0);
    }
  });

  test('followed by UP_DOWN gives the outputs of FORWARD', () => {
    const m = hiddenMatrix(4, 40, 0.3, 3);
    const sizes = { width: 16 };
    const inputs = FORWARD.inputs(m, sizes, 7);
    const gate = expectedOf(GATE, m, inputs, sizes, PRECISION).output;
    const whole = expectedOf(FORWARD, m, inputs, sizes, PRECISION);
    const h = denseMatrix(4, 40, Float32Array.from(gate));
    const parts = expectedOf(UP_DOWN, h, inputs, sizes, PRECISION).output;
    // The gate is rounded to f32 on the way between the two.
    for (let i = 0; i < parts.length; i++) expect(whole.output[i]).toBeCloseTo(parts[i], 5);
    // Kernels may round h and h * u to bf16; most of the bound is for these roundings.
    const rounded = denseMatrix(4, 40, Float32Array.from(gate, roundToBf16));
    const coarse = Float32Array.from(expectedOf(UP_DOWN, rounded, inputs, sizes, PRECISION).output);
    expect(verifyOutputs(coarse, whole).ok).toBe(true);
  });
});

describe('BACKWARD', () => {
  test('agrees with finite differences of the loss', () => {
    // l1 is in millionths: the L1 term of the loss has the factor 0.015625.
    const shape = { tokens: 3, hidden: 5, width: 8, l1: 15_625 };
    const { tokens, hidden, width } = shape;
    fc.assert(
      fc.property(fc.nat(1000), (seed) => {
        const inputs: Inputs = BACKWARD.inputs(hiddenMatrix(tokens, hidden, 1, seed), { width }, seed);
        const gate = Float32Array.from({ length: tokens * hidden }, (_, i) =>
          Math.max(0, dot(inputs.x, Math.floor(i / hidden), inputs.wg, i % hidden, width)),
        );
        const m = denseMatrix(tokens, hidden, gate);
        const { output } = expectedOf(BACKWARD, m, inputs, shape, PRECISION);
        const differences = differencesOf(shape, inputs);
        expect(differences).toHaveLength(output.length);
        expect(worstDifference(output, differences)).toBeLessThan(1e-3);
      }),
      { numRuns: 20 },
    );
  });

  test('leaves neurons and tokens without a non-zero at 0', () => {
    const m = csrOf([2, 3], [0, 1, 1], [1], [2]);
    const { output, bound } = expectedOf(BACKWARD, m, BACKWARD.inputs(m, { width: 8 }, 1), { width: 8 }, PRECISION);
    const isZero = (row: number): boolean => output.subarray(row * 8, row * 8 + 8).every((v) => v === 0);
    // The gradients of the two tokens, and then of the weights of the three neurons. Token 0 fires neuron 1 only.
    expect([0, 1].map(isZero)).toEqual([false, true]);
    expect([2, 3, 4].map(isZero)).toEqual([true, false, true]);
    expect(bound[8]).toBe(0);
  });
});

/** The expected outputs at a sample of positions; `share` is the size of the sample relative to the largest one. */
const sampledOf = (operation: Operation, m: Matrix, inputs: Inputs, sizes: Sizes, share: number): Expected =>
  expectedFor(finish(operation.expectedSteps(m, inputs, sizes, { seed: 0, share })), PRECISION);

describe('SAMPLED_PRODUCT', () => {
  test('has the product of two rows at every non-zero of the matrix, and exactly 0 elsewhere', () => {
    const h = hiddenMatrix(6, 20, 0.3, 2);
    const inputs = SAMPLED_PRODUCT.inputs(h, { width: 16 }, 4);
    const { output, bound } = expectedOf(SAMPLED_PRODUCT, h, inputs, { width: 16 }, PRECISION);
    const cells = toDense(h);
    for (const [i, product] of output.entries()) {
      const expected = cells[i] === 0 ? 0 : dot(inputs.dy, Math.floor(i / 20), inputs.wd, i % 20, 16);
      expect(product).toBeCloseTo(expected, 12);
      expect(bound[i] > 0).toBe(cells[i] !== 0);
    }
  });

  test('is checked for a sample of the tokens if there are many', () => {
    const h = hiddenMatrix(2 ** 12, 2 ** 11, 0.01, 3);
    const inputs = SAMPLED_PRODUCT.inputs(h, { width: 8 }, 4);
    const sizes = { width: 8 };
    const share = cases(2 ** -3, 1);
    const { output, sample } = sampledOf(SAMPLED_PRODUCT, h, inputs, sizes, share);
    if (!sample) throw new Error('found every output, expected a sample');
    expect([output.length, sample.of]).toEqual([share * 2 ** 22, 2 ** 23]);
    const last = output.length - 1;
    expect([sample.at[0], sample.at[2 ** 11 - 1], sample.at[last]]).toEqual([0, 2 ** 11 - 1, 2 ** 23 - 1]);
    const cells = toDense(h);
    let worst = 0;
    for (let i = 0; i < output.length; i += 997) {
      const position = sample.at[i];
      const expected =
        cells[position] === 0 ? 0 : dot(inputs.dy, Math.floor(position / 2 ** 11), inputs.wd, position % 2 ** 11, 8);
      worst = Math.max(worst, Math.abs(output[i] - expected));
    }
    expect(worst).toBeLessThan(1e-12);
  });
});

describe('FILL', () => {
  test('copies the cells at the non-zeros of the matrix, whatever their value, and is 0 elsewhere', () => {
    const h = denseMatrix(2, 4, Float32Array.of(1, 0, -2, 0, 0, 3, Number.NaN, 4));
    const g = Float32Array.of(0, 5, 0.1, Number.NaN, Number.POSITIVE_INFINITY, Number.NaN, 6, -7);
    const { output, bound } = expectedOf(FILL, h, { g }, {}, PRECISION);
    expect([...output]).toEqual([0, 0, Math.fround(0.1), 0, 0, Number.NaN, 6, -7]);
    expect(Math.max(...bound)).toBe(0);
  });

  test('has inputs with some zeros', () => {
    const { g } = FILL.inputs(hiddenMatrix(40, 50, 0.3, 1), {}, 1);
    const zeros = g.filter((value) => value === 0).length;
    expect(zeros).toBeGreaterThan(60);
    expect(zeros).toBeLessThan(200);
  });
});

describe('a sample', () => {
  test('contains every position up to its largest size, else ascending ones with the first and the last', () => {
    expect([...sampleOf(3, 8)]).toEqual([0, 1, 2]);
    const sample = sampleOf(1000, 10);
    expect(sample).toHaveLength(10);
    expect([sample[0], sample[9]]).toEqual([0, 999]);
    expect([...sample].every((v, i) => i === 0 || v > sample[i - 1])).toBe(true);
    expect(sampleOf(1000, 10)).toEqual(sample);
    expect([...sampleOf(5, 0)]).toEqual([0, 4]);
  });

  test('depends on the seed, and is smaller for a smaller share', () => {
    const seeds = Array.from({ length: 20 }, (_, seed) => sampleOf(1000, 10, { seed, share: 1 }).join());
    expect(new Set(seeds).size).toBe(20);
    expect(sampleOf(1000, 40, { seed: 3, share: 0.25 })).toHaveLength(10);
  });

  test('of a product has other tokens with another seed', () => {
    const m = hiddenMatrix(32, 32, 1, 1);
    const sizes = { tokens: 100 };
    const inputs = GEMM.inputs(m, sizes, 1);
    const tokensOf = (seed: number): string => {
      const { sample } = finish(GEMM.expectedSteps(m, inputs, sizes, { seed, share: 2 ** -14 }))(1);
      return [...new Set(Array.from(sample?.at ?? [], (index) => Math.floor(index / m.rows)))].join();
    };
    expect(tokensOf(1)).toMatch(/^0,.*,99$/);
    expect(tokensOf(1)).toBe(tokensOf(1));
    expect(tokensOf(2)).not.toBe(tokensOf(1));
  });

  test('of a product is compared with the outputs at its positions; all other outputs must have been written', () => {
    const m = hiddenMatrix(2 ** 11, 2 ** 11, 1, 1);
    const sizes = { tokens: 100 };
    const inputs = GEMM.inputs(m, sizes, 1);
    const share = cases(2 ** -3, 1);
    const expected = sampledOf(GEMM, m, inputs, sizes, share);
    const { sample, output } = expected;
    if (!sample) throw new Error('found every output, expected a sample');
    expect(sample.of).toBe(100 * 2 ** 11);
    expect(output.length).toBe(share * 64 * 2 ** 11);
    const result = new Float32Array(sample.of).fill(1);
    for (const [i, position] of sample.at.entries()) result[position] = output[i];
    expect(verifyOutputs(result, expected)).toMatchObject({ ok: true, compared: output.length, outputs: sample.of });
    const outside = sample.at.findIndex((position, i) => position !== i);
    new Uint32Array(result.buffer)[outside] = POISON_BITS;
    expect(verifyOutputs(result, expected)).toMatchObject({
      failureCount: 1,
      failures: [{ row: outside, found: 'unwritten', expected: 'any', bound: 'any' }],
    });
  });

  test('of a transposed matrix has its positions in order', () => {
    const rows = 2 ** 13;
    const upTo = Array.from({ length: rows + 1 }, (_, r) => r);
    const m = csrOf(
      [rows, 2 ** 12],
      upTo,
      upTo.slice(0, rows).map((r) => r % 2 ** 12),
      upTo.slice(1),
    );
    // The largest sample, or a sixteenth of it.
    const { sample, output } = sampledOf(TRANSPOSE, m, {}, {}, cases(2 ** -4, 1));
    if (!sample) throw new Error('found every output, expected a sample');
    expect(output.length).toBe(sample.at.length);
    let nonZeros = 0;
    for (let i = 0; i < output.length; i++) {
      if (i > 0 && sample.at[i] <= sample.at[i - 1]) expect.fail(`${sample.at[i]} after ${sample.at[i - 1]}`);
      const value = output[i];
      const c: number = Math.floor(sample.at[i] / rows);
      const r: number = sample.at[i] % rows;
      if (value !== (r % 2 ** 12 === c ? r + 1 : 0)) expect.fail(`row ${r}, column ${c}: found ${value}`);
      if (value !== 0) nonZeros++;
    }
    // Each row of the matrix has one.
    expect(nonZeros).toBe(output.length / 2 ** 12);
    expect(nonZeros).toBeGreaterThan(100);
  });
});

describe('y = A x where x[0] is not finite', () => {
  /** a value that is 0 in f16 */
  const TINY = 1e-9;
  const input = denseMatrix(4, 2, Float32Array.of(2, 0, 0, 3, TINY, 5, 0, 0));
  const rounded = denseMatrix(4, 2, Float32Array.of(2, 0, 0, 3, 0, 5, 0, 0));

  test.for([Infinity, -Infinity, Number.NaN])('x[0] = %d reaches only rows with an entry in column 0', (first) => {
    const outputs = (storesZeros?: boolean): readonly number[] => {
      const precision = { ...PRECISION, ...(storesZeros !== undefined && { storesZeros }) };
      const x = Float32Array.of(first, 0.5);
      const { output, bound } = expectedWithNonFiniteFirst(input, rounded, { x }, precision);
      expect(bound).toHaveLength(4);
      return [...output];
    };
    // Row 2 has an entry in column 0 that its format stores as 0, and 0 times a non-finite x[0] is NaN.
    for (const storesZeros of [undefined, false]) expect(outputs(storesZeros)).toEqual([2 * first, 1.5, Number.NaN, 0]);
    // A kernel that multiplies all cells has such a 0 in every row.
    expect(outputs(true)).toEqual([2 * first, Number.NaN, Number.NaN, Number.NaN]);
  });
});

test('completeSizes adds the sizes that are missing, and rejects wrong ones by name', () => {
  expect(completeSizes(GATE, {})).toEqual({ width: 512 });
  expect(completeSizes(GATE, { width: 64 })).toEqual({ width: 64 });
  expect(() => completeSizes(GATE, { width: 63 })).toThrow('width: found 63, expected a multiple of 8 from 8 to 16384');
  expect(() => completeSizes(GATE, { tokens: 1 })).toThrow("sizes of 'gate': found 'tokens', expected one of width");
});

test.for([0, 1, 30, 100])(
  'SPMV_ZEROS sets exactly %i of 100 values of x to 0, some of them to -0, and keeps the others',
  (zeros) => {
    const m = denseMatrix(1, 500, new Float32Array(500));
    const { x } = SPMV_ZEROS.inputs(m, { zeros }, 4);
    const all = SPMV.inputs(m, {}, 4).x;
    expect(x.filter((value) => value === 0)).toHaveLength(5 * zeros);
    expect(x.some((value) => Object.is(value, -0))).toBe(zeros > 0);
    expect(x.every((value, c) => value === 0 || value === all[c])).toBe(true);
  },
);
