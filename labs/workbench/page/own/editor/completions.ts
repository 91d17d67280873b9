// Code completion for the JavaScript module of a custom format: exports, members of the API, declared arrays.

import type { ArrayClass } from '../../../../../src/core/declared/element-type.ts';
import { outlineOf } from '../../../own/outline.ts';

/** A possible completion of the text before the cursor, and its meaning. */
export interface Completion {
  readonly label: string;
  readonly detail: string;
  /** the inserted text, if it is more than the label */
  readonly insert?: string;
}

/** The completions at a position; they replace the characters from `from` on. */
export interface Completions {
  readonly from: number;
  readonly options: readonly Completion[];
}

/** What a format's JavaScript module may export. */
const EXPORTS: readonly Completion[] = [
  { label: 'title', detail: '1 to 60 letters', insert: "export const title = '';" },
  {
    label: 'params',
    detail: 'options; the first is the default',
    insert: "export const params = { size: { options: [4, 8], meaning: '' } };",
  },
  {
    label: 'arrays',
    detail: 'type and use, by name',
    insert: "export const arrays = { values: 'f16 values' };",
  },
  { label: 'encode', detail: 'stores A in out', insert: 'export function encode(A, out, params, tell) {\n  \n}' },
  {
    label: 'decode',
    detail: 'puts every cell',
    insert: 'export function decode(arrays, { rows, cols }, put) {\n  \n}',
  },
  { label: 'refuses', detail: 'why A is not supported', insert: 'export function refuses(A, params) {\n  \n}' },
];

/** Properties of A, the matrix that encode receives, and of one of its rows. */
const MATRIX_MEMBERS: readonly Completion[] = [
  { label: 'rows', detail: 'how many' },
  { label: 'cols', detail: 'how many' },
  { label: 'nnz', detail: 'non-zeros' },
  { label: 'values', detail: 'of all non-zeros' },
  { label: 'row', detail: 'one row', insert: 'row(r)' },
  { label: 'slice', detail: 'rows from, up to', insert: 'slice(from, to)' },
  { label: 'at', detail: 'the value of a cell', insert: 'at(r, c)' },
];
const ROW_MEMBERS: readonly Completion[] = [
  { label: 'index', detail: 'its number' },
  { label: 'length', detail: 'non-zeros of it' },
  { label: 'columns', detail: 'of its non-zeros, ascending' },
  { label: 'values', detail: 'of its non-zeros' },
];
/** Properties of an array of `out`, to which encode writes. */
const OUTPUT_MEMBERS: readonly Completion[] = [
  { label: 'push', detail: 'stores a number', insert: 'push(value)' },
  { label: 'pad', detail: 'stores padding', insert: 'pad()' },
  { label: 'length', detail: 'elements so far' },
  { label: 'get', detail: 'an element', insert: 'get(i)' },
  { label: 'set', detail: 'changes an element', insert: 'set(i, value)' },
];
/** Element types of arrays, and what their bytes are for (`ArrayClass`). */
const ELEMENT_TYPES = ['f16', 'f32', 'u1', 'u2', 'u4', 'u8', 'u16', 'u32', 'i8', 'i16', 'i32'];
const BYTE_CLASSES = ['values', 'indices', 'metadata'];

/** The arrays that a module's text seems to declare, with what their bytes are for. */
export function arraysIn(text: string): ReadonlyMap<string, ArrayClass> {
  return new Map(
    outlineOf(text).arrays.flatMap(([name, declaration]) => {
      const byteClass = declaration.split(' ').at(-1);
      return BYTE_CLASSES.includes(byteClass ?? '') ? [[name, byteClass as ArrayClass] as const] : [];
    }),
  );
}

/** Names of the parameters that a text seems to declare. */
function paramsIn(text: string): readonly string[] {
  const declared = /^export const params\b[^]*?^\}|^export const params\b.*$/m.exec(text)?.[0] ?? '';
  return [...declared.matchAll(/\b([A-Za-z_]\w*):\s*\{\s*options/g)].map(([, name]) => name);
}

/**
 * The completions at a position in the JavaScript module of a custom format; null if there are none. `isRequested`: the
 * user requested them, so no letter has to be typed first.
 */
export function completionsAt(text: string, position: number, isRequested: boolean): Completions | null {
  const line = text.slice(text.lastIndexOf('\n', position - 1) + 1, position);
  const word = /[\w$]*$/.exec(line)?.[0] ?? '';
  const from = position - word.length;
  const before = line.slice(0, line.length - word.length);
  // No completions in a comment.
  if (/\/\//.test(before)) return null;
  const withPrefix = (options: readonly Completion[]): Completions | null => {
    const matching = options.filter(({ label }) => label.startsWith(word) && label !== word);
    return matching.length === 0 ? null : { from, options: matching };
  };
  const arrays = arraysIn(text);
  const object = /([A-Za-z_$][\w$]*)(?:\?)?\.$/.exec(before)?.[1];
  if (object === 'A') return withPrefix(MATRIX_MEMBERS);
  if (object === 'row') return withPrefix(ROW_MEMBERS);
  if (object === 'out' || object === 'arrays') return withPrefix(arrayCompletions(arrays));
  if (object === 'params') return withPrefix(paramsIn(text).map((label) => ({ label, detail: 'parameter' })));
  if (object !== undefined) return arrays.has(object) ? withPrefix(OUTPUT_MEMBERS) : null;
  // Inside the text that declares an array: its element type, then the class of its bytes.
  const declaration = /:\s*['"`]([\w${}]*\s?)$/.exec(before);
  if (declaration) {
    const isClass = declaration[1].includes(' ');
    const words = isClass ? BYTE_CLASSES : ELEMENT_TYPES;
    return withPrefix(
      words.map((label) => ({
        label,
        detail: isClass ? 'what the bytes are for' : 'type',
        insert: isClass ? label : `${label} `,
      })),
    );
  }
  // Inside any other text in quotes.
  if (/['"`]/.test(before) && (before.match(/['"`]/g) ?? []).length % 2 === 1) return null;
  if (word === '' && !isRequested) return null;
  // At the beginning of a line outside functions: exports that the module lacks.
  if (/^\s*(?:export\s+(?:const\s+|function\s+)?)?$/.test(before) && !/^\s+/.test(line)) {
    const missing = EXPORTS.filter(
      ({ label }) => !new RegExp(`^export (?:const|function) ${label}\\b`, 'm').test(text),
    );
    const start = position - line.trimStart().length;
    const matching = missing.filter(({ label }) => label.startsWith(word) || 'export'.startsWith(word));
    return matching.length === 0 ? null : { from: start, options: matching };
  }
  return withPrefix([...arrayCompletions(arrays), ...paramsIn(text).map((label) => ({ label, detail: 'parameter' }))]);
}

function arrayCompletions(arrays: ReadonlyMap<string, ArrayClass>): readonly Completion[] {
  return [...arrays].map(([label, detail]) => ({ label, detail }));
}
