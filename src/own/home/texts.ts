/** Texts of a folder that are the same for every format. */

export const SENT_MATRIX = `/** A matrix as CSR arrays. */
interface SentMatrix {
  readonly rows: number;
  readonly cols: number;
  readonly starts: Uint32Array;
  readonly columns: Uint32Array;
  readonly values: Float32Array;
}`;

export const MODULE_TYPES = `import type { List } from './list.ts';
import type { OwnMatrix } from './rows.ts';

type Params = Readonly<Record<string, number | string>>;
type Declared = Readonly<Record<string, string>>;

export const title: string;
export const arrays: Declared | ((params: Params) => Declared);
export const refuses: ((A: OwnMatrix, params: Params) => unknown) | undefined;
export function encode(A: OwnMatrix, out: Readonly<Record<string, List>>, params: Params): void;
export function decode(
  arrays: Readonly<Record<string, ArrayLike<number>>>,
  size: Readonly<Record<string, number | string>>,
  put: (row: number, column: number, value: number) => void,
): void;
`;

export const ENCODE = `import { sealSteps } from '../../core/encoded/checksum.ts';
import { FormatError } from '../../core/errors.ts';
import type { Admission } from '../../core/format.ts';
import type { Steps } from '../../core/job.ts';
import { type Matrix, toCsr } from '../../core/matrix/index.ts';
import { elementType, packed, rounded } from './element-type.ts';
import { type Encoded, keyOf } from './layout.ts';
import { List, Refusal, Room } from './list.ts';
import * as module from './module.js';
import { OwnMatrix } from './rows.ts';

type Params = Readonly<Record<string, number | string>>;

const MOST_BYTES = 2 ** 30;

/** What the module declares with these parameters. */
export function declared(p: Params) {
  const arrays = typeof module.arrays === 'function' ? module.arrays({ ...p }) : module.arrays;
  return Object.entries(arrays).map(([name, declaration]) => {
    const [type = '', byteClass] = declaration.trim().split(/\\s+/);
    const known = elementType(type);
    if (!known || (byteClass !== 'values' && byteClass !== 'indices' && byteClass !== 'metadata')) {
      throw new RangeError(\`\${name}: found '\${declaration}', expected a type and a class\`);
    }
    return { name, key: keyOf(name), type: known, byteClass } as const;
  });
}

/** GAP: in one pass, and without encoding, where the module only refuses what its types cannot hold. */
export function admits(m: Matrix, p: Params): Admission {
  const found = attempted(m, p);
  return 'refusal' in found
    ? { ok: false, reason: found.refusal, remedy: 'Choose another matrix or other parameters.' }
    : { ok: true, notes: [] };
}

function attempted(m: Matrix, p: Params): { readonly refusal: string } | Omit<Encoded, 'checksums'> {
  const { rows, cols, indptr, indices, data } = toCsr(m);
  const view = (): OwnMatrix =>
    new OwnMatrix({ rows, cols, starts: indptr.slice(), columns: indices.slice(), values: data.slice() });
  const reason: unknown = module.refuses?.(view(), { ...p });
  if (reason) return { refusal: String(reason) };
  const room = new Room(64 * 1024 + 8 * rows * cols, MOST_BYTES, data.length);
  const arrays = declared(p);
  const lists = arrays.map(({ name, type }) => new List(name, type, room, null));
  try {
    module.encode(view(), Object.fromEntries(arrays.map(({ name }, i) => [name, lists[i]])), { ...p });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
  if (room.refusal !== null) return { refusal: room.refusal };
  const taken = lists.map((list) => List.taken(list));
  return {
    rows,
    cols,
    nnz: m.nnz,
    params: p,
    stored: arrays.map((array, i) => ({ ...array, length: taken[i].elements.length, padding: taken[i].padding })),
    ...Object.fromEntries(arrays.map(({ key, type }, i) => [key, packed(rounded(taken[i].elements, type), type)])),
  };
}

/** GAP: in steps, with progress: rows through readRow, two passes (count, fill), arrays of exact size. */
export function* encodeSteps(m: Matrix, p: Params): Steps<Encoded> {
  const found = attempted(m, p);
  if ('refusal' in found) throw new FormatError(found.refusal);
  return yield* sealSteps(found, m.rows);
}
`;

export const DECODE = `import { type CsrMatrix, csrMatrix } from '../../core/matrix/index.ts';
import { unpacked } from './element-type.ts';
import { arrayOf, type Encoded } from './layout.ts';
import * as module from './module.js';

/** The matrix in the precision of its values, without those that rounded to 0. O(cells * log cells). */
export function decode(e: Encoded): CsrMatrix {
  const { rows, cols, params } = e;
  const arrays = e.stored.map(({ name, key, type, length }) => [name, unpacked(arrayOf(e, key), type, length)] as const);
  const cells: (readonly [row: number, column: number, value: number])[] = [];
  module.decode(Object.fromEntries(arrays), { ...params, rows, cols }, (row, column, value) => {
    if (value !== 0) cells.push([row, column, value]);
  });
  cells.sort(([a, c], [b, d]) => a - b || c - d);
  const indptr = new Uint32Array(rows + 1);
  for (const [row] of cells) indptr[row + 1]++;
  for (let r = 0; r < rows; r++) indptr[r + 1] += indptr[r];
  const indices = Uint32Array.from(cells, ([, column]) => column);
  return csrMatrix({ rows, cols, indptr, indices, data: Float32Array.from(cells, ([, , value]) => value) });
}
`;

export const MULTIPLY = `import { decode } from './decode.ts';
import type { Encoded } from './layout.ts';

/** y = A x; sums in f64, y in f32. GAP: from the arrays themselves, without decoding. O(cells * log cells). */
export function multiply(e: Encoded, x: Float32Array, y: Float32Array): void {
  const { indptr, indices, data } = decode(e);
  for (let r = 0; r < e.rows; r++) {
    let sum = 0;
    for (let i = indptr[r]; i < indptr[r + 1]; i++) sum += data[i] * x[indices[i]];
    y[r] = sum;
  }
}
`;

export const STORAGE = `import { ledger, type LedgerEntry, type StorageLedger } from '../../core/encoded/ledger.ts';
import { bytesOf } from './element-type.ts';
import type { Encoded } from './layout.ts';

/** Bits of a value: of the first array of values in floats, or of any floats. */
function valueBits({ stored }: Encoded): number {
  const floats = stored.filter(({ type }) => type.kind === 'float');
  const values = floats.filter(({ byteClass }) => byteClass === 'values');
  return (values.length > 0 ? values : floats).some(({ type }) => type.bits === 16) ? 16 : 32;
}

/** Bytes by array and class: what the module padded is padding, and so are bits that fill the last byte. O(arrays). */
export function storage(e: Encoded): StorageLedger {
  const entries = e.stored.map(({ key, type, byteClass, length, padding }): LedgerEntry => {
    const bytes = bytesOf(type, length);
    const used = (length - padding) * type.bits;
    const bits = { values: 0, indices: 0, metadata: 0, padding: bytes * 8 - used };
    bits[byteClass] = used;
    return { array: key, dtype: type.name, length, bytes, bits };
  });
  return ledger(entries, e.rows * e.cols * valueBits(e));
}
`;

export const COMPARISON = `import { type FormatComparison, slotsOfKind } from '../../core/comparison/comparison.ts';
import type { Encoded } from './layout.ts';
import { storage } from './storage.ts';

const KINDS = { values: 'value', indices: 'index', metadata: 'metadata' } as const;

export const comparison: FormatComparison<Encoded, Readonly<Record<string, number | string>>> = {
  size: () => 'open', // GAP: bytes from the statistics of a matrix
  miniature: (e) =>
    e.stored.map(({ key, type, byteClass, length }) => ({
      array: key,
      bits: type.bits,
      slots: slotsOfKind(KINDS[byteClass], Math.min(length, 8)), // GAP: those of its first row
    })),
  digest: (e) => {
    const { totalBits, totalBytes } = storage(e);
    return { bytes: totalBytes, padding: totalBits.padding / 8 };
  },
  why: () => 'GAP: a clause, why it takes these bytes.',
};
`;

export const KERNELS = `import type { KernelSpec } from '../../core/kernel/kernel.ts';
import type { Encoded } from './layout.ts';

/** GAP: for each kernel its shader, constants, bindings in order and dispatch, with the builders of src/core/kernel. */
export const kernels: readonly KernelSpec<Encoded>[] = [];
`;

/** In two parts: it is no import of this file, but of one that is a folder deeper. */
const FROM_FORMAT = ['from', "'../../../core/format.ts'"].join(' ');

export const STORY = `import type { FormatStory } ${FROM_FORMAT};
import { admits } from '../encode.ts';

/** GAP: trace.ts, scene.ts, code.ts and kinds.ts; the calls of tell in module.js say what happens when. */
export const story: FormatStory<Readonly<Record<string, number | string>>> = {
  admits,
  trace: () => {
    throw new Error('GAP: the story has not been written');
  },
  scene: () => {
    throw new Error('GAP: the story has not been written');
  },
};
`;
