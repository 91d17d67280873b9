// The page of a draft, a kernel that the user changed.

import { type ReactNode, type RefObject, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { spanText } from '../../../../src/core/cut.ts';
import { counted, countText } from '../../../../src/core/text/words.ts';
import type { ByteClass } from '../../../../src/core/encoded/ledger.ts';
import { type Draft, versionNumber } from '../kernel-drafts/draft.ts';
import type { KernelLibrary } from '../kernel-drafts/kernel-library.ts';
import { draftText, fileName, tooLong } from '../kernel-drafts/draft-file.ts';
import type { WorkbenchFields } from '../address.ts';
import type { CompileMessage } from '../service/drafts/draft-types.ts';
import type {
  KernelFile,
  KernelReading,
  VisiblePass,
} from '../../../../src/engine/kernel-reading/kernel-reading-types.ts';
import { useApp, useSession } from '../../../../src/kit/app-context.ts';
import { AnswerHeader } from '../../../../src/kit/frame/AnswerLine.tsx';
import { Icon } from '../../../../src/kit/controls/Icon.tsx';
import { lazyPart } from '../../../../src/kit/browser/lazy-part.ts';
import { saveText } from '../../../../src/kit/browser/save-blob.ts';
import { Button, TextButton } from '../../../../src/kit/controls/Button.tsx';
import { innerLoop, type Loop } from '../../../../src/pages/code/inner-loop.ts';
import { type ListedKernel, mainFile } from '../../../../src/pages/code/kernel-list.ts';
import { draftOverrides } from './draft-overrides.ts';
import { OverrideFields } from './OverrideFields.tsx';
import { draftWords, visibleRun } from './draft-words.ts';
import { PartButton } from '../PartButton.tsx';
import { loadEditor } from '../editor/load-editor.ts';
import type { draftService, OverrideOrigins } from '../service/drafts/service.ts';
import { useJob } from '../../../../src/kit/use-job.ts';
import { Swatch } from '../../../../src/kit/controls/Swatch.tsx';

const KernelEditor = lazyPart(loadEditor, { isPreloaded: false });

interface DraftPanelProps {
  readonly listed: ListedKernel;
  readonly kernel: KernelReading;
  readonly draft: Draft;
  readonly library: KernelLibrary;
  readonly fields: WorkbenchFields;
  /** every file of every kernel, to find other kernels with the same file */
  readonly files: readonly KernelFile[];
  readonly onShow: (fields: Partial<WorkbenchFields>) => void;
  readonly onRun: () => void;
  /** the results of the draft, if they have no separate column */
  readonly outcome: ReactNode;
}

/** The comment that marks a gap to fill in an exercise. */
const GAP = '// Your turn';

const NO_MESSAGES: readonly CompileMessage[] = [];
const NO_ORIGINS: OverrideOrigins = {};

/** The page of a draft, a user's changed copy of a kernel: its status, its constants, and an editor for its files. */
export function DraftPanel({ listed, kernel, draft, library, fields, files, onShow, onRun, outcome }: DraftPanelProps) {
  const { session } = useApp();
  const [comparing, setComparing] = useState(false);
  const { passes } = kernel;
  const pass = passes.find((candidate) => candidate.files.some(({ path }) => path === fields.file)) ?? passes[0];
  const current = pass.files.find(({ path }) => path === fields.file) ?? mainFile(pass);
  const startText = draft.start?.[current.path];
  const run = visibleRun(draft);
  // Messages belong to the text that was compiled; they keep their positions while another file is shown.
  const runMessages = useMemo(() => visibleRun(draft)?.result.messages ?? NO_MESSAGES, [draft]);
  const messages = useMemo(() => runMessages.filter(({ file }) => file === current.path), [runMessages, current.path]);
  const code = draft.files[current.path] ?? current.code;
  const original = startText ?? current.code;
  // An exercise opens at its gap.
  const gap = startText === undefined ? 0 : startText.split('\n').findIndex((text) => text.includes(GAP)) + 1;
  // On a narrow page (with `outcome`) the code is as high as its lines: scrolling there would hide the task.
  const startLine = outcome === null ? gap : 0;
  const line = fields.file === current.path ? fields.line : startLine;
  // A new object scrolls again: the user may have scrolled away since the last request.
  const scrollTo = useMemo(() => (line > 0 ? { line, fields } : null), [line, fields]);
  const loop = useLoop(pass, draft);
  const edited = useMemo(
    () => ({
      path: current.path,
      code,
      original,
      messages,
      scrollTo,
      loop: loop?.path === current.path ? ([loop.first, loop.last] as const) : null,
    }),
    [current.path, original, code, messages, scrollTo, loop],
  );
  const buffers = useBuffers(passes);
  const onChange = useCallback(
    (path: string, next: string): void => {
      const kernelCode = passes.flatMap((candidate) => candidate.files).find((file) => file.path === path)?.code;
      library.write(draft.id, path, next === kernelCode ? null : next);
    },
    [library, draft.id, passes],
  );
  /** whether a file may have this text; if it is too long, the page reports it */
  const admits = (path: string, next: string): boolean => {
    const fault = tooLong(draft, path, next);
    if (fault !== null) session.store.setState({ error: fault });
    return fault === null;
  };
  const filesByPath = new Map(passes.flatMap((candidate) => candidate.files.map((file) => [file.path, file])));
  const unknownFiles = Object.keys(draft.files).filter((path) => !filesByPath.has(path));
  const { constants, areOriginsKnown } = useConstants(kernel, draft);
  const unknownConstants = Object.keys(draft.overrides).filter((name) => constants.every((c) => c.name !== name));
  const errors = runMessages.filter(({ severity }) => severity === 'error');
  const otherErrors = errors.filter(({ file }) => file === null || !filesByPath.has(file));
  const save = (): void => saveText(`${fileName(draft.name)}.wgsl`, draftText(draft), 'text/plain');
  return (
    <>
      <div className="kernel-head">
        <div className="draft-tools float-end ms-4 mb-2 max-lg:mx-0 max-lg:my-3 flex flex-wrap gap-2">
          <PartButton onClick={() => onShow({ part: 'memory' })}>Memory</PartButton>
          <Button title="Ctrl Shift D in the editor" aria-pressed={comparing} onClick={() => setComparing(!comparing)}>
            Compare
          </Button>
          <Button onClick={() => library.restore(draft.id, null)}>Reset</Button>
          <Button title="Ctrl S in the editor" onClick={save}>
            Save as file
          </Button>
        </div>
        <AnswerHeader
          topic={
            <>
              <Swatch format={listed.format.id} /> {listed.format.title}, {listed.kernel.title} ·{' '}
              {draft.from === 'here' ? 'your' : 'another user’s'} draft {versionNumber(draft)}
            </>
          }
          words={draftWords(draft, run)}
        />
        {outcome}
        <Problems
          {...{ unknownFiles, unknownConstants, otherErrors, constants, onShow }}
          loop={run || startText ? null : loop}
        />
        {areOriginsKnown && (
          <OverrideFields
            key={draft.id}
            constants={constants}
            overrides={draft.overrides}
            onChange={(name, value) => library.setOverride(draft.id, name, value)}
          />
        )}
        <Files
          paths={[...filesByPath.keys()]}
          loop={loop?.path}
          currentPath={current.path}
          draft={draft}
          errors={errors}
          onShow={onShow}
        />
      </div>
      <Suspense fallback={<p className="text-quiet kernel-head">Loading …</p>}>
        <KernelEditor
          key={draft.id}
          file={edited}
          buffers={buffers}
          comparing={comparing}
          onChange={onChange}
          admits={admits}
          onRun={onRun}
          onSave={save}
          onCompare={() => setComparing(!comparing)}
        />
      </Suspense>
      <Foot
        errors={errors}
        path={current.path}
        kernels={otherKernels(files, current.path, kernel.kernel)}
        onShow={onShow}
      />
    </>
  );
}

/** The constants of a draft, and whether the origin of their values is known. */
function useConstants({ passes, kernel, params, sizes, rejection }: KernelReading, { files, overrides }: Draft) {
  const { engine } = useApp();
  const device = useSession((s) => s.device);
  const subgroup = device?.kind === 'ready' ? device.environment.subgroupSize.max : 1;
  const { latest, error } = useJob(['Origins of constants', kernel, params, sizes, rejection], (watch) =>
    engine.service<typeof draftService>('drafts').origins(watch, { kernel, params, sizes, rejection }),
  );
  const constants = useMemo(
    () => draftOverrides(passes, { files, overrides }, Math.max(1, subgroup), latest ?? NO_ORIGINS),
    [passes, files, overrides, subgroup, latest],
  );
  return { constants, areOriginsKnown: latest !== null || error !== null };
}

interface ProblemsProps {
  /** the lines to change first; null for no hint */
  readonly loop: Loop | null;
  readonly constants: readonly unknown[];
  readonly onShow: DraftPanelProps['onShow'];
  /** files and constants that the kernel lacks */
  readonly unknownFiles: readonly string[];
  readonly unknownConstants: readonly string[];
  /** errors outside the files of the draft */
  readonly otherErrors: readonly CompileMessage[];
}

/** A hint where to begin, files and constants of the draft that have no effect, and errors without a line. */
function Problems({ loop, constants, onShow, unknownFiles, unknownConstants, otherErrors }: ProblemsProps) {
  return (
    <>
      {loop && (
        <p className="text-muted mt-1">
          To begin: {constants.length > 0 && 'another constant below, or '}
          <TextButton onClick={() => onShow({ file: loop.path, line: loop.first })}>
            {spanText('line', loop.first, loop.last - loop.first + 1)}
          </TextButton>
          , where the time goes.
        </p>
      )}
      {(unknownFiles.length > 0 || unknownConstants.length > 0) && (
        <p className="field-error">
          {[...unknownFiles, ...unknownConstants].join(', ')}: no such {unknownFiles.length > 0 ? 'file' : 'constant'}{' '}
          with these parameters.
        </p>
      )}
      {otherErrors.map(({ text }) => (
        <p key={text} className="flex gap-2 text-danger text-12 mt-2" role="alert">
          <Icon name="warning" /> {text}
        </p>
      ))}
    </>
  );
}

/** The loop in which a draft spends its time, in its current text. */
function useLoop({ files }: VisiblePass, { files: changed }: Draft): Loop | null {
  return useMemo(
    () => innerLoop(files.map(({ path, code }) => ({ path, code: changed[path] ?? code })).toReversed()),
    [files, changed],
  );
}

/** The contents of the buffers, by their names in the text. */
function useBuffers(passes: KernelReading['passes']): ReadonlyMap<string, ByteClass> {
  return useMemo(
    () =>
      new Map(
        passes.flatMap(({ bindings }) =>
          bindings.flatMap(({ name, byteClass }): [string, ByteClass][] => (byteClass ? [[name, byteClass]] : [])),
        ),
      ),
    [passes],
  );
}

/** For a row of tabs that may overflow: scrolls the current tab into view when it changes. */
function useTabInView(current: string): RefObject<HTMLElement | null> {
  const row = useRef<HTMLElement>(null);
  useEffect(() => {
    const tab = row.current?.querySelector<HTMLElement>('[aria-current="true"]');
    if (!row.current || !tab) return;
    const left = tab.offsetLeft - row.current.offsetLeft;
    const spare = row.current.clientWidth - tab.offsetWidth;
    // Horizontally only: the page does not scroll.
    if (left < row.current.scrollLeft) row.current.scrollLeft = left;
    else if (left > row.current.scrollLeft + spare) row.current.scrollLeft = left - spare;
  }, [current]);
  return row;
}

interface FilesProps {
  readonly paths: readonly string[];
  /** path of the file with the inner loop */
  readonly loop: string | undefined;
  readonly currentPath: string;
  readonly draft: Draft;
  readonly errors: readonly CompileMessage[];
  readonly onShow: DraftPanelProps['onShow'];
}

/** A tab for each file, marked if it is changed or has errors. */
function Files({ paths, loop, currentPath, draft, errors, onShow }: FilesProps) {
  const tabs = useTabInView(currentPath);
  return (
    <nav
      ref={tabs}
      className="kernel-files flex mt-2 overflow-x-auto overflow-y-hidden [scrollbar-width:thin]"
      aria-label="Files"
    >
      {paths.toReversed().map((path) => {
        const hasErrors = errors.some(({ file }) => file === path);
        const isChanged = Object.hasOwn(draft.files, path) && draft.files[path] !== draft.start?.[path];
        return (
          <button
            key={path}
            type="button"
            aria-current={path === currentPath ? 'true' : undefined}
            onClick={() => onShow({ file: path })}
          >
            <span className="text-muted block">
              {path.split('/')[0]}/{path === loop && ' · inner loop'}
            </span>
            {path.slice(path.indexOf('/') + 1).replace('.wgsl', '')}
            {(hasErrors || isChanged) && (
              <span className={`inline-block size-[7px] ms-2 rounded-[50%] ${hasErrors ? 'bg-danger' : 'bg-muted'}`}>
                <span className="unseen">, {hasErrors ? 'with errors' : 'changed'}</span>
              </span>
            )}
          </button>
        );
      })}
    </nav>
  );
}

interface FootProps {
  readonly errors: readonly CompileMessage[];
  /** of the current file */
  readonly path: string;
  /** other kernels with this file */
  readonly kernels: readonly string[];
  readonly onShow: DraftPanelProps['onShow'];
}

/** A button for the first error, kernels with the same file, and how to leave the editor. */
function Foot({ errors, path, kernels, onShow }: FootProps) {
  return (
    <footer className="flex flex-wrap items-center gap-y-1 gap-x-5 text-muted text-12 flex-none border-t border-hairline py-2 px-6 max-lg:px-0">
      {errors.length > 0 && (
        <TextButton
          className="text-danger"
          onClick={() => onShow({ file: errors[0].file ?? path, line: errors[0].line })}
        >
          {counted(errors.length, 'error')}
          {errors[0].file !== null && `, line ${errors[0].line}`}
        </TextButton>
      )}
      {kernels.length > 0 && <span title={kernels.join(', ')}>{unchangedKernelsText(kernels)}</span>}
      <span className="ms-auto">
        <kbd>Esc</kbd>, then <kbd>Tab</kbd> leaves
      </span>
    </footer>
  );
}

/** The other kernels that contain this file; the draft does not change it there. */
function otherKernels(files: readonly KernelFile[], path: string, kernel: string): readonly string[] {
  return (files.find((file) => file.path === path)?.kernels ?? []).filter((id) => id !== kernel);
}

/** States that the other kernels with this file keep its original text. */
function unchangedKernelsText(kernels: readonly string[]): string {
  const names =
    kernels.length <= 2 ? kernels.join(' and ') : `${kernels[0]} and ${countText(kernels.length - 1)} other kernels`;
  return `${names} ${kernels.length === 1 ? 'keeps' : 'keep'} the original`;
}
