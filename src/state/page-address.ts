import type { MatrixSource } from '../engine/matrix/source-types.ts';
import type { AddressFields } from './url-fields.ts';

// How the states of pages are written in addresses.

/** The part of a document (what the app shows) about pages: the visible page, and the state of each. */
export interface DocumentPages {
  readonly view: string;
  /** the state of every page that has one, by its id */
  readonly pages: Readonly<Record<string, object>>;
}

/** Further settings of a page, by name, as in the address (`x.NAME=text`), without those at their default. */
export type Choices = Readonly<Record<string, string>>;

const CHOICE_PREFIX = 'x.';

/** One value of a page in the address. */
export interface AddressField<T> {
  readonly key: string;
  /** the value that an address leaves out */
  readonly default: T;
  /** May be longer than other values of a link; its reader checks the length. */
  readonly isLong?: true;
  /** null for an invalid text, which is then reported in `fields` */
  read(text: string, fields: AddressFields): T | null;
  write(value: T): string;
}

/** Any text, empty by default. */
export function textField(key: string, { isLong }: { readonly isLong?: true } = {}): AddressField<string> {
  return { key, default: '', ...(isLong && { isLong }), read: (text) => text, write: (value) => value };
}

/** A whole number of at least 0. */
export function wholeField(key: string): AddressField<number> {
  return {
    key,
    default: 0,
    read: (text, fields) => fields.whole(key, text, 0, Number.MAX_SAFE_INTEGER, 0),
    write: String,
  };
}

/** One of several words; the first by default. */
export function wordField<T extends string>(key: string, words: readonly [T, ...T[]]): AddressField<T> {
  return {
    key,
    default: words[0],
    read: (text, fields) =>
      words.find((word) => word === text) ??
      fields.problem(key, text, `one of ${words.join(', ')}`, `'${words[0]}' is shown`),
    write: (value) => value,
  };
}

/** How an address contains the state of a page: `#2/ID/PATH?...&KEY=VALUE`, 2 being the version of addresses. */
export interface PageAddress<S extends object = object> {
  readonly id: string;
  readonly initial: S;
  /** its state on the first screen, for an empty address, if different */
  readonly first?: S;
  /** keys that no parameter of a format may have */
  readonly keys: readonly string[];
  /** The path may continue after the id. */
  readonly hasPath: boolean;
  /** the path after the id; '' for nothing */
  path(state: S): string;
  pairs(state: S): readonly (readonly [key: string, value: string])[];
  /** Never throws: an invalid value is reported in `fields` and replaced by its default. */
  read(path: string, fields: AddressFields): S;
  /** the matrix of an address of this page that names none; null or absent: the same as for all pages */
  usual?(state: S): MatrixSource | null;
  /** the state after an address with the state `read` was opened */
  merge(read: S, before: S): S;
  /** whether the change from one state to the other makes a history entry */
  isEntry(before: S, after: S): boolean;
}

/** Which members of a page's state are in its address, and how. */
export interface AddressOptions<S extends object> {
  readonly id: string;
  /** the member that the path contains, a text; absent: the path ends with the page */
  readonly path?: keyof S & string;
  readonly fields: { readonly [K in keyof S]?: AddressField<S[K]> };
  /** the member that contains choices */
  readonly choices?: keyof S & string;
  /** members that change without a history entry */
  readonly quiet?: readonly (keyof S & string)[];
}

/** The address of a page whose state consists of fields and, optionally, a text in the path and choices. */
export function pageAddress<S extends object>(options: AddressOptions<S>): PageAddress<S> {
  const { id, path, choices, quiet = [] } = options;
  const fields = Object.entries(options.fields) as [keyof S & string, AddressField<unknown>][];
  const initial = {
    ...(path !== undefined && { [path]: '' }),
    ...Object.fromEntries(fields.map(([name, field]) => [name, field.default])),
    ...(choices !== undefined && { [choices]: {} }),
  } as S;
  return {
    id,
    initial,
    keys: fields.map(([, { key }]) => key),
    hasPath: path !== undefined,
    path: (state) => (path === undefined ? '' : String(state[path])),
    pairs: (state) => [
      ...fields
        .filter(([name, field]) => state[name] !== field.default)
        .map(([name, field]) => [field.key, field.write(state[name])] as const),
      ...(choices === undefined ? [] : choicePairs(state[choices] as Choices)),
    ],
    read: (text, query) =>
      ({
        ...(path !== undefined && { [path]: text }),
        ...Object.fromEntries(
          fields.map(([name, field]) => {
            const value = query.read(field.key, (written) => field.read(written, query), field.isLong);
            return [name, value ?? field.default];
          }),
        ),
        ...(choices !== undefined && {
          [choices]: readChoicePairs(
            query,
            fields.map(([, { key }]) => key),
          ),
        }),
      }) as S,
    merge: (read) => read,
    isEntry: (before, after) =>
      before !== after &&
      (Object.keys(after) as (keyof S & string)[]).some(
        (name) => !quiet.includes(name) && before[name] !== after[name],
      ),
  };
}

/** The key in an address and the value of each choice. */
export function choicePairs(choices: Choices): readonly (readonly [string, string])[] {
  return Object.entries(choices).map(([name, value]) => [CHOICE_PREFIX + name, value] as const);
}

/** Every choice in the address except those whose keys are in `others`. */
export function readChoicePairs(fields: AddressFields, others: readonly string[] = []): Choices {
  const choices: [string, string][] = [];
  for (const key of fields.keys()) {
    const isChoice = key.startsWith(CHOICE_PREFIX) && !others.includes(key);
    const value = isChoice ? fields.read(key, (text) => text, true) : null;
    if (value !== null && value !== '') choices.push([key.slice(CHOICE_PREFIX.length), value]);
  }
  return Object.fromEntries(choices);
}

/** The state of a page. */
export function pageState<S extends object>(doc: Pick<DocumentPages, 'pages'>, { id, initial }: PageAddress<S>): S {
  return (doc.pages[id] as S | undefined) ?? initial;
}

/** The document at this page with this state; members that are not given have their initial value. */
export function withPage<D extends DocumentPages, S extends object>(
  doc: D,
  address: PageAddress<S>,
  state: Partial<S>,
): D {
  const { id, initial } = address;
  return { ...doc, view: id, pages: { ...doc.pages, [id]: { ...initial, ...state } } };
}

/** The document with further choices on a page, and with other members; an empty text resets a choice. */
export function withChosen<D extends DocumentPages, S extends { readonly choices: Choices }>(
  doc: D,
  address: PageAddress<S>,
  changed: Choices = {},
  others: Partial<S> = {},
): D {
  const state = pageState(doc, address);
  const all = Object.entries({ ...state.choices, ...changed }).filter(([, text]) => text !== '');
  return withPage(doc, address, { ...state, ...others, choices: Object.fromEntries(all) });
}
