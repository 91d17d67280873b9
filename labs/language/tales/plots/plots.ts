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
import { act, maybe, type Node, pick, say, type Weight, when } from '../grammar/grammar.ts';
import type { World } from '../grammar/world.ts';
import { ACTS, fact, type Test, TESTS } from './tests-and-acts.ts';

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

/** A line of a plot's file, with the lines nested below it. */
interface Line {
  /** file and number */
  readonly location: string;
  readonly text: string;
  /** The lines below it that are indented further. */
  readonly inner: Line[];
}

/** The top-level lines of a file; indentation by two spaces nests lines. Comments begin with #. */
function linesOf(file: string, text: string): Line[] {
  const top: Line[] = [];
  /** the list that receives a line, by its depth */
  const listByDepth = [top];
  text.split('\n').forEach((written, i) => {
    const line = { location: `${file}.txt:${i + 1}`, text: written.trim(), inner: [] };
    if (line.text === '' || line.text.startsWith('#')) return;
    const depth = (written.length - written.trimStart().length) / 2;
    if (!(depth in listByDepth)) throw wrong(line, 'a line at most one step further in than the one above');
    listByDepth[depth].push(line);
    listByDepth.splice(depth + 1, Infinity, line.inner);
  });
  return top;
}

const wrong = ({ location, text }: Line, expected: string): SyntaxError =>
  new SyntaxError(`${location}: found '${text}', expected ${expected}`);

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
