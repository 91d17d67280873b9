// The conditions and actions that the files of plots name, and the facts that the adult may ask about in the evening.

import { cupNow, type Fact, SLOTS } from '../facts/slots.ts';
import { decidedText } from '../grammar/draw-text.ts';
import { act, form, type Node, pick } from '../grammar/grammar.ts';
import type { World } from '../grammar/world.ts';
import { hasProperty, type Noun } from '../words/things.ts';

/** A condition on the facts of a tale so far. */
export type Test = (world: World) => boolean;

// Facts in the world are named like slots (facts/slots.ts). In an episode, `t` is its thing, X or Y, `u` the other
// thing, `o` the owner of the thing and `f` the other child; X.owner is the owner of X.
// Letters of properties (words/things.ts): b breaks, p of painted wood, w carried by the wind, s small, l large.

/** The noun of a thing, by default of the episode's thing; 'ball' if it has none yet. */
const nounOf = (world: World, thing = world.get<string>('t')): Noun => world.get<Noun>(`${thing}.noun`) ?? 'ball';
const hasKind = (world: World, kind: string): boolean => hasProperty(nounOf(world), kind);
const canBreak = (world: World, thing: string): boolean =>
  hasProperty(nounOf(world, thing), 'b') || canBePainted(world, thing);
const canBePainted = (world: World, thing: string): boolean => hasProperty(nounOf(world, thing), 'p');
/** Whether the tale has two things, X and Y. */
const hasTwoThings: Test = (world) => world.has('Y.noun');
const suitsEitherThing = (world: World, suits: (world: World, thing: string) => boolean): boolean =>
  suits(world, 'X') || (hasTwoThings(world) && suits(world, 'Y'));

/** Conditions of plots by name, besides those that compare facts. */
export const TESTS: Readonly<Record<string, Test>> = {
  outdoors: (world) => world.get<{ readonly outdoors: boolean }>('P')?.outdoors === true,
  'guess is right': (world) => world.get('guess') === cupNow(world),
  'something breaks': (world) => suitsEitherThing(world, canBreak),
  'something to paint': (world) => !world.has('twins') && suitsEitherThing(world, canBePainted),
  'things to trade': (world) =>
    hasTwoThings(world) && !world.has('twins') && world.get('X.owner') !== world.get('Y.owner'),
  'wind carries it': (world) => hasKind(world, 'w'),
  'it is a ball': (world) => nounOf(world) === 'ball',
  'it is small or light': (world) => hasKind(world, 's') || hasKind(world, 'w'),
  'it is neither large nor fragile': (world) => !hasKind(world, 'l') && !hasKind(world, 'b'),
  'it is large': (world) => hasKind(world, 'l'),
};

/** Begins an episode about one of the things that suit it: sets the facts `t`, `o` and `f`. */
function aboutThing(suits: (world: World, thing: string) => boolean): Node[] {
  const about = (thing: string): Node[] =>
    act((world) => {
      const owner = world.get<string>(`${thing}.owner`) ?? '';
      world.set('t', thing);
      world.set('o', owner);
      world.set('f', owner === 'A' ? 'B' : 'A');
    });
  return pick(
    [(world) => (suits(world, 'X') ? 2 : 0), about('X')],
    [(world) => (hasTwoThings(world) && suits(world, 'Y') ? 1.5 : 0), about('Y')],
  );
}

/** Maximum number of `Fact`s to ask about; tales have fewer. */
const MAX_FACTS = 24;

/** The subject of a fact: `likes` and `likes/2` share it, and only one of them is asked about. */
const characterOf = (key: string): string => key.split('/')[0];

/** Fact number `i` of the tale if the adult has not asked about its subject yet. */
const openFact = (world: World, i: number): Fact | undefined => {
  const candidate = (world.get<readonly Fact[]>('facts') ?? [])[i];
  return candidate && !(world.get<readonly string[]>('asked') ?? []).includes(characterOf(candidate.key))
    ? candidate
    : undefined;
};

/** Actions of plots by name. */
export const ACTS: Readonly<Record<string, readonly Node[]>> = {
  'about a thing': aboutThing(() => true),
  'about a thing that breaks': aboutThing(canBreak),
  'about a thing to paint': aboutThing(canBePainted),
  'the other thing is u': act((world) => world.set('u', world.get('t') === 'X' ? 'Y' : 'X')),
  // Sets `w`, the child who has the thing or wins, and `l`, the child who has not or loses.
  'who owns it now': act((world) => {
    const owner = world.get<string>(`${world.get<string>('t')}.owner`) ?? '';
    world.set('w', owner);
    world.set('l', owner === 'A' ? 'B' : 'A');
  }),
  'who has more wins': act((world) => {
    const wins = (world.get<number>('score') ?? 0) > (world.get<number>('score2') ?? 0);
    world.set('w', world.get(wins ? 'o' : 'f'));
    world.set('l', world.get(wins ? 'f' : 'o'));
  }),
  'forget one of three': act((world) => {
    const wanted = ['counted', 'counted2', 'uncounted'].map((key) => world.get<string>(key) ?? '');
    const forgotten = (world.get<number>('forgot') ?? 1) - 1;
    const [bought, bought2] = wanted.filter((_, i) => i !== forgotten);
    world.set('forgot', wanted[forgotten]);
    world.set('bought', bought);
    world.set('bought2', bought2);
  }),
  'scrape off the color': act((world) => {
    const t = world.get<string>('t') ?? '';
    world.set(`${t}.was`, world.get(`${t}.color`));
    world.set(`${t}.color`, undefined);
  }),
  'one of the open facts': pick(
    // bounded: MAX_FACTS
    ...Array.from({ length: MAX_FACTS }, (_, i): [(world: World) => number, Node[]] => [
      (world) => (openFact(world, i) ? 1 : 0),
      act((world) => {
        const chosenFact = openFact(world, i);
        world.set('fact', chosenFact);
        world.set('asked', [...(world.get<readonly string[]>('asked') ?? []), characterOf(chosenFact?.key ?? '')]);
      }),
    ]),
  ),
};

/** Records a `Fact`, which the adult may ask about in the evening of a tale. It replaces a fact with the same key. */
export function fact(key: string, question: string, answer: string, kind: string): Node[] {
  const questionForm = form(question);
  const answerForm = form(answer);
  return act(
    (world) => {
      const fullKey = key.replace('*', world.get<string>('t') ?? '');
      const facts = world.get<readonly Fact[]>('facts') ?? [];
      const newFact = {
        key: fullKey,
        question: decidedText(questionForm.nodes, SLOTS, world),
        answer: decidedText(answerForm.nodes, SLOTS, world),
        kind,
      };
      world.set('facts', [
        ...facts.filter((other) => other.key !== fullKey && other.question !== newFact.question),
        newFact,
      ]);
    },
    [questionForm, answerForm],
  );
}
