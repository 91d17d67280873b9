import { createStore, type StoreApi } from 'zustand/vanilla';
import { CancelledError } from '../../core/errors.ts';
import { failureText } from '../error-messages.ts';
import { isCancelled } from '../session/session-context.ts';
import type { RunningJob, SessionState } from '../session/session-state.ts';
import { JobSlot, type JobContext } from '../session/job-slot.ts';

/** The state of a request to the worker, as a component shows it. */
export interface JobState<T> {
  /** null until the first part arrives; a part of the result while `job` is set */
  readonly data: T | null;
  /** null unless it is running, or waiting after the user started it */
  readonly job: RunningJob | null;
  /** the error message if it failed, else null */
  readonly error: string | null;
  /** the user cancelled it */
  readonly isCancelled: boolean;
}

/** The state of a request that nobody has made. */
export const IDLE: JobState<never> = { data: null, job: null, error: null, isCancelled: false };

/** What the work of a request receives: its job on the page, and the matrix that it is about. */
export interface RequestContext extends JobContext {
  /** number of the opened matrix that the request is about; 0: about none */
  readonly generation: number;
  /** Returns the result of a service if it is about the matrix of the request; otherwise throws CancelledError. */
  readonly current: <A extends { readonly generation: number }>(answer: A) => A;
}

/** Earlier results, and a callback for work whose result arrives in parts. */
export interface JobParts<T> {
  /** the data of the same request (key) when the work started: a part, or the result to be replaced; null: none */
  readonly lastOfSameKey: T | null;
  /** the newest result of any request of this name, in whole or in part; null: none */
  readonly lastOfAnyKey: T | null;
  readonly update: (part: T) => void;
}

/** A request to the worker, and its work. */
export interface JobRequest<T> {
  /** identifies all that the result depends on, besides the matrix */
  readonly key: string;
  /** shared by all requests that replace each other */
  readonly name: string;
  readonly title: string;
  /** number of the opened matrix that it is about; null: about none */
  readonly generation: number | null;
  readonly work: (context: RequestContext, parts: JobParts<T>) => Promise<T>;
  /** whether only the user starts it */
  readonly manual: boolean;
  /** whether it is cancelled when no component shows it; otherwise it continues, and its result is kept */
  readonly cancelWhenUnmounted: boolean;
}

/** All requests of the app's pages to the worker. */
export type Jobs = ReturnType<typeof createJobs>;

interface Entry {
  request: JobRequest<unknown>;
  readonly slot: JobSlot; // runs its work, and shows it on the page while it waits or runs
  /** components that show it */
  watchers: number;
  /** 'idle': not requested, or replaced; 'queued': runs as soon as it may; 'ended': finished, failed or cancelled */
  phase: 'idle' | 'queued' | 'running' | 'ended';
  isStartedByUser: boolean;
  /** the number of its last result among the results of all requests, in order of arrival; 0: none has arrived */
  answeredAt: number;
}

const isPending = ({ phase }: Entry): boolean => phase === 'queued' || phase === 'running';

/** Whether a measurement runs, which nothing may disturb. */
function isMeasuring({ bench, quietWork }: SessionState): boolean {
  return bench.running !== null || quietWork !== null;
}

/** The generation of the matrix in the worker; null: there is none. */
export function generationInWorker({
  isInWorker,
  summary,
}: Pick<SessionState, 'isInWorker' | 'summary'>): number | null {
  return isInWorker ? (summary?.generation ?? null) : null;
}

/**
 * Runs the requests of pages. Requests of one name replace each other: a new one cancels earlier ones that no component
 * shows any more. The newest result of each name stays while its page is hidden, until another matrix is opened.
 * During a measurement nothing runs: running requests are cancelled, and start again afterwards. `isInWorker`: whether the
 * worker still has the matrix with this number.
 */
export function createJobs(session: StoreApi<SessionState>, isInWorker: (generation: number) => Promise<boolean>) {
  const store = createStore<Readonly<Record<string, JobState<unknown>>>>(() => ({}));
  const entries = new Map<string, Entry>();
  let answerCount = 0;

  const stateOf = (key: string): JobState<unknown> => store.getState()[key] ?? IDLE;
  const isRegistered = (entry: Entry): boolean => entries.get(entry.request.key) === entry;
  const change = (entry: Entry, part: Partial<JobState<unknown>>): void => {
    const { key } = entry.request;
    if (isRegistered(entry)) store.setState({ [key]: { ...stateOf(key), ...part } });
  };

  const entryOf = (request: JobRequest<unknown>): Entry => {
    const existing = entries.get(request.key);
    if (existing) {
      existing.request = request;
      return existing;
    }
    const entry: Entry = {
      request,
      slot: new JobSlot((next) => change(entry, { job: next(stateOf(request.key).job) })),
      watchers: 0,
      phase: 'idle',
      isStartedByUser: false,
      answeredAt: 0,
    };
    entries.set(request.key, entry);
    return entry;
  };
  const forget = (entry: Entry): void => {
    const { key } = entry.request;
    entries.delete(key);
    entry.slot.clear();
    const { [key]: _, ...others } = store.getState();
    store.setState(others, true);
  };
  const entriesNamed = (name: string): readonly Entry[] =>
    [...entries.values()].filter(({ request }) => request.name === name);
  const newestOf = (name: string): Entry | null =>
    entriesNamed(name)
      .filter(({ answeredAt }) => answeredAt > 0)
      .toSorted((a, b) => b.answeredAt - a.answeredAt)
      .at(0) ?? null;
  const answerOf = (entry: Entry | null): unknown => (entry ? stateOf(entry.request.key).data : null);
  /** Forgets the requests that no component shows, except the newest result of the name. */
  const dropUnwatched = (name: string): void => {
    const newest = newestOf(name);
    for (const entry of entriesNamed(name)) {
      if (entry.watchers === 0 && !isPending(entry) && entry !== newest) forget(entry);
    }
  };
  /** Cancels a request, as if it had not been made; its result so far stays. */
  const withdraw = (entry: Entry): void => {
    if (!isPending(entry)) return;
    entry.phase = 'idle';
    entry.slot.clear();
  };
  /** Cancels the requests that this one replaces: those of its name that no component shows. */
  const withdrawReplaced = (replacing: Entry): void => {
    const { name } = replacing.request;
    for (const entry of entriesNamed(name)) if (entry !== replacing && entry.watchers === 0) withdraw(entry);
    dropUnwatched(name);
  };

  const setResult = (entry: Entry, answer: unknown): void => {
    entry.answeredAt = ++answerCount;
    change(entry, { data: answer });
    dropUnwatched(entry.request.name);
  };
  const run = (entry: Entry): void => {
    const { request, slot } = entry;
    const { generation, name, work } = request;
    entry.phase = 'running';
    change(entry, { error: null, isCancelled: false });
    const current = <A extends { readonly generation: number }>(answer: A): A => {
      if (generation === null || answer.generation === generation) return answer;
      entry.phase = 'idle';
      throw new CancelledError();
    };
    const checkMatrix = (answer: unknown): unknown => current(answer as { readonly generation: number });
    void slot.run(request.title, async (job) => {
      let hasEnded = false;
      try {
        const lastOfSameKey = stateOf(request.key).data;
        const lastOfAnyKey = answerOf(newestOf(name));
        const update = (part: unknown): void => {
          // A part that arrives after its result is already contained in it.
          if (job.isCurrent && !job.signal.aborted && !hasEnded) setResult(entry, checkMatrix(part));
        };
        const context = Object.assign(job, { generation: generation ?? 0, current });
        const answer = checkMatrix(await work(context, { lastOfSameKey, lastOfAnyKey, update }));
        if (job.signal.aborted) throw new CancelledError();
        hasEnded = true;
        setResult(entry, answer);
      } catch (error) {
        const isOfOtherMatrix = generation !== null && !isCancelled(error) && !(await isInWorker(generation));
        if (!job.isCurrent || entry.phase === 'idle') return;
        if (isOfOtherMatrix) entry.phase = 'idle';
        else change(entry, isCancelled(error) ? { isCancelled: true } : { error: failureText(error, request.title) });
      } finally {
        if (job.isCurrent) {
          if (entry.phase === 'running') entry.phase = 'ended';
          dropUnwatched(name);
        }
      }
    });
  };

  const mayRun = ({ request: { generation } }: Entry): boolean => {
    const now = session.getState();
    if (isMeasuring(now)) return false;
    return generation === null || (now.opening === null && generationInWorker(now) === generation);
  };
  /** Shows that a queued request waits, if the user started it; otherwise shows nothing. */
  const showWaiting = ({ slot, request, isStartedByUser }: Entry): void => {
    if (!isStartedByUser) return slot.clear();
    slot.showWaiting(request.title, { what: 'waits for other work', done: 0, total: 0 });
  };
  const enqueue = (entry: Entry): void => {
    entry.phase = 'queued';
    withdrawReplaced(entry);
    if (mayRun(entry)) run(entry);
    else showWaiting(entry);
  };

  session.subscribe((now, before) => {
    const generation = generationInWorker(now);
    const isMeasuringNow = isMeasuring(now);
    for (const entry of entries.values()) {
      const requestedFor = entry.request.generation;
      if (requestedFor !== null && requestedFor !== generation) {
        forget(entry);
      } else if (isMeasuringNow && !isMeasuring(before) && entry.phase === 'running') {
        entry.phase = 'queued';
        showWaiting(entry);
      } else if (entry.phase === 'queued' && mayRun(entry)) {
        run(entry);
      }
    }
  });

  return {
    /** the states of requests, by key */
    store,
    /** Registers a component that shows this request, until the returned function is called. */
    watch<T>(request: JobRequest<T>): () => void {
      const entry = entryOf(request as JobRequest<unknown>);
      entry.watchers++;
      if (request.manual || entry.phase !== 'idle') withdrawReplaced(entry);
      else enqueue(entry);
      return () => {
        entry.watchers--;
        if (entry.watchers > 0 || !isRegistered(entry)) return;
        if (entry.request.cancelWhenUnmounted) withdraw(entry);
        dropUnwatched(request.name);
      };
    },
    /** Makes a request, even if it has finished, failed or was cancelled. */
    start<T>(request: JobRequest<T>): void {
      const entry = entryOf(request as JobRequest<unknown>);
      entry.isStartedByUser = true;
      enqueue(entry);
    },
    cancel(key: string): void {
      const entry = entries.get(key);
      if (!entry || !isPending(entry)) return;
      if (entry.phase === 'running') return entry.slot.cancel();
      entry.phase = 'ended';
      entry.slot.clear();
      change(entry, { isCancelled: true });
    },
    /** The newest kept result of this name, in whole or in part; null: none. */
    newest: (name: string): unknown => answerOf(newestOf(name)),
  };
}
