// A gated feed-forward block for tests of training kernels: inputs with exact products, its loss, and gradients by finite differences.

import type { KernelPlan } from '../src/core/kernel/kernel.ts';
import { denseMatrix, type Matrix } from '../src/core/matrix/index.ts';
import type { Inputs } from '../src/core/operations/operation.ts';
import { BACKWARD, fromMillionths } from '../src/core/operations/training.ts';
import { Random } from '../src/core/number/random.ts';

/** Sizes of a gated feed-forward block. */
export interface BlockShape {
  readonly tokens: number;
  /** neurons */
  readonly hidden: number;
  readonly width: number;
  /** coefficient of L1 in millionths */
  readonly l1: number;
}

/** Coefficients in millionths: none, the paper's, the usual one here, and one that outweighs dy. */
export const L1_WEIGHTS = [0, 20, 15_625, 1_000_000];

/** Row t of a times row n of b, in f64. */
export function dot(a: ArrayLike<number>, t: number, b: ArrayLike<number>, n: number, width: number): number {
  let sum = 0;
  for (let k = 0; k < width; k++) sum += a[t * width + k] * b[n * width + k];
  return sum;
}

/** The loss whose gradient is BACKWARD, including the gate ReLU(x Wg^T), in f64. */
function loss({ tokens, hidden, width, l1 }: BlockShape, inputs: Readonly<Record<string, Float64Array>>): number {
  const { x, dy, wg, wu, wd } = inputs;
  let sum = 0;
  for (let t = 0; t < tokens; t++) {
    for (let n = 0; n < hidden; n++) {
      const h = Math.max(0, dot(x, t, wg, n, width)) * dot(x, t, wu, n, width);
      sum += h * dot(dy, t, wd, n, width) + fromMillionths(l1) * Math.abs(h);
    }
  }
  return sum;
}

/** Central differences of the loss by x, Wg, Wu and Wd, in the order of the outputs of BACKWARD. O(outputs * block). */
export function differencesOf(shape: BlockShape, inputs: Inputs): Float64Array {
  const exact = Object.fromEntries(Object.entries(inputs).map(([name, values]) => [name, Float64Array.from(values)]));
  const step = 1e-6;
  const differences: number[] = [];
  for (const values of [exact.x, exact.wg, exact.wu, exact.wd]) {
    for (let k = 0; k < values.length; k++) {
      const value = values[k];
      values[k] = value + step;
      const above = loss(shape, exact);
      values[k] = value - step;
      differences.push((above - loss(shape, exact)) / (2 * step));
      values[k] = value;
    }
  }
  return Float64Array.from(differences);
}

/** The largest relative difference; for outputs near 0, relative to a hundredth of the largest output. */
export function worstDifference(found: ArrayLike<number>, expected: Float64Array): number {
  const largest = expected.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
  return expected.reduce(
    (worst, value, i) => Math.max(worst, Math.abs(found[i] - value) / Math.max(Math.abs(value), largest / 100)),
    0,
  );
}

/**
 * Inputs of BACKWARD with their gate: every product is a multiple of 1/8 with at most 8 significant bits, so that bf16
 * and f16 represent it, and an odd one, so that ReLU has no bend there. Every third token has many non-zeros.
 */
export function exactBlock(
  shape: Omit<BlockShape, 'l1'>,
  seed: number,
): { readonly gate: Matrix; readonly inputs: Inputs } {
  const { tokens, hidden, width } = shape;
  const random = new Random(seed);
  const halves = (count: number): Float32Array =>
    Float32Array.from({ length: count }, () => [-1, -0.5, 0.5, 1][random.below(4)]);
  const x = halves(tokens * width);
  const wg = halves(hidden * width);
  for (let t = 0; t < tokens; t++) x[t * width] = t % 3 === 0 ? 1 : 5;
  for (let n = 0; n < hidden; n++) wg[n * width] = [-0.625, -0.875][random.below(2)];
  const gate = denseMatrix(
    tokens,
    hidden,
    Float32Array.from({ length: tokens * hidden }, (_, i) =>
      Math.max(0, dot(x, Math.floor(i / hidden), wg, i % hidden, width)),
    ),
  );
  return { gate, inputs: { ...BACKWARD.inputs(gate, { width }, seed), x, wg } };
}

/** The plan with this buffer, which stays for another kernel, as its only output. */
export function onlyBuffer(plan: KernelPlan, name: string): KernelPlan {
  const buffers = plan.buffers.map((buffer) => {
    if (buffer.role !== 'scratch' && buffer.role !== 'output') return buffer;
    return { ...buffer, role: buffer.name === name ? ('output' as const) : ('scratch' as const) };
  });
  return { ...plan, buffers };
}
