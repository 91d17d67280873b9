import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { CATALOG } from '../../../test/fake-engine.ts';
import { createDocumentStore, defaultDocument, withStep } from '../../state/document.ts';
import type { Story } from '../../state/played-story.ts';
import { createPlayer } from '../../state/player.ts';
import type { App } from '../../kit/app-context.ts';
import { playOnceReady } from './play-story.ts';

type SessionState = ReturnType<App['session']['store']['getState']>;

const storyOf = (stepCount: number): Story => ({
  stepCount,
  chapters: [{ id: 'all', title: 'All', firstStep: 0, stepCount }],
});

/** A player that already has a story, and a session that waits for another one. */
function waitingApp() {
  const document = createDocumentStore(withStep(defaultDocument(CATALOG), 0));
  const player = createPlayer(document);
  player.load(storyOf(3));
  const store = createStore(
    () => ({ trace: { kind: 'loading' }, storyB: { kind: 'none' } }) as unknown as SessionState,
  );
  /** As a session does: it announces the story, then passes it to the player. */
  const arrive = (): void => {
    store.setState({ trace: { kind: 'ready' } as SessionState['trace'] });
    player.load(storyOf(7));
  };
  const isPlaying = (): boolean => player.store.getState().playing;
  return { document, player, session: { store }, arrive, isPlaying };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('playOnceReady plays the requested story once its code has loaded, and not the previous one', async () => {
  const app = waitingApp();
  playOnceReady(app);
  expect(app.isPlaying()).toBe(false);
  app.arrive();
  await vi.advanceTimersByTimeAsync(0);
  expect(app.player.store.getState()).toMatchObject({ playing: true, stepCount: 7 });
});

test('playOnceReady plays a loaded story at once', () => {
  const app = waitingApp();
  app.arrive();
  playOnceReady(app);
  expect(app.isPlaying()).toBe(true);
});

test('playOnceReady plays nothing after another step was chosen or a minute has passed', async () => {
  for (const meanwhile of [
    (app: ReturnType<typeof waitingApp>) => app.document.setState(withStep(app.document.getState(), 1)),
    () => void vi.advanceTimersByTime(60_000),
  ]) {
    const app = waitingApp();
    playOnceReady(app);
    meanwhile(app);
    app.arrive();
    await vi.advanceTimersByTimeAsync(0);
    expect(app.isPlaying()).toBe(false);
  }
});
