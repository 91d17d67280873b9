import { useEffect, useEffectEvent, useState } from 'react';
import type { ReportProgress } from '../../../engine/bridge/job.ts';
import { Newest } from '../../../engine/bridge/newest.ts';
import { newJob, type RunningJob } from '../../../state/index.ts';
import type { MemoryAnswer, MemoryRequest } from '../service/drafts/draft-types.ts';
import type { kernels } from '../service/service.ts';
import { type App, useApp, useSession } from '../../../kit/app-context.ts';

/** A workgroup that the worker watches, or has watched. */
type Watched =
  | { readonly kind: 'waiting'; readonly job: RunningJob }
  | { readonly kind: 'there'; readonly answer: MemoryAnswer }
  | { readonly kind: 'failed'; readonly reason: string };

/** The last kernel that was watched, by session: on a software adapter watching it again can take minutes. */
const watched = new WeakMap<App['session'], { readonly key: string; readonly answer: MemoryAnswer }>();

/** A number is typed digit by digit, in milliseconds. */
const SETTLE_MS = 400;

/**
 * What one workgroup of a kernel loads on this device, once it has been watched; null before. A copy that is `own` is
 * watched without being asked for.
 */
export function useWatched(
  request: MemoryRequest,
  own: boolean,
): readonly [Watched | null, { readonly watch: () => void; readonly cancel: () => void }] {
  const { session, engine } = useApp();
  // None while another matrix is opened, or a benchmark runs.
  const generation = useSession((s) =>
    s.bench.running !== null || s.opening !== null ? null : (s.summary?.generation ?? null),
  );
  const [state, setState] = useState<{ readonly key: string; readonly asked: Watched } | null>(null);
  const [newest] = useState(() => new Newest());
  const key = generation !== null ? `${generation} ${JSON.stringify(request)}` : '';
  const watch = async (): Promise<void> => {
    if (generation === null) return;
    const job = newJob(`Watching workgroup ${request.workgroup} of ${request.kernel}`);
    const onProgress: ReportProgress = (progress) =>
      setState({ key, asked: { kind: 'waiting', job: { ...job, progress } } });
    setState({ key, asked: { kind: 'waiting', job } });
    try {
      const answer = await newest.ask((signal) =>
        engine.service<typeof kernels>('kernels').memory({ signal, onProgress }, request),
      );
      watched.set(session, { key, answer });
      setState({ key, asked: { kind: 'there', answer } });
    } catch (error) {
      const reason = reasonOf(error);
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
  const asked: Watched | null =
    key === ''
      ? null
      : state?.key === key
        ? state.asked
        : last?.key === key
          ? { kind: 'there', answer: last.answer }
          : null;
  return [asked, { watch: () => void watch(), cancel: () => newest.cancel() }];
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.name === 'CancelledError' ? 'Watching was cancelled.' : error.message;
}
