// Runs in the sandbox: calls the exports of a user's module, and answers the page with plain data.

import { type Elements, elementType } from '../../../../src/core/declared/element-type.ts';
import {
  type Answer,
  type ArrayDeclaration,
  MAX_BYTES,
  MAX_MESSAGE,
  maxElements,
  type Request,
  type MatrixMessage,
} from '../module-messages.ts';
import type { NarratedStep } from '../../../../src/core/declared/record.ts';
import { AuthorMatrix, type AuthorRow } from './author-matrix.ts';
import { List, Rejection, ListMemory } from './list.ts';
import { PutRecorder, ReadRecorder, StoreRecorder } from '../../../../src/core/declared/recorders.ts';

/** The exports of a user's module with a format; others are ignored. None of them can be trusted. */
export interface UserFormatModule {
  readonly title?: unknown;
  readonly params?: unknown;
  readonly arrays?: unknown;
  readonly encode?: unknown;
  readonly decode?: unknown;
  readonly refuses?: unknown;
}

type AnyFunction = (...args: readonly unknown[]) => unknown;

/** Answers the page's request by running a format's module. `address`: the module's address in stack traces. */
export function answerTo(module: UserFormatModule, address: string, request: Request): Answer {
  try {
    switch (request.ask) {
      case 'describe':
        return describe(module);
      case 'arrays':
        return { answer: 'arrays', arrays: declaredArrays(module, request.params) };
      case 'encode':
        return encode(module, address, request);
      case 'decode':
        return decode(module, request);
    }
  } catch (error) {
    return failure(error, address);
  }
}

/** The answer for an error that a module threw: not supported, or failed with its line. */
export function failure(error: unknown, address: string): Answer {
  if (error instanceof Rejection) return { answer: 'refused', reason: error.message };
  let message = 'an error without words';
  let line = 0;
  try {
    message = String(error instanceof Error ? `${error.name}: ${error.message}` : error).slice(0, MAX_MESSAGE);
    if (error instanceof Error) line = lineIn(String(error.stack), address);
  } catch {
    // Its name, message or stack is a getter that throws.
  }
  return { answer: 'failed', message, line };
}

/** The line of the first stack frame in the module; 0 if there is none. */
function lineIn(stack: string, address: string): number {
  const frame = address === '' ? -1 : stack.indexOf(`${address}:`);
  if (frame < 0) return 0;
  const lineStart = frame + address.length + 1;
  const digits = /^\d+/.exec(stack.slice(lineStart, lineStart + 10));
  return digits ? Number(digits[0]) : 0;
}

/** The module's line in the current call stack. */
function currentLine(address: string): number {
  return lineIn(String(new Error().stack), address);
}

/** Answers with the title and the parameters of a module. */
function describe({ title, params }: UserFormatModule): Answer {
  const fields = Object.entries(Object(params ?? {}) as Record<string, unknown>).slice(0, 64);
  return {
    answer: 'described',
    title: plain(title),
    params: fields.map(([name, field]) => {
      const { options, meaning } = Object(field) as Record<string, unknown>;
      return [name, Array.isArray(options) ? Array.from(options.slice(0, 64), plain) : null, plain(meaning)];
    }),
  };
}

/** A text or a number; null for everything else, which a message would not preserve. */
function plain(value: unknown): string | number | null {
  return typeof value === 'string' ? value.slice(0, MAX_MESSAGE) : typeof value === 'number' ? value : null;
}

/** The names of a module's arrays, each with its declaration: values of any kind, which the page checks. */
function declaredArrays({ arrays }: UserFormatModule, params: unknown): readonly (readonly [string, unknown])[] {
  const byName: unknown = typeof arrays === 'function' ? (arrays as AnyFunction)(params) : arrays;
  return Object.entries(Object(byName) as Record<string, unknown>)
    .slice(0, 64)
    .map(([name, declaration]) => [name, plain(declaration)]);
}

/** A function that the module exports. Throws TypeError if there is none. */
function functionOf(module: UserFormatModule, name: 'encode' | 'decode'): AnyFunction {
  const exported = module[name];
  if (typeof exported === 'function') return exported as AnyFunction;
  throw new TypeError(`found no function ${name}, expected 'export function ${name}'`);
}

/** The type of an array's elements: the first word of its declaration. */
function typeOf([name, declaration]: ArrayDeclaration): NonNullable<ReturnType<typeof elementType>> {
  const type = elementType(declaration.split(' ')[0] ?? '');
  if (!type) throw new TypeError(`${name}: found '${declaration}', expected a type`);
  return type;
}

/** Answers with the arrays that the module's `encode` fills, or with the reason why the matrix is refused. */
function encode(module: UserFormatModule, address: string, request: Request & { readonly ask: 'encode' }): Answer {
  const { matrix, params, arrays, recorded } = request;
  const run = functionOf(module, 'encode');
  if (typeof module.refuses === 'function') {
    const reason: unknown = (module.refuses as AnyFunction)(new AuthorMatrix(copyOf(matrix)), { ...params });
    if (typeof reason === 'string' && reason !== '') return { answer: 'refused', reason: reason.slice(0, MAX_MESSAGE) };
    if (reason) return { answer: 'refused', reason: 'refuses returned no reason' };
  }
  const maxCount = maxElements(matrix.rows, matrix.cols);
  const memory = new ListMemory(maxCount, MAX_BYTES, matrix.values.length);
  const isRecorded = recorded !== 'nothing';
  const lineOf = recorded === 'lines' ? () => currentLine(address) : () => 0;
  const stores = isRecorded
    ? new StoreRecorder(lineOf, {
        max: 4 * maxCount,
        onFull: (stores) => memory.refuse(`encode stored more than ${stores} times`),
      })
    : null;
  const lists = arrays.map(
    (array, i) => new List(array[0], typeOf(array), memory, stores === null ? null : stores.listenerOf(i)),
  );
  const narrated: NarratedStep[] = [];
  const tell = (say: unknown, where?: unknown, column?: unknown): void => {
    if (narrated.length >= maxCount) {
      memory.refuse(`encode called tell more than ${maxCount} times, the most for this matrix`);
    }
    narrated.push({
      say: String(say).slice(0, MAX_MESSAGE),
      rows: rowsOf(where),
      column: typeof column === 'number' ? column : null,
      stores: stores?.count ?? 0,
      line: lineOf(),
    });
  };
  const out = Object.fromEntries(arrays.map(([name], i) => [name, lists[i]]));
  try {
    run(new AuthorMatrix(matrix), out, { ...params }, isRecorded ? tell : undefined);
  } catch (error) {
    if (memory.rejection === null) throw error;
  }
  if (memory.rejection !== null) return { answer: 'refused', reason: memory.rejection };
  const contents = lists.map((list) => List.contents(list));
  return {
    answer: 'encoded',
    arrays: contents.map(({ elements }) => elements),
    padding: contents.map(({ padding }) => padding),
    stores: stores?.result() ?? null,
    narrated: isRecorded ? narrated : null,
  };
}

/** A copy for `refuses`, so that a change of its argument does not reach encode. */
function copyOf(matrix: MatrixMessage): MatrixMessage {
  return { ...matrix, columns: matrix.columns.slice(), values: matrix.values.slice() };
}

/** The rows that a call of tell names: one as a number or a row, or several. */
function rowsOf(where: unknown): readonly number[] {
  const named: readonly unknown[] = Array.isArray(where) ? where.slice(0, 4096) : where === undefined ? [] : [where];
  return named.flatMap((item) => {
    const row = typeof item === 'object' && item !== null ? (item as AuthorRow).index : item;
    return typeof row === 'number' ? [row] : [];
  });
}

/** Answers with the values that the module's `decode` puts, and, if recorded, with the elements that it reads. */
function decode(module: UserFormatModule, request: Request & { readonly ask: 'decode' }): Answer {
  const { rows, cols, params, arrays, recorded } = request;
  const run = functionOf(module, 'decode');
  const puts = new PutRecorder(rows, cols, maxElements(rows, cols));
  const reads = recorded ? new ReadRecorder(() => puts.count, 4 * maxElements(rows, cols)) : null;
  const elementsByName: Record<string, Elements> = Object.fromEntries(
    arrays.map(([name, elements], i) => [name, reads === null ? elements : reads.watched(elements, i)]),
  );
  run(elementsByName, { ...params, rows, cols }, (row: unknown, column: unknown, value: unknown) => {
    puts.put(row, column, value);
  });
  return { answer: 'decoded', ...puts.result(), reads: reads?.result() ?? null };
}
