import { useCallback, useEffect, useRef, useState } from 'react';
import { createStore, type StoreApi, useStore } from 'zustand';
import type { FormatParams, RunningJob } from '../../../state/index.ts';
import type { BestEncoding, Comparison } from '../../../engine/protocol.ts';
import { type App, useApp, useDocument, useSession } from '../../../kit/app-context.ts';

/** What the worker said of the matrix, and what it is asked. */
interface ComparisonState {
  /** of the matrix that was on the screen when it was asked for; what was there stays until the next is */
  readonly comparison: Comparison | null;
  /** what was found by encoding, by format; `for` are the parameters that were set then */
  readonly best: Readonly<Record<string, { readonly for: FormatParams; readonly found: BestEncoding | null }>>;
  readonly looking: RunningJob | null;
  readonly searching: RunningJob | null;
  readonly problem: string | null;
}

/** By session, so that going to another question and back asks for nothing twice. */
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
  /** looks for the smallest parameters of every format, by encoding what statistics leave open */
  readonly search: () => void;
  readonly cancelSearch: () => void;
  readonly cancelLooking: () => void;
  /** looks again, after it was cancelled or failed */
  readonly look: () => void;
}

/**
 * Asks the worker what formats say of the matrix, and again when parameters change or another encoding is there: its
 * statistics are counted once. Waits while a benchmark runs or a matrix is opened.
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

  useEffect(() => {
    isStopped.current = false;
  }, [generation, attempt]);

  useEffect(() => {
    if (generation === null || busy || isStopped.current) return;
    const job = session.newJob('Looking at the matrix');
    let isCurrent = true;
    const ask = async (): Promise<void> => {
      try {
        const comparison = await engine.compare(job.id, params, (progress) => {
          if (isCurrent) store.setState(({ looking }) => ({ looking: { ...(looking ?? job), id: job.id, progress } }));
        });
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
      // Statistics that are nearly counted are worth their end; only those of another matrix are not.
      if (session.store.getState().summary?.generation !== generation) void engine.cancel(job.id).catch(() => {});
    };
  }, [session, engine, store, params, generation, ready, busy, attempt]);

  const search = useCallback(() => {
    if (store.getState().searching !== null) return;
    void searchAll(app, store, formats);
  }, [app, store, formats]);
  const cancel = useCallback(
    (job: RunningJob | null) => {
      if (job !== null) void engine.cancel(job.id).catch(() => {});
    },
    [engine],
  );
  return {
    ...state,
    search,
    cancelSearch: useCallback(() => {
      store.setState(({ searching }) => ({ searching: searching && { ...searching, cancelling: true } }));
      cancel(store.getState().searching);
    }, [store, cancel]),
    cancelLooking: useCallback(() => cancel(store.getState().looking), [store, cancel]),
    look: useCallback(() => setAttempt((n) => n + 1), []),
  };
}

/** One format after the other, the cheapest first; each result is there as soon as it is found. */
async function searchAll(
  { session, engine, document }: App,
  store: StoreApi<ComparisonState>,
  formats: App['formats'],
): Promise<void> {
  const generation = session.store.getState().summary?.generation;
  try {
    for (const format of formats.toSorted((a, b) => a.effort - b.effort)) {
      const job = session.newJob(`Smallest parameters of ${format.title}`);
      const params = document.getState().params[format.id];
      store.setState({ searching: job });
      const found = await engine.bestParams(job.id, format.id, params, (progress) => {
        store.setState(({ searching }) => (searching?.id === job.id ? { searching: { ...searching, progress } } : {}));
      });
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
