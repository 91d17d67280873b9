// Draws random texts from a language.

import type { Random } from '../../../../src/core/number/random.ts';
import type { Node } from './grammar.ts';
import { type Language, slotOf, weigh } from './language.ts';
import { World } from './world.ts';

/** A text that was drawn from a grammar. */
export interface DrawnText {
  readonly text: string;
  /** Minus log2 of the probability of its choices. */
  readonly bits: number;
}

/** A random index, as likely as its weight; `sum`: of all weights. Throws Error if no weight is positive. */
function drawnIndex(random: Random, weights: readonly number[], sum: number): number {
  let x = random.uniform() * sum;
  let last = -1;
  for (let i = 0; i < weights.length; i++) {
    if (weights[i] <= 0) continue;
    last = i;
    x -= weights[i];
    if (x < 0) break;
  }
  if (last < 0) throw new Error('a choice of the grammar has no option here');
  return last;
}

/** Draws a random text, with the bits of its choices. */
export function drawText(language: Language, random: Random): DrawnText {
  const world = new World();
  const weights: number[] = [];
  let text = '';
  let bits = 0;
  const append = (nodes: readonly Node[]): void => {
    for (const node of nodes) {
      switch (node.type) {
        case 'text':
          text += node.text;
          break;
        case 'slot': {
          const slotTexts = slotOf(language, node.name).say(world, node.attribute);
          let i = 0;
          if (slotTexts.texts.length > 1) {
            if (slotTexts.weights) {
              const sum = slotTexts.weights.reduce((a, b) => a + b, 0);
              i = drawnIndex(random, slotTexts.weights, sum);
              bits -= Math.log2(slotTexts.weights[i] / sum);
            } else {
              i = random.below(slotTexts.texts.length);
              bits += Math.log2(slotTexts.texts.length);
            }
          }
          if (slotTexts.texts.length === 0) throw new Error(`{${node.name}.${node.attribute}} has no text here`);
          text += slotTexts.texts[i];
          slotTexts.bind?.(world, i);
          break;
        }
        case 'choice': {
          const sum = weigh(node.options, world, weights);
          const i = drawnIndex(random, weights, sum);
          bits -= Math.log2(weights[i] / sum);
          append(node.options[i].nodes);
          break;
        }
        case 'act':
          node.run(world);
          break;
        case 'when':
          append(node.test(world) ? node.yes : node.no);
          break;
        case 'begin':
          if (text) text += ' ';
          language.beginSentence(world);
          break;
      }
    }
  };
  append(language.root);
  return { text, bits };
}

/** The text of nodes without choices. Throws Error if a choice remains. */
export function decidedText(nodes: readonly Node[], slots: Language['slots'], world: World): string {
  let text = '';
  for (const node of nodes) {
    if (node.type === 'text') text += node.text;
    else if (node.type === 'slot') {
      const { texts } = slots[node.name].say(world, node.attribute);
      if (texts.length !== 1) throw new Error(`{${node.name}.${node.attribute}} is not decided yet`);
      text += texts[0];
    } else throw new Error('nothing may be left to choose');
  }
  return text;
}
