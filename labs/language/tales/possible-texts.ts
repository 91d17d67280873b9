// The sentences and words that any tale can have, whatever its facts.

import { withPlaceholders } from './facts/patterns.ts';
import type { Node } from './grammar/grammar.ts';
import { patternOf, TALES } from './tale.ts';
import { ADULTS, CHILDREN } from './words/people.ts';
import { SETTINGS } from './words/places.ts';
import { NOUNS } from './words/things.ts';

/** The space between two sentences; `"Why?" asked Tom.` is a single sentence. */
const SENTENCE_BREAK = /(?<=[.!?]"?) (?=["A-Z])/;
/** Attributes of slots that write a capital, and slots whose text is a name. */
const CAPITAL_ATTRIBUTES = ['S', 'Cap', 'He', 'His', 'The', 'In', 'C', 'A', 'Ac', 'WhoAnswer', 'Mine', 'My'];
const NAME_SLOTS = ['A', 'B', 'C', 'o', 'f', 'g', 'w', 'l', 'petName'];

/** Whether a node's text begins with a capital or a quote. */
function startsWithCapital(node: Node | undefined): boolean {
  if (node?.type === 'text') return /^["A-Z]/.test(node.text);
  if (node?.type === 'slot') {
    const { name, attribute } = node;
    return (
      CAPITAL_ATTRIBUTES.includes(attribute) || (NAME_SLOTS.includes(name) && (attribute === '' || attribute === 'own'))
    );
  }
  return node?.type === 'choice' && startsWithCapital(node.options[0].nodes[0]);
}

/** The sentences of a form (sentences with slots), each as a pattern of all its possible texts. */
function sentencesOf(nodes: readonly Node[]): string[] {
  const sentences: string[] = [];
  let pattern = '';
  nodes.forEach((node, i) => {
    if (node.type !== 'text') {
      pattern += patternOf([node], TALES.slots);
      return;
    }
    const parts = node.text.split(SENTENCE_BREAK);
    const last = parts.length - 1;
    // A sentence ends with this text, and the next one begins with a slot or a choice.
    if (/[.!?]"? $/.test(parts[last]) && startsWithCapital(nodes[i + 1])) parts.push('');
    parts.forEach((part, j) => {
      pattern += patternOf([{ type: 'text', text: j < parts.length - 1 ? part.trimEnd() : part }], TALES.slots);
      if (j < parts.length - 1) {
        sentences.push(pattern);
        pattern = '';
      }
    });
  });
  if (pattern) sentences.push(pattern);
  return sentences;
}

/** Adds the patterns of all sentences below these nodes to `into`, and returns it. */
function collect(nodes: readonly Node[], into: Set<string>): Set<string> {
  nodes.forEach((node, i) => {
    if (node.type === 'when') {
      collect(node.yes, into);
      collect(node.no, into);
    } else if (node.type === 'choice') {
      const isSentenceStart = nodes[i - 1]?.type === 'begin';
      for (const option of node.options) {
        if (isSentenceStart) for (const sentence of sentencesOf(option.nodes)) into.add(sentence);
        else collect(option.nodes, into);
      }
    }
  });
  return into;
}

/** Texts for which patterns have a placeholder (facts/patterns.ts). */
const PLACEHOLDER_TEXTS: readonly string[] = [
  ...CHILDREN.map(({ name }) => name),
  ...ADULTS.map(({ name }) => name),
  ...NOUNS,
  ...SETTINGS.flatMap(({ hides, spots }) => [
    ...hides.map(({ where }) => where),
    ...spots.flatMap((spot) => [spot.in, spot.into]),
  ]),
];

interface PossibleTexts {
  readonly sentences: readonly RegExp[];
  readonly words: ReadonlySet<string>;
}

let cachedTexts: PossibleTexts | null = null;

/** Every possible sentence of any tale, and every word; computed when first needed. */
function possibleTexts(): PossibleTexts {
  if (!cachedTexts) {
    const patterns = [...collect(TALES.root, new Set())];
    const words = new Set(patterns.join(' ').match(/[A-Za-z][A-Za-z'-]*/g));
    for (const text of PLACEHOLDER_TEXTS) for (const word of text.split(' ')) words.add(word);
    for (const { name } of CHILDREN) words.add(`${name}'s`);
    cachedTexts = { sentences: patterns.map((pattern) => new RegExp(`^(?:${pattern})$`)), words };
  }
  return cachedTexts;
}

/** The words of tales, with capitals as in the middle of a sentence. */
export const vocabulary = (): ReadonlySet<string> => possibleTexts().words;

/** Whether tales have this word, possibly as the first of a sentence. */
export function isWord(word: string): boolean {
  const { words } = possibleTexts();
  return words.has(word) || (/^[A-Z]/.test(word) && words.has(word.charAt(0).toLowerCase() + word.slice(1)));
}

/** Whether some tale could contain this sentence, for any facts. */
export function isSentence(sentence: string): boolean {
  const text = withPlaceholders(sentence);
  return possibleTexts().sentences.some((pattern) => pattern.test(text));
}

/** A range of a text, in characters. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** The ranges of a text's sentences. */
export function sentenceRanges(text: string): Range[] {
  let start = 0;
  return text.split(SENTENCE_BREAK).map((sentence) => {
    const range = { start, end: start + sentence.length };
    start = range.end + 1;
    return range;
  });
}
