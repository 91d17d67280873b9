import { type AnyListedFormat, stageParams } from '../core/format.ts';
import { CsrMatrix } from '../core/matrix/index.ts';
import type { WindowCells } from '../worker/protocol.ts';
import { type AppDocument, currentParams, sameRegion, withStep } from './document.ts';
import { asSentence } from './sentence.ts';
import { sentenceOf, type SessionContext } from './session-context.ts';
import { type SessionState, shownStory, type TraceState } from './session-state.ts';

/** The part of the session that is replaced with the matrix, besides window and trace. */
export type Fresh = Pick<SessionState, 'summary' | 'held' | 'marginals' | 'encodings' | 'error'>;

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
  retry(): void;
  /** Shows what a matrix that is not there yet has in the window; null, and every change, brings back what is. */
  preview(window: CsrMatrix | null): void;
  /** True while `commit` changes the document. */
  isCommitting(): boolean;
  dispose(): void;
}

export function createStage(context: SessionContext): Stage {
  const { engine, store, document, player, formats, stories } = context;
  let committing = false;
  /** counts windows asked for: only the answer to the last one is taken */
  let asked = 0;
  /** the document's window is not yet the one on the screen */
  let reading = false;

  /** the window and its trace that a preview stands in front of */
  let behind: Pick<SessionState, 'window' | 'trace'> | null = null;

  /** The story on the screen is not yet the document's: the player plays the one before. */
  const isPending = (): boolean => {
    const { kind } = store.getState().trace;
    return reading || kind === 'loading' || kind === 'missing';
  };

  const formatOf = (doc: AppDocument): AnyListedFormat | undefined => formats.find((f) => f.id === doc.format);

  const traceOf = (doc: AppDocument, window: CsrMatrix | null): TraceState => {
    const format = formatOf(doc);
    if (!format || !window) return { kind: 'none' };
    const story = stories.get(format);
    if (!story) return { kind: 'loading', before: shownStory(store.getState().trace) };
    const params = stageParams<object>(format.params, currentParams(doc));
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

  /** Loads the player; a step that the story does not have is reported and becomes its start. */
  const loadPlayer = (trace: TraceState, doc: AppDocument): void => {
    const story = trace.kind === 'ready' ? trace.trace : null;
    const stepCount = story ? story.steps.length : 0;
    if (doc.step > stepCount) {
      const sentence = `step: found ${doc.step}, expected at most ${stepCount}, the last of this animation; its start is shown.`;
      store.setState(({ problems }) => ({ problems: [...problems, sentence] }));
    }
    const step = doc.step > stepCount ? 0 : doc.step;
    player.load({ stepCount, chapters: story ? story.chapters : [] }, step);
    document.setState(withStep(document.getState(), step));
  };

  const show = (doc: AppDocument, window: CsrMatrix | null, fresh?: Fresh): void => {
    reading = false;
    behind = null;
    const trace = traceOf(doc, window);
    store.setState({ ...fresh, window, trace, previewing: false });
    if (trace.kind === 'loading') void awaitStory(doc);
    else loadPlayer(trace, doc);
  };

  /** Shows what there is now, in the place of a story that was awaited. */
  const showAwaited = (): void => show(document.getState(), store.getState().window);

  const awaitStory = async (doc: AppDocument): Promise<void> => {
    const format = formatOf(doc);
    if (!format) return;
    player.pause();
    // Another format may have been chosen meanwhile; a window that is being read is shown with its story.
    const isAwaited = (): boolean =>
      store.getState().trace.kind === 'loading' && document.getState().format === format.id && !reading;
    try {
      await stories.load(format);
    } catch (error) {
      if (!isAwaited()) return;
      const reason = `The animation of ${format.title} could not be loaded: ${sentenceOf(error)}`;
      store.setState({ trace: { kind: 'missing', reason } });
      player.load({ stepCount: 0, chapters: [] }, 0);
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
    player.pause();
    try {
      const cells = await engine.window(doc.window);
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

  /** Changes the story under the player without a word in the document, whose step is that of the matrix. */
  const loadQuietly = (trace: TraceState, step: number): void => {
    committing = true;
    try {
      const story = trace.kind === 'ready' ? trace.trace : null;
      player.load({ stepCount: story?.steps.length ?? 0, chapters: story?.chapters ?? [] }, step);
    } finally {
      committing = false;
    }
  };

  const preview = (window: CsrMatrix | null): void => {
    const doc = document.getState();
    if (window) {
      const { window: held, trace: told, summary } = store.getState();
      if (isPending() || !summary) return;
      behind ??= { window: held, trace: told };
      const trace = traceOf(doc, window);
      store.setState({ window, trace, previewing: true });
      loadQuietly(trace, player.store.getState().step);
    } else if (behind) {
      const { trace } = behind;
      store.setState({ ...behind, previewing: false });
      behind = null;
      loadQuietly(trace, doc.step);
      document.setState(withStep(document.getState(), player.store.getState().step));
    }
  };

  const unsubscribe = player.store.subscribe(({ step }, before) => {
    if (isPending() || committing || step === before.step) return;
    document.setState(withStep(document.getState(), step));
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
      if (behind && (isRetold || doc.step === before.step)) preview(null);
      if (!sameRegion(doc.window, before.window)) {
        void readWindow(doc);
      } else if (!reading) {
        if (isRetold) show(doc, store.getState().window);
        else if (!isPending() && doc.step !== player.store.getState().step) player.seek(doc.step);
      }
    },
    prepare(doc) {
      const format = formatOf(doc);
      if (format) stories.load(format).catch(() => {});
    },
    retry() {
      if (store.getState().trace.kind === 'missing') showAwaited();
    },
    isCommitting: () => committing,
    dispose: unsubscribe,
  };
}
