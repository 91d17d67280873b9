import type { StoredWhole } from '../../core/encoded/ledger.ts';
import { type AnyListedFormat, resolvedParams, stageParams } from '../../core/format.ts';
import { CsrMatrix } from '../../core/matrix/index.ts';
import type { WindowCells } from '../../engine/matrix/types.ts';
import { type AppDocument, currentParams, sameRegion, sameStory, withStep } from '../document.ts';
import type { Story } from '../player.ts';
import { asSentence } from '../sentence.ts';
import { sentenceOf, type SessionContext } from './session-context.ts';
import { type SessionState, shownStory, type TraceState } from './session-state.ts';

/** The part of the session that is replaced with the matrix, besides window and trace. */
type Fresh = Pick<SessionState, 'summary' | 'held' | 'marginals' | 'encodings' | 'error'>;

/** Keeps the window's cells, the trace and the player in line with the document. */
export interface Stage {
  /**
   * Puts another matrix on the screen with its document, all at once. `cells` are those of the document's window,
   * `fresh` is the rest of what belongs to the matrix.
   */
  commit(doc: AppDocument, cells: WindowCells | null, fresh: Fresh): void;
  /** The document has changed: reads the window and tells the story again where that is needed. */
  follow(doc: AppDocument, before: AppDocument): void;
  /** Begins to load the story that a document will need. What goes wrong is said once it is needed. */
  prepare(doc: AppDocument): void;
  /** Loads the story that is missing again. */
  retryStory(): void;
  /** Shows what a matrix that is not there yet has in the window; null, and every change, brings back what is. */
  preview(window: CsrMatrix | null): void;
  /** True while `commit` changes the document, which is then not to be followed. */
  isCommitting(): boolean;
}

/** What the player plays of a trace. */
function storyOf(trace: TraceState): Story {
  if (trace.kind !== 'ready') return { stepCount: 0, chapters: [] };
  const { steps, chapters } = trace.trace;
  return { stepCount: steps.length, chapters };
}

export function createStage(context: SessionContext): Stage {
  const { matrix, store, document, player, formats, stories } = context;
  let committing = false;
  /** counts windows asked for: only the answer to the last one is taken */
  let asked = 0;
  /** the document's window is not yet the one on the screen */
  let reading = false;

  /** the story behind a preview, and its document; null where it is another's */
  let behind: (Pick<SessionState, 'window' | 'trace'> & { readonly of: AppDocument | null }) | null = null;

  const formatOf = (doc: AppDocument): AnyListedFormat | undefined => formats.find((f) => f.id === doc.format);

  /** The matrix of a state as a document's format stores it; null before it is encoded with the document's parameters. */
  const wholeOf = (
    doc: AppDocument,
    { summary, encodings }: Pick<SessionState, 'summary' | 'encodings'>,
  ): StoredWhole | null => {
    const encoding = encodings[doc.format];
    if (!summary || encoding?.kind !== 'ready' || encoding.params !== currentParams(doc)) return null;
    const { ledger, params } = encoding.summary;
    const { rows, cols, nnz } = summary;
    return ledger && { rows, cols, nnz, params, ledger };
  };

  /** A window is told with the parameters of the whole matrix. */
  const traceOf = (doc: AppDocument, window: CsrMatrix | null, matrix = store.getState().summary): TraceState => {
    const format = formatOf(doc);
    if (!format || !window) return { kind: 'none' };
    const story = stories.get(format);
    if (!story) return { kind: 'loading', before: shownStory(store.getState().trace) };
    const params = stageParams(format.params, resolvedParams(format.params, currentParams(doc), matrix ?? window));
    try {
      const admission = story.admits(window, params);
      if (admission.ok || story.tracesRefused?.(window, params) === true) {
        return { kind: 'ready', story, trace: story.trace(window, params) };
      }
      const sentences = [admission.reason, ...(admission.remedy === null ? [] : [admission.remedy])];
      return { kind: 'failed', reason: sentences.map(asSentence).join(' ') };
    } catch (error) {
      return { kind: 'failed', reason: sentenceOf(error) };
    }
  };

  /** A step of the document that its story does not have is reported and becomes its start. */
  const checkStep = (stepCount: number): void => {
    const doc = document.getState();
    if (doc.step <= stepCount) return;
    const sentence = `step: found ${doc.step}, expected at most ${stepCount}, the last step of this animation; its start is shown.`;
    store.setState(({ problems }) => ({ problems: [...problems, sentence] }));
    document.setState(withStep(doc, 0));
  };

  const show = (doc: AppDocument, window: CsrMatrix | null, fresh?: Fresh): void => {
    reading = false;
    behind = null;
    const told = traceOf(doc, window, fresh?.summary);
    const whole = wholeOf(doc, { ...store.getState(), ...fresh });
    const trace: TraceState = told.kind === 'ready' && whole ? { ...told, whole } : told;
    store.setState({ ...fresh, window, trace, previewing: false });
    if (trace.kind === 'loading') return void awaitStory(doc);
    const story = storyOf(trace);
    checkStep(story.stepCount);
    player.load(story);
  };

  /** Shows what is known now instead of the story that was awaited. */
  const showAwaited = (): void => show(document.getState(), store.getState().window);

  const awaitStory = async (doc: AppDocument): Promise<void> => {
    const format = formatOf(doc);
    if (!format) return;
    // Another format may have been chosen meanwhile; a window that is being read is shown with its story.
    const isAwaited = (): boolean =>
      store.getState().trace.kind === 'loading' && document.getState().format === format.id && !reading;
    try {
      await stories.load(format);
    } catch (error) {
      if (!isAwaited()) return;
      const reason = `The animation of ${format.title} could not be loaded: ${sentenceOf(error)}`;
      const trace: TraceState = { kind: 'missing', reason };
      store.setState({ trace });
      player.loadAside(storyOf(trace), 0);
      return;
    }
    if (isAwaited()) showAwaited();
  };

  const readWindow = async (doc: AppDocument): Promise<void> => {
    const { summary, held } = store.getState();
    // Where the engine does not hold the matrix, the window is read with it once it is open again.
    if (!doc.window || !summary || !held) return;
    const mine = ++asked;
    reading = true;
    try {
      const cells = await matrix.window({}, doc.window);
      // A newer window, or another matrix, has been put on the screen meanwhile.
      if (mine !== asked || cells.generation !== store.getState().summary?.generation) return;
      show(document.getState(), new CsrMatrix(cells));
    } catch (error) {
      if (mine !== asked) return;
      reading = false;
      context.fail(error);
      // Its story may have come while the window was read.
      if (store.getState().trace.kind === 'loading') showAwaited();
    }
  };

  const preview = (window: CsrMatrix | null): void => {
    const { window: held, trace: told, summary } = store.getState();
    if (window) {
      const isAwaited = told.kind === 'loading' || told.kind === 'missing';
      if (reading || isAwaited || !summary) return;
      const doc = document.getState();
      behind ??= { window: held, trace: told, of: player.isOfDocument() ? doc : null };
      const trace = traceOf(doc, window);
      store.setState({ window, trace, previewing: true });
      player.loadAside(storyOf(trace), player.store.getState().step);
    } else if (behind) {
      const { of, ...shown } = behind;
      behind = null;
      store.setState({ ...shown, previewing: false });
      const story = storyOf(shown.trace);
      if (of && sameStory(of, document.getState())) player.load(story);
      else player.loadAside(story, player.store.getState().step);
    }
  };

  // The encoding comes after the story: step 0 then names the bytes of the whole matrix.
  store.subscribe((state, before) => {
    const { trace, encodings, previewing } = state;
    if (encodings === before.encodings || trace.kind !== 'ready' || trace.whole || previewing) return;
    const whole = wholeOf(document.getState(), state);
    if (whole && trace.trace.format === document.getState().format) store.setState({ trace: { ...trace, whole } });
  });

  return {
    commit(doc, cells, fresh) {
      asked++;
      committing = true;
      try {
        document.setState(doc);
        show(doc, cells && new CsrMatrix(cells), fresh);
      } finally {
        committing = false;
      }
    },
    preview,
    follow(doc, before) {
      const isRetold = doc.format !== before.format || currentParams(doc) !== currentParams(before);
      preview(null);
      if (!sameRegion(doc.window, before.window)) {
        void readWindow(doc);
      } else if (!reading) {
        if (isRetold) show(doc, store.getState().window);
        else if (player.isOfDocument()) checkStep(player.store.getState().stepCount);
      }
    },
    prepare(doc) {
      const format = formatOf(doc);
      if (format) stories.load(format).catch(() => {});
    },
    retryStory() {
      if (store.getState().trace.kind === 'missing') showAwaited();
    },
    isCommitting: () => committing,
  };
}
