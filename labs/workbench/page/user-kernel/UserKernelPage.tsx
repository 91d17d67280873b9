// The page on which a user writes a kernel for a custom format.

import './user-kernel.css';
import { Suspense, useMemo, useState } from 'react';
import type { ByteClass } from '../../../../src/core/encoded/ledger.ts';
import { DRAFT_BOUNDS } from '../../theory/bounds.ts';
import { STARTERS } from '../../own/starters.ts';
import { kernelPaths } from '../../own/kernel/user-kernel.ts';
import { declaredInputs } from '../../../../src/core/declared/accessors.ts';
import { lazyPart } from '../../../../src/kit/browser/lazy-part.ts';
import { saveText } from '../../../../src/kit/browser/save-blob.ts';
import { Section, SectionHead } from '../../../../src/kit/controls/Section.tsx';
import { SelectField } from '../../../../src/kit/controls/Select.tsx';
import { LastRun } from '../drafts/LastRun.tsx';
import { loadEditor } from '../editor/load-editor.ts';
import { UserKernelRace } from './UserKernelRace.tsx';
import { type KernelFormat, type UserKernelState, useUserKernel } from './use-user-kernel.ts';
import { countText } from '../../../../src/core/text/words.ts';
import { NumberInput } from '../../../../src/kit/controls/NumberInput.tsx';
import { ArrayTable } from '../memory/ArrayTable.tsx';
import { truncationText, chosenArray, loadWords } from '../memory/recorded-loads.ts';
import { Button, TextButton } from '../../../../src/kit/controls/Button.tsx';

const KernelEditor = lazyPart(loadEditor, { isPreloaded: false });

interface UserKernelPageProps {
  readonly format: KernelFormat;
  /** returns to the format's code in JavaScript */
  readonly onClose: () => void;
}

/** The page on which a user writes, runs and times a kernel for a custom format, and sees the memory it loads. */
export function UserKernelPage({ format, onClose }: UserKernelPageProps) {
  const { name, description, arrays, params } = format;
  const kernel = useUserKernel(format);
  const [comparing, setComparing] = useState(false);
  const [line, setLine] = useState<{ readonly line: number } | null>(null);
  const { code: path } = kernelPaths(name);
  const { code, start, result } = kernel;
  // What the editor shows: the text, the compiler's messages about it, and each buffer's name in the color of its class.
  const messages = useMemo(() => (result?.messages ?? []).filter(({ file }) => file === path), [result, path]);
  const file = useMemo(
    () => ({ path, code, original: start, messages, scrollTo: line }),
    [path, code, start, messages, line],
  );
  const buffers = useMemo(
    () =>
      new Map<string, ByteClass>(
        declaredInputs(arrays, params).arrays.flatMap(({ array, name: binding, reader }): [string, ByteClass][] => [
          [binding, array.byteClass],
          [reader, array.byteClass],
        ]),
      ),
    [arrays, params],
  );
  const onSave = (): void => saveText(`${name}.wgsl`, `${kernel.arraysCode}\n${code}`, 'text/plain');
  return (
    <section
      className="own-kernel flex flex-col xl:grid xl:grid-cols-[minmax(0,1fr)_26rem] gap-4 xl:gap-x-8 min-w-0 py-4 px-6"
      aria-labelledby="own-kernel"
    >
      <header className="xl:col-span-full">
        <SectionHead
          id="own-kernel"
          title={`The kernel of ${description.title}`}
          caption="y = A x, in WGSL"
          action={<TextButton onClick={onClose}>Back to the module</TextButton>}
        />
        <p className="text-muted">Arrays, x and y are bound: write what a lane does.</p>
        <Tools {...{ kernel, comparing, onSave }} onCompare={() => setComparing(!comparing)} />
        <details>
          <summary>Given: {arrays.length === 1 ? 'one array' : `${arrays.length} arrays`}, x and y</summary>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by the keyboard */}
          <pre className="max-h-80 mt-2 p-3 overflow-auto bg-sunken" tabIndex={0} role="group" aria-label="Given">
            {kernel.arraysCode}
          </pre>
        </details>
        {kernel.rejection !== null && (
          <p className="field-error" role="alert">
            {kernel.rejection}
          </p>
        )}
      </header>
      <div className="flex flex-col gap-4 min-w-0">
        <Suspense fallback={<p className="text-quiet">Loading …</p>}>
          <KernelEditor
            key={name}
            file={file}
            buffers={buffers}
            comparing={comparing}
            onChange={(_, next) => kernel.write(next)}
            admits={(_, next) => next.length <= DRAFT_BOUNDS.length}
            onRun={kernel.run}
            onSave={onSave}
            onCompare={() => setComparing(!comparing)}
          />
        </Suspense>
        <p className="text-quiet">
          <kbd>Ctrl</kbd> <kbd>Enter</kbd> runs it; <kbd>Esc</kbd>, then <kbd>Tab</kbd> leaves.
        </p>
      </div>
      <div className="own-kernel-results flex flex-col gap-4 min-w-0">
        <div className="flex flex-wrap items-center gap-4">
          <Button kind="solid" onClick={kernel.isRunning ? kernel.cancel : kernel.run}>
            {kernel.isRunning ? 'Cancel' : 'Run'}
          </Button>
          {/* A law is a test of the format, such as that decode undoes encode. */}
          {kernel.areLawsSatisfied !== true && (
            <p className="text-muted">It is raced only if all laws are satisfied.</p>
          )}
        </div>
        {result !== null && (
          <>
            {!kernel.isCurrent && <p className="text-muted">Changed since this run.</p>}
            <LastRun
              isLast
              result={result}
              onCancel={kernel.isRunning ? kernel.cancel : null}
              onGo={(file, to) => file === path && setLine({ line: to })}
              onRow={null}
            />
          </>
        )}
        {result?.timed?.report && <UserKernelRace report={result.timed.report} name={name} title={description.title} />}
        <Section title="What its lanes load">
          <UserKernelLoads recorded={kernel.loads} onRecord={kernel.recordLoads} />
        </Section>
      </div>
    </section>
  );
}

interface ToolsProps {
  readonly kernel: UserKernelState;
  readonly comparing: boolean;
  readonly onSave: () => void;
  readonly onCompare: () => void;
}

/** Kernels to start from, and buttons to compare and save the current one. */
function Tools({ kernel, comparing, onSave, onCompare }: ToolsProps) {
  return (
    <div className="flex flex-wrap items-end mt-4 mb-4 gap-4">
      <SelectField
        label="Begin with"
        value=""
        options={[
          { value: '', label: 'choose a text …' },
          { value: 'start', label: 'an empty loop' },
          ...STARTERS.flatMap(({ id, title, kernel: text }) =>
            text === null ? [] : [{ value: id, label: `the kernel of ${title}` }],
          ),
        ]}
        onChange={(id) => {
          const text = id === 'start' ? kernel.start : STARTERS.find((starter) => starter.id === id)?.kernel;
          if (text != null) kernel.write(text);
        }}
      />
      <Button aria-pressed={comparing} onClick={onCompare}>
        Compare with the beginning
      </Button>
      <Button onClick={onSave}>Save as file</Button>
    </div>
  );
}

interface UserKernelLoadsProps {
  readonly recorded: UserKernelState['loads'];
  readonly onRecord: (workgroup: number) => void;
}

/** The memory requests of one workgroup's lanes, array by array. */
function UserKernelLoads({ recorded, onRecord }: UserKernelLoadsProps) {
  const [workgroup, setWorkgroup] = useState(0);
  const { data: loads, job, error } = recorded;
  const last = loads ? loads.workgroups - 1 : null;
  return (
    <>
      <div className="flex flex-wrap items-center gap-4">
        <NumberInput
          label={last === null ? 'Workgroup' : `Workgroup, 0 to ${countText(last)}`}
          value={workgroup}
          min={0}
          max={last ?? 2 ** 20}
          isInteger
          onChange={setWorkgroup}
        />
        <Button aria-disabled={job !== null} onClick={job === null ? () => onRecord(workgroup) : undefined}>
          {job === null ? 'Watch it' : 'Watching …'}
        </Button>
      </div>
      {error !== null && <p role="alert">{error}</p>}
      {loads && (
        <>
          <p>
            {loadWords(loads, chosenArray(loads.arrays, '')).map(({ text, strong }) =>
              strong ? <strong key={text}>{text}</strong> : text,
            )}
          </p>
          <ArrayTable answer={loads} />
          <p className="text-muted">{truncationText(loads)}</p>
        </>
      )}
    </>
  );
}
