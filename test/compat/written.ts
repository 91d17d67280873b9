import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What version 0.2.0 wrote; README.md of that folder says how. */
const WRITTEN = join(import.meta.dirname, 'written-by-0.2.0');

/** The bytes of a file that version 0.2.0 wrote. */
export const writtenBytes = (name: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(readFileSync(join(WRITTEN, name)));

/** The text of a file that version 0.2.0 wrote, without the line break at its end. */
export const writtenText = (name: string): string => readFileSync(join(WRITTEN, name), 'utf8').replace(/\n$/, '');

/** The value of a JSON file that version 0.2.0 wrote. */
export const written = (name: string): unknown => JSON.parse(writtenText(name));

/** What a browser stored: IndexedDB by databases and their stores, and texts by their keys. */
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
  const all = storedInBrowser().databases.find((one) => one.name === database)?.stores[name] ?? [];
  if (all.length === 0) throw new RangeError(`${name}: found no entry, expected some`);
  return all.map(([key, value]) => [key, revived(value)]);
}

/** A value of `browser.json` with its typed arrays and infinite numbers, which JSON has not. */
function revived(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(revived);
  if (typeof value !== 'object' || value === null) return value;
  if ('$typed' in value) return Uint8Array.from((value as unknown as { readonly values: number[] }).values);
  if ('$number' in value) return Number(value.$number);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, revived(one)]));
}

type Path = readonly (string | number)[];

/** Every place in a JSON value, of the elements of lists only the first that has it: [['rows', 0, 'kernel'], ...] */
function positionsIn(value: unknown, at: Path, found: Map<string, Path>): void {
  if (at.length > 0) {
    const name = at.map((part) => (typeof part === 'number' ? '*' : part)).join('.');
    if (!found.has(name)) found.set(name, at);
  }
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return;
  for (const [key, one] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    positionsIn(one, [...at, key], found);
  }
}

function withWrong(value: unknown, [key, ...rest]: Path, wrong: unknown): unknown {
  if (key === undefined) return wrong;
  if (Array.isArray(value)) return value.map((one: unknown, i) => (i === key ? withWrong(one, rest, wrong) : one));
  const fields = value as Readonly<Record<string, unknown>>;
  return { ...fields, [key]: withWrong(fields[key], rest, wrong) };
}

/** Of every kind of value one; no reader takes them all. */
const WRONG: readonly unknown[] = [{ wrong: [] }, [{}], 'wrong', -0.5, false, null];

/**
 * The names in a stored value that its reader does not look at: each, by its path, where any value is accepted. A
 * name in the code that is no longer the stored one is among them, even if the property is optional.
 *
 * @param accepts whether the reader takes a value; a throw is a no
 */
export function unreadNames(value: unknown, accepts: (value: unknown) => unknown): readonly string[] {
  const positions = new Map<string, Path>();
  positionsIn(value, [], positions);
  const isAccepted = (path: Path): boolean => {
    return WRONG.every((wrong) => {
      try {
        return accepts(withWrong(value, path, wrong)) !== false;
      } catch {
        return false;
      }
    });
  };
  return [...positions].flatMap(([name, path]) => (isAccepted(path) ? [name] : []));
}
