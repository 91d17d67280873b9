import { useEffect, useEffectEvent, useState } from 'react';
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
import { kept } from './kept.ts';

/** The name of a request, which is its title too, and everything else that the answer depends on, besides the matrix. */
export type JobKey = readonly [name: string, ...request: readonly unknown[]];

export interface JobOptions {
  /** what a person reads while it runs; default: the name */
  readonly title?: string;
  /** it begins only with `start` */
  readonly byHand?: boolean;
  /** it ends when nothing on the page shows it; default: it goes on and its answer is kept */
  readonly endsUnseen?: boolean;
  /** how long its key has to stay the same before it begins, while somebody types */
  readonly settleMs?: number;
}

/** A request to the worker as a component sees it. */
export interface Job<T> extends JobState<T> {
  /** the answer, or the last one about the same matrix until this is there */
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
export function useJob<T>(key: JobKey | null, ask: Ask<T> | null, options: JobOptions = {}): Job<T> {
  return useJobOf(key, null, ask, options);
}

/** Asks the worker about the matrix on the screen, in the same way. */
export function useMatrixJob<T extends { readonly generation: number }>(
  key: JobKey | null,
  ask: Ask<T> | null,
  options: JobOptions = {},
): Job<T> {
  const generation = useSession(askableGeneration);
  return useJobOf(generation === null ? null : key, generation, ask, options);
}

function useJobOf<T>(key: JobKey | null, generation: number | null, ask: Ask<T> | null, options: JobOptions): Job<T> {
  const jobs = jobsOf(useApp());
  const { byHand = ask === null, endsUnseen = false, settleMs = 0 } = options;
  const id = key && JSON.stringify([generation, ...key]);
  const state = useStore(jobs.store, (all) => ((id === null ? null : all[id]) ?? NOTHING_ASKED) as JobState<T>);

  const request = (own: Ask<T> | null): JobRequest<T> | null => {
    if (key === null || id === null) return null;
    const [name] = key;
    const work = own ?? (() => Promise.reject(new CancelledError()));
    return { key: id, name, title: options.title ?? name, generation, ask: work, byHand, endsUnseen };
  };
  const startWith = (own: Ask<T> | null): void => {
    const asked = request(own);
    if (asked) jobs.start(asked);
  };
  const watch = useEffectEvent(() => {
    const asked = request(ask);
    return asked ? jobs.watch(asked) : () => {};
  });
  useEffect(() => {
    if (id === null) return;
    if (settleMs === 0) return watch();
    let unwatch = (): void => {};
    const timer = setTimeout(() => (unwatch = watch()), settleMs);
    return () => {
      clearTimeout(timer);
      unwatch();
    };
  }, [jobs, id, settleMs]);

  const [last, setLast] = useState<{ readonly answer: T; readonly generation: number | null } | null>(null);
  if (state.answer !== null && state.answer !== last?.answer) setLast({ answer: state.answer, generation });
  return {
    ...state,
    latest: state.answer ?? (last?.generation === generation ? last.answer : null),
    start: () => startWith(ask),
    startWith,
    cancel: () => {
      if (id !== null) jobs.cancel(id);
    },
  };
}
