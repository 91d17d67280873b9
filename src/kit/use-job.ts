import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { CancelledError } from '../core/errors.ts';
import { askableGeneration, createJobs, type JobRequest, type Jobs, type JobState, IDLE } from '../state/jobs/jobs.ts';
import { type App, useApp, useSession } from './app-context.ts';
import { useLatest } from './browser/use-latest.ts';
import { kept } from './kept.ts';

/**
 * The name of a request, which is also its title, and everything else that the answer depends on, besides the matrix. A
 * request replaces earlier ones of the same name.
 */
export type JobKey = readonly [name: string, ...request: readonly unknown[]];

export interface JobOptions<T = unknown> {
  /** what a person reads while it runs; default: the name */
  readonly title?: string;
  /** it starts only by `start`; may depend on the newest answer to a request of this name */
  readonly manual?: boolean | ((newest: T | null) => boolean);
  /** it is cancelled when nothing on the page shows it; default: it continues and its answer is kept */
  readonly cancelWhenUnmounted?: boolean;
  /** how long its key must stay the same before it starts, while a person types */
  readonly settleMs?: number;
}

/** A request to the worker as a component sees it. */
export interface Job<T> extends JobState<T> {
  /** the answer; until it arrives, the newest one to a request of this name about the same matrix */
  readonly latest: T | null;
  /** Starts the request, again if it was answered, failed or cancelled. */
  readonly start: () => void;
  /** Starts another request instead, with what only its start knows. Its answer counts as the answer to this one. */
  readonly startWith: (work: JobWork<T>) => void;
  readonly cancel: () => void;
}

type JobWork<T> = JobRequest<T>['work'];

function jobsOf(app: App): Jobs {
  return kept(app, createJobsOf);
}

function createJobsOf({ session }: App): Jobs {
  return createJobs(session.store, session.isHeld);
}

/**
 * A request to the worker that is not about the matrix on the screen. Key null: no request; `work` null: only `startWith`
 * starts one.
 */
export function useJob<T>(key: JobKey | null, work: JobWork<T> | null, options: JobOptions<T> = {}): Job<T> {
  return useJobOf(key, null, work, options);
}

/** The same for a request about the matrix on the screen. */
export function useMatrixJob<T extends { readonly generation: number }>(
  key: JobKey | null,
  work: JobWork<T> | null,
  options: JobOptions<T> = {},
): Job<T> {
  const generation = useSession(askableGeneration);
  return useJobOf(generation === null ? null : key, generation, work, options);
}

function useJobOf<T>(
  key: JobKey | null,
  generation: number | null,
  work: JobWork<T> | null,
  { title, manual = work === null, cancelWhenUnmounted = false, settleMs = 0 }: JobOptions<T>,
): Job<T> {
  const jobs = jobsOf(useApp());
  const id = key && JSON.stringify([generation, ...key]);
  const name = key?.[0] ?? '';
  const isAlwaysByHand = manual === true;
  const state = useStore(jobs.store, (all) => ((id === null ? null : all[id]) ?? IDLE) as JobState<T>);
  const newest = useStore(jobs.store, () => (id === null ? null : (jobs.newest(name) as T | null)));

  const request = (id: string, own: JobWork<T> | null): JobRequest<T> => ({
    key: id,
    name,
    title: title ?? name,
    generation,
    work: own ?? (() => Promise.reject(new CancelledError())),
    manual: typeof manual === 'function' ? manual(jobs.newest(name) as T | null) : manual,
    cancelWhenUnmounted,
  });
  const latest = useLatest({ request, work });
  useEffect(() => {
    if (id === null) return;
    const asked = latest.current.request(id, latest.current.work);
    if (settleMs === 0) return jobs.watch(asked);
    // A person may start it before.
    let unwatch = jobs.watch({ ...asked, manual: true });
    const timer = setTimeout(() => {
      const unwatchFirst = unwatch;
      unwatch = jobs.watch(asked);
      unwatchFirst();
    }, settleMs);
    return () => {
      clearTimeout(timer);
      unwatch();
    };
  }, [jobs, latest, id, settleMs, isAlwaysByHand]);

  const acts = useMemo(() => {
    const startWith = (own: JobWork<T> | null): void => {
      if (id !== null) jobs.start(latest.current.request(id, own));
    };
    return {
      start: () => startWith(latest.current.work),
      startWith,
      cancel: () => {
        if (id !== null) jobs.cancel(id);
      },
    };
  }, [jobs, latest, id]);
  return useMemo(() => ({ ...state, latest: state.data ?? newest, ...acts }), [state, newest, acts]);
}
