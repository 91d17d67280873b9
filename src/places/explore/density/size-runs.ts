import { createStore, type StoreApi } from 'zustand/vanilla';
import { Newest } from '../../../engine/bridge/newest.ts';
import { type App, useApp } from '../../../kit/app-context.ts';
import { newJob, type RunningJob } from '../../../state/index.ts';
import { timeLeft } from '../../../state/time-left.ts';
import type { explore } from '../service/service.ts';
import type { EncodedSize, SizesRequest } from '../service/size-types.ts';

/** The sizes of encoded matrices for one subject after another: a page asks, looks, and may cancel. */
interface SizeRunsState {
  /** what the sizes are of, in a text of the one who asked */
  readonly subject: string;
  readonly sizes: readonly EncodedSize[];
  readonly running: RunningJob | null;
}

interface SizeRuns {
  readonly store: StoreApi<SizeRunsState>;
  /**
   * Encodes the matrices of each request after those before it. What was there stays where `subject` is the same. A newer
   * call cancels an older one, and so does `cancel`; what is there by then stays.
   */
  measure(subject: string, requests: readonly SizesRequest[]): Promise<void>;
  cancel(): void;
  /** Drops the sizes of another subject. */
  show(subject: string): void;
}

export function createSizeRuns({ engine, session }: Pick<App, 'engine' | 'session'>): SizeRuns {
  const service = engine.service<typeof explore>('explore');
  const store = createStore<SizeRunsState>(() => ({ subject: '', sizes: [], running: null }));
  const newest = new Newest();
  const runs: SizeRuns = {
    store,
    async measure(subject, requests) {
      if (session.isBusy('encode')) return;
      runs.show(subject);
      const { signal } = newest.begin();
      // Numbers of matrices count from the first request on, so that every size has a place of its own.
      for (const request of requests) {
        const job = newJob('Encoding');
        const left = timeLeft(() => performance.now());
        store.setState({ running: job });
        try {
          await service.sizes(
            {
              signal,
              onProgress(progress) {
                // Formats take turns: how long all of them will take is what can be told.
                const leftMs = left({ ...progress, what: job.title });
                if (!signal.aborted) store.setState({ running: { ...job, progress, leftMs } });
              },
            },
            request,
            (size) => {
              if (!signal.aborted) store.setState(({ sizes }) => ({ sizes: [...sizes, size] }));
            },
          );
        } catch (error) {
          session.fail(error);
          if (!signal.aborted) store.setState({ running: null });
          return;
        }
        if (signal.aborted) return;
      }
      store.setState({ running: null });
    },
    cancel() {
      newest.cancel();
      store.setState({ running: null });
    },
    show(subject) {
      if (store.getState().subject !== subject) {
        runs.cancel();
        store.setState({ subject, sizes: [] });
      }
    },
  };
  return runs;
}

/** What one application measures: going to another question and back keeps it. */
interface SizesOfApp {
  /** sizes of the matrices that the question is about */
  readonly sizes: SizeRuns;
  /** sizes of small matrices of many structures */
  readonly structures: SizeRuns;
}

const known = new WeakMap<App['session'], SizesOfApp>();

export function useSizeRuns(): SizesOfApp {
  const app = useApp();
  const made = known.get(app.session) ?? { sizes: createSizeRuns(app), structures: createSizeRuns(app) };
  known.set(app.session, made);
  return made;
}
