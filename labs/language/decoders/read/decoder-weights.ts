// Reads the weights of a decoder from a container of tensors, such as safetensors.

import { ReadError } from '../../../../src/core/errors.ts';
import { type Job, withReport } from '../../../../src/core/job.ts';
import { type Matrix, rowBuffer } from '../../../../src/core/matrix/index.ts';
import { Pacer, throwIfCancelled } from '../../../../src/core/pace.ts';
import type { Container } from '../../../../src/io/index.ts';
import {
  blockMatrices,
  type BlockMatrix,
  type BlockWeights,
  type DecoderConfig,
  type DecoderWeights,
} from '../decoder.ts';
import { type PackedNumbers, packNumbers, withNumbers } from '../packed-numbers.ts';
import {
  findLayout,
  modelTensors,
  type ModelTensor,
  type StoredTensor,
  tensorName,
  tensorShape,
} from './tensor-layouts.ts';

/** Element types of weights; a file may add ', bitmask' (sparse). The last two contain their own scales. */
const TYPES = ['f16', 'bf16', 'f32', 'f64', 'q8_0', 'q4_0'];

/** The types that have two bytes per weight in memory, too. */
const TWO_BYTE_TYPES = /^b?f16\b/;

/** A tensor of a model, in any kind of file. */
interface WeightTensor {
  /** its name in transformers for Llama: 'model.layers.0.self_attn.q_proj.weight' */
  readonly name: string;
  /** matrices are outputs x inputs */
  readonly shape: readonly number[];
  /** maximum bytes per weight in memory */
  readonly weightBytes: 2 | 4;
}

/** Reads the weights of a model from a file, one tensor at a time. */
export interface WeightReader {
  /** in the order in which a token uses them */
  readonly tensors: readonly WeightTensor[];
  /** bytes of all of them in their file */
  readonly bytes: number;
  /**
   * Reads a tensor, row-major, converted to f32. Throws ReadError for an unknown name and for a number that is not
   * finite, and CancelledError. Memory: 4 bytes per weight, and the tensor as stored.
   */
  read(name: string, job: Job): Promise<Float32Array>;
}

/**
 * A reader of a model's file, whose tensor names identify the layout: Llama, Mistral and Qwen2, OPT or GPT-2 of
 * transformers, or GGUF. All names, shapes and types are checked here, before the first read. Tensors that
 * compressed-tensors has stored sparse read like dense ones.
 *
 * Throws ReadError with the tensor, found and expected: one that is missing, has another shape or type, or is not part
 * of the model that `config` describes.
 */
export function weightReader(config: DecoderConfig, container: Container): WeightReader {
  const layout = findLayout(new Set(container.tensors.map(({ name }) => name)));
  const tensors = modelTensors(config);
  const needed = new Map(tensors.map((tensor) => [tensorName(tensor), layout.stored(config, tensor)]));
  const types = new Map(container.tensors.map(({ name, dtype }) => [name, dtype]));
  const bytes = checkTensors(config, container, [...needed.values()], (name) => layout.isSpare(name));
  /** the file's tensor that was read last, since it may contain several of the model's */
  let last: { readonly name: string; readonly cells: Float32Array } | null = null;
  const cellsOfTensor = async (name: string, job: Job): Promise<Float32Array> => {
    if (last?.name === name) return last.cells;
    const { matrix } = await container.read(name, withReport(job));
    return cellsOf(name, matrix, job);
  };
  return {
    tensors: tensors.map((tensor) => {
      const { name } = layout.stored(config, tensor);
      const shape = tensorShape(config, tensor);
      // Vectors become f32: they are small.
      const hasTwoBytes = shape.length > 1 && TWO_BYTE_TYPES.test(types.get(name) ?? '');
      return { name: tensorName(tensor), shape, weightBytes: hasTwoBytes ? 2 : 4 };
    }),
    bytes,
    async read(name, job) {
      const stored = needed.get(name);
      if (!stored)
        throw new ReadError(`${name}: found no such tensor, expected one of the ${needed.size} of the model`);
      const cells = await cellsOfTensor(stored.name, job);
      last = stored.convert ? { name: stored.name, cells } : null;
      return stored.convert ? stored.convert(cells) : cells;
    },
  };
}

/**
 * All weights of a model in a file, in f32. Progress counts weights. Throws like `weightReader` and
 * `WeightReader.read`. Memory: 4 bytes per weight, and one tensor as stored.
 */
export async function readDecoderWeights(
  config: DecoderConfig,
  container: Container,
  job: Job,
): Promise<DecoderWeights> {
  return readAllWeights(config, weightReader(config, container), job, (values) => values);
}

/**
 * All weights of a model. `pack` converts each tensor to its form in memory: by default two bytes per weight if that is
 * exact, else f32. Progress counts weights. Throws like `reader.read`.
 */
export async function readAllWeights(
  config: DecoderConfig,
  reader: WeightReader,
  job: Job,
  pack: (values: Float32Array) => PackedNumbers = packNumbers,
): Promise<DecoderWeights> {
  const read = new Map<string, PackedNumbers>();
  const sizes = reader.tensors.map(({ shape }) => shape.reduce((product, n) => product * n, 1));
  const total = sizes.reduce((sum, n) => sum + n, 0);
  let done = 0;
  for (const [i, { name }] of reader.tensors.entries()) {
    throwIfCancelled(job);
    job.report({ what: 'Reading the weights', done, total });
    read.set(name, pack(await reader.read(name, job)));
    done += sizes[i];
  }
  job.report({ what: 'Reading the weights', done, total });
  const tensorOf = (tensor: ModelTensor): PackedNumbers => {
    const packed = read.get(tensorName(tensor));
    if (!packed) throw new ReadError(`${tensorName(tensor)}: found nothing, expected a tensor`);
    return packed;
  };
  // Norms, biases and positions in f32.
  const vector = (tensor: ModelTensor): Float32Array => {
    const weights = tensorOf(tensor);
    return weights instanceof Float32Array ? weights : weights.widen();
  };
  const embedding = tensorOf({ role: 'embedding' });
  return withNumbers(
    { embedding, head: config.tied ? embedding : tensorOf({ role: 'head' }) },
    {
      finalNorm: vector({ role: 'finalNorm' }),
      ...(config.norm === 'layer' && { finalNormBias: vector({ role: 'finalNormBias' }) }),
      ...(config.positions > 0 && { positions: vector({ role: 'positions' }) }),
      blocks: Array.from({ length: config.layers }, (_, layer) => blockOf(config, layer, tensorOf, vector)),
    },
  );
}

/** Checks all needed tensors and returns their bytes. `isSpare`: whether a file may contain a tensor beyond these. */
function checkTensors(
  { tied }: DecoderConfig,
  { tensors }: Container,
  needed: readonly StoredTensor[],
  isSpare: (name: string) => boolean,
): number {
  const storedByName = new Map(tensors.map((tensor) => [tensor.name, tensor]));
  const neededByName = new Map(needed.map((tensor) => [tensor.name, tensor]));
  let bytes = 0;
  for (const { name, shape } of neededByName.values()) {
    const expected = `expected shape (${shape.join(', ')})`;
    const storedTensor = storedByName.get(name);
    if (!storedTensor) throw new ReadError(`${name}: found no such tensor, ${expected}`);
    if (storedTensor.refused !== null) throw new ReadError(`${name}: ${storedTensor.refused}`);
    if (storedTensor.shape.length !== shape.length || storedTensor.shape.some((n, i) => n !== shape[i])) {
      throw new ReadError(`${name}: found shape (${storedTensor.shape.join(', ')}), ${expected}`);
    }
    if (!TYPES.includes(storedTensor.dtype.replace(/, bitmask$/, ''))) {
      throw new ReadError(`${name}: found elements of ${storedTensor.dtype}, expected ${TYPES.join(', ')}`);
    }
    bytes += storedTensor.bytes;
  }
  for (const { name } of tensors) {
    const isExpected = neededByName.has(name) || (isSpare(name) && (tied || !HEADS.includes(name)));
    if (!isExpected) throw new ReadError(`${name}: found a tensor that config.json does not mention, expected none`);
  }
  return bytes;
}

/** Names of the output matrix; only a tied model may have a spare copy of it. */
const HEADS = ['lm_head.weight', 'output.weight'];

function blockOf(
  config: DecoderConfig,
  layer: number,
  tensorOf: (tensor: ModelTensor) => PackedNumbers,
  vector: (tensor: ModelTensor) => Float32Array,
): BlockWeights {
  const names = blockMatrices(config);
  const matrices: Record<string, PackedNumbers> = { gate: new Float32Array(0) };
  for (const matrix of names) matrices[matrix] = tensorOf({ role: 'weight', layer, matrix });
  const biases = names.filter((matrix) => config.biases.includes(matrix));
  return {
    attentionNorm: vector({ role: 'attentionNorm', layer }),
    feedForwardNorm: vector({ role: 'feedForwardNorm', layer }),
    ...(config.norm === 'layer' && {
      normBiases: {
        attention: vector({ role: 'attentionNormBias', layer }),
        feedForward: vector({ role: 'feedForwardNormBias', layer }),
      },
    }),
    matrices: withNumbers(matrices as Record<BlockMatrix, PackedNumbers>, {}),
    biases: Object.fromEntries(biases.map((matrix) => [matrix, vector({ role: 'bias', layer, matrix })])),
  };
}

/** All cells of a tensor's matrix, row-major. */
async function cellsOf(name: string, matrix: Matrix, job: Job): Promise<Float32Array> {
  const { rows, cols } = matrix;
  const cells = new Float32Array(rows * cols);
  const buffer = rowBuffer(cols);
  const pacer = new Pacer();
  for (let r = 0; r < rows; r++) {
    const n = matrix.readRow(r, buffer);
    for (let i = 0; i < n; i++) {
      const value = buffer.values[i];
      if (!Number.isFinite(value)) {
        throw new ReadError(
          `${name}: found ${value} in row ${r}, column ${buffer.columns[i]}, expected finite numbers`,
        );
      }
      cells[r * cols + buffer.columns[i]] = value;
    }
    if (r % 64 > 0) continue;
    throwIfCancelled(job);
    await pacer.pauseIfDue();
  }
  return cells;
}
