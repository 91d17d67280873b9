import { ReadError } from '../errors.ts';
import { REPORT_BOUNDS } from './bounds.ts';
import { excessProblem } from './check.ts';

/*
 * Checks that a value from a file, from storage or from another thread has the shape of a type. The error message names
 * the first mismatch. These checks are written by hand: with valibot every check repeats its message, and a list of a
 * million numbers takes six times as long, since each number gets an object.
 */

/** The position of a part inside a checked value, as the key in its parent: rows[3].samplesNs[7] has four keys. */
export interface Path {
  /** null: the parent is the checked value itself */
  readonly parent: Path | null;
  readonly key: string | number;
}

/** Throws Mismatch if the value at `path` has a wrong shape. */
export type Check = (value: unknown, path: Path | null) => void;

/** A check for every property, so that a new property of the type cannot be forgotten. */
export type PropertyChecks<T> = { readonly [K in keyof Required<T>]: Check };

/** Thrown by checks; the message contains position, found and expected. */
export class Mismatch extends Error {}

/** A value as messages quote it. */
export function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  // JSON has null for numbers that are not finite, and fails for a BigInt.
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') return 'a BigInt';
  const text = JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 40)}...` : text;
}

/** A path as messages write it: rows[3].samplesNs[7]. */
function pathText(path: Path | null): string {
  if (path === null) return '';
  const before = pathText(path.parent);
  if (typeof path.key === 'number') return `${before}[${path.key}]`;
  return before === '' ? path.key : `${before}.${path.key}`;
}

/** An error for the value at `path`: found, expected. */
export function mismatch(path: Path | null, found: string, expected: string): Mismatch {
  return fault(path, `found ${found}, expected ${expected}`);
}

/** An error about the value at `path`; `what` is the rest of its message. */
export function fault(path: Path | null, what: string): Mismatch {
  return new Mismatch(path === null ? what : `${pathText(path)}: ${what}`);
}

/** A check of one value; `expected` is part of the error message. */
export function check(expected: string, test: (value: unknown) => boolean): Check {
  return (value, path) => {
    if (!test(value)) throw mismatch(path, describe(value), expected);
  };
}

/** Throws Mismatch if there are more than `max` things. `what` names them in the message: 'samples'. */
export function checkCount(found: number, max: number, what: string, path: Path | null): void {
  const tooMany = excessProblem(found, max, what);
  if (tooMany !== null) throw fault(path, tooMany);
}

/** A text of any length. */
export const aText = check('a text', (v) => typeof v === 'string');

/** A text of at most `max` UTF-16 units. */
export function textUpTo(max: number): Check {
  return (value, path) => {
    aText(value, path);
    checkCount((value as string).length, max, 'letters', path);
  };
}

export const aReportText = textUpTo(REPORT_BOUNDS.text);

export const aBoolean = check('true or false', (v) => typeof v === 'boolean');
// A JSON text can contain 1e999, which is read as infinite and could not be written again.
const isNonNegative = (v: unknown): boolean => typeof v === 'number' && v >= 0 && Number.isFinite(v);
/** A number that is finite and at least 0, as all measured quantities are; `aFiniteNumber` may be negative. */
export const aNonNegativeNumber = check('a number of at least 0', isNonNegative);
export const aCount = check('a whole number of at least 0', (v) => Number.isSafeInteger(v) && Number(v) >= 0);
export const aShare = check('a number from 0 to 1', (v) => typeof v === 'number' && v >= 0 && v <= 1);
export const aFiniteNumber = check('a number', Number.isFinite);
export const anObject = check('an object', isRecord);
export const aDate = check(
  'a date such as 2026-01-31T12:00:00Z',
  (v) => typeof v === 'string' && !Number.isNaN(Date.parse(v)),
);
export const aReportNumber = check(
  "a number, 'NaN', 'Infinity' or '-Infinity'",
  (v) => Number.isFinite(v) || v === 'NaN' || v === 'Infinity' || v === '-Infinity',
);

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Exactly one of these values. */
export function oneOf(...values: readonly (string | number | boolean)[]): Check {
  return check(values.map((v) => JSON.stringify(v)).join(' or '), (v) => values.some((allowed) => allowed === v));
}

/** Returns a function that makes a check accept one more value. */
const alsoAccept =
  (accepted: unknown) =>
  (inner: Check): Check =>
  (value, path) => {
    if (value !== accepted) inner(value, path);
  };

export const nullable = alsoAccept(null);
export const optional = alsoAccept(undefined);
/** `inner`, or 'any', which is recorded for an output that was not compared. */
export const orAny = alsoAccept('any');

/** Passes if any of `inner` does; `expected` is part of the error message. */
export function anyOf(expected: string, ...inner: readonly Check[]): Check {
  return check(expected, (value) => inner.some((innerCheck) => conforms(value, innerCheck)));
}

/** Whether a value passes a check, without a reason if not. */
export function conforms(value: unknown, inner: Check): boolean {
  try {
    inner(value, null);
    return true;
  } catch (error) {
    if (error instanceof Mismatch) return false;
    throw error;
  }
}

const aList = check('a list', Array.isArray);

/** A list of `min` to `max` elements that pass `inner`; `what` names them in messages. */
export function listOf(inner: Check, max: number, what: string, min = 0): Check {
  return (value, path) => {
    aList(value, path);
    const elements = value as readonly unknown[];
    checkCount(elements.length, max, what, path);
    if (elements.length < min) throw mismatch(path, `${elements.length} ${what}`, `at least ${min}`);
    elements.forEach((element, i) => inner(element, { parent: path, key: i }));
  };
}

/** A list of numbers of at least 0. It may be long, so a path is made only for the first wrong number. */
export function listOfNumbers(max: number, what: string): Check {
  return (value, path) => {
    aList(value, path);
    const elements = value as readonly unknown[];
    checkCount(elements.length, max, what, path);
    const wrong = elements.findIndex((element) => !isNonNegative(element));
    if (wrong >= 0) aNonNegativeNumber(elements[wrong], { parent: path, key: wrong });
  };
}

/** All of `checks`, in their order: later ones may rely on earlier ones. */
export function allOf(...checks: readonly Check[]): Check {
  return (value, path) => {
    for (const inner of checks) inner(value, path);
  };
}

/** An object with at most `max` properties of any names. */
export function freeObject(max: number, what: string): Check {
  return (value, path) => {
    anObject(value, path);
    checkCount(Object.keys(value as object).length, max, what, path);
  };
}

export const aRecord = freeObject(REPORT_BOUNDS.properties, 'properties');

/** An object with properties of any name; each value has to pass `inner`. */
export function recordOf(inner: Check, checkObject = aRecord): Check {
  return (value, path) => {
    checkObject(value, path);
    for (const [key, element] of Object.entries(value as object)) inner(element, { parent: path, key });
  };
}

/** An object with a check for each property of `T`. */
export function objectOf<T>(shape: PropertyChecks<T>): Check {
  const checks = Object.entries<Check>(shape);
  return (value, path) => {
    anObject(value, path);
    const record = value as Readonly<Record<string, unknown>>;
    for (const [key, inner] of checks) inner(record[key], { parent: path, key });
  };
}

/** Throws Mismatch if lists and objects are nested too deeply, also in properties without a check. */
function checkDepth(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null) return;
  checkCount(depth + 1, REPORT_BOUNDS.depth, 'levels of lists and objects', null);
  for (const inner of Array.isArray(value) ? (value as readonly unknown[]) : Object.values(value)) {
    if (typeof inner === 'object') checkDepth(inner, depth + 1);
  }
}

/**
 * Runs the checks of a file and returns their result. `name`: the file's name. Throws ReadError with the name, the position,
 * found and expected.
 */
export function readAs<T>(name: string, value: unknown, checks: () => T): T {
  try {
    checkDepth(value, 0);
    return checks();
  } catch (error) {
    if (error instanceof Mismatch) throw new ReadError(`${name}: ${error.message}.`);
    throw error;
  }
}
