import { afterEach, beforeEach, expect } from 'vitest';
import { type FakeEngine, fakeSession, settle } from './fake-engine.ts';

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
