import { type Random } from '../../../../src/core/number/random.ts';
import { type Node, type Option } from './grammar.ts';
import { type SlotTexts, type Slot, World } from './world.ts';

/** A language: a grammar, texts for its slots (gaps in a sentence), and how each sentence changes the facts so far. */
export interface Language {
  readonly root: readonly Node[];
  readonly slots: Readonly<Record<string, Slot>>;
  readonly beginSentence: (world: World) => void;
}

/** A text that was drawn from a grammar. */
export interface DrawnText {
  readonly text: string;
  /** Minus log2 of the probability of its choices. */
  readonly bits: number;
}

/** A text that the parser expected where it could not continue. */
export interface ParseGoal {
  /** Offset of the expected text. */
  readonly at: number;
  /** kind of fact in the slot; 'text' outside of slots, 'end' for the end of the text */
  readonly kind: string;
  readonly text: string;
}

/** Whether a text belongs to a language, and how likely it is. */
export interface ParseResult {
  /** Number of derivations of this text in the grammar; for an unfinished text, 1 if there is one. */
  readonly paths: number;
  /** Minus log2 of the probability of the text, summed over `paths`; infinite without a path. */
  readonly bits: number;
  /** False if the search stopped at `max`: `bits` is then an upper bound. */
  readonly complete: boolean;
  /** Nodes visited. */
  readonly steps: number;
  /** Offset of the first word that no path passes; `expected`: every text expected there. */
  readonly reach: number;
  readonly expected: readonly ParseGoal[];
}

export interface ParseOptions {
  /** The text may be only the beginning of a text of the language. */
  readonly unfinished?: boolean;
  /** Stop at the first path, to which `bits` then refers. */
  readonly first?: boolean;
  /** Maximum number of visited nodes. */
  readonly max?: number;
}

/** Maximum of visited nodes: thirty times as many as any text of the grammars needs. */
const MAX_STEPS = 200_000;

/** A position in a list of nodes, and the list to continue with after its last node. */
interface Frame {
  readonly nodes: readonly Node[];
  readonly at: number;
  readonly next: Frame | null;
}

function slotOf(language: Language, name: string): Slot {
  const slot = language.slots[name];
  if (!slot) throw new Error(`slot: found '${name}', expected one of the language`);
  return slot;
}

/** Writes the weights of a choice in this world to `into`; returns their sum. */
function weigh(options: readonly Option[], world: World, into: number[]): number {
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
          // The search continues with the first text that matches; the others become alternatives.
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
          // The search continues with the first option whose lead does not differ; the others become alternatives.
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

const isWordCharacter = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 39 || code === 45;

/** An option or text that was not tried yet, with the state to which the parser returns for it. */
interface Alternative {
  readonly nodes: readonly Node[];
  readonly at: number;
  readonly next: Frame | null;
  readonly position: number;
  readonly log2: number;
  readonly mark: number;
  readonly slotTexts: SlotTexts | null;
  readonly i: number;
}

/** Parses a text along every path of the grammar that the text allows, depth first. */
export function parse(language: Language, text: string, options: ParseOptions = {}): ParseResult {
  const { unfinished = false, first = false, max = MAX_STEPS } = options;
  const world = new World();
  const alternatives: Alternative[] = [];
  const weights: number[] = [];
  // The result so far. `expected`: the texts that were expected at `reach`, the farthest word that no path passed.
  let steps = 0;
  let paths = 0;
  let probability = 0;
  let bits = Infinity;
  let reach = -1;
  let expected: ParseGoal[] = [];

  // For each offset, the start of the word that contains it or ends there.
  const wordStart = new Int32Array(text.length + 1);
  for (let i = 1; i <= text.length; i++) {
    wordStart[i] = isWordCharacter(text.charCodeAt(i - 1)) ? wordStart[i - 1] : i;
  }
  // Records a text that is expected at an offset, and differs: at the start of the first word that differs. Only the
  // texts of the farthest such word are kept.
  const fail = (at: number, kind: string, goal: string): void => {
    let n = 0;
    const longest = Math.min(goal.length, text.length - at);
    while (n < longest && goal.charCodeAt(n) === text.charCodeAt(at + n)) n++;
    const i = at + n;
    const inWord =
      (i < text.length && isWordCharacter(text.charCodeAt(i))) ||
      (n < goal.length && isWordCharacter(goal.charCodeAt(n)));
    const start = inWord ? wordStart[i] : i;
    if (start < reach) return;
    if (start > reach) {
      reach = start;
      expected = [];
    }
    expected.push({ at, kind, text: goal });
  };
  /** 0: differs, 1: matches, 2: the text ends within it. */
  const match = (goal: string, at: number): 0 | 1 | 2 => {
    if (text.startsWith(goal, at)) return 1;
    return unfinished && text.length - at < goal.length && goal.startsWith(text.slice(at)) ? 2 : 0;
  };

  // The state of the search: `nodes[at]` is the next node, `next` the list that continues after `nodes`, `position` the
  // number of characters matched, and `log2` the logarithm of the probability of the choices so far.
  let nodes: readonly Node[] = language.root;
  let at = 0;
  let next: Frame | null = null;
  let position = 0;
  let log2 = 0;

  /** Counts a derivation of the text, whose probability adds to that of the others. */
  const addPath = (): void => {
    paths++;
    probability += 2 ** log2;
    bits = first || paths === 1 ? -log2 : -Math.log2(probability);
  };
  /** Returns to the last alternative; false if there is none. */
  const backtrack = (): boolean => {
    const alternative = alternatives.pop();
    if (!alternative) return false;
    world.undo(alternative.mark);
    ({ nodes, at, next, position, log2 } = alternative);
    if (alternative.slotTexts) {
      position += alternative.slotTexts.texts[alternative.i].length;
      alternative.slotTexts.bind?.(world, alternative.i);
    }
    return true;
  };

  search: for (;;) {
    if (++steps > max) break;
    // At the end of a list, the list around it continues; at the end of the root, the text has to end.
    while (at >= nodes.length && next) ({ nodes, at, next } = next);
    let continues = true;
    if (at >= nodes.length) {
      if (position === text.length) {
        addPath();
        if (first) break;
      } else fail(position, 'end', '');
      continues = false;
    } else {
      const node = nodes[at];
      switch (node.type) {
        case 'begin':
          if (position > 0) {
            const matched = match(' ', position);
            if (matched === 1) position++;
            else if (matched === 2) {
              addPath();
              break search;
            } else {
              fail(position, 'text', ' ');
              continues = false;
              break;
            }
          }
          language.beginSentence(world);
          at++;
          break;
        case 'text': {
          const matched = match(node.text, position);
          if (matched === 1) {
            position += node.text.length;
            at++;
          } else if (matched === 2) {
            addPath();
            break search;
          } else {
            fail(position, 'text', node.text);
            continues = false;
          }
          break;
        }
        case 'act':
          node.run(world);
          at++;
          break;
        case 'when':
          next = { nodes, at: at + 1, next };
          nodes = node.test(world) ? node.yes : node.no;
          at = 0;
          break;
        case 'choice': {
          const sum = weigh(node.options, world, weights);
          const after: Frame = { nodes, at: at + 1, next };
          const mark = world.mark();
          const before = log2;
          const start = position;
          let chosen = -1;
          for (let i = 0; i < node.options.length; i++) {
            if (weights[i] <= 0) continue;
            const { lead } = node.options[i];
            if (lead) {
              const matched = match(lead, start);
              if (matched === 0) {
                fail(start, 'text', lead);
                continue;
              }
            }
            const likelihood = before + Math.log2(weights[i] / sum);
            if (chosen < 0) {
              chosen = i;
              log2 = likelihood;
            } else {
              alternatives.push({
                nodes: node.options[i].nodes,
                at: 0,
                next: after,
                position: start,
                log2: likelihood,
                mark,
                slotTexts: null,
                i: 0,
              });
            }
          }
          if (chosen < 0) continues = false;
          else {
            nodes = node.options[chosen].nodes;
            at = 0;
            next = after;
          }
          break;
        }
        case 'slot': {
          const slotTexts = slotOf(language, node.name).say(world, node.attribute);
          const { texts } = slotTexts;
          let sum = texts.length;
          if (slotTexts.weights) {
            sum = 0;
            for (const weight of slotTexts.weights) sum += weight;
          }
          const mark = world.mark();
          const before = log2;
          const start = position;
          let chosen = -1;
          for (let i = 0; i < texts.length; i++) {
            const weight = slotTexts.weights ? slotTexts.weights[i] : 1;
            if (weight <= 0) continue;
            const matched = match(texts[i], start);
            if (matched === 0) {
              fail(start, slotTexts.kind, texts[i]);
              continue;
            }
            if (matched === 2) {
              addPath();
              break search;
            }
            const likelihood = before + Math.log2(weight / sum);
            if (chosen < 0) {
              chosen = i;
              log2 = likelihood;
            } else
              alternatives.push({ nodes, at: at + 1, next, position: start, log2: likelihood, mark, slotTexts, i });
          }
          if (chosen < 0) continues = false;
          else {
            position += texts[chosen].length;
            slotTexts.bind?.(world, chosen);
            at++;
          }
          break;
        }
      }
    }
    if (!continues && !backtrack()) break;
  }
  return {
    paths,
    bits,
    complete: steps <= max,
    steps,
    reach: Math.max(reach, 0),
    expected,
  };
}
