import { ReadError } from '../../core/errors.ts';
import type { Job } from '../../core/job.ts';
import type { Container, TensorInfo } from '../../io/archives/container.ts';
import { readDense } from '../../io/dense-cells.ts';
import { type RandomAccessSource, readBytes } from '../../io/source.ts';
import type { DecoderConfig } from '../decoder.ts';
import { MOST_WEIGHTS } from './decoder-config.ts';
import { type Part, partName, partShape } from './layouts.ts';

/** Bytes before the weights: seven whole numbers. */
const HEADER_BYTES = 28;
const F32_BYTES = 4;

/** Most of each number of the header. */
const MOST = 2 ** 24;
const MOST_LAYERS = 4096;

/** The ids that its tokenizer gives to the marks of beginning and end; a text of its models ends with either. */
const BOS = 1;
const EOS = 2;

/** A model of llama2.c (karpathy/llama2.c, run.c): what its header says, and its tensors by the names of transformers. */
export interface Llama2c {
  readonly config: DecoderConfig;
  readonly container: Container;
}

/**
 * Opens a .bin of llama2.c, version 0: sizes, then all weights in f32. It has no mark by which it could be recognised: the
 * size of the file has to be the one that follows from the header.
 *
 * Throws ReadError with the field, found and expected. Reads 28 bytes.
 */
export async function openLlama2c(source: RandomAccessSource): Promise<Llama2c> {
  const bytes = await readBytes(source, 0, HEADER_BYTES);
  const view = new DataView(bytes.buffer, bytes.byteOffset, HEADER_BYTES);
  const number = (i: number, field: string, most = MOST): number => {
    const found = view.getInt32(4 * i, true);
    if (found >= 1 && found <= most) return found;
    throw new ReadError(`byte ${4 * i}: found ${field} of ${found}, expected 1 to ${most}`);
  };
  const signed = view.getInt32(20, true);
  const vocabulary = Math.abs(signed);
  if (vocabulary < 3 || vocabulary > MOST) {
    throw new ReadError(`byte 20: found a vocabulary of ${signed}, expected 3 to ${MOST}`);
  }
  const [hidden, intermediate, layers] = [
    number(0, 'dim'),
    number(1, 'hidden_dim'),
    number(2, 'n_layers', MOST_LAYERS),
  ];
  const [heads, kvHeads, context] = [number(3, 'n_heads'), number(4, 'n_kv_heads'), number(6, 'seq_len')];
  if (hidden % heads !== 0 || heads % kvHeads !== 0 || (hidden / heads) % 2 !== 0) {
    throw new ReadError(
      `byte 12: found ${heads} heads on ${kvHeads} for a width of ${hidden}, expected divisors, and an even width of a head`,
    );
  }
  const config: DecoderConfig = {
    name: source.name.replace(/\.bin$/i, ''),
    hidden,
    intermediate,
    layers,
    heads,
    kvHeads,
    headDim: hidden / heads,
    vocabulary,
    gated: true,
    positions: 0,
    // A vocabulary below zero says that the head has weights of its own.
    tied: signed > 0,
    biases: [],
    normEps: 1e-5,
    activation: 'silu',
    rotary: { theta: 10_000, pairing: 'neighbours', scaling: null },
    context,
    bos: BOS,
    eos: [BOS, EOS],
  };
  return { config, container: containerOf(config, source) };
}

function containerOf(config: DecoderConfig, source: RandomAccessSource): Container {
  const spans = new Map<string, { readonly from: number; readonly shape: readonly number[] }>();
  const tensors: TensorInfo[] = [];
  let at = HEADER_BYTES;
  let weights = 0;
  const place = (part: Part): void => {
    const shape = partShape(config, part);
    const count = shape.reduce((product, n) => product * n, 1);
    weights += count;
    if (weights > MOST_WEIGHTS) {
      throw new ReadError(`found a model of more than ${MOST_WEIGHTS} weights, expected at most that many`);
    }
    const name = partName(part);
    spans.set(name, { from: at, shape });
    tensors.push({ name, shape, dtype: 'f32', bytes: F32_BYTES * count, refused: null });
    at += F32_BYTES * count;
  };
  const inLayers = (part: (layer: number) => Part): void => {
    for (let layer = 0; layer < config.layers; layer++) place(part(layer));
  };
  place({ of: 'embedding' });
  inLayers((layer) => ({ of: 'attentionNorm', layer }));
  for (const matrix of ['q', 'k', 'v', 'o'] as const) inLayers((layer) => ({ of: 'weight', layer, matrix }));
  inLayers((layer) => ({ of: 'feedForwardNorm', layer }));
  for (const matrix of ['gate', 'down', 'up'] as const) inLayers((layer) => ({ of: 'weight', layer, matrix }));
  place({ of: 'finalNorm' });
  // Tables of cosines and sines, which older versions used.
  at += F32_BYTES * config.context * config.headDim;
  if (!config.tied) place({ of: 'head' });
  if (at !== source.size) {
    throw new ReadError(
      `found ${source.size} bytes, expected the ${at} that follow from the header of a llama2.c model`,
    );
  }
  return {
    tensors,
    preferred: null,
    async read(name: string, job: Job) {
      const span = spans.get(name);
      if (!span) throw new ReadError(`found no tensor '${name}', expected one of ${tensors.length}`);
      const { from, shape } = span;
      const [rows, cols] = shape.length === 2 ? shape : [1, shape[0]];
      const layout = { rows, cols, type: 'f32', isBigEndian: false, isFortranOrder: false, dataOffset: 0 } as const;
      const { matrix } = await readDense(
        source.slice(from, from + F32_BYTES * rows * cols),
        { ...layout, typeName: 'f32' },
        job,
      );
      return { matrix, notes: [] };
    },
  };
}
