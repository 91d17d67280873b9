import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { CancelledError } from '../core/errors.ts';
import { generationInWorker, createJobs, type JobRequest, type Jobs, type JobState, IDLE } from '../state/index.ts';
import { type App, useApp, useSession, oncePerPage } from './app-context.ts';
import { useLatest } from './browser/use-latest.ts';

/** The name of a request, then all that its result depends on. A request replaces earlier ones of its name. */
export type JobKey = readonly [name: string, ...request: readonly unknown[]];

/** When a request starts, and when it is cancelled. */
export interface JobOptions<T = unknown> {
  /** its title while it runs; default: the name */
  readonly title?: string;
  /** it starts only by `start`; may depend on the newest result of this name */
  readonly manual?: boolean | ((newest: T | null) => boolean);
  /** it is cancelled when no component shows it any more; default: it continues and its result is kept */
  readonly cancelWhenUnmounted?: boolean;
  /** how long its key must stay unchanged before it starts, since the user may be typing */
  readonly settleMs?: number;
}

/** A request to the worker, for a component. */
export interface Job<T> extends JobState<T> {
  /** the result; until it arrives, the newest one of this name for the same matrix */
  readonly latest: T | null;
  /** Starts the request, even if it has finished, failed or was cancelled. */
  readonly start: () => void;
  /** Starts another request instead, with data known only then. Its result counts as the result of this one. */
  readonly startWith: (work: JobWork<T>) => void;
  readonly cancel: () => void;
}

type JobWork<T> = JobRequest<T>['work'];

const createPageJobs = ({ session }: App): Jobs => createJobs(session.store, session.isInWorker);

/** A request to the worker, not about the current matrix. Key null: none; `work` null: only `startWith` starts one. */
export function useJob<T>(key: JobKey | null, work: JobWork<T> | null, options: JobOptions<T> = {}): Job<T> {
  return useJobOf(key, null, work, options);
}

/** `useJob` for a request about the current matrix: its result counts only for this matrix. */
export function useMatrixJob<T extends { readonly generation: number }>(
  key: JobKey | null,
  work: JobWork<T> | null,
  options: JobOptions<T> = {},
): Job<T> {
  const generation = useSession(generationInWorker);
  return useJobOf(generation === null ? null : key, generation, work, options);
}

/** `generation`: the number of the current matrix, null for a request that is not about it. */
function useJobOf<T>(
  key: JobKey | null,
  generation: number | null,
  work: JobWork<T> | null,
  { title, manual = work === null, cancelWhenUnmounted = false, settleMs = 0 }: JobOptions<T>,
): Job<T> {
  const jobs = oncePerPage(useApp(), createPageJobs);
  const id = key && JSON.stringify([generation, ...key]);
  const name = key?.[0] ?? '';
  const isAlwaysManual = manual === true;
  const state = useStore(jobs.store, (all) => ((id === null ? null : all[id]) ?? IDLE) as JobState<T>);
  const newest = useStore(jobs.store, () => (id === null ? null : (jobs.newest(name) as T | null)));

  const request = (id: string, jobWork: JobWork<T> | null): JobRequest<T> => ({
    key: id,
    name,
    title: title ?? name,
    generation,
    work: jobWork ?? (() => Promise.reject(new CancelledError())),
    manual: typeof manual === 'function' ? manual(jobs.newest(name) as T | null) : manual,
    cancelWhenUnmounted,
  });
  const latest = useLatest({ request, work });
  useEffect(() => {
    if (id === null) return;
    const current = latest.current.request(id, latest.current.work);
    if (settleMs === 0) return jobs.watch(current);
    // The user may start it earlier.
    let unwatch = jobs.watch({ ...current, manual: true });
    const timer = setTimeout(() => {
      const unwatchFirst = unwatch;
      unwatch = jobs.watch(current);
      unwatchFirst();
    }, settleMs);
    return () => {
      clearTimeout(timer);
      unwatch();
    };
  }, [jobs, latest, id, settleMs, isAlwaysManual]);

  const actions = useMemo(() => {
    const startWith = (jobWork: JobWork<T> | null): void => {
      if (id !== null) jobs.start(latest.current.request(id, jobWork));
    };
    return {
      start: () => startWith(latest.current.work),
      startWith,
      cancel: () => {
        if (id !== null) jobs.cancel(id);
      },
    };
  }, [jobs, latest, id]);
  return useMemo(() => ({ ...state, latest: state.data ?? newest, ...actions }), [state, newest, actions]);
}
