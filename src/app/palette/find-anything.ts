import type { Command, CommandContext, Finds } from '../../kit/command.ts';
import type { PlaceFinds } from '../../kit/place.ts';
import { queryWords, finder } from '../../kit/find.ts';
import { sourceOf } from '../chooser/choice.ts';
import { search } from '../chooser/search.ts';
import { PLACES } from '../places.ts';
import { PAGE_FINDS } from './page-finds.ts';
import { commandOf, type SubjectChoice, subjectFinder } from './subjects.ts';
import { KNOWN_MODELS } from '../../theory/models/model-shape.ts';

/** What every place that is there has to be found of it, by its id. */
export type FindsOfPlaces = ReadonlyMap<string, PlaceFinds>;

export async function loadFinds(): Promise<FindsOfPlaces> {
  const loaded = await Promise.all(PLACES.map(async ({ id, finds }) => [id, await finds?.()] as const));
  return new Map(loaded.flatMap(([id, finds]) => (finds ? [[id, finds] as const] : [])));
}

/** Groups of what is done rather than gone to. */
const ACTIONS: readonly Command['group'][] = ['Subject', 'Matrix', 'Animation', 'Measure', 'Page'];

/** What a person finds. */
export function kindOf({ group }: Pick<Command, 'group'>): string {
  return ACTIONS.includes(group) ? 'Action' : group;
}

/** Texts are what is said, and nothing is called by them. Kernels have every word of their format in their names. */
const WEIGHTS: Partial<Record<Command['group'], number>> = { Place: 1.6, Section: 1.2, Paper: 1.2, Kernel: 0.4 };

/** Of texts and definitions that a query occurs in, so many are listed: a word that is everywhere says little. */
const MAX_MENTIONED = 12;

/** Every command there is, with all words by which it is found: those given and those of the page come first. */
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

/** What is listed before a letter is typed: what a person may not know the name of, and then what the page can do. */
export function listedFirst(all: readonly Command[], ofPage: number): readonly Command[] {
  const of = (wanted: Command['group']) => all.filter(({ group }) => group === wanted);
  const open = all.filter(({ id }) => id === 'open');
  return [...new Set([...of('Story'), ...of('Paper'), ...open, ...all.slice(0, ofPage)])];
}

/** Searches all commands: those that are called so, words of the sentence in one step, what is said so, and what is said in part. */
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

/** Of several paragraphs below one heading, the one that fits best. */
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

/** Characters of a text before a word that was found in it, and of what is shown of it in all. */
const BEFORE = 40;
const SHOWN = 160;

/** The part of a text that has the first word of a query that is in it. */
export function excerpt(text: string, query: string): string {
  if (text.length <= SHOWN) return text;
  const plain = text.toLowerCase();
  const places = queryWords(query).map((word) => plain.indexOf(word));
  const at = places.reduce((first, place) => (place >= 0 && (first < 0 || place < first) ? place : first), -1);
  const from = at <= BEFORE ? 0 : text.indexOf(' ', at - BEFORE) + 1;
  const to = from + SHOWN >= text.length ? text.length : text.lastIndexOf(' ', from + SHOWN);
  return `${from > 0 ? '… ' : ''}${text.slice(from, to)}${to < text.length ? ' …' : ''}`;
}
