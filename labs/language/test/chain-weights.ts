// For tests: encodes random weights for a chain (a decoder on the GPU), with the cells as the format stores them.

import type { AnyFormat, EncodedMatrix } from '../../../src/core/format.ts';
import type { KernelSpec } from '../../../src/core/kernel/kernel.ts';
import { denseMatrix, toDense } from '../../../src/core/matrix/index.ts';
import { type GpuContext, kernelSupport } from '../../../src/gpu/index.ts';
import { type EncodeForChain, encodeModel } from '../decoders/chain/encode-model.ts';
import { type ChainKernel, type ChainMatrix, type ChainWeights, SEVERAL_TOKENS } from '../decoders/chain/weights.ts';
import type { DecoderConfig, DecoderWeights } from '../decoders/decoder.ts';

/** A matrix encoded for a chain, and its cells as stored. */
export interface EncodedForChain {
  readonly matrix: ChainMatrix;
  readonly cells: Float32Array;
}

/** For tests: the kernel of an operation that a device can run on an encoded matrix, the first if no id is given. */
export function kernelOf(
  context: GpuContext,
  format: AnyFormat,
  encoded: EncodedMatrix,
  operation: 'spmv' | 'gemm',
  id?: string,
): ChainKernel | null {
  const specs: readonly KernelSpec<EncodedMatrix>[] = format.kernels;
  const sizes = operation === 'gemm' ? { tokens: SEVERAL_TOKENS } : {};
  const spec = specs.find(
    (s) =>
      s.operation === operation &&
      (id === undefined ? s.roundsInputs === undefined : s.id === id) &&
      kernelSupport(s, encoded, context.facts, sizes).ok,
  );
  return spec === undefined ? null : { spec };
}

/**
 * Returns a function that encodes with a format and the kernels of these ids; without an id, the first kernel that
 * fits.
 */
export function encodeWith(
  context: GpuContext,
  format: AnyFormat,
  params: Readonly<Record<string, unknown>>,
  { kernel, gemm = true }: { readonly kernel?: string; readonly gemm?: boolean | string } = {},
): (rows: number, cols: number, cells: Float32Array) => EncodedForChain {
  return (rows, cols, cells) => {
    const encoded: EncodedMatrix = format.encode(denseMatrix(rows, cols, cells), params);
    const vectorKernel = kernelOf(context, format, encoded, 'spmv', kernel);
    if (vectorKernel === null) throw new Error(`${format.id}: found no kernel for ${rows} x ${cols}`);
    const several =
      gemm === false ? null : kernelOf(context, format, encoded, 'gemm', gemm === true ? undefined : gemm);
    return {
      matrix: { encoded, oneToken: vectorKernel, several, many: several },
      cells: toDense(format.decode(encoded)),
    };
  };
}

/**
 * For tests: a model for a chain, and, once a chain has been opened with it, the model with its cells as stored.
 * `stacked`: q, k and v as one matrix, and gate and up as one.
 */
export async function chainModel(
  config: DecoderConfig,
  weights: DecoderWeights,
  encode: (rows: number, cols: number, cells: Float32Array) => EncodedForChain,
  encodeHead: (rows: number, cols: number, cells: Float32Array) => EncodedForChain,
  stacked: boolean,
): Promise<{ readonly chain: ChainWeights; readonly stored: DecoderWeights }> {
  const stored = {
    ...weights,
    blocks: weights.blocks.map((block) => ({ ...block, matrices: { ...block.matrices } })),
  };
  const encodeAt: EncodeForChain = ({ rows, cols, data }, stack) => {
    if (stack === 'head') {
      const head = encodeHead(rows, cols, data);
      stored.head = head.cells;
      return head.matrix;
    }
    const { matrix, cells } = encode(rows, cols, data);
    let offset = 0;
    for (const name of stack.names) {
      const { length } = weights.blocks[stack.layer].matrices[name];
      stored.blocks[stack.layer].matrices[name] = cells.slice(offset, offset + length);
      offset += length;
    }
    return matrix;
  };
  const chain = await encodeModel(config, weights, encodeAt, { isStacked: () => stacked });
  return { chain, stored };
}
