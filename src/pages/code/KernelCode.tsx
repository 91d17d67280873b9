import { type AnyStory, loadStory } from '../../story/format-story.ts';
import { Fragment, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { MARKER } from '../../story/code-excerpt.ts';
import { counted, countText } from '../../core/text/words.ts';
import type { ByteClass } from '../../core/encoded/ledger.ts';
import { fileOf, refersTo } from '../../core/kernel/shader.ts';
import { type CodeFields, WHOLE_TEXT } from './address.ts';
import type { KernelReading, VisiblePass } from '../../engine/kernel-reading/kernel-reading-types.ts';
import { type App, useApp, useSession } from '../../kit/app-context.ts';
import { formulaOf } from '../../kit/report/operation-words.ts';
import { Select } from '../../kit/controls/Select.tsx';
import { AnswerHeader } from '../../kit/frame/AnswerLine.tsx';
import { Waiting } from '../../kit/frame/Waiting.tsx';
import { saveText } from '../../kit/browser/save-blob.ts';
import { linesToLoop, innerLoop, type Loop } from './inner-loop.ts';
import { type ListedKernel, mainFile } from './kernel-list.ts';
import type { ReadingState } from './use-reading.ts';
import { tokensOf } from './wgsl-tokens.ts';
import type { AnyListedFormat } from '../../core/format.ts';
import type { Trace } from '../../story/trace.ts';
import { visibleStory, withStep } from '../../state/index.ts';
import { Button, TextButton } from '../../kit/controls/Button.tsx';
import { whileMounted } from '../../kit/browser/while-mounted.ts';

export interface KernelCodeProps {
  readonly listed: ListedKernel | null;
  readonly reading: ReadingState;
  readonly fields: CodeFields;
  /** Requests another kernel, file or line. */
  readonly onRead: (requested: Partial<CodeFields>) => void;
  /** further actions on the kernel, at the shown file and line */
  readonly tools?: ((kernel: KernelReading, at: Partial<Pick<CodeFields, 'file' | 'line'>>) => ReactNode) | undefined;
}

/** The source of a kernel: a summary, and one of its files at a time, initially the file with the inner loop. */
export function KernelCode({ listed, reading, fields, onRead, tools }: KernelCodeProps) {
  if (listed === null || reading.kind === 'waiting') {
    return (
      <div className="kernel-head page-frame mb-4" aria-busy="true">
        <Waiting title={listed?.kernel.title ?? 'Kernel'} what="Reading the kernel" />
      </div>
    );
  }
  if (reading.kind === 'failed') {
    return (
      <p className="kernel-head" role="alert">
        {reading.reason}
      </p>
    );
  }
  return <KernelText key={reading.result.kernel} {...{ listed, reading, fields, onRead, tools }} />;
}

interface KernelTextProps extends Pick<KernelCodeProps, 'fields' | 'onRead' | 'tools'> {
  readonly listed: ListedKernel;
  readonly reading: ReadingState & { readonly kind: 'ready' };
}

function KernelText({ listed, reading, fields, onRead, tools }: KernelTextProps) {
  const app = useApp();
  const { result: kernel, pass, choosePass } = reading;
  const { passes } = kernel;
  const problem = useDeviceProblem();
  const loop = useMemo(() => innerLoop(pass.files.toReversed()), [pass]);
  const shown = visibleText(pass, loop, fields);
  const isQuoted = useIsQuoted(listed.format, fileOf(shown.path));
  return (
    <>
      <div className="kernel-head">
        {tools?.(
          kernel,
          shown.path === WHOLE_TEXT ? {} : { file: shown.path, line: shown.line || (shown.loop?.[0] ?? 0) },
        )}
        <AnswerHeader
          topic={listed.kernel.id}
          words={kernelWords(listed, kernel, problem)}
          exports={[exportOf(kernel)]}
        />
        {kernel.instead !== null && (
          <Button className="mt-2" onClick={() => onRead({ kernel: kernel.instead ?? '' })}>
            Show one that runs here
          </Button>
        )}
        {passes.length > 1 && (
          <div className="flex flex-wrap gap-2 mt-3" role="group" aria-label="Passes">
            {passes.map((listedPass, i) => (
              <Button
                key={listedPass.path}
                aria-pressed={listedPass === pass}
                onClick={() => {
                  choosePass(i);
                  onRead({ kernel: kernel.kernel });
                }}
              >
                {i + 1}. {shortName(listedPass.path)}
              </Button>
            ))}
          </div>
        )}
        <FileTabs
          {...{ pass, loop }}
          shownFile={shown.path}
          onRead={(file) => onRead({ kernel: kernel.kernel, file })}
        />
      </div>
      <Lines
        text={shown}
        pass={pass}
        onStory={isQuoted ? (line) => void showQuote(app, listed.format, { file: fileOf(shown.path), line }) : null}
        title={listed.format.title}
      />
    </>
  );
}

/** A text on why no kernel can run in this browser; null if it has a GPU, or while that is unknown. */
function useDeviceProblem(): string | null {
  const device = useSession((s) => s.device);
  return device === null || device.kind === 'ready' ? null : 'No GPU here runs it: this browser has no WebGPU.';
}

/** The visible text of a pass: a file, or all files. */
interface VisibleText {
  /** of the file, or `WHOLE_TEXT` */
  readonly path: string;
  readonly code: string;
  /** requested line; 0 for none */
  readonly line: number;
  /** first and last line of the inner loop; null if it is elsewhere */
  readonly loop: readonly [number, number] | null;
  /** first and last line to show, up to the end of that loop; null to show all */
  readonly part: readonly [number, number] | null;
}

/** The text that the page's address names; if it names no file, the file with the inner loop. */
function visibleText(pass: VisiblePass, loop: Loop | null, { file, line }: CodeFields): VisibleText {
  if (file === WHOLE_TEXT) {
    // Line numbers of a file start below the line with its name.
    const linesBefore = loop ? pass.code.split('\n').indexOf(`// ---- ${loop.path}`) + 1 : 0;
    const loopLines = loop && ([loop.first + linesBefore, loop.last + linesBefore] as const);
    return { path: file, code: pass.code, line, loop: loopLines, part: null };
  }
  const named = pass.files.find(({ path }) => refersTo(path, file));
  const loopFile = file === '' ? pass.files.find(({ path }) => path === loop?.path) : undefined;
  const { path, code } = named ?? loopFile ?? mainFile(pass);
  const loopHere = loop?.path === path ? loop : null;
  return {
    path,
    code,
    line: named ? line : 0,
    loop: loopHere && [loopHere.first, loopHere.last],
    part: loopHere && named === undefined ? linesToLoop(code, loopHere) : null,
  };
}

interface FileTabsProps {
  readonly pass: VisiblePass;
  readonly loop: Loop | null;
  readonly shownFile: string;
  readonly onRead: (file: string) => void;
}

/** The kernel's own file and the one with the inner loop as tabs; the others in a list. */
function FileTabs({ pass, loop, shownFile, onRead }: FileTabsProps) {
  const mainPath = mainFile(pass).path;
  const tabs = [...new Set([mainPath, ...(loop ? [loop.path] : []), shownFile])];
  const others = pass.files.flatMap(({ path }) => (tabs.includes(path) ? [] : [path])).toReversed();
  return (
    <nav className="kernel-files flex mt-2 flex-wrap" aria-label="Files of the kernel">
      {tabs.map((path) => (
        <button
          key={path}
          type="button"
          aria-current={path === shownFile ? 'true' : undefined}
          onClick={() => onRead(path)}
        >
          <span className="text-muted block">
            {path === WHOLE_TEXT
              ? 'as the GPU gets it'
              : `${path.split('/')[0]}/${path === loop?.path ? ' · inner loop' : ''}`}
          </span>
          {shortName(path)}
        </button>
      ))}
      {others.length > 0 && (
        <Select
          aria-label="Other files of the kernel"
          mono
          value=""
          options={[
            { value: '', label: counted(others.length, 'more file') },
            ...others.map((path) => ({ value: path, label: path.replace('.wgsl', '') })),
          ]}
          onChange={(path) => path !== '' && onRead(path)}
        />
      )}
    </nav>
  );
}

/** 'spmv_staged' of 'macko/spmv_staged.wgsl'. */
function shortName(path: string): string {
  return path === WHOLE_TEXT ? 'whole text' : path.slice(path.indexOf('/') + 1).replace('.wgsl', '');
}

/**
 * A summary: what the kernel computes and needs, or why the device cannot run it. `deviceProblem`: a sentence on why
 * there is no device.
 */
export function kernelWords(
  { format, kernel: { operation } }: ListedKernel,
  { passes, needs, rejection }: Pick<KernelReading, 'passes' | 'needs' | 'rejection'>,
  deviceProblem: string | null = null,
) {
  const passesText = passes.length === 1 ? '' : ` in ${passes.length} passes`;
  const features = needs.map((feature) => `‘${feature}’`).join(' and ');
  const need = needs.length === 0 ? 'WebGPU alone' : features;
  return [
    { text: `${format.title}’s kernel for ${formulaOf(operation)}${passesText}`, strong: true },
    {
      text: rejection === null ? ` needs ${need}.` : ` cannot run on this device: ${rejectionText(rejection)}.`,
    },
    ...(deviceProblem === null ? [] : [{ text: ` ${deviceProblem}` }]),
  ];
}

/** Why a device cannot run a kernel, with bytes as the page writes them, and without the identifier of a limit. */
function rejectionText(rejection: string): string {
  return rejection
    .replace(/ \(max\w+\)$/, '')
    .replace(
      /(\d+) bytes of memory(?: for \d+ columns)?, but this device has (\d+)$/,
      (_, needed: string, has: string) => `${kilobytes(needed)}, it has ${kilobytes(has)}`,
    );
}

function kilobytes(bytes: string): string {
  return `${(Number(bytes) / 1000).toFixed(1)}\u202fkB`;
}

/** The button that saves the WGSL of all passes. */
function exportOf({ kernel, passes }: KernelReading) {
  const text = passes
    .map(({ files, path }) =>
      [`// ==== pass ${path}`, ...files.flatMap((f) => [`// ---- ${f.path}`, f.code])].join('\n'),
    )
    .join('\n\n');
  return {
    label: 'WGSL',
    title: 'Save as WGSL',
    save: () => saveText(`${kernel.replace('/', '-')}.wgsl`, text, 'text/plain'),
  };
}

interface LinesProps {
  readonly text: VisibleText;
  readonly pass: VisiblePass;
  /** Shows the step of the story that quotes a line; null if the story quotes nothing from the file. */
  readonly onStory: ((line: number) => void) | null;
  /** title of the story's format */
  readonly title: string;
}

/** A text with numbered lines; buffer names have the colour of their byte class, and the inner loop is marked. */
function Lines({ text: { path, code, line, loop, part }, pass, onStory, title }: LinesProps) {
  const [isWhole, setWhole] = useState(false);
  const [first, last] = (isWhole ? null : part) ?? [1, Number.POSITIVE_INFINITY];
  const scroller = useRef<HTMLPreElement>(null);
  const current = useRef<HTMLLIElement>(null);
  const [loopFirst = 0, loopLast = 0] = loop ?? [];
  const lines = code.trimEnd().split('\n');
  const showAllProps = {
    className: 'ms-18 text-12 font-sans',
    onClick: (): void => {
      scroller.current?.focus({ preventScroll: true });
      setWhole(true);
    },
  };
  useEffect(() => {
    if (line > 0 || !scroller.current || !current.current) {
      current.current?.scrollIntoView({ block: 'center' });
      return;
    }
    // No line was requested: scroll the code to the loop, but not the page.
    const { top, height } = scroller.current.getBoundingClientRect();
    scroller.current.scrollTop += current.current.getBoundingClientRect().top - top - height / 4;
  }, [path, line, loopFirst, isWhole]);
  const classes = useMemo(
    () => new Map(pass.bindings.flatMap(({ name, byteClass }) => (byteClass === null ? [] : [[name, byteClass]]))),
    [pass],
  ) as ReadonlyMap<string, ByteClass>;
  return (
    <pre
      ref={scroller}
      className="kernel-code [&_.keyword]:font-semibold [&_.comment]:text-muted text-13 leading-[1.55] [counter-reset:line] min-h-0 flex-1 overflow-auto border-t border-hairline py-3"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by the keyboard
      tabIndex={0}
      role="group"
      aria-label={path === WHOLE_TEXT ? 'The whole text' : path}
    >
      {first > 1 && <TextButton {...showAllProps}>all {countText(lines.length)} lines</TextButton>}
      <ol className="min-w-max" style={{ counterReset: `line ${first - 1}` }}>
        {lines.map((text, i) =>
          i + 1 < first || i + 1 > last ? null : (
            <li
              // oxlint-disable-next-line react/no-array-index-key -- a line is its number
              key={i}
              ref={i + 1 === (line || loopFirst) ? current : undefined}
              className={i + 1 >= loopFirst && i + 1 <= loopLast ? 'kernel-loop' : undefined}
              aria-current={i + 1 === line ? 'true' : undefined}
            >
              <Line text={text} classes={classes} />
              {onStory !== null && i > 0 && MARKER.test(lines[i - 1]) && (
                <TextButton className="ms-4 decoration-current min-h-0 font-sans" onClick={() => onStory(i + 1)}>
                  in the story of {title}
                </TextButton>
              )}
            </li>
          ),
        )}
      </ol>
      {last < lines.length && <TextButton {...showAllProps}>{counted(lines.length - last, 'more line')}</TextButton>}
    </pre>
  );
}

function Line({ text, classes }: { readonly text: string; readonly classes: ReadonlyMap<string, ByteClass> }) {
  if (text === '') return ' ';
  return tokensOf(text).map(({ kind, text: part }, i) => {
    const byteClass = kind === 'name' ? classes.get(part) : undefined;
    const className = byteClass ? `bytes-text--${byteClass}` : kind === 'rest' || kind === 'name' ? null : kind;
    // a token is identified by its position in the line
    return className === null ? (
      <Fragment key={i}>{part}</Fragment>
    ) : (
      <span key={i} className={className}>
        {part}
      </span>
    );
  });
}

/** A line of a kernel's file, from 1. */
interface QuotedLine {
  readonly file: string;
  readonly line: number;
}

/** Whether a format's story quotes lines of a file. False until the story has loaded. */
function useIsQuoted(format: AnyListedFormat, file: string): boolean {
  const [story, setStory] = useState<{ readonly format: string; readonly quotes: readonly string[] } | null>(null);
  useEffect(
    () => whileMounted(loadStory(format), ({ quotes = [] }) => setStory({ format: format.id, quotes })),
    [format],
  );
  return story?.format === format.id && story.quotes.includes(file);
}

/** The first step whose scene quotes the line; null if none does. At most O(steps) scenes. */
function stepQuoting(story: AnyStory, trace: Trace, { file, line }: QuotedLine): number | null {
  for (let step = 1; step <= trace.steps.length; step++) {
    const { code } = story.scene(trace, step);
    if (code?.file === file && code.currentLine === line) return step;
  }
  return null;
}

/** How long a story that is being loaded may take to be shown at the quoted line, ms. */
const MAX_STORY_WAIT_MS = 5000;

/** Opens a format's story at the first step in which the line runs. */
async function showQuote(app: App, format: AnyListedFormat, quoted: QuotedLine): Promise<void> {
  const { session, document, announce } = app;
  const story = await loadStory(format);
  session.setFormat(format.id);
  session.follow('stage');
  const showStep = (): boolean => {
    const loaded = visibleStory(session.store.getState().trace);
    if (loaded === null || loaded.story !== story) return false;
    const step = stepQuoting(story, loaded.trace, quoted);
    if (step === null) announce('No step of the story runs that line.');
    else {
      // With a second format, the position is an index into the timeline of both.
      const { timeline } = session.store.getState();
      document.setState(
        withStep(document.getState(), timeline ? timeline.a.findIndex((stepOfA) => stepOfA >= step) : step),
      );
    }
    return true;
  };
  if (showStep()) return;
  // The story of the new format loads shortly after, unless the format rejects the matrix.
  const unsubscribe = session.store.subscribe(() => {
    if (showStep()) unsubscribe();
  });
  setTimeout(unsubscribe, MAX_STORY_WAIT_MS);
}
