import { ReadError } from '../../core/errors.ts';
import type { Job } from '../../core/job.ts';
import {
  type Container,
  type ContainerFormat,
  randomAccess,
  rowsAndCols,
  shapeRejection,
  type TensorInfo,
  truncationOf,
  unknownTensor,
} from '../container.ts';
import { countDense, type DenseLayout, readDense } from '../dense-cells.ts';
import { countQuantised, QUANTISED_BLOCK_BYTES, type QuantisedType, readQuantised } from '../quantised-cells.ts';
import { QUANTISED_GROUP } from '../../core/matrix/quantised-matrix.ts';
import { ELEMENT_BYTES, type ElementType } from '../elements.ts';
import { amount, checkDimensions } from '../read-checks.ts';
import { beyondEnd, type RandomAccessSource } from '../source.ts';
import { GgufCursor } from './gguf-cursor.ts';

// Reads GGUF, the files of llama.cpp.

/** A tensor as the header of the file describes it. */
interface GgufTensor {
  readonly name: string;
  /** rows first, as everywhere else; the file has the reverse order */
  readonly shape: readonly number[];
  /** number of its ggml_type */
  readonly kind: number;
  /** from the beginning of the data */
  readonly offset: number;
}

const MAX_TENSORS = 2 ** 17;
const MAX_DIMENSIONS = 8;
/** Maximum number of keys of the metadata. */
const MAX_KEYS = 2 ** 16;
const DEFAULT_ALIGNMENT = 32;

/** Supported numbers of ggml_type. */
const ELEMENT_TYPES: ReadonlyMap<number, ElementType> = new Map([
  [0, 'f32'],
  [1, 'f16'],
  [24, 'i8'],
  [25, 'i16'],
  [26, 'i32'],
  [27, 'i64'],
  [28, 'f64'],
  [30, 'bf16'],
]);

/** Supported numbers of quantised types, whose cells are kept as stored. */
const QUANTISED_TYPES: ReadonlyMap<number, QuantisedType> = new Map([
  [2, 'q4_0'],
  [8, 'q8_0'],
]);

/** Names of the quantised types, whose numbers begin at 2; '-': another type, or none. */
const QUANTISED_NAMES = (
  'q4_0 q4_1 - - q5_0 q5_1 q8_0 q8_1 q2_k q3_k q4_k q5_k q6_k q8_k iq2_xxs iq2_xs iq3_xxs iq1_s iq4_nl iq3_s iq2_s ' +
  'iq4_xs - - - - - iq1_m - - - - tq1_0 tq2_0 - - - mxfp4'
).split(' ');

/** GGUF, versions 2 and 3 (ggml-org/ggml, docs/gguf.md): plain tensors, Q4_0 and Q8_0; others are only listed. */
export const gguf: ContainerFormat = {
  id: 'gguf',
  title: 'GGUF',
  extensions: ['.gguf'],
  reads: 'parts',
  sniff: (head) => head[0] === 0x47 && head[1] === 0x47 && head[2] === 0x55 && head[3] === 0x46,
  open: (source, { job }) => openGguf(randomAccess(source, 'a GGUF model'), job),
};

/** Reads the header of a file. Throws ReadError. */
export async function openGguf(source: RandomAccessSource, job: Job): Promise<Container> {
  const { tensors, dataStart } = await readHeader(source, job);
  const byName = new Map(tensors.map((t) => [t.name, t]));
  if (byName.size < tensors.length) throw new ReadError('header: found two tensors with the same name');
  const infos = tensors.map((t) => tensorInfo(t, dataStart, source.size));
  return {
    tensors: infos,
    preferred: null,
    truncation: truncationOf(
      source.size,
      infos.map(({ bytes }, i) => dataStart + tensors[i].offset + bytes),
    ),
    read(name, reading) {
      const tensor = byName.get(name);
      if (!tensor) throw unknownTensor(name, tensors.length);
      return withTensorBytes(source, tensor, dataStart, {
        dense: (part, layout) => readDense(part, layout, reading),
        quantised: async (part, { notes, ...cells }) => ({ matrix: await readQuantised(part, cells, reading), notes }),
      });
    },
    count(name, counting) {
      const tensor = byName.get(name);
      if (!tensor) return null;
      return withTensorBytes(source, tensor, dataStart, {
        dense: (part, layout) => countDense(part, layout, counting),
        async quantised(part, { notes, ...cells }) {
          const { rows, cols } = cells;
          return { rows, cols, nnz: await countQuantised(part, cells, counting), notes };
        },
      });
    },
  };
}

/** A value of the metadata: lists are of numbers, of texts, or of booleans. */
export type GgufValue = number | string | boolean | readonly number[] | readonly string[] | readonly boolean[];

/** Maximum number of items in a list of the metadata: four times the largest vocabularies. */
const MAX_ITEMS = 2 ** 20;

/** The metadata of a file, such as sizes of the model and the vocabulary, without lists of lists. Throws ReadError. */
export async function readGgufMetadata(source: RandomAccessSource, job: Job): Promise<ReadonlyMap<string, GgufValue>> {
  return (await readHeader(source, job, { withMetadata: true })).metadata;
}

/** The contents of a header: the metadata, the tensors, and where their data begins. */
interface GgufHeader {
  readonly tensors: readonly GgufTensor[];
  readonly dataStart: number;
  /** empty unless `withMetadata` */
  readonly metadata: ReadonlyMap<string, GgufValue>;
}

async function readHeader(source: RandomAccessSource, job: Job, { withMetadata = false } = {}): Promise<GgufHeader> {
  const metadata = new Map<string, GgufValue>();
  const cursor = new GgufCursor(source, job);
  await cursor.skip(4);
  const version = await cursor.u32();
  if (version !== 2 && version !== 3) {
    const isBigEndian = version === 0x2000000 || version === 0x3000000;
    throw new ReadError(
      `byte 4: found version ${isBigEndian ? `${version >>> 24} in big-endian order` : version}, expected 2 or 3, little-endian`,
    );
  }
  const tensorCount = await cursor.count('tensors', MAX_TENSORS);
  const keyCount = await cursor.count('keys', MAX_KEYS);
  let alignment = DEFAULT_ALIGNMENT;
  for (let i = 0; i < keyCount; i++) {
    const key = await cursor.text();
    const type = await cursor.u32();
    if (key === 'general.alignment' && type === TYPE.u32) alignment = await cursor.u32();
    else if (key === 'general.alignment' && type === TYPE.u64) alignment = await cursor.u64();
    else if (!withMetadata) await skipValue(cursor, type, 0);
    else {
      const value = await readValue(cursor, type);
      if (value !== null) metadata.set(key, value);
    }
  }
  if (alignment === 0 || alignment % 8 !== 0) {
    throw new ReadError(`general.alignment: found ${alignment}, expected a multiple of 8`);
  }
  const tensors: GgufTensor[] = [];
  for (let i = 0; i < tensorCount; i++) {
    const name = await cursor.text();
    const dimensions = await cursor.u32();
    if (dimensions > MAX_DIMENSIONS) {
      throw new ReadError(`${name}: found ${amount(dimensions, 'dimension')}, expected at most ${MAX_DIMENSIONS}`);
    }
    const shape: number[] = [];
    for (let d = 0; d < dimensions; d++) shape.unshift(await cursor.u64());
    tensors.push({ name, shape, kind: await cursor.u32(), offset: await cursor.u64() });
  }
  return { tensors, dataStart: Math.ceil(cursor.position / alignment) * alignment, metadata };
}

/** Numbers of metadata types. */
const TYPE = { u32: 4, text: 8, list: 9, u64: 10 };

/** A metadata type of fixed size, and how a value is read. */
type FixedType = readonly [bytes: number, read: (view: DataView, at: number) => number | boolean];

/** The metadata types of fixed size, by their number. */
const FIXED: ReadonlyMap<number, FixedType> = new Map<number, FixedType>([
  [0, [1, (view, at) => view.getUint8(at)]],
  [1, [1, (view, at) => view.getInt8(at)]],
  [2, [2, (view, at) => view.getUint16(at, true)]],
  [3, [2, (view, at) => view.getInt16(at, true)]],
  [4, [4, (view, at) => view.getUint32(at, true)]],
  [5, [4, (view, at) => view.getInt32(at, true)]],
  [6, [4, (view, at) => view.getFloat32(at, true)]],
  [7, [1, (view, at) => view.getUint8(at) !== 0]],
  [10, [8, (view, at) => Number(view.getBigUint64(at, true))]],
  [11, [8, (view, at) => Number(view.getBigInt64(at, true))]],
  [12, [8, (view, at) => view.getFloat64(at, true)]],
]);

/** A value of one of the fixed types, a text, or a list of either; null for a list of lists, which is skipped. */
async function readValue(cursor: GgufCursor, type: number): Promise<GgufValue | null> {
  const isScalar = (scalarType: number): boolean => scalarType === TYPE.text || FIXED.has(scalarType);
  const readScalar = (scalarType: number): Promise<number | boolean | string> => {
    const fixed = FIXED.get(scalarType);
    return fixed ? cursor.next(fixed[0], fixed[1]) : cursor.text();
  };
  if (isScalar(type)) return readScalar(type);
  if (type !== TYPE.list) throw unknownType(cursor, type);
  const itemType = await cursor.u32();
  const count = await cursor.count('items', MAX_ITEMS);
  if (!isScalar(itemType)) {
    for (let i = 0; i < count; i++) await skipValue(cursor, itemType, 1);
    return null;
  }
  const items: (number | boolean | string)[] = [];
  for (let i = 0; i < count; i++) items.push(await readScalar(itemType)); // bounded: MAX_ITEMS
  return items as readonly number[] | readonly string[];
}

function unknownType({ position }: GgufCursor, type: number): ReadError {
  return new ReadError(`byte ${position}: found metadata of type ${type}, expected 0 to 12`);
}

/** Lists of lists are nested at most this deep. */
const MAX_LIST_DEPTH = 3;

/** Skips a value that is in `depth` lists. */
async function skipValue(cursor: GgufCursor, type: number, depth: number): Promise<void> {
  const [bytes] = FIXED.get(type) ?? [];
  if (bytes !== undefined) return cursor.skip(bytes);
  if (type === TYPE.text) return cursor.skipText();
  if (type !== TYPE.list || depth > MAX_LIST_DEPTH) throw unknownType(cursor, type);
  const itemType = await cursor.u32();
  const length = await cursor.u64();
  const [itemBytes] = FIXED.get(itemType) ?? [];
  if (itemBytes !== undefined) return cursor.skip(length * itemBytes);
  for (let i = 0; i < length; i++) await skipValue(cursor, itemType, depth + 1);
}

/** A tensor for the list of a file's tensors, with the reason if it cannot be read. */
function tensorInfo({ name, shape, kind, offset }: GgufTensor, dataStart: number, fileSize: number): TensorInfo {
  const type = ELEMENT_TYPES.get(kind);
  const quantised = QUANTISED_TYPES.get(kind);
  if (type === undefined && quantised === undefined) {
    const dtype = typeName(kind);
    return { name, shape, dtype, bytes: 0, refused: typeRejection(kind) };
  }
  const count = shape.reduce((product, n) => product * n, 1);
  const bytes = quantised
    ? Math.ceil(count / QUANTISED_GROUP) * QUANTISED_BLOCK_BYTES[quantised]
    : count * (type ? ELEMENT_BYTES[type] : 0);
  const dtype = type ?? quantised ?? '';
  const notWholeGroups = quantised === undefined ? null : groupRejection(shape, quantised);
  if (notWholeGroups !== null) return { name, shape, dtype, bytes, refused: notWholeGroups };
  const isInside = dataStart + offset + bytes <= fileSize;
  const rejection = isInside ? shapeRejection(shape) : beyondEnd(bytes, dataStart + offset, fileSize);
  return { name, shape, dtype, bytes, refused: rejection };
}

/** The name of a quantised type, or its number. */
function typeName(kind: number): string {
  const name = QUANTISED_NAMES.at(kind - 2) ?? '-';
  return kind < 2 || name === '-' ? `type ${kind}` : name;
}

function typeRejection(kind: number): string {
  return `found quantised values (${typeName(kind)}), expected F32, F16, BF16, Q8_0 or Q4_0`;
}

/** Why rows of this shape are not whole groups of a quantised type; null if they are. */
function groupRejection(shape: readonly number[], type: QuantisedType): string | null {
  const length = shape.at(-1) ?? 1;
  if (length % QUANTISED_GROUP === 0) return null;
  return `found rows of ${amount(length, 'value')}, expected a multiple of ${QUANTISED_GROUP} for ${type}`;
}

/** Functions that read or count the cells of a tensor, one for plain numbers and one for quantised blocks. */
interface TensorReaders<T> {
  readonly dense: (part: RandomAccessSource, layout: DenseLayout) => Promise<T>;
  readonly quantised: (
    part: RandomAccessSource,
    cells: Pick<DenseLayout, 'rows' | 'cols'> & { readonly type: QuantisedType; readonly notes: readonly string[] },
  ) => Promise<T>;
}

/** Passes the bytes of a tensor to the reader for its type. Throws ReadError for a type that is not supported. */
async function withTensorBytes<T>(
  source: RandomAccessSource,
  { shape, kind, offset, name }: GgufTensor,
  dataStart: number,
  readers: TensorReaders<T>,
): Promise<T> {
  const { rows, cols, notes } = rowsAndCols(shape);
  checkDimensions(name, rows, cols, source.size);
  const from = dataStart + offset;
  const quantised = QUANTISED_TYPES.get(kind);
  if (quantised !== undefined) {
    const rejection = groupRejection([cols], quantised);
    if (rejection !== null) throw new ReadError(`${name}: ${rejection}`);
    const length = ((rows * cols) / QUANTISED_GROUP) * QUANTISED_BLOCK_BYTES[quantised];
    return readers.quantised(source.slice(from, from + length), { rows, cols, type: quantised, notes });
  }
  const type = ELEMENT_TYPES.get(kind);
  if (type === undefined) throw new ReadError(`${name}: ${typeRejection(kind)}`);
  const part = source.slice(from, from + rows * cols * ELEMENT_BYTES[type]);
  return readers.dense(part, { rows, cols, type, typeName: type, notes });
}
