// Slots for things in tales: nouns, colors and adjectives that fit the facts so far.

import { type SlotTexts, type Slot, type World } from '../grammar/world.ts';
import { type Setting } from '../words/places.ts';
import {
  type Adjective,
  ADJECTIVES,
  type Color,
  COLORS,
  description,
  fitsNoun,
  hasProperty,
  type Noun,
  NOUNS,
  withArticle,
} from '../words/things.ts';
import { anyOf, capitalised, oneText } from './patterns.ts';

/** The three things of a tale, a short story from a grammar. Twins: X and Y have the same noun. */
export type ThingId = 'X' | 'Y' | 'Z';

/** Nouns that can still be used for this thing. */
function openNouns(world: World, id: ThingId): Noun[] {
  const outdoors = world.get<Setting>('P')?.outdoors ?? true;
  const adjective = world.get<Adjective>(`${id}.adjective`) ?? '';
  const otherThings = (['X', 'Y', 'Z'] as const).map((other) =>
    other === id ? undefined : world.get<Noun>(`${other}.noun`),
  );
  const twins = id !== 'Z' && world.has('twins');
  return NOUNS.filter(
    (noun) =>
      fitsNoun(adjective, noun) &&
      (outdoors || !hasProperty(noun, 'o')) &&
      !otherThings.includes(noun) &&
      !(twins && (noun === 'wheel' || noun === 'globe')),
  );
}

/** Colors that this thing can still get: not its color before, nor the color of its twin. */
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
  COLORS.map((color) => ({ adjective, color, weight, text: description(adjective, color) })),
);
const DESCRIPTION_TEXTS: Readonly<Record<string, Omit<SlotTexts, 'bind'>>> = {
  bare: {
    kind: 'color',
    texts: DESCRIPTIONS.map(({ text }) => text),
    weights: DESCRIPTIONS.map(({ weight }) => weight),
  },
  a: {
    kind: 'color',
    texts: DESCRIPTIONS.map(({ text }) => withArticle(text)),
    weights: DESCRIPTIONS.map(({ weight }) => weight),
  },
};

function colorText(color: string, attribute: string): string {
  if (attribute === 'C') return capitalised(color);
  if (attribute === 'ac') return withArticle(color);
  return attribute === 'Ac' ? capitalised(withArticle(color)) : color;
}

/**
 * The texts for a thing. `attribute`: '' for the noun; 'a' or 'bare' for 'a little red', with or without its article;
 * 'c', 'C', 'ac' or 'Ac' for the color; 'one' for the noun, of twins with the color; 'full' for both; 'the', 'The' or
 * 'my' for the noun, possibly with its color or adjective.
 */
function thingTexts(world: World, id: ThingId, attribute: string): SlotTexts {
  const noun = world.get<Noun>(`${id}.noun`);
  const color = world.get<Color>(`${id}.color`);
  const adjective = world.get<Adjective>(`${id}.adjective`) ?? '';
  switch (attribute) {
    case '': {
      if (noun) return oneText('thing', noun);
      const nouns = openNouns(world, id);
      return { kind: 'thing', texts: nouns, weights: null, bind: (w, i) => w.set(`${id}.noun`, nouns[i]) };
    }
    case 'a':
    case 'bare': {
      if (color) {
        const text = description(adjective, color);
        return oneText('color', attribute === 'a' ? withArticle(text) : text);
      }
      return {
        ...DESCRIPTION_TEXTS[attribute],
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
      if (color) return oneText('color', colorText(color, attribute));
      const colors = openColors(world, id);
      return {
        kind: 'color',
        texts: colors.map((name) => colorText(name, attribute)),
        weights: null,
        bind: (w, i) => w.set(`${id}.color`, colors[i]),
      };
    }
    case 'one':
      return world.has('twins') && id !== 'Z' ? oneText('color', `${color} ${noun}`) : oneText('thing', noun ?? '');
    case 'full':
      return oneText('color', `${color} ${noun}`);
    case 'the':
    case 'The':
    case 'my': {
      const article = attribute === 'my' ? '' : `${attribute} `;
      const full = `${article}${color} ${noun}`;
      if (world.has('twins') && id !== 'Z') return oneText('color', full);
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

// Regular expressions for all texts of `thingTexts`.
const COLOR = anyOf(COLORS);
const NOUN = anyOf(NOUNS);
const ADJECTIVE_BEFORE_COLOR = anyOf(
  Object.keys(ADJECTIVES).filter((word) => word && word !== 'wooden' && word !== 'old'),
);
const COLOR_WITH_ARTICLE_A = anyOf(COLORS.filter((color) => color !== 'orange'));
const ADJECTIVE = anyOf(Object.keys(ADJECTIVES).filter(Boolean));
const THING_PATTERNS: Readonly<Record<string, string>> = {
  '': NOUN,
  a: `(?:an (?:old ${COLOR}|orange(?: wooden)?)|a (?:${ADJECTIVE_BEFORE_COLOR} ${COLOR}|${COLOR_WITH_ARTICLE_A}(?: wooden)?))`,
  bare: `(?:old ${COLOR}|${ADJECTIVE_BEFORE_COLOR} ${COLOR}|${COLOR}(?: wooden)?)`,
  c: COLOR,
  C: anyOf(COLORS.map(capitalised)),
  ac: anyOf(COLORS.map((color) => withArticle(color))),
  Ac: anyOf(COLORS.map((color) => capitalised(withArticle(color)))),
  full: `${COLOR} ${NOUN}`,
  one: `(?:${COLOR} )?${NOUN}`,
  the: `the (?:(?:${ADJECTIVE}|${COLOR}) )?${NOUN}`,
  The: `The (?:(?:${ADJECTIVE}|${COLOR}) )?${NOUN}`,
  my: `(?:${COLOR} )?${NOUN}`,
};
const thingPattern = (attribute: string): string => THING_PATTERNS[attribute];

/** The slot (gap in a sentence) of a thing: its noun, color or description. */
export const thingSlot = (id: ThingId): Slot => ({
  say: (world, attribute) => thingTexts(world, id, attribute),
  pattern: thingPattern,
});
/** The slot of a role, such as t, in an episode of a tale: the slot of the thing that has this role. */
export const thingRoleSlot = (role: string): Slot => ({
  say: (world, attribute) => thingTexts(world, world.get<ThingId>(role) ?? 'X', attribute),
  pattern: thingPattern,
});
