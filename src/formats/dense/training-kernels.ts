import gatedBackward from '../../../shaders/common/gated_backward.wgsl?raw';
import backwardCode from '../../../shaders/dense/backward.wgsl?raw';
import productCode from '../../../shaders/dense/backward_product.wgsl?raw';
import { fitsLimits } from '../../core/device-limits.ts';
import { tileFor, tileNeeds } from '../../core/gemm-plan.ts';
import type { BufferPlan, KernelSpec, ShaderFile } from '../../core/kernel.ts';
import { fourStride, type Matmul, matmulPass, type Operand } from '../../core/matmul-plan.ts';
import { bf16Rows, HIDDEN, HIDDEN_TYPES, storedHidden } from './block-kernels.ts';
import type { DenseEncoded } from './layout.ts';

/**
 * The backward pass of a gated feed-forward block with hg in full: what formats that keep only its non-zeros are compared
 * with. Everything between the passes is in f32. Inputs as src/core/operations/training.ts defines them.
 */

const PRODUCT: readonly ShaderFile[] = [{ path: 'dense/backward_product.wgsl', code: productCode }];
/** Tells the product to add to what is there. */
const ADDED = [1] as const;

/** Gradients between the passes, with a row for every token. */
function gradients(buffer: string, cols: number): Operand {
  return { buffer, type: 'f32', stored: 'rows', stride: fourStride(cols) };
}

/** The matmuls of the pass in their order: hu; dh and what follows neuron by neuron; dx, twice; the weights. */
function matmulsOf(e: DenseEncoded, width: number): readonly Matmul[] {
  const { rows, cols } = e;
  const hidden = storedHidden(e);
  const up = { m: rows, n: cols, k: width, outputStride: fourStride(cols) };
  const input = { m: rows, n: width, k: cols, output: 'dx', outputStride: width, files: PRODUCT };
  const weight = { m: cols, n: width, k: rows, outputStride: width, files: PRODUCT };
  const columns = (buffer: string): Matmul['b'] => ({ buffer, type: 'bf16', stored: 'columns', stride: width });
  const transposed = (buffer: string): Operand => ({ ...gradients(buffer, cols), stored: 'columns' });
  return [
    { ...up, a: bf16Rows('x', width), b: bf16Rows('wu', width), output: 'up', files: PRODUCT },
    {
      ...up,
      a: bf16Rows('dy', width),
      b: bf16Rows('wd', width),
      output: 'dhu',
      further: ['data', 'dhg', 'up'],
      sizes: [hidden.stride],
      files: [
        HIDDEN[hidden.type],
        { path: 'common/gated_backward.wgsl', code: gatedBackward },
        { path: 'dense/backward.wgsl', code: backwardCode },
      ],
    },
    { ...input, a: gradients('dhu', cols), b: columns('wu') },
    { ...input, a: gradients('dhg', cols), b: columns('wg'), sizes: ADDED },
    { ...weight, a: transposed('dhg'), b: columns('x'), output: 'dwg' },
    { ...weight, a: transposed('dhu'), b: columns('x'), output: 'dwu' },
    { ...weight, a: transposed('up'), b: columns('dy'), output: 'dwd' },
  ];
}

/** The buffers besides those of sizes, each with its bytes. Outputs in the order of the operation. */
function buffersOf({ rows, cols, data }: DenseEncoded, width: number): readonly (readonly [BufferPlan, number])[] {
  const input = (name: string, count: number): readonly [BufferPlan, number] => [
    { role: 'input', name, type: 'bf16' },
    2 * count * width,
  ];
  const kept = (role: 'output' | 'scratch', name: string, count: number): readonly [BufferPlan, number] => [
    { role, name, bytes: 4 * count },
    4 * count,
  ];
  const between = rows * fourStride(cols);
  return [
    input('x', rows),
    input('dy', rows),
    input('wg', cols),
    input('wu', cols),
    input('wd', cols),
    [{ role: 'sparse', name: 'data', data }, data.byteLength],
    kept('scratch', 'up', between),
    kept('scratch', 'dhu', between),
    kept('scratch', 'dhg', between),
    kept('output', 'dx', rows * width),
    kept('output', 'dwg', cols * width),
    kept('output', 'dwu', cols * width),
    kept('output', 'dwd', cols * width),
  ];
}

export const trainingKernels: readonly KernelSpec<DenseEncoded>[] = [
  {
    id: 'dense/backward',
    title: 'seven GEMMs, all neurons',
    operation: 'backward',
    roundings: 3,
    features: [],
    only: { valueType: HIDDEN_TYPES },
    fits(e, device, { width }) {
      const needs = matmulsOf(e, width).map(({ m, n }) => tileNeeds(tileFor(m, n, device)));
      return fitsLimits(
        buffersOf(e, width).map(([{ name }, bytes]) => [name, bytes] as const),
        {
          lanes: Math.max(...needs.map(({ lanes }) => lanes)),
          memoryBytes: Math.max(...needs.map(({ memoryBytes }) => memoryBytes)),
        },
        device,
      );
    },
    plan(e, device, { width }) {
      const steps = matmulsOf(e, width).map((matmul, i) => matmulPass(`sizes ${i + 1}`, matmul, device));
      const buffers = buffersOf(e, width);
      return {
        buffers: [...steps.map(({ params }) => params), ...buffers.map(([buffer]) => buffer)],
        passes: steps.map(({ pass }) => pass),
        bytes: buffers.reduce((sum, [{ role }, bytes]) => sum + (role === 'scratch' ? 0 : bytes), 0),
        multiplyAdds: steps.reduce((sum, { multiplyAdds }) => sum + multiplyAdds, 0),
      };
    },
  },
];
