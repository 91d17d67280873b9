// The grammar of tales, the short stories that this lab's language models are trained on and judged by.

import { act, maybe, when, type Form, type Node, type Option } from './grammar/grammar.ts';
import { type Language } from './grammar/language.ts';
import { type Slot, type World } from './grammar/world.ts';
import { literalPattern } from './facts/patterns.ts';
import { beginText } from './facts/person-slots.ts';
import { factSlot, SLOTS } from './facts/slots.ts';
import { PLOTS } from './plots/plots.ts';

// The parts of a tale: an opening, two episodes with asides, an evening with questions, and a closing.
const { opening, aside, evening, closing } = PLOTS.parts;

/** One of the episodes that suit the facts so far and are not in the tale yet. */
const episode: Node[] = [
  {
    type: 'choice',
    options: PLOTS.episodes.map(({ name, weight, length, suits, steps }): Option => ({
      weight: (world: World) => (!world.has(`told.${name}`) && suits(world) ? weight : 0),
      nodes: [
        ...act((world) => {
          world.set(`told.${name}`, true);
          world.set('length', (world.get<number>('length') ?? 0) + length);
        }),
        ...steps,
      ],
      lead: '', // its text has no fixed beginning
    })),
  },
];

/** An aside with this probability, if the episodes so far have at most about `max` sentences. */
const asideUpTo = (max: number, probability: number): Node[] =>
  when((world) => (world.get<number>('length') ?? 0) <= max, maybe(probability, aside));

const root: readonly Node[] = [
  ...opening,
  ...episode,
  ...asideUpTo(2, 0.7),
  ...episode,
  ...asideUpTo(4, 0.6),
  ...when((world) => (world.get<number>('length') ?? 0) <= 2, aside),
  ...evening,
  ...closing,
];

/**
 * Adds to `into` the forms (sentences with slots) of all questions about facts (`index` 0), or of their answers (1).
 */
function factForms(nodes: readonly Node[], index: 0 | 1, into: Set<Form>): Set<Form> {
  for (const node of nodes) {
    if (node.type === 'act' && node.forms.length > 0) into.add(node.forms[index]);
    else if (node.type === 'choice') for (const { nodes: inner } of node.options) factForms(inner, index, into);
    else if (node.type === 'when') {
      factForms(node.yes, index, into);
      factForms(node.no, index, into);
    }
  }
  return into;
}

/** Patterns of slots (gaps in sentences), by attribute, computed once: slots occur in hundreds of forms. */
const slotPatterns = new WeakMap<Slot, Map<string, string>>();
function slotPattern(slot: Slot, attribute: string): string {
  const byAttribute = slotPatterns.get(slot) ?? new Map<string, string>();
  slotPatterns.set(slot, byAttribute);
  const pattern = byAttribute.get(attribute) ?? slot.pattern(attribute);
  byAttribute.set(attribute, pattern);
  return pattern;
}

/** Returns a regular expression that matches every text of these nodes in any tale. */
export function patternOf(nodes: readonly Node[], slots: Language['slots']): string {
  return nodes
    .map((node) => {
      switch (node.type) {
        case 'text':
          return literalPattern(node.text);
        case 'slot':
          return slotPattern(slots[node.name], node.attribute);
        case 'choice':
          return `(?:${node.options.map((option) => patternOf(option.nodes, slots)).join('|')})`;
        default:
          return '';
      }
    })
    .join('');
}

let patterns: { readonly questions: string; readonly answers: string } | null = null;

/** Patterns for all questions and answers about facts, computed when first needed. */
function factPatterns(): { readonly questions: string; readonly answers: string } {
  const alternatives = (index: 0 | 1): string =>
    `(?:${[...factForms(root, index, new Set())].map((form) => patternOf(form.nodes, SLOTS)).join('|')})`;
  patterns ??= { questions: alternatives(0), answers: alternatives(1) };
  return patterns;
}

/** The language of all tales: its grammar, its slots, and how a sentence begins. */
export const TALES: Language = { root, slots: { ...SLOTS, fact: factSlot(factPatterns) }, beginSentence: beginText };
