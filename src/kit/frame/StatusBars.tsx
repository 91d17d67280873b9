import { useContext, useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { useApp, useSession } from '../app-context.ts';
import { Icon } from '../controls/Icon.tsx';
import { percent } from '../words/quantity.ts';
import { useFocusFallback } from '../browser/use-focus-fallback.ts';
import { ShellContext, writingModel } from './shell-context.ts';
import { fileNotesKey, isLinkNote, type RunningJob } from '../../state/index.ts';
import { useLatest } from '../browser/use-latest.ts';
import { Button } from '../controls/Button.tsx';

interface ErrorBarProps {
  readonly texts: readonly string[];
  readonly onDismiss: () => void;
  /** a button for an action that helps */
  readonly remedy?: { readonly title: string; readonly onChoose: () => void } | null;
}

/** A bar with errors, which stays until it is dismissed. */
export function ErrorBar({ texts, onDismiss, remedy }: ErrorBarProps) {
  const element = useRef<HTMLDivElement>(null);
  useFocusFallback(element);
  return (
    <div className="bar bar--error bg-danger-ground" role="alert" ref={element}>
      <Icon name="warning" className="text-danger" />
      <div className="min-w-0 flex-1">
        {texts.map((message) => (
          <p key={message} className="wrap-anywhere">
            {message}
          </p>
        ))}
      </div>
      {remedy && <Button onClick={remedy.onChoose}>{remedy.title}</Button>}
      <Button kind="bare" aria-label="Dismiss" onClick={onDismiss}>
        <Icon name="close" />
      </Button>
    </div>
  );
}

/** A bar with the progress of a job that the page waits for. A landmark, since bars are outside header and content. */
export function TaskBar({ job, onCancel }: { readonly job: RunningJob; readonly onCancel: () => void }) {
  const { progress } = job;
  const share = progress !== null && progress.total > 0 ? Math.min(1, progress.done / progress.total) : undefined;
  const element = useRef<HTMLElement>(null);
  useFocusFallback(element);
  return (
    <section className="bar bar--task" aria-label={job.title} ref={element}>
      {/* The title has space for several lines, since its end names what the page waits for. */}
      <p className="flex-1 min-w-0 wrap-anywhere line-clamp-4 in-[.app--narrow]:line-clamp-2" role="status">
        {job.title}
        {progress && <span className="text-quiet"> · {progress.what}</span>}
      </p>
      <span className="number min-w-14 text-end in-[.app--narrow]:empty:hidden">
        {share === undefined ? '' : percent(share, 0)}
      </span>
      <progress className="progress flex-none w-[min(10rem,12vw)]" aria-label={job.title} max={1} value={share} />
      <Button aria-disabled={job.cancelling} onClick={job.cancelling ? undefined : onCancel}>
        {job.cancelling ? 'Cancelling' : 'Cancel'}
      </Button>
    </section>
  );
}

/** How long a note is visible, in ms: enough to read it twice. */
const NOTE_MS = 10_000;

/** A note that needs no answer, in a grey line that disappears after NOTE_MS. */
function NoteLine({ note, onEnd }: { readonly note: string; readonly onEnd: () => void }) {
  const latest = useLatest(onEnd);
  useEffect(() => {
    const timer = setTimeout(() => latest.current(), NOTE_MS);
    return () => clearTimeout(timer);
  }, [latest]);
  return (
    <p className="bar bar--note text-quiet text-12 wrap-anywhere" role="status">
      {note}
    </p>
  );
}

/** The notes on how the open file was read, until dismissed; their element always exists, so that they are spoken. */
function FileNotes() {
  const { session } = useApp();
  const summary = useSession((s) =>
    s.summary?.read && s.opening === null && !s.readNotes.includes(fileNotesKey(s.summary)) ? s.summary : null,
  );
  const { notes = [], otherReading = null } = summary?.read ?? {};
  const isShown = notes.length > 0 || otherReading !== null;
  const element = useRef<HTMLElement>(null);
  useFocusFallback(element);
  return (
    <section
      className={isShown ? 'bar' : 'unseen'}
      {...(isShown && { 'aria-label': 'How the file was read' })}
      ref={element}
    >
      <div className="min-w-0 flex-1 max-h-[30vh] overflow-y-auto" role="status">
        {notes.map((note) => (
          <p key={note} className="wrap-anywhere text-muted">
            {note}
          </p>
        ))}
      </div>
      {otherReading !== null && (
        <Button onClick={() => void session.openLinesAs(otherReading)}>
          {otherReading === 'entries' ? 'Open as entries' : 'Open as a table'}
        </Button>
      )}
      {isShown && (
        <Button kind="bare" aria-label="Dismiss the notes" onClick={session.dismissFileNotes}>
          <Icon name="close" />
        </Button>
      )}
    </section>
  );
}

/** All bars between the header and the content: jobs, the last error, problems of the link, and notes on the file. */
export function StatusBars() {
  const { session } = useApp();
  const shell = useContext(ShellContext);
  const error = useSession((s) => s.error);
  const allProblems = useSession((s) => s.problems);
  const [notes, problems] = [true, false].map((isNote) =>
    allProblems.filter((problem) => isLinkNote(problem) === isNote),
  );
  const opening = useSession((s) => s.opening);
  const waiting = useSession((s) => s.waiting);
  const saving = useSession((s) => s.saving);
  const overLimit = useSession((s) => (s.overLimit?.error === s.error ? s.overLimit : null));
  const notOpenFile = useSession((s) => (s.problems.includes(s.notOpenFile?.problem ?? '') ? s.notOpenFile : null));
  const failure = useSession((s) => (s.networkFailure?.error === s.error ? s.networkFailure : null));
  // While the page shows text that a model writes, it does not wait for the open matrix.
  const isWriting = useStore(writingModel) !== null;
  const remedy = overLimit
    ? {
        title: `Open up to ${overLimit.maxDecompressedBytes / 2 ** 30} GiB anyway`,
        onChoose: () => void session.openOverLimit(),
      }
    : failure && { title: 'Try again', onChoose: failure.retry };
  return (
    <div className="bars">
      {opening && !opening.isAutomatic && !isWriting && <TaskBar job={opening} onCancel={session.cancelOpening} />}
      {waiting && <TaskBar job={waiting} onCancel={session.cancelWaiting} />}
      {saving && <TaskBar job={saving} onCancel={session.cancelSaving} />}
      {error !== null && <ErrorBar texts={[error]} onDismiss={session.dismissError} remedy={remedy} />}
      {notes.map((note) => (
        <NoteLine key={note} note={note} onEnd={() => session.dismissProblems((problem) => problem === note)} />
      ))}
      {problems.length > 0 && (
        <ErrorBar
          texts={problems}
          onDismiss={() => session.dismissProblems()}
          // The address may name a file that only the user can open.
          remedy={notOpenFile && shell && { title: `Open ${notOpenFile.name} again`, onChoose: shell.openFile }}
        />
      )}
      <FileNotes />
    </div>
  );
}
