import { createStore } from 'zustand/vanilla';
import type { Figure } from '../../lessons/figure.ts';
import { createDocumentStore, createPlayer, type SessionState } from '../../state/index.ts';
import type { App } from '../../kit/app-context.ts';

/** A lesson's stage: the real one, with its own stores, so that the reader's matrix stays untouched. */
export interface LessonStage {
  /** for components on the stage: the application with the lesson's document, player and story */
  readonly app: App;
  /** Shows a figure at a step; a figure already shown moves to it. */
  show(figure: Figure, step: number): void;
}

/** Name of a matrix that came with its questions. */
export const GIVEN = 'given cell by cell';

export function createLessonStage(app: App): LessonStage {
  const document = createDocumentStore(app.document.getState());
  const player = createPlayer(document);
  const store = createStore<SessionState>(() => ({
    ...app.session.store.getState(),
    window: null,
    trace: { kind: 'none' },
    against: { kind: 'none' },
    timeline: null,
    joinScenes: null,
  }));
  let shown: Figure | null = null;
  return {
    app: {
      ...app,
      document,
      player,
      session: { ...app.session, store },
      givenMatrix: () => (shown?.own ? GIVEN : null),
    },
    show(figure, step) {
      player.pause();
      if (figure === shown) return player.seek(step);
      shown = figure;
      const { loaded, window } = figure;
      store.setState({ window, trace: { kind: 'ready', ...loaded } });
      document.setState({ ...figure.document, step });
      player.load({ stepCount: loaded.trace.steps.length, chapters: loaded.trace.chapters });
    },
  };
}
