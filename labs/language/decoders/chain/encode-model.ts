// Encodes the matrices of a language model for a chain (a decoder on the GPU), block by block.

import { denseMatrix, type DenseMatrix } from '../../../../src/core/matrix/index.ts';
import { f16Bits, f16Value } from '../../../../src/core/number/index.ts';
import { packHalves } from '../../../../src/gpu/index.ts';
import {
  type BlockMatrix,
  blockMatrixShape,
  type BlockWeights,
  type DecoderConfig,
  type DecoderWeights,
} from '../decoder.ts';
import { packedOf, widenedPart } from '../packed-numbers.ts';
import type { ChainBlock, ChainMatrix, ChainWeights, MatrixStack } from './weights.ts';

/** The matrices of a stack: the matrices of a layer with these names, or the head. */
type StackName = { readonly layer: number; readonly names: readonly BlockMatrix[] } | 'head';

/** Encodes a matrix in a format that the caller chooses, and adds its kernels (`chainMatrix` in kernels.ts). */
export type EncodeForChain = (matrix: DenseMatrix, stack: StackName) => ChainMatrix | Promise<ChainMatrix>;

/** Settings of `encodeModel`. */
export interface EncodeOptions {
  /** whether q, k and v are encoded as one matrix, and gate and up as another; default: yes, which saves dispatches */
  readonly isStacked?: (layer: number, names: readonly BlockMatrix[]) => boolean;
  /** maximum bytes of a binding: a larger head is divided by rows into parts; default: the head is one part */
  readonly maxHeadBytes?: number;
}

/** Parts of the head, except the last, have a multiple of this many rows, so that there are no gaps between logits. */
const HEAD_ROWS_MULTIPLE = 64;

/** The matrices of a block by common input, in the order in which the block uses them. */
const STACKS = { qkv: ['q', 'k', 'v'], o: ['o'], gateUp: ['gate', 'up'], down: ['down'] } as const satisfies Record<
  string,
  readonly BlockMatrix[]
>;

/**
 * Encodes a model for a chain (the decoder on the GPU), one block at a time on request. The embedding is stored in f16
 * if f16 is exact, else in f32.
 */
export async function encodeModel(
  config: DecoderConfig,
  weights: DecoderWeights,
  encode: EncodeForChain,
  { isStacked = () => true, maxHeadBytes = Number.POSITIVE_INFINITY }: EncodeOptions = {},
): Promise<ChainWeights> {
  const stackOf = async (layer: number, block: BlockWeights, names: readonly BlockMatrix[]): Promise<MatrixStack> => {
    const groups = isStacked(layer, names) ? [names] : names.map((name) => [name]);
    const stacked: ChainMatrix[] = [];
    for (const group of groups)
      stacked.push(await encode(stackedMatrix(config, block, group), { layer, names: group }));
    return stacked;
  };
  async function* blocks(): AsyncGenerator<ChainBlock, void> {
    for (const [layer, block] of weights.blocks.entries()) {
      const { attentionNorm, feedForwardNorm, biases } = block;
      yield {
        attentionNorm,
        feedForwardNorm,
        biases,
        qkv: await stackOf(layer, block, STACKS.qkv),
        o: await stackOf(layer, block, STACKS.o),
        feedForward: {
          gateUp: await stackOf(layer, block, STACKS.gateUp),
          down: await stackOf(layer, block, STACKS.down),
        },
      };
    }
  }
  const { vocabulary, hidden } = config;
  const head: ChainMatrix[] = [];
  const headCells = packedOf(weights, 'head');
  // f32 cells of HEAD_ROWS_MULTIPLE rows; formats may pad rows to a multiple of 8.
  const bytesOfMultiple = HEAD_ROWS_MULTIPLE * 4 * 8 * Math.ceil(hidden / 8);
  const partRows = Math.min(vocabulary, HEAD_ROWS_MULTIPLE * Math.max(1, Math.floor(maxHeadBytes / bytesOfMultiple)));
  for (let from = 0; from < vocabulary; from += partRows) {
    const to = Math.min(vocabulary, from + partRows);
    const cells = widenedPart(headCells, from * hidden, to * hidden);
    head.push(await encode(denseMatrix(to - from, hidden, cells), 'head'));
  }
  return {
    embedding: { ...tableOf(weights.embedding), stride: config.hidden },
    head,
    finalNorm: weights.finalNorm,
    blocks: { [Symbol.asyncIterator]: blocks },
  };
}

/** Returns matrices of a block as one matrix, one below the other. */
function stackedMatrix(config: DecoderConfig, { matrices }: BlockWeights, names: readonly BlockMatrix[]): DenseMatrix {
  const [, cols] = blockMatrixShape(config, names[0]);
  // Reads each matrix only once, since reading a packed matrix widens it to f32.
  if (names.length === 1) {
    const cells = matrices[names[0]];
    return denseMatrix(cells.length / cols, cols, cells);
  }
  const cells = new Float32Array(names.reduce((sum, name) => sum + packedOf(matrices, name).length, 0));
  let offset = 0;
  for (const name of names) {
    const numbers = matrices[name];
    cells.set(numbers, offset);
    offset += numbers.length;
  }
  return denseMatrix(cells.length / cols, cols, cells);
}

/** Whether all of these numbers are exact in f16. */
export function areExactInF16(cells: Float32Array): boolean {
  return cells.every((value) => f16Value(f16Bits(value)) === value);
}

/** Returns the embedding in f16 if that is exact, else in f32. */
function tableOf(embedding: Float32Array): Pick<ChainWeights['embedding'], 'data' | 'type'> {
  return areExactInF16(embedding)
    ? { data: packHalves('embedding', embedding, 'f16'), type: 'f16' }
    : { data: embedding, type: 'f32' };
}
