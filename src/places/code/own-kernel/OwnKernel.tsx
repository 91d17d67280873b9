import './own-kernel.css';
import { Suspense, useMemo, useState } from 'react';
import type { ByteClass } from '../../../core/encoded/ledger.ts';
import { DRAFT_BOUNDS } from '../../../core/bounds/bounds.ts';
import { STARTERS } from '../../../own/starters.ts';
import { kernelPaths } from '../../../own/kernel/spec.ts';
import { boundOf } from '../../../own/kernel/arrays-text.ts';
import { lazyPart } from '../../../kit/browser/lazy-part.ts';
import { saveText } from '../../../kit/browser/save-blob.ts';
import { Section, SectionHead } from '../../../kit/controls/Section.tsx';
import { SelectField } from '../../../kit/controls/Select.tsx';
import { LastRun } from '../drafts/LastRun.tsx';
import { loadEditor } from '../editor/load-editor.ts';
import { OwnLoads } from './OwnLoads.tsx';
import { OwnRace } from './OwnRace.tsx';
import { type KernelOf, type OwnKernelState, useOwnKernel } from './use-own-kernel.ts';

const KernelEditor = lazyPart(loadEditor, { isAhead: false });

interface OwnKernelProps {
  readonly of: KernelOf;
  /** back to the module */
  readonly onClose: () => void;
}

/** Where the kernel of a format of one's own is written, tried, raced and watched. */
export function OwnKernel({ of, onClose }: OwnKernelProps) {
  const { name, description, arrays, params } = of;
  const kernel = useOwnKernel(of);
  const [comparing, setComparing] = useState(false);
  const [line, setLine] = useState<{ readonly line: number } | null>(null);
  const { own: path } = kernelPaths(name);
  const { code, start, result } = kernel;
  const messages = useMemo(() => (result?.messages ?? []).filter(({ file }) => file === path), [result, path]);
  const file = useMemo(
    () => ({ path, code, original: start, messages, place: line }),
    [path, code, start, messages, line],
  );
  const buffers = useMemo(
    () =>
      new Map<string, ByteClass>(
        boundOf(arrays, params).arrays.flatMap(({ array, name: own, reader }): [string, ByteClass][] => [
          [own, array.byteClass],
          [reader, array.byteClass],
        ]),
      ),
    [arrays, params],
  );
  const onSave = (): void => saveText(`${name}.wgsl`, `${kernel.given}\n${code}`, 'text/plain');
  return (
    <section className="own-kernel" aria-label={`The kernel of ${description.title}`}>
      <header className="own-kernel-head">
        <SectionHead
          title={`The kernel of ${description.title}`}
          caption="y = A x, in WGSL"
          action={
            <button type="button" className="text-button" onClick={onClose}>
              Back to the module
            </button>
          }
        />
        <p className="quiet">
          Its arrays, x and y are bound, and functions read their elements. What a lane does with them is yours to
          write: until then every row gives 0.
        </p>
        <Tools {...{ kernel, comparing, onSave }} onCompare={() => setComparing(!comparing)} />
        <details className="own-kernel-given">
          <summary>What it is given: {arrays.length === 1 ? 'one array' : `${arrays.length} arrays`}, x and y</summary>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by the keyboard */}
          <pre tabIndex={0} role="group" aria-label="The text before the kernel’s own">
            {kernel.given}
          </pre>
        </details>
        {kernel.refusal !== null && (
          <p className="field-error" role="alert">
            {kernel.refusal}
          </p>
        )}
      </header>
      <div className="own-kernel-code">
        <Suspense fallback={<p className="faint">Loading the editor …</p>}>
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
        <p className="own-kernel-leave faint">
          <kbd>Ctrl</kbd> <kbd>Enter</kbd> runs it; <kbd>Esc</kbd>, then <kbd>Tab</kbd>, leaves the editor.
        </p>
      </div>
      <div className="own-kernel-results">
        <div className="own-kernel-run">
          <button
            type="button"
            className="button button--solid"
            onClick={kernel.isRunning ? kernel.cancel : kernel.run}
          >
            {kernel.isRunning ? 'Cancel' : 'Run'}
          </button>
          <p className="quiet">{raceSentence(kernel.lawsHold)}</p>
        </div>
        {result !== null && (
          <>
            {!kernel.isOfText && <p className="quiet">The text has changed since this run.</p>}
            <LastRun
              isLast
              result={result}
              onCancel={kernel.isRunning ? kernel.cancel : null}
              onGo={(at, to) => at === path && setLine({ line: to })}
              onRow={null}
            />
          </>
        )}
        {result?.timed?.report && <OwnRace report={result.timed.report} name={name} title={description.title} />}
        <Section title="What its lanes load">
          <OwnLoads watched={kernel.watched} onWatch={kernel.watch} />
        </Section>
      </div>
    </section>
  );
}

interface ToolsProps {
  readonly kernel: OwnKernelState;
  readonly comparing: boolean;
  readonly onSave: () => void;
  readonly onCompare: () => void;
}

/** Texts to begin with, and what can be done with the text that is there. */
function Tools({ kernel, comparing, onSave, onCompare }: ToolsProps) {
  return (
    <div className="own-kernel-tools">
      <SelectField
        label="Begin with"
        value=""
        options={[
          { value: '', label: 'choose a text …' },
          { value: 'start', label: 'the arrays, and an empty loop' },
          ...STARTERS.flatMap(({ id, title, kernel: text }) =>
            text === null ? [] : [{ value: id, label: `the kernel of ${title}` }],
          ),
        ]}
        onChange={(id) => {
          const text = id === 'start' ? kernel.start : STARTERS.find((one) => one.id === id)?.kernel;
          if (text != null) kernel.write(text);
        }}
      />
      <button type="button" className="button" aria-pressed={comparing} onClick={onCompare}>
        Compare with the beginning
      </button>
      <button type="button" className="button" onClick={onSave}>
        Save as file
      </button>
    </div>
  );
}

function raceSentence(lawsHold: boolean | null): string {
  if (lawsHold === null) return 'Laws are being tried: it is verified meanwhile, and raced once all hold.';
  return lawsHold
    ? 'Verified first, then raced beside every format that takes the matrix.'
    : 'Verified, but not raced: that waits until all laws hold.';
}
