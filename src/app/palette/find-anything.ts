import type { Command, CommandContext, Finds } from '../../kit/command.ts';
import type { PlaceFinds } from '../../kit/place.ts';
import { queryWords, finder } from '../../kit/find.ts';
import { sourceOf } from '../chooser/choice.ts';
import { search } from '../chooser/search.ts';
import { PLACES } from '../places.ts';
import { PAGE_FINDS } from './page-finds.ts';
import { commandOf, type SubjectChoice, subjectFinder } from './subjects.ts';
import { KNOWN_MODELS } from '../../theory/models/model-shape.ts';

/** The finds of every loaded place, by its id. */
export type FindsOfPlaces = ReadonlyMap<string, PlaceFinds>;

export async function loadFinds(): Promise<FindsOfPlaces> {
  const loaded = await Promise.all(PLACES.map(async ({ id, finds }) => [id, await finds?.()] as const));
  return new Map(loaded.flatMap(([id, finds]) => (finds ? [[id, finds] as const] : [])));
}

/** Groups of commands that do something rather than go somewhere. */
const ACTIONS: readonly Command['group'][] = ['Subject', 'Matrix', 'Animation', 'Measure', 'Page'];

/** The kind of a result, in words. */
export function kindOf({ group }: Pick<Command, 'group'>): string {
  return ACTIONS.includes(group) ? 'Action' : group;
}

/** Texts rank lower, since they are contents and not names. So do kernels, whose names contain every word of their format. */
const WEIGHTS: Partial<Record<Command['group'], number>> = { Place: 1.6, Section: 1.2, Paper: 1.2, Kernel: 0.4 };

/** The number of texts and definitions that are listed for a query: a word that occurs everywhere says little. */
const MAX_MENTIONED = 12;

/** All commands with the words that find them; the given ones and those of the page come first. */
export function everyCommand(
  context: CommandContext,
  commands: readonly Command[],
  choices: readonly SubjectChoice[],
  finds: FindsOfPlaces,
): readonly Command[] {
  const all: readonly Finds[] = [PAGE_FINDS, ...finds.values()];
  const others = all.flatMap(({ also = {} }) => Object.entries(also));
  const words = new Map(others);
  const withWords = commands.map((command): Command => {
    const place = PLACES.find(({ id }) => command.id === `go-${id}` || command.place === id);
    const own = place && finds.get(place.id);
    if (command.group === 'Place') return own ? { ...command, also: own.place, about: own.about } : command;
    const also = words.get(command.id);
    return { ...command, ...(also !== undefined && { also }), ...(place && { leads: place.title }) };
  });
  return [
    ...withWords,
    ...all.flatMap(({ more }) => more(context)),
    ...choices.map((choice) => commandOf(context.app, [choice])),
  ];
}

/** The list before anything is typed: first what a person may have no name for, then what the page can do. */
export function listedFirst(all: readonly Command[], ofPage: number): readonly Command[] {
  const of = (wanted: Command['group']) => all.filter(({ group }) => group === wanted);
  const open = all.filter(({ id }) => id === 'open');
  return [...new Set([...of('Story'), ...of('Paper'), ...open, ...all.slice(0, ofPage)])];
}

/**
 * Searches all commands: first by name, then choices of the sentence, then texts that hold every word, then texts that hold
 * some.
 */
export function commandFinder(
  { app }: CommandContext,
  all: readonly Command[],
  choices: readonly SubjectChoice[],
): (query: string) => readonly Command[] {
  const find = finder(all, ({ group, title, also, about }) => {
    const weight = WEIGHTS[group];
    return group === 'Text'
      ? { title: '', about: `${title} ${about ?? ''}` }
      : { title, also: `${kindOf({ group })}, ${also ?? ''}`, about, weight };
  });
  const findSubjects = subjectFinder(choices);
  return (query) => {
    const { named, mentioned, partly } = find(query);
    return [
      ...named,
      ...findSubjects(query).map((chosen) => commandOf(app, chosen)),
      ...inModels(query, app),
      ...oncePerHeading(mentioned).slice(0, MAX_MENTIONED),
      ...oncePerHeading(partly).slice(0, MAX_MENTIONED),
    ];
  };
}

/** The best paragraph below each heading. */
function oncePerHeading(found: readonly Command[]): readonly Command[] {
  const isFirst = ({ leads }: Command, i: number): boolean =>
    found.findIndex((other) => other.group === 'Text' && other.leads === leads) === i;
  return found.filter((command, i) => command.group !== 'Text' || isFirst(command, i));
}

/** Layers and matrices of models, and addresses to open. */
function inModels(query: string, { session }: CommandContext['app']): readonly Command[] {
  return search(query, KNOWN_MODELS, () => ({ named: [], mentioned: [], partly: [] })).flatMap(
    (one): readonly Command[] => {
      if (one.kind === 'link')
        return [
          { id: 'link', group: 'Matrix', title: one.title, run: () => void session.openRemote(one.reference, null) },
        ];
      const source = one.kind === 'place' && one.choice.level !== 'model' ? sourceOf(one.choice) : null;
      if (source === null) return [];
      return [
        {
          id: `in ${one.title}`,
          group: 'Model',
          title: one.title,
          about: one.about,
          leads: 'the sentence',
          run: () => void session.openModel(source),
        },
      ];
    },
  );
}

/** Characters of an excerpt before the match, and in all. */
const BEFORE = 40;
const SHOWN = 160;

/** The part of a text around its first word of the query. */
export function excerpt(text: string, query: string): string {
  if (text.length <= SHOWN) return text;
  const plain = text.toLowerCase();
  const places = queryWords(query).map((word) => plain.indexOf(word));
  const at = places.reduce((first, place) => (place >= 0 && (first < 0 || place < first) ? place : first), -1);
  const from = at <= BEFORE ? 0 : text.indexOf(' ', at - BEFORE) + 1;
  const to = from + SHOWN >= text.length ? text.length : text.lastIndexOf(' ', from + SHOWN);
  return `${from > 0 ? '… ' : ''}${text.slice(from, to)}${to < text.length ? ' …' : ''}`;
}
