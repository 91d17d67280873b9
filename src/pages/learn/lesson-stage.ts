import { createStore } from 'zustand/vanilla';
import type { App } from '../../kit/app-context.ts';
import type { Figure } from '../../lessons/figure.ts';
import { createDocumentStore, createPlayer, type SessionState, withStep } from '../../state/index.ts';

/** In the caption of a matrix that a teacher typed, in place of the seed. */
export const TYPED_CELLS = 'given cell by cell';

/** Separate stores for the figure of a lesson, so that the application's matrix and story stay unchanged. */
export function createLessonStage(app: App) {
  const document = createDocumentStore(app.document.getState());
  const player = createPlayer(document);
  const store = createStore<SessionState>(() => ({
    ...app.session.store.getState(),
    window: null,
    trace: { kind: 'none' },
    storyB: { kind: 'none' },
    timeline: null,
    joinScenes: null,
  }));
  let shown: Figure | null = null;
  return {
    /** for components of the figure: the application with the lesson's document, player and story */
    app: {
      ...app,
      document,
      player,
      session: { ...app.session, store },
      typedMatrixCaption: () => (shown?.isTyped ? TYPED_CELLS : null),
    },
    /** Shows a figure at a step. */
    show(figure: Figure, step: number): void {
      player.pause();
      if (figure === shown) return player.seek(step);
      shown = figure;
      const { loaded, window } = figure;
      store.setState({ window, trace: { kind: 'ready', ...loaded } });
      document.setState(withStep(figure.document, step));
      player.load({ stepCount: loaded.trace.steps.length, chapters: loaded.trace.chapters });
    },
  };
}
