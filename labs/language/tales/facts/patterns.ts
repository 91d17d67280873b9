// Regular expressions for the sentences of a tale, a short story from a grammar. A slot is a gap in a sentence.

import { type SlotTexts } from '../grammar/world.ts';
import { ADULTS, CHILDREN } from '../words/people.ts';
import { SETTINGS } from '../words/places.ts';
import { NOUNS } from '../words/things.ts';

/** A text with a capital as its first letter. */
export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A slot that allows only this text. */
export const oneText = (kind: string, text: string): SlotTexts => ({ kind, texts: [text], weights: null, bind: null });

/** For each text of a long list, the symbol of the whole list in patterns, which keeps them short. */
const SYMBOLS = new Map<string, string>();
for (const { in: where, into } of SETTINGS.flatMap(({ spots }) => spots)) SYMBOLS.set(where, '§').set(into, '§');
for (const { where } of SETTINGS.flatMap(({ hides }) => hides)) SYMBOLS.set(where, '§');
for (const { name } of ADULTS) SYMBOLS.set(name, '~');
for (const [text, symbol] of SYMBOLS) SYMBOLS.set(capitalised(text), symbol);
for (const { name } of CHILDREN) SYMBOLS.set(name, '@');
for (const noun of NOUNS) SYMBOLS.set(noun, '#');
const LISTED = new RegExp(`\\b(?:${[...SYMBOLS.keys()].toSorted((a, b) => b.length - a.length).join('|')})\\b`, 'g');

/** A text with ~ for the name of an adult, @ of a child, # for a thing, § for where a thing is stuck or hidden. */
export const withPlaceholders = (text: string): string => text.replace(LISTED, (word) => SYMBOLS.get(word) ?? word);

/** A regular expression for what `withPlaceholders` makes of this text. */
export const literalPattern = (text: string): string => withPlaceholders(text).replace(/[.?*+()[\]]/g, '\\$&');

/** A regular expression for any of the texts. */
export function anyOf(texts: readonly string[]): string {
  const longestFirst = [...new Set(texts.map(literalPattern))].toSorted((a, b) => b.length - a.length);
  return longestFirst.length === 1 ? longestFirst[0] : `(?:${longestFirst.join('|')})`;
}
