import { act, form, type Node } from '../grammar/grammar.ts';
import { spoken } from '../grammar/run.ts';
import { type World } from '../grammar/world.ts';
import { type Fact, SLOTS } from './slots.ts';

/** Sets facts as the tale goes on. */
export const set = (values: Readonly<Record<string, unknown>>): Node[] =>
  act((world) => {
    for (const [key, value] of Object.entries(values)) world.set(key, value);
  });

/** Frees these slots for other values in the next episode. */
export const forget = (...keys: readonly string[]): Node[] =>
  act((world) => {
    for (const key of keys) if (world.has(key)) world.set(key, undefined);
  });

/** Introduces an adult other than the earlier ones. */
export const anotherAdult: readonly Node[] = forget('H.name', 'H.gender');

/** A question for the evening; the last one with a key counts. */
export function fact(key: string, question: string, answer: string, kind: string): Node[] {
  const asked = form(question);
  const answered = form(answer);
  return act(
    (world) => {
      const t = world.get<string>('t') ?? '';
      const own = key.replace('*', t);
      const facts = world.get<readonly Fact[]>('facts') ?? [];
      const one = {
        key: own,
        question: spoken(asked.nodes, SLOTS, world),
        answer: spoken(answered.nodes, SLOTS, world),
        kind,
      };
      world.set('facts', [...facts.filter((other) => other.key !== own && other.question !== one.question), one]);
    },
    [asked, answered],
  );
}

export const owner = (world: World, thing: string): string => world.get<string>(`${thing}.owner`) ?? '';
export const isOutdoors = (world: World): boolean => world.get<{ readonly outdoors: boolean }>('P')?.outdoors === true;
export const isTwins = (world: World): boolean => world.has('twins');
export const hasBoth = (world: World): boolean => world.has('Y.noun');
export const isHere =
  (id: string): ((world: World) => boolean) =>
  (world) =>
    world.has(`${id}.name`);

/** An episode about thing `t`, its owner `o` and the other child `f`. */
export function aboutThing(suits: (world: World, thing: 'X' | 'Y') => boolean = () => true): Node[] {
  const about = (thing: 'X' | 'Y'): Node[] =>
    act((world) => {
      const o = owner(world, thing);
      world.set('t', thing);
      world.set('o', o);
      world.set('f', o === 'A' ? 'B' : 'A');
    });
  return [
    {
      type: 'choice',
      options: [
        { weight: (world) => (suits(world, 'X') ? 2 : 0), nodes: about('X'), lead: '' },
        { weight: (world) => (hasBoth(world) && suits(world, 'Y') ? 1.5 : 0), nodes: about('Y'), lead: '' },
      ],
    },
  ];
}

/** An episode with two children, either of whom may be `o`. */
export const eitherChild: readonly Node[] = [
  {
    type: 'choice',
    options: [
      { weight: 1, nodes: set({ o: 'A', f: 'B' }), lead: '' },
      { weight: 1, nodes: set({ o: 'B', f: 'A' }), lead: '' },
    ],
  },
];

export interface Episode {
  readonly name: string;
  readonly weight: number;
  /** Length in sentences, about: after long episodes there is less room for others. */
  readonly length: number;
  readonly suits: (world: World) => boolean;
  readonly steps: readonly Node[];
}
