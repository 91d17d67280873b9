// Tales: their grammar, the facts they state, and reproducible drawing.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Random } from '../../../src/core/number/random.ts';
import { drawTale, SEED_BOUNDS, taleSeed } from './draw.ts';
import { maybe, type Node, pick, say } from './grammar/grammar.ts';
import { drawText } from './grammar/draw-text.ts';
import type { Language } from './grammar/language.ts';
import { parse } from './grammar/parse.ts';
import { World } from './grammar/world.ts';
import { exactBits, judge, MAX_JUDGED } from './judge.ts';
import { isSentence, sentenceRanges, vocabulary } from './possible-texts.ts';
import { PLOTS, readPlots } from './plots/plots.ts';
import { TALES } from './tale.ts';
import { cases } from '../../../test/scheduled.ts';

const HELD_OUT_TALES = Array.from({ length: cases(80, 200) }, (_, i) => drawTale('held-out', 3, i));
/** Any seed of tales, and any number of a tale under this seed. */
const taleNumbers = fc.record({
  seed: fc.integer({ min: 0, max: SEED_BOUNDS.seeds - 1 }),
  number: fc.integer({ min: 0, max: SEED_BOUNDS.tales - 1 }),
});

/** Every choice below these nodes. */
function choices(nodes: readonly Node[]): Extract<Node, { type: 'choice' }>[] {
  return nodes.flatMap((node) => {
    if (node.type === 'choice') return [node, ...node.options.flatMap((option) => choices(option.nodes))];
    return node.type === 'when' ? [...choices(node.yes), ...choices(node.no)] : [];
  });
}

describe('a small grammar', () => {
  const fruit = ['fig', 'plum', 'pear'];
  const small: Language = {
    root: [
      ...say([3, '{x} and {x}.'], '{x} [or {x}|] and a [pear|fig|pear].'),
      ...maybe(0.25, pick([1, say('Yes.', 'No.')], [2, say('No.')])),
    ],
    slots: {
      x: {
        say: () => ({ kind: 'thing', texts: fruit, weights: [1, 2, 5], bind: null }),
        pattern: () => fruit.join('|'),
      },
    },
    beginSentence: () => undefined,
  };
  /** All texts of this grammar. */
  const texts = fruit
    .flatMap((first) => [
      ...fruit.map((second) => `${first} and ${second}.`),
      ...['', ...fruit.map((alternative) => ` or ${alternative}`)].flatMap((alternative) =>
        ['pear', 'fig'].map((second) => `${first}${alternative} and a ${second}.`),
      ),
    ])
    .flatMap((beginning) => ['', ' Yes.', ' No.'].map((end) => beginning + end));

  it('has probabilities that sum to 1 over all its texts', () => {
    let sum = 0;
    for (const text of texts) sum += 2 ** -parse(small, text).bits;
    expect(sum).toBeCloseTo(1, 12);
  });

  it('sums the paths that lead to the same text', () => {
    // First sentence 1/4, fig 1/8, no alternative 1/2, pear 2/3, no answer 3/4.
    expect(parse(small, 'fig and a pear.')).toMatchObject({ paths: 2, complete: true });
    expect(2 ** -parse(small, 'fig and a pear.').bits).toBeCloseTo((1 / 4) * (1 / 8) * (1 / 2) * (2 / 3) * 0.75, 12);
  });

  it('draws texts as often as their probability', () => {
    const drawn = Array.from({ length: 4000 }, (_, i) => drawText(small, new Random(i)).text);
    for (const text of ['pear and pear.', 'plum and pear.', 'pear and a pear.']) {
      const probability = 2 ** -parse(small, text).bits;
      const share = drawn.filter((tale) => tale === text).length / drawn.length;
      // Four standard deviations of the share, at most.
      expect(Math.abs(share - probability)).toBeLessThan(4 * Math.sqrt(probability / drawn.length));
    }
  });

  it('reports that the search was stopped, and has no path for another text', () => {
    expect(parse(small, 'fig and a pear.', { max: 3 })).toMatchObject({ paths: 0, complete: false });
    expect(parse(small, 'fig and a fox.')).toMatchObject({ paths: 0, bits: Infinity, complete: true, reach: 10 });
  });
});

describe('the text of a plot', () => {
  it.each([
    ['plot rain', "found 'plot rain', expected part NAME, or plot NAME weight NUMBER length NUMBER"],
    ['part rain\n    say', "rain.txt:2: found 'say', expected a line at most one step further in than the one above"],
    ['part rain\n  whisper', "rain.txt:2: found 'whisper', expected say, pick, maybe, when, else, tell, do"],
    ['part rain\n  else', "found 'else', expected when above else"],
    ['part rain\n  tell snow', "found 'tell snow', expected one of sun"],
    ['part rain\n  do a dance', "found 'do a dance', expected one of about a thing"],
    ['part rain\n  when it rains', "found 'when it rains', expected one of outdoors"],
    ['part rain\n  pick\n    often', "found 'often', expected a number, not 'often'"],
    ['part rain\n  fact name who', "found 'fact name who', expected fact KIND KEY: QUESTION? ANSWER"],
  ])('reports the error in %j', (rain, expected) => {
    expect(() => readPlots({ sun: '# Light.\npart sun\n  say\n    It was warm.', rain })).toThrow(expected);
  });

  it('compares facts, copies them, and adds up the bits of a sentence', () => {
    const text = `part one
  set n 3, m {n}, who A
  when m > k
    maybe 3/4
      say
        2 * Yes.
        No.
  else
    forget n`;
    const [set, test] = readPlots({ text }).parts.one;
    const world = new World();
    if (set.type === 'act') set.run(world);
    expect([world.get('n'), world.get('m'), world.get('who')]).toEqual([3, 3, 'A']);
    if (test.type !== 'when') throw new Error('expected a test');
    expect(test.test(world)).toBe(true);
    const [choice] = test.yes;
    expect(choice.type === 'choice' && choice.options.map(({ weight }) => weight)).toEqual([0.75, 0.25]);
    expect(choices(test.yes)[1].options.map(({ weight }) => weight)).toEqual([2, 1]);
  });
});

describe('the language of tales', () => {
  it('has valid weights for every choice', () => {
    const world = new World();
    const allChoices = choices(TALES.root);
    expect(allChoices.length).toBeGreaterThan(400);
    for (const { options } of allChoices) {
      const fixed = options.filter((option) => typeof option.weight === 'number');
      for (const { weight } of fixed) expect(weight).toBeGreaterThan(0);
      for (const { weight } of options)
        expect(typeof weight === 'number' ? weight : weight(world)).toBeGreaterThanOrEqual(0);
    }
  });

  it('has at least 900 words and twenty plots', () => {
    const words = new Set([...vocabulary()].map((word) => word.toLowerCase()).filter((word) => !word.endsWith("'s")));
    expect(words.size).toBeGreaterThan(900);
    expect(new Set(PLOTS.episodes.map(({ name }) => name)).size).toBe(20);
  });

  it('has an exact number of bits that is at most the bits of the drawn path', () => {
    let exact = 0;
    let path = 0;
    for (const { text, bits } of HELD_OUT_TALES) {
      const floor = exactBits(text);
      expect(floor.complete).toBe(true);
      expect(floor.bits).toBeLessThanOrEqual(bits + 1e-9);
      exact += floor.bits;
      path += bits;
    }
    // Hardly any tale has a second path through the grammar.
    expect(exact / path).toBeGreaterThan(0.995);
  });

  it('yields plain texts of bounded length', () => {
    for (const { text } of HELD_OUT_TALES) {
      expect(text).toMatch(/^["A-Z][A-Za-z .,!?:'"-]*[.!?]"?$/);
      expect(text).not.toMatch(/ {2}|undefined| [.,!?]/);
      expect(text.length).toBeLessThan(1600);
      for (const { start, end } of sentenceRanges(text)) {
        const sentence = text.slice(start, end);
        expect(isSentence(sentence) || sentence).toBe(true);
      }
    }
  });

  it('accepts every beginning of a tale as unfinished, and none as finished', () => {
    fc.assert(
      fc.property(fc.nat(HELD_OUT_TALES.length - 1), fc.double({ min: 0.01, max: 0.99, noNaN: true }), (i, share) => {
        const { text } = HELD_OUT_TALES[i];
        const beginning = text.slice(0, Math.max(1, Math.floor(text.length * share)));
        expect(judge(beginning, { unfinished: true }).broken).toBeNull();
        expect(judge(beginning).broken).not.toBeNull();
      }),
    );
  });

  it('never uses the same seed for training and for the page, nor for two tales of the same split', () => {
    fc.assert(
      fc.property(taleNumbers, taleNumbers, (a, b) => {
        expect(taleSeed('training', a.seed, a.number)).toBeLessThan(2 ** 31);
        expect(taleSeed('held-out', b.seed, b.number)).toBeGreaterThanOrEqual(2 ** 31);
        const isSame = a.seed === b.seed && a.number === b.number;
        expect(taleSeed('training', a.seed, a.number) === taleSeed('training', b.seed, b.number)).toBe(isSame);
      }),
    );
    expect(taleSeed('held-out', SEED_BOUNDS.seeds - 1, SEED_BOUNDS.tales - 1)).toBe(2 ** 32 - 1);
    expect(() => taleSeed('training', SEED_BOUNDS.seeds, 0)).toThrow('expected a whole number from 0 to 2047');
    expect(() => taleSeed('training', 0, -1)).toThrow('tales: found number -1');
  });

  it('judges any text, of any length', () => {
    expect(judge('').broken).toMatchObject({ law: 'end', offset: 0, sentence: 0 });
    expect(judge('', { unfinished: true }).broken).toBeNull();
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (text) => {
        const { broken } = judge(text);
        expect(broken).not.toBeNull();
        expect(broken?.offset).toBeLessThanOrEqual(text.length);
      }),
    );
    const long = `${HELD_OUT_TALES[0].text} `.repeat(1000);
    expect(judge(long).broken).toMatchObject({ law: 'end' });
    expect(judge(long).broken?.offset).toBeLessThan(MAX_JUDGED);
    expect(exactBits(long)).toEqual({ bits: Infinity, complete: true });
  });

  it('draws the same tales for the same seeds', async () => {
    const tales = (['training', 'held-out'] as const).flatMap((split) =>
      Array.from({ length: 4 }, (_, i) => {
        const { text, bits } = drawTale(split, 1, i);
        return `${split} 1/${i}: ${bits.toFixed(3)} bits\n${text}\n`;
      }),
    );
    await expect(tales.join('\n')).toMatchFileSnapshot('../test/tales.txt');
  });
});
