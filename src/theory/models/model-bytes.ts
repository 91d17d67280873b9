import { expectedBytes, type SizedFormat, valueBits } from '../expected-bytes.ts';
import { embeddingWeights, type Fusion, type ModelShape, type ShapeGroup, shapeGroups } from './model-shape.ts';

/** Bytes of a weight in published models: f16 or bf16. */
export const DENSE_BYTES_PER_WEIGHT = 2;

/** How a model is stored, apart from the density of its weights. */
export interface ModelFormat extends SizedFormat {
  /** whether q, k and v are stored as one matrix, and gate and up as another */
  readonly fusion: Fusion;
  /** lm_head stays dense */
  readonly keepHead: boolean;
}

/** How a model is stored, with the density of its weights. */
export interface ModelStorage extends ModelFormat {
  /** share of the weights that are kept, above 0 and at most 1 */
  readonly density: number;
}

/** The matrices of a model that have one shape, with the bytes of a single matrix. */
export interface GroupBytes {
  readonly group: ShapeGroup;
  readonly dense: number;
  /** in the format, or `dense` if it stays dense */
  readonly stored: number;
}

/** Bytes of all weights of a model, dense and in a format, without norms and biases. */
export interface ModelBytes {
  readonly groups: readonly GroupBytes[];
  /** everything dense, with the embedding */
  readonly dense: number;
  /** everything as stored: the sum of the next three */
  readonly stored: number;
  /** of `stored`: values of the entries that are kept */
  readonly values: number;
  /** of `stored`: the format's indices, metadata and padding */
  readonly overhead: number;
  /** of `stored`: lm_head if it stays dense, routers, and the embedding */
  readonly keptDense: number;
  /** bytes read for a token, dense and as stored: all but the embedding and the experts that are not active */
  readonly readDense: number;
  readonly readStored: number;
}

/** The bytes of a model by closed forms; null if the format has none. */
export function modelBytes(model: ModelShape, storage: ModelStorage): ModelBytes | null {
  const groups: GroupBytes[] = [];
  let values = 0;
  let inFormat = 0;
  let allDense = 0;
  let readDense = 0;
  let readStored = 0;
  let keptDenseBytes = 0;
  for (const group of shapeGroups(model, storage)) {
    const { rows, cols, count, active, keptDense } = group;
    const dense = rows * cols * DENSE_BYTES_PER_WEIGHT;
    const stored = keptDense ? dense : expectedBytes(storage, storage.density, group);
    if (stored === null) return null;
    groups.push({ group, dense, stored });
    allDense += dense * count;
    readDense += dense * active;
    readStored += stored * active;
    if (keptDense) keptDenseBytes += stored * count;
    else {
      inFormat += stored * count;
      values += (rows * cols * count * storage.density * valueBits(storage.params)) / 8;
    }
  }
  const embedding = embeddingWeights(model) * DENSE_BYTES_PER_WEIGHT;
  return {
    groups,
    dense: allDense + embedding,
    stored: inFormat + keptDenseBytes + embedding,
    // A closed form may be slightly below the values alone, because of rounding.
    values: Math.min(values, inFormat),
    overhead: Math.max(0, inFormat - values),
    keptDense: keptDenseBytes + embedding,
    readDense,
    readStored,
  };
}
