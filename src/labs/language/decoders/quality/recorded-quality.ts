import type { StoredType } from '../stored/recipe.ts';

/**
 * The quality of a shipped model under many prunings, recorded on a machine with a GPU: public/models/ID/quality.json. All rows
 * share their texts, so differences between two rows are far more certain than the rows themselves.
 */
export interface RecordedQuality {
  readonly schema: 1;
  /** the folder's name below public/models */
  readonly model: string;
  /** YYYY-MM-DD */
  readonly date: string;
  /** held-out texts, their bytes in UTF-8, and their tokens with the end of each */
  readonly tales: number;
  readonly bytes: number;
  readonly tokens: number;
  /** lower bounds on the bits per byte of these texts: summed over all ways to tell them, and along the drawn paths */
  readonly floor: { readonly exact: number; readonly path: number };
  readonly rows: readonly RecordedRow[];
}

/** How the kept weights were chosen; `rows`: by magnitude in every row. Rows with N:M also have a `pattern`. */
export type RecordedMethod = 'none' | 'magnitude' | 'rows' | 'wanda' | 'random';

/** The model with one pruning and value type, measured. */
export interface RecordedRow {
  readonly way: RecordedMethod;
  /** share of the cells of the blocks' matrices that are left: 1 for `none` */
  readonly density: number;
  /** such as `2:4` */
  readonly pattern?: string;
  readonly valueType: StoredType;
  /** seconds of training with a fixed mask, after pruning */
  readonly trained?: number;
  readonly bitsPerByte: number;
  /** standard error of bits per byte over the texts */
  readonly se: number;
  /** standard error of the difference from the dense model, text by text */
  readonly differenceSe?: number;
  /** how many of `judged` texts by the model broke no law */
  readonly unbroken?: number;
  readonly judged?: number;
  /** for each law, in how many texts it broke first */
  readonly firstBroken?: Readonly<Record<string, number>>;
  /** of the blocks' matrices in their smallest format */
  readonly bytes?: number;
  /** bits per tale by kind of token */
  readonly byKind?: Readonly<Record<string, number>>;
}

const METHODS: readonly unknown[] = ['none', 'magnitude', 'rows', 'wanda', 'random'] satisfies RecordedMethod[];
const TYPES: readonly unknown[] = ['f16', 'i8', 'i4'] satisfies StoredType[];
/** Far more than in any recording. */
const MAX_ROWS = 1000;
const PATTERN = /^[1-9]\d?:[1-9]\d?$/;

/** The recording in a quality.json. Throws TypeError with field, found and expected. */
export function readRecordedQuality(value: unknown): RecordedQuality {
  const top = object(value, 'quality.json');
  if (top.schema !== 1) wrong('schema', top.schema, '1');
  if (typeof top.model !== 'string') wrong('model', top.model, 'a name');
  if (typeof top.date !== 'string') wrong('date', top.date, 'YYYY-MM-DD');
  for (const field of ['tales', 'bytes', 'tokens']) number(top[field], field, 1);
  const floor = object(top.floor, 'floor');
  number(floor.exact, 'floor.exact', 0);
  number(floor.path, 'floor.path', 0);
  list(top.rows, 'rows').forEach((row, i) => checkRow(row, `rows[${i}]`));
  return value as RecordedQuality;
}

function checkRow(value: unknown, at: string): void {
  const row = object(value, at);
  if (!METHODS.includes(row.way)) wrong(`${at}.way`, row.way, `one of ${METHODS.join(', ')}`);
  if (!TYPES.includes(row.valueType)) wrong(`${at}.valueType`, row.valueType, `one of ${TYPES.join(', ')}`);
  if (row.pattern !== undefined && !(typeof row.pattern === 'string' && PATTERN.test(row.pattern))) {
    wrong(`${at}.pattern`, row.pattern, 'N:M');
  }
  if (number(row.density, `${at}.density`, 0) > 1) wrong(`${at}.density`, row.density, 'a number from 0 to 1');
  number(row.bitsPerByte, `${at}.bitsPerByte`, 0);
  number(row.se, `${at}.se`, 0);
  for (const field of ['trained', 'differenceSe', 'unbroken', 'judged', 'bytes']) {
    if (row[field] !== undefined) number(row[field], `${at}.${field}`, 0);
  }
  if ((row.unbroken === undefined) !== (row.judged === undefined)) {
    wrong(`${at}.judged`, row.judged, 'judged and unbroken together');
  }
  for (const field of ['firstBroken', 'byKind']) {
    if (row[field] === undefined) continue;
    for (const [name, count] of Object.entries(object(row[field], `${at}.${field}`))) {
      number(count, `${at}.${field}.${name}`);
    }
  }
}

function object(value: unknown, at: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) wrong(at, value, 'an object');
  return value as Record<string, unknown>;
}

function list(value: unknown, at: string): readonly unknown[] {
  if (!Array.isArray(value) || value.length > MAX_ROWS) wrong(at, value, `a list of at most ${MAX_ROWS}`);
  return value as unknown[];
}

function number(value: unknown, at: string, atLeast = Number.NEGATIVE_INFINITY): number {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < atLeast) {
    wrong(at, value, atLeast === Number.NEGATIVE_INFINITY ? 'a number' : `a number of at least ${atLeast}`);
  }
  return value;
}

function wrong(at: string, found: unknown, expected: string): never {
  const shown = typeof found === 'object' && found !== null ? (Array.isArray(found) ? 'a list' : 'an object') : found;
  throw new TypeError(`${at}: found ${String(shown).slice(0, 60)}, expected ${expected}`);
}
