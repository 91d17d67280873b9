import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { createStore, type StoreApi, useStore } from 'zustand';
import type { ReportProgress } from '../../../engine/bridge/job.ts';
import type { ServiceOf } from '../../../engine/bridge/service.ts';
import type { matrix } from '../../../engine/matrix-service.ts';
import { encodingOf, type EncodingState, type FormatParams, newJob, type RunningJob } from '../../../state/index.ts';
import type { BestEncoding, FormatVerdict } from '../../../engine/matrix/verdicts.ts';
import type { Comparison } from '../../../engine/matrix/types.ts';
import { type App, useApp, useDocument, useSession } from '../../../kit/app-context.ts';
import type { Way } from './ways.ts';

/** The worker's findings about the matrix, and pending requests. */
interface ComparisonState {
  /** of the matrix on the screen at the time of the request; stays until the next is there */
  readonly comparison: Comparison | null;
  /** what formats say of it with the parameters of each row, by the row's key */
  readonly verdicts: Readonly<Record<string, FormatVerdict>>;
  /** encodings of rows whose parameters are not those of the document, by the row's key */
  readonly others: Readonly<Record<string, EncodingState>>;
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
      verdicts: {},
      others: {},
      best: {},
      looking: null,
      searching: null,
      problem: null,
    }));
    stores.set(session, store);
  }
  return store;
}

export interface WorkerFindings extends ComparisonState {
  /** searches every format's smallest parameters, encoding where statistics are not enough */
  readonly search: () => void;
  readonly cancelSearch: () => void;
  readonly cancelLooking: () => void;
  /** searches again, after a cancellation or failure */
  readonly look: () => void;
}

/**
 * Requests the formats' view of the matrix from the worker, and again when parameters change or another encoding is
 * done; statistics are counted once. Waits while a benchmark runs or a matrix is being opened. Of weights that stand in
 * for a model's nothing is requested: that would make all of them. `ways` are the same while the rows are.
 */
export function useComparison(ways: readonly Way[]): WorkerFindings {
  const app = useApp();
  const { session, engine, formats } = app;
  const store = storeOf(session);
  const state = useStore(store);
  const params = useDocument((doc) => doc.params);
  const generation = useSession((s) =>
    s.held && s.summary?.sampledRows === undefined ? (s.summary?.generation ?? null) : null,
  );
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
        const compare = (of: Readonly<Record<string, FormatParams>>) =>
          matrixOf(engine).compare({ signal: abort.signal, onProgress }, of);
        const comparison = await compare(params);
        if (!isCurrent || comparison.generation !== generation) return;
        const verdicts: Record<string, FormatVerdict> = {};
        for (const layer of layersOf(ways)) {
          const own = Object.fromEntries(layer.map(({ stored }) => [stored.format, stored.params]));
          const found = await compare(own);
          if (!isCurrent || found.generation !== generation) return;
          for (const { key, stored } of layer) verdicts[key] = found.verdicts[stored.format];
        }
        store.setState({ comparison, verdicts, problem: null });
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
  }, [session, engine, store, params, ways, generation, ready, busy, attempt]);

  useOthers(app, store, ways, busy ? null : generation);

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

/** The rows in lists in which every format is at most once, as the worker compares them. */
function layersOf(ways: readonly Way[]): readonly (readonly Way[])[] {
  const layers: Way[][] = [];
  for (const way of ways) {
    const free = layers.find((layer) => layer.every(({ format }) => format !== way.format));
    if (free) free.push(way);
    else layers.push([way]);
  }
  return layers;
}

/**
 * Encodes the rows that the session does not: formats with other parameters than the document's, the cheapest first.
 */
function useOthers(app: App, store: StoreApi<ComparisonState>, ways: readonly Way[], generation: number | null): void {
  const { session, engine } = app;
  const encodings = useSession((s) => s.encodings);
  const missing = useMemo(
    () =>
      ways
        .filter(({ stored }) => encodingOf(encodings, stored) === undefined)
        .toSorted((a, b) => a.format.effort - b.format.effort),
    [ways, encodings],
  );
  const keys = missing.map(({ key }) => key).join('\n');
  const latest = useRef(missing);
  useEffect(() => {
    latest.current = missing;
  });
  useEffect(() => {
    if (generation === null) return;
    const abort = new AbortController();
    const encode = async (): Promise<void> => {
      for (const { key, stored } of latest.current) {
        const known = store.getState().others[key];
        if (known?.kind === 'ready' && known.summary.generation === generation) continue;
        const { format, params } = stored;
        let state: EncodingState;
        try {
          const summary = await matrixOf(engine).encode({ signal: abort.signal }, format, params);
          if (summary.generation !== generation) return;
          state = { kind: 'ready', params, summary };
        } catch (error) {
          if (abort.signal.aborted) return;
          state = { kind: 'failed', params, reason: messageOf(error) };
        }
        if (session.store.getState().summary?.generation !== generation) return;
        store.setState(({ others }) => ({ others: { ...others, [key]: state } }));
      }
    };
    void encode();
    return () => abort.abort();
  }, [session, engine, store, keys, generation]);
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
