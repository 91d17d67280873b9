// The judge of tales: it accepts generated tales, and finds every kind of planted error.

import { describe, expect, it } from 'vitest';
import { Random } from '../../../src/core/number/random.ts';
import { drawTale } from './draw.ts';
import { judge, type Law, LAWS } from './judge.ts';
import { isWord, sentenceRanges } from './possible-texts.ts';
import { CHILDREN } from './words/people.ts';
import { NUMBERS, RIDDLES } from './words/short-lists.ts';
import { SETTINGS, TOOLS } from './words/places.ts';
import { COLORS, NOUNS } from './words/things.ts';
import { cases } from '../../../test/scheduled.ts';

const TALES_OF_TEST = Array.from({ length: cases(500, 1000) }, (_, i) => drawTale('held-out', 7, i).text);

/** Returns a text with an error planted; null if the text has nothing that this error could change. */
type Damage = (text: string, random: Random) => string | null;

/** A random element. */
const anyOf = <T>(all: readonly T[], random: Random): T => all[random.below(all.length)];

/** The text with `replacement` of the last match; null if there is no match, or no different replacement. */
function replaceLast(
  text: string,
  pattern: RegExp,
  replacement: (match: RegExpExecArray) => string | null,
): string | null {
  const match = [...text.matchAll(pattern)].at(-1);
  if (!match) return null;
  const replaced = replacement(match);
  return replaced === null || replaced === match[0]
    ? null
    : text.slice(0, match.index) + replaced + text.slice(match.index + match[0].length);
}

/** Damage that replaces the last match of a pattern. */
const replacing =
  (pattern: RegExp, replacement: (match: RegExpExecArray) => string | null): Damage =>
  (text) =>
    replaceLast(text, pattern, replacement);

/** Words with a space on both sides, so that neither the first nor the last is damaged. */
const innerWords = (text: string): { readonly index: number; readonly word: string }[] =>
  [...text.matchAll(/(?<= )[a-z]{4,}(?= [a-z])/g)].map((match) => ({ index: match.index, word: match[0] }));

/** Damage to a random inner word, unless it becomes another word of the tales. */
const damagingWord =
  (damage: (word: string, random: Random) => string): Damage =>
  (text, random) => {
    const { index, word } = anyOf(innerWords(text), random);
    const damaged = damage(word, random);
    return isWord(damaged) ? null : text.slice(0, index) + damaged + text.slice(index + word.length);
  };

/** The text after a change of its list of sentences; null if the change does not apply. */
const withSentences = (text: string, change: (sentences: string[]) => string[] | null): string | null =>
  change(sentenceRanges(text).map(({ start, end }) => text.slice(start, end)))?.join(' ') ?? null;

/** The element of the list after `element`. */
const another = <T>(all: readonly T[], element: T): T => all[(all.indexOf(element) + 1) % all.length];
const HIDES = [...new Set(SETTINGS.flatMap(({ hides }) => hides.map(({ where }) => where)))];
const ANSWERS = RIDDLES.map(({ answer }) => answer);
const names = CHILDREN.map(({ name }) => name);
/** The names of children that occur in a text. */
const namesOf = (text: string): string[] => names.filter((name) => new RegExp(`\\b${name}\\b`).test(text));
/** A pattern that matches any of the words, longer ones first. */
const alternatives = (words: readonly string[]): string => words.toSorted((a, b) => b.length - a.length).join('|');

/** Kinds of errors by title: how they damage a text, and the laws that the judge may report as broken. */
const KINDS: Readonly<Record<string, readonly [Damage, readonly Law[]]>> = {
  'a letter too many': [damagingWord((word) => `${word.slice(0, 2)}q${word.slice(2)}`), ['spelling']],
  'a letter too few': [damagingWord((word) => word.slice(0, 1) + word.slice(2)), ['spelling']],
  'two halves of words': [
    damagingWord((word, random) => word.slice(0, 3) + anyOf(['ithing', 'ouldly', 'erfle'], random)),
    ['spelling'],
  ],
  'a word twice': [
    (text, random) => {
      const { index, word } = anyOf(innerWords(text), random);
      return `${text.slice(0, index)}${word} ${text.slice(index)}`;
    },
    ['grammar'],
  ],
  'a word left out': [
    (text, random) => {
      const shortWords = [...text.matchAll(/(?<=[a-z]) (?:the|was|had|to|of)(?= [a-z])/g)];
      const match = anyOf(shortWords, random);
      return text.slice(0, match.index) + text.slice(match.index + match[0].length);
    },
    ['grammar', 'order'],
  ],
  'two words swapped': [
    (text, random) => {
      const pairs = [...text.matchAll(/(?<=[a-z] )(\w{3,}) ([a-z]{3,})(?= [a-z])/g)].filter(
        (pair) => pair[1] !== pair[2],
      );
      const pair = anyOf(pairs, random);
      return `${text.slice(0, pair.index)}${pair[2]} ${pair[1]}${text.slice(pair.index + pair[0].length)}`;
    },
    ['grammar'],
  ],
  'the other article': [replacing(/\ban? (?=[a-z])/g, ([article]) => (article === 'a ' ? 'an ' : 'a ')), ['grammar']],
  'another tense': [replacing(/(?<=[a-z] )was(?= [a-z])/g, () => 'is'), ['grammar']],
  'a full stop left out': [replacing(/(?<=[a-z])\. (?=[A-Z])/g, () => ' '), ['grammar']],
  'a quote left out': [replacing(/(?<=[a-z])," /g, () => ', '), ['grammar']],
  'another color': [
    replacing(
      new RegExp(`(?<=\\b[Tt]he )(?:${alternatives(COLORS)})(?= (?:${alternatives(NOUNS)})\\b)`, 'g'),
      ([color]) => another(COLORS, color),
    ),
    ['color', 'order'],
  ],
  'the other child': [
    (text) => {
      const [firstName, secondName] = namesOf(text);
      return secondName
        ? replaceLast(text, new RegExp(`(?<=[a-z] )(?:${firstName}|${secondName})(?= [a-z]|\\.)`, 'g'), ([name]) =>
            name === firstName ? secondName : firstName,
          )
        : null;
    },
    ['name', 'order', 'color'],
  ],
  'a child nobody knows': [
    replacing(
      new RegExp(`(?<=[a-z] )(?:${alternatives(names)})(?= [a-z]|\\.)`, 'g'),
      ({ 0: name, input }) =>
        names.find((candidate) => candidate !== name && !namesOf(input).includes(candidate)) ?? null,
    ),
    ['name'],
  ],
  'he or she': [
    replacing(
      /(?<!" )\b(?:[Ss]?[Hh]e)(?= [a-z])/g,
      ([word]) => ({ he: 'she', she: 'he', He: 'She', She: 'He' })[word] ?? null,
    ),
    ['pronoun', 'name', 'order'],
  ],
  'another owner': [
    (text) => {
      const [firstName, secondName] = namesOf(text);
      return secondName
        ? replaceLast(text, new RegExp(`(?:${firstName}|${secondName})'s`, 'g'), ([own]) =>
            own === `${firstName}'s` ? `${secondName}'s` : `${firstName}'s`,
          )
        : null;
    },
    ['owner', 'order', 'name'],
  ],
  'another number': [
    replacing(
      new RegExp(
        `(?<=, so |and kept |That makes |Together, that was |"Now I have |made )(?:${alternatives(NUMBERS.slice(1))})\\b`,
        'g',
      ),
      ([n]) => another(NUMBERS.slice(2, 12), n),
    ),
    ['number'],
  ],
  'another hiding place': [
    replacing(new RegExp(`(?<=looked |searched |found it )(?:${alternatives(HIDES)})(?=\\.|,|\\?)`, 'g'), ([where]) =>
      another(HIDES, where),
    ),
    ['place', 'grammar', 'order'],
  ],
  'another tool': [
    (text) => {
      const tools = Object.values(TOOLS).flat();
      return replaceLast(
        text,
        new RegExp(`(?<=[Ww]ith )(?:${alternatives(tools.map((tool) => tool.the))})\\b`, 'g'),
        ([the]) => another(tools, tools.find((tool) => tool.the === the) ?? tools[0]).the,
      );
    },
    ['tool'],
  ],
  'another thing': [
    replacing(new RegExp(`(?<=(?:his|her|your|my) )(?:${alternatives(NOUNS)})(?= [a-z]|\\?|\\.)`, 'g'), ([noun]) =>
      another(NOUNS, noun as (typeof NOUNS)[number]),
    ),
    ['thing', 'order'],
  ],
  'another answer to the riddle': [
    replacing(
      new RegExp(`(?<= )"(?:${alternatives(ANSWERS)})(?=[!,])`, 'g'),
      ([answer]) => `"${another(ANSWERS, answer.slice(1))}`,
    ),
    ['riddle'],
  ],
  'two sentences swapped': [
    (text) =>
      withSentences(text, (sentences) => {
        const middle = sentences.length >> 1;
        [sentences[middle], sentences[middle + 1]] = [sentences[middle + 1], sentences[middle]];
        return sentences;
      }),
    ['order', 'pronoun', 'name', 'thing', 'place', 'color', 'owner', 'number', 'riddle', 'tool'],
  ],
  'a sentence twice': [
    (text) =>
      withSentences(text, (sentences) =>
        sentences.toSpliced(sentences.length >> 1, 0, sentences[sentences.length >> 1]),
      ),
    ['order', 'pronoun', 'name', 'owner', 'color', 'thing', 'number'],
  ],
  'the end left out': [(text) => withSentences(text, (sentences) => sentences.slice(0, -3)), ['end']],
  'more after the end': [(text) => `${text} Then Tom laughed.`, ['end', 'order']],
};

/** Number of errors of each kind that are planted. */
const MAX_PLANTED = cases(60, 80);
/** The number of planted errors that yield another possible tale, which the judge accepts. */
const MAY_BE_TALES: Readonly<Record<string, number>> = {
  'two sentences swapped': 2,
  'another color': 1,
  'another thing': 1,
};

function firstDifference(a: string, b: string): number {
  let i = 0;
  while (i < a.length && a[i] === b[i]) i++;
  return i;
}

describe('judge', () => {
  it('accepts generated tales', () => {
    for (const text of TALES_OF_TEST) {
      const { broken } = judge(text);
      expect(broken && { ...broken, text }).toBeNull();
    }
  });

  it.each(Object.keys(KINDS))('finds %s, and names the law', (kind) => {
    const [damage, laws] = KINDS[kind];
    let planted = 0;
    const missed: string[] = [];
    const underOtherLaws: string[] = [];
    TALES_OF_TEST.forEach((text, i) => {
      if (planted === MAX_PLANTED) return;
      const damaged = damage(text, new Random(i));
      if (damaged === null) return;
      planted++;
      const { broken } = judge(damaged);
      if (!broken) missed.push(damaged);
      else if (!laws.includes(broken.law))
        underOtherLaws.push(`${broken.law}: ${damaged.slice(broken.range.start, broken.range.end)}`);
      // The reported range does not end before the damage.
      else if (broken.offset < text.length)
        expect(broken.range.end).toBeGreaterThanOrEqual(firstDifference(text, damaged));
    });
    for (const law of laws) expect(LAWS[law]).toMatch(/\.$/);
    expect(planted).toBeGreaterThan(20);
    // One in twenty errors may be reported under a law that `laws` does not list.
    expect([missed.slice(MAY_BE_TALES[kind] ?? 0), underOtherLaws.slice(Math.floor(planted / 20))]).toEqual([[], []]);
  });
});
