import { type Node } from './grammar/grammar.ts';
import { signed } from './facts/patterns.ts';
import { patternOf, TALES } from './tale.ts';
import { ADULTS, CHILDREN } from './words/people.ts';
import { SETTINGS } from './words/places.ts';
import { NOUNS } from './words/things.ts';

/** Where one sentence ends and the next begins: `"Why?" asked Tom.` is one. */
const BETWEEN = /(?<=[.!?]"?) (?=["A-Z])/;
const CAPITAL_ATTRIBUTES = ['S', 'Cap', 'He', 'His', 'The', 'In', 'C', 'A', 'Ac', 'Who', 'Mine', 'My'];
const NAMES = ['A', 'B', 'C', 'o', 'f', 'g', 'w', 'l', 'petName'];

/** Whether what a node says begins with a capital or a quote. */
function isCapital(node: Node | undefined): boolean {
  if (node?.type === 'text') return /^["A-Z]/.test(node.text);
  if (node?.type === 'slot') {
    const { name, attribute } = node;
    return (
      CAPITAL_ATTRIBUTES.includes(attribute) || (NAMES.includes(name) && (attribute === '' || attribute === 'own'))
    );
  }
  return node?.type === 'choice' && isCapital(node.options[0].nodes[0]);
}

/** The sentences of a form, each as an expression of all that it can say. */
function sentencesOf(nodes: readonly Node[]): string[] {
  const sentences: string[] = [];
  let pattern = '';
  nodes.forEach((node, i) => {
    if (node.type !== 'text') {
      pattern += patternOf([node], TALES.slots);
      return;
    }
    const parts = node.text.split(BETWEEN);
    const last = parts.length - 1;
    // A sentence that ends with this text: what follows it is a slot.
    if (/[.!?]"? $/.test(parts[last]) && isCapital(nodes[i + 1])) parts.push('');
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

function collect(nodes: readonly Node[], into: Set<string>): Set<string> {
  nodes.forEach((node, i) => {
    if (node.type === 'when') {
      collect(node.yes, into);
      collect(node.no, into);
    } else if (node.type === 'choice') {
      const isSaid = nodes[i - 1]?.type === 'begin';
      for (const option of node.options) {
        if (isSaid) for (const sentence of sentencesOf(option.nodes)) into.add(sentence);
        else collect(option.nodes, into);
      }
    }
  });
  return into;
}

/** What patterns have only a sign for. */
const LISTED: readonly string[] = [
  ...CHILDREN.map(({ name }) => name),
  ...ADULTS.map(({ name }) => name),
  ...NOUNS,
  ...SETTINGS.flatMap(({ hides, spots }) => [
    ...hides.map(({ where }) => where),
    ...spots.flatMap((spot) => [spot.in, spot.into]),
  ]),
];

interface Sayable {
  readonly sentences: readonly RegExp[];
  readonly words: ReadonlySet<string>;
}

let sayable: Sayable | null = null;

/** Every sentence that any tale may hold, and every word; made when first needed. */
function all(): Sayable {
  if (!sayable) {
    const patterns = [...collect(TALES.root, new Set())];
    const words = new Set(patterns.join(' ').match(/[A-Za-z][A-Za-z'-]*/g));
    for (const text of LISTED) for (const word of text.split(' ')) words.add(word);
    for (const { name } of CHILDREN) words.add(`${name}'s`);
    sayable = { sentences: patterns.map((pattern) => new RegExp(`^(?:${pattern})$`)), words };
  }
  return sayable;
}

/** Words that tales are made of, capitals as they are in the middle of a sentence. */
export const vocabulary = (): ReadonlySet<string> => all().words;

/** The language has this word, which may be the first of a sentence. */
export function isWord(word: string): boolean {
  const { words } = all();
  return words.has(word) || (/^[A-Z]/.test(word) && words.has(word.charAt(0).toLowerCase() + word.slice(1)));
}

/** Some tale could say this, whatever the facts are. */
export function isSentence(sentence: string): boolean {
  const text = signed(sentence);
  return all().sentences.some((pattern) => pattern.test(text));
}

export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Where the sentences of a text are. */
export function sentenceRanges(text: string): Range[] {
  let start = 0;
  return text.split(BETWEEN).map((sentence) => {
    const range = { start, end: start + sentence.length };
    start = range.end + 1;
    return range;
  });
}
