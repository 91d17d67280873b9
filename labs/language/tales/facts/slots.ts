// The slots (gaps in a sentence) of tales, with the texts that the facts so far allow.

import { type Slot, type World } from '../grammar/world.ts';
import { FAMILY } from '../words/people.ts';
import {
  BRUSHES,
  EVENTS,
  FOODS,
  GAMES,
  GLUES,
  GOALS,
  LANDMARKS,
  LANDS,
  TURNS,
  COUNTED,
  HOBBIES,
  HOW_OFTEN,
  JOBS,
  MONTHS,
  UNCOUNTED,
  WORN,
  NUMBERS,
  PEAS,
  PET_NAMES,
  PETS,
  PIECES,
  PRIZES,
  type Riddle,
  RIDDLES,
} from '../words/short-lists.ts';
import {
  type HidingPlace,
  REASONS,
  RESCUES,
  type Setting,
  SETTINGS,
  type Spot,
  TOOLS,
  type Trouble,
} from '../words/places.ts';
import { type Color, COLORS, hasProperty, type Noun, withArticle } from '../words/things.ts';
import { anyOf, capitalised, oneText } from './patterns.ts';
import { roleSlot, personSlot } from './person-slots.ts';
import { type ThingId, thingRoleSlot, thingSlot } from './thing-slots.ts';

/** A slot (a gap in a sentence of a tale) whose value is chosen once and then fixed. */
interface Variable<T> {
  readonly kind: string;
  /** the values that the facts so far allow */
  readonly allowed: (world: World) => readonly T[];
  /** all values, whatever the facts */
  readonly all: readonly T[];
  /** how a value is written, by attribute: the part after the point in `{P.in}` */
  readonly texts: Readonly<Record<string, (value: T) => string>>;
}

/** The slot of a variable: its value's text once chosen, before that the texts of all values that the facts allow. */
function variableSlot<T>(key: string, { kind, allowed, all, texts }: Variable<T>): Slot {
  return {
    say: (world, attribute) => {
      const text = texts[attribute];
      const value = world.get<T>(key);
      if (value !== undefined) return oneText(kind, text(value));
      const options = allowed(world);
      return { kind, texts: options.map(text), weights: null, bind: (w, i) => w.set(key, options[i]) };
    },
    pattern: (attribute) => anyOf(all.map(texts[attribute])),
  };
}

/** A slot for one of these words, fixed once used. */
const wordSlot = (
  key: string,
  kind: string,
  all: readonly string[],
  allowed: (world: World) => readonly string[] = () => all,
): Slot => variableSlot(key, { kind, all, allowed, texts: { '': (text) => text, Cap: capitalised } });

/** A slot for a color, fixed once used. */
const colorSlot = (key: string, allowed: (world: World) => readonly Color[]): Slot =>
  variableSlot<Color>(key, {
    kind: 'color',
    all: COLORS,
    allowed,
    texts: { '': (color) => color, Cap: capitalised, a: (color) => withArticle(color) },
  });

/** A slot for any of these texts, chosen anew each time. */
const textSlot = (all: readonly string[], allowed: (world: World) => readonly string[]): Slot => ({
  say: (world) => ({ kind: 'text', texts: allowed(world), weights: null, bind: null }),
  pattern: () => anyOf(all),
});

/** A slot whose text follows from the facts. */
const computedSlot = (kind: string, all: readonly string[], text: (world: World) => string): Slot => ({
  say: (world, attribute) => oneText(kind, attribute === 'Cap' ? capitalised(text(world)) : text(world)),
  pattern: (attribute) => anyOf(attribute === 'Cap' ? all.map(capitalised) : all),
});

const ERRANDS = [...COUNTED, ...UNCOUNTED];
const ALL_SPOTS = SETTINGS.flatMap((setting) => setting.spots);
const ALL_TOOLS = Object.values(TOOLS).flat();
const ALL_HIDES = [...new Set(SETTINGS.flatMap((setting) => setting.hides.map((hide) => hide.where)))];

/** A slot for a hiding place of the setting, other than `others`, in which the thing of the episode fits. */
const hidingPlace = (key: string, others: readonly string[]): Slot =>
  wordSlot(key, 'place', ALL_HIDES, (world) => {
    const noun = world.get<Noun>(`${world.get<ThingId>('t') ?? 'X'}.noun`);
    const otherValues = others.map((other) => world.get<string>(other));
    const hasSpace = (place: HidingPlace): boolean => !place.small || noun === undefined || !hasProperty(noun, 'l');
    return (world.get<Setting>('P')?.hides ?? [])
      .filter((place) => hasSpace(place) && !otherValues.includes(place.where) && !place.where.endsWith(` ${noun}`))
      .map((place) => place.where);
  });

const SIDES = ['left', 'middle', 'right'] as const;
const SWAPS = ['left|middle', 'left|right', 'middle|right'] as const;
const swapText = (swap: string): string => swap.replace(/^(\w+)\|(\w+)$/, 'the $1 cup and the $2 cup');
/** Where the cup on `side` is after a swap such as 'left|right'. */
const swapped = (side: string, swap: string): string => {
  const [a, b] = swap.split('|');
  return side === a ? b : side === b ? a : side;
};
/** The cup, of three, that the pea is under after one or two swaps of cups. */
export function cupNow(world: World): string {
  const first = swapped(world.get('side') ?? 'left', world.get('swap') ?? 'left|right');
  return world.has('swap2') ? swapped(first, world.get('swap2') ?? 'left|right') : first;
}
const numberText = (n: number): string => NUMBERS[n];
/** A slot for a number in words, fixed once used. */
const numberSlot = (key: string, allowed: (world: World) => readonly number[]): Slot =>
  variableSlot<number>(key, {
    kind: 'number',
    allowed,
    all: NUMBERS.map((_, i) => i),
    texts: { '': numberText, Cap: (n) => capitalised(numberText(n)) },
  });
/** The whole numbers from `low` to `high`. */
const between = (low: number, high: number): number[] =>
  Array.from({ length: Math.max(0, high - low + 1) }, (_, i) => low + i);
/** The number that a slot has; 0 before it is chosen. */
const numberOf = (world: World, key: string): number => world.get<number>(key) ?? 0;

/** A slot for a number computed from others. */
const computedNumberSlot = (compute: (world: World) => number): Slot =>
  computedSlot('number', NUMBERS, (world) => NUMBERS[compute(world)]);

/** A fact of a tale that the adult may ask about in the evening. */
export interface Fact {
  readonly key: string;
  readonly question: string;
  readonly answer: string;
  readonly kind: string;
}

/** The slot of a question about a fact and of its answer; `patterns` match all questions and answers. */
export function factSlot(patterns: () => { readonly questions: string; readonly answers: string }): Slot {
  return {
    say: (world, attribute) => {
      const fact = world.get<Fact>('fact');
      if (!fact) throw new Error('a question without a fact');
      return attribute === 'q' ? oneText('question', fact.question) : oneText(fact.kind, fact.answer);
    },
    pattern: (attribute) => (attribute === 'q' ? patterns().questions : patterns().answers),
  };
}

/**
 * All slots of the grammar of tales (short stories), by name. People: the children A, B, C, the adult H, and by role in
 * an episode o (owner), f (friend), w (winner), g (second of three), l (loser). Things: X, Y, Z, and by role t, u. P:
 * where the tale takes place, S: where a thing gets stuck, T: the tool that frees it, U, V, W: where things are hidden,
 * K: who asks in the evening.
 */
export const SLOTS: Readonly<Record<string, Slot>> = {
  A: personSlot('A'),
  B: personSlot('B'),
  C: personSlot('C'),
  H: personSlot('H'),
  o: roleSlot('o'),
  f: roleSlot('f'),
  g: roleSlot('g'),
  w: roleSlot('w'),
  l: roleSlot('l'),
  X: thingSlot('X'),
  Y: thingSlot('Y'),
  Z: thingSlot('Z'),
  t: thingRoleSlot('t'),
  u: thingRoleSlot('u'),
  P: variableSlot<Setting>('P', {
    kind: 'place',
    allowed: () => SETTINGS,
    all: SETTINGS,
    texts: {
      in: (setting) => setting.in,
      In: (setting) => capitalised(setting.in),
      to: (setting) => `to the ${setting.name}`,
      the: (setting) => `the ${setting.name}`,
      The: (setting) => `The ${setting.name}`,
    },
  }),
  S: variableSlot<Spot>('S', {
    kind: 'place',
    allowed: (world) => {
      const noun = world.get<Noun>(`${world.get<ThingId>('t') ?? 'X'}.noun`) ?? 'ball';
      const flies = world.get<boolean>('flies') === true;
      return (world.get<Setting>('P')?.spots ?? []).filter(
        (spot) =>
          (flies || spot.trouble !== 'high') &&
          (!flies || !spot.in.startsWith('under')) &&
          (spot.trouble !== 'deep' || !hasProperty(noun, 'l')),
      );
    },
    all: ALL_SPOTS,
    texts: { into: (spot) => spot.into, in: (spot) => spot.in, In: (spot) => capitalised(spot.in) },
  }),
  T: variableSlot('T', {
    kind: 'tool',
    allowed: (world) => TOOLS[world.get<Spot>('S')?.trouble ?? 'water'],
    all: ALL_TOOLS,
    texts: { a: (tool) => tool.a, A: (tool) => capitalised(tool.a), the: (tool) => tool.the },
  }),
  why: textSlot(
    Object.values(REASONS).flat(),
    (world) => REASONS[world.get<Spot>('S')?.trouble ?? ('water' satisfies Trouble)],
  ),
  out: textSlot(Object.values(RESCUES).flat(), (world) => RESCUES[world.get<Spot>('S')?.trouble ?? 'water']),
  U: hidingPlace('U', ['V', 'W']),
  V: hidingPlace('V', ['U', 'W']),
  W: hidingPlace('W', ['U', 'V']),
  K: wordSlot('K', 'name', FAMILY),
  food: wordSlot('food', 'thing', FOODS, (world) => FOODS.filter((food) => food !== world.get('food2'))),
  food2: wordSlot('food2', 'thing', FOODS, (world) => FOODS.filter((food) => food !== world.get('food'))),
  counted: wordSlot('counted', 'thing', COUNTED),
  counted2: wordSlot('counted2', 'thing', COUNTED, (world) =>
    COUNTED.filter((thing) => thing !== world.get('counted')),
  ),
  uncounted: wordSlot('uncounted', 'thing', UNCOUNTED),
  hobby: wordSlot('hobby', 'thing', HOBBIES, (world) => HOBBIES.filter((hobby) => hobby !== world.get('hobby2'))),
  hobby2: wordSlot('hobby2', 'thing', HOBBIES, (world) => HOBBIES.filter((hobby) => hobby !== world.get('hobby'))),
  job: wordSlot('job', 'thing', JOBS, (world) => JOBS.filter((job) => job !== world.get('job2'))),
  job2: wordSlot('job2', 'thing', JOBS, (world) => JOBS.filter((job) => job !== world.get('job'))),
  month: wordSlot('month', 'thing', MONTHS, (world) => MONTHS.filter((month) => month !== world.get('month2'))),
  month2: wordSlot('month2', 'thing', MONTHS, (world) => MONTHS.filter((month) => month !== world.get('month'))),
  goal: wordSlot('goal', 'place', GOALS),
  mark: wordSlot('mark', 'place', LANDMARKS),
  mark2: wordSlot('mark2', 'place', LANDMARKS, (world) =>
    LANDMARKS.filter((landmark) => landmark !== world.get('mark')),
  ),
  turn: wordSlot('turn', 'place', TURNS),
  turn2: wordSlot('turn2', 'place', TURNS),
  land: wordSlot('land', 'place', LANDS),
  worn: wordSlot('worn', 'thing', WORN),
  // n of something; k are given away; rest remain; more are added.
  n: numberSlot('n', () => between(5, 12)),
  k: numberSlot('k', (world) => between(2, numberOf(world, 'n') - 2)),
  rest: computedNumberSlot((world) => numberOf(world, 'n') - numberOf(world, 'k')),
  more: numberSlot('more', () => between(2, 5)),
  all: computedNumberSlot((world) => numberOf(world, 'n') - numberOf(world, 'k') + numberOf(world, 'more')),
  sum: computedNumberSlot((world) => numberOf(world, 'n') + numberOf(world, 'k')),
  age: numberSlot('age', (world) => between(4, 12).filter((n) => n !== world.get('age2'))),
  age2: numberSlot('age2', (world) => between(4, 12).filter((n) => n !== numberOf(world, 'age'))),
  n2: numberSlot('n2', () => between(2, 9)),
  n3: numberSlot('n3', () => between(2, 9)),
  coins: numberSlot('coins', () => between(10, 20)),
  score: numberSlot('score', (world) => between(3, 12).filter((n) => n !== world.get('score2'))),
  score2: numberSlot('score2', (world) => between(3, 12).filter((n) => n !== numberOf(world, 'score'))),
  often: textSlot(HOW_OFTEN, () => HOW_OFTEN),
  guess: variableSlot<string>('guess', {
    kind: 'place',
    allowed: () => SIDES,
    all: SIDES,
    texts: { '': (side) => side },
  }),
  pea: wordSlot('pea', 'thing', PEAS),
  pet: wordSlot('pet', 'thing', PETS),
  petName: wordSlot('petName', 'name', PET_NAMES),
  collar: colorSlot('collar', (world) => COLORS.filter((color) => color !== world.get('collar2'))),
  collar2: colorSlot('collar2', (world) => COLORS.filter((color) => color !== world.get('collar'))),
  event: wordSlot('event', 'thing', EVENTS),
  hour: numberSlot('hour', () => between(1, 9)),
  hour2: numberSlot('hour2', (world) => between(1, 9).filter((n) => n !== numberOf(world, 'hour'))),
  game: wordSlot('game', 'thing', GAMES),
  prize: wordSlot('prize', 'thing', PRIZES),
  piece: wordSlot('piece', 'thing', PIECES),
  glue: wordSlot('glue', 'tool', GLUES),
  brush: wordSlot('brush', 'tool', BRUSHES),
  forgot: computedSlot('thing', ERRANDS, (world) => world.get('forgot') ?? ''),
  bought: computedSlot('thing', ERRANDS, (world) => world.get('bought') ?? ''),
  bought2: computedSlot('thing', ERRANDS, (world) => world.get('bought2') ?? ''),
  riddle: variableSlot<Riddle>('riddle', {
    kind: 'riddle',
    allowed: () => RIDDLES,
    all: RIDDLES,
    texts: { q: (riddle) => riddle.asks, a: (riddle) => riddle.answer },
  }),
  side: variableSlot<string>('side', {
    kind: 'place',
    allowed: () => SIDES,
    all: SIDES,
    texts: { '': (side) => side },
  }),
  swap: variableSlot<string>('swap', { kind: 'place', allowed: () => SWAPS, all: SWAPS, texts: { '': swapText } }),
  swap2: variableSlot<string>('swap2', {
    kind: 'place',
    allowed: (world) => SWAPS.filter((swap) => swap !== world.get('swap')),
    all: SWAPS,
    texts: { '': swapText },
  }),
  now: computedSlot('place', SIDES, cupNow),
};
