import type { ByteClass } from '../../core/encoded/ledger.ts';
import type { FormatCard, Placement } from '../../core/format.ts';
import { type AnyValueType, VALUE_BITS } from '../../core/number/index.ts';
import { embeddingWeights, type Fusion, type ModelShape, type ShapeGroup, shapeGroups } from './model-shape.ts';

/** Bytes of a weight in published models: f16 or bf16. */
export const DENSE_BYTES_PER_WEIGHT = 2;

/** A format with its parameters, reduced to what sizes depend on. */
export interface StoredAs {
  readonly format: Pick<
    FormatCard<never>,
    'expectedEffectiveDensity' | 'overheadBits' | 'admissionOdds' | 'expectedZeroBits'
  >;
  readonly params: Readonly<Record<string, unknown>>;
}

/** How a model is stored at any density: what stays dense, and what is merged into one matrix. */
export interface ModelStored extends StoredAs {
  readonly fusion: Fusion;
  /** lm_head stays dense */
  readonly keepHead: boolean;
}

export interface ModelStorage extends ModelStored {
  /** share of the weights that are kept, above 0 and at most 1 */
  readonly density: number;
}

/**
 * Bytes of a uniformly random matrix in a format, by the format's closed form: effective density × rows × cols × bits
 * of a value / 8, plus its overhead. Null if the format has no closed form.
 */
export function expectedBytes(
  { format, params }: StoredAs,
  density: number,
  shape: { readonly rows: number; readonly cols: number },
): number | null {
  // A method of the card's, whose parameters only the card knows.
  const closed = format.expectedEffectiveDensity?.(density, params as never, shape);
  const besides = format.overheadBits?.(params as never, shape) ?? 0;
  return closed ? (closed.expected * shape.rows * shape.cols * valueBits(params) + besides) / 8 : null;
}

/**
 * `expectedBytes` by purpose, to within what rounding of rows adds. A zero that is stored is padding with all of its slot,
 * what a format adds that stores every cell is metadata, and what others add says where values are. Null if the format
 * has no closed form.
 */
export function expectedParts(
  stored: StoredAs,
  density: number,
  shape: { readonly rows: number; readonly cols: number },
): Readonly<Record<ByteClass, number>> | null {
  const total = expectedBytes(stored, density, shape);
  if (total === null) return null;
  const { format, params } = stored;
  const cells = (shape.rows * shape.cols) / 8;
  const besides = Math.min(total, (format.overheadBits?.(params as never, shape) ?? 0) / 8);
  const zerosAt = (at: number): number => (format.expectedZeroBits?.(at, params as never, shape) ?? 0) * cells;
  const padding = Math.min(total - besides, zerosAt(density));
  const values = Math.min(total - besides - padding, density * cells * valueBits(params));
  const rest = total - besides - padding - values;
  const storesAll = zerosAt(0) === cells * valueBits(params);
  return { values, indices: storesAll ? 0 : rest, metadata: storesAll ? rest + besides : besides, padding };
}

/**
 * Whether a format holds a matrix of a density with a probability above one half, for independent or even non-zeros.
 */
export function isHeld(
  { format, params }: StoredAs,
  density: number,
  shape: { readonly rows: number; readonly cols: number },
  placement: Placement,
): boolean {
  return (format.admissionOdds?.(density, params as never, shape, placement) ?? 1) >= 0.5;
}

/** Bits of one value with these parameters; 16 if they name no value type. */
export function valueBits({ valueType }: Readonly<Record<string, unknown>>): number {
  return typeof valueType === 'string' && Object.hasOwn(VALUE_BITS, valueType)
    ? VALUE_BITS[valueType as AnyValueType]
    : 16;
}

/** One shape of a model with the bytes of a single matrix of it. */
export interface GroupBytes {
  readonly group: ShapeGroup;
  readonly dense: number;
  /** in the format, or `dense` if it stays dense */
  readonly stored: number;
}

/** Bytes of the weights of a model, without norms and biases. */
export interface ModelBytes {
  readonly groups: readonly GroupBytes[];
  /** everything dense, with the embedding */
  readonly dense: number;
  /** everything as stored: the sum of the next three */
  readonly stored: number;
  /** of `stored`: values of the entries that are kept */
  readonly values: number;
  /** of `stored`: the format's indices, metadata and padding */
  readonly beside: number;
  /** of `stored`: lm_head if it stays dense, and the embedding */
  readonly keptDense: number;
  /** read for every token: everything but the embedding, of which only one row is read */
  readonly readDense: number;
  readonly readStored: number;
}

/** The bytes of a model by closed forms; null if the format has none. */
export function modelBytes(model: ModelShape, storage: ModelStorage): ModelBytes | null {
  const groups: GroupBytes[] = [];
  let values = 0;
  let inFormat = 0;
  let readDense = 0;
  let headDense = 0;
  for (const group of shapeGroups(model, storage)) {
    const { rows, cols, count, keptDense } = group;
    const dense = rows * cols * DENSE_BYTES_PER_WEIGHT;
    const stored = keptDense ? dense : expectedBytes(storage, storage.density, group);
    if (stored === null) return null;
    groups.push({ group, dense, stored });
    readDense += dense * count;
    if (keptDense) headDense += stored * count;
    else {
      inFormat += stored * count;
      values += (rows * cols * count * storage.density * valueBits(storage.params)) / 8;
    }
  }
  const embedding = embeddingWeights(model) * DENSE_BYTES_PER_WEIGHT;
  return {
    groups,
    dense: readDense + embedding,
    stored: inFormat + headDense + embedding,
    // A closed form may be slightly below the values alone, because of rounding.
    values: Math.min(values, inFormat),
    beside: Math.max(0, inFormat - values),
    keptDense: headDense + embedding,
    readDense,
    readStored: inFormat + headDense,
  };
}

/** Memory sizes of graphics cards, in 10^9 bytes. */
const CARD_GIGABYTES = [8, 12, 16, 24, 48, 80] as const;

/** The smallest card that holds `bytes` bytes of weights alone; null if none of the list does. */
export function smallestCard(bytes: number): number | null {
  return CARD_GIGABYTES.find((gigabytes) => bytes < gigabytes * 1e9) ?? null;
}
