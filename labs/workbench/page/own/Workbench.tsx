// The page of one custom format.

import { type KeyboardEvent, type ReactNode, Suspense, useEffect, useEffectEvent, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { CsrMatrix, Matrix } from '../../../../src/core/matrix/index.ts';
import { counted, countText } from '../../../../src/core/text/words.ts';
import { outlineOf } from '../../own/outline.ts';
import type { UserParams } from '../../own/module-messages.ts';
import { useSession } from '../../../../src/kit/app-context.ts';
import { lazyPart } from '../../../../src/kit/browser/lazy-part.ts';
import { Button } from '../../../../src/kit/controls/Button.tsx';
import { SelectField } from '../../../../src/kit/controls/Select.tsx';
import { ShowFormatLinks } from '../../provider/ShowFormatLinks.tsx';
import { Boundary } from '../../../../src/kit/frame/Boundary.tsx';
import { shape } from '../../../../src/kit/words/quantity.ts';
import type { LiveModuleState } from './live/module-state.ts';
import type { EditorContent } from './editor/ModuleEditor.tsx';
import { KernelOfModule } from './KernelOfModule.tsx';
import { DensityDots } from './parts/DensityDots.tsx';
import { LawList } from './parts/LawList.tsx';
import { ModuleBytes } from './parts/ModuleBytes.tsx';
import { ModuleStage } from './parts/ModuleStage.tsx';
import { type ModuleWithPlayer, useLiveModule, useModuleState } from './use-live-module.ts';

const ModuleEditor = lazyPart(async () => (await import('./editor/ModuleEditor.tsx')).ModuleEditor, {
  isPreloaded: false,
});

const TABS = ['Story', 'Code', 'Laws', 'Bytes'] as const;
type Tab = (typeof TABS)[number];

const tabId = (tab: Tab): string => `own-tab-${tab}`;

/** On a narrow page the pressed button may disappear with its tab. */
const focusTab = (tab: Tab): void => document.getElementById(tabId(tab))?.focus();

/** Props of an exercise's task: the module in the editor, and a callback to show its story on another matrix. */
export interface TaskProps {
  readonly live: ModuleWithPlayer;
  /** shows the story on this matrix, instead of the part of the open matrix that the page shows */
  readonly onMatrix: (matrix: CsrMatrix) => void;
}

interface WorkbenchProps {
  readonly isWide: boolean;
  /** the name of the draft; 'linked' for a format from a link */
  readonly name: string;
  readonly text: string;
  /** the text cannot be changed: it came in a link, or is part of an exercise */
  readonly readOnly?: boolean;
  /** a few words above the title */
  readonly heading: ReactNode;
  readonly onText: (text: string) => void;
  /** Stores the text as a version, with its results as a note: '' while it runs. */
  readonly onKeep: (note: string) => void;
  /** Receives the note once the run has ended; null or absent unless the text is a version without a note. */
  readonly onNote?: ((note: string) => void) | null;
  /** links and buttons next to the title */
  readonly tools: ReactNode;
  /** below the laws and the bytes */
  readonly more: ReactNode;
  /** above the laws: the task of an exercise */
  readonly task?: (props: TaskProps) => ReactNode;
  /** the matrix on which the exercise measures bytes */
  readonly goalMatrix?: Matrix | null;
  /** hides the counterexamples of laws, since an exercise requires the user to find them */
  readonly isSecret?: boolean;
}

/**
 * The page of one custom format: its JavaScript module in an editor, the story (encode and decode step by
 * step), bytes, and laws, such as that decode undoes encode. Side by side on a wide page, in tabs on a narrow one.
 */
export function Workbench(props: WorkbenchProps) {
  const {
    isWide,
    name,
    text,
    readOnly = false,
    heading: about,
    onText,
    onKeep,
    tools,
    more,
    task,
    goalMatrix = null,
    isSecret = false,
  } = props;
  const [params, setParams] = useState<UserParams>({});
  const [example, setExample] = useState<CsrMatrix | null>(null);
  const live = useLiveModule({ name, text, params, example, goalMatrix });
  const note = useNote(live, text, props.onNote ?? null);
  const [tab, setTab] = useState<Tab>('Story');
  const [showsKernel, setShowsKernel] = useState(false);
  const brokenCount = useModuleState(live, (s) => s.laws?.laws.filter(({ broken }) => broken !== null).length ?? 0);
  const title = useModuleState(live, (s) => s.description?.title) ?? outlineOf(text).title ?? name;
  // The parts of the page, which a wide and a narrow page arrange differently.
  const head = (
    <header className="own-head grid grid-cols-[1fr_auto] items-end gap-y-1 gap-x-4 px-4 pt-4 pb-3 border-b border-hairline">
      <div className="flex flex-wrap items-center gap-3 text-muted">{about}</div>
      <div className="own-tools flex flex-wrap items-center justify-end gap-y-1 gap-x-3 self-center">{tools}</div>
      <h2 className="flex gap-2 items-center text-18 wrap-anywhere">
        <span className="flex-none size-[0.75em] border-2 rounded-[2px]" aria-hidden="true" />
        {title}
      </h2>
      <ParamSelects live={live} onParams={setParams} />
    </header>
  );
  const codeWith = (heading: ReactNode): ReactNode => (
    <section className="own-code flex flex-col border-r border-hairline" aria-label="Module">
      {heading}
      <Boundary name="The editor" resetKey={name}>
        <Editor {...{ live, text, readOnly, isSecret }} onText={onText} onKeep={() => onKeep(note)} />
      </Boundary>
      <Foot text={text} />
    </section>
  );
  const story = (
    <Boundary name="The story" resetKey={name}>
      <Story live={live} example={example} onLeaveExample={() => setExample(null)} />
    </Boundary>
  );
  const laws = (
    <Boundary name="The laws" resetKey={name}>
      {task?.({ live, onMatrix: setExample })}
      <LawList
        {...{ live, name, isSecret }}
        onShow={({ matrix }) => {
          setExample(matrix);
          setTab('Story');
          focusTab('Story');
        }}
      />
    </Boundary>
  );
  const bytes = (
    <Boundary name="The bytes" resetKey={name}>
      <ModuleBytes live={live} onParams={setParams} />
      <DensityDots live={live} />
      <ShowFormatLinks {...{ name, text, params }} />
      {!readOnly && !task && (
        <p>
          <Button onClick={() => setShowsKernel(true)}>Write its kernel</Button>
        </p>
      )}
    </Boundary>
  );
  if (showsKernel) {
    return (
      <div className="min-h-0 max-xl:min-h-full">
        {head}
        <Boundary name="The kernel" resetKey={name}>
          <KernelOfModule {...{ live, name, text }} onClose={() => setShowsKernel(false)} />
        </Boundary>
      </div>
    );
  }
  if (isWide) {
    return (
      <div className="own-bench grid xl:h-full *:min-w-0 *:min-h-0">
        {codeWith(head)}
        {story}
        <aside
          className="own-facts overflow-x-hidden overflow-y-auto border-l border-hairline"
          aria-label="Laws and bytes"
        >
          {laws}
          {bytes}
          {more}
        </aside>
      </div>
    );
  }
  return (
    <div className="own-bench--narrow min-h-0">
      {head}
      <Tabs tab={tab} broken={brokenCount} onTab={setTab} />
      <div role="tabpanel" id="own-tab-panel" aria-labelledby={tabId(tab)}>
        {tab === 'Story' && story}
        {tab === 'Code' && codeWith(null)}
        {tab === 'Laws' && (
          <div className="own-facts overflow-x-hidden overflow-y-auto">
            {laws}
            {more}
          </div>
        )}
        {tab === 'Bytes' && <div className="own-facts overflow-x-hidden overflow-y-auto">{bytes}</div>}
      </div>
    </div>
  );
}

/** The tabs of a narrow page; arrow keys move between them. */
function Tabs({
  tab,
  broken,
  onTab,
}: {
  readonly tab: Tab;
  readonly broken: number;
  readonly onTab: (tab: Tab) => void;
}) {
  const goToNext = (event: KeyboardEvent, i: number): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const next = TABS[(i + step + TABS.length) % TABS.length];
    onTab(next);
    focusTab(next);
  };
  return (
    <div className="flex px-3 border-b border-hairline" role="tablist" aria-label="Of this format">
      {TABS.map((tabName, i) => (
        <button
          className="min-h-11 px-3 border-b-2 border-transparent text-muted cursor-pointer aria-selected:border-ink aria-selected:text-ink aria-selected:font-semibold"
          key={tabName}
          type="button"
          role="tab"
          id={tabId(tabName)}
          aria-controls="own-tab-panel"
          aria-selected={tabName === tab}
          tabIndex={tabName === tab ? 0 : -1}
          onClick={() => onTab(tabName)}
          onKeyDown={(event) => goToNext(event, i)}
        >
          {tabName}
          {tabName === 'Laws' && broken > 0 && <b className="text-danger"> {broken}</b>}
        </button>
      ))}
    </div>
  );
}

/** The note for a version of this text: '' until its run has ended; then `onNote` gets it. */
function useNote(live: ModuleWithPlayer, text: string, onNote: ((note: string) => void) | null): string {
  const note = useModuleState(live, (s) => (s.text === text && s.phase === 'done' ? noteOf(s) : ''));
  const annotate = useEffectEvent((text: string) => onNote?.(text));
  const isNoteMissing = onNote !== null;
  useEffect(() => {
    if (isNoteMissing && note !== '') annotate(note);
  }, [isNoteMissing, note]);
  return note;
}

/** The results in a few words, for the list of versions: 'all laws, 30 401 B'. */
function noteOf({ laws, lawsMs, wholeBytes }: LiveModuleState): string {
  const broken = laws?.laws.filter((law) => law.broken !== null).length ?? 0;
  const verdict = lawsMs === null ? 'laws not tried' : broken === 0 ? 'all laws' : `${broken} broken`;
  return wholeBytes?.ledger && wholeBytes.isWholeMatrix
    ? `${verdict}, ${countText(wholeBytes.ledger.totalBytes)} B`
    : verdict;
}

function ParamSelects({
  live,
  onParams,
}: {
  readonly live: ModuleWithPlayer;
  readonly onParams: (params: UserParams) => void;
}) {
  const description = useModuleState(live, (s) => s.description);
  const params = useModuleState(live, (s) => s.params);
  if (!description || description.params.length === 0) return null;
  return (
    <div className="own-params flex flex-wrap justify-end gap-3 text-12">
      {description.params.map(({ name, options, meaning }) => (
        <SelectField
          key={name}
          label={meaning === '' ? name : `${name}, ${meaning}`}
          value={params[name]}
          options={options.map((value) => ({ value, label: String(value) }))}
          onChange={(value) => onParams({ ...params, [name]: value })}
        />
      ))}
    </div>
  );
}

interface EditorProps {
  readonly live: ModuleWithPlayer;
  readonly text: string;
  readonly readOnly: boolean;
  readonly isSecret: boolean;
  readonly onText: (text: string) => void;
  readonly onKeep: () => void;
}

function Editor({ live, text, readOnly, isSecret, onText, onKeep }: EditorProps) {
  const problem = useModuleState(live, (s) => s.problem);
  const counterexamples = useModuleState(live, (s) => s.counterexamples);
  const marked = useMarkedLines(live);
  const messages = useMemo(() => {
    if (problem) return problem.line > 0 ? [{ text: problem.message, line: problem.line }] : [];
    if (isSecret) return [];
    // Several laws may point at the same element.
    const lines = new Map(
      counterexamples.flatMap(({ matrix, cause }) =>
        cause ? [[`On a ${matrix.rows} × ${matrix.cols}: ${cause.message}`, cause.line] as const] : [],
      ),
    );
    return [...lines].map(([message, line]) => ({ text: message, line }));
  }, [problem, counterexamples, isSecret]);
  const content = useMemo(
    (): EditorContent => ({ text, messages, marked, readOnly }),
    [text, messages, marked, readOnly],
  );
  return (
    <Suspense fallback={<p className="text-quiet p-6">Loading …</p>}>
      <ModuleEditor content={content} onChange={onText} onSave={onKeep} />
    </Suspense>
  );
}

const NO_LINES: readonly number[] = [];

/** The lines of the module that store something in the story's current step. */
function useMarkedLines(live: ModuleWithPlayer): readonly number[] {
  const story = useModuleState(live, (s) => (s.isStoryOld ? null : s.story));
  const step = useStore(live.player.store, (s) => s.step);
  return useMemo(() => {
    if (!story) return NO_LINES;
    const { stores, steps } = story.trace;
    const detail = steps.at(Math.max(0, step - 1))?.detail;
    if (step === 0 || detail?.kind !== 'stored') return NO_LINES;
    const lines = new Set(detail.stores.map((i) => stores.line[i]).filter((line) => line > 0));
    if (lines.size === 0 && detail.line > 0) lines.add(detail.line);
    return [...lines].toSorted((a, b) => a - b);
  }, [story, step]);
}

/** The story of the module on an example or, for null, on the part of the open matrix that the page shows. */
function Story({
  live,
  example,
  onLeaveExample,
}: {
  readonly live: ReturnType<typeof useLiveModule>;
  readonly example: CsrMatrix | null;
  readonly onLeaveExample: () => void;
}) {
  const name = useSession((s) => s.summary?.name ?? 'the matrix');
  const pageWindow = useSession((s) => s.window);
  const matrix = example ?? pageWindow;
  const about = !matrix
    ? 'Waiting for a matrix'
    : example
      ? `${shape(matrix.rows, matrix.cols)}, not the open matrix · `
      : `${shape(matrix.rows, matrix.cols)} of ${name}`;
  return <ModuleStage live={live} description={about} onLeaveExample={example && onLeaveExample} />;
}

/** Below the editor: the length of the text, and the meaning of its marked lines. */
function Foot({ text }: { readonly text: string }) {
  return (
    <p className="flex flex-wrap gap-y-1 gap-x-4 text-muted text-12 border-t border-hairline px-3 py-2">
      <span>
        {counted(text.split('\n').length, 'line')}, {counted(text.length, 'letter')}
      </span>
      <span className="ms-auto">
        <i className="swatch bg-track" aria-hidden="true" /> lines that ran
      </span>
    </p>
  );
}
