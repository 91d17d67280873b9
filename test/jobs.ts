// The page's requests to the engine, for tests.

import { createStore } from 'zustand/vanilla';
import { EMPTY_SESSION } from '../src/state/session/session-state.ts';
import { createJobs, type JobRequest, type JobState, IDLE } from '../src/state/jobs/jobs.ts';
import { settle } from './fake-engine.ts';

/** A request slot of a page on which nothing else happens: a new request replaces the previous one. */
interface OneJob<T> {
  /** Starts the request, and resolves after all pending promises have settled. */
  start(work: JobRequest<T>['work']): Promise<void>;
  cancel(): Promise<void>;
  state(): JobState<T>;
}

/** A request slot without a matrix. `at(key)` is the slot for another key, whose requests replace those of earlier keys. */
export function oneJob<T>(): OneJob<T> & { readonly at: (key: string) => OneJob<T> } {
  const jobs = createJobs(
    createStore(() => EMPTY_SESSION),
    async () => true,
  );
  let leave = (): void => {};
  const at = (key: string): OneJob<T> => ({
    start(work) {
      const request = {
        key,
        name: 'Job',
        title: 'Job',
        generation: null,
        manual: true,
        cancelWhenUnmounted: false,
        work,
      };
      leave();
      leave = jobs.watch(request);
      jobs.start(request);
      return settle();
    },
    cancel() {
      jobs.cancel(key);
      return settle();
    },
    state: () => (jobs.store.getState()[key] ?? IDLE) as JobState<T>,
  });
  return { ...at('one'), at };
}

/** A request's connection to its page, for tests: only `signal` interrupts it. */
export const quietWatch = (signal: AbortSignal) => ({
  signal,
  generation: 0,
  current: <A>(answer: A) => answer,
  onProgress() {},
  isCurrent: true,
  show() {},
});
