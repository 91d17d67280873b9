// The part of the page Code for the user's formats.

import './own.css';
import { useEffect, useState } from 'react';
import { outlineOf } from '../../own/outline.ts';
import { type FormatDraft, formatLibrary, useFormats } from '../../provider/format-library.ts';
import { encodeHash, pageState, withPage } from '../../../../src/state/index.ts';
import { type App, useApp, useDocument } from '../../../../src/kit/app-context.ts';
import { Icon } from '../../../../src/kit/controls/Icon.tsx';
import { userFormatAddress, userFormatAt, type WorkbenchFields, WORKBENCH_FIELDS } from '../address.ts';
import { CodeSwitch } from '../CodeSwitch.tsx';
import { goalMatrixOf, type FormatExercise, formatExerciseAt } from './exercises/format-exercises.ts';
import { FormatTask } from './exercises/FormatTask.tsx';
import { LinkedModule, useModuleInLink } from './LinkedModule.tsx';
import { StartPage } from './StartPage.tsx';
import { Workbench } from './Workbench.tsx';
import { deflatedText } from '../../library/deflated-text.ts';
import { saveText } from '../../../../src/kit/browser/save-blob.ts';
import { Button, TextButton } from '../../../../src/kit/controls/Button.tsx';
import { CopyButton } from '../../../../src/kit/controls/CopyButton.tsx';
import { Section } from '../../../../src/kit/controls/Section.tsx';

/** Changes what the page Code shows, by fields of its address. */
type OnShow = (fields: Partial<WorkbenchFields>) => void;

/** The props of the pages of a stored format, a format from a link, and an exercise. */
interface FormatPageProps {
  readonly isWide: boolean;
  readonly onShow: OnShow;
}

/** The texts of linked modules that the user has agreed to run; forgotten when the page is closed. */
const agreedTexts = new Set<string>();

/** The page of the user's formats: the start page, a format, one from a link, or an exercise. */
export function UserFormatsPage({ isWide }: { readonly isWide: boolean }) {
  const { document } = useApp();
  const fields = useDocument((doc) => pageState(doc, WORKBENCH_FIELDS));
  const loaded = useFormats((s) => s.loaded);
  const drafts = useFormats((s) => s.drafts);
  const id = userFormatAt(fields.kernel) ?? ''; // of a format or an exercise, in the address's field for kernels
  const exercise = formatExerciseAt(id);
  const onShow: OnShow = (next) => document.setState(withPage(document.getState(), WORKBENCH_FIELDS, next));
  const draft = drafts.find((candidate) => candidate.id === id);
  const isMissing = loaded && id !== '' && !draft && !exercise;
  return (
    <main className="own-page min-w-0 min-h-0 flex-1 overflow-x-hidden overflow-y-auto" id="content" tabIndex={-1}>
      {fields.module !== '' ? (
        <LinkedFormat key={fields.module} {...{ isWide, onShow }} code={fields.module} />
      ) : !loaded ? (
        <p className="text-quiet p-6">Working …</p>
      ) : exercise ? (
        <Exercise key={exercise.id} {...{ isWide, exercise, onShow }} />
      ) : draft ? (
        <StoredFormat key={draft.id} {...{ isWide, draft, onShow }} />
      ) : (
        <StartPage
          onShow={onShow}
          problem={isMissing ? `This browser has no format ${id}: begin one, or open its link.` : null}
        />
      )}
    </main>
  );
}

/** A format stored in this browser. */
function StoredFormat({ isWide, draft, onShow }: FormatPageProps & { readonly draft: FormatDraft }) {
  const { announce } = useApp();
  const library = formatLibrary();
  const rejection = useFormats((s) => s.rejection);
  const { id, text, versions } = draft;
  const current = versions.find((version) => version.text === text);
  return (
    <Workbench
      {...{ isWide, text, name: id }}
      heading={
        <>
          <CodeSwitch current="formats" onShow={onShow} />
          <span>{rejection ?? `yours${current ? ` · version ${current.number}` : ''}`}</span>
        </>
      }
      onText={(next) => library.write(id, { text: next })}
      onKeep={(note) => {
        library.keepVersion(id, note);
        announce('Saved as a version.');
      }}
      onNote={lacksNote(draft) ? (note) => library.keepVersion(id, note) : null}
      tools={
        <>
          <BackToAll onShow={onShow} />
          <ShareButtons name={id} text={text} />
        </>
      }
      more={<Versions draft={draft} onShow={onShow} />}
    />
  );
}

/** Whether the text is stored as a version that has no note. */
function lacksNote({ text, versions }: FormatDraft): boolean {
  return versions.find((version) => version.text === text)?.note === '';
}

function BackToAll({ onShow }: { readonly onShow: OnShow }) {
  return (
    <TextButton className="inline-flex items-center gap-1" onClick={() => onShow(userFormatAddress())}>
      <Icon name="left" /> all formats
    </TextButton>
  );
}

/** The page of an exercise about formats, with the answer stored in this browser or a new one. */
function Exercise({ isWide, exercise, onShow }: FormatPageProps & { readonly exercise: FormatExercise }) {
  const library = formatLibrary();
  const { title, start, solution, goal } = exercise;
  const draft = useFormats((s) => s.drafts).find((candidate) => candidate.exercise === exercise.id);
  useEffect(() => {
    if (!library.store.getState().drafts.some((candidate) => candidate.exercise === exercise.id))
      void library.beginLoaded(title, start, exercise.id);
  }, [library, exercise.id, title, start]);
  if (!draft) return null;
  const { id, text } = draft;
  // The answer is a matrix that decode gets wrong: the format is read only, and counterexamples are hidden.
  const isSecret = goal.kind === 'matrix';
  return (
    <Workbench
      {...{ isWide, text, name: id, isSecret }}
      readOnly={isSecret}
      goalMatrix={goalMatrixOf(exercise)}
      heading={<CodeSwitch current="formats" onShow={onShow} />}
      onText={(next) => library.write(id, { text: next })}
      onKeep={(note) => library.keepVersion(id, note)}
      onNote={lacksNote(draft) ? (note) => library.keepVersion(id, note) : null}
      tools={<BackToAll onShow={onShow} />}
      task={(props) => (
        <FormatTask
          {...props}
          exercise={exercise}
          onShow={onShow}
          onSolution={() => library.replace(id, { text: solution ?? start })}
        />
      )}
      more={<Versions draft={draft} onShow={onShow} />}
    />
  );
}

/** A format from a link: not run until the user has agreed to its text. */
function LinkedFormat({ isWide, code, onShow }: FormatPageProps & { readonly code: string }) {
  const library = formatLibrary();
  const link = useModuleInLink(code);
  const drafts = useFormats((s) => s.drafts);
  const [, setAgreed] = useState(0);
  if (link.kind === 'waiting') return <p className="text-quiet p-6">Working …</p>;
  if (link.kind === 'failed') return <StartPage onShow={onShow} problem={`${link.reason}.`} />;
  const { text } = link;
  const copy = async (): Promise<void> => {
    const sameDraft = drafts.find((candidate) => candidate.text === text);
    const id = sameDraft?.id ?? (await library.beginLoaded(outlineOf(text).title ?? 'from a link', text));
    onShow(userFormatAddress(id));
  };
  if (!agreedTexts.has(text)) {
    return (
      <LinkedModule
        text={text}
        onRun={() => {
          agreedTexts.add(text);
          setAgreed(agreedTexts.size);
        }}
        onCopy={() => void copy()}
        onLeave={() => onShow(userFormatAddress())}
      />
    );
  }
  return (
    <Workbench
      {...{ isWide, text }}
      name="linked"
      readOnly
      heading={
        <>
          <CodeSwitch current="formats" onShow={onShow} />
          <span>from a link · read only</span>
        </>
      }
      onText={() => {}}
      onKeep={() => {}}
      tools={
        <>
          <BackToAll onShow={onShow} />
          <Button onClick={() => void copy()}>Copy to yours</Button>
        </>
      }
      more={null}
    />
  );
}

/** An address that shows a module without running it. */
async function linkTo({ document, catalog }: App, text: string): Promise<string> {
  const doc = document.getState();
  const fields = { ...pageState(doc, WORKBENCH_FIELDS), ...userFormatAddress(), module: await deflatedText(text) };
  return new URL(encodeHash(withPage(doc, WORKBENCH_FIELDS, fields), catalog), location.href).href;
}

/** Shares a module as a link or a file. */
function ShareButtons({ name, text }: { readonly name: string; readonly text: string }) {
  const app = useApp();
  return (
    <>
      <CopyButton text={() => linkTo(app, text)} what="Link" otherwise="save it as a file">
        link
      </CopyButton>
      <TextButton onClick={() => saveText(`${name}.js`, text, 'text/javascript')}>file</TextButton>
    </>
  );
}

/** The stored versions of a format's text, newest first; each can be restored. */
function Versions({ draft, onShow }: { readonly draft: FormatDraft; readonly onShow: OnShow }) {
  const { id, text, versions } = draft;
  const library = formatLibrary();
  return (
    <Section
      title="Versions"
      aside={versions.length === 0 ? 'Ctrl S saves one' : undefined}
      action={
        <TextButton
          onClick={() => {
            library.remove(id);
            onShow(userFormatAddress());
          }}
        >
          delete this format
        </TextButton>
      }
    >
      {versions.length > 0 && (
        <ol className="p-0 list-none">
          {versions.toReversed().map((version) => (
            <li
              className="grid grid-cols-[2rem_1fr_auto] items-baseline min-h-6"
              key={version.number}
              aria-current={version.text === text ? 'true' : undefined}
            >
              <span className={version.text === text ? 'number font-[700]' : 'number'}>{version.number}</span>
              <span className="text-muted">
                {version.note === '' && version.text === text ? 'running' : version.note}
              </span>
              {version.text !== text && (
                <TextButton onClick={() => library.restore(id, version.number)}>
                  back<span className="unseen"> to version {version.number}</span>
                </TextButton>
              )}
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
}
