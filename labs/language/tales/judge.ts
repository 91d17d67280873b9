// Judges whether a text is a tale: finds the first sentence that breaks a law, such as spelling or the facts so far.

import { parse, type ParseGoal, type ParseResult } from './grammar/parse.ts';
import { TALES } from './tale.ts';
import { ADULTS, CHILDREN, FAMILY } from './words/people.ts';
import { SETTINGS, TOOLS } from './words/places.ts';
import {
  BRUSHES,
  COUNTED,
  EVENTS,
  FOODS,
  GAMES,
  GLUES,
  GOALS,
  HOBBIES,
  JOBS,
  LANDMARKS,
  LANDS,
  MONTHS,
  NUMBERS,
  PEAS,
  PET_NAMES,
  PETS,
  PIECES,
  PRIZES,
  RIDDLES,
  UNCOUNTED,
  WORN,
} from './words/short-lists.ts';
import { COLORS, NOUNS } from './words/things.ts';
import { isSentence, isWord, type Range, sentenceRanges } from './possible-texts.ts';

/** The rules that a text can break (laws), each with a description of the error. */
export const LAWS = {
  spelling: 'The language has no such word.',
  grammar: 'All words are known, but no tale has such a sentence.',
  owner: 'It belongs to somebody else.',
  name: 'It was somebody else.',
  pronoun: 'He or she is not clear here, or is the other one.',
  color: 'It has another color.',
  number: 'The number is wrong.',
  riddle: 'That is not the answer to the riddle.',
  place: 'It is somewhere else.',
  tool: 'It was done with something else.',
  thing: 'It was another thing.',
  order: 'The sentence is right, but cannot come here.',
  end: 'The tale stops too early, or goes on after its end.',
  undecided: 'The search was stopped before it had an answer.',
} as const;

export type Law = keyof typeof LAWS;

/** The first law that a text breaks, and where. */
interface Broken {
  readonly law: Law;
  /** Position in the text, in characters. */
  readonly offset: number;
  /** The sentence that breaks it: its index, from 0, and its range. */
  readonly sentence: number;
  readonly range: Range;
  /** The word at the offset; empty at the end. */
  readonly found: string;
  /** Expected texts: a few words. */
  readonly wanted: readonly string[];
}

/** The result of `judge`; `sentences`: their number. */
export interface Verdict {
  /** Null: some tale equals this or, if the text is unfinished, could begin like this. */
  readonly broken: Broken | null;
  readonly sentences: number;
}

/** Characters that are judged, from the start of a text: no tale has half as many. */
export const MAX_JUDGED = 4000;
const MAX_WANTED = 6;
const WORD = /[A-Za-z][A-Za-z'-]*/;
/** The laws about facts, in the order in which `factLaw` tries them. */
const FACT_LAWS = ['owner', 'name', 'pronoun', 'color', 'number', 'thing', 'riddle', 'place', 'tool'] as const;
type FactLaw = (typeof FACT_LAWS)[number];

/** Words that carry no fact. */
const COMMON = new Set('a an the of in on to and at by under behind with two your bit'.split(' '));
const wordsOf = (texts: readonly string[]): Set<string> =>
  new Set(texts.flatMap((text) => text.split(' ')).filter((word) => !COMMON.has(word)));

/** The words that state a fact, by the law that a wrong fact breaks. */
const WORDS_OF_LAWS: Readonly<Record<FactLaw, ReadonlySet<string>>> = {
  owner: new Set(['mine', 'yours', 'my', 'your', 'Mine']),
  name: new Set(
    [...CHILDREN, ...ADULTS]
      .flatMap(({ name }) => name.split(' '))
      .concat(FAMILY, PET_NAMES, 'I', 'you')
      .filter((word) => word !== 'the'),
  ),
  pronoun: new Set(['he', 'she', 'his', 'her', 'him', 'himself', 'herself', 'boy', 'girl']),
  color: new Set<string>(COLORS),
  number: new Set<string>(NUMBERS),
  riddle: wordsOf(RIDDLES.map(({ answer }) => answer)),
  place: new Set([
    ...wordsOf([...GOALS, ...LANDMARKS, ...LANDS]),
    ...wordsOf(
      SETTINGS.flatMap(({ name, spots, hides }) => [
        name,
        ...spots.flatMap((spot) => [spot.into, spot.in]),
        ...hides.map(({ where }) => where),
      ]),
    ),
    'under',
    'behind',
    'among',
    'left',
    'middle',
    'right',
    'in',
    'on',
  ]),
  tool: wordsOf([
    ...Object.values(TOOLS)
      .flat()
      .map(({ a }) => a),
    ...GLUES,
    ...BRUSHES,
  ]),
  thing: wordsOf([
    ...NOUNS,
    ...FOODS,
    ...PEAS,
    ...PETS,
    ...EVENTS,
    ...GAMES,
    ...PRIZES,
    ...PIECES,
    ...COUNTED,
    ...UNCOUNTED,
    ...HOBBIES,
    ...JOBS,
    ...MONTHS,
    ...WORN,
  ]),
};

/** The laws that this word can break by a wrong fact: color, name, ... */
function lawsOf(word: string): ReadonlySet<FactLaw> {
  const laws = new Set<FactLaw>();
  const isOwner = word.endsWith("'s");
  const bare = isOwner ? word.slice(0, -2) : word;
  const lowerCase = bare.charAt(0).toLowerCase() + bare.slice(1);
  const capitalised = bare.charAt(0).toUpperCase() + bare.slice(1);
  if (isOwner) laws.add('owner');
  for (const law of FACT_LAWS) {
    const words = WORDS_OF_LAWS[law];
    // Answers to riddles begin with a capital, as a sentence of their own.
    if (words.has(bare) || words.has(lowerCase) || (law === 'riddle' && words.has(capitalised))) laws.add(law);
  }
  return laws;
}

/** The fact that an otherwise correct sentence gets wrong: the expected and the found words belong to the same law. */
function factLaw(word: string, position: number, goals: readonly ParseGoal[]): FactLaw | null {
  const foundLaws = lawsOf(word);
  if (foundLaws.size === 0) return null;
  const goalWords = goals.map((goal) => ({
    kind: goal.kind,
    laws: lawsOf(WORD.exec(goal.text.slice(position - goal.offset))?.[0] ?? ''),
  }));
  // The slot decides if the word could belong to several laws.
  for (const law of FACT_LAWS)
    if (foundLaws.has(law) && goalWords.some((goalWord) => goalWord.kind === law && goalWord.laws.has(law))) return law;
  for (const law of FACT_LAWS)
    if (foundLaws.has(law) && goalWords.some((goalWord) => goalWord.laws.has(law))) return law;
  const expectsPerson = goalWords.some((goalWord) => goalWord.laws.has('name') || goalWord.laws.has('pronoun'));
  if (expectsPerson && foundLaws.has('owner')) return 'owner';
  if (expectsPerson && foundLaws.has('pronoun')) return 'pronoun';
  return expectsPerson && foundLaws.has('name') ? 'name' : null;
}

/**
 * Parses a text as a tale, and reports the first law that the text breaks, if any. An unfinished text may end anywhere,
 * even within a word.
 */
export function judge(written: string, { unfinished = false }: { readonly unfinished?: boolean } = {}): Verdict {
  const text = written.slice(0, MAX_JUDGED);
  const parsed = parse(TALES, text, { unfinished, first: true });
  const ranges = sentenceRanges(text);
  if (parsed.paths > 0) return { broken: null, sentences: ranges.length };

  const atEnd = parsed.reach >= text.length;
  // Between two words, the next one is wrong.
  const errorStart = !atEnd && text[parsed.reach] === ' ' ? parsed.reach + 1 : parsed.reach;
  const index = Math.max(
    0,
    ranges.findIndex((range, i) => errorStart < range.end || i === ranges.length - 1),
  );
  const range = ranges[index];
  const wrongWord = atEnd ? '' : (/^(?:[A-Za-z][A-Za-z'-]*|\S)/.exec(text.slice(errorStart))?.[0] ?? '');
  const broken = (
    law: Law,
    offset = errorStart,
    word = wrongWord,
    wanted = wantedWords(parsed.expected, errorStart),
  ): Verdict => ({
    broken: { law, offset, sentence: index, range, found: word, wanted },
    sentences: ranges.length,
  });

  if (!parsed.complete) return broken('undecided');
  if (atEnd || parsed.expected.some((goal) => goal.kind === 'end')) return broken('end');
  const sentence = text.slice(range.start, range.end);
  const unknownWord = [...sentence.matchAll(new RegExp(WORD, 'g'))].find((match) => !isWord(match[0]));
  // The last sentence of an unfinished text may end within a word.
  const breaksOff = unfinished && range.end === text.length && !/[.!?]"?$/.test(sentence);
  if (unknownWord && !(breaksOff && range.start + unknownWord.index + unknownWord[0].length === text.length)) {
    const offset = range.start + unknownWord.index;
    return broken('spelling', offset, unknownWord[0], offset === errorStart ? undefined : []);
  }
  if (!breaksOff && !isSentence(sentence)) return broken('grammar');
  return broken(factLaw(wrongWord, errorStart, parsed.expected) ?? (breaksOff ? 'grammar' : 'order'));
}

/** Bits of information in a tale, over all derivations: on average no model needs fewer. Infinity for other texts. */
export function exactBits(text: string): Pick<ParseResult, 'bits' | 'complete'> {
  return text.length > MAX_JUDGED ? { bits: Infinity, complete: true } : parse(TALES, text);
}

/** The first words of the expected texts, facts first. */
function wantedWords(goals: readonly ParseGoal[], position: number): string[] {
  const words = goals
    .toSorted((a, b) => Number(a.kind === 'text') - Number(b.kind === 'text'))
    .map(
      (goal) => /^\s*("?[A-Za-z][A-Za-z'-]*|\S)/.exec(goal.text.slice(Math.max(0, position - goal.offset)))?.[1] ?? '',
    );
  return [...new Set(words)].filter(Boolean).slice(0, MAX_WANTED);
}
