import { type Said, type Slot, type World } from '../grammar/world.ts';
import { ADULTS, CHILDREN, FAMILY, type Gender, type Person } from '../words/people.ts';
import {
  BRUSHES,
  EVENTS,
  FOODS,
  GAMES,
  GLUES,
  HOW_OFTEN,
  NUMBERS,
  PEAS,
  PET_NAMES,
  PETS,
  PIECES,
  PRIZES,
  type Riddle,
  RIDDLES,
} from '../words/small.ts';
import {
  type Hide,
  REASONS,
  RESCUES,
  type Setting,
  SETTINGS,
  type Spot,
  TOOLS,
  type Trouble,
} from '../words/places.ts';
import {
  type Adjective,
  ADJECTIVES,
  type Color,
  COLORS,
  described,
  fits,
  is,
  type Noun,
  NOUNS,
  withArticle,
} from '../words/things.ts';

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const fixed = (kind: string, text: string): Said => ({ kind, texts: [text], weights: null, bind: null });

/** Long lists have a sign each, which keeps patterns short. */
const SIGNS = new Map<string, string>();
for (const { in: where, into } of SETTINGS.flatMap(({ spots }) => spots)) SIGNS.set(where, '§').set(into, '§');
for (const { where } of SETTINGS.flatMap(({ hides }) => hides)) SIGNS.set(where, '§');
for (const { name } of ADULTS) SIGNS.set(name, '~');
for (const [text, sign] of SIGNS) SIGNS.set(capital(text), sign);
for (const { name } of CHILDREN) SIGNS.set(name, '@');
for (const noun of NOUNS) SIGNS.set(noun, '#');
const SIGNED = new RegExp(`\\b(?:${[...SIGNS.keys()].toSorted((a, b) => b.length - a.length).join('|')})\\b`, 'g');

/** A text as patterns are matched against it: one sign for any name, noun or hiding place. */
export const signed = (text: string): string => text.replace(SIGNED, (found) => SIGNS.get(found) ?? found);

/** Text as an expression. */
export const literal = (text: string): string => signed(text).replace(/[.?*+()[\]]/g, '\\$&');

/** An expression that accepts any of the texts. */
function anyOf(texts: readonly string[]): string {
  const all = [...new Set(texts.map(literal))].toSorted((a, b) => b.length - a.length);
  return all.length === 1 ? all[0] : `(?:${all.join('|')})`;
}

// ---- people

/** Children of a tale, the parts that they play in an episode, and an adult. */
type PersonId = 'A' | 'B' | 'C' | 'H';
const BIT: Readonly<Record<PersonId, number>> = { A: 1, B: 2, C: 4, H: 8 };
const IDS: readonly PersonId[] = ['A', 'B', 'C', 'H'];

const genderOf = (world: World, id: PersonId): Gender | undefined => world.get<Gender>(`${id}.gender`);

function mention(world: World, id: PersonId): void {
  const now = world.get<number>('now') ?? 0;
  if (!(now & BIT[id])) world.set('now', now | BIT[id]);
}

/** Between two sentences: whoever was named in the last one can be 'he' or 'she' in this one. */
export function beginSentence(world: World): void {
  world.set('before', world.get('now') ?? 0);
  world.set('now', 0);
}

/** A pronoun is clear: the person was mentioned, in this sentence or the last, and nobody else of that gender was. */
function isClear(world: World, id: PersonId): boolean {
  const seen = (world.get<number>('before') ?? 0) | (world.get<number>('now') ?? 0);
  if (!(seen & BIT[id])) return false;
  const gender = genderOf(world, id);
  return IDS.every((other) => other === id || !(seen & BIT[other]) || genderOf(world, other) !== gender);
}

const PRONOUNS: Readonly<Record<string, readonly [string, string]>> = {
  he: ['he', 'she'],
  He: ['He', 'She'],
  his: ['his', 'her'],
  His: ['His', 'Her'],
  him: ['him', 'her'],
  self: ['himself', 'herself'],
  kid: ['boy', 'girl'],
};

/** What the teller of the tale in the evening, always A, says of people: 'I' or 'Mia'. */
const OF_TELLER: Readonly<Record<string, readonly [teller: string, tail: string]>> = {
  I: ['I', ''],
  you: ['you', ''],
  my: ['my', "'s"],
  My: ['My', "'s"],
  your: ['your', "'s"],
  yours: ['yours', "'s"],
  Mine: ['Mine', "'s"],
  me: ['me', ''],
  Who: ['I', ''],
};

function name(world: World, id: PersonId, attribute: string): Said {
  const known = world.get<string>(`${id}.name`);
  const tail = attribute === 'own' ? "'s" : '';
  const shape = (text: string): string => (attribute === 'Cap' ? capital(text) : text) + tail;
  if (known !== undefined) {
    return { kind: tail ? 'owner' : 'name', texts: [shape(known)], weights: null, bind: (w) => mention(w, id) };
  }
  const used = world.get<readonly string[]>('names') ?? [];
  const gender = genderOf(world, id);
  const open = (id === 'H' ? ADULTS : CHILDREN).filter(
    (one) => !used.includes(one.name) && (gender === undefined || one.gender === gender),
  );
  return {
    kind: 'name',
    texts: open.map((one) => shape(one.name)),
    weights: null,
    bind: (w, i) => {
      w.set(`${id}.name`, open[i].name);
      w.set(`${id}.gender`, open[i].gender);
      w.set('names', [...used, open[i].name]);
      mention(w, id);
    },
  };
}

function person(world: World, id: PersonId, attribute: string): Said {
  if (attribute === '' || attribute === 'own' || attribute === 'Cap') return name(world, id, attribute);
  if (attribute === 'do') return fixed('text', id === 'A' ? 'do' : 'does');
  if (attribute in OF_TELLER) {
    const [teller, tail] = OF_TELLER[attribute];
    const other = world.get<string>(`${id}.name`) + tail;
    return fixed(tail ? 'owner' : 'name', id === 'A' ? teller : attribute === 'Who' ? capital(other) : other);
  }
  let gender = genderOf(world, id);
  if (gender === undefined && attribute === 'kid') {
    return {
      kind: 'pronoun',
      texts: PRONOUNS.kid,
      weights: null,
      bind: (w, i) => w.set(`${id}.gender`, i ? 'f' : 'm'),
    };
  }
  gender ??= 'm';
  const said = (key: string): string => PRONOUNS[key][gender === 'm' ? 0 : 1];
  if (attribute === 's' || attribute === 'S' || attribute === 'o') {
    const called = world.get<string>(`${id}.name`);
    if (called === undefined) return name(world, id, attribute === 'S' ? 'Cap' : '');
    const bind = (w: World): void => mention(w, id);
    const shown = attribute === 'S' ? capital(called) : called;
    if (!isClear(world, id)) return { kind: 'name', texts: [shown], weights: null, bind };
    const pronoun = attribute === 'o' ? said('him') : attribute === 'S' ? said('He') : said('he');
    return { kind: 'pronoun', texts: [shown, pronoun], weights: [1, 2], bind };
  }
  return { kind: 'pronoun', texts: [said(attribute)], weights: null, bind: null };
}

function personPattern(people: readonly Person[], attribute: string): string {
  const names = people.map((one) => one.name);
  if (attribute === '') return anyOf(names);
  if (attribute === 'Cap') return anyOf(names.map(capital));
  if (attribute === 'own') return anyOf(names.map((one) => `${one}'s`));
  if (attribute === 's') return anyOf([...names, 'he', 'she']);
  if (attribute === 'S') return anyOf([...names.map(capital), 'He', 'She']);
  if (attribute === 'o') return anyOf([...names, 'him', 'her']);
  if (attribute === 'do') return '(?:do|does)';
  if (attribute in OF_TELLER) {
    const [teller, tail] = OF_TELLER[attribute];
    return anyOf([teller, ...names.map((one) => (attribute === 'Who' ? capital(one) : one) + tail)]);
  }
  return anyOf(PRONOUNS[attribute]);
}

const personSlot = (id: PersonId): Slot => ({
  say: (world, attribute) => person(world, id, attribute),
  pattern: (attribute) => personPattern(id === 'H' ? ADULTS : CHILDREN, attribute),
});

/** A part in an episode, played by whoever the world says. */
const partSlot = (part: string): Slot => ({
  say: (world, attribute) => person(world, world.get<PersonId>(part) ?? 'A', attribute),
  pattern: (attribute) => personPattern([...CHILDREN, ...ADULTS], attribute),
});

// ---- things

type ThingId = 'X' | 'Y' | 'Z';

/** Nouns that may still be said of this thing. */
function openNouns(world: World, id: ThingId): Noun[] {
  const outdoors = world.get<Setting>('P')?.outdoors ?? true;
  const adjective = world.get<Adjective>(`${id}.adjective`) ?? '';
  const taken = (['X', 'Y', 'Z'] as const).map((other) =>
    other === id ? undefined : world.get<Noun>(`${other}.noun`),
  );
  const twins = id !== 'Z' && world.has('twins');
  return NOUNS.filter(
    (noun) =>
      fits(adjective, noun) &&
      (outdoors || !is(noun, 'o')) &&
      !taken.includes(noun) &&
      !(twins && (noun === 'wheel' || noun === 'globe')),
  );
}

function openColors(world: World, id: ThingId): readonly Color[] {
  const other = id === 'X' ? 'Y' : 'X';
  const taken = [
    world.get<Color>(`${id}.was`),
    world.get<Noun>(`${other}.noun`) === world.get<Noun>(`${id}.noun`) ? world.get<Color>(`${other}.color`) : undefined,
  ];
  return COLORS.filter((color) => !taken.includes(color));
}

const ADJECTIVE_LIST = Object.entries(ADJECTIVES) as [Adjective, number][];
const DESCRIPTIONS = ADJECTIVE_LIST.flatMap(([adjective, weight]) =>
  COLORS.map((color) => ({ adjective, color, weight, text: described(adjective, color) })),
);
const DESCRIBED: Readonly<Record<string, Omit<Said, 'bind'>>> = {
  bare: { kind: 'color', texts: DESCRIPTIONS.map((one) => one.text), weights: DESCRIPTIONS.map((one) => one.weight) },
  a: {
    kind: 'color',
    texts: DESCRIPTIONS.map((one) => withArticle(one.text)),
    weights: DESCRIPTIONS.map((one) => one.weight),
  },
};

function colorText(color: string, attribute: string): string {
  if (attribute === 'C') return capital(color);
  if (attribute === 'ac') return withArticle(color);
  return attribute === 'Ac' ? capital(withArticle(color)) : color;
}

function thing(world: World, id: ThingId, attribute: string): Said {
  const noun = world.get<Noun>(`${id}.noun`);
  const color = world.get<Color>(`${id}.color`);
  const adjective = world.get<Adjective>(`${id}.adjective`) ?? '';
  switch (attribute) {
    case '': {
      if (noun) return fixed('thing', noun);
      const open = openNouns(world, id);
      return { kind: 'thing', texts: open, weights: null, bind: (w, i) => w.set(`${id}.noun`, open[i]) };
    }
    case 'a':
    case 'bare': {
      if (color) {
        const text = described(adjective, color);
        return fixed('color', attribute === 'a' ? withArticle(text) : text);
      }
      return {
        ...DESCRIBED[attribute],
        bind: (w, i) => {
          w.set(`${id}.color`, DESCRIPTIONS[i].color);
          w.set(`${id}.adjective`, DESCRIPTIONS[i].adjective);
        },
      };
    }
    case 'c':
    case 'C':
    case 'ac':
    case 'Ac': {
      if (color) return fixed('color', colorText(color, attribute));
      const open = openColors(world, id);
      return {
        kind: 'color',
        texts: open.map((one) => colorText(one, attribute)),
        weights: null,
        bind: (w, i) => w.set(`${id}.color`, open[i]),
      };
    }
    case 'one':
      return world.has('twins') && id !== 'Z' ? fixed('color', `${color} ${noun}`) : fixed('thing', noun ?? '');
    case 'full':
      return fixed('color', `${color} ${noun}`);
    case 'the':
    case 'The':
    case 'my': {
      const article = attribute === 'my' ? '' : `${attribute} `;
      const full = `${article}${color} ${noun}`;
      if (world.has('twins') && id !== 'Z') return fixed('color', full);
      const texts = [`${article}${noun}`, full];
      const weights = [3, 1];
      if (adjective && attribute !== 'my') {
        texts.push(`${article}${adjective} ${noun}`);
        weights.push(1);
      }
      return { kind: 'color', texts, weights, bind: null };
    }
    default:
      throw new Error(`thing: found '${attribute}', expected an attribute of things`);
  }
}

const COLOR = anyOf(COLORS);
const NOUN = anyOf(NOUNS);
const BEFORE_COLOR = anyOf(Object.keys(ADJECTIVES).filter((word) => word && word !== 'wooden' && word !== 'old'));
const COLOR_AFTER_A = anyOf(COLORS.filter((color) => color !== 'orange'));
const ADJECTIVE = anyOf(Object.keys(ADJECTIVES).filter(Boolean));
const THING_PATTERNS: Readonly<Record<string, string>> = {
  '': NOUN,
  a: `(?:an (?:old ${COLOR}|orange(?: wooden)?)|a (?:${BEFORE_COLOR} ${COLOR}|${COLOR_AFTER_A}(?: wooden)?))`,
  bare: `(?:old ${COLOR}|${BEFORE_COLOR} ${COLOR}|${COLOR}(?: wooden)?)`,
  c: COLOR,
  C: anyOf(COLORS.map(capital)),
  ac: anyOf(COLORS.map((color) => withArticle(color))),
  Ac: anyOf(COLORS.map((color) => capital(withArticle(color)))),
  full: `${COLOR} ${NOUN}`,
  one: `(?:${COLOR} )?${NOUN}`,
  the: `the (?:(?:${ADJECTIVE}|${COLOR}) )?${NOUN}`,
  The: `The (?:(?:${ADJECTIVE}|${COLOR}) )?${NOUN}`,
  my: `(?:${COLOR} )?${NOUN}`,
};
const thingPattern = (attribute: string): string => THING_PATTERNS[attribute];

const thingSlot = (id: ThingId): Slot => ({
  say: (world, attribute) => thing(world, id, attribute),
  pattern: thingPattern,
});
const thingPart = (part: string): Slot => ({
  say: (world, attribute) => thing(world, world.get<ThingId>(part) ?? 'X', attribute),
  pattern: thingPattern,
});

// ---- everything else that is chosen once and then stays

interface Variable<T> {
  readonly kind: string;
  /** What it can be here. */
  readonly open: (world: World) => readonly T[];
  readonly all: readonly T[];
  readonly texts: Readonly<Record<string, (value: T) => string>>;
}

function variable<T>(key: string, { kind, open, all, texts }: Variable<T>): Slot {
  return {
    say: (world, attribute) => {
      const text = texts[attribute];
      const value = world.get<T>(key);
      if (value !== undefined) return fixed(kind, text(value));
      const options = open(world);
      return { kind, texts: options.map(text), weights: null, bind: (w, i) => w.set(key, options[i]) };
    },
    pattern: (attribute) => anyOf(all.map(texts[attribute])),
  };
}

/** One of these words, fixed once said. */
const word = (
  key: string,
  kind: string,
  all: readonly string[],
  open: (world: World) => readonly string[] = () => all,
): Slot => variable(key, { kind, all, open, texts: { '': (text) => text, Cap: capital } });

/** A color that is not that of a thing of the tale. */
const paint = (key: string, open: (world: World) => readonly Color[]): Slot =>
  variable<Color>(key, {
    kind: 'color',
    all: COLORS,
    open,
    texts: { '': (color) => color, Cap: capital, a: (color) => withArticle(color) },
  });

/** Any of these, each time anew. */
const loose = (all: readonly string[], open: (world: World) => readonly string[]): Slot => ({
  say: (world) => ({ kind: 'text', texts: open(world), weights: null, bind: null }),
  pattern: () => anyOf(all),
});

/** What follows from the facts: nothing to choose. */
const computed = (kind: string, all: readonly string[], text: (world: World) => string): Slot => ({
  say: (world, attribute) => fixed(kind, attribute === 'Cap' ? capital(text(world)) : text(world)),
  pattern: (attribute) => anyOf(attribute === 'Cap' ? all.map(capital) : all),
});

const ALL_SPOTS = SETTINGS.flatMap((setting) => setting.spots);
const ALL_TOOLS = Object.values(TOOLS).flat();
const ALL_HIDES = [...new Set(SETTINGS.flatMap((setting) => setting.hides.map((hide) => hide.where)))];

/** A hiding place of the setting, other than those named, with room for the thing of the episode. */
const hide = (key: string, others: readonly string[]): Slot =>
  word(key, 'place', ALL_HIDES, (world) => {
    const noun = world.get<Noun>(`${world.get<ThingId>('t') ?? 'X'}.noun`);
    const taken = others.map((other) => world.get<string>(other));
    const fit = (one: Hide): boolean => !one.small || noun === undefined || !is(noun, 'l');
    return (world.get<Setting>('P')?.hides ?? [])
      .filter((one) => fit(one) && !taken.includes(one.where))
      .map((one) => one.where);
  });

const SIDES = ['left', 'middle', 'right'] as const;
const SWAPS = ['left|middle', 'left|right', 'middle|right'] as const;
const swapText = (swap: string): string => swap.replace(/^(\w+)\|(\w+)$/, 'the $1 cup and the $2 cup');
const swapped = (side: string, swap: string): string => {
  const [a, b] = swap.split('|');
  return side === a ? b : side === b ? a : side;
};
const numberText = (n: number): string => NUMBERS[n];
const number = (key: string, open: (world: World) => readonly number[]): Slot =>
  variable<number>(key, {
    kind: 'number',
    open,
    all: NUMBERS.map((_, i) => i),
    texts: { '': numberText, Cap: (n) => capital(numberText(n)) },
  });
const between = (low: number, high: number): number[] =>
  Array.from({ length: Math.max(0, high - low + 1) }, (_, i) => low + i);
const value = (world: World, key: string): number => world.get<number>(key) ?? 0;

/** A number that follows from others. */
const sum = (of: (world: World) => number): Slot => computed('number', NUMBERS, (world) => NUMBERS[of(world)]);

export interface Fact {
  readonly key: string;
  readonly question: string;
  readonly answer: string;
  readonly kind: string;
}

/** All questions and answers that facts may have, as expressions; the tale hands them in. */
export function factSlot(patterns: () => { readonly questions: string; readonly answers: string }): Slot {
  return {
    say: (world, attribute) => {
      const fact = world.get<Fact>('fact');
      if (!fact) throw new Error('a question without a fact');
      return attribute === 'q' ? fixed('question', fact.question) : fixed(fact.kind, fact.answer);
    },
    pattern: (attribute) => (attribute === 'q' ? patterns().questions : patterns().answers),
  };
}

export const SLOTS: Readonly<Record<string, Slot>> = {
  A: personSlot('A'),
  B: personSlot('B'),
  C: personSlot('C'),
  H: personSlot('H'),
  o: partSlot('o'),
  f: partSlot('f'),
  g: partSlot('g'),
  w: partSlot('w'),
  l: partSlot('l'),
  X: thingSlot('X'),
  Y: thingSlot('Y'),
  Z: thingSlot('Z'),
  t: thingPart('t'),
  u: thingPart('u'),
  P: variable<Setting>('P', {
    kind: 'place',
    open: () => SETTINGS,
    all: SETTINGS,
    texts: {
      in: (setting) => setting.in,
      In: (setting) => capital(setting.in),
      to: (setting) => `to the ${setting.name}`,
      the: (setting) => `the ${setting.name}`,
      The: (setting) => `The ${setting.name}`,
    },
  }),
  S: variable<Spot>('S', {
    kind: 'place',
    open: (world) => {
      const noun = world.get<Noun>(`${world.get<ThingId>('t') ?? 'X'}.noun`) ?? 'ball';
      const flies = world.get<boolean>('flies') === true;
      return (world.get<Setting>('P')?.spots ?? []).filter(
        (spot) =>
          (flies || spot.trouble !== 'high') &&
          (!flies || !spot.in.startsWith('under')) &&
          (spot.trouble !== 'deep' || !is(noun, 'l')),
      );
    },
    all: ALL_SPOTS,
    texts: { into: (spot) => spot.into, in: (spot) => spot.in, In: (spot) => capital(spot.in) },
  }),
  T: variable('T', {
    kind: 'tool',
    open: (world) => TOOLS[world.get<Spot>('S')?.trouble ?? 'water'],
    all: ALL_TOOLS,
    texts: { a: (tool) => tool.a, A: (tool) => capital(tool.a), the: (tool) => tool.the },
  }),
  why: loose(
    Object.values(REASONS).flat(),
    (world) => REASONS[world.get<Spot>('S')?.trouble ?? ('water' satisfies Trouble)],
  ),
  out: loose(Object.values(RESCUES).flat(), (world) => RESCUES[world.get<Spot>('S')?.trouble ?? 'water']),
  U: hide('U', ['V', 'W']),
  V: hide('V', ['U', 'W']),
  W: hide('W', ['U', 'V']),
  K: word('K', 'name', FAMILY),
  food: word('food', 'thing', FOODS),
  food2: word('food2', 'thing', FOODS, (world) => FOODS.filter((food) => food !== world.get('food'))),
  food3: word('food3', 'thing', FOODS, (world) =>
    FOODS.filter((food) => food !== world.get('food') && food !== world.get('food2')),
  ),
  // n of something; k are given away; rest are left; more are added.
  n: number('n', () => between(5, 12)),
  k: number('k', (world) => between(2, value(world, 'n') - 2)),
  rest: sum((world) => value(world, 'n') - value(world, 'k')),
  more: number('more', () => between(2, 5)),
  all: sum((world) => value(world, 'n') - value(world, 'k') + value(world, 'more')),
  sum: sum((world) => value(world, 'n') + value(world, 'k')),
  age: number('age', () => between(4, 12)),
  age2: number('age2', (world) => between(4, 12).filter((n) => n !== value(world, 'age'))),
  n2: number('n2', () => between(2, 9)),
  n3: number('n3', () => between(2, 9)),
  coins: number('coins', () => between(10, 20)),
  score: number('score', () => between(3, 12)),
  score2: number('score2', (world) => between(3, 12).filter((n) => n !== value(world, 'score'))),
  often: loose(HOW_OFTEN, () => HOW_OFTEN),
  guess: variable<string>('guess', { kind: 'place', open: () => SIDES, all: SIDES, texts: { '': (side) => side } }),
  pea: word('pea', 'thing', PEAS),
  pet: word('pet', 'thing', PETS),
  petName: word('petName', 'name', PET_NAMES),
  collar: paint('collar', (world) => COLORS.filter((color) => color !== world.get('collar2'))),
  collar2: paint('collar2', (world) => COLORS.filter((color) => color !== world.get('collar'))),
  event: word('event', 'thing', EVENTS),
  hour: number('hour', () => between(1, 9)),
  hour2: number('hour2', (world) => between(1, 9).filter((n) => n !== value(world, 'hour'))),
  game: word('game', 'thing', GAMES),
  prize: word('prize', 'thing', PRIZES),
  piece: word('piece', 'thing', PIECES),
  glue: word('glue', 'tool', GLUES),
  brush: word('brush', 'tool', BRUSHES),
  forgot: computed('thing', FOODS, (world) => world.get('forgot') ?? ''),
  bought: computed('thing', FOODS, (world) => world.get('bought') ?? ''),
  bought2: computed('thing', FOODS, (world) => world.get('bought2') ?? ''),
  riddle: variable<Riddle>('riddle', {
    kind: 'riddle',
    open: () => RIDDLES,
    all: RIDDLES,
    texts: { q: (riddle) => riddle.asks, a: (riddle) => riddle.answer },
  }),
  side: variable<string>('side', { kind: 'place', open: () => SIDES, all: SIDES, texts: { '': (side) => side } }),
  swap: variable<string>('swap', { kind: 'place', open: () => SWAPS, all: SWAPS, texts: { '': swapText } }),
  swap2: variable<string>('swap2', {
    kind: 'place',
    open: (world) => SWAPS.filter((swap) => swap !== world.get('swap')),
    all: SWAPS,
    texts: { '': swapText },
  }),
  now: computed('place', SIDES, (world) => {
    const first = swapped(world.get('side') ?? 'left', world.get('swap') ?? 'left|right');
    return world.has('swap2') ? swapped(first, world.get('swap2') ?? 'left|right') : first;
  }),
};
