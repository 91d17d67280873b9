// Regular expressions that recognise the sentences of a tale.

import { type SlotTexts } from '../grammar/world.ts';
import { ADULTS, CHILDREN } from '../words/people.ts';
import { SETTINGS } from '../words/places.ts';
import { NOUNS } from '../words/things.ts';

/** A text with a capital as its first letter. */
export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The texts of a slot that allows only one. */
export const oneText = (kind: string, text: string): SlotTexts => ({ kind, texts: [text], weights: null, bind: null });

/** In patterns, one sign stands for each long list of words, which keeps them short. */
const SIGNS = new Map<string, string>();
for (const { in: where, into } of SETTINGS.flatMap(({ spots }) => spots)) SIGNS.set(where, '§').set(into, '§');
for (const { where } of SETTINGS.flatMap(({ hides }) => hides)) SIGNS.set(where, '§');
for (const { name } of ADULTS) SIGNS.set(name, '~');
for (const [text, sign] of SIGNS) SIGNS.set(capitalised(text), sign);
for (const { name } of CHILDREN) SIGNS.set(name, '@');
for (const noun of NOUNS) SIGNS.set(noun, '#');
const SIGNED = new RegExp(`\\b(?:${[...SIGNS.keys()].toSorted((a, b) => b.length - a.length).join('|')})\\b`, 'g');

/** A text in the form for patterns: ~ for the name of an adult, @ of a child, # for a noun, § for a spot or hiding place. */
export const withSigns = (text: string): string => text.replace(SIGNED, (found) => SIGNS.get(found) ?? found);

/** A regular expression for what `withSigns` makes of this text. */
export const literalPattern = (text: string): string => withSigns(text).replace(/[.?*+()[\]]/g, '\\$&');

/** A regular expression for any of the texts. */
export function anyOf(texts: readonly string[]): string {
  const all = [...new Set(texts.map(literalPattern))].toSorted((a, b) => b.length - a.length);
  return all.length === 1 ? all[0] : `(?:${all.join('|')})`;
}
