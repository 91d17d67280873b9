import { createStore, type StoreApi } from 'zustand/vanilla';
import { Newest } from '../../../engine/bridge/newest.ts';
import { type App, useApp } from '../../../kit/app-context.ts';
import { newJob, type RunningJob } from '../../../state/index.ts';
import { timeLeft } from '../../../state/time-left.ts';
import { askElsewhere } from './ask-elsewhere.ts';
import type { explore } from '../service/service.ts';
import type { EncodedSize, SizesRequest } from '../service/size-types.ts';

/** Encoded sizes for one subject after another; runs can be cancelled. */
interface SizeRunsState {
  /** the subject, a key chosen by the caller */
  readonly subject: string;
  readonly sizes: readonly EncodedSize[];
  readonly running: RunningJob | null;
}

interface SizeRuns {
  readonly store: StoreApi<SizeRunsState>;
  /**
   * Encodes the matrices of each request in turn. Earlier sizes stay if `subject` is the same. A newer call or `cancel`
   * cancels this one; sizes so far stay.
   */
  measure(subject: string, requests: readonly SizesRequest[]): Promise<void>;
  cancel(): void;
  /** Drops sizes of any other subject. */
  show(subject: string): void;
}

export function createSizeRuns({ engine, session, formats }: Pick<App, 'engine' | 'session' | 'formats'>): SizeRuns {
  const service = engine.service<typeof explore>('explore');
  const store = createStore<SizeRunsState>(() => ({ subject: '', sizes: [], running: null }));
  const newest = new Newest();
  const runs: SizeRuns = {
    store,
    async measure(subject, requests) {
      if (session.isBusy('encode')) return;
      runs.show(subject);
      const { signal } = newest.begin();
      // Matrices are numbered across requests, so that every size has a unique position.
      for (const request of requests) {
        const job = newJob('Encoding');
        const left = timeLeft(() => performance.now());
        store.setState({ running: job });
        try {
          await service.sizes(
            {
              signal,
              onProgress(progress) {
                // Formats alternate, so only the total time can be estimated.
                const leftMs = left({ ...progress, what: job.title });
                if (!signal.aborted) store.setState({ running: { ...job, progress, leftMs } });
              },
            },
            request,
            (size) => {
              if (!signal.aborted) store.setState(({ sizes }) => ({ sizes: [...sizes, size] }));
            },
            askElsewhere(formats, signal),
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

/** The application's measurements, which survive a visit to another question. */
interface SizesOfApp {
  /** sizes of the question's matrices */
  readonly sizes: SizeRuns;
  /** sizes of small matrices with many structures */
  readonly structures: SizeRuns;
}

const known = new WeakMap<App['session'], SizesOfApp>();

export function useSizeRuns(): SizesOfApp {
  const app = useApp();
  const made = known.get(app.session) ?? { sizes: createSizeRuns(app), structures: createSizeRuns(app) };
  known.set(app.session, made);
  return made;
}
