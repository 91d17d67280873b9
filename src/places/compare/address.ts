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

/** Questions with an address of their own, until the page answers them in its folds. */
export const QUESTIONS = ['matrix', 'density', 'model', 'network', 'windows'] as const;

/** '': the page itself, all formats ranked for the sentence. */
export type Question = '' | (typeof QUESTIONS)[number];

export interface Comparing {
  readonly question: Question;
  /** of each question visited; only its page knows how to read them */
  readonly choices: Readonly<Partial<Record<Question, Choices>>>;
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
    const question = path === '' ? '' : QUESTIONS.find((q) => q === path);
    if (question === undefined) {
      fields.problem('question', path, `one of ${QUESTIONS.join(', ')}`, 'all formats are shown');
      return FIRST;
    }
    const choices = readChoicePairs(fields);
    return { question, choices: Object.keys(choices).length === 0 ? {} : { [question]: choices } };
  },
  merge: (read, before) => ({ ...read, choices: { ...before.choices, ...read.choices } }),
  isEntry: (before, after) => before !== after,
};

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
    question(doc, { id, choices }) {
      const question = QUESTIONS.find((known) => known === id);
      return question ? withQuestion(doc, question, choices) : null;
    },
  },
};
