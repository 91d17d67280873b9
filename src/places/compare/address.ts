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

/** Questions with an address of their own, until the page answers them in its folds. */
export const QUESTIONS = ['windows'] as const;

/** Addresses of questions that the page itself answers. */
const ANSWERED: readonly string[] = ['', 'matrix', 'model'];

/** '': the page itself, all formats ranked for the sentence. */
export type Question = '' | (typeof QUESTIONS)[number];

export interface Comparing {
  readonly question: Question;
  /** of each question visited; only its page knows how to read them */
  readonly choices: Readonly<Partial<Record<Question, Choices>>>;
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
  network(choices) {
    const { formats = '' } = choices;
    return {
      ...without(choices, ['at', 'formats']),
      fold: 'accuracy',
      digits: 'yes',
      ...(formats !== '' && { tried: formats }),
    };
  },
};

function without(choices: Choices, names: readonly string[]): Choices {
  return Object.fromEntries(Object.entries(choices).filter(([name]) => !names.includes(name)));
}

const FIRST: Comparing = { question: '', choices: {} };

/** `#2/compare?x.NAME=...`, or `#2/compare/QUESTION?x.NAME=...`; choices of hidden questions stay with the page. */
export const COMPARING: PlaceAddress<Comparing> = {
  id: 'compare',
  initial: FIRST,
  keys: [],
  hasPath: true,
  path: ({ question }) => question,
  pairs: ({ question, choices }) => choicePairs(choices[question] ?? {}),
  read(path, fields) {
    if (Object.hasOwn(FORMER, path)) {
      return { question: '', choices: { '': FORMER[path](readChoicePairs(fields)) } };
    }
    const question = ANSWERED.includes(path) ? '' : QUESTIONS.find((q) => q === path);
    if (question === undefined) {
      fields.problem('question', path, `one of ${QUESTIONS.join(', ')}`, 'all formats are shown');
      return FIRST;
    }
    const choices = withoutOld(path, readChoicePairs(fields));
    return { question, choices: Object.keys(choices).length === 0 ? {} : { [question]: choices } };
  },
  subject: (path, fields) => (path === 'model' ? oldModel(fields) : null),
  merge: (read, before) => ({ ...read, choices: { ...before.choices, ...read.choices } }),
  isEntry: (before, after) => before !== after,
};

/** What the page of a model called a few things. */
const OLD_OF_MODEL = ['model', 'density', 'format', 'tokens', 'reads'];

/** What the page of a matrix called the orders that are gone. */
const OLD_SORTS = ['bits', 'padding', 'encode', 'error', 'speed', 'size'];

function withoutOld(path: string, choices: Choices): Choices {
  if (path === 'model')
    return Object.fromEntries(Object.entries(choices).filter(([key]) => !OLD_OF_MODEL.includes(key)));
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

/** A question with further choices for it; an empty text resets a choice. */
export function withQuestion<D extends Shown>(doc: D, question: Question, changed: Choices = {}): D {
  const all = placeState(doc, COMPARING).choices;
  const after = Object.entries({ ...all[question], ...changed }).filter(([, value]) => value !== '');
  return withPlace(doc, COMPARING, { question, choices: { ...all, [question]: Object.fromEntries(after) } });
}

export const COMPARE: PlaceEntry = {
  id: COMPARING.id,
  title: 'Compare',
  formerly: 'explore',
  address: COMPARING,
  comparesFormats: true,
  links: {
    formats: (doc) => withQuestion(doc, ''),
    question(doc, { id, choices }) {
      if (Object.hasOwn(FORMER, id)) return withQuestion(doc, '', FORMER[id](choices));
      const question = ANSWERED.includes(id) ? '' : QUESTIONS.find((known) => known === id);
      return question !== undefined ? withQuestion(doc, question, choices) : null;
    },
  },
};
