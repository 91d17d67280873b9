// Slots for people in tales: which name or pronoun a sentence uses, so that every pronoun is unambiguous.

import { type SlotTexts, type Slot, type World } from '../grammar/world.ts';
import { ADULTS, CHILDREN, type Gender, type Person } from '../words/people.ts';
import { anyOf, capitalised, oneText } from './patterns.ts';

/** The people of a tale, a short story from a grammar: the children A, B and C, and the adult H. */
type PersonId = 'A' | 'B' | 'C' | 'H';
/** A bit per person in two facts: `now` (mentioned in this sentence) and `before` (in the sentence before). */
const BIT: Readonly<Record<PersonId, number>> = { A: 1, B: 2, C: 4, H: 8 };
const IDS: readonly PersonId[] = ['A', 'B', 'C', 'H'];

const genderOf = (world: World, id: PersonId): Gender | undefined => world.get<Gender>(`${id}.gender`);

/** Records that this sentence mentions a person. */
function mention(world: World, id: PersonId): void {
  const now = world.get<number>('now') ?? 0;
  if (!(now & BIT[id])) world.set('now', now | BIT[id]);
}

/** Marks the start of a sentence: people mentioned in the sentence before it can now be 'he' or 'she'. */
export function beginText(world: World): void {
  world.set('before', world.get('now') ?? 0);
  world.set('now', 0);
}

/** Whether a pronoun is clear: this sentence or the last mentioned the person, and nobody else of that gender. */
function isClear(world: World, id: PersonId): boolean {
  const mentioned = (world.get<number>('before') ?? 0) | (world.get<number>('now') ?? 0);
  if (!(mentioned & BIT[id])) return false;
  const gender = genderOf(world, id);
  return IDS.every((other) => other === id || !(mentioned & BIT[other]) || genderOf(world, other) !== gender);
}

/** Words for a person: male, female. */
const PRONOUNS: Readonly<Record<string, readonly [string, string]>> = {
  he: ['he', 'she'],
  He: ['He', 'She'],
  his: ['his', 'her'],
  His: ['His', 'Her'],
  him: ['him', 'her'],
  self: ['himself', 'herself'],
  kid: ['boy', 'girl'],
};

/** Words of dialogue with child A: for A the word itself, 'my'; for anyone else the name with a suffix, 'Anna's'. */
const DIALOGUE: Readonly<Record<string, readonly [wordForA: string, suffix: string]>> = {
  I: ['I', ''],
  you: ['you', ''],
  my: ['my', "'s"],
  My: ['My', "'s"],
  your: ['your', "'s"],
  yours: ['yours', "'s"],
  Mine: ['Mine', "'s"],
  me: ['me', ''],
  /** the answer to 'Who …?': 'I', or a name with a capital */
  WhoAnswer: ['I', ''],
};

/** Returns the texts for the name of a person; before the first mention, all names that are still free. */
function nameTexts(world: World, id: PersonId, attribute: string): SlotTexts {
  const name = world.get<string>(`${id}.name`);
  const suffix = attribute === 'own' ? "'s" : '';
  const shape = (text: string): string => (attribute === 'Cap' ? capitalised(text) : text) + suffix;
  if (name !== undefined) {
    return { kind: suffix ? 'owner' : 'name', texts: [shape(name)], weights: null, bind: (w) => mention(w, id) };
  }
  const used = world.get<readonly string[]>('names') ?? [];
  const gender = genderOf(world, id);
  const free = (id === 'H' ? ADULTS : CHILDREN).filter(
    (person) => !used.includes(person.name) && (gender === undefined || person.gender === gender),
  );
  return {
    kind: 'name',
    texts: free.map((person) => shape(person.name)),
    weights: null,
    bind: (w, i) => {
      w.set(`${id}.name`, free[i].name);
      w.set(`${id}.gender`, free[i].gender);
      w.set('names', [...used, free[i].name]);
      mention(w, id);
    },
  };
}

/**
 * The texts for a person. `attribute`: '', 'Cap' or 'own' for the name, plain, capitalised or with 's; 's', 'S' or 'o'
 * for the name or a pronoun, as a subject, capitalised or as an object; 'do' for do or does; a key of DIALOGUE or of
 * PRONOUNS.
 */
function personTexts(world: World, id: PersonId, attribute: string): SlotTexts {
  if (attribute === '' || attribute === 'own' || attribute === 'Cap') return nameTexts(world, id, attribute);
  if (attribute === 'do') return oneText('text', id === 'A' ? 'do' : 'does');
  if (attribute in DIALOGUE) {
    const [wordForA, suffix] = DIALOGUE[attribute];
    const name = world.get<string>(`${id}.name`) + suffix;
    const other = attribute === 'WhoAnswer' ? capitalised(name) : name;
    return oneText(suffix ? 'owner' : 'name', id === 'A' ? wordForA : other);
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
  const pronounFor = (key: string): string => PRONOUNS[key][gender === 'm' ? 0 : 1];
  if (attribute === 's' || attribute === 'S' || attribute === 'o') {
    const called = world.get<string>(`${id}.name`);
    if (called === undefined) return nameTexts(world, id, attribute === 'S' ? 'Cap' : '');
    const bind = (w: World): void => mention(w, id);
    const nameText = attribute === 'S' ? capitalised(called) : called;
    if (!isClear(world, id)) return { kind: 'name', texts: [nameText], weights: null, bind };
    const pronoun = attribute === 'o' ? pronounFor('him') : attribute === 'S' ? pronounFor('He') : pronounFor('he');
    return { kind: 'pronoun', texts: [nameText, pronoun], weights: [1, 2], bind };
  }
  return { kind: 'pronoun', texts: [pronounFor(attribute)], weights: null, bind: null };
}

/** A regular expression for all texts of `personTexts`. */
function personPattern(people: readonly Person[], attribute: string): string {
  const names = people.map((person) => person.name);
  if (attribute === '') return anyOf(names);
  if (attribute === 'Cap') return anyOf(names.map(capitalised));
  if (attribute === 'own') return anyOf(names.map((name) => `${name}'s`));
  if (attribute === 's') return anyOf([...names, 'he', 'she']);
  if (attribute === 'S') return anyOf([...names.map(capitalised), 'He', 'She']);
  if (attribute === 'o') return anyOf([...names, 'him', 'her']);
  if (attribute === 'do') return '(?:do|does)';
  if (attribute in DIALOGUE) {
    const [wordForA, suffix] = DIALOGUE[attribute];
    return anyOf([wordForA, ...names.map((name) => (attribute === 'WhoAnswer' ? capitalised(name) : name) + suffix)]);
  }
  return anyOf(PRONOUNS[attribute]);
}

/** The slot (a gap in a sentence) for a person, filled with a name or a pronoun. */
export const personSlot = (id: PersonId): Slot => ({
  say: (world, attribute) => personTexts(world, id, attribute),
  pattern: (attribute) => personPattern(id === 'H' ? ADULTS : CHILDREN, attribute),
});

/** The slot for a role in an episode, such as owner, filled as the slot of the person who has the role. */
export const roleSlot = (role: string): Slot => ({
  say: (world, attribute) => personTexts(world, world.get<PersonId>(role) ?? 'A', attribute),
  pattern: (attribute) => personPattern([...CHILDREN, ...ADULTS], attribute),
});
