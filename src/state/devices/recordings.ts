import { createStore } from 'zustand/vanilla';
import type { Progress } from '../../core/job.ts';
import type { BenchReport } from '../../core/report.ts';
import type { RecordingEntry } from '../../core/reports/recording.ts';
import { messageOf } from '../../core/error-messages.ts';
import { LatestOnly } from '../../engine/bridge/latest-only.ts';
import { notLoaded } from '../error-messages.ts';

/** A loaded recording: benchmark reports of one device, made by this project and shipped with the page. */
export interface LoadedRecording {
  /** newest first */
  readonly reports: readonly BenchReport[];
  /** ids of kernels whose code has changed since the recording */
  readonly changed: ReadonlySet<string>;
}

/** The server from which recordings are loaded. Both methods may reject. */
export interface RecordingSource {
  /** The list of recordings, newest first. */
  entries(): Promise<readonly RecordingEntry[]>;
  load(
    entry: RecordingEntry,
    watch: { readonly signal: AbortSignal; readonly onProgress: (progress: Progress) => void },
  ): Promise<LoadedRecording>;
}

interface RecordingsState {
  /** the list of recordings; null until it is loaded */
  readonly entries: readonly RecordingEntry[] | null;
  readonly loaded: Readonly<Record<string, LoadedRecording>>;
  readonly loading: { readonly id: string; readonly progress: Progress | null } | null;
  /** the recording that failed to load, and the error message; `id` null: the list of recordings */
  readonly problem: { readonly id: string | null; readonly message: string } | null;
}

export type Recordings = ReturnType<typeof createRecordings>;

/** The recordings that come with the page; each is loaded when first needed. */
export function createRecordings(source: RecordingSource) {
  const store = createStore<RecordingsState>(() => ({ entries: null, loaded: {}, loading: null, problem: null }));
  let listing: Promise<void> | null = null;
  const loads = new LatestOnly();

  /** Loads the list of recordings, once. */
  const list = (): Promise<void> =>
    (listing ??= source.entries().then(
      (entries) => store.setState({ entries, problem: null }),
      (error: unknown) => {
        listing = null;
        store.setState({ problem: { id: null, message: notLoaded('The list of recordings', messageOf(error)) } });
      },
    ));

  const load = async (entry: RecordingEntry): Promise<void> => {
    const request = loads.begin();
    const { id } = entry;
    store.setState({ loading: { id, progress: null }, problem: null });
    try {
      const recording = await source.load(entry, {
        signal: request.signal,
        onProgress: (progress) => {
          if (request.isCurrent) store.setState({ loading: { id, progress } });
        },
      });
      store.setState(({ loaded }) => ({ loaded: { ...loaded, [id]: recording } }));
    } catch (error) {
      const text = notLoaded(`The recording of ${entry.name}`, messageOf(error));
      if (request.isCurrent) store.setState({ problem: { id, message: text } });
    } finally {
      if (request.isCurrent) store.setState({ loading: null });
    }
  };

  /** Loads a recording if necessary, and cancels the load of another; null: only cancels. */
  const need = async (id: string | null): Promise<void> => {
    const { loaded, loading, problem, entries } = store.getState();
    if (id === null || loaded[id]) {
      if (!loading) return;
      loads.begin();
      store.setState({ loading: null });
      return;
    }
    // A failed load is repeated only by `retry`.
    if (loading?.id === id || problem?.id === id) return;
    const entry = entries?.find((candidate) => candidate.id === id);
    if (entry) await load(entry);
  };

  return {
    store,
    list,
    need,
    /** Repeats the load that failed: of the recording, or of the list. */
    async retry(): Promise<void> {
      const { problem } = store.getState();
      store.setState({ problem: null });
      if (problem?.id) await need(problem.id);
      else await list();
    },
  };
}
