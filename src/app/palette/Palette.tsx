import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { type AppDocument, sameSource } from '../../state/index.ts';
import type { Command } from '../../kit/command.ts';
import { Icon } from '../../kit/controls/Icon.tsx';
import { isApple, keyText } from '../../kit/shortcuts.ts';
import { findCommands } from './find-commands.ts';
import { findSubjects, subjectChoices } from './find-subjects.ts';
import { devicesOf } from '../../state/devices/devices.ts';
import { recordingsOf } from '../../kit/devices/recordings-of.ts';
import { useRecordingsList } from '../../kit/devices/use-device.ts';
import { KNOWN_MODELS } from '../../theory/models/model-shape.ts';
import { type App, useApp } from '../../kit/app-context.ts';

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
  const entries = useStore(recordingsOf(app.session).store, (recordings) => recordings.entries);
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
