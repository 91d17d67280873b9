import { CancelledError } from '../../../../src/core/errors.ts';
import { LatestOnly } from '../../../../src/engine/bridge/latest-only.ts';
import { type Session, asMessage, isCancelled, messageFor } from '../../../../src/state/index.ts';
import type { OnDraftEvent } from '../service/drafts/draft-types.ts';

/** A run of a user's kernel. */
export interface KernelRun {
  /** Resolves after the event 'ended', which always comes. Rejects only with what `onEvent` throws. */
  readonly done: Promise<void>;
  /** Stops the run; events so far stay. */
  cancel(): void;
}

/** Starts a run of a kernel on the open matrix; `onEvent` receives its progress and results. */
export type TryKernel<Request> = (request: Request, onEvent: OnDraftEvent) => KernelRun;

/**
 * Returns a function that runs users' kernels one at a time: starting a run stops the previous one. During a run
 * playback and encodings pause, and the session's `quietWork` has `title`. `runInWorker` runs one kernel in the worker.
 */
export function createKernelRuns<Request>(
  session: Pick<Session, 'withQuietMachine'>,
  title: string,
  runInWorker: (watch: { readonly signal: AbortSignal }, request: Request, onEvent: OnDraftEvent) => Promise<void>,
): TryKernel<Request> {
  const latest = new LatestOnly();
  let last: Promise<void> = Promise.resolve();
  return (request, onEvent) => {
    const current = latest.begin();
    const run = async (): Promise<void> => {
      let hasEnded = false;
      const forward: OnDraftEvent = async (event) => {
        hasEnded ||= event.stage === 'ended';
        await onEvent(event);
      };
      try {
        if (current.signal.aborted) throw new CancelledError();
        await session.withQuietMachine(title, () => runInWorker({ signal: current.signal }, request, forward));
      } catch (error) {
        if (hasEnded) throw error;
        const text = isCancelled(error) ? 'The run was stopped.' : asMessage(messageFor(error));
        await onEvent({ stage: 'ended', ok: false, sentence: text });
      }
    };
    const done = last.then(run);
    last = done.catch(() => {});
    return {
      done,
      cancel() {
        if (current.isCurrent) latest.cancel();
      },
    };
  };
}
