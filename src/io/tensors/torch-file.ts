import { checkBound } from '../../core/bounds/check.ts';
import { clip, quotedValue } from '../../core/bounds/quote.ts';
import { ReadError } from '../../core/errors.ts';
import type { Job } from '../../core/job.ts';
import { Pacer, throwIfCancelled } from '../../core/pace.ts';
import { readZipDirectory, zipContent, type ZipMember, zipMember } from '../archives/zip.ts';
import {
  type Container,
  type ContainerContext,
  rowsAndCols,
  shapeRejection,
  type TensorInfo,
  truncationOf,
  unknownTensor,
} from '../container.ts';
import { type AddEntry, cooNotes, csrOf, mergedCoo } from '../coo.ts';
import { countDense, type DenseLayout, eachElement, readDense } from '../dense-cells.ts';
import type { ReadResult } from '../file-format.ts';
import { allocate, amount, checkDimensions } from '../read-checks.ts';
import {
  beyondEnd,
  type FileSource,
  type RandomAccessSource,
  readBytes,
  readWhole,
  sequentialPart,
  windows1252Text,
} from '../source.ts';
import { rejectMembers } from '../unsupported-kinds.ts';
import { ValueLosses } from '../value-losses.ts';
import { PickleEnd, type PickleNames, type PickledValue, readPickle } from './pickle.ts';
import { storageOf, torchNames, TorchOther, TorchSparse, type TorchStorage, TorchTensor } from './torch-values.ts';

// Reads the files of torch.save: a pickle that describes the tensors, and the storages that contain their numbers.

const MAX_PICKLE_BYTES = 2 ** 26;
/** Bytes of the first attempt to read the pickles of a file of the legacy format. */
const FIRST_BYTES = 2 ** 18;
const MAX_TENSORS = 2 ** 17;
/**
 * Maximum numbers of objects and of items in the pickled value. An object in several lists counts several times, so that
 * repeated lists of lists cannot take long.
 */
const MAX_OBJECTS = 2 ** 20;
const MAX_VALUES = 2 ** 24;
const MAX_DEPTH = 64;
const MAX_NAME = 1024;

const LEGACY_VERSION = 1001;
/** Pickles of the legacy format: the magic number, the version, facts about the machine, the object, the storages' keys. */
const LEGACY_PICKLES = 5;
/** Bytes before each storage of the legacy format: the number of its elements. */
const COUNT_BYTES = 8;

/** The storages of a file. */
interface Storages {
  readonly isBigEndian: boolean;
  /** why a storage cannot be read; null if it can */
  rejection(storage: TorchStorage): string | null;
  /** The bytes [from, to) of a storage that is not rejected. */
  part(storage: TorchStorage, from: number, to: number): Promise<FileSource>;
  readonly truncation?: string | null;
}

/** Opens the archive that torch.save writes since PyTorch 1.6. Throws ReadError. */
export async function openTorchArchive(
  file: RandomAccessSource,
  { maxDecompressedBytes, job }: ContainerContext,
): Promise<Container> {
  const members = await readZipDirectory(file, maxDecompressedBytes);
  const pickle = members.find(({ name }) => /(^|\/)data\.pkl$/.test(name));
  rejectMembers(members.filter((member) => member !== pickle).map(({ name }) => name));
  if (!pickle) throw new ReadError('zip: found no data.pkl, expected the archive of a PyTorch checkpoint');
  const folder = pickle.name.slice(0, -'data.pkl'.length);
  const byName = new Map(members.map((member) => [member.name, member]));
  const order = byName.get(`${folder}byteorder`);
  const orderName = order ? windows1252Text(await memberBytes(file, order, 16)) : 'little';
  if (orderName !== 'little' && orderName !== 'big') {
    throw new ReadError(`byteorder: found ${quotedValue(orderName)}, expected little or big`);
  }
  const { value } = await readPickle(await memberBytes(file, pickle, MAX_PICKLE_BYTES), 0, torchNames(storageOf), job);
  const memberOf = ({ key }: TorchStorage): ZipMember | undefined => byName.get(`${folder}data/${key}`);
  return containerOf(
    value,
    {
      isBigEndian: orderName === 'big',
      rejection(storage) {
        const member = memberOf(storage);
        if (!member) return `found no ${clip(`${folder}data/${storage.key}`)} in the archive`;
        if (member.size >= storage.bytes) return null;
        return `found ${amount(member.size, 'byte')} in ${clip(member.name)}, expected ${storage.bytes}`;
      },
      async part(storage, from, to) {
        const member = memberOf(storage);
        if (!member) throw new ReadError(`found no storage ${clip(storage.key)}`);
        if (member.method === 'deflated') return sequentialPart(zipMember(file, member), member.name, from, to - from);
        const content = await zipContent(file, member);
        return content.slice(from, Math.min(to, content.size));
      },
    },
    job,
  );
}

/** A small file of an archive. PyTorch may leave out the checksums of what it stores, and does not compare them. */
async function memberBytes(file: RandomAccessSource, member: ZipMember, max: number): Promise<Uint8Array> {
  checkBound(`zip, ${clip(member.name)}`, member.size, max, 'bytes', ReadError);
  return readWhole(member.method === 'stored' ? await zipContent(file, member) : zipMember(file, member));
}

/** Opens the format before PyTorch 1.6: five pickles, and then each storage after the number of its elements. */
export async function openLegacyTorch(file: RandomAccessSource, job: Job): Promise<Container> {
  const { value, keys, end, storages } = await readLegacyPickles(file, job);
  const startOf = new Map<string, number>();
  let position = end;
  for (const key of keys) {
    const storage = typeof key === 'string' ? storages.get(key) : undefined;
    if (!storage) throw new ReadError(`byte ${end}: found the key ${quotedValue(key)}, expected one of a storage`);
    startOf.set(storage.key, position + COUNT_BYTES);
    position += COUNT_BYTES + storage.bytes;
  }
  const ends = [...startOf].map(([key, start]) => start + (storages.get(key)?.bytes ?? 0));
  return containerOf(
    value,
    {
      isBigEndian: false, // whatever the machine that wrote it
      rejection({ key, bytes }) {
        const start = startOf.get(key);
        if (start === undefined) return `found no storage ${clip(key)} in the file`;
        return start + bytes > file.size ? beyondEnd(bytes, start, file.size) : null;
      },
      async part({ key, type, bytes }, from, to) {
        const start = startOf.get(key) ?? 0;
        const count = bytes / (type?.bytes ?? 1);
        const found = new DataView((await readBytes(file, start - COUNT_BYTES, start)).buffer).getBigUint64(0, true);
        if (found !== BigInt(count)) {
          throw new ReadError(`byte ${start - COUNT_BYTES}: found a storage of ${found} elements, expected ${count}`);
        }
        return file.slice(start + from, start + to);
      },
      truncation: truncationOf(file.size, ends),
    },
    job,
  );
}

/** The contents of the pickles of the legacy format. */
interface LegacyPickles {
  readonly value: PickledValue;
  /** of the storages, in their order */
  readonly keys: readonly PickledValue[];
  readonly storages: ReadonlyMap<string, TorchStorage>;
  /** where the storages begin */
  readonly end: number;
}

/** Reads the pickles from the beginning of a file, and more of the file until they are complete. */
async function readLegacyPickles(file: RandomAccessSource, job: Job): Promise<LegacyPickles> {
  for (let size = FIRST_BYTES; ; size *= 4) {
    const available = Math.min(size, file.size, MAX_PICKLE_BYTES);
    try {
      return await legacyPickles(await readBytes(file, 0, available), job);
    } catch (error) {
      if (!(error instanceof PickleEnd) || available === file.size) throw error;
      if (available === MAX_PICKLE_BYTES) {
        throw new ReadError(`found a pickle of more than ${MAX_PICKLE_BYTES} bytes, expected a state dict`);
      }
    }
  }
}

async function legacyPickles(bytes: Uint8Array, job: Job): Promise<LegacyPickles> {
  const storages = new Map<string, TorchStorage>();
  const names: PickleNames = torchNames((id) => {
    const storage = storageOf(id);
    const earlier = storages.get(storage.key);
    if (earlier && (earlier.bytes !== storage.bytes || earlier.type !== storage.type)) {
      throw new ReadError(`found storage ${clip(storage.key)} with two sizes, expected one`);
    }
    storages.set(storage.key, storage); // bounded: the opcodes of a pickle
    return storage;
  });
  const values: PickledValue[] = [];
  let end = 0;
  while (values.length < LEGACY_PICKLES) {
    const pickle = await readPickle(bytes, end, names, job);
    values.push(pickle.value); // bounded: LEGACY_PICKLES
    end = pickle.end;
    if (values.length === 2 && pickle.value !== LEGACY_VERSION) {
      throw new ReadError(`found version ${quotedValue(pickle.value)} of torch.save, expected ${LEGACY_VERSION}`);
    }
  }
  const [, , , value, keys] = values;
  if (!Array.isArray(keys)) throw new ReadError(`byte ${end}: found no list of storages`);
  return { value, keys, storages, end };
}

/** A value of a checkpoint that is listed as a tensor. */
type ListedValue = TorchTensor | TorchSparse | TorchOther;

/** The tensors of a pickled value, whose names are the keys on the way to them: 'state_dict.fc.weight'. */
async function containerOf(value: PickledValue, storages: Storages, job: Job): Promise<Container> {
  const byName = await tensorsIn(value, job);
  const readableTensor = (name: string): TorchTensor | TorchSparse => {
    const tensor = byName.get(name);
    if (!tensor || tensor instanceof TorchOther) throw unknownTensor(name, byName.size);
    const { refused } = infoOf(name, tensor, storages);
    if (refused !== null) throw new ReadError(`${name}: ${refused}`);
    return tensor;
  };
  return {
    tensors: [...byName].map(([name, tensor]) => infoOf(name, tensor, storages)),
    preferred: null,
    truncation: storages.truncation ?? null,
    read: async (name, reading) => {
      const tensor = readableTensor(name);
      if (tensor instanceof TorchSparse) return readSparse(name, tensor, storages, reading);
      // bounded: a pair
      return readDense(...(await sourceAndLayout(name, tensor, storages)), reading);
    },
    count(name, counting) {
      const tensor = readableTensor(name);
      // Other views leave out elements, or repeat some.
      if (tensor instanceof TorchSparse || orderOf(tensor) === null) return null;
      // bounded: a pair
      return sourceAndLayout(name, tensor, storages).then((read) => countDense(...read, counting));
    },
  };
}

/** Finds the tensors in lists and dictionaries. Throws ReadError if there are too many, or two of one name. */
async function tensorsIn(root: PickledValue, job: Job): Promise<ReadonlyMap<string, ListedValue>> {
  const tensors = new Map<string, ListedValue>();
  const pacer = new Pacer();
  const waiting: { value: PickledValue; name: string; depth: number }[] = [{ value: root, name: '', depth: 0 }];
  // An object that occurs several times is visited each time.
  let [visited, objects, values] = [0, 0, 0];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, name, depth } = next;
    if (value instanceof TorchTensor || value instanceof TorchSparse || isArrayOfNumpy(value)) {
      const tensorName = name === '' ? 'tensor' : name;
      if (tensors.has(tensorName))
        throw new ReadError(`found two tensors named ${quotedValue(tensorName)}, expected one`);
      tensors.set(tensorName, value);
      checkBound('checkpoint', tensors.size, MAX_TENSORS, 'tensors', ReadError);
    }
    const entries: Map<PickledValue, PickledValue> | readonly PickledValue[] =
      value instanceof Map || Array.isArray(value) ? (value as PickledValue[]) : [];
    const firstInner = waiting.length;
    values += entries instanceof Map ? entries.size : entries.length;
    checkBound('checkpoint', values, MAX_VALUES, 'values', ReadError);
    for (const [key, inner] of entries.entries()) {
      if (typeof inner !== 'object' || inner === null) continue;
      checkBound('checkpoint', ++objects, MAX_OBJECTS, 'objects', ReadError);
      checkBound(clip(name), depth, MAX_DEPTH, 'levels of lists and dictionaries', ReadError);
      const innerName = `${name && `${name}.`}${keyText(key)}`;
      checkBound(clip(innerName), innerName.length, MAX_NAME, 'letters of a name', ReadError);
      waiting.push({ value: inner, name: innerName, depth: depth + 1 }); // bounded: MAX_OBJECTS
    }
    // The last is visited next.
    for (const inner of waiting.splice(firstInner).toReversed()) waiting.push(inner); // bounded: as many as before
    if (++visited % 1024 > 0) continue;
    throwIfCancelled(job);
    await pacer.pauseIfDue();
  }
  return tensors;
}

function isArrayOfNumpy(value: PickledValue): value is TorchOther {
  return value instanceof TorchOther && value.name === 'numpy.ndarray';
}

function keyText(key: PickledValue): string {
  return typeof key === 'string' || typeof key === 'bigint' ? String(key) : quotedValue(key);
}

/** A tensor for the list of a file's tensors, with the reason if it cannot be read. */
function infoOf(name: string, tensor: ListedValue, storages: Storages): TensorInfo {
  if (tensor instanceof TorchOther) {
    const rejection = 'found an array of NumPy, expected a tensor; save it with numpy.save';
    return { name, shape: [], dtype: tensor.name, bytes: 0, refused: rejection };
  }
  const isSparse = tensor instanceof TorchSparse;
  const parts = isSparse ? [...tensor.indices, tensor.values] : [tensor];
  const missing = parts
    .map(({ storage }) => (storage ? storages.rejection(storage) : null))
    .find((why) => why !== null);
  const { shape } = tensor;
  return {
    name,
    shape,
    dtype: isSparse ? (tensor.layout ?? 'sparse') : (tensor.type.type ?? tensor.type.name),
    bytes: parts.reduce((sum, part) => sum + part.bytes, 0),
    refused: tensor.rejection ?? shapeRejection(shape) ?? missing ?? null,
  };
}

/** The bytes of a tensor that is not rejected, from its first element to its last, and the layout of its cells in them. */
async function sourceAndLayout(
  name: string,
  tensor: TorchTensor,
  { isBigEndian, part }: Storages,
): Promise<readonly [FileSource, DenseLayout]> {
  const { storage, type, offset, shape, strides, span } = tensor;
  if (!storage || type.type === null) throw new ReadError(`${name}: found no numbers`);
  const { rows, cols, notes } = rowsAndCols(shape);
  checkDimensions(name, rows, cols, storage.bytes);
  const layout = { rows, cols, type: type.type, typeName: type.name, isBigEndian, notes };
  const source = await part(storage, offset * type.bytes, (offset + span) * type.bytes);
  return [
    source,
    orderOf(tensor) === 'rows' ? layout : { ...layout, strides: [strides.at(-2) ?? 0, strides.at(-1) ?? 0] },
  ];
}

/** Whether the cells of a tensor of one or two dimensions follow each other row by row, or column by column; else null. */
function orderOf({ shape, strides }: TorchTensor): 'rows' | 'columns' | null {
  const [rows, cols] = [shape.at(-2) ?? 1, shape.at(-1) ?? 1];
  const isAt = (dimension: number, stride: number): boolean =>
    (shape.at(dimension) ?? 1) <= 1 || strides.at(dimension) === stride;
  if (isAt(-1, 1) && isAt(-2, cols)) return 'rows';
  return isAt(-2, 1) && isAt(-1, rows) ? 'columns' : null;
}

/** Reads a tensor of COO, CSR or CSC; duplicates are summed. Throws ReadError. */
async function readSparse(name: string, tensor: TorchSparse, storages: Storages, job: Job): Promise<ReadResult> {
  const { layout, shape, indices, values } = tensor;
  const { rows, cols, notes } = rowsAndCols(shape);
  const length = values.count;
  checkDimensions(name, rows, cols, indices[0].bytes + values.bytes);
  const eachNumber = async (part: TorchTensor, losses: ValueLosses, visit: Parameters<typeof eachElement>[4]) =>
    // bounded: a pair
    eachElement(...(await sourceAndLayout(name, part, storages)), losses, job, visit);
  const array = <A>(count: number, make: (count: number) => A): A =>
    allocate(`${name}, ${amount(count, 'number')}`, 4 * count, () => make(count));
  const numbers = (count: number): Uint32Array => array(count, (n) => new Uint32Array(n));
  /** The whole numbers of a tensor, each of which has to be below `limit`. */
  const indicesOf = async (part: TorchTensor, what: string, limit: (at: number) => number): Promise<Uint32Array> => {
    const out = numbers(part.count);
    await eachNumber(part, new ValueLosses(), (at, _, n) => {
      if (n < 0 || n >= limit(at)) {
        throw new ReadError(`${name}, ${what}: found ${n} at index ${at}, expected from 0 to ${limit(at) - 1}`);
      }
      out[at] = n;
    });
    return out;
  };
  let rowIndices: Uint32Array;
  let colIndices: Uint32Array;
  if (layout === 'coo') {
    // The row numbers, then the column numbers. A vector has no row numbers, and becomes one row.
    const rowCount = shape.length === 2 ? length : 0;
    const all = await indicesOf(indices[0], 'indices', (at) => (at < rowCount ? rows : cols));
    [rowIndices, colIndices] = [rowCount > 0 ? all.subarray(0, rowCount) : numbers(length), all.subarray(rowCount)];
  } else {
    const isRows = layout === 'csr';
    const starts = await indicesOf(indices[0], 'pointers', () => length + 1);
    const minor = await indicesOf(indices[1], 'indices', () => (isRows ? cols : rows));
    const major = linesOf(starts, numbers(length), `${name}, pointers`);
    [rowIndices, colIndices] = isRows ? [major, minor] : [minor, major];
  }
  const losses = new ValueLosses();
  const data = array(length, (n) => new Float32Array(n));
  await eachNumber(values, losses, (at, value) => (data[at] = value));
  const readAgain = async (add: AddEntry): Promise<void> => {
    await eachNumber(values, new ValueLosses(), (at, _, exact) => add(rowIndices[at], colIndices[at], exact));
  };
  const coo = { rows, cols, length, rowIndices, colIndices, data, sorted: false };
  const isRounded = losses.notes().length > 0;
  const result = await csrOf(mergedCoo(coo, 'general'), job, isRounded ? readAgain : null, losses);
  return { matrix: result.matrix, notes: [...notes, ...losses.notes(), ...cooNotes(result)] };
}

/** Fills `lines` with the line of each entry, where line i begins at entry `starts[i]`. Throws ReadError. */
function linesOf(starts: Uint32Array, lines: Uint32Array, where: string): Uint32Array {
  const end = starts[starts.length - 1];
  if (starts[0] !== 0 || end !== lines.length) {
    throw new ReadError(`${where}: found ${starts[0]} to ${end}, expected 0 to ${lines.length}`);
  }
  for (let line = 0; line + 1 < starts.length; line++) {
    const [from, to] = starts.subarray(line, line + 2);
    if (to < from) throw new ReadError(`${where}: found ${to} after ${from}, expected ascending ones`);
    lines.fill(line, from, to);
  }
  return lines;
}
