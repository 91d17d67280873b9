// Parses texts with the grammar of a language: whether a text belongs to it, how likely it is, and what was expected.

import type { Node } from './grammar.ts';
import { type Language, slotOf, weigh } from './language.ts';
import { type SlotTexts, World } from './world.ts';

/** A text that the parser expected where it could not continue. */
export interface ParseGoal {
  /** Offset of the expected text. */
  readonly offset: number;
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
  readonly index: number;
  readonly next: Frame | null;
}

/** An option of a choice or a text of a slot that was not tried yet, with the state to which the parser returns. */
interface Alternative extends Frame {
  readonly position: number;
  readonly log2: number;
  /** the changes of the world to which the parser returns */
  readonly mark: number;
  /** the texts of the slot, of which text number `textIndex` is the alternative; null for an option of a choice */
  readonly slotTexts: SlotTexts | null;
  readonly textIndex: number;
}

/** After a node: the search goes on with the next node, returns to the last alternative, or ends. */
type Outcome = 'next' | 'backtrack' | 'stop';

/** Whether an expected text differs from the text at a position, matches, or is longer than the rest of the text. */
type Match = 'differs' | 'matches' | 'unfinished';

/** Parses a text along every path of the grammar that the text allows, depth first. */
export function parse(language: Language, text: string, options: ParseOptions = {}): ParseResult {
  return new Search(language, text, options).run();
}

const isWordCharacter = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 39 || code === 45;

/** For each offset of a text, the start of the word that contains it or ends there. */
function wordStartsOf(text: string): Int32Array {
  const starts = new Int32Array(text.length + 1);
  for (let i = 1; i <= text.length; i++) {
    starts[i] = isWordCharacter(text.charCodeAt(i - 1)) ? starts[i - 1] : i;
  }
  return starts;
}

/** A search for the derivations of a text in a grammar. */
class Search {
  readonly #language: Language;
  readonly #text: string;
  readonly #options: ParseOptions;
  readonly #wordStarts: Int32Array;
  readonly #world = new World();
  readonly #alternatives: Alternative[] = [];
  /** the weights of the options of a choice */
  readonly #weights: number[] = [];

  // The state: node `#index` of `#nodes` is the next one, `#next` the list that continues after `#nodes`, `#position` the
  // number of characters matched, and `#log2` the logarithm of the probability of the choices so far.
  #nodes: readonly Node[];
  #index = 0;
  #next: Frame | null = null;
  #position = 0;
  #log2 = 0;

  // The result so far.
  #steps = 0;
  #paths = 0;
  #probability = 0;
  #bits = Infinity;
  /** the offset of the farthest word that no path passed, and the texts that were expected there */
  #reach = -1;
  #expected: ParseGoal[] = [];

  constructor(language: Language, text: string, options: ParseOptions) {
    this.#language = language;
    this.#text = text;
    this.#options = options;
    this.#wordStarts = wordStartsOf(text);
    this.#nodes = language.root;
  }

  run(): ParseResult {
    const { max = MAX_STEPS } = this.#options;
    while (++this.#steps <= max) {
      const outcome = this.#step();
      if (outcome === 'stop' || (outcome === 'backtrack' && !this.#backtrack())) break;
    }
    return {
      paths: this.#paths,
      bits: this.#bits,
      complete: this.#steps <= max,
      steps: this.#steps,
      reach: Math.max(this.#reach, 0),
      expected: this.#expected,
    };
  }

  /** Visits the next node. */
  #step(): Outcome {
    // At the end of a list, the list around it continues; at the end of the root, the text has to end.
    while (this.#index >= this.#nodes.length && this.#next) {
      ({ nodes: this.#nodes, index: this.#index, next: this.#next } = this.#next);
    }
    if (this.#index >= this.#nodes.length) return this.#endOfGrammar();
    const node = this.#nodes[this.#index];
    switch (node.type) {
      case 'begin':
        return this.#beginSentence();
      case 'text':
        return this.#expectText(node.text);
      case 'act':
        node.run(this.#world);
        this.#index++;
        return 'next';
      case 'when':
        this.#enter(node.test(this.#world) ? node.yes : node.no, this.#following());
        return 'next';
      case 'choice':
        return this.#choose(node);
      case 'slot':
        return this.#fillSlot(node);
    }
  }

  /** The rest of the current list after the current node. */
  #following(): Frame {
    return { nodes: this.#nodes, index: this.#index + 1, next: this.#next };
  }

  /** Continues with a list of nodes, and after it with `next`. */
  #enter(nodes: readonly Node[], next: Frame): void {
    this.#nodes = nodes;
    this.#index = 0;
    this.#next = next;
  }

  #endOfGrammar(): Outcome {
    if (this.#position === this.#text.length) {
      this.#addPath();
      if (this.#options.first) return 'stop';
    } else this.#fail(this.#position, 'end', '');
    return 'backtrack';
  }

  #beginSentence(): Outcome {
    if (this.#position > 0) {
      const match = this.#match(' ', this.#position);
      if (match === 'unfinished') return this.#stopUnfinished();
      if (match === 'differs') {
        this.#fail(this.#position, 'text', ' ');
        return 'backtrack';
      }
      this.#position++;
    }
    this.#language.beginSentence(this.#world);
    this.#index++;
    return 'next';
  }

  #expectText(expected: string): Outcome {
    const match = this.#match(expected, this.#position);
    if (match === 'unfinished') return this.#stopUnfinished();
    if (match === 'differs') {
      this.#fail(this.#position, 'text', expected);
      return 'backtrack';
    }
    this.#position += expected.length;
    this.#index++;
    return 'next';
  }

  /** Continues with the first option whose lead does not differ; the others become alternatives. */
  #choose({ options }: Extract<Node, { type: 'choice' }>): Outcome {
    const sum = weigh(options, this.#world, this.#weights);
    const next = this.#following();
    const mark = this.#world.mark();
    const position = this.#position;
    const log2Before = this.#log2;
    let chosenIndex = -1;
    for (let i = 0; i < options.length; i++) {
      if (this.#weights[i] <= 0) continue;
      const { nodes, lead } = options[i];
      if (lead && this.#match(lead, position) === 'differs') {
        this.#fail(position, 'text', lead);
        continue;
      }
      const log2 = log2Before + Math.log2(this.#weights[i] / sum);
      if (chosenIndex < 0) {
        chosenIndex = i;
        this.#log2 = log2;
      } else this.#alternatives.push({ nodes, index: 0, next, position, log2, mark, slotTexts: null, textIndex: 0 });
    }
    if (chosenIndex < 0) return 'backtrack';
    this.#enter(options[chosenIndex].nodes, next);
    return 'next';
  }

  /** Continues with the first text of the slot that matches; the others become alternatives. */
  #fillSlot({ name, attribute }: Extract<Node, { type: 'slot' }>): Outcome {
    const slotTexts = slotOf(this.#language, name).say(this.#world, attribute);
    const { texts, weights } = slotTexts;
    let sum = texts.length;
    if (weights) {
      sum = 0;
      for (const weight of weights) sum += weight;
    }
    const following = this.#following();
    const mark = this.#world.mark();
    const position = this.#position;
    const log2Before = this.#log2;
    let chosenIndex = -1;
    for (let i = 0; i < texts.length; i++) {
      const weight = weights ? weights[i] : 1;
      if (weight <= 0) continue;
      const match = this.#match(texts[i], position);
      if (match === 'differs') {
        this.#fail(position, slotTexts.kind, texts[i]);
        continue;
      }
      if (match === 'unfinished') return this.#stopUnfinished();
      const log2 = log2Before + Math.log2(weight / sum);
      if (chosenIndex < 0) {
        chosenIndex = i;
        this.#log2 = log2;
      } else this.#alternatives.push({ ...following, position, log2, mark, slotTexts, textIndex: i });
    }
    if (chosenIndex < 0) return 'backtrack';
    this.#position += texts[chosenIndex].length;
    slotTexts.bind?.(this.#world, chosenIndex);
    this.#index++;
    return 'next';
  }

  #match(expected: string, position: number): Match {
    const text = this.#text;
    if (text.startsWith(expected, position)) return 'matches';
    const isUnfinished =
      this.#options.unfinished && text.length - position < expected.length && expected.startsWith(text.slice(position));
    return isUnfinished ? 'unfinished' : 'differs';
  }

  /** Counts the derivation of an unfinished text that ends within an expected text, and ends the search. */
  #stopUnfinished(): Outcome {
    this.#addPath();
    return 'stop';
  }

  /** Counts a derivation of the text, whose probability is added to the probabilities of the others. */
  #addPath(): void {
    this.#paths++;
    this.#probability += 2 ** this.#log2;
    this.#bits = this.#options.first || this.#paths === 1 ? -this.#log2 : -Math.log2(this.#probability);
  }

  /** Returns to the last alternative; false if there is none. */
  #backtrack(): boolean {
    const alternative = this.#alternatives.pop();
    if (!alternative) return false;
    this.#world.undo(alternative.mark);
    ({
      nodes: this.#nodes,
      index: this.#index,
      next: this.#next,
      position: this.#position,
      log2: this.#log2,
    } = alternative);
    const { slotTexts, textIndex } = alternative;
    if (slotTexts) {
      this.#position += slotTexts.texts[textIndex].length;
      slotTexts.bind?.(this.#world, textIndex);
    }
    return true;
  }

  /**
   * Records that `expected` differs from the text at an offset: at the start of the first word that differs. Only the
   * texts that were expected at the farthest such word are recorded.
   */
  #fail(offset: number, kind: string, expected: string): void {
    const text = this.#text;
    let equalLength = 0;
    const maxLength = Math.min(expected.length, text.length - offset);
    while (equalLength < maxLength && expected.charCodeAt(equalLength) === text.charCodeAt(offset + equalLength))
      equalLength++;
    const end = offset + equalLength;
    const isInWord =
      (end < text.length && isWordCharacter(text.charCodeAt(end))) ||
      (equalLength < expected.length && isWordCharacter(expected.charCodeAt(equalLength)));
    const start = isInWord ? this.#wordStarts[end] : end;
    if (start < this.#reach) return;
    if (start > this.#reach) {
      this.#reach = start;
      this.#expected = [];
    }
    this.#expected.push({ offset, kind, text: expected });
  }
}
