import type { Pruning } from '../../engine/matrix/pruning-way.ts';
import {
  type Choices,
  choicePairs,
  type PlaceAddress,
  type PlaceEntry,
  placeState,
  readChoicePairs,
  type Shown,
  withPlace,
} from '../../state/index.ts';
import type { OldSubject } from '../../state/place-address.ts';
import type { Fields } from '../../state/url-fields.ts';

/** Addresses of what were questions, each with a page of its own, and is the page itself today. */
const ANSWERED: readonly string[] = ['', 'matrix', 'model'];

export interface Comparing {
  readonly choices: Choices;
}

/**
 * Pages that are folds today, and what the choices of their addresses are called there. What they asked about a density is
 * the word of the sentence.
 */
const FORMER: Readonly<Record<string, (choices: Choices) => Choices>> = {
  density(choices) {
    const { sort = '', side = '', matrix, rows = '4096', cols = '11008' } = choices;
    return {
      ...without(choices, ['at', 'way', 'sort', 'side', 'matrix', 'rows', 'cols']),
      fold: side === '' ? 'forms' : 'devices',
      ...(matrix !== 'stage' && { matrix: 'generated', rows, cols }),
      ...(sort !== '' && { ranked: sort }),
      ...(side !== '' && side !== 'open' && { side }),
    };
  },
};

function without(choices: Choices, names: readonly string[]): Choices {
  return Object.fromEntries(Object.entries(choices).filter(([name]) => !names.includes(name)));
}

const FIRST: Comparing = { choices: {} };

/** `#2/compare?x.NAME=...`; what follows in the path of older addresses was a question. */
export const COMPARING: PlaceAddress<Comparing> = {
  id: 'compare',
  initial: FIRST,
  keys: [],
  hasPath: true,
  path: () => '',
  pairs: ({ choices }) => choicePairs(choices),
  read(path, fields) {
    const choices = readChoicePairs(fields);
    if (Object.hasOwn(FORMER, path)) return { choices: FORMER[path](choices) };
    if (ANSWERED.includes(path)) return { choices: withoutOld(path, choices) };
    const known = [...ANSWERED, ...Object.keys(FORMER)].filter((one) => one !== '').join(', ');
    fields.problem('question', path, `one of ${known}`, 'all formats are shown');
    return FIRST;
  },
  subject: (path, fields) => (path === 'model' ? oldModel(fields) : path === 'density' ? oldDensity(fields) : null),
  merge: (read) => read,
  isEntry: (before, after) => before !== after,
};

/** What the page of a model called a few things. */
const OLD_OF_MODEL = ['model', 'density', 'format', 'tokens', 'reads'];

/** What the page of a matrix called the orders that are gone. */
const OLD_SORTS = ['bits', 'padding', 'encode', 'error', 'speed', 'size'];

function withoutOld(path: string, choices: Choices): Choices {
  if (path === 'model') return without(choices, OLD_OF_MODEL);
  if (path === 'matrix' && OLD_SORTS.includes(choices.sort ?? '')) return {};
  return choices;
}

/**
 * The model of an address of that page: a listed one by its name, another by its sizes, as in the sentence. It was pruned
 * to `x.density`, and stored in `x.format`.
 */
function oldModel(fields: Fields): OldSubject {
  const choice = <T>(name: string, read: (text: string) => T | null): T | null => fields.read(`x.${name}`, read, true);
  const name = choice('model', (text) => text) ?? 'Llama-2-7B';
  const model = /^\d+-/.test(name) ? name : name.toLowerCase().replaceAll(/[^a-z0-9.]+/g, '-');
  const density = choice('density', (text) => fields.number('x.density', text, 0.01, 1, 0.5)) ?? 0.5;
  return {
    source: { kind: 'pruned', base: { kind: 'model', model }, pruning: { way: 'magnitude', density } },
    format: choice('format', (text) => text),
    tokens: choice('tokens', (text) => fields.whole('x.tokens', text, 1, 128, 1)),
  };
}

/** The density that the page of densities was at, which is now what is left of the matrix; null where its address named none. */
function oldDensity(fields: Fields): OldSubject | null {
  const at = fields.read('x.at', (text) => fields.number('x.at', text, 1e-4, 1, 0.3), true);
  if (at === null) return null;
  const way = fields.read('x.way', (text) => text, true);
  const pruning: Pruning =
    way === 'n-of-m'
      ? { way, kept: Math.max(1, Math.round(8 * at)), group: 8 }
      : way === 'magnitude' || way === 'rows'
        ? { way, density: at }
        : { way: 'random', density: at, seed: 1 };
  return { source: null, pruning, format: null, tokens: null };
}

/** Compare with further choices; an empty text resets one. */
export function withChosen<D extends Shown>(doc: D, changed: Choices = {}): D {
  const all = { ...placeState(doc, COMPARING).choices, ...changed };
  return withPlace(doc, COMPARING, {
    choices: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== '')),
  });
}

export const COMPARE: PlaceEntry = {
  id: COMPARING.id,
  title: 'Compare',
  formerly: 'explore',
  address: COMPARING,
  comparesFormats: true,
  links: { formats: (doc) => withChosen(doc) },
};
