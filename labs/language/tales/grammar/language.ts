// A language of tales: a grammar with slots, from which texts are drawn (draw-text.ts) and parsed (parse.ts).

import type { Node, Option } from './grammar.ts';
import type { Slot, World } from './world.ts';

/** A language: a grammar, texts for its slots (gaps in a sentence), and how each sentence changes the facts so far. */
export interface Language {
  readonly root: readonly Node[];
  readonly slots: Readonly<Record<string, Slot>>;
  readonly beginSentence: (world: World) => void;
}

/** The slot of this name. Throws Error if the language has none. */
export function slotOf(language: Language, name: string): Slot {
  const slot = language.slots[name];
  if (!slot) throw new Error(`slot: found '${name}', expected one of the language`);
  return slot;
}

/** Writes the weights of a choice in this world to `into`; returns their sum. */
export function weigh(options: readonly Option[], world: World, into: number[]): number {
  let sum = 0;
  into.length = options.length;
  for (let i = 0; i < options.length; i++) {
    const { weight } = options[i];
    const value = typeof weight === 'number' ? weight : weight(world);
    into[i] = value;
    sum += value;
  }
  return sum;
}
