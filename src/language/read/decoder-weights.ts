import { ReadError } from '../../core/errors.ts';
import type { Job } from '../../core/job.ts';
import { type Matrix, rowBuffer } from '../../core/matrix/index.ts';
import { Pacer, throwIfCancelled } from '../../core/pace.ts';
import type { Container } from '../../io/archives/container.ts';
import {
  BLOCK_MATRICES,
  type BlockMatrix,
  blockMatrixShape,
  type BlockWeights,
  type DecoderConfig,
  type DecoderWeights,
} from '../decoder.ts';

/** Element types whose values are the weights, without a scale; 'f16, bitmask' is stored sparse. */
const TYPES = ['f16', 'bf16', 'f32', 'f64'];

/** Where transformers puts the matrices of a block. */
const FOLDERS: Readonly<Record<BlockMatrix, 'self_attn' | 'mlp'>> = {
  q: 'self_attn',
  k: 'self_attn',
  v: 'self_attn',
  o: 'self_attn',
  gate: 'mlp',
  up: 'mlp',
  down: 'mlp',
};

/**
 * The weights of a model from a safetensors file, by the names that transformers gives to those of Llama. Names, shapes and
 * types are checked before the first one is read. Tensors that compressed-tensors has stored sparse read like dense ones.
 * Progress counts tensors.
 *
 * Throws ReadError with the tensor, found and expected: one that is missing, of another shape or type, not finite, or not
 * part of the model that `config` describes. Throws CancelledError. Memory: 4 bytes a weight, and one tensor as stored.
 */
export async function readDecoderWeights(
  config: DecoderConfig,
  container: Container,
  job: Job,
): Promise<DecoderWeights> {
  const wanted = wantedTensors(config);
  checkTensors(config, container, wanted);
  const read = new Map<string, Float32Array>();
  const pacer = new Pacer();
  for (const name of wanted.keys()) {
    throwIfCancelled(job);
    job.report({ what: 'Reading the weights', done: read.size, total: wanted.size });
    const { matrix } = await container.read(name, quiet(job));
    read.set(name, await cellsOf(name, matrix, job, pacer));
  }
  job.report({ what: 'Reading the weights', done: read.size, total: wanted.size });
  const tensor = (name: string): Float32Array => {
    const found = read.get(name);
    if (!found) throw new ReadError(`${name}: found nothing, expected a tensor`);
    return found;
  };
  const embedding = tensor(EMBEDDING);
  return {
    embedding,
    head: config.tied ? embedding : tensor(HEAD),
    finalNorm: tensor(FINAL_NORM),
    blocks: Array.from({ length: config.layers }, (_, layer) => blockOf(config, layer, tensor)),
  };
}

const EMBEDDING = 'model.embed_tokens.weight';
const FINAL_NORM = 'model.norm.weight';
const HEAD = 'lm_head.weight';

function nameOf(layer: number, matrix: BlockMatrix, part: 'weight' | 'bias'): string {
  return `model.layers.${layer}.${FOLDERS[matrix]}.${matrix}_proj.${part}`;
}

function normName(layer: number, norm: 'input' | 'post_attention'): string {
  return `model.layers.${layer}.${norm}_layernorm.weight`;
}

/** The shape of every tensor that the model consists of, by name. */
function wantedTensors(config: DecoderConfig): ReadonlyMap<string, readonly number[]> {
  const { hidden, vocabulary, layers, tied, biases } = config;
  const wanted = new Map<string, readonly number[]>([[EMBEDDING, [vocabulary, hidden]]]);
  for (let layer = 0; layer < layers; layer++) {
    wanted.set(normName(layer, 'input'), [hidden]);
    wanted.set(normName(layer, 'post_attention'), [hidden]);
    for (const matrix of BLOCK_MATRICES) {
      const [rows, cols] = blockMatrixShape(config, matrix);
      wanted.set(nameOf(layer, matrix, 'weight'), [rows, cols]);
      if (biases.includes(matrix)) wanted.set(nameOf(layer, matrix, 'bias'), [rows]);
    }
  }
  wanted.set(FINAL_NORM, [hidden]);
  if (!tied) wanted.set(HEAD, [vocabulary, hidden]);
  return wanted;
}

function checkTensors(
  { tied }: DecoderConfig,
  { tensors }: Container,
  wanted: ReadonlyMap<string, readonly number[]>,
): void {
  const stored = new Map(tensors.map((t) => [t.name, t]));
  for (const [name, shape] of wanted) {
    const expected = `expected shape (${shape.join(', ')})`;
    const found = stored.get(name);
    if (!found) throw new ReadError(`${name}: found no such tensor, ${expected}`);
    if (found.refused !== null) throw new ReadError(`${name}: ${found.refused}`);
    if (found.shape.length !== shape.length || found.shape.some((n, i) => n !== shape[i])) {
      throw new ReadError(`${name}: found shape (${found.shape.join(', ')}), ${expected}`);
    }
    if (!TYPES.includes(found.dtype.replace(/, bitmask$/, ''))) {
      throw new ReadError(`${name}: found elements of ${found.dtype}, expected ${TYPES.join(', ')}`);
    }
  }
  for (const { name } of tensors) {
    // A copy of the embedding, and a table that follows from the config: older versions of transformers wrote them.
    const isKnown = wanted.has(name) || (tied && name === HEAD) || name.endsWith('.rotary_emb.inv_freq');
    if (!isKnown) throw new ReadError(`${name}: found a tensor that config.json does not mention, expected none`);
  }
}

function blockOf({ biases }: DecoderConfig, layer: number, tensor: (name: string) => Float32Array): BlockWeights {
  const named = (names: readonly BlockMatrix[], part: 'weight' | 'bias') =>
    Object.fromEntries(names.map((matrix) => [matrix, tensor(nameOf(layer, matrix, part))]));
  return {
    attentionNorm: tensor(normName(layer, 'input')),
    feedForwardNorm: tensor(normName(layer, 'post_attention')),
    matrices: named(BLOCK_MATRICES, 'weight') as BlockWeights['matrices'],
    biases: named(
      BLOCK_MATRICES.filter((matrix) => biases.includes(matrix)),
      'bias',
    ),
  };
}

/** The job of reading one tensor: it is cancelled with the others, and its bytes are no progress in tensors. */
function quiet(job: Job): Job {
  return {
    report: () => {},
    get cancelled() {
      return job.cancelled;
    },
  };
}

/** The cells, row by row. */
async function cellsOf(name: string, matrix: Matrix, job: Job, pacer: Pacer): Promise<Float32Array> {
  const { rows, cols } = matrix;
  const cells = new Float32Array(rows * cols);
  const buffer = rowBuffer(cols);
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
    await pacer.breathe();
  }
  return cells;
}
