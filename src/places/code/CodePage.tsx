import '../../kit/styles/greek.css';
import './code.css';
import './drafts/drafts.css';
import './exercises/exercises.css';
import { type ReactNode, Suspense, useEffect, useEffectEvent, useRef } from 'react';
import { placeState, withPlace } from '../../state/index.ts';
import { ownAt, type Reading, READING } from './address.ts';
import type { KernelFile, ReadBinding } from './service/kernel-reading-types.ts';
import { useApp, useDocument, useSession } from '../../kit/app-context.ts';
import { useJob } from '../../kit/use-job.ts';
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
import { type ListedKernel, mainFile, missingText } from './kernel-list.ts';
import { KernelList } from './KernelList.tsx';
import { type ReadingState, useListed } from './use-reading.ts';
import type { kernels } from './service/service.ts';
import { countText } from '../../core/story/words.ts';
import { bytes } from '../../kit/words/quantity.ts';
import { Section } from '../../kit/controls/Section.tsx';

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
  const files = useKernelFiles();

  const library = useKernelLibrary();
  const exercise = exerciseOf(asked);
  const answer = useAnswer(exercise);
  const asAsked = useDraft(asked);
  const found = answer ?? asAsked;
  const draft = found.kind === 'there' ? found.draft : null;
  const kernel = draft?.kernel ?? asked.kernel;
  const { named, listed, reading } = useListed({
    kernel,
    file: asked.file,
    files,
    draft,
    isFree: exercise === null,
    isKnown: found.kind !== 'waiting',
  });
  const missing =
    found.kind === 'missing'
      ? found.reason
      : found.kind === 'none' && exercise === null && named
        ? missingText(formats, asked, files, named)
        : null;
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
            {...{ listed, draft, reading }}
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
  // A lost engine reports itself, and the next one is asked anew; without the files there is just nothing to search.
  const held = useSession((s) => s.held);
  const { latest } = useJob(['Files of the kernels', held], (watch) =>
    engine.service<typeof kernels>('kernels').files(watch),
  );
  return latest ?? NO_FILES;
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

interface KernelFactsProps {
  readonly listed: ListedKernel | null;
  readonly reading: ReadingState;
  readonly asked: Reading;
  readonly files: readonly KernelFile[];
  readonly onRead: (reading: Partial<Reading>) => void;
}

/** A kernel's bindings, the meaning of its constants, who else uses the file on show, and where to see it at work. */
function KernelFacts({ listed, reading, asked, files, onRead }: KernelFactsProps) {
  const { session } = useApp();
  if (listed === null || reading.kind !== 'there') return null;
  const { kernel, passes } = reading.reading;
  const pass = passes.find((one) => one.files.some(({ path }) => path === asked.file)) ?? passes[0];
  const path = pass.files.some((file) => file.path === asked.file) ? asked.file : mainFile(pass).path;
  const sharing = (files.find((file) => file.path === path)?.kernels ?? []).filter((id) => id !== kernel);
  return (
    <>
      <Section title="Buffers">
        <ul className="kernel-bindings">
          {pass.bindings.map((binding) => (
            <li key={binding.binding}>
              <span className="number">{binding.binding}</span>
              <code className={binding.byteClass ? `byte-text byte-text--${binding.byteClass}` : undefined}>
                {binding.name}
              </code>
              <span className="number">{binding.bytes === null ? '' : bytes(binding.bytes)}</span>
              <p className="quiet">{bindingText(binding)}</p>
            </li>
          ))}
        </ul>
      </Section>
      {pass.overrides.length > 0 && (
        <Section title="Constants">
          <dl className="kernel-constants">
            {pass.overrides.map(({ name, type, value, meaning }) => (
              <div key={name}>
                <dt>
                  <code>{name}</code>: {type} <span className="number">= {value}</span>
                </dt>
                <dd className="quiet">{meaning}</dd>
              </div>
            ))}
          </dl>
        </Section>
      )}
      <Section title="This file">
        <p className="quiet">
          {sharing.length === 0
            ? 'No other kernel contains it.'
            : `${sharing.length === 1 ? 'One other kernel contains' : `${countText(sharing.length)} other kernels contain`} it:`}
        </p>
        <ul className="kernel-sharing">
          {sharing.map((id) => (
            <li key={id}>
              <button type="button" className="text-button" onClick={() => onRead({ kernel: id, file: path })}>
                {id}
              </button>
            </li>
          ))}
        </ul>
      </Section>
      <Section label="See it at work">
        <button
          type="button"
          className="button"
          onClick={() => {
            session.setFormat(listed.format.id);
            session.follow('stage');
          }}
        >
          Watch {listed.format.title} being built
        </button>
      </Section>
    </>
  );
}

/** What a binding holds, in a sentence or two. */
export function bindingText({ role, buffer, byteClass, type, access, meaning, numbers }: ReadBinding): string {
  const what = {
    params: 'the sizes',
    // The format's ledger has no class for an array made only for the kernel.
    sparse: byteClass === null ? `${buffer}, made for this kernel` : `array ${buffer} of the format`,
    input: `input ${buffer}`,
    output: `output ${buffer}`,
    scratch: `${buffer}, kept between passes`,
  }[role];
  const held = numbers.length === 0 ? '' : ` (${numbers.map(countText).join(', ')})`;
  const how = access === 'storage' ? 'read and written' : 'read only';
  return `${type}, ${how}: ${what}${held}.${meaning === '' ? '' : ` ${meaning}`}`;
}
