import '../../kit/styles/greek.css';
import './code.css';
import './drafts/drafts.css';
import './exercises/exercises.css';
import { type ReactNode, Suspense, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { placeState, withPlace } from '../../state/index.ts';
import { ownAt, type Reading, READING } from './address.ts';
import type { KernelFile } from './service/kernel-reading-types.ts';
import { useApp, useDocument, useSession } from '../../kit/app-context.ts';
import { lazyPart } from '../../kit/browser/lazy-part.ts';
import { SideColumns } from '../../kit/frame/SideColumns.tsx';
import { Boundary } from '../../kit/frame/Boundary.tsx';
import { useOwnRun } from '../../kit/frame/shell-context.ts';
import { DraftColumn } from './drafts/DraftColumn.tsx';
import { DraftList } from './drafts/DraftList.tsx';
import { DraftPanel } from './drafts/DraftPanel.tsx';
import { useKernelLibrary } from './drafts/use-kernel-library.ts';
import { useDraft } from './drafts/use-draft.ts';
import { useRun } from './drafts/use-run.ts';
import { KernelExercises } from './exercises/KernelExercises.tsx';
import { KernelTask } from './exercises/KernelTask.tsx';
import { KernelVerdict } from './exercises/KernelVerdict.tsx';
import { exerciseOf, useAnswer } from './exercises/use-exercise.ts';
import { CodeSwitch } from './CodeSwitch.tsx';
import { KernelCode } from './KernelCode.tsx';
import { KernelFacts } from './KernelFacts.tsx';
import { kernelToRead, type ListedKernel, missingText } from './kernel-list.ts';
import { KernelList } from './KernelList.tsx';
import { useReading } from './use-reading.ts';
import type { kernels } from './service/service.ts';

const OwnPage = lazyPart(async () => (await import('./own/OwnPage.tsx')).OwnPage);
const MemoryPart = lazyPart(async () => (await import('./memory/MemoryPart.tsx')).MemoryPart);

/**
 * A kernel that is read makes its format A, and says so; another A shows a kernel of that format. `listed`: null while
 * nothing of the kind is shown, as in an exercise.
 */
function useKernelOfA(listed: ListedKernel | null, formatOfA: string, readFirst: () => void): void {
  const { session, announce } = useApp();
  const id = listed?.kernel.id ?? null;
  const before = useRef({ id, formatOfA });
  const follow = useEffectEvent(() => {
    // A link may bring another kernel and another A at once.
    const isNewA = before.current.formatOfA !== formatOfA && before.current.id === id;
    before.current = { id, formatOfA };
    if (!listed || listed.format.id === formatOfA) return;
    if (isNewA) return readFirst();
    before.current = { id, formatOfA: listed.format.id };
    session.setFormat(listed.format.id);
    announce(`A is ${listed.format.title} now, as this kernel reads it`);
  });
  useEffect(() => follow(), [id, formatOfA]);
}

const NO_FILES: readonly KernelFile[] = [];

/** Kernels, or formats of one's own. */
export function CodePage({ wide }: { readonly wide: boolean }) {
  const isOwn = useDocument((doc) => {
    const { kernel, module } = placeState(doc, READING);
    return ownAt(kernel) !== null || module !== '';
  });
  if (!isOwn) return <KernelsPage wide={wide} />;
  return (
    <Suspense fallback={<div className="waiting" />}>
      <OwnPage wide={wide} />
    </Suspense>
  );
}

/** Every kernel's full source, by format and operation, with its bindings and the values of its constants here. */
function KernelsPage({ wide }: { readonly wide: boolean }) {
  const { document, formats } = useApp();
  const asked = useDocument((doc) => placeState(doc, READING));
  const onStage = useDocument((doc) => doc.format);
  const params = useDocument((doc) => doc.params);
  const files = useKernelFiles();

  const library = useKernelLibrary();
  const exercise = exerciseOf(asked);
  const answer = useAnswer(exercise);
  const asAsked = useDraft(asked);
  const found = answer ?? asAsked;
  const draft = found.kind === 'there' ? found.draft : null;
  const kernel = draft?.kernel ?? asked.kernel;
  const listed = useMemo(
    () => kernelToRead(formats, { kernel, file: asked.file }, files, onStage),
    [formats, kernel, asked.file, files, onStage],
  );
  const missing =
    found.kind === 'missing'
      ? found.reason
      : found.kind === 'none' && exercise === null && listed
        ? missingText(formats, asked, files, listed)
        : null;
  const reading = useReading(
    found.kind === 'waiting' ? null : (listed?.kernel.id ?? null),
    draft?.params ?? (listed ? params[listed.format.id] : undefined),
  );
  const read = (next: Partial<Reading>): void => document.setState(withPlace(document.getState(), READING, next));
  /** in the draft on show, unless another is named */
  const readHere = (next: Partial<Reading>): void =>
    read({ kernel: exercise ? asked.kernel : kernel, draft: asked.draft, code: asked.code, ...next });
  useKernelOfA(exercise === null ? listed : null, onStage, () => read({ kernel: '' }));
  const there = reading.kind === 'there' ? reading.reading : null;
  const runner = useRun(library, draft, there);
  useOwnRun(draft === null ? null : runner.run);
  // Once changed here, it no longer matches the link.
  const isOther = found.kind === 'there' && found.isOther;
  const settle = useEffectEvent(() => readHere({ draft: draft?.id ?? '', code: '', file: asked.file }));
  useEffect(() => {
    if (isOther) settle();
  }, [isOther]);

  const list = exercise ? (
    <Boundary name="The exercise" follows={exercise.id}>
      <KernelTask key={exercise.id} {...{ exercise, draft, library }} onRead={read} />
    </Boundary>
  ) : (
    <Boundary name="The list of kernels">
      <CodeSwitch shown="kernels" onRead={read} />
      <KernelList files={files} listed={listed} onRead={read}>
        <DraftList shown={draft?.id ?? ''} onRead={read} />
        <KernelExercises onRead={read} />
      </KernelList>
    </Boundary>
  );
  const outcome = draft && (
    <Boundary name="The result of the draft" follows={draft.id}>
      {exercise && <KernelVerdict {...{ exercise, draft }} />}
      <DraftColumn
        key={draft.id}
        {...{ draft, library }}
        format={listed?.format.id ?? ''}
        onChange={runner.onChange}
        onRunOnChange={runner.setOnChange}
        onRun={runner.run}
        ready={there !== null}
        onRead={read}
        onGo={(file, line) => readHere({ file, line })}
      />
    </Boundary>
  );
  const code = (
    <Boundary name="The kernel" follows={draft?.id ?? listed?.kernel.id ?? ''}>
      {missing !== null && (
        <p className="kernel-head" role="alert">
          {missing}
        </p>
      )}
      {asked.part === 'memory' && listed && found.kind !== 'waiting' ? (
        <Suspense fallback={<p className="faint kernel-head">Loading what the kernel loads …</p>}>
          <MemoryPart
            {...{ listed, draft, asked, reading }}
            onRead={draft ? readHere : read}
            outcome={wide ? null : outcome}
          />
        </Suspense>
      ) : draft && listed && there ? (
        <DraftPanel
          key={draft.id}
          {...{ listed, draft, library, asked, files }}
          kernel={there}
          onRead={readHere}
          onRun={runner.run}
          outcome={wide ? null : outcome}
        />
      ) : (
        <KernelCode
          {...{ listed, reading, asked }}
          onRead={read}
          onEdit={(reading, at) => {
            const { kernel: id, params: own } = reading;
            read({
              ...asked,
              ...at,
              kernel: id,
              draft: library.begin({ kernel: id, name: id.split('/')[1] ?? id, params: own }),
            });
          }}
        />
      )}
    </Boundary>
  );
  const facts = (
    <Boundary name="What the kernel binds" follows={listed?.kernel.id ?? ''}>
      <KernelFacts listed={listed} reading={reading} asked={asked} files={files} onRead={read} />
    </Boundary>
  );
  return <KernelsFrame {...{ wide, list, code, facts, outcome }} isExercise={exercise !== null} />;
}

/** Every file of every kernel; none until they are there. */
function useKernelFiles(): readonly KernelFile[] {
  const { engine } = useApp();
  const rows = useSession((s) => s.summary?.generation);
  const [files, setFiles] = useState(NO_FILES);
  useEffect(() => {
    let gone = false;
    const service = engine.service<typeof kernels>('kernels');
    service.files({}).then(
      (found) => {
        if (!gone) setFiles(found);
      },
      // A lost engine reports itself; without the files there is just nothing to search.
      () => {},
    );
    return () => {
      gone = true;
    };
  }, [engine, rows]);
  return files;
}

interface KernelsFrameProps {
  readonly wide: boolean;
  readonly isExercise: boolean;
  readonly list: ReactNode;
  readonly code: ReactNode;
  readonly facts: ReactNode;
  readonly outcome: ReactNode;
}

/** Wide, three columns; narrow, one, in which the task of an exercise comes first and the list of kernels last. */
function KernelsFrame({ wide, isExercise, list, code, facts, outcome }: KernelsFrameProps) {
  if (!wide) {
    return (
      <main className="narrow-page kernels-narrow" id="content" tabIndex={-1}>
        {isExercise && list}
        {code}
        {facts}
        {!isExercise && list}
      </main>
    );
  }
  return (
    <SideColumns
      minCentre={420}
      left={{
        label: 'Width of the list',
        min: 220,
        max: 480,
        content: (
          <aside className="panel panel--side" aria-label={isExercise ? 'Exercise' : 'All kernels'}>
            {list}
          </aside>
        ),
      }}
      right={{
        label: 'Width of the facts',
        min: 240,
        max: 480,
        content: (
          <aside className="panel panel--side" aria-label="About this kernel">
            {outcome}
            {facts}
          </aside>
        ),
      }}
    >
      <div className="panel kernel-panel" id="content" tabIndex={-1}>
        {code}
      </div>
    </SideColumns>
  );
}
