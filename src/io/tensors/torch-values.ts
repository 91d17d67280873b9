import { clip, quotedValue } from '../../core/bounds/quote.ts';
import { ReadError } from '../../core/errors.ts';
import { shapeRejection } from '../container.ts';
import { ELEMENT_BYTES, type ElementType } from '../elements.ts';
import { amount, COMPLEX_ADVICE } from '../read-checks.ts';
import { PickledName, type PickledValue, type PickleNames } from './pickle.ts';

// Makes tensors from the classes and functions that torch.save names in a pickle; a file with any other name is rejected.

/** A type of elements by its name in PyTorch. `type`: null if it is not supported. */
export interface TorchType {
  readonly name: string;
  readonly type: ElementType | null;
  readonly bytes: number;
}

const supported = (name: string, type: ElementType): TorchType => ({ name, type, bytes: ELEMENT_BYTES[type] });
const unsupported = (name: string, bytes: number): TorchType => ({ name, type: null, bytes });

/** The types, and the storage class of each that has one. */
const TYPES: readonly (readonly [type: TorchType, storage?: string])[] = [
  [supported('float32', 'f32'), 'FloatStorage'],
  [supported('float64', 'f64'), 'DoubleStorage'],
  [supported('float16', 'f16'), 'HalfStorage'],
  [supported('bfloat16', 'bf16'), 'BFloat16Storage'],
  [supported('int8', 'i8'), 'CharStorage'],
  [supported('uint8', 'u8'), 'ByteStorage'],
  [supported('int16', 'i16'), 'ShortStorage'],
  [supported('int32', 'i32'), 'IntStorage'],
  [supported('int64', 'i64'), 'LongStorage'],
  [supported('bool', 'bool'), 'BoolStorage'],
  [supported('uint16', 'u16')],
  [supported('uint32', 'u32')],
  [supported('uint64', 'u64')],
  [supported('float8_e4m3fn', 'f8_e4m3')],
  [supported('float8_e5m2', 'f8_e5m2')],
  [unsupported('float8_e4m3fnuz', 1)],
  [unsupported('float8_e5m2fnuz', 1)],
  [unsupported('float8_e8m0fnu', 1)],
  [unsupported('float4_e2m1fn_x2', 1)],
  [unsupported('complex32', 4)],
  [unsupported('complex64', 8), 'ComplexFloatStorage'],
  [unsupported('complex128', 16), 'ComplexDoubleStorage'],
  [unsupported('quint8', 1), 'QUInt8Storage'],
  [unsupported('qint8', 1), 'QInt8Storage'],
  [unsupported('qint32', 4), 'QInt32Storage'],
  [unsupported('quint4x2', 1), 'QUInt4x2Storage'],
  [unsupported('quint2x4', 1), 'QUInt2x4Storage'],
];
const BY_NAME: ReadonlyMap<string, TorchType> = new Map(TYPES.map(([type]) => [`torch.${type.name}`, type]));
const BY_STORAGE: ReadonlyMap<string, TorchType> = new Map(
  TYPES.flatMap(([type, storage]) => (storage ? [[`torch.${storage}`, type] as const] : [])),
);

const UNTYPED = 'torch.storage.UntypedStorage';

/** A range of bytes next to the pickle, which tensors share. */
export class TorchStorage {
  readonly key: string;
  /** null: of bytes, whose type each tensor states */
  readonly type: TorchType | null;
  readonly bytes: number;

  constructor(key: string, type: TorchType | null, bytes: number) {
    this.key = key;
    this.type = type;
    this.bytes = bytes;
  }
}

/** A dense tensor: a view of a storage. Offset and strides count elements. */
export class TorchTensor {
  readonly storage: TorchStorage | null;
  readonly type: TorchType;
  readonly offset: number;
  readonly shape: readonly number[];
  readonly strides: readonly number[];
  readonly count: number;
  /** elements of the storage from the first to the last */
  readonly span: number;
  /** why it cannot be read, apart from its shape; null if it can */
  readonly rejection: string | null;

  /**
   * Takes the first arguments of the functions that make tensors. `statedType`: null for the type of the storage. Throws
   * ReadError.
   */
  constructor(
    [storage, offset, shape, strides]: readonly PickledValue[],
    statedType: TorchType | null,
    rejection: string | null,
  ) {
    if (storage !== null && !(storage instanceof TorchStorage)) {
      throw new ReadError(`found a tensor of ${quotedValue(storage)}, expected a storage`);
    }
    const type = statedType ?? storage?.type;
    if (!type) throw new ReadError('found a tensor of bytes, expected its type');
    this.storage = storage;
    this.type = type;
    this.offset = wholeNumber(offset, 'offset');
    this.shape = wholeNumbers(shape, 'shape');
    this.strides = wholeNumbers(strides, 'strides');
    const { length } = this.shape;
    if (this.strides.length !== length) {
      throw new ReadError(`found ${amount(this.strides.length, 'stride')}, expected ${length}`);
    }
    // A product of huge numbers may be infinite, also next to a 0.
    const isEmpty = this.shape.includes(0);
    this.count = isEmpty ? 0 : this.shape.reduce((product, n) => product * n, 1);
    this.span = isEmpty ? 0 : this.shape.reduce((sum, n, d) => sum + (n - 1) * this.strides[d], 1);
    this.rejection = rejection ?? typeRejection(type) ?? viewRejection(this);
  }

  get bytes(): number {
    return this.rejection === null ? this.count * this.type.bytes : 0;
  }
}

export type SparseLayout = 'coo' | 'csr' | 'csc';

/** A sparse tensor: `indices` has one tensor for COO; for CSR and CSC the pointers, then the indices. */
export class TorchSparse {
  readonly layout: SparseLayout | null;
  readonly shape: readonly number[];
  readonly indices: readonly TorchTensor[];
  readonly values: TorchTensor;
  readonly rejection: string | null;

  constructor(fields: TorchSparse) {
    this.layout = fields.layout;
    this.shape = fields.shape;
    this.indices = fields.indices;
    this.values = fields.values;
    this.rejection = fields.rejection;
  }
}

/** An object that is recognised and has no tensors, by the name of its class. */
export class TorchOther {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** A view may repeat elements of its storage up to as many, so that a file of a few bytes cannot declare a huge matrix. */
const MAX_REPEATED = 2 ** 18;
const MAX_DIMENSIONS = 64;

type Call = (args: readonly PickledValue[]) => PickledValue;

/** The dictionary of each list of pairs, which a pickle may name as often as it likes. */
const dictionaryOfPairs = new WeakMap<readonly PickledValue[], ReadonlyMap<PickledValue, PickledValue>>();

const dictionary: Call = ([entries]) => {
  // A defaultdict has the function for its missing values instead.
  if (entries === undefined || entries === null || entries instanceof PickledName) return new Map();
  if (entries instanceof Map) return entries;
  if (!Array.isArray(entries)) throw new ReadError(`found a dictionary of ${quotedValue(entries)}, expected pairs`);
  const cached = dictionaryOfPairs.get(entries);
  if (cached) return cached;
  if (!entries.every((entry) => Array.isArray(entry) && entry.length === 2)) {
    throw new ReadError('found a dictionary of other values, expected pairs');
  }
  const made = new Map(entries as [PickledValue, PickledValue][]);
  dictionaryOfPairs.set(entries, made);
  return made;
};
const list: Call = ([items = []]) => {
  if (Array.isArray(items)) return items;
  throw new ReadError(`found a list of ${quotedValue(items)}, expected values`);
};
const firstArgument: Call = ([value]) => value;
const otherObject =
  (name: string): Call =>
  () =>
    new TorchOther(name);
/** Arguments: storage, offset, shape, strides, whether it needs a gradient, hooks, metadata. */
const denseTensor: Call = (args) => new TorchTensor(args, null, markRejection(args[6]));

const QUANTISED_REJECTION =
  'found a quantised tensor (torch._utils._rebuild_qtensor), expected plain numbers; save tensor.dequantize()';
const META_REJECTION = 'found a tensor of the device meta, which has no numbers';

/** The functions whose calls make tensors, also through `_rebuild_from_type_v2`. */
const TENSOR_CALLS: ReadonlyMap<string, Call> = new Map<string, Call>([
  ['torch._utils._rebuild_tensor', denseTensor],
  ['torch._utils._rebuild_tensor_v2', denseTensor],
  // The type comes before the metadata.
  ['torch._utils._rebuild_tensor_v3', (args) => new TorchTensor(args, typeOf(args[6]), markRejection(args[7]))],
  ['torch._utils._rebuild_sparse_tensor', sparseTensor],
  ['torch._utils._rebuild_sparse_csr_tensor', sparseTensor],
  ['torch._utils._rebuild_qtensor', (args) => new TorchTensor(args, null, QUANTISED_REJECTION)],
  [
    'torch._utils._rebuild_meta_tensor_no_storage',
    ([type, shape, strides]) => new TorchTensor([null, 0, shape, strides], typeOf(type), META_REJECTION),
  ],
  ['torch._utils._rebuild_parameter', firstArgument],
  ['torch._utils._rebuild_parameter_with_state', firstArgument],
]);

const OTHER_CLASSES = [
  'torch.device',
  '_codecs.encode',
  'numpy.dtype',
  'numpy.core.multiarray.scalar',
  'numpy._core.multiarray.scalar',
  'pathlib.PosixPath',
  'pathlib.WindowsPath',
  'torch.torch_version.TorchVersion',
];

const CALLS: ReadonlyMap<string, Call> = new Map<string, Call>([
  ...TENSOR_CALLS,
  ['torch._tensor._rebuild_from_type_v2', typedTensor],
  ['torch.serialization._get_layout', firstArgument],
  ['torch.Size', list],
  ...['collections.OrderedDict', 'collections.defaultdict', 'collections.Counter', 'argparse.Namespace'].map(
    (n) => [n, dictionary] as const,
  ),
  ...['builtins', '__builtin__'].flatMap((module) => [
    [`${module}.dict`, dictionary] as const,
    ...['list', 'tuple', 'set', 'frozenset'].map((name) => [`${module}.${name}`, list] as const),
  ]),
  ...['numpy.core', 'numpy._core'].map((m) => [`${m}.multiarray._reconstruct`, otherObject('numpy.ndarray')] as const),
  ...OTHER_CLASSES.map((name) => [name, otherObject(name)] as const),
]);

/** Names that are values, and never called. */
const VALUES: ReadonlySet<string> = new Set([
  ...BY_NAME.keys(),
  ...BY_STORAGE.keys(),
  UNTYPED,
  'numpy.ndarray',
  'torch.Tensor',
  'torch.nn.parameter.Parameter',
  ...'per_tensor_affine per_channel_affine per_channel_affine_float_qparams contiguous_format preserve_format'
    .split(' ')
    .map((name) => `torch.${name}`),
]);

/** The names of a pickle of torch.save; `storage` makes the object for the id of a storage. */
export function torchNames(storage: (id: readonly PickledValue[]) => TorchStorage): PickleNames {
  return {
    check(name) {
      if (CALLS.has(name) || VALUES.has(name)) return;
      throw new ReadError(
        `found ${clip(name)}, expected the tensors, lists and dictionaries of a state dict; save model.state_dict() with torch.save`,
      );
    },
    call(name, args) {
      const call = CALLS.get(name);
      if (!call) throw new ReadError(`found a call of ${name}, expected it as a value`);
      return call(args);
    },
    stored(id) {
      if (Array.isArray(id) && id[0] === 'storage') return storage(id as PickledValue[]);
      throw new ReadError(`found ${quotedValue(id)} stored outside of the pickle, expected a storage`);
    },
    setState(object, state) {
      // The attributes of a namespace, or of a state dict; those of other objects are no tensors of a model.
      if (object instanceof Map) object.set('__dict__', state);
    },
  };
}

/** The storage of an id ('storage', class, key, device, elements, null). */
export function storageOf([, storageClass, key, , count, view]: readonly PickledValue[]): TorchStorage {
  const name = storageClass instanceof PickledName ? storageClass.name : '';
  const type = BY_STORAGE.get(name) ?? null;
  if (type === null && name !== UNTYPED)
    throw new ReadError(`found a storage of ${clip(name)}, expected one of numbers`);
  if (typeof key !== 'string') throw new ReadError(`found the key ${quotedValue(key)} of a storage, expected a text`);
  if (view !== undefined && view !== null)
    throw new ReadError(`found storage ${clip(key)} as a part of another, expected a whole one`);
  return new TorchStorage(key, type, wholeNumber(count, 'elements of a storage') * (type?.bytes ?? 1));
}

function typeRejection({ type, name }: TorchType): string | null {
  if (type !== null) return null;
  if (name.startsWith('complex')) return `found complex numbers (${name}), expected real ones; ${COMPLEX_ADVICE}`;
  return `found elements of ${name}, expected floats of 8 to 64 bits, whole numbers or bool`;
}

/** Why a view is not within its storage, or repeats too much of it. */
function viewRejection({ storage, type, offset, count, span }: Omit<TorchTensor, 'rejection'>): string | null {
  const available = Math.floor((storage?.bytes ?? 0) / type.bytes);
  if (offset + span > available) {
    return `found ${span} elements from element ${offset}, expected them within the storage of ${available}`;
  }
  const max = Math.max(available, MAX_REPEATED);
  if (count <= max) return null;
  return `found ${count} elements that repeat a storage of ${available}, expected at most ${max}; save tensor.clone()`;
}

/** Why a tensor whose bytes have to be changed before use is not supported; null without such marks. */
function markRejection(metadata: PickledValue): string | null {
  if (!(metadata instanceof Map)) return null;
  const mark = ['conj', 'neg'].find((name) => metadata.get(name) === true);
  if (!mark) return null;
  return `found a tensor marked ${mark}, expected its numbers as stored; save tensor.resolve_${mark}()`;
}

function sparseTensor([layoutName, data]: readonly PickledValue[]): TorchSparse {
  if (!Array.isArray(data)) throw new ReadError('found a sparse tensor without its parts');
  const isCoo = layoutName === 'torch.sparse_coo';
  const layout = (['coo', 'csr', 'csc'] as const).find((name) => layoutName === `torch.sparse_${name}`) ?? null;
  const parts = data.slice(0, isCoo ? 2 : 3) as PickledValue[];
  if (!parts.every((part) => part instanceof TorchTensor)) {
    throw new ReadError(`found a sparse tensor of ${parts.map(quotedValue).join(', ')}, expected tensors`);
  }
  const indices = parts.slice(0, -1);
  const [values] = parts.slice(-1);
  if (!values || indices.length !== (isCoo ? 1 : 2)) throw new ReadError('found a sparse tensor without its values');
  const shape = wholeNumbers(data[parts.length], 'shape');
  const sparse = { layout, shape, indices, values };
  return new TorchSparse({ ...sparse, rejection: sparseRejection(sparse, layoutName) });
}

function sparseRejection(
  { layout, shape, indices, values }: Omit<TorchSparse, 'rejection'>,
  layoutName: PickledValue,
): string | null {
  const rejection = shapeRejection(shape) ?? [...indices, values].find((part) => part.rejection !== null)?.rejection;
  if (rejection) return rejection;
  if (layout === null) return `found the layout ${quotedValue(layoutName)}, expected torch.sparse_coo, _csr or _csc`;
  if (values.shape.length !== 1) {
    return `found a hybrid tensor with values of shape (${values.shape.join(', ')}), expected one dimension`;
  }
  const lines = layout === 'csr' ? shape[0] : (shape[1] ?? 0);
  const expected = layout === 'coo' ? [[shape.length, values.count]] : [[lines + 1], [values.count]];
  for (const [i, part] of indices.entries()) {
    if (part.type.name !== 'int64' && part.type.name !== 'int32') {
      return `found indices of ${part.type.name}, expected int64 or int32`;
    }
    if (part.shape.join() !== expected[i].join()) {
      return `found indices of shape (${part.shape.join(', ')}), expected (${expected[i].join(', ')})`;
    }
  }
  return layout !== 'coo' && shape.length !== 2 ? `found shape (${shape.join(', ')}), expected two dimensions` : null;
}

/** A tensor with attributes, or of a subclass. */
function typedTensor([callee, type, args]: readonly PickledValue[]): PickledValue {
  const call = callee instanceof PickledName ? TENSOR_CALLS.get(callee.name) : undefined;
  if (call && type instanceof PickledName && Array.isArray(args)) return call(args);
  throw new ReadError('found a tensor of a subclass, expected how its numbers are stored');
}

function typeOf(name: PickledValue): TorchType {
  const type = name instanceof PickledName ? BY_NAME.get(name.name) : undefined;
  if (type) return type;
  throw new ReadError(
    `found the type ${name instanceof PickledName ? name.name : quotedValue(name)}, expected one of numbers`,
  );
}

function wholeNumber(value: PickledValue, what: string): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new ReadError(`found ${quotedValue(value)} as ${what}, expected a whole number below 2^53`);
}

function wholeNumbers(value: PickledValue, what: string): number[] {
  if (!Array.isArray(value) || value.length > MAX_DIMENSIONS) {
    throw new ReadError(`found ${quotedValue(value)} as ${what}, expected at most ${MAX_DIMENSIONS} whole numbers`);
  }
  return value.map((n) => wholeNumber(n, what));
}
