import { notLoaded, devicesOf } from '../../state/index.ts';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useStore } from 'zustand';
import type { Command, CommandContext, PaletteEntries } from '../../kit/command.ts';
import { useModal } from '../../kit/browser/use-modal.ts';
import { useTypeAhead } from '../../kit/browser/TypeAheadBuffer.tsx';
import { Icon } from '../../kit/controls/Icon.tsx';
import { pageRecordings } from '../../kit/devices/page-recordings.ts';
import { useRecordingsList } from '../../kit/devices/use-device.ts';
import { isApple, keyText } from '../../kit/shortcuts.ts';
import { KNOWN_MODELS } from '../../theory/models/known-models.ts';
import { GENERAL_ENTRIES } from './general-entries.ts';
import { selectionChoices, commandOfChoices, type SelectionChoice, selectionFinder } from './selection-choices.ts';
import type { PagePaletteEntries } from '../../kit/page.ts';
import { queryWords, wordSearch } from '../../kit/word-search.ts';
import { sourceOf } from '../matrix-picker/choice.ts';
import { matrixPickerResults } from '../matrix-picker/search.ts';
import { PAGES } from '../pages.ts';
import { Button } from '../../kit/controls/Button.tsx';
import { whileMounted } from '../../kit/browser/while-mounted.ts';

/** What the palette finds on each page (such as Watch), by the id of the page. */
export type EntriesOfPages = ReadonlyMap<string, PagePaletteEntries>;

/** Loads what the palette finds on all pages. */
export async function loadEntries(): Promise<EntriesOfPages> {
  const loaded = await Promise.all(PAGES.map(async (page) => [page.id, await page.paletteEntries?.()] as const));
  return new Map(loaded.flatMap(([id, entries]) => (entries ? [[id, entries] as const] : [])));
}

/** Groups of commands that do something rather than go somewhere. */
const ACTIONS: readonly Command['group'][] = ['Selection', 'Matrix', 'Animation', 'Measure', 'Page'];

function kindOf({ group }: Pick<Command, 'group'>): string {
  return ACTIONS.includes(group) ? 'Action' : group;
}

/** Weights that rank equal matches by group; default 1. Kernels rank low, since they are named after their formats. */
const WEIGHTS: Partial<Record<Command['group'], number>> = { Place: 1.6, Section: 1.2, Paper: 1.2, Kernel: 0.4 };

/** Maximum number of results found by their descriptions alone, since a word may occur everywhere. */
const MAX_MENTIONED = 12;

/** All commands that the palette finds: `commands` with further words, general ones, each page's, and `choices`. */
export function everyCommand(
  context: CommandContext,
  commands: readonly Command[],
  choices: readonly SelectionChoice[],
  paletteEntries: EntriesOfPages,
): readonly Command[] {
  const all: readonly PaletteEntries[] = [GENERAL_ENTRIES, ...paletteEntries.values()];
  const furtherWords = new Map(all.flatMap(({ searchWordsOf = {} }) => Object.entries(searchWordsOf)));
  const withWords = commands.map((command): Command => {
    const page = PAGES.find(({ id }) => command.id === `go-${id}` || command.page === id);
    const pageEntries = page && paletteEntries.get(page.id);
    if (command.group === 'Place')
      return pageEntries
        ? { ...command, searchWords: pageEntries.searchWords, description: pageEntries.description }
        : command;
    const searchWords = furtherWords.get(command.id);
    return { ...command, ...(searchWords !== undefined && { searchWords }), ...(page && { leadsTo: page.title }) };
  });
  return [
    ...withWords,
    ...all.flatMap(({ more }) => more(context)),
    ...choices.map((choice) => commandOfChoices(context.app, [choice])),
  ];
}

/** What the palette lists before anything is typed: stories, papers, 'Open a file', and the first `count` commands. */
export function listedFirst(all: readonly Command[], count: number): readonly Command[] {
  const inGroup = (name: Command['group']) => all.filter(({ group }) => group === name);
  const open = all.filter(({ id }) => id === 'open');
  return [...new Set([...inGroup('Story'), ...inGroup('Paper'), ...open, ...all.slice(0, count)])];
}

/**
 * A search of all commands. Its results in order: by name; choices for the selection bar (matrix, formats, device);
 * matrices and addresses; texts with every word of the query; texts with some.
 */
export function commandFinder(
  { app }: CommandContext,
  all: readonly Command[],
  choices: readonly SelectionChoice[],
): (query: string) => readonly Command[] {
  const find = wordSearch(all, ({ group, title, searchWords, description }) => {
    const weight = WEIGHTS[group];
    return group === 'Text'
      ? { title: '', description: `${title} ${description ?? ''}` }
      : { title, searchWords: `${kindOf({ group })}, ${searchWords ?? ''}`, description, weight };
  });
  const findSelections = selectionFinder(choices);
  return (query) => {
    const { named, mentioned, partly } = find(query);
    return [
      ...named,
      ...findSelections(query).map((chosen) => commandOfChoices(app, chosen)),
      ...matrixCommands(query, app),
      ...oncePerHeading(mentioned).slice(0, MAX_MENTIONED),
      ...oncePerHeading(partly).slice(0, MAX_MENTIONED),
    ];
  };
}

/** The results, but of the texts below one heading only the first. */
function oncePerHeading(found: readonly Command[]): readonly Command[] {
  const isFirst = ({ leadsTo }: Command, i: number): boolean =>
    found.findIndex((other) => other.group === 'Text' && other.leadsTo === leadsTo) === i;
  return found.filter((command, i) => command.group !== 'Text' || isFirst(command, i));
}

/** Commands that open a layer or a matrix of a model, or an address. */
function matrixCommands(query: string, { session }: CommandContext['app']): readonly Command[] {
  return matrixPickerResults(query, KNOWN_MODELS, () => ({ named: [], mentioned: [], partly: [] })).flatMap(
    (result): readonly Command[] => {
      const { title } = result;
      if (result.kind === 'link') {
        const { reference } = result;
        return [{ id: 'link', group: 'Matrix', title, run: () => void session.openRemote(reference, null) }];
      }
      const source = result.kind === 'in-model' && result.choice.level !== 'model' ? sourceOf(result.choice) : null;
      if (source === null) return [];
      return [
        {
          id: `in ${title}`,
          group: 'Model',
          title,
          description: result.description,
          leadsTo: 'the selection',
          run: () => void session.openModel(source),
        },
      ];
    },
  );
}

/** Characters of an excerpt before the match, and in all. */
const BEFORE_MATCH = 40;
const EXCERPT_LENGTH = 160;

/** The part of a text around its first word of the query. */
export function excerpt(text: string, query: string): string {
  if (text.length <= EXCERPT_LENGTH) return text;
  const lowerCase = text.toLowerCase();
  const positions = queryWords(query).map((word) => lowerCase.indexOf(word));
  const match = positions.reduce(
    (first, position) => (position >= 0 && (first < 0 || position < first) ? position : first),
    -1,
  );
  const from = match <= BEFORE_MATCH ? 0 : text.indexOf(' ', match - BEFORE_MATCH) + 1;
  const to = from + EXCERPT_LENGTH >= text.length ? text.length : text.lastIndexOf(' ', from + EXCERPT_LENGTH);
  return `${from > 0 ? '… ' : ''}${text.slice(from, to)}${to < text.length ? ' …' : ''}`;
}

interface PaletteProps {
  readonly commands: readonly Command[];
  readonly context: CommandContext;
  readonly onClose: () => void;
}

/** What the palette finds on all pages, saved for the next time that it opens; null until loaded. */
let loadedEntries: EntriesOfPages | null = null;

/** What the palette finds on all pages; null until it is loaded, 'missing' if that fails. */
function usePaletteEntries(): EntriesOfPages | 'missing' | null {
  const [paletteEntries, setPaletteEntries] = useState<EntriesOfPages | 'missing' | null>(loadedEntries);
  useEffect(() => {
    if (loadedEntries) return;
    const loading = loadEntries().then((loaded) => (loadedEntries = loaded));
    return whileMounted(loading, setPaletteEntries, () => setPaletteEntries('missing'));
  }, []);
  return paletteEntries;
}

const NO_ENTRIES: EntriesOfPages = new Map();

/** Finds the commands for a query; for an empty one the commands of `listedFirst`. */
function useFindCommands(commands: readonly Command[], context: CommandContext, paletteEntries: EntriesOfPages) {
  const { app } = context;
  useRecordingsList();
  const entries = useStore(pageRecordings(app).store, (recordings) => recordings.entries);
  return useMemo(() => {
    const { device: status, bench } = app.session.store.getState();
    const reports = bench.runs.flatMap((run) => run.reports);
    const devices = devicesOf({ reports, status, recorded: entries ?? [], loaded: {}, deviceChoice: '' });
    const choices = selectionChoices(KNOWN_MODELS, app.formats, devices);
    const all = everyCommand(context, commands, choices, paletteEntries);
    const find = commandFinder(context, all, choices);
    // The page's commands and the general ones come first in `all`.
    const first = listedFirst(all, commands.length + GENERAL_ENTRIES.more(context).length);
    return (query: string): readonly Command[] => (query.trim() === '' ? first : find(query));
  }, [app, commands, context, entries, paletteEntries]);
}

/** The palette of Ctrl K, which finds everything by words: arrow keys choose a result, Enter runs it. */
export function Palette({ commands, context, onClose }: PaletteProps) {
  const [query, setQuery] = useState(useTypeAhead());
  const [active, setActive] = useState(0);
  const modal = useModal(onClose);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const paletteEntries = usePaletteEntries();
  const listed = useMemo(() => commands.filter((command) => command.id !== 'palette'), [commands]);
  const find = useFindCommands(
    listed,
    context,
    paletteEntries === 'missing' ? NO_ENTRIES : (paletteEntries ?? NO_ENTRIES),
  );
  const found = useMemo(() => find(query), [find, query]);
  const apple = isApple();

  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  const run = (command: Command): void => {
    // The focus returns to where it was before the command moves it.
    flushSync(onClose);
    const before = document.activeElement;
    command.run();
    if (command.group === 'Place' || command.leadsTo !== undefined) focusContent(before);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const last = found.length - 1;
    if (event.key === 'ArrowDown') setActive(active >= last ? 0 : active + 1);
    else if (event.key === 'ArrowUp') setActive(active <= 0 ? Math.max(0, last) : active - 1);
    else if (event.key === 'Enter') {
      const command = found[active];
      if (command) run(command);
    } else return;
    event.preventDefault();
  };

  return (
    <dialog
      className="dialog w-[min(44rem,calc(100vw-2rem))] max-h-[76vh] mt-[12vh] overflow-hidden open:flex open:flex-col max-md:m-0 max-md:h-dvh max-md:max-h-dvh max-md:w-screen max-md:max-w-screen max-md:border-0 max-md:rounded-none"
      aria-label="Find anything"
      {...modal}
    >
      <div className="flex flex-none items-center gap-3 border-b border-hairline text-quiet px-4">
        <Icon name="search" />
        <input
          className="flex-1 min-w-0 h-12 border-0 outline-none bg-transparent text-ink text-15"
          type="text"
          role="combobox"
          aria-label="Find anything"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={found.length > 0 ? `${id}-${active}` : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          placeholder="A page, a word, a format, or llama 4090 i4"
          value={query}
          onChange={(event) => {
            setQuery(event.currentTarget.value);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
        />
        {/* A keyboard has Escape. */}
        <Button kind="bare" className="md:hidden" aria-label="Close" onClick={onClose}>
          <Icon name="close" />
        </Button>
      </div>
      <div ref={list} id={`${id}-list`} className="min-h-0 overflow-auto py-2 px-2" role="listbox" aria-label="Found">
        {found.map((command, i) => (
          // The input keeps the focus and its keys choose; the pointer works too.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
          <div
            key={command.id}
            id={`${id}-${i}`}
            className="grid grid-cols-[5.5rem_minmax(0,1fr)_auto] gap-x-3 items-baseline rounded-[4px] px-2 py-[5px] cursor-pointer max-md:grid-cols-[4.5rem_minmax(0,1fr)] max-md:py-2 aria-selected:bg-sunken aria-selected:shadow-[inset_2px_0_var(--accent)]"
            role="option"
            aria-selected={i === active}
            onPointerMove={() => setActive(i)}
            onClick={() => run(command)}
          >
            <Row command={command} query={query} apple={apple} />
          </div>
        ))}
      </div>
      <p className={found.length === 0 ? 'text-muted px-4 pt-3 pb-4' : 'unseen'} role="status">
        {resultCountText(found.length, query)}
      </p>
      {/* The entries of all pages are missing; most are of lessons. */}
      {paletteEntries === 'missing' && <p className="text-muted px-4 pt-3 pb-4">{notLoaded('Lessons')}</p>}
    </dialog>
  );
}

interface RowProps {
  readonly command: Command;
  readonly query: string;
  readonly apple: boolean;
}

/** A result: its kind, name, target and key, and below them a definition or the text around the match. */
function Row({ command, query, apple }: RowProps) {
  const { group, title, description, leadsTo, keys } = command;
  const hasExcerpt = group === 'Term' || group === 'Text';
  return (
    <>
      <span className="text-quiet">{kindOf(command)}</span>
      <span>{title}</span>
      {(leadsTo !== undefined || keys) && (
        <span className="text-quiet flex gap-3 items-baseline max-md:col-2">
          {leadsTo !== undefined && <span className="truncate max-md:whitespace-normal md:max-w-68">{leadsTo}</span>}
          {keys && <kbd className="max-sm:hidden">{keyText(keys[0], apple)}</kbd>}
        </span>
      )}
      {hasExcerpt && description !== undefined && (
        <span className="text-muted col-[2/-1]">{excerpt(description, query)}</span>
      )}
    </>
  );
}

/** How many results there are, for screen readers; visible only if there are none. */
function resultCountText(count: number, query: string): string {
  return count === 0 ? `Nothing found: “${query}”.` : `${count} found.`;
}

/** Focuses the content, unless the focus is no longer at `before`: the command has moved it. */
function focusContent(before: Element | null): void {
  if (document.activeElement === before) document.getElementById('content')?.focus({ preventScroll: true });
}
