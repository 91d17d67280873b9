import { CancelledError } from '../../core/errors.ts';
import type { DraftRequest, TakeDraftEvent } from '../../engine/protocol.ts';
import type { EncodingQueue } from './encoding-queue.ts';
import { asSentence } from '../sentence.ts';
import { isCancelled, sentenceOf, type SessionContext } from './session-context.ts';

/** A draft that is being tried. */
export interface DraftRun {
  /** Resolves after the event 'ended', which comes always. Rejects only with what `take` throws. */
  readonly done: Promise<void>;
  /** Stops it; what it told stays. */
  cancel(): void;
}

/** Tries drafts of kernels, the newest alone: one that is under way is stopped first. The queue waits meanwhile. */
export function createDrafts(
  context: SessionContext,
  queue: Pick<EncodingQueue, 'hold' | 'pump'>,
): (request: DraftRequest, take: TakeDraftEvent) => DraftRun {
  const { engine, store, player } = context;
  let last: DraftRun | null = null;
  return (request, take) => {
    last?.cancel();
    const before = last?.done.catch(() => {}) ?? Promise.resolve();
    const job = context.newJob('Trying a draft');
    let isStopped = false;
    const run = async (): Promise<void> => {
      let hasEnded = false;
      const taking: TakeDraftEvent = async (event) => {
        hasEnded ||= event.stage === 'ended';
        await take(event);
      };
      try {
        if (isStopped) throw new CancelledError();
        player.pause();
        store.setState({ trying: job });
        queue.hold();
        await engine.draft(job.id, request, taking);
      } catch (error) {
        if (hasEnded) throw error;
        const sentence = isCancelled(error) ? 'The run was stopped.' : asSentence(sentenceOf(error));
        await take({ stage: 'ended', ok: false, sentence });
      } finally {
        if (store.getState().trying?.id === job.id) store.setState({ trying: null });
        queue.pump();
      }
    };
    const started: DraftRun = {
      done: before.then(run),
      cancel() {
        isStopped = true;
        void engine.cancel(job.id).catch(context.fail);
      },
    };
    last = started;
    return started;
  };
}
