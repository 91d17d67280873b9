// The start page for writing a format: starters, the formats stored in this browser, and exercises.

import { failureText } from '../../../../src/state/index.ts';
import { useMemo, useState } from 'react';
import { MODULE_BOUNDS } from '../../theory/bounds.ts';
import { counted, countText } from '../../../../src/core/text/words.ts';
import { clip } from '../../../../src/core/bounds/quote.ts';
import { outlineOf } from '../../own/outline.ts';
import { type Starter, STARTERS } from '../../own/starters.ts';
import { useApp } from '../../../../src/kit/app-context.ts';
import { formatLibrary, useFormats } from '../../provider/format-library.ts';
import { pickFiles } from '../../../../src/kit/browser/pick-files.ts';
import { Button, TextButton } from '../../../../src/kit/controls/Button.tsx';
import { bytes } from '../../../../src/kit/words/quantity.ts';
import { CodeSwitch } from '../CodeSwitch.tsx';
import { userFormatAddress, type WorkbenchFields } from '../address.ts';
import { ExerciseList } from '../exercises/ExerciseList.tsx';
import { FORMAT_EXERCISES, exerciseAddress, progressKey } from './exercises/format-exercises.ts';
import { arraysIn } from './editor/completions.ts';
import { StarterTable } from './StarterTable.tsx';

/** Words that `Highlighted` shows as keywords. */
const KEYWORD = /^(?:export|const|let|for|of|if|else|while|return|function|new)$/;
const WORD_CLASSES: Partial<Record<string, string>> = { keyword: 'font-semibold', quiet: 'text-muted' };
/** Separates a text into comments, strings and words. */
const TOKENS = /(\/\/.*|'[^'\n]*'|`[^`]*`|[A-Za-z_$][\w$]*)/;

/** A module's text, highlighted as in the editor: keywords, strings, comments, and arrays by their class of bytes. */
function Highlighted({ text }: { readonly text: string }) {
  const parts = useMemo(() => {
    const arrays = arraysIn(text);
    return text.split(TOKENS).map((part) => {
      if (KEYWORD.test(part)) return { part, kind: 'keyword' };
      if (/^(?:\/\/|['`])/.test(part)) return { part, kind: 'quiet' };
      return { part, kind: arrays.get(part) ?? null };
    });
  }, [text]);
  return parts.map(({ part, kind }, i) =>
    kind === null ? (
      part
    ) : (
      // oxlint-disable-next-line react/no-array-index-key -- parts have no other key
      <span key={i} className={WORD_CLASSES[kind] ?? `bytes-text--${kind}`}>
        {part}
      </span>
    ),
  );
}

/** The module of a format that stores every cell, for beginning from nothing. */
const EMPTY_MODULE = `export const title = 'my format';
export const arrays = {
  values: 'f16 values',
};

export function encode(A, { values }, params, tell) {
  for (const row of A) {
    for (let c = 0; c < A.cols; c++) values.push(A.at(row.index, c));
  }
}

export function decode({ values }, { rows, cols }, put) {
  for (let r = 0; r < rows; r++) for (let c = 0; c < cols; c++) put(r, c, values[r * cols + c]);
}
`;

interface StartPageProps {
  readonly onShow: (fields: Partial<WorkbenchFields>) => void;
  /** why a requested format is not shown, as a message */
  readonly problem: string | null;
}

/** The start page for writing a format: the starters, the formats stored in this browser, and exercises. */
export function StartPage({ onShow, problem }: StartPageProps) {
  const { announce } = useApp();
  const library = formatLibrary();
  const rejection = useFormats((s) => s.rejection); // why this browser cannot store formats
  const [chosen, setChosen] = useState<Starter>(STARTERS[0]);
  const begin = (title: string, text: string): void =>
    void library.beginLoaded(title, text).then((id) => onShow(userFormatAddress(id)));
  const openFile = (): void =>
    pickFiles({ accept: '.js,.mjs,text/javascript', multiple: false }, ([file]) => {
      void fileText(file).then(
        (text) => begin(outlineOf(text).title ?? file.name.replace(/\.m?js$/, ''), text),
        (error: unknown) => announce(failureText(error, `Reading ${file.name}`)),
      );
    });
  return (
    <div className="grid max-lg:grid-cols-[minmax(0,1fr)] grid-cols-[minmax(20rem,31fr)_69fr] min-h-full">
      <section
        className="px-8 pt-5 pb-8 lg:border-r border-hairline max-lg:px-3 max-lg:py-4"
        aria-labelledby="own-start-title"
      >
        <CodeSwitch current="formats" onShow={onShow} />
        {(problem ?? rejection) !== null && (
          <p
            className="own-problem text-danger wrap-anywhere rounded-md px-3 py-2 bg-danger-ground mt-2 mb-2"
            role="alert"
          >
            {problem ?? rejection}
          </p>
        )}
        <h2 id="own-start-title" className="text-24 font-normal leading-[1.3] text-balance mb-4">
          Two functions: one <strong>writes arrays</strong>, one <strong>reads them</strong>.
        </h2>
        <pre
          className="border-s-2 border-ink leading-[1.45] text-12 font-mono max-h-88 overflow-auto ps-3"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by the keyboard
          tabIndex={0}
          role="group"
          aria-label={`The module of ${chosen.title}`}
        >
          <Highlighted text={chosen.text} />
        </pre>
        <p className="underlined flex flex-wrap items-center gap-3 mt-4 mb-4">
          <Button kind="solid" onClick={() => begin(chosen.title, chosen.text)}>
            Start from {chosen.title}
          </Button>
          <TextButton onClick={() => begin('my format', EMPTY_MODULE)}>from nothing</TextButton>
          <TextButton onClick={openFile}>open a file</TextButton>
        </p>
        <UserFormatList onShow={onShow} />
        <ExerciseList
          title="Exercises"
          isOpen
          exercises={FORMAT_EXERCISES.map(({ id, title, summary }) => ({
            progress: progressKey(id),
            title,
            summary,
            onOpen: () => onShow(exerciseAddress(id)),
          }))}
        />
      </section>
      <StarterTable chosen={chosen} onChoose={setChosen} onBegin={(starter) => begin(starter.title, starter.text)} />
    </div>
  );
}

async function fileText(file: File): Promise<string> {
  const tooLong = (found: string): Error =>
    new Error(`${file.name}: found ${found}, expected at most ${countText(MODULE_BOUNDS.length)} letters.`);
  if (file.size > 4 * MODULE_BOUNDS.length) throw tooLong(bytes(file.size));
  const text = await file.text();
  if (text.length > MODULE_BOUNDS.length) throw tooLong(countText(text.length));
  return text;
}

/** The formats stored in this browser, and a button that brings back the last deleted format. */
function UserFormatList({ onShow }: Pick<StartPageProps, 'onShow'>) {
  const library = formatLibrary();
  const drafts = useFormats((s) => s.drafts).filter(({ exercise }) => exercise === undefined);
  const removed = useFormats((s) => s.removed);
  const unreadable = useFormats((s) => s.unreadable);
  if (drafts.length === 0 && unreadable.length === 0 && !removed) return null;
  return (
    <section aria-labelledby="own-yours">
      <h3 className="text-15" id="own-yours">
        Yours
      </h3>
      <ul>
        {drafts.map(({ id: name, text, versions }) => (
          <li key={name}>
            <button
              className="grid grid-cols-[auto_1fr] items-center gap-x-3 p-2 -mx-2 text-start cursor-pointer rounded-md hover:bg-sunken"
              type="button"
              onClick={() => onShow(userFormatAddress(name))}
            >
              <span className="size-[0.75em] border-2 rounded-[2px]" aria-hidden="true" />
              <b>{outlineOf(text).title ?? name}</b>
              <span className="text-muted col-2">
                {name}
                {versions.length > 0 && `, ${counted(versions.length, 'version')}`}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {unreadable.map(({ key }) => (
        <p key={JSON.stringify(key)} className="text-muted my-2">
          {typeof key === 'string' ? `The format ${clip(key)}` : 'A format'} cannot be read.{' '}
          <TextButton onClick={() => library.removeUnreadable(key)}>Remove it</TextButton>
        </p>
      ))}
      {removed && (
        <p className="text-muted mt-4">
          {removed.id} was deleted. <TextButton onClick={() => library.undoRemove()}>restore</TextButton>
        </p>
      )}
    </section>
  );
}
