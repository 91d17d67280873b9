import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ReportProgress } from '../../../engine/bridge/job.ts';
import { Newest } from '../../../engine/bridge/newest.ts';
import type { ServiceOf } from '../../../engine/bridge/service.ts';
import { newJob, type RunningJob } from '../../../state/index.ts';
import type { MemoryAnswer, MemoryRequest } from '../service/drafts/draft-types.ts';
import type { kernels } from '../service/service.ts';
import type { LoadsAnswer, LoadsRequest, SubgroupAnswer, SubgroupRequest } from '../service/kernel-loads-types.ts';
import { type App, useApp, useSession } from '../../../kit/app-context.ts';

/** Something that the worker is asked for. */
export type Asked<T> =
  | { readonly kind: 'waiting'; readonly job: RunningJob | null }
  | { readonly kind: 'there'; readonly answer: T }
  | { readonly kind: 'failed'; readonly reason: string };

const WAITING: Asked<never> = { kind: 'waiting', job: null };

/** Counts of kernels by session, so that going away and back counts nothing twice. */
const known = new WeakMap<App['session'], Map<string, LoadsAnswer>>();
const MOST_KNOWN = 32;

function knownOf(session: App['session']): Map<string, LoadsAnswer> {
  const answers = known.get(session) ?? new Map<string, LoadsAnswer>();
  known.set(session, answers);
  return answers;
}

/** The matrix that can be asked about, by its generation; null while another is opened, or a benchmark runs. */
function useReady(): number | null {
  return useSession((s) => (s.bench.running !== null || s.opening !== null ? null : (s.summary?.generation ?? null)));
}

/** What all loads of a kernel cost on the matrix on the stage, and how to stop counting and to begin again. */
export function useLoadCounts(
  request: LoadsRequest | null,
): readonly [Asked<LoadsAnswer>, { readonly cancel: () => void; readonly again: () => void }] {
  const { session, engine } = useApp();
  const generation = useReady();
  const [state, setState] = useState<{ readonly key: string; readonly asked: Asked<LoadsAnswer> }>({
    key: '',
    asked: WAITING,
  });
  const [attempt, setAttempt] = useState(0);
  const counting = useRef<AbortController>(null);
  const key = request && generation !== null ? `${generation} ${request.kernel} ${JSON.stringify(request.params)}` : '';
  useEffect(() => {
    if (request === null || generation === null) return;
    const answers = knownOf(session);
    if (answers.has(key)) return;
    const job = newJob(`Counting the loads of ${request.kernel}`);
    const abort = new AbortController();
    counting.current = abort;
    let isCurrent = true;
    const put = (asked: Asked<LoadsAnswer>): void => {
      if (isCurrent) setState({ key, asked });
    };
    put({ kind: 'waiting', job });
    const onProgress: ReportProgress = (progress) => put({ kind: 'waiting', job: { ...job, progress } });
    kernelsOf(engine)
      .loads({ signal: abort.signal, onProgress }, request)
      .then(
        (answer) => {
          if (answer.generation !== generation) return;
          if (answers.size >= MOST_KNOWN) answers.clear();
          answers.set(key, answer);
          put({ kind: 'there', answer });
        },
        (error: unknown) => put({ kind: 'failed', reason: reasonOf(error, 'Counting was cancelled.') }),
      );
    return () => {
      isCurrent = false;
      abort.abort();
    };
    // The key says all that the request does.
    // oxlint-disable-next-line react/exhaustive-deps -- a request is another one when its key is
  }, [session, engine, key, attempt]);
  const answer = knownOf(session).get(key);
  const asked: Asked<LoadsAnswer> = answer ? { kind: 'there', answer } : state.key === key ? state.asked : WAITING;
  return [
    asked,
    {
      cancel: () => counting.current?.abort(),
      again: () => setAttempt((n) => n + 1),
    },
  ];
}

/** What a subgroup of a kernel loads. While the next one is on its way, the one before stays. */
export function useSubgroup(request: SubgroupRequest | null): Asked<SubgroupAnswer> {
  const { engine } = useApp();
  const generation = useReady();
  const [asked, setAsked] = useState<Asked<SubgroupAnswer>>(WAITING);
  const key = request && generation !== null ? `${generation} ${JSON.stringify(request)}` : '';
  useEffect(() => {
    if (request === null || generation === null) return;
    const abort = new AbortController();
    const { signal } = abort;
    kernelsOf(engine)
      .subgroupLoads({ signal }, request)
      .then(
        (answer) => {
          if (!signal.aborted && answer.generation === generation) setAsked({ kind: 'there', answer });
        },
        (error: unknown) => {
          if (!signal.aborted) setAsked({ kind: 'failed', reason: reasonOf(error, 'It was cancelled.') });
        },
      );
    return () => abort.abort();
    // oxlint-disable-next-line react/exhaustive-deps -- a request is another one when its key is
  }, [engine, key]);
  return asked.kind === 'there' && asked.answer.kernel !== request?.kernel ? WAITING : asked;
}

/** The last kernel that was watched, by session: on a software adapter watching it again can take minutes. */
const watched = new WeakMap<App['session'], { readonly key: string; readonly answer: MemoryAnswer }>();

/** A number is typed digit by digit, in milliseconds. */
const SETTLE_MS = 400;

/**
 * What one workgroup of a kernel loads on this device, once it has been watched; null before. A copy that is `own` is
 * watched without being asked for.
 */
export function useWatched(
  request: MemoryRequest | null,
  own: boolean,
): readonly [Asked<MemoryAnswer> | null, { readonly watch: () => void; readonly cancel: () => void }] {
  const { session, engine } = useApp();
  const generation = useReady();
  const [state, setState] = useState<{ readonly key: string; readonly asked: Asked<MemoryAnswer> } | null>(null);
  const [newest] = useState(() => new Newest());
  const key = request && generation !== null ? `${generation} ${JSON.stringify(request)}` : '';
  const watch = async (): Promise<void> => {
    if (request === null || generation === null) return;
    const job = newJob(`Watching workgroup ${request.workgroup} of ${request.kernel}`);
    const onProgress: ReportProgress = (progress) =>
      setState({ key, asked: { kind: 'waiting', job: { ...job, progress } } });
    setState({ key, asked: { kind: 'waiting', job } });
    try {
      const answer = await newest.ask((signal) => kernelsOf(engine).memory({ signal, onProgress }, request));
      watched.set(session, { key, answer });
      setState({ key, asked: { kind: 'there', answer } });
    } catch (error) {
      const reason = reasonOf(error, 'Watching was cancelled.');
      // Of the newest alone: what was asked for before it is no longer shown.
      setState((now) => (now?.key === key ? { key, asked: { kind: 'failed', reason } } : now));
    }
  };
  const watchNow = useEffectEvent(watch);
  useEffect(() => {
    if (key === '' || !own || watched.get(session)?.key === key) return;
    const timer = setTimeout(() => void watchNow(), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [session, key, own]);
  // Whatever is under way is of another kernel or workgroup once the key changes.
  useEffect(() => () => newest.cancel(), [newest, key]);
  const last = watched.get(session);
  const asked: Asked<MemoryAnswer> | null =
    key === ''
      ? null
      : state?.key === key
        ? state.asked
        : last?.key === key
          ? { kind: 'there', answer: last.answer }
          : null;
  return [asked, { watch: () => void watch(), cancel: () => newest.cancel() }];
}

/** Finds a subgroup, for something that a person asked for; null where another was asked for since, or there is none. */
export function useFindSubgroup(): (request: SubgroupRequest) => Promise<number | null> {
  const { engine, announce } = useApp();
  const [newest] = useState(() => new Newest());
  return async (request) => {
    try {
      const { subgroup } = await newest.ask((signal) => kernelsOf(engine).subgroupLoads({ signal }, request));
      return subgroup;
    } catch (error) {
      if (!isCancelled(error)) announce(reasonOf(error, 'It was cancelled.'));
      return null;
    }
  };
}

function reasonOf(error: unknown, cancelled: string): string {
  if (!(error instanceof Error)) return String(error);
  return isCancelled(error) ? cancelled : error.message;
}

function isCancelled(error: unknown): boolean {
  return error instanceof Error && error.name === 'CancelledError';
}

function kernelsOf(engine: App['engine']): ServiceOf<typeof kernels> {
  return engine.service<typeof kernels>('kernels');
}
