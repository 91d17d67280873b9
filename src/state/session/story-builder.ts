import { clip } from '../../core/bounds/quote.ts';
import type { StoredWhole } from '../../core/encoded/ledger.ts';
import { type AnyListedFormat, resolvedParams, type Shape, storyParams } from '../../core/format.ts';
import { readCells } from '../../core/cells/edited-cells.ts';
import { CsrMatrix } from '../../core/matrix/index.ts';
import type { Timeline, TimelineFrame } from '../../story/timeline.ts';
import type { Trace } from '../../story/trace.ts';
import {
  type AppDocument,
  atStart,
  secondFormat,
  containsActivations,
  type FormatParams,
  isCellChange,
  sameRegion,
  equalChoices,
  sameStory,
  type FormatChoice,
  choiceA,
  withFrame,
  withStep,
} from '../document.ts';
import { countedFrames, frameIndexOf, frameName, frameReference, positionIn, type Story } from '../played-story.ts';
import { asMessage, notLoaded } from '../error-messages.ts';
import { encodingOf } from './encoding-queue.ts';
import { messageFor, type SessionContext } from './session-context.ts';
import { type SessionState, visibleStory, lastTick, type StoryState } from './session-state.ts';

// Builds the stories (animations) of A and B, the formats that the page shows, from the window, the part of the matrix
// that it shows, whenever the document changes, and loads them into the player.

/** The part of the session that is replaced with the matrix, besides window and stories. */
type MatrixState = Pick<SessionState, 'summary' | 'isInWorker' | 'marginals' | 'encodings' | 'error'>;

export type StoryBuilder = ReturnType<typeof createStoryBuilder>;

/**
 * What stories are built from besides the window. `pressedCell`: the cell that was pressed last; `loadFailures`: by
 * format, why the code of its story failed to load.
 */
interface StoryInputs extends Pick<SessionState, 'summary' | 'encodings' | 'pressedCell'> {
  readonly loadFailures?: ReadonlyMap<string, string> | undefined;
}

/** Options of `show`. */
interface ShowOptions {
  readonly matrixState?: MatrixState;
  readonly loadFailures?: StoryInputs['loadFailures'];
  readonly keepsFrame?: boolean;
}

/** The state of a story that is ready while the other is loading: `currentState` stays until both are ready. */
function untilBothLoad(state: StoryState, currentState: StoryState): StoryState {
  return state.kind === 'ready' ? { kind: 'loading', before: visibleStory(currentState) } : state;
}

/** The stories of the window, and their timeline. */
type VisibleStories = Pick<SessionState, 'trace' | 'storyB' | 'timeline'>;
/** The states of A's story (`trace`) and of B's (`storyB`). */
type Traces = Pick<VisibleStories, 'trace' | 'storyB'>;

/** Stories that are built but not shown yet, with their document and window. */
interface BuiltStories extends Traces {
  readonly doc: AppDocument;
  readonly window: CsrMatrix;
  /** absent: not made yet */
  readonly timeline?: Timeline | null;
}

/** Whether one of the two stories is in this state. */
const isOfKind = ({ trace, storyB }: Traces, kind: StoryState['kind']): boolean =>
  trace.kind === kind || storyB.kind === kind;

/** A format's parameters for a window, resolved for the whole matrix, which has this shape. */
function paramsOf({ params }: AnyListedFormat, choice: FormatChoice, shape: Shape): FormatParams {
  return storyParams(params, resolvedParams(params, choice.params, shape));
}

/** The document at the frame with the same id as in `framesBefore`, or at the last earlier frame that still exists. */
function atSameFrame(
  doc: AppDocument,
  framesBefore: readonly TimelineFrame[],
  { stepCount, frames = [] }: Story,
): AppDocument {
  if (doc.frame === null) return withStep(doc, Math.min(doc.step, stepCount));
  const { frame: index } = positionIn(framesBefore, doc);
  const names = frames.map(frameName);
  const lastName = framesBefore
    .slice(0, index ?? 1)
    .map(frameName)
    .findLast((name) => name !== null && names.includes(name));
  const frame = lastName === undefined ? (positionIn(frames, doc).frame ?? 1) : 1 + names.indexOf(lastName);
  return withFrame(doc, frameReference(frames, frame));
}

/** The formats whose stories a document shows: A, and B if the page shows both (`secondFormat`). */
function choicesOf(doc: AppDocument): readonly FormatChoice[] {
  const choiceB = secondFormat(doc);
  return choiceB ? [choiceA(doc), choiceB] : [choiceA(doc)];
}

/** The current matrix in this format; null until it is encoded with these parameters. */
function wholeMatrixOf(
  choice: FormatChoice,
  { summary, encodings }: Pick<SessionState, 'summary' | 'encodings'>,
): StoredWhole | null {
  const encoding = encodingOf(encodings, choice);
  if (!summary || encoding?.kind !== 'ready') return null;
  const { ledger, params, reason } = encoding.summary;
  const { rows, cols, nnz } = summary;
  return ledger && { rows, cols, nnz, params, ledger, reason: reason?.text ?? null };
}

/** A story with the bytes and facts of the whole matrix in its format, once they are computed. */
function withWhole(state: StoryState, choice: FormatChoice | null, inputs: StoryInputs): StoryState {
  if (state.kind !== 'ready' || !choice || state.wholeFacts || state.trace.format !== choice.format) return state;
  const encoding = encodingOf(inputs.encodings, choice);
  if (encoding?.kind !== 'ready') return state;
  const wholeMatrix = wholeMatrixOf(choice, inputs);
  return { ...state, wholeFacts: encoding.summary.wholeFacts, ...(wholeMatrix && { wholeMatrix }) };
}

type TwoStories = ReturnType<SessionContext['stories']['twoStories']>;

/** The timeline of both stories, or of the one that exists; null without any. */
function timelineFor({ trace: storyA, storyB }: Traces, twoStories: () => TwoStories): Timeline | null {
  if (storyA.kind === 'ready' && storyB.kind === 'ready') return twoStories().joinedTimeline(storyA, storyB);
  if (storyB.kind === 'ready') return twoStories().timelineOf(storyB, 'b');
  return storyA.kind === 'ready' ? twoStories().timelineOf(storyA) : null;
}

/** The story for the player. */
function storyOf({ trace, storyB, timeline }: VisibleStories, twoStories: () => TwoStories): Story {
  if (!timeline) return { stepCount: 0, chapters: [] };
  const { frames, chapters, stops } = timeline;
  const pair = { a: visibleStory(trace), b: visibleStory(storyB) };
  const restMs = (frame: number): number => twoStories().pauseAfterFrameMs(timeline, frame, pair);
  return { stepCount: lastTick(timeline), chapters, frames, stops, restMs };
}

/** Keeps the window's cells, the stories of A and B and the player consistent with the document. */
export function createStoryBuilder(context: SessionContext) {
  const { matrix, store, document, player, formats, stories, catalog } = context;
  const { twoStories } = stories;
  /** whether the builder itself is changing the document */
  let isOwnChange = false;
  /** counts requested windows: only the answer to the last one is used */
  let windowRequests = 0;
  /** counts calls of `show`: stories that load later are shown only if no further call came */
  let showCount = 0;
  /** whether the document's window is still being read */
  let isReading = false;
  /** the cells of the current window as in the matrix */
  let cells: CsrMatrix | null = null;

  /** stories that are built but not shown yet; null: none */
  let builtStories: BuiltStories | null = null;
  /** during a preview, the stories that were visible before; `ofDocument`: null if the player had another story */
  let storiesBeforePreview:
    | (Pick<SessionState, 'window'> & VisibleStories & { readonly ofDocument: AppDocument | null })
    | null = null;

  const formatOf = ({ format }: Pick<FormatChoice, 'format'>): AnyListedFormat | undefined =>
    formats.find(({ id }) => id === format);
  /** What the matrix contains, for a story: activations, or 'anything', which is not known to be activations. */
  const contentsOf = (summary: SessionState['summary']): NonNullable<Trace['contents']> =>
    summary && containsActivations(catalog, summary.source) ? 'activations' : 'anything';

  /** A format's story of a window, with the whole matrix's parameters. `currentState`: the state of the visible story. */
  const traceOf = (
    choice: FormatChoice | null,
    window: CsrMatrix | null,
    currentState: StoryState,
    { loadFailures, summary: matrix, origin, pressedCell }: StoryInputs & Pick<Trace, 'origin'>,
  ): StoryState => {
    const format = choice && formatOf(choice);
    if (!format || !window) return { kind: 'none' };
    const story = stories.get(format);
    if (!story) {
      const reason = loadFailures?.get(format.id);
      return reason === undefined
        ? { kind: 'loading', before: visibleStory(currentState) }
        : { kind: 'missing', reason };
    }
    const params = paramsOf(format, choice, matrix ?? window);
    if (format.sandboxed?.hasResult(window, params) === false)
      return { kind: 'loading', before: visibleStory(currentState) };
    try {
      const support = story.admits(window, params);
      if (support.ok || story.tracesRejected?.(window, params) === true) {
        return {
          kind: 'ready',
          story,
          notes: support.ok ? support.notes : [],
          trace: {
            ...story.trace(window, params),
            ...(origin && { origin, contents: contentsOf(matrix) }),
            ...(pressedCell && { editedCell: pressedCell }),
          },
        };
      }
      const texts = [support.reason, ...(support.remedy === null ? [] : [support.remedy])];
      return { kind: 'failed', reason: texts.map(asMessage).join(' ') };
    } catch (error) {
      return { kind: 'failed', reason: messageFor(error) };
    }
  };

  /** The states of both stories of a window. A preview does not load code that is missing. */
  const tracesOf = (doc: AppDocument, window: CsrMatrix | null, inputs: StoryInputs, isPreview: boolean): Traces => {
    const visible = store.getState();
    const stateFor = (choice: FormatChoice | null, state: StoryState): StoryState =>
      isPreview && state.kind === 'missing'
        ? state
        : traceOf(choice, window, state, { ...inputs, ...(doc.window && { origin: doc.window }) });
    return { trace: stateFor(choiceA(doc), visible.trace), storyB: stateFor(secondFormat(doc), visible.storyB) };
  };

  /** Builds the stories of a window before they are shown, in separate tasks; a later call replaces an earlier one. */
  const buildAhead = async (doc: AppDocument, window: CsrMatrix, inputs: StoryInputs): Promise<void> => {
    // Cells that the user set are read again whenever they are shown.
    if (doc.edited !== null) return;
    const next: BuiltStories = { ...tracesOf(doc, window, inputs, false), doc, window };
    if (isOfKind(next, 'loading')) return;
    builtStories = next;
    await context.pause?.();
    if (builtStories !== next) return;
    builtStories = { ...next, timeline: timelineFor(next, twoStories) };
    await context.pause?.();
  };

  /** Both stories of a window. While the code of one is loading, the previous ones stay until both can be shown. */
  const build = (
    doc: AppDocument,
    window: CsrMatrix | null,
    inputs: StoryInputs,
    isPreview = false,
  ): VisibleStories => {
    const builtAhead =
      !isPreview && builtStories?.window === window && sameStory(builtStories.doc, doc) ? builtStories : null;
    const { trace, storyB } = builtAhead ?? tracesOf(doc, window, inputs, isPreview);
    if (isOfKind({ trace, storyB }, 'loading')) {
      const visible = store.getState();
      return {
        trace: untilBothLoad(trace, visible.trace),
        storyB: untilBothLoad(storyB, visible.storyB),
        timeline: visible.timeline,
      };
    }
    const timeline =
      builtAhead?.timeline === undefined ? timelineFor({ trace, storyB }, twoStories) : builtAhead.timeline;
    // The previewed matrix would have other bytes.
    if (isPreview) return { trace, storyB, timeline };
    return {
      trace: withWhole(trace, choiceA(doc), inputs),
      storyB: withWhole(storyB, secondFormat(doc), inputs),
      timeline,
    };
  };

  /** The cells of a document's window: the edited ones, or the matrix's. */
  const cellsOf = ({ window, edited }: AppDocument): CsrMatrix | null =>
    window && edited !== null ? readCells(edited, window.rows, window.cols) : cells;

  /** Why A, or B if both are visible, rejects a window; a rejected window may still have a story. */
  const rejection = (doc: AppDocument, window: CsrMatrix | null): string | null => {
    for (const choice of window ? choicesOf(doc) : []) {
      const format = formatOf(choice);
      const story = format && stories.get(format);
      if (!window || !story) continue;
      const support = story.admits(window, paramsOf(format, choice, store.getState().summary ?? window));
      if (support.ok) continue;
      const reason = asMessage(support.reason);
      // Rows and columns in the reason count from the window's corner.
      return doc.window && doc.window.row + doc.window.col > 0 ? `In this region: ${reason}` : reason;
    }
    return null;
  };

  /** Changes the document so that the session does not follow the change (`isOwnChange`). */
  const setSilently = (doc: AppDocument, action?: () => void): void => {
    const isOuter = !isOwnChange;
    isOwnChange = true;
    try {
      document.setState(doc);
      action?.();
    } finally {
      if (isOuter) isOwnChange = false;
    }
  };

  /** If the story lacks the document's frame or step, reports it in `problems` and goes to the start. */
  const checkPosition = ({ stepCount, frames = [] }: Story): void => {
    const doc = document.getState();
    if (stepCount === 0) return;
    if (doc.frame === null ? doc.step <= stepCount : frameIndexOf(frames, doc.frame) !== null) return;
    const [foundText, expectedText] =
      typeof doc.frame === 'string'
        ? [`'${clip(doc.frame)}'`, `one of ${frames.flatMap((frame) => frameName(frame) ?? []).join(', ')}`]
        : [doc.frame ?? doc.step, `at most ${doc.frame === null ? stepCount : countedFrames(frames)}`];
    const unit = doc.frame === null ? 'step' : 'frame';
    const message = `${unit}: found ${foundText}, expected ${expectedText}; the start is shown.`;
    store.setState(({ problems }) => ({ problems: [...problems, message] }));
    document.setState(atStart(doc));
  };

  /**
   * Shows the stories of the document's window. `matrixState`: set in the same change of the store, if the matrix is
   * another one; `loadFailures`: see StoryInputs; `keepsFrame`: the animation stays at its frame.
   */
  const show = (doc: AppDocument, { matrixState, loadFailures, keepsFrame = false }: ShowOptions = {}): void => {
    isReading = false;
    storiesBeforePreview = null;
    showCount++;
    const stateBefore = store.getState();
    const window = cellsOf(doc);
    const next = build(doc, window, { ...stateBefore, ...matrixState, ...(loadFailures && { loadFailures }) });
    builtStories = null;
    const join = next.timeline && { joinScenes: twoStories().joinScenes };
    const rejectedEdit = doc.edited === null ? null : rejection(doc, window);
    store.setState({ ...matrixState, window, ...next, ...join, previewing: false, rejectedEdit });
    if (isOfKind(next, 'loading')) return void awaitStories(doc);
    const story = storyOf(next, twoStories);
    if (keepsFrame && stateBefore.timeline) setSilently(atSameFrame(doc, stateBefore.timeline.frames, story));
    // The document's step counts steps of both stories: it means nothing if only one story is there.
    if (isOfKind(next, 'missing')) return player.loadDetached(story, positionIn(story.frames ?? [], atStart(doc)));
    checkPosition(story);
    const { frame, frames, picture } = player.store.getState();
    const current = keepsFrame && frame !== null ? frames[frame - 1]?.scriptFrame : undefined;
    player.load(story);
    // If the frame of an edited matrix asks the same question and that was answered, it is answered again.
    const playerState = player.store.getState();
    const isSame = current?.id === playerState.frames[(playerState.frame ?? 0) - 1]?.scriptFrame?.id;
    if (current?.question && isSame && picture > 0) player.answer();
  };

  /** Shows the current state instead of the awaited stories. */
  const showAwaited = (loadFailures?: StoryInputs['loadFailures']): void => show(document.getState(), { loadFailures });

  /** Loads the code of a document's stories, then shows them, unless something else was shown meanwhile. */
  const awaitStories = async (doc: AppDocument): Promise<void> => {
    const showNumber = showCount;
    const { window, summary } = store.getState();
    const loadFailures = new Map<string, string>();
    await Promise.all(
      choicesOf(doc).map(async (choice) => {
        const format = formatOf(choice);
        if (!format) return;
        try {
          await stories.load(format);
          if (window) await format.sandboxed?.encodeWindow(window, paramsOf(format, choice, summary ?? window));
        } catch (error) {
          loadFailures.set(format.id, notLoaded(`The animation of ${format.title}`, messageFor(error)));
        }
      }),
    );
    // Something else may have been chosen meanwhile; a window that is being read is shown with its stories.
    const isAwaited = (): boolean => showNumber === showCount && !isReading;
    if (isAwaited() && window) await buildAhead(doc, window, { ...store.getState(), loadFailures });
    if (isAwaited()) showAwaited(loadFailures);
  };

  /** Reads the cells of the document's window, then shows their stories. */
  const readWindow = async (doc: AppDocument): Promise<void> => {
    const { summary, isInWorker } = store.getState();
    // If the engine does not have the matrix, the window is read once the matrix is open again.
    if (!doc.window || !summary || !isInWorker) return;
    const request = ++windowRequests;
    isReading = true;
    try {
      const windowCells = await matrix.window({}, doc.window);
      // A newer window, or another matrix, has been shown meanwhile.
      if (request !== windowRequests || windowCells.generation !== store.getState().summary?.generation) return;
      cells = new CsrMatrix(windowCells);
      store.setState({ pressedCell: null });
      show(document.getState());
    } catch (error) {
      await context.failOf(summary.generation, error, 'Reading the window');
      if (request !== windowRequests) return;
      isReading = false;
      // Its stories may have been loaded while the window was read.
      if (isOfKind(store.getState(), 'loading')) showAwaited();
    }
  };

  /** Shows the stories of a window that the matrix does not have; null shows the ones before the preview again. */
  const preview = (window: CsrMatrix | null): void => {
    if (window) {
      const visible = store.getState();
      const isAwaited = isOfKind(visible, 'loading') || visible.trace.kind === 'missing';
      if (isReading || isAwaited || !visible.summary) return;
      const doc = document.getState();
      const { trace, storyB, timeline } = visible;
      storiesBeforePreview ??= {
        window: visible.window,
        trace,
        storyB,
        timeline,
        ofDocument: player.isOfDocument() ? doc : null,
      };
      const next = build(doc, window, visible, true);
      store.setState({ window, ...next, previewing: true });
      player.loadDetached(storyOf(next, twoStories), player.store.getState());
    } else if (storiesBeforePreview) {
      const { ofDocument, ...next } = storiesBeforePreview;
      storiesBeforePreview = null;
      store.setState({ ...next, previewing: false });
      const story = storyOf(next, twoStories);
      if (ofDocument && sameStory(ofDocument, document.getState())) player.load(story);
      else player.loadDetached(story, player.store.getState());
    }
  };

  // Encodings finish after the stories: step 0 then shows the bytes of the whole matrix.
  store.subscribe((state, previousState) => {
    if (state.encodings === previousState.encodings || state.previewing) return;
    const doc = document.getState();
    const trace = withWhole(state.trace, choiceA(doc), state);
    const storyB = withWhole(state.storyB, secondFormat(doc), state);
    if (trace !== state.trace || storyB !== state.storyB) store.setState({ trace, storyB });
  });

  return {
    /** Builds the stories that `commit` will need, in separate tasks: `commit` draws the page in the same task. */
    buildAhead(doc: AppDocument, window: CsrMatrix, summary: StoryInputs['summary']): Promise<void> {
      const pressedCell = isCellChange(document.getState(), doc) ? store.getState().pressedCell : null;
      return buildAhead(doc, window, { summary, encodings: {}, pressedCell });
    },
    /** Shows another matrix at once: the cells of the document's window, and all other state that belongs to it. */
    commit(doc: AppDocument, windowCells: CsrMatrix | null, matrixState: MatrixState): void {
      windowRequests++;
      cells = windowCells;
      // A cell was changed: the story stays at its frame.
      const keepsFrame = isCellChange(document.getState(), doc);
      if (!keepsFrame) store.setState({ pressedCell: null });
      setSilently(doc, () => show(doc, { matrixState, keepsFrame }));
    },
    /** Shows the window as a pruning would leave it; null, and every change, restores the actual one. */
    preview,
    /** The cells of the document's window as in the matrix, without edits; null until they are read. */
    read: (): CsrMatrix | null => (isReading ? null : cells),
    /** Why A or B rejects a document's cells; null if none does, or one rejects the current cells as well. */
    rejection(doc: AppDocument): string | null {
      const isBroken = rejection(document.getState(), store.getState().window) !== null;
      return isBroken ? null : rejection(doc, cellsOf(doc));
    },
    /** Follows a change of the document: reads the window and rebuilds the stories if needed. */
    follow(doc: AppDocument, previousDoc: AppDocument): void {
      const isOtherFormat =
        !equalChoices(choiceA(doc), choiceA(previousDoc)) ||
        !equalChoices(secondFormat(doc), secondFormat(previousDoc));
      preview(null);
      if (!sameRegion(doc.window, previousDoc.window)) {
        void readWindow(doc);
      } else if (!isReading && store.getState().summary) {
        if (isOtherFormat || doc.edited !== previousDoc.edited) show(doc, { keepsFrame: !isOtherFormat });
        else if (player.isOfDocument()) checkPosition(player.store.getState());
      }
    },
    /** Starts to load the stories that a document will need. Failures are reported once they are needed. */
    prepare(doc: AppDocument): void {
      for (const choice of choicesOf(doc)) {
        const format = formatOf(choice);
        if (format) stories.load(format).catch(() => {});
      }
    },
    /** Loads the missing stories again. */
    retryStory(): void {
      if (isOfKind(store.getState(), 'missing')) showAwaited();
    },
    /** Builds the stories again: A or B was replaced by another format of the same id. */
    rebuildStories(): void {
      builtStories = null;
      if (store.getState().summary && !isReading) show(document.getState());
    },
    /** True while `commit` or `show` changes the document: the session must not follow such a change. */
    isOwnChange: (): boolean => isOwnChange,
  };
}
