import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { type AppDocument, baseOf, paramFields, sameSource, withStored, withUnopened } from '../../state/index.ts';
import type { Command } from '../../kit/command.ts';
import { Icon } from '../../kit/controls/Icon.tsx';
import { isApple, keyText } from '../../kit/shortcuts.ts';
import { devicesOf } from '../../state/devices/devices.ts';
import { recordingsOf } from '../../kit/devices/recordings-of.ts';
import { useRecordingsList } from '../../kit/devices/use-device.ts';
import { KNOWN_MODELS, type ModelShape } from '../../theory/models/model-shape.ts';
import { type App, useApp } from '../../kit/app-context.ts';
import type { AnyListedFormat } from '../../core/format.ts';
import { modelId } from '../../theory/models/model-tree.ts';
import type { Device } from '../../state/devices/device.ts';

/** One word of the sentence as words find it. */
interface SubjectChoice {
  readonly kind: 'model' | 'format' | 'device';
  readonly id: string;
  /** in the command's title: 'Llama-3.1-8B', 'in dense i4', 'on GeForce RTX 4090' */
  readonly title: string;
  readonly set: (doc: AppDocument) => AppDocument;
}

/** Choices of one word or several, all set at once. */
interface FoundSubject {
  readonly id: string;
  readonly title: string;
  readonly set: (doc: AppDocument) => AppDocument;
}

/** Of a model that comes unpruned, as much is left as most formats are made for. */
const LEFT = 0.5;

/** Most that is listed, and most of a kind that are combined. */
const MAX_FOUND = 8;
const MAX_OF_A_KIND = 16;

/** Every model, every format with each of its value types, and every device. */
export function subjectChoices(
  models: readonly ModelShape[],
  formats: readonly AnyListedFormat[],
  devices: readonly Pick<Device, 'id' | 'label'>[],
): readonly SubjectChoice[] {
  return [
    ...models.map((model): SubjectChoice => {
      const base = { kind: 'model', model: modelId(model) } as const;
      return {
        kind: 'model',
        id: base.model,
        title: model.name,
        set(doc) {
          const pruning =
            doc.source.kind === 'pruned' ? doc.source.pruning : ({ way: 'magnitude', density: LEFT } as const);
          const isOpen = baseOf(doc.source).kind === 'model';
          const source = isOpen && doc.source.kind !== 'pruned' ? base : ({ kind: 'pruned', base, pruning } as const);
          return withUnopened(doc, source);
        },
      };
    }),
    ...formats.flatMap(valuesOf),
    ...devices.map(({ id, label }): SubjectChoice => ({
      kind: 'device',
      id,
      title: `on ${label}`,
      set: (doc) => ({ ...doc, on: id }),
    })),
  ];
}

function valuesOf(format: AnyListedFormat): readonly SubjectChoice[] {
  const values = paramFields(format.params).find(([name]) => name === 'valueType')?.[1];
  const options = values?.kind === 'choice' ? values.options : [];
  return options.map(({ value }) => ({
    kind: 'format',
    id: `${format.id}-${value}`,
    title: `in ${format.title} ${value}`,
    set: (doc) => withStored(doc, { format: format.id, params: { ...doc.params[format.id], valueType: value } }),
  }));
}

/**
 * What every word of the query is about: at most one model, one format and one device, each named by a word that the
 * others are not. 'llama 4090 i4' finds Llama models in dense i4 on an RTX 4090.
 */
export function findSubjects(choices: readonly SubjectChoice[], query: string): readonly FoundSubject[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return [];
  const named = choices.flatMap((choice) => {
    const hits = words.map((word) => isNamed(choice.title.toLowerCase(), word));
    return hits.includes(true) ? [{ choice, hits }] : [];
  });
  type Named = (typeof named)[number];
  const ofKind = (kind: SubjectChoice['kind']): readonly (Named | null)[] => {
    const own = named.filter(({ choice }) => choice.kind === kind);
    const max = own.reduce((highest, one) => Math.max(highest, countOf(one)), 0);
    return [null, ...own.filter((one) => countOf(one) === max).slice(0, MAX_OF_A_KIND)];
  };
  const found: (readonly Named[])[] = [];
  for (const model of ofKind('model')) {
    for (const format of ofKind('format')) {
      for (const device of ofKind('device')) {
        const chosen = [model, format, device].filter((one) => one !== null);
        const isComplete = words.every((_word, i) => chosen.some(({ hits }) => hits[i]));
        // A word that two of them have leaves one that says nothing more.
        const areNeeded = chosen.every(({ hits }) =>
          hits.some((hit, i) => hit && chosen.filter((other) => other.hits[i]).length === 1),
        );
        if (isComplete && areNeeded) found.push(chosen);
      }
    }
  }
  return found
    .toSorted((a, b) => a.length - b.length)
    .slice(0, MAX_FOUND)
    .map((chosen) => ({
      id: chosen.map(({ choice }) => choice.id).join(' '),
      title: titleOf(chosen.map(({ choice }) => choice.title).join(' ')),
      set: (doc) => chosen.reduce((now, { choice }) => choice.set(now), doc),
    }));
}

function countOf({ hits }: { readonly hits: readonly boolean[] }): number {
  return hits.filter(Boolean).length;
}

/** Whether a word of the title begins with it; 'llama-3.1' is in the title as it is. */
function isNamed(title: string, word: string): boolean {
  if (word === 'in' || word === 'on') return false;
  return (
    title.split(/[^a-z0-9]+/).some((part) => part.startsWith(word)) || (/[^a-z0-9]/.test(word) && title.includes(word))
  );
}

function titleOf(text: string): string {
  return text[0].toUpperCase() + text.slice(1);
}

export interface PaletteProps {
  readonly commands: readonly Command[];
  readonly onClose: () => void;
}

/** Words of the sentence, in one step: the matrix is opened first where it is another one. */
function change({ document, session }: App, set: (doc: AppDocument) => AppDocument): void {
  const before = document.getState();
  const next = set(before);
  if (sameSource(before.source, next.source)) document.setState(next);
  else void session.restore(next);
}

/** Every command by its name, and words of the sentence by theirs: type a few letters, choose with the arrow keys, Enter runs it. */
export function Palette({ commands, onClose }: PaletteProps) {
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(0);
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const app = useApp();
  useRecordingsList();
  const entries = useStore(recordingsOf(app).store, (recordings) => recordings.entries);
  const subjects = useMemo(() => {
    const { device: status, bench } = app.session.store.getState();
    const reports = bench.runs.flatMap((run) => run.reports);
    const devices = devicesOf({ reports, status, recorded: entries ?? [], loaded: {}, on: '' });
    return subjectChoices(KNOWN_MODELS, app.formats, devices);
  }, [app, entries]);
  const found = useMemo(
    () => [
      ...findCommands(commands, query),
      ...findSubjects(subjects, query).map(({ id, title, set }): Command => ({
        id: `set ${id}`,
        group: 'Subject',
        title,
        run: () => change(app, set),
      })),
    ],
    [app, commands, subjects, query],
  );
  const apple = isApple();

  // Closed while it is still in the page, or else the focus would not go back to where it was.
  useLayoutEffect(() => {
    const element = dialog.current;
    if (!element || element.open) return;
    element.showModal();
    return () => element.close();
  }, []);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  const run = (command: Command): void => {
    onClose();
    command.run();
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
    // A press on the backdrop is a press on the dialog itself; Escape does the same.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      className="dialog palette"
      aria-label="Commands"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      <div className="palette-query">
        <Icon name="search" />
        <input
          className="palette-input"
          type="text"
          role="combobox"
          aria-label="Find a command"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={found.length > 0 ? `${id}-${active}` : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          placeholder="Find a command, or words such as llama 4090 i4"
          value={query}
          onChange={(event) => {
            setQuery(event.currentTarget.value);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div ref={list} id={`${id}-list`} className="palette-list" role="listbox" aria-label="Commands">
        {found.map((command, i) => (
          // The input keeps the focus and its keys choose; the pointer is the other way.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
          <div
            key={command.id}
            id={`${id}-${i}`}
            className="palette-item"
            role="option"
            aria-selected={i === active}
            onPointerMove={() => setActive(i)}
            onClick={() => run(command)}
          >
            <span className="faint palette-group">{command.group}</span>
            <span>{command.title}</span>
            {command.keys && <kbd>{keyText(command.keys[0], apple)}</kbd>}
          </div>
        ))}
      </div>
      <p className="palette-none" role="status">
        {found.length === 0 ? `No command has “${query}” in its name.` : ''}
      </p>
    </dialog>
  );
}

/**
 * The commands whose group and title contain every word of the query, in any order. Those whose title begins with it
 * come first, then those in whose title a word begins with it, then the rest; otherwise the order stays.
 */
export function findCommands(commands: readonly Command[], query: string): readonly Command[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return commands;
  const words = wanted.split(/\s+/);
  const rank = (command: Command): number => {
    const title = command.title.toLowerCase();
    if (title.startsWith(wanted)) return 0;
    return ` ${title}`.includes(` ${wanted}`) ? 1 : 2;
  };
  return commands
    .filter((command) => {
      const text = `${command.group} ${command.title}`.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .toSorted((a, b) => rank(a) - rank(b));
}
