// Reads files and browser storage that version 0.2.0 wrote, and finds names in them that a reader ignores.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of files that version 0.2.0 wrote; its README.md states how they were made. */
const FOLDER = join(import.meta.dirname, 'written-by-0.2.0');

/** The bytes of a file that version 0.2.0 wrote. */
export const writtenBytes = (name: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(readFileSync(join(FOLDER, name)));

/** The text of a file that version 0.2.0 wrote, without the line break at its end. */
export const writtenText = (name: string): string => readFileSync(join(FOLDER, name), 'utf8').replace(/\n$/, '');

/** The value of a JSON file that version 0.2.0 wrote. */
export const written = (name: string): unknown => JSON.parse(writtenText(name));

/** The storage of a browser: IndexedDB by databases and their stores, and texts by their keys. */
export interface StoredInBrowser {
  readonly databases: readonly {
    readonly name: string;
    readonly version: number;
    readonly stores: Readonly<Record<string, readonly (readonly [key: string, value: unknown])[]>>;
  }[];
  readonly localStorage: Readonly<Record<string, string>>;
  readonly sessionStorage: Readonly<Record<string, string>>;
}

/** The storage of a browser in which version 0.2.0 was used; typed arrays and files are as `revived` makes them. */
export const storedInBrowser = (): StoredInBrowser => written('browser.json') as StoredInBrowser;

/** The entries of a store of IndexedDB in which version 0.2.0 was used. */
export function storedEntries(
  name: string,
  database = 'sparsescope-kept',
): readonly (readonly [key: string, value: unknown])[] {
  const entries = storedInBrowser().databases.find((stored) => stored.name === database)?.stores[name] ?? [];
  if (entries.length === 0) throw new RangeError(`${name}: found no entry, expected some`);
  return entries.map(([key, value]) => [key, revived(value)]);
}

/** Returns a value of `browser.json` with typed arrays and infinite numbers, which JSON cannot represent. */
function revived(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(revived);
  if (typeof value !== 'object' || value === null) return value;
  if ('$typed' in value) return Uint8Array.from((value as unknown as { readonly values: number[] }).values);
  if ('$number' in value) return Number(value.$number);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, revived(member)]));
}

type Path = readonly (string | number)[];

/**
 * Adds the path of every member of a value to `paths`, by its name with `*` for indices: 'rows.*.kernel' with ['rows', 0,
 * 'kernel']. Of the elements of a list, the first with a name counts.
 */
function addPaths(value: unknown, path: Path, paths: Map<string, Path>): void {
  if (path.length > 0) {
    const name = path.map((part) => (typeof part === 'number' ? '*' : part)).join('.');
    if (!paths.has(name)) paths.set(name, path);
  }
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return;
  for (const [key, member] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    addPaths(member, [...path, key], paths);
  }
}

/** Returns a copy of `value` in which the member at a path is replaced. */
function withReplaced(value: unknown, [key, ...rest]: Path, replacement: unknown): unknown {
  if (key === undefined) return replacement;
  if (Array.isArray(value))
    return value.map((element: unknown, i) => (i === key ? withReplaced(element, rest, replacement) : element));
  const fields = value as Readonly<Record<string, unknown>>;
  return { ...fields, [key]: withReplaced(fields[key], rest, replacement) };
}

/** One value of every kind; a reader that looks at a member rejects at least one of them. */
const REPLACEMENTS: readonly unknown[] = [{ wrong: [] }, [{}], 'wrong', -0.5, false, null];

/**
 * Returns the names in a stored value that its reader ignores: members at which it accepts any value. This finds members
 * that were renamed in the code, even optional ones.
 *
 * @param accepts whether the reader accepts a value; an exception means that it does not
 */
export function unreadNames(value: unknown, accepts: (value: unknown) => unknown): readonly string[] {
  const paths = new Map<string, Path>();
  addPaths(value, [], paths);
  const isAccepted = (path: Path): boolean => {
    return REPLACEMENTS.every((replacement) => {
      try {
        return accepts(withReplaced(value, path, replacement)) !== false;
      } catch {
        return false;
      }
    });
  };
  return [...paths].flatMap(([name, path]) => (isAccepted(path) ? [name] : []));
}
