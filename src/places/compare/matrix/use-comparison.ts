import { useCallback, useEffect, useRef, useState } from 'react';
import { createStore, type StoreApi, useStore } from 'zustand';
import type { ReportProgress } from '../../../engine/bridge/job.ts';
import type { ServiceOf } from '../../../engine/bridge/service.ts';
import type { matrix } from '../../../engine/matrix-service.ts';
import { type FormatParams, newJob, type RunningJob } from '../../../state/index.ts';
import type { BestEncoding } from '../../../engine/matrix/verdicts.ts';
import type { Comparison } from '../../../engine/matrix/types.ts';
import { type App, useApp, useDocument, useSession } from '../../../kit/app-context.ts';

/** The worker's findings about the matrix, and pending requests. */
interface ComparisonState {
  /** of the matrix on the screen at the time of the request; stays until the next is there */
  readonly comparison: Comparison | null;
  /** found by encoding, by format; `for` are the parameters at that time */
  readonly best: Readonly<Record<string, { readonly for: FormatParams; readonly found: BestEncoding | null }>>;
  readonly looking: RunningJob | null;
  readonly searching: RunningJob | null;
  readonly problem: string | null;
}

/** Per session, so that returning from another question repeats no request. */
const stores = new WeakMap<App['session'], StoreApi<ComparisonState>>();

function storeOf(session: App['session']): StoreApi<ComparisonState> {
  let store = stores.get(session);
  if (!store) {
    store = createStore<ComparisonState>(() => ({
      comparison: null,
      best: {},
      looking: null,
      searching: null,
      problem: null,
    }));
    stores.set(session, store);
  }
  return store;
}

export interface Compared extends ComparisonState {
  /** searches every format's smallest parameters, encoding where statistics are not enough */
  readonly search: () => void;
  readonly cancelSearch: () => void;
  readonly cancelLooking: () => void;
  /** searches again, after a cancellation or failure */
  readonly look: () => void;
}

/**
 * Requests the formats' view of the matrix from the worker, and again when parameters change or another encoding is
 * done; statistics are counted once. Waits while a benchmark runs or a matrix is being opened.
 */
export function useComparison(): Compared {
  const app = useApp();
  const { session, engine, formats } = app;
  const store = storeOf(session);
  const state = useStore(store);
  const params = useDocument((doc) => doc.params);
  const generation = useSession((s) => (s.held ? (s.summary?.generation ?? null) : null));
  const ready = useSession((s) => Object.values(s.encodings).filter(({ kind }) => kind === 'ready').length);
  const busy = useSession((s) => s.bench.running !== null || s.opening !== null);
  const [attempt, setAttempt] = useState(0);
  const isStopped = useRef(false);
  const looked = useRef<AbortController>(null);
  const searched = useRef<AbortController>(null);

  useEffect(() => {
    isStopped.current = false;
  }, [generation, attempt]);

  useEffect(() => {
    if (generation === null || busy || isStopped.current) return;
    const job = newJob('Looking at the matrix');
    const abort = new AbortController();
    looked.current = abort;
    let isCurrent = true;
    const ask = async (): Promise<void> => {
      try {
        const onProgress: ReportProgress = (progress) => {
          if (isCurrent) store.setState(({ looking }) => ({ looking: { ...(looking ?? job), progress } }));
        };
        const comparison = await matrixOf(engine).compare({ signal: abort.signal, onProgress }, params);
        if (isCurrent && comparison.generation === generation) store.setState({ comparison, problem: null });
      } catch (error) {
        if (!isCurrent) return;
        isStopped.current = true;
        const wasCancelled = error instanceof Error && error.name === 'CancelledError';
        store.setState({ problem: wasCancelled ? 'Looking at the matrix was cancelled.' : messageOf(error) });
      } finally {
        if (isCurrent) store.setState({ looking: null });
      }
    };
    void ask();
    return () => {
      isCurrent = false;
      store.setState({ looking: null });
      // Counting statistics is finished even after a change, unless the matrix changed.
      if (session.store.getState().summary?.generation !== generation) abort.abort();
    };
  }, [session, engine, store, params, generation, ready, busy, attempt]);

  const search = useCallback(() => {
    if (store.getState().searching !== null) return;
    searched.current = new AbortController();
    void searchAll(app, store, formats, searched.current.signal);
  }, [app, store, formats]);
  return {
    ...state,
    search,
    cancelSearch: useCallback(() => {
      store.setState(({ searching }) => ({ searching: searching && { ...searching, cancelling: true } }));
      searched.current?.abort();
    }, [store]),
    cancelLooking: useCallback(() => looked.current?.abort(), []),
    look: useCallback(() => setAttempt((n) => n + 1), []),
  };
}

/** One format after another, cheapest first; each result is published as soon as it is found. */
async function searchAll(
  { session, engine, document }: App,
  store: StoreApi<ComparisonState>,
  formats: App['formats'],
  signal: AbortSignal,
): Promise<void> {
  const generation = session.store.getState().summary?.generation;
  try {
    for (const format of formats.toSorted((a, b) => a.effort - b.effort)) {
      const params = document.getState().params[format.id];
      store.setState({ searching: newJob(`Smallest parameters of ${format.title}`) });
      const onProgress: ReportProgress = (progress) =>
        store.setState(({ searching }) => ({ searching: searching && { ...searching, progress } }));
      const found = await matrixOf(engine).bestParams({ signal, onProgress }, format.id, params);
      if (session.store.getState().summary?.generation !== generation) return;
      store.setState(({ best, searching }) => ({ best: { ...best, [format.id]: { for: params, found } }, searching }));
      if (store.getState().searching?.cancelling) return;
    }
  } catch (error) {
    const wasCancelled = error instanceof Error && error.name === 'CancelledError';
    if (!wasCancelled) store.setState({ problem: messageOf(error) });
  } finally {
    store.setState({ searching: null });
  }
}

function matrixOf(engine: App['engine']): ServiceOf<typeof matrix> {
  return engine.service<typeof matrix>('matrix');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
