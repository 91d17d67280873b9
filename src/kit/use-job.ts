import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { CancelledError } from '../core/errors.ts';
import {
  askableGeneration,
  createJobs,
  type JobRequest,
  type Jobs,
  type JobState,
  NOTHING_ASKED,
} from '../state/jobs/jobs.ts';
import { type App, useApp, useSession } from './app-context.ts';
import { useLatest } from './browser/use-latest.ts';
import { kept } from './kept.ts';

/**
 * The name of a request, which is its title too, and everything else that the answer depends on, besides the matrix. A
 * request takes the place of those with the same name.
 */
export type JobKey = readonly [name: string, ...request: readonly unknown[]];

export interface JobOptions<T = unknown> {
  /** what a person reads while it runs; default: the name */
  readonly title?: string;
  /** it begins only with `start`; may depend on the newest answer to a request of this name */
  readonly byHand?: boolean | ((newest: T | null) => boolean);
  /** it ends when nothing on the page shows it; default: it goes on and its answer is kept */
  readonly endsUnseen?: boolean;
  /** how long its key has to stay the same before it begins, while somebody types */
  readonly settleMs?: number;
}

/** A request to the worker as a component sees it. */
export interface Job<T> extends JobState<T> {
  /** the answer, or until it is there the newest one to a request of this name, about the same matrix */
  readonly latest: T | null;
  /** Makes it, and again where it was answered, failed or cancelled. */
  readonly start: () => void;
  /** Makes another request in its place, for what only the start knows: the answer is shown as if it were this one's. */
  readonly startWith: (ask: Ask<T>) => void;
  readonly cancel: () => void;
}

type Ask<T> = JobRequest<T>['ask'];

function jobsOf(app: App): Jobs {
  return kept(app, createJobsOf);
}

function createJobsOf({ session }: App): Jobs {
  return createJobs(session.store);
}

/** Asks the worker something that is not about the matrix on the screen. Key null: nothing; `ask` null: only `startWith` does. */
export function useJob<T>(key: JobKey | null, ask: Ask<T> | null, options: JobOptions<T> = {}): Job<T> {
  return useJobOf(key, null, ask, options);
}

/** Asks the worker about the matrix on the screen, in the same way. */
export function useMatrixJob<T extends { readonly generation: number }>(
  key: JobKey | null,
  ask: Ask<T> | null,
  options: JobOptions<T> = {},
): Job<T> {
  const generation = useSession(askableGeneration);
  return useJobOf(generation === null ? null : key, generation, ask, options);
}

function useJobOf<T>(
  key: JobKey | null,
  generation: number | null,
  ask: Ask<T> | null,
  { title, byHand = ask === null, endsUnseen = false, settleMs = 0 }: JobOptions<T>,
): Job<T> {
  const jobs = jobsOf(useApp());
  const id = key && JSON.stringify([generation, ...key]);
  const name = key?.[0] ?? '';
  const isAlwaysByHand = byHand === true;
  const state = useStore(jobs.store, (all) => ((id === null ? null : all[id]) ?? NOTHING_ASKED) as JobState<T>);
  const newest = useStore(jobs.store, () => (id === null ? null : (jobs.newest(name) as T | null)));

  const request = (id: string, own: Ask<T> | null): JobRequest<T> => ({
    key: id,
    name,
    title: title ?? name,
    generation,
    ask: own ?? (() => Promise.reject(new CancelledError())),
    byHand: typeof byHand === 'function' ? byHand(jobs.newest(name) as T | null) : byHand,
    endsUnseen,
  });
  const latest = useLatest({ request, ask });
  useEffect(() => {
    if (id === null) return;
    const asked = latest.current.request(id, latest.current.ask);
    if (settleMs === 0) return jobs.watch(asked);
    // A person may start it earlier.
    let unwatch = jobs.watch({ ...asked, byHand: true });
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
    const startWith = (own: Ask<T> | null): void => {
      if (id !== null) jobs.start(latest.current.request(id, own));
    };
    return {
      start: () => startWith(latest.current.ask),
      startWith,
      cancel: () => {
        if (id !== null) jobs.cancel(id);
      },
    };
  }, [jobs, latest, id]);
  return useMemo(() => ({ ...state, latest: state.answer ?? newest, ...acts }), [state, newest, acts]);
}
