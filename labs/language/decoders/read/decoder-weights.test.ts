// readDecoderWeights: weights from tensors of a file, dense and sparse, in every supported layout.

import { describe, expect, it } from 'vitest';
import { randomWeights, tinyConfig } from '../../test/decoders.ts';
import { bytesOf, int64, safetensorsFile, type TestTensor } from '../../../../test/io/safetensors.ts';
import { CancelledError, ReadError } from '../../../../src/core/errors.ts';
import { NO_JOB, type Progress } from '../../../../src/core/job.ts';
import { bf16Bits, f16Bits } from '../../../../src/core/number/index.ts';
import { fileSource } from '../../../../src/io/source.ts';
import { openSafetensors } from '../../../../src/io/tensors/safetensors.ts';
import { BLOCK_MATRICES, blockMatrixShape, type DecoderConfig, type DecoderWeights } from '../decoder.ts';
import { Halves } from '../halves.ts';
import { packedOf } from '../packed-numbers.ts';
import { readAllWeights, readDecoderWeights, weightReader } from './decoder-weights.ts';

const CONFIG = tinyConfig({ hidden: 6, intermediate: 8, heads: 2, kvHeads: 1, headDim: 4, vocabulary: 7 });

type Tensors = Record<string, TestTensor>;

function f32(shape: readonly number[], values: Float32Array): TestTensor {
  return { dtype: 'F32', shape, bytes: bytesOf(values) };
}

/** The weights as tensors with the names of a safetensors file. */
function tensorsOf(config: DecoderConfig, weights: DecoderWeights): Tensors {
  const { hidden, vocabulary, tied } = config;
  const tensors: Tensors = {
    'model.embed_tokens.weight': f32([vocabulary, hidden], weights.embedding),
    'model.norm.weight': f32([hidden], weights.finalNorm),
    ...(tied ? {} : { 'lm_head.weight': f32([vocabulary, hidden], weights.head) }),
  };
  for (const [layer, block] of weights.blocks.entries()) {
    const prefix = `model.layers.${layer}`;
    tensors[`${prefix}.input_layernorm.weight`] = f32([hidden], block.attentionNorm);
    tensors[`${prefix}.post_attention_layernorm.weight`] = f32([hidden], block.feedForwardNorm);
    for (const name of BLOCK_MATRICES) {
      const folder = ['gate', 'up', 'down'].includes(name) ? 'mlp' : 'self_attn';
      const shape = blockMatrixShape(config, name);
      tensors[`${prefix}.${folder}.${name}_proj.weight`] = f32(shape, block.matrices[name]);
      const bias = block.biases[name];
      if (bias) tensors[`${prefix}.${folder}.${name}_proj.bias`] = f32([shape[0]], bias);
    }
  }
  return tensors;
}

const containerOf = (tensors: Tensors) =>
  openSafetensors(fileSource({ name: 'model.safetensors', bytes: safetensorsFile(tensors) }), NO_JOB);

const readBack = async (config: DecoderConfig, tensors: Tensors, job = NO_JOB): Promise<DecoderWeights> =>
  readDecoderWeights(config, await containerOf(tensors), job);

/** The message of the ReadError that reading the tensors throws. */
async function rejectionText(tensors: Tensors): Promise<string> {
  const error: unknown = await readBack(CONFIG, tensors).catch((e: unknown) => e);
  expect(error).toBeInstanceOf(ReadError);
  return error instanceof Error ? error.message : '';
}

/** The tensors of random weights, of which tensor `name` is replaced by `tensor`, or left out if that is null. */
function changed(name: string, tensor: TestTensor | null): Tensors {
  const tensors = tensorsOf(CONFIG, randomWeights(CONFIG, 1));
  if (tensor) tensors[name] = tensor;
  else delete tensors[name];
  return tensors;
}

/** A sparse matrix as the library compressed-tensors stores it: a bitmask, and the values that are not 0. */
function compressedTensors(name: string, rows: number, cols: number, cells: Float32Array): Tensors {
  const stride = Math.ceil(cols / 8);
  const mask = new Uint8Array(rows * stride);
  const values: number[] = [];
  const offsets: number[] = [];
  for (let r = 0; r < rows; r++) {
    offsets.push(values.length);
    for (let c = 0; c < cols; c++) {
      if (cells[r * cols + c] === 0) continue;
      mask[r * stride + (c >> 3)] |= 1 << (c & 7);
      values.push(cells[r * cols + c]);
    }
  }
  return {
    [`${name}.compressed`]: f32([values.length], Float32Array.from(values)),
    [`${name}.bitmask`]: { dtype: 'U8', shape: [rows, stride], bytes: mask },
    [`${name}.shape`]: int64(rows, cols),
    [`${name}.row_offsets`]: int64(...offsets),
  };
}

const zeros = (rows: number, cols?: number): TestTensor =>
  f32(cols === undefined ? [rows] : [rows, cols], new Float32Array(rows * (cols ?? 1)));
const UNMENTIONED = 'found a tensor that config.json does not mention, expected none';
const DOWN = 'model.layers.1.mlp.down_proj.weight';

describe('the weights of a decoder', () => {
  it.each([
    CONFIG,
    { ...CONFIG, tied: true },
    { ...CONFIG, biases: BLOCK_MATRICES },
    { ...CONFIG, biases: ['q', 'k', 'v', 'o'] as const },
  ])('are read unchanged, configuration %#', async (config) => {
    const weights = randomWeights(config, 1);
    const weightsRead = await readBack(config, tensorsOf(config, weights));
    expect(weightsRead).toEqual(weights);
    expect(weightsRead.head === weightsRead.embedding).toBe(config.tied);
  });

  it.each(['F16', 'BF16', 'F32'] as const)(
    'take two bytes a weight in memory unless they are f32: %s',
    async (dtype) => {
      const weights = randomWeights(CONFIG, 2);
      const tensors: Tensors = {};
      for (const [name, { shape, bytes }] of Object.entries(tensorsOf(CONFIG, weights))) {
        const values = new Float32Array(bytes.slice().buffer);
        const stored = dtype === 'F32' ? values : Uint16Array.from(values, dtype === 'F16' ? f16Bits : bf16Bits);
        tensors[name] = { dtype, shape, bytes: bytesOf(stored) };
      }
      const reader = weightReader(CONFIG, await containerOf(tensors));
      const weightsRead = await readAllWeights(CONFIG, reader, NO_JOB);
      const isHalved = dtype !== 'F32';
      const downTensor = reader.tensors.find(({ name }) => name === DOWN);
      expect(downTensor?.weightBytes).toBe(isHalved ? 2 : 4);
      expect(packedOf(weightsRead.blocks[1].matrices, 'down') instanceof Halves).toBe(isHalved);
      expect(packedOf(weightsRead, 'embedding') instanceof Halves).toBe(isHalved);
      const plain = await readBack(CONFIG, tensors);
      expect(packedOf(plain, 'embedding')).toBeInstanceOf(Float32Array);
      expect(weightsRead.blocks[1].matrices.down).toEqual(plain.blocks[1].matrices.down);
      const blocks = weightsRead.blocks.map((block) => ({ ...block, matrices: { ...block.matrices } }));
      expect({ ...weightsRead, blocks }).toEqual(plain);
    },
  );

  it('are the same if they are stored sparse', async () => {
    const dense = randomWeights(CONFIG, 3);
    const { down } = dense.blocks[1].matrices;
    for (let i = 0; i < down.length; i += 3) down[i] = 0;
    const tensors = tensorsOf(CONFIG, dense);
    delete tensors[DOWN];
    const weightsRead = await readBack(CONFIG, { ...tensors, ...compressedTensors(DOWN, 6, 8, down) });
    expect(weightsRead).toEqual(dense);
  });

  it('are read without a copy of the embedding and tables of positions', async () => {
    const config = { ...CONFIG, tied: true };
    const weights = randomWeights(config, 4);
    const weightsRead = await readBack(config, {
      ...tensorsOf(config, weights),
      'lm_head.weight': f32([7, 6], weights.embedding),
      'model.layers.0.self_attn.rotary_emb.inv_freq': f32([2], Float32Array.of(1, 0.01)),
    });
    expect(weightsRead).toEqual(weights);
  });

  it('are counted in reports of progress, and are read no further when the job is cancelled', async () => {
    const tensors = tensorsOf(CONFIG, randomWeights(CONFIG, 5));
    const reports: Progress[] = [];
    await readBack(CONFIG, tensors, { report: (progress) => reports.push(progress), cancelled: false });
    const total = Object.values(tensors).reduce((sum, { shape }) => sum + shape.reduce((a, b) => a * b), 0);
    expect(reports).toHaveLength(Object.keys(tensors).length + 1);
    expect([reports[0].done, reports.at(-1)]).toEqual([0, { what: 'Reading the weights', done: total, total }]);
    await expect(readBack(CONFIG, tensors, { report: () => {}, cancelled: true })).rejects.toThrow(CancelledError);
  });

  it.each([
    [DOWN, null, 'found no such tensor, expected shape (6, 8)'],
    ['model.norm.weight', zeros(5), 'found shape (5), expected shape (6)'],
    [DOWN, zeros(8, 6), 'found shape (8, 6), expected shape (6, 8)'],
    [
      DOWN,
      { dtype: 'I8', shape: [6, 8], bytes: new Uint8Array(48) },
      'found elements of i8, expected f16, bf16, f32, f64, q8_0, q4_0',
    ],
    [
      DOWN,
      f32([6, 8], new Float32Array(48).fill(Number.NaN, 9, 10)),
      'found NaN in row 1, column 1, expected finite numbers',
    ],
    ['model.layers.0.self_attn.q_proj.bias', zeros(8), UNMENTIONED],
    ['model.layers.2.input_layernorm.weight', zeros(6), UNMENTIONED],
  ])('are rejected if a tensor is missing, wrong or not expected: %s', async (name, tensor, message) => {
    expect(await rejectionText(changed(name, tensor))).toBe(`${name}: ${message}`);
  });
});
