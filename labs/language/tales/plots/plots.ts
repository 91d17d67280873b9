// Parses plots of tales (short stories): in a file `tell` inserts a part, `say` a sentence below it, `do` one of ACTS.
import asides from './asides.txt?raw';
import dealings from './dealings.txt?raw';
import errands from './errands.txt?raw';
import evening from './evening.txt?raw';
import games from './games.txt?raw';
import hiding from './hiding.txt?raw';
import opening from './opening.txt?raw';
import paintAndFind from './paint-and-find.txt?raw';
import trouble from './trouble.txt?raw';
import visitors from './visitors.txt?raw';
import { cupNow, type Fact, SLOTS } from '../facts/slots.ts';
import { act, form, maybe, type Node, pick, say, type Weight, when } from '../grammar/grammar.ts';
import { decidedText } from '../grammar/draw-and-parse.ts';
import { hasProperty, type Noun } from '../words/things.ts';
import type { World } from '../grammar/world.ts';

/** The files, in an order on which random choices depend: a part must precede the first `tell` of it. */
const TEXTS = {
  opening,
  asides,
  trouble,
  hiding,
  dealings,
  'paint-and-find': paintAndFind,
  games,
  errands,
  visitors,
  evening,
};

interface Episode {
  readonly name: string;
  readonly weight: number;
  /** Approximate length in sentences: after long episodes, less follows. */
  readonly length: number;
  /** whether the facts so far allow it */
  readonly suits: (world: World) => boolean;
  readonly steps: readonly Node[];
}

/** Parsed plots, which compose tales. */
export interface Plots {
  readonly episodes: readonly Episode[];
  /** By name: the beginning, asides and end of a tale, and what several episodes share. */
  readonly parts: Readonly<Record<string, readonly Node[]>>;
}

type Test = (world: World) => boolean;

// Facts in the world are named like slots (facts/slots.ts): `t`: the thing of an episode, X or Y; X.owner: who has it.
// Letters of properties (words/things.ts): b breaks, p of painted wood, w carried by the wind, s small, l large.
/** The noun of a thing, by default of the episode's thing; 'ball' if it has none yet. */
const nounOf = (world: World, thing = world.get<string>('t')): Noun => world.get<Noun>(`${thing}.noun`) ?? 'ball';
const hasKind = (world: World, kind: string): boolean => hasProperty(nounOf(world), kind);
const breaks = (world: World, thing: string): boolean =>
  hasProperty(nounOf(world, thing), 'b') || canBePainted(world, thing);
const canBePainted = (world: World, thing: string): boolean => hasProperty(nounOf(world, thing), 'p');
/** Whether the tale has two things, X and Y. */
const hasBoth: Test = (world) => world.has('Y.noun');
const suitsEither = (world: World, suits: (world: World, thing: string) => boolean): boolean =>
  suits(world, 'X') || (hasBoth(world) && suits(world, 'Y'));

/** Conditions of plots by name, besides those that compare facts. */
const TESTS: Readonly<Record<string, Test>> = {
  outdoors: (world) => world.get<{ readonly outdoors: boolean }>('P')?.outdoors === true,
  'guess is right': (world) => world.get('guess') === cupNow(world),
  'something breaks': (world) => suitsEither(world, breaks),
  'something to paint': (world) => !world.has('twins') && suitsEither(world, canBePainted),
  'things to trade': (world) => hasBoth(world) && !world.has('twins') && world.get('X.owner') !== world.get('Y.owner'),
  'wind carries it': (world) => hasKind(world, 'w'),
  'it is a ball': (world) => nounOf(world) === 'ball',
  'it is small or light': (world) => hasKind(world, 's') || hasKind(world, 'w'),
  'it is neither large nor fragile': (world) => !hasKind(world, 'l') && !hasKind(world, 'b'),
  'it is large': (world) => hasKind(world, 'l'),
};

/** Begins an episode about thing `t`, its owner `o` and the other child `f`. */
function aboutThing(suits: (world: World, thing: string) => boolean): Node[] {
  const about = (thing: string): Node[] =>
    act((world) => {
      const o = world.get<string>(`${thing}.owner`) ?? '';
      world.set('t', thing);
      world.set('o', o);
      world.set('f', o === 'A' ? 'B' : 'A');
    });
  return pick(
    [(world) => (suits(world, 'X') ? 2 : 0), about('X')],
    [(world) => (hasBoth(world) && suits(world, 'Y') ? 1.5 : 0), about('Y')],
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
const ACTS: Readonly<Record<string, readonly Node[]>> = {
  'about a thing': aboutThing(() => true),
  'about a thing that breaks': aboutThing(breaks),
  'about a thing to paint': aboutThing(canBePainted),
  'the other thing is u': act((world) => world.set('u', world.get('t') === 'X' ? 'Y' : 'X')),
  // w: who has it, or wins; l: who has not, or loses.
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

/** A `Fact`: in the evening of a tale, the adult may ask about it; of several with one key, the last counts. */
function fact(key: string, question: string, answer: string, kind: string): Node[] {
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

/** A line of a plot's file, with the lines nested below it. */
interface Line {
  /** File and number. */
  readonly at: string;
  readonly text: string;
  /** The lines below it that are indented further. */
  readonly inner: Line[];
}

/** The top-level lines of a file; indentation by two spaces nests lines. Comments begin with #. */
function linesOf(file: string, text: string): Line[] {
  const top: Line[] = [];
  const open = [top];
  text.split('\n').forEach((written, i) => {
    const line = { at: `${file}.txt:${i + 1}`, text: written.trim(), inner: [] };
    if (line.text === '' || line.text.startsWith('#')) return;
    const depth = (written.length - written.trimStart().length) / 2;
    if (!(depth in open)) throw wrong(line, 'a line at most one step further in than the one above');
    open[depth].push(line);
    open.splice(depth + 1, Infinity, line.inner);
  });
  return top;
}

const wrong = ({ at, text }: Line, expected: string): SyntaxError =>
  new SyntaxError(`${at}: found '${text}', expected ${expected}`);

/** The entry of a table with this name. Throws SyntaxError with the line if there is none. */
function entryNamed<T>(table: Readonly<Record<string, T>>, name: string, line: Line): T {
  if (!Object.hasOwn(table, name)) throw wrong(line, `one of ${Object.keys(table).join(', ')}`);
  return table[name];
}

/** `outdoors`, `has W`, `w = H`, `length < 5`, `age > age2`, or one of these after `not`. */
function testOf(written: string, line: Line): Test {
  if (written.startsWith('not ')) {
    const test = testOf(written.slice(4), line);
    return (world) => !test(world);
  }
  const [, has, key, operator, than] = /^(?:has (\S+)|(\S+) ([<>=]) (\S+))$/.exec(written) ?? [];
  if (has) return (world) => world.has(has);
  if (!key) return entryNamed(TESTS, written, line);
  if (operator === '=') return (world) => world.get(key) === than;
  const number = (world: World, text: string): number =>
    /^\d/.test(text) ? Number(text) : (world.get<number>(text) ?? 0);
  return (world) =>
    operator === '<' ? number(world, key) < number(world, than) : number(world, key) > number(world, than);
}

/** '2', '0.5' or '1/3'. */
function numberOf(written: string, line: Line): number {
  const [, numerator, denominator = '1'] = /^([\d.]+)(?:\/(\d+))?$/.exec(written) ?? [];
  if (!numerator) throw wrong(line, `a number, not '${written}'`);
  return Number(numerator) / Number(denominator);
}

/** `X.owner A, w {f}`: sets facts to values, or to the value of another fact. */
function setOf(written: string): Node[] {
  const values = written.split(', ').map((pair) => pair.split(' '));
  return act((world) => {
    for (const [key, value] of values)
      if (value.startsWith('{')) world.set(key, world.get(value.slice(1, -1)));
      else world.set(key, value === 'true' || (/^\d/.test(value) ? Number(value) : value));
  });
}

/** A line `WEIGHT` or `WEIGHT if CONDITION`, whose inner lines are an option of `pick`. */
const optionOf = (line: Line, parts: Plots['parts']): readonly [Weight, Node[]] => {
  const [, weight = '', condition] = /^(\S+)(?: if (.+))?$/.exec(line.text) ?? [];
  const value = numberOf(weight, line);
  const test = condition === undefined ? null : testOf(condition, line);
  return [test ? (world) => (test(world) ? value : 0) : value, stepsOf(line.inner, parts)];
};

/** A sentence below `say`, possibly with a weight: `3 * SENTENCE`. */
const formOf = ({ text }: Line): string | readonly [number, string] => {
  const [, weight, weighted] = /^(\d+) \* (.+)$/.exec(text) ?? [];
  return weight ? [Number(weight), weighted] : text;
};

/** The grammar nodes of lines, by the first word of each. */
function stepsOf(lines: readonly Line[], parts: Plots['parts']): Node[] {
  return lines.flatMap((line, i): readonly Node[] => {
    const [, word, rest] = /^(\S+) ?(.*)$/.exec(line.text) ?? ['', '', ''];
    switch (word) {
      case 'say':
        return say(...line.inner.map(formOf)); // bounded: lines of a plot
      case 'pick':
        return pick(...line.inner.map((inner) => optionOf(inner, parts))); // bounded: lines of a plot
      case 'maybe':
        return maybe(numberOf(rest, line), stepsOf(line.inner, parts));
      case 'when': {
        const otherwise = lines[i + 1]?.text === 'else' ? lines[i + 1].inner : [];
        return when(testOf(rest, line), stepsOf(line.inner, parts), stepsOf(otherwise, parts));
      }
      case 'else':
        if (!lines[i - 1]?.text.startsWith('when ')) throw wrong(line, 'when above else');
        return [];
      case 'tell':
        return entryNamed(parts, rest, line);
      case 'do':
        return entryNamed(ACTS, rest, line);
      case 'set':
        return setOf(rest);
      case 'give': {
        const [thing, , to] = rest.split(' ');
        return act((world) => world.set(`${world.get<string>(thing)}.owner`, world.get(to)));
      }
      case 'forget':
        // Frees slots for other values in the next episode.
        return act((world) => {
          for (const key of rest.split(' ')) if (world.has(key)) world.set(key, undefined);
        });
      case 'fact': {
        const [, kind, key, question, answer] = /^(\S+) (\S+): (.+)\? (.+)$/.exec(rest) ?? [];
        if (!kind) throw wrong(line, 'fact KIND KEY: QUESTION? ANSWER');
        return fact(key, question, answer, kind);
      }
      default:
        throw wrong(line, 'say, pick, maybe, when, else, tell, do, set, give, forget or fact');
    }
  });
}

/**
 * Parses plots, each text by the name of its file.
 *
 * @throws SyntaxError for a line with an unknown form
 */
export function readPlots(texts: Readonly<Record<string, string>>): Plots {
  const episodes: Episode[] = [];
  const parts: Record<string, readonly Node[]> = {};
  for (const line of Object.entries(texts).flatMap(([file, text]) => linesOf(file, text))) {
    const [, part] = /^part (\w+)$/.exec(line.text) ?? [];
    const [, name, weight, length, suits] = /^plot (\S+) weight (\d+) length (\d+)(?: if (.+))?$/.exec(line.text) ?? [];
    if (!part && !name) throw wrong(line, 'part NAME, or plot NAME weight NUMBER length NUMBER');
    const steps = stepsOf(line.inner, parts);
    if (part) parts[part] = steps;
    else
      episodes.push({
        name,
        weight: Number(weight),
        length: Number(length),
        suits: suits ? testOf(suits, line) : () => true,
        steps,
      });
  }
  return { episodes, parts };
}

export const PLOTS = readPlots(TEXTS);
