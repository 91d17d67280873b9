import { amount, COMPLEX_ADVICE } from '../read-checks.ts';
import { ReadError } from '../../core/errors.ts';

/** The element type, shape and data offset that the header of an .npy file declares. */
export interface NpyHeader {
  readonly type: NpyType;
  readonly isFortranOrder: boolean;
  readonly shape: readonly number[];
  /** offset of the data in the file */
  readonly dataOffset: number;
}

/** An element type: kind f, i, u, b (one byte, 0 or 1), S (text, a byte for a character) or U (text, four bytes). */
interface NpyType {
  /** as written in the file, such as '<f4' */
  readonly descr: string;
  readonly kind: 'f' | 'i' | 'u' | 'b' | 'S' | 'U';
  readonly bytes: number;
  readonly isBigEndian: boolean;
}

/** Maximum length of a header, which usually has about 100 bytes. */
const MAX_HEADER_BYTES = 2 ** 16;

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];

/** Whether a file begins like .npy. */
export function isNpy(head: Uint8Array): boolean {
  return MAGIC.every((byte, i) => head[i] === byte);
}

/** The offset of the end of the header, from the first 12 bytes of the file. Throws ReadError. */
export function npyHeaderEnd(head: Uint8Array): number {
  if (!isNpy(head)) {
    throw new ReadError(`byte 0: found ${hex(head.subarray(0, 6))}, expected 93 4e 55 4d 50 59 (NumPy's mark)`);
  }
  const version = head[6];
  if (head.length < 10 || (version > 1 && head.length < 12)) {
    throw new ReadError(`byte ${head.length}: found the end, expected the length of the header`);
  }
  if (version < 1 || version > 3) throw new ReadError(`byte 6: found version ${version}, expected 1, 2 or 3`);
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const length = version === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
  if (length > MAX_HEADER_BYTES) {
    throw new ReadError(`byte 8: found a header of ${amount(length, 'byte')}, expected at most ${MAX_HEADER_BYTES}`);
  }
  return (version === 1 ? 10 : 12) + length;
}

/** Parses a whole header, `npyHeaderEnd` bytes long. Throws ReadError with found and expected. */
export function parseNpyHeader(bytes: Uint8Array): NpyHeader {
  const start = bytes[6] === 1 ? 10 : 12;
  // A header ends with a line feed. If a carriage return was inserted before it, all bytes after it have moved.
  if (bytes.at(-1) === 0x0d) {
    throw new ReadError(
      `byte ${bytes.length - 1}: found a carriage return at the end of the header, expected a line feed: the line ends of the file were changed, as a transfer of text does; fetch it again as binary`,
    );
  }
  const text = new TextDecoder('utf-8').decode(bytes.subarray(start)).trim();
  const dictionary = /^\{(.*)\}$/s.exec(text)?.[1];
  if (dictionary === undefined) {
    throw new ReadError(`header: found '${text.slice(0, 40)}', expected a dictionary in braces`);
  }
  const entries = entriesOf(dictionary);
  const descr = entries.get('descr');
  const order = entries.get('fortran_order');
  const shape = entries.get('shape');
  if (descr === undefined) throw new ReadError("header: found no 'descr', expected the element type");
  const type = parseType(descr);
  if (order !== 'True' && order !== 'False') {
    throw new ReadError(`header: found fortran_order ${order ?? 'missing'}, expected True or False`);
  }
  if (shape === undefined) throw new ReadError("header: found no 'shape', expected a tuple of whole numbers");
  return {
    type,
    isFortranOrder: order === 'True',
    shape: parseShape(shape.replace(/^\(|\)$/g, '')),
    dataOffset: bytes.length,
  };
}

/** A key and its value: a text, a word, a tuple, or a list to the end of the dictionary. */
const ENTRY = /\s*(['"])(\w+)\1\s*:\s*('[^']*'|"[^"]*"|\w+|\([^()]*\)|\[.*)\s*(?:,\s*|$)/sy;

/** The entries of the dictionary, by key. Unknown and repeated keys are rejected: readers would disagree on them. */
function entriesOf(dictionary: string): ReadonlyMap<string, string> {
  const entries = new Map<string, string>();
  for (ENTRY.lastIndex = 0; ENTRY.lastIndex < dictionary.length;) {
    const at = ENTRY.lastIndex;
    const [, , key, value] = ENTRY.exec(dictionary) ?? [];
    if (key === undefined) {
      const found = dictionary.slice(at, at + 40).trim();
      throw new ReadError(`header: found '${found}', expected a key of the dictionary and its value`);
    }
    if (!KEYS.includes(key)) throw new ReadError(`header: found the key '${key}', expected ${KEYS.join(', ')} alone`);
    if (entries.has(key)) throw new ReadError(`header: found '${key}' twice, expected it once`);
    entries.set(key, value);
  }
  return entries;
}

const KEYS: readonly string[] = ['descr', 'fortran_order', 'shape'];

function parseShape(text: string): readonly number[] {
  const parts = text.split(',').map((part) => part.trim());
  // a tuple of one has a comma at its end, and an empty one has nothing
  if (parts.at(-1) === '') parts.pop();
  if (!parts.every((part) => /^\d+L?$/.test(part))) {
    throw new ReadError(`header: found shape (${text.slice(0, 40)}), expected whole numbers`);
  }
  const shape = parts.map((part) => Number.parseInt(part, 10));
  if (!shape.every(Number.isSafeInteger)) {
    throw new ReadError(`header: found shape (${text.slice(0, 80)}), expected numbers below 2^53`);
  }
  return shape;
}

const BYTES_OF_KIND: Readonly<Record<string, readonly number[]>> = {
  f: [2, 4, 8],
  i: [1, 2, 4, 8],
  u: [1, 2, 4, 8],
  b: [1],
};

const LONG_DOUBLE = "long double; save it with astype('f8'), or as .mtx with scipy.io.mmwrite";

/** Why some types are rejected, by kind, or by kind and bytes. */
const REJECTED_TYPES: Readonly<Record<string, string>> = {
  f1: "floats of one byte, which NumPy cannot read either; save it with astype('f4')", // float8_e5m2 of ml_dtypes
  f12: LONG_DOUBLE, // of 32-bit Linux
  f16: LONG_DOUBLE,
  c: `complex numbers; ${COMPLEX_ADVICE}`,
  O: 'Python objects; save a plain array of numbers',
  M: 'dates',
  m: 'time differences',
  V: 'records, or a type unknown to NumPy; save it as float32',
};

/** Names of types that numpy.dtype accepts besides its letters with bytes, on 64-bit Linux. */
const TYPE_NAMES: ReadonlyMap<string, string> = new Map(
  `f2=float16 half e|f4=float32 single f|f8=float64 double float d|i1=int8 byte b|i2=int16 short h|i4=int32 intc i
  |i8=int64 int int_ long longlong intp l q p|u1=uint8 ubyte B|u2=uint16 ushort H|u4=uint32 uintc I
  |u8=uint64 uint ulong ulonglong uintp L Q P|b1=bool bool_ ?|f16=float128 longdouble g|c8=complex64 F|c16=complex128 complex D
  |O=object`
    .split('|')
    .flatMap((line) => {
      const [code, names] = line.trim().split('=');
      return names.split(' ').map((name) => [name, code] as const);
    }),
);

function parseType(quotedDescr: string): NpyType {
  if (quotedDescr.startsWith('[')) throw new ReadError('header: found an array of records, expected plain numbers');
  const descr = quotedDescr.slice(1, -1);
  const [, order, name = ''] = /^([<>|=]?)(\?|[a-zA-Z_]\w*)$/.exec(descr) ?? [];
  // An order of bytes goes with letters, not with names of several.
  const code = order === '' || name.length === 1 ? (TYPE_NAMES.get(name) ?? name) : name;
  const [, letter, size] = /^([a-zA-Z])(\d*)$/.exec(code) ?? [];
  const bytes = Number(size);
  const isBigEndian = order === '>';
  if (letter === 'S') return { descr, kind: 'S', bytes, isBigEndian };
  if (letter === 'U') return { descr, kind: 'U', bytes: 4 * bytes, isBigEndian };
  if ((letter === 'f' || letter === 'i' || letter === 'u' || letter === 'b') && BYTES_OF_KIND[letter].includes(bytes)) {
    return { descr, kind: letter, bytes, isBigEndian };
  }
  const reason = letter === undefined ? undefined : (REJECTED_TYPES[code] ?? REJECTED_TYPES[letter]);
  throw new ReadError(
    `header: found elements of type '${descr.slice(0, 40)}'${reason ? ` (${reason})` : ''}, expected f2, f4, f8, i1 to i8, u1 to u8 or b1`,
  );
}

function hex(bytes: Uint8Array): string {
  return bytes.length === 0
    ? 'the end of the file'
    : Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join(' ');
}
