import { createStore, type StoreApi } from 'zustand/vanilla';
import type { EncodedSize, SizesRequest } from '../../engine/protocol.ts';
import type { SessionContext } from './session-context.ts';
import type { RunningJob } from './session-state.ts';
import { timeLeft } from '../time-left.ts';

/** The sizes of encoded matrices for one subject after another: a page asks, looks, and may cancel. */
export interface SizeRunsState {
  /** what the sizes are of, in a text of the one who asked */
  readonly subject: string;
  readonly sizes: readonly EncodedSize[];
  readonly running: RunningJob | null;
}

export interface SizeRuns {
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

export function createSizeRuns(context: SessionContext): SizeRuns {
  const { engine } = context;
  const store = createStore<SizeRunsState>(() => ({ subject: '', sizes: [], running: null }));
  const isRunning = (id: number): boolean => store.getState().running?.id === id;
  const runs: SizeRuns = {
    store,
    async measure(subject, requests) {
      if (context.isBusy('encode')) return;
      runs.cancel();
      runs.show(subject);
      // Numbers of matrices count from the first request on, so that every size has a place of its own.
      for (const request of requests) {
        const job = context.newJob('Encoding');
        const left = timeLeft(() => performance.now());
        store.setState({ running: job });
        try {
          await engine.sizes(
            job.id,
            request,
            (progress) => {
              if (isRunning(job.id)) {
                // Formats take turns: how long all of them will take is what can be told.
                const leftMs = left({ ...progress, what: job.title });
                store.setState({ running: { ...job, progress, leftMs } });
              }
            },
            (size) => {
              if (isRunning(job.id)) store.setState(({ sizes }) => ({ sizes: [...sizes, size] }));
            },
          );
        } catch (error) {
          context.fail(error);
          if (isRunning(job.id)) store.setState({ running: null });
          return;
        }
        if (!isRunning(job.id)) return;
      }
      store.setState({ running: null });
    },
    cancel() {
      const { running } = store.getState();
      if (running === null) return;
      store.setState({ running: null });
      void engine.cancel(running.id).catch(context.fail);
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
