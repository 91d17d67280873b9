// The start page for writing a format: starters, the formats stored in this browser, and exercises.

import { failureText } from '../../../../src/state/index.ts';
import { type KeyboardEvent, type SVGProps, useMemo, useState } from 'react';
import { MODULE_BOUNDS } from '../../theory/bounds.ts';
import { largest } from '../../../../src/core/number/statistics.ts';
import { counted, countText } from '../../../../src/core/text/words.ts';
import { clip } from '../../../../src/core/bounds/quote.ts';
import { outlineOf } from '../../own/outline.ts';
import { baselineFormat } from '../../../../src/formats/catalog.ts';
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
import { LARGE_MATRIX, SMALL_MATRIX, type StarterMark, type StarterFigure, type MarkTone } from './starter-figure.ts';
import figures from './starter-figures.json';
import { arraysIn } from './editor/completions.ts';

const WIDTH = 120;
const HEIGHT = 56;

const TONE_STYLES: Readonly<Record<MarkTone, SVGProps<SVGPathElement>>> = {
  empty: { fill: 'var(--cell)' },
  line: { stroke: 'var(--indices)', strokeWidth: 0.75, opacity: 0.55 },
  padding: { stroke: 'var(--padding)', strokeWidth: 0.75 },
  'values-1': { fill: 'var(--values)', opacity: 0.5 },
  'values-2': { fill: 'var(--values)', opacity: 0.75 },
  'values-3': { fill: 'var(--values)' },
  index: { fill: 'var(--indices)' },
  run: { stroke: 'var(--indices)', strokeWidth: 1.25 },
  metadata: { fill: 'var(--metadata)' },
  outline: { stroke: 'var(--text)' },
};

/** A picture of the arrays in which a starter (the module of a well-known format) stores the small matrix. */
function StarterPicture({ marks }: { readonly marks: readonly StarterMark[] }) {
  return (
    <svg className="max-w-full" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} aria-hidden="true">
      {marks.map(({ tone, path }) => (
        <path key={tone} d={path} fill="none" {...TONE_STYLES[tone]} />
      ))}
    </svg>
  );
}

const KEYWORD = /^(?:export|const|let|for|of|if|else|while|return|function|new)$/;
const WORD_CLASSES: Partial<Record<string, string>> = { keyword: 'font-semibold', quiet: 'text-muted' };
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

const FIGURES = figures as unknown as Readonly<Record<string, StarterFigure>>;
/** Bytes of the small matrix with every cell as f16. */
const DENSE_BYTES = SMALL_MATRIX.rows * SMALL_MATRIX.cols * 2;

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

/** The start page for writing a format: nine starters, the formats stored in this browser, and exercises. */
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
        <CodeSwitch shown="formats" onShow={onShow} />
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
          exercises={FORMAT_EXERCISES.map(({ id, title, about }) => ({
            progress: progressKey(id),
            title,
            about,
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

interface StarterTableProps {
  readonly chosen: Starter;
  readonly onChoose: (starter: Starter) => void;
  readonly onBegin: (starter: Starter) => void;
}

/** The nine starters, each with a picture and the bytes of the small matrix, and the bytes of the larger matrix. */
function StarterTable({ chosen, onChoose, onBegin }: StarterTableProps) {
  const max = largest(Object.values(FIGURES).map((figure) => figure.bytes));
  return (
    <section
      className="@container min-w-0 p-6 max-lg:px-3 max-lg:pt-4 max-lg:pb-8"
      aria-labelledby="own-starters-title"
    >
      <header className="flex flex-wrap items-baseline justify-between gap-2">
        <h2 id="own-starters-title" className="text-15">
          Nine starters <span className="text-muted font-normal ms-2">all laws satisfied</span>
        </h2>
        <p className="flex flex-wrap gap-4 text-muted text-12" aria-hidden="true">
          {(['values', 'indices', 'metadata', 'padding'] as const).map((tone) => (
            <span key={tone}>
              <i className={`swatch bytes--${tone}`} /> {tone}
            </span>
          ))}
        </p>
      </header>
      <p className="starter-row grid items-end pt-3 pb-2 text-12 text-muted @max-[34rem]:hidden" aria-hidden="true">
        <span />
        <span>stores</span>
        <span>
          {SMALL_MATRIX.rows} × {SMALL_MATRIX.cols}, dense {DENSE_BYTES} B
        </span>
        <span className="text-end">
          skewed rows
          <br />
          {LARGE_MATRIX.rows} × {LARGE_MATRIX.cols}
        </span>
        <span className="text-end max-xl:hidden">lines</span>
      </p>
      <ul>
        {STARTERS.map((starter) => (
          <StarterRow
            key={starter.id}
            {...{ starter, max }}
            isChosen={starter === chosen}
            onChoose={() => onChoose(starter)}
            onBegin={() => onBegin(starter)}
          />
        ))}
      </ul>
    </section>
  );
}

/** Moves the focus to the next or previous starter for an arrow key. */
function goToNext(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const buttons: readonly Element[] = [...(event.currentTarget.closest('ul')?.querySelectorAll('button') ?? [])];
  const next = buttons[buttons.indexOf(event.currentTarget) + step];
  if (!(next instanceof HTMLElement)) return;
  event.preventDefault();
  event.stopPropagation();
  next.focus();
}

interface StarterRowProps {
  readonly starter: Starter;
  readonly max: number;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  readonly onBegin: () => void;
}

function StarterRow({ starter: { id, title, gist, text }, max, isChosen, onChoose, onBegin }: StarterRowProps) {
  const { marks, bits, bytes: smallBytes, larger } = FIGURES[id];
  const parts = Object.entries(bits).filter(([, count]) => count > 0);
  return (
    <li
      className="border-t border-hairline data-chosen:bg-sunken data-chosen:[box-shadow:-0.75rem_0_var(--sunken),0.75rem_0_var(--sunken)]"
      data-chosen={isChosen || undefined}
      onPointerEnter={onChoose}
    >
      <button
        className="starter-row grid items-center min-h-18 py-2 cursor-pointer"
        type="button"
        onClick={onBegin}
        onFocus={onChoose}
        onKeyDown={goToNext}
        aria-label={`Start from ${title}: ${gist}`}
      >
        <StarterPicture marks={marks} />
        <span className="grid gap-0.5">
          <b className="text-15">{title}</b>
          <span>{gist}</span>
        </span>
        <span className="@max-[34rem]:col-2 flex flex-wrap items-center gap-y-1 gap-x-2">
          <span className="flex min-w-0.5 h-3" style={{ inlineSize: `${(60 * smallBytes) / max}%` }}>
            {parts.map(([tone, share]) => (
              <i key={tone} className={`bytes--${tone}`} style={{ flexGrow: share }} />
            ))}
          </span>
          <span className="figure">{smallBytes} B</span>
        </span>
        <span className="number text-muted whitespace-nowrap text-end @max-[34rem]:hidden">
          {larger === null ? 'not supported' : bytes(larger)}
          {larger !== null && <span className="font-sans block">{timesBaseline(id, larger)}</span>}
        </span>
        <span className="number text-muted whitespace-nowrap text-end max-xl:hidden">
          {text.trimEnd().split('\n').length}
        </span>
      </button>
    </li>
  );
}

/** The bytes of the larger matrix in a starter's format over its bytes in the baseline format, in words. */
function timesBaseline(id: string, larger: number): string {
  const baseline = FIGURES[baselineFormat.id]?.larger;
  if (id === baselineFormat.id || !baseline) return 'the measure';
  return `${(larger / baseline).toFixed(2)} of ${baselineFormat.title}`;
}
