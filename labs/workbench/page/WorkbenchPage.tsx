// The page Code: kernels, exercises, and the user's formats.

import '../../../src/kit/styles/greek.css';
import '../../../src/pages/code/code.css';
import './drafts/drafts.css';
import './exercises/exercises.css';
import { Suspense, useEffect, useEffectEvent } from 'react';
import { scratchCards } from '../../../src/core/scratch/card.ts';
import { pageState, variantId, withPage } from '../../../src/state/index.ts';
import { userFormatAt, type WorkbenchFields, WORKBENCH_FIELDS } from './address.ts';
import { useApp, useDocument, useSession } from '../../../src/kit/app-context.ts';
import { lazyPart } from '../../../src/kit/browser/lazy-part.ts';
import { Button } from '../../../src/kit/controls/Button.tsx';
import { Boundary } from '../../../src/kit/frame/Boundary.tsx';
import { WaitingPage } from '../../../src/kit/frame/Waiting.tsx';
import { useUserRun } from '../../../src/kit/frame/shell-context.ts';
import { KernelCode } from '../../../src/pages/code/KernelCode.tsx';
import { KernelDetails } from '../../../src/pages/code/KernelDetails.tsx';
import { KernelList } from '../../../src/pages/code/KernelList.tsx';
import { KernelsFrame } from '../../../src/pages/code/KernelsFrame.tsx';
import { missingText } from '../../../src/pages/code/kernel-list.ts';
import { useKernelFiles, useFormatOfKernel, useVisibleKernel } from '../../../src/pages/code/use-reading.ts';
import { CodeSwitch } from './CodeSwitch.tsx';
import { DraftColumn } from './drafts/DraftColumn.tsx';
import { DraftList } from './drafts/DraftList.tsx';
import { DraftPanel } from './drafts/DraftPanel.tsx';
import { useDrafts, useKernelLibrary } from './drafts/use-kernel-library.ts';
import { useDraft } from './drafts/use-draft.ts';
import { useDraftRunner } from './drafts/use-run.ts';
import { KernelTask } from './exercises/KernelTask.tsx';
import { KernelVerdict } from './exercises/KernelVerdict.tsx';
import { exerciseOf, useAnswer } from './exercises/use-exercise.ts';
import type { KernelReading } from '../../../src/engine/kernel-reading/kernel-reading-types.ts';
import { loadEditor } from './editor/load-editor.ts';
import { PartButton } from './PartButton.tsx';
import type { KernelLibrary } from './kernel-drafts/kernel-library.ts';
import { exercisePath, exercises } from '../exercises/index.ts';
import { percent } from '../../../src/kit/words/quantity.ts';
import { ExerciseList } from './exercises/ExerciseList.tsx';

/** The kernel exercises, below the existing kernels. */
function KernelExercises({ onShow }: { readonly onShow: (fields: Partial<WorkbenchFields>) => void }) {
  return (
    <ExerciseList
      title="Write a kernel"
      exercises={exercises.map(({ id, title, summary, goal }) => ({
        progress: id,
        title,
        summary: `${summary}; goal ${percent(goal, 0)}`,
        onOpen: () => onShow({ kernel: exercisePath(id) }),
      }))}
    />
  );
}

interface DraftsAndExercisesProps {
  /** id of the draft that the page shows; '' for none */
  readonly shownDraft: string;
  readonly onShow: (fields: Partial<WorkbenchFields>) => void;
}

/** The user's drafts and the kernel exercises, open once there is a draft. */
function DraftsAndExercises({ shownDraft, onShow }: DraftsAndExercisesProps) {
  const hasDrafts = useDrafts(({ drafts }) => drafts.length > 0);
  return (
    <details className="mt-4" open={hasDrafts}>
      <summary className="cursor-pointer min-h-8">your drafts, and exercises</summary>
      <DraftList shownDraft={shownDraft} onOpen={onShow} />
      <KernelExercises onShow={onShow} />
    </details>
  );
}

interface VariantsProps {
  /** id of a format */
  readonly format: string;
  readonly onShow: (fields: Partial<WorkbenchFields>) => void;
}

/** The drafts (changed kernels) of a format that are listed with its kernels until the page is closed. */
function Variants({ format, onShow }: VariantsProps) {
  const variants = useSession((s) => s.variants);
  const variantsOfFormat = variants.filter((variant) => variant.format === format);
  if (variantsOfFormat.length === 0) return null;
  return (
    <section aria-labelledby={`variants-${format}`}>
      <h3 className="text-muted text-12 font-normal" id={`variants-${format}`}>
        drafts in this session
      </h3>
      <ul>
        {variantsOfFormat.map((variant) => (
          <li key={variantId(variant)}>
            <button
              className="list-row block"
              type="button"
              onClick={() => onShow({ kernel: variant.kernel, draft: variant.draft })}
            >
              <span className="flex gap-2 items-baseline leading-[1.3]">
                <code>{variant.mark.name}</code>
                <span className="aside">draft {variant.mark.version}</span>
              </span>
              <span className="text-muted block">of {variant.kernel}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface EditToolsProps {
  readonly kernel: KernelReading;
  readonly library: KernelLibrary;
  /** address fields of the visible part of the kernel */
  readonly fields: WorkbenchFields;
  readonly onShow: (fields: Partial<WorkbenchFields>) => void;
}

/** Loads the editor ahead: a user who points at the button will probably press it. */
function preloadEditor(): void {
  loadEditor().catch(() => {});
}

/** The actions on a kernel: show its memory loads, and change a copy of it. */
function EditTools({ kernel: { kernel, params }, library, fields, onShow }: EditToolsProps) {
  const edit = (): void =>
    onShow({ ...fields, kernel, draft: library.begin({ kernel, name: kernel.split('/')[1] ?? kernel, params }) });
  return (
    <div className="draft-tools float-end ms-4 mb-2 max-lg:mx-0 max-lg:my-3 flex flex-wrap gap-2">
      <PartButton onClick={() => onShow({ kernel, part: 'memory' })}>Memory</PartButton>
      <Button onPointerEnter={preloadEditor} onFocus={preloadEditor} onClick={edit}>
        Edit a copy
      </Button>
    </div>
  );
}

const UserFormatsPage = lazyPart(async () => (await import('./own/UserFormatsPage.tsx')).UserFormatsPage);
const MemoryPart = lazyPart(async () => (await import('./memory/MemoryPart.tsx')).MemoryPart);

/** The page Code of the workbench: kernels to read and change, or the user's formats. */
export function WorkbenchPage({ isWide }: { readonly isWide: boolean }) {
  const isUserFormat = useDocument((doc) => {
    const { kernel, module } = pageState(doc, WORKBENCH_FIELDS);
    return userFormatAt(kernel) !== null || module !== '';
  });
  if (!isUserFormat) return <KernelsPage isWide={isWide} />;
  return (
    <Suspense fallback={<WaitingPage title="Your own" what="Loading its code" />}>
      <UserFormatsPage isWide={isWide} />
    </Suspense>
  );
}

/** Every kernel's source, by format and operation, with its constants for the open matrix; or a draft in an editor. */
function KernelsPage({ isWide }: { readonly isWide: boolean }) {
  const { document, formats } = useApp();
  const fields = useDocument((doc) => pageState(doc, WORKBENCH_FIELDS));
  const formatOfA = useDocument((doc) => doc.format);
  const files = useKernelFiles();

  const library = useKernelLibrary();
  const exercise = exerciseOf(fields);
  const answer = useAnswer(exercise);
  const draftOfAddress = useDraft(fields);
  const draftState = answer ?? draftOfAddress; // of the draft of the exercise, or of the draft that the address names
  const draft = draftState.kind === 'ready' ? draftState.draft : null;
  const kernel = draft?.kernel ?? fields.kernel;
  const { named, listed, reading } = useVisibleKernel({
    kernel,
    file: fields.file,
    files,
    draft,
    isFree: exercise === null,
    isKnown: draftState.kind !== 'waiting',
  });
  const isOnlyKernel = draftState.kind === 'none' && exercise === null;
  const missingKernel = isOnlyKernel && named ? missingText(formats, fields, files, named) : null;
  const missing = draftState.kind === 'missing' ? draftState.reason : missingKernel;
  const show = (next: Partial<WorkbenchFields>): void =>
    document.setState(withPage(document.getState(), WORKBENCH_FIELDS, next));
  /** `show`, with the current draft unless `next` names another */
  const showInDraft = (next: Partial<WorkbenchFields>): void =>
    show({ kernel: exercise ? fields.kernel : kernel, draft: fields.draft, code: fields.code, ...next });
  useFormatOfKernel(exercise === null ? listed : null, formatOfA, () => show({ kernel: '' })); // '': A's fastest kernel
  const loadedKernel = reading.kind === 'ready' ? reading.result : null;
  const runner = useDraftRunner(library, draft, loadedKernel);
  useUserRun(draft === null ? null : runner.run); // what the page's button Run, and its key, do
  // A draft that is changed here is no longer the one in the link: the address then names the stored draft.
  const isChangedHere = draftState.kind === 'ready' && draftState.isChanged;
  const nameStoredDraft = useEffectEvent(() => showInDraft({ draft: draft?.id ?? '', code: '', file: fields.file }));
  useEffect(() => {
    if (isChangedHere) nameStoredDraft();
  }, [isChangedHere]);

  const list = exercise ? (
    <Boundary name="The exercise" resetKey={exercise.id}>
      <KernelTask key={exercise.id} {...{ exercise, draft, library }} onShow={show} />
    </Boundary>
  ) : (
    <Boundary name="The list of kernels">
      <CodeSwitch current="kernels" onShow={show} />
      <KernelList
        files={files}
        listed={listed}
        onRead={show}
        more={scratchCards /* after a format's kernels: those to write from scratch */}
        below={(format) => <Variants {...{ format }} onShow={show} />}
      >
        <DraftsAndExercises shownDraft={draft?.id ?? ''} onShow={show} />
      </KernelList>
    </Boundary>
  );
  const outcome = draft && (
    <Boundary name="The result" resetKey={draft.id}>
      {exercise && <KernelVerdict {...{ exercise, draft }} />}
      <DraftColumn
        key={draft.id}
        {...{ draft, library }}
        format={listed?.format.id ?? ''}
        runsOnChange={runner.runsOnChange}
        onRunsOnChange={runner.setRunsOnChange}
        onRun={runner.run}
        ready={loadedKernel !== null}
        onShow={show}
        onGo={(file, line) => showInDraft({ file, line })}
      />
    </Boundary>
  );
  const code = (
    <Boundary name="The kernel" resetKey={draft?.id ?? listed?.kernel.id ?? ''}>
      {missing !== null && (
        <p className="kernel-head" role="alert">
          {missing}
        </p>
      )}
      {fields.part === 'memory' && listed && draftState.kind !== 'waiting' ? (
        <Suspense fallback={<p className="text-quiet kernel-head">Loading …</p>}>
          <MemoryPart
            {...{ listed, draft, reading }}
            onShow={draft ? showInDraft : show}
            outcome={isWide ? null : outcome}
          />
        </Suspense>
      ) : draft && listed && loadedKernel ? (
        <DraftPanel
          key={draft.id}
          {...{ listed, draft, library, fields, files }}
          kernel={loadedKernel}
          onShow={showInDraft}
          onRun={runner.run}
          outcome={isWide ? null : outcome}
        />
      ) : (
        <KernelCode
          {...{ listed, reading }}
          fields={fields}
          onRead={show}
          tools={(kernel, at) => <EditTools {...{ kernel, library }} fields={{ ...fields, ...at }} onShow={show} />}
        />
      )}
    </Boundary>
  );
  const sections = (
    <Boundary name="The details" resetKey={listed?.kernel.id ?? ''}>
      <KernelDetails listed={listed} reading={reading} onRead={show} />
    </Boundary>
  );
  return <KernelsFrame {...{ isWide, list, code, details: sections, outcome }} isTask={exercise !== null} />;
}
