// Sessions over a fake engine, for tests.

import { afterEach, beforeEach, expect } from 'vitest';
import { FakeEngine, fakeSession, settle } from './fake-engine.ts';

/** Fails every test of a file that leaves a rejected promise unhandled. */
export function watchRejections(): void {
  const rejections: unknown[] = [];
  const keep = (reason: unknown): void => {
    rejections.push(reason);
  };
  beforeEach(() => {
    rejections.length = 0;
    process.on('unhandledRejection', keep);
  });
  afterEach(() => {
    process.off('unhandledRejection', keep);
    expect(rejections).toEqual([]);
  });
}

/** A session with its stories, its first matrix and the code of benchmarks, as a page has them once it is idle. */
export async function started(engine?: FakeEngine): Promise<ReturnType<typeof fakeSession>> {
  const all = fakeSession(engine);
  await all.session.loadStories();
  await all.session.start();
  await all.session.loadRuns();
  await settle();
  return all;
}

/** An engine that answers calls with its labels only once they are released, the oldest first. */
export function pausedEngine() {
  const waiting: { readonly label: string; readonly answer: () => void }[] = [];
  let paused: readonly string[] = [];
  const engine = new FakeEngine((label) =>
    paused.includes(label)
      ? new Promise<void>((resolve) => {
          waiting.push({ label, answer: resolve });
        })
      : Promise.resolve(),
  );
  return {
    engine,
    /** Pauses calls with these labels from now on; without labels, no calls are paused any more. */
    pause: (...labels: readonly string[]): void => {
      paused = labels;
    },
    /** Answers the oldest waiting call, or the oldest with this label. */
    release: (requested?: string): void => {
      const position = waiting.findIndex(({ label }) => requested === undefined || label === requested);
      for (const { answer } of position < 0 ? [] : waiting.splice(position, 1)) answer();
    },
  };
}
