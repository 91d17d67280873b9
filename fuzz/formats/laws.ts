// The laws of CONTRIBUTING.md that need no story and no GPU, checked against an oracle that shares no code with the
// application. The rounding of a format follows from its parameter `valueType`.

import { noteText } from '../../src/core/encoded/admission.ts';
import { FormatError } from '../../src/core/errors.ts';
import { type AnyFormat, type EncodedMatrix, type NamedArray, namedArrays } from '../../src/core/format.ts';
import { type Matrix, rowBuffer } from '../../src/core/matrix/index.ts';
import { Random } from '../../src/core/number/random.ts';
import type { StorageLedger } from '../../src/core/encoded/ledger.ts';
import { formatById } from '../../src/formats/registry.ts';
import { entriesOf, type Entry, largestOfRows, type Table } from '../oracle/matrix.ts';
import { BF16, F16, i8Fault, nearest } from '../oracle/numbers.ts';
import { product, sumFault } from '../oracle/product.ts';
import { q4Cells } from '../../test/ggml-blocks.ts';
import { type Fault, stackOf } from '../target.ts';
import { messageFault } from '../words.ts';
import { type FormatCase, matrixOf, type Params } from './format-case.ts';

/** A law that the encoding under test breaks. */
class BrokenLaw extends Error {
  readonly law: string;

  constructor(law: string, message: string) {
    super(message);
    this.law = law;
  }
}

/** Throws BrokenLaw if a condition does not hold. */
function check(law: string, isTrue: boolean, message: () => string): void {
  if (!isTrue) throw new BrokenLaw(law, message());
}

/** The matrix of a case and the expected values, which all encodings of the case share. */
interface CaseInputs {
  readonly matrix: Matrix;
  readonly entries: readonly Entry[];
  /** the largest magnitude of each row */
  readonly largest: Float64Array;
  readonly isFinite: boolean;
}

/** Tries every encoding of a case. Returns the first fault, or null if there is none. */
export function formatFault(c: FormatCase): Fault | null {
  const inputs: CaseInputs = {
    matrix: matrixOf(c),
    entries: entriesOf(c.table),
    largest: largestOfRows(c.table),
    isFinite: c.table.cells.every((value) => Number.isFinite(value)),
  };
  for (const { format, params } of c.encodings) {
    try {
      checkAll(formatById(format), params, c, inputs);
    } catch (error) {
      const what = `${format} ${JSON.stringify(params)}`;
      if (error instanceof BrokenLaw) return { law: `${format}: ${error.law}`, message: `${what}: ${error.message}` };
      return { law: `${format}: a check throws no error`, message: `${what}: ${stackOf(error)}` };
    }
  }
  return null;
}

/** Checks all laws for one format and its parameters. Throws BrokenLaw. */
function checkAll(format: AnyFormat, params: Params, c: FormatCase, inputs: CaseInputs): void {
  const encoded = encodeOrReject(format, params, inputs, c.table);
  if (encoded === null) return;
  const decoded = decode(format, encoded, inputs.matrix);
  checkDecoded(decoded, c.table, inputs, format.id, params);
  for (const level of ['cheap', 'full'] as const) {
    const violations = format.validate(encoded, level);
    check('an encoding is valid', violations.length === 0, () => `${level}: ${violations[0].message}`);
  }
  checkStorage(format.storage(encoded), encoded, params.valueType);
  checkProduct(format, encoded, decoded, params.valueType, c.x);
  checkDamage(format, encoded, c.seed);
}

/** Encodes the matrix; null if the format rejects it, which must have a reason. */
function encodeOrReject(
  format: AnyFormat,
  params: Params,
  { matrix: m, isFinite }: CaseInputs,
  table: Table,
): EncodedMatrix | null {
  const support = format.admits(m, params);
  if (support.ok) {
    const isInteger = params.valueType === 'i8' || params.valueType === 'i4';
    check('integers hold finite values alone', !isInteger || isFinite, () => 'admits NaN or an infinity');
    for (const note of support.notes) checkText(noteText(note));
    return format.encode(m, params) as EncodedMatrix;
  }
  checkText(support.reason);
  try {
    format.encode(m, params);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    check('encode refuses as admits does', error.message === support.reason, () => {
      return `found '${error.message}', expected '${support.reason}'`;
    });
    checkRejection(format, params, table, support.prune);
    return null;
  }
  throw new BrokenLaw('encode refuses as admits does', `encodes what is refused with '${support.reason}'`);
}

/** Checks a rejection: the format must support the same shape without non-zeros, or with those that its remedy keeps. */
function checkRejection(
  format: AnyFormat,
  params: Params,
  { rows, cols, cells }: Table,
  prune: { readonly kept: number; readonly group: number } | undefined,
): void {
  const admits = (keptCells: Float32Array): boolean =>
    format.admits(matrixOf({ table: { rows, cols, cells: keptCells }, as: 'dense' }), params).ok;
  const isFinite = cells.every((value) => Number.isFinite(value));
  // Formats with 16-bit indices reject larger shapes, whatever their values.
  const isLong = rows > 65535 || cols > 65535;
  check('a matrix without non-zeros is admitted', isLong || admits(new Float32Array(cells.length)), () => 'refused');
  if (prune === undefined || isLong || !isFinite) return;
  const keptCells = new Float32Array(cells.length);
  for (let row = 0; row < rows; row++) {
    for (let from = 0; from < cols; from += prune.group) {
      const group = Array.from({ length: Math.min(prune.group, cols - from) }, (_, i) => row * cols + from + i);
      group.sort((a, b) => Math.abs(cells[b]) - Math.abs(cells[a]) || a - b);
      for (const cell of group.slice(0, prune.kept)) keptCells[cell] = cells[cell];
    }
  }
  check(
    'its remedy helps',
    admits(keptCells),
    () => `refused with the ${prune.kept} largest of every ${prune.group} columns`,
  );
}

function checkText(text: string): void {
  const fault = messageFault(text);
  if (fault) throw new BrokenLaw(fault.law, fault.message);
}

/** The entries of the decoded matrix. */
function decode(format: AnyFormat, encoded: EncodedMatrix, m: Matrix): Entry[] {
  const decoded = format.decode(encoded);
  check('decode keeps the shape', decoded.rows === m.rows && decoded.cols === m.cols, () => {
    return `found ${decoded.rows} x ${decoded.cols}, expected ${m.rows} x ${m.cols}`;
  });
  const entries: Entry[] = [];
  const into = rowBuffer(decoded.cols);
  for (let row = 0; row < decoded.rows; row++) {
    const n = decoded.readRow(row, into);
    for (let i = 0; i < n; i++) entries.push([row, into.columns[i], into.values[i]]);
  }
  // A value that rounds to 0 may be stored, but is no entry of the decoded matrix.
  check(
    'nnz counts the entries',
    decoded.nnz === entries.length && encoded.nnz >= entries.length && encoded.nnz <= m.nnz,
    () => {
      return `found ${encoded.nnz} encoded and ${decoded.nnz} decoded, expected ${entries.length} to ${m.nnz} and ${entries.length}`;
    },
  );
  return entries;
}

/** Compares the decoded entries with those of the table, each rounded to the type of its values. */
function checkDecoded(
  decodedEntries: readonly Entry[],
  table: Table,
  { entries, largest }: CaseInputs,
  format: string,
  params: Params,
): void {
  const { valueType } = params;
  const law = 'decode gives the rounded matrix';
  const groups = valueType === 'i4' ? q4Cells(table.cells, [table.rows, table.cols], format, params) : null;
  let next = 0;
  for (const [row, col, value] of entries) {
    const isFound = next < decodedEntries.length && decodedEntries[next][0] === row && decodedEntries[next][1] === col;
    const storedValue = isFound ? decodedEntries[next++][2] : 0;
    if (isFound && storedValue === 0) throw new BrokenLaw(law, `a zero is stored at row ${row}, column ${col}`);
    const expectedValue = groups?.[row * table.cols + col];
    const fault =
      expectedValue === undefined
        ? valueFault(value, storedValue, valueType, largest[row])
        : storedValue === expectedValue
          ? null
          : `found ${storedValue}, expected ${expectedValue}`;
    if (fault !== null) throw new BrokenLaw(law, `row ${row}, column ${col}, from ${value}: ${fault}`);
  }
  check(
    law,
    next === decodedEntries.length,
    () => `found an entry at row ${decodedEntries[next][0]}, column ${decodedEntries[next][1]}, or two`,
  );
}

/** Returns what is wrong with the stored value of an entry; null if it is the rounded one. */
function valueFault(value: number, foundValue: number, valueType: unknown, largest: number): string | null {
  if (valueType === 'i8') return i8Fault(value, foundValue, largest);
  const expectedValue = valueType === 'f16' ? nearest(F16, value) : valueType === 'bf16' ? nearest(BF16, value) : value;
  const isRight = Number.isNaN(expectedValue) ? Number.isNaN(foundValue) : foundValue === expectedValue;
  return isRight ? null : `found ${foundValue}, expected ${expectedValue}`;
}

/** Bits of a value by its declared type. */
const BITS: Readonly<Record<string, number>> = { f32: 32, f16: 16, bf16: 16, i8: 8, i4: 4 };

/** Checks that the ledger has every array once, and that its bits are those of the arrays. */
function checkStorage(ledger: StorageLedger, encoded: EncodedMatrix, valueType: unknown): void {
  const law = 'storage accounts for every byte';
  const arrays = namedArrays(encoded);
  const accounted = new Set(ledger.entries.map((entry) => entry.array));
  const unaccountedArray = [...arrays].find(([name, array]) => array.length > 0 && !accounted.has(name));
  check(law, unaccountedArray === undefined, () => `${unaccountedArray?.[0]} is not accounted for`);
  check(law, accounted.size === ledger.entries.length, () => 'an array is accounted for twice');
  let bytes = 0;
  for (const entry of ledger.entries) {
    const array = arrays.get(entry.array);
    const bits = Object.values(entry.bits);
    const sum = bits.reduce((total, count) => total + count, 0);
    check(law, entry.bytes === array?.byteLength, () => `${entry.array}: ${entry.bytes} of ${array?.byteLength} bytes`);
    check(
      law,
      sum === entry.bytes * 8 && bits.every((count) => count >= 0),
      () => `${entry.array}: ${bits.join(', ')} bits`,
    );
    bytes += entry.bytes;
  }
  check(law, ledger.totalBytes === bytes, () => `found ${ledger.totalBytes} bytes in all, expected ${bytes}`);
  const denseBits = encoded.rows * encoded.cols * BITS[String(valueType)];
  const share = denseBits === 0 ? 0 : (bytes * 8) / denseBits;
  check(law, Math.abs(ledger.effectiveDensity - share) <= 1e-9 * share, () => {
    return `found an effective density of ${ledger.effectiveDensity}, expected ${share}`;
  });
}

/** Compares the product with a vector with that of the oracle, and checks that the vector is unchanged. */
function checkProduct(
  format: AnyFormat,
  encoded: EncodedMatrix,
  entries: readonly Entry[],
  valueType: unknown,
  x: Float32Array,
): void {
  const y = new Float32Array(encoded.rows).fill(Number.NaN);
  const xCopy = x.slice();
  format.multiply(encoded, xCopy, y);
  const expected = product(encoded.rows, entries, x);
  // Applying a scale to the sum omits the rounding of each decoded value, so the product may differ by that much.
  const relative = valueType === 'i8' ? 2 ** -23 : 0;
  for (let row = 0; row < encoded.rows; row++) {
    const fault = sumFault(y[row], expected.y[row], expected.magnitude[row], expected.terms[row], relative);
    check('multiply agrees with the oracle', fault === null, () => `y[${row}]: ${fault}`);
  }
  const isUnchanged = x.every((value, i) => Object.is(value, xCopy[i]));
  check('multiply leaves x as it is', isUnchanged, () => 'x has changed');
}

/** The elements of an array as whole numbers, regardless of their meaning. */
function bitsOf(array: NamedArray): Uint8Array | Uint16Array | Uint32Array {
  const { buffer, byteOffset, length, BYTES_PER_ELEMENT } = array;
  if (BYTES_PER_ELEMENT === 1) return new Uint8Array(buffer, byteOffset, length);
  return BYTES_PER_ELEMENT === 2
    ? new Uint16Array(buffer, byteOffset, length)
    : new Uint32Array(buffer, byteOffset, length);
}

/** Checks the validation of damaged encodings: one element of each array is changed, then one removed. */
function checkDamage(format: AnyFormat, encoded: EncodedMatrix, seed: number): void {
  const random = new Random(seed);
  for (const [name, array] of namedArrays(encoded)) {
    if (array.length === 0) continue;
    const index = random.below(array.length);
    const damaged = array.slice();
    const words = bitsOf(damaged);
    const word = words[index];
    const otherWords = [0, 1, word + 1, word - 1, word ^ (1 << random.below(32)), random.u32(), 2 ** 32 - 1];
    words[index] = otherWords[random.below(otherWords.length)];
    if (words[index] === word) words[index] ^= 1;
    const violations = format.validate({ ...encoded, [name]: damaged }, 'full');
    check('a changed element is found', violations.length > 0, () => {
      return `${name}[${index}] changed from ${array[index]} to ${damaged[index]} (bits ${word} to ${words[index]}) is valid`;
    });
    for (const { message } of violations) checkText(message);
    const shorter = array.slice(0, -1);
    const violationsOfShorter = format.validate({ ...encoded, [name]: shorter }, 'cheap');
    check(
      'a missing element is found',
      violationsOfShorter.length > 0,
      () => `${name} without its last element is valid`,
    );
    for (const { message } of violationsOfShorter) checkText(message);
  }
}
