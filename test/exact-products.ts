// Compares kernels with exact integer sums bit by bit.

import type { AnyFormat, EncodedMatrix } from '../src/core/format.ts';
import type { KernelSpec } from '../src/core/kernel/kernel.ts';
import { operationById } from '../src/core/operations/index.ts';
import { kernelSupport, type GpuContext, runKernelWords } from '../src/gpu/index.ts';
import { buildMatrix } from './arbitraries.ts';
import { paramsFor } from './kernels-on-device.ts';

/** Two kernels of a format with exact integer sums, on one matrix: all their outputs are bit-identical. */
export interface ExactPair {
  readonly kernel: string;
  readonly reference: string;
  readonly rows: number;
  readonly cols: number;
  readonly tokens: number;
  readonly equal: number;
  readonly unequal: number;
}

/** Whole tiles, edges of every kind, several rounds of staging, fewer columns than one round stages. */
const SHAPES = [
  { rows: 128, cols: 256, tokens: 128 },
  { rows: 33, cols: 140, tokens: 5 },
  { rows: 130, cols: 1000, tokens: 129 },
  { rows: 257, cols: 40, tokens: 33 },
  { rows: 512, cols: 4096, tokens: 300 },
] as const;

/**
 * Compares every kernel of a format with integer sums to the first of its operation, bit by bit. Nothing if a device
 * runs only one of them.
 */
export async function exactPairs(context: GpuContext, format: AnyFormat): Promise<readonly ExactPair[]> {
  const kernels = (format.kernels as readonly KernelSpec<EncodedMatrix>[]).filter(
    ({ arithmetic = 'f32' }) => arithmetic !== 'f32',
  );
  const pairs: ExactPair[] = [];
  for (const [i, spec] of kernels.entries()) {
    const reference = kernels.slice(0, i).find(({ operation }) => operation === spec.operation);
    if (reference === undefined) continue;
    for (const shape of SHAPES) {
      const matrix = buildMatrix({
        shape: [shape.rows, shape.cols],
        pattern: 'two of four',
        values: 'normal',
        density: 0.3,
        seed: 5,
        storage: 'cells',
      });
      const params = paramsFor(format, spec);
      if (!format.admits(matrix, params).ok) continue;
      const encoded: EncodedMatrix = format.encode(matrix, params);
      const sizes = { tokens: shape.tokens };
      if (![reference, spec].every((each) => kernelSupport(each, encoded, context.facts, sizes).ok)) continue;
      const inputs = operationById(spec.operation).inputs(format.decode(encoded), sizes, 7);
      const wordsOf = (each: KernelSpec<EncodedMatrix>): Promise<Uint32Array> =>
        runKernelWords(context, each.id, each.plan(encoded, context.facts, sizes), inputs);
      const [expected, found] = [await wordsOf(reference), await wordsOf(spec)];
      const equal = expected.reduce((count, word, i) => count + (word === found[i] ? 1 : 0), 0);
      pairs.push({ kernel: spec.id, reference: reference.id, ...shape, equal, unequal: expected.length - equal });
    }
  }
  return pairs;
}
