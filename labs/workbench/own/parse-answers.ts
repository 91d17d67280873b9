// Parses the answers of a custom format's module, which can be anything: each value is checked before it is used.

import { counted } from '../../../src/core/text/words.ts';
import { clip } from '../../../src/core/bounds/quote.ts';
import { withVisibleSigns, SparseScopeError } from '../../../src/core/errors.ts';
import {
  ARRAY_CLASSES,
  type Elements,
  zeroElements,
  elementType,
  firstOutside,
  rounded,
} from '../../../src/core/declared/element-type.ts';
import { type ArrayDeclaration, MAX_MESSAGE, maxElements, type UserParams } from './module-messages.ts';
import type { NarratedStep, DecodedCells, Reads, Stores, ArrayDescription } from '../../../src/core/declared/record.ts';

/** An invalid answer of a module. */
class UserFormatError extends SparseScopeError {
  override name = 'UserFormatError';
}

/** A parameter of a custom format; its first option is the default. */
interface UserParam {
  readonly name: string;
  readonly options: readonly (number | string)[];
  readonly meaning: string;
}

/** A module's description of itself. */
export interface ModuleDescription {
  readonly title: string;
  readonly params: readonly UserParam[];
}

/** An array that a custom format declares; its elements are in `Encoding`. */
export type UserArray = ArrayDescription;

/** A matrix as a module encoded it, with f16 rounded. */
export interface Encoding {
  readonly arrays: readonly { readonly array: UserArray; readonly elements: Elements; readonly padding: number }[];
  /** the numbers that encode stored, in order; null if they were not recorded */
  readonly stores: Stores | null;
  /** the module's calls of tell; null if they were not recorded */
  readonly narrated: readonly NarratedStep[] | null;
}

/** The cells that a module decoded, by its calls of `put`. */
export interface Decoding {
  readonly puts: DecodedCells;
  /** the first call with a cell outside the matrix, as text; null if there is none */
  readonly outside: string | null;
  /** the elements that were read; null if they were not recorded */
  readonly reads: Reads | null;
}

/** The outcome of a request: the result, or why there is none. */
export type Outcome<T> =
  | { readonly kind: 'done'; readonly result: T }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'failed'; readonly message: string; readonly line: number };

/** Bounds of a description: numbers of arrays, parameters and options of a parameter, and characters of the title. */
const MAX_ARRAYS = 16;
const MAX_PARAMS = 6;
const MAX_OPTIONS = 16;
const MAX_TITLE = 60;

type Fields = Readonly<Record<string, unknown>>;

/** The fields of an object; none for any other value. */
function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** An error about an answer that the runtime of the sandbox would not send. */
function answerError(what: string): UserFormatError {
  return new UserFormatError(`the module's answer: ${what}`);
}

/** A text of at most `max` characters, with control characters made visible; null for any other value. */
function textOf(value: unknown, max: number): string | null {
  return typeof value === 'string' ? withVisibleSigns(value.slice(0, max)) : null;
}

/** Parses an outcome; `parseFields` receives the fields of an answer of the requested kind. Throws UserFormatError. */
function outcomeOf<T>(answer: unknown, kind: string, parseFields: (fields: Fields) => T): Outcome<T> {
  const fields = fieldsOf(answer);
  if (fields.answer === 'refused') return { kind: 'refused', reason: textOf(fields.reason, MAX_MESSAGE) ?? '' };
  if (fields.answer === 'failed') {
    const line = typeof fields.line === 'number' && Number.isSafeInteger(fields.line) ? Math.max(0, fields.line) : 0;
    return { kind: 'failed', message: textOf(fields.message, MAX_MESSAGE) ?? '', line };
  }
  if (fields.answer !== kind) throw answerError(`found ${clip(String(textOf(fields.answer, 40)))}, expected ${kind}`);
  return { kind: 'done', result: parseFields(fields) };
}

const NAME = /^[A-Za-z_]\w{0,39}$/;
/** Names of properties that every JavaScript object has. */
const RESERVED = ['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty'];

/** A name that is safe as a property. Throws UserFormatError for any other value. */
function nameOf(value: unknown, what: string): string {
  if (typeof value === 'string' && NAME.test(value) && !RESERVED.includes(value)) return value;
  throw new UserFormatError(
    `${what}: found the name ${typeof value === 'string' ? `'${clip(value)}'` : 'of nothing'}, expected at most 40 letters and digits`,
  );
}

/** `items`, unchanged. Throws UserFormatError if two have the same name. */
function withDistinctNames<T extends { readonly name: string }>(what: string, items: readonly T[]): readonly T[] {
  const names = items.map(({ name }) => name);
  const repeatedName = names.find((name, i) => names.indexOf(name) < i);
  if (repeatedName !== undefined) {
    throw new UserFormatError(`${what}: found '${repeatedName}' twice, expected different names`);
  }
  return items;
}

/** Parses a module's description of itself. Throws UserFormatError, which names the fault. */
export function parseDescription(answer: unknown): Outcome<ModuleDescription> {
  return outcomeOf(answer, 'described', ({ title, params }) => {
    const titleText = textOf(title, MAX_TITLE + 1);
    if (titleText === null || titleText.trim() === '' || titleText.length > MAX_TITLE) {
      throw new UserFormatError(
        `title: found ${titleText === null ? 'none' : `'${titleText}'`}, expected 1 to 60 letters`,
      );
    }
    const listedItems: readonly unknown[] = Array.isArray(params) ? params : [];
    if (listedItems.length > MAX_PARAMS) {
      throw new UserFormatError(`params: found ${listedItems.length}, expected at most ${MAX_PARAMS}`);
    }
    return {
      title: titleText,
      params: withDistinctNames(
        'params',
        listedItems.map((param): UserParam => {
          const [name, options, meaning] = Array.isArray(param) ? (param as readonly unknown[]) : [];
          const paramName = nameOf(name, 'params');
          if (paramName === 'rows' || paramName === 'cols') {
            throw new UserFormatError(
              `params: found '${paramName}', which decode already receives with the size of the matrix`,
            );
          }
          const listedOptions: readonly unknown[] = Array.isArray(options) ? options : [];
          const valid = listedOptions.filter(
            (option) => (typeof option === 'number' && Number.isFinite(option)) || textOf(option, 40) !== null,
          ) as readonly (number | string)[];
          if (valid.length === 0 || valid.length !== listedOptions.length || valid.length > MAX_OPTIONS) {
            throw new UserFormatError(
              `params.${paramName}.options: found ${listedOptions.length}, expected 1 to ${MAX_OPTIONS} numbers or texts`,
            );
          }
          return {
            name: paramName,
            options: valid.map((option) => (typeof option === 'string' ? clip(option.slice(0, 40)) : option)),
            meaning: textOf(meaning, 120) ?? '',
          };
        }),
      ),
    };
  });
}

/** Parses the arrays that a module declares for given parameters. Throws UserFormatError, which names the fault. */
export function parseArrays(answer: unknown): Outcome<readonly UserArray[]> {
  return outcomeOf(answer, 'arrays', ({ arrays }) => {
    const listedItems: readonly unknown[] = Array.isArray(arrays) ? arrays : [];
    if (listedItems.length === 0 || listedItems.length > MAX_ARRAYS) {
      throw new UserFormatError(`arrays: found ${listedItems.length}, expected 1 to ${MAX_ARRAYS}`);
    }
    const declared = listedItems.map((entry): UserArray => {
      const [name, declaration] = Array.isArray(entry) ? (entry as readonly unknown[]) : [];
      const arrayName = nameOf(name, 'arrays');
      const [typeName, byteClass, ...more] = typeof declaration === 'string' ? declaration.trim().split(/\s+/) : [];
      const type = elementType(typeName ?? '');
      const arrayClass = ARRAY_CLASSES.find((candidate) => candidate === byteClass);
      if (!type || type.name === 'bf16' || !arrayClass || more.length > 0) {
        const quoted = typeof declaration === 'string' ? `'${clip(declaration)}'` : 'no text';
        throw new UserFormatError(
          `arrays.${arrayName}: found ${quoted}, expected a type (u1 to u32, i2 to i32, f16, f32) and values, indices or metadata, such as 'u16 indices'`,
        );
      }
      return { name: arrayName, type, byteClass: arrayClass };
    });
    return withDistinctNames('arrays', declared);
  });
}

/** Arrays as a request declares them: name, and 'f16 values'. */
export function arrayDeclarations(arrays: readonly UserArray[]): readonly ArrayDeclaration[] {
  return arrays.map(({ name, type, byteClass }) => [name, `${type.name} ${byteClass}`]);
}

/** Whether a value is a whole number from 0 to `max`. */
function isWhole(value: unknown, max: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max;
}

/** Typed arrays of equal length, at most `max`, by name, each an instance of its class. Throws UserFormatError. */
function checkedLists<C extends Readonly<Record<string, Uint8Array | Uint32Array | Float32Array | Float64Array>>>(
  value: unknown,
  classes: { readonly [K in keyof C]: new (length: number) => C[K] },
  max: number,
): C {
  const fields = fieldsOf(value);
  let length = -1;
  for (const [name, Class] of Object.entries(classes)) {
    const list = fields[name];
    // Shared memory could change after it was checked.
    if (!(list instanceof Class && (list as Uint8Array).buffer instanceof ArrayBuffer)) {
      throw answerError(`found no list ${name}`);
    }
    const entries = (list as Uint8Array).length;
    if (length >= 0 && entries !== length)
      throw answerError(`found ${counted(entries, 'entry', 'entries')} in ${name}, expected ${length}`);
    length = entries;
  }
  if (length > max) throw answerError(`found ${counted(length, 'entry', 'entries')}, expected at most ${max}`);
  return Object.fromEntries(Object.keys(classes).map((name) => [name, fields[name]])) as C;
}

/** Parses an encoding. Throws UserFormatError if the answer does not match these arrays. O(elements). */
export function parseEncoding(
  answer: unknown,
  arrays: readonly UserArray[],
  { rows, cols }: { readonly rows: number; readonly cols: number },
): Outcome<Encoding> {
  const max = maxElements(rows, cols);
  return outcomeOf(answer, 'encoded', (fields) => {
    const lists: readonly unknown[] = Array.isArray(fields.arrays) ? fields.arrays : [];
    const padding: readonly unknown[] = Array.isArray(fields.padding) ? fields.padding : [];
    if (lists.length !== arrays.length)
      throw answerError(`found ${counted(lists.length, 'array')}, expected ${arrays.length}`);
    const checked = arrays.map((array, i) => {
      const elements = lists[i];
      const Class = zeroElements(array.type, 0).constructor as new () => Elements;
      if (!(elements instanceof Class && elements.buffer instanceof ArrayBuffer)) {
        throw answerError(`found no list of ${array.type.name} for ${array.name}`);
      }
      if (elements.length > max)
        throw answerError(`found ${elements.length} elements of ${array.name}, expected at most ${max}`);
      const outside = firstOutside(elements, array.type);
      if (outside >= 0)
        throw answerError(`${elements[outside]} does not fit ${array.type.name} of ${array.name}[${outside}]`);
      const count = padding[i];
      if (!isWhole(count, elements.length)) throw answerError(`found no count of padding for ${array.name}`);
      return { array, elements: rounded(elements, array.type), padding: count };
    });
    return { arrays: checked, ...recordingOf(fields, arrays, checked, max) };
  });
}

const STORES = { array: Uint8Array, at: Uint32Array, value: Float64Array, isPadding: Uint8Array, line: Uint32Array };

/** The numbers that encode stored, and the steps that it narrated by `tell`; null if they were not recorded. */
function recordingOf(
  fields: Fields,
  arrays: readonly UserArray[],
  encoded: readonly { readonly elements: Elements }[],
  max: number,
): Pick<Encoding, 'stores' | 'narrated'> {
  if (fields.stores === null || fields.stores === undefined) return { stores: null, narrated: null };
  const stores: Stores = checkedLists<{
    array: Uint8Array;
    at: Uint32Array;
    value: Float64Array;
    isPadding: Uint8Array;
    line: Uint32Array;
  }>(fields.stores, STORES, 4 * max);
  const { array, at: elementIndices } = stores;
  for (let i = 0; i < elementIndices.length; i++) {
    if (array[i] >= arrays.length || elementIndices[i] >= encoded[array[i]].elements.length)
      throw answerError(`store ${i} is in no array`);
  }
  const listedItems: readonly unknown[] = Array.isArray(fields.narrated) ? fields.narrated : [];
  if (listedItems.length > max) throw answerError(`found ${listedItems.length} steps, expected at most ${max}`);
  let lastCount = 0;
  const narrated = listedItems.map((step): NarratedStep => {
    const { say, rows, column, stores: count, line } = fieldsOf(step);
    const rowList: readonly unknown[] = Array.isArray(rows) ? rows : [];
    if (!isWhole(count, elementIndices.length) || count < lastCount)
      throw answerError('found steps out of their order');
    lastCount = count;
    return {
      say: textOf(say, MAX_MESSAGE) ?? '',
      rows: rowList.filter((row): row is number => isWhole(row, 2 ** 32)),
      column: isWhole(column, 2 ** 32) ? column : null,
      stores: count,
      line: isWhole(line, 2 ** 32) ? line : 0,
    };
  });
  return { stores, narrated };
}

const PUTS = { rows: Uint32Array, columns: Uint32Array, values: Float32Array };
const READS = { array: Uint8Array, at: Uint32Array, before: Uint32Array };

/** Parses decoded cells. `lengths`: of the arrays. Throws UserFormatError for cells outside the matrix. O(cells). */
export function parseDecoding(
  answer: unknown,
  { rows, cols }: { readonly rows: number; readonly cols: number },
  lengths: readonly number[],
): Outcome<Decoding> {
  const max = maxElements(rows, cols);
  return outcomeOf(answer, 'decoded', (fields) => {
    const puts: DecodedCells = checkedLists<{ rows: Uint32Array; columns: Uint32Array; values: Float32Array }>(
      fields.puts,
      PUTS,
      max,
    );
    for (let i = 0; i < puts.rows.length; i++) {
      if (puts.rows[i] >= rows || puts.columns[i] >= cols) throw answerError(`cell ${i} is outside the matrix`);
    }
    const reads: Reads | null =
      fields.reads === null || fields.reads === undefined
        ? null
        : checkedLists<{ array: Uint8Array; at: Uint32Array; before: Uint32Array }>(fields.reads, READS, 4 * max);
    if (reads) {
      for (let i = 0; i < reads.at.length; i++) {
        const length = lengths[reads.array[i]] ?? 0;
        if (reads.at[i] >= length || reads.before[i] > puts.rows.length)
          throw answerError(`read ${i} is of no element`);
      }
    }
    return { puts, outside: textOf(fields.outside, MAX_MESSAGE), reads };
  });
}

/** A value for every parameter: the given one if it is an option, else the first option. */
export function paramsOf(description: ModuleDescription, chosenParams: UserParams = {}): UserParams {
  return Object.fromEntries(
    description.params.map(({ name, options }) => [
      name,
      chosenParams[name] !== undefined && options.includes(chosenParams[name]) ? chosenParams[name] : options[0],
    ]),
  );
}
