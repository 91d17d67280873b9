import { CancelledError } from '../core/errors.ts';
import type { DraftRequest, TakeDraftEvent } from '../worker/protocol.ts';
import { asSentence } from './sentence.ts';
import { sentenceOf, type SessionContext } from './session-context.ts';

/** A draft that is being tried. */
export interface DraftRun {
  /** Resolves after the event 'ended', which comes always. Never rejects. */
  readonly done: Promise<void>;
  /** Stops it; what it told stays. */
  cancel(): void;
}

/** Tries drafts of kernels, the newest alone: one that is under way is stopped. */
export function createDrafts(context: SessionContext): (request: DraftRequest, take: TakeDraftEvent) => DraftRun {
  const { engine } = context;
  let last: DraftRun | null = null;
  return (request, take) => {
    last?.cancel();
    const before = last?.done ?? Promise.resolve();
    const { id } = context.newJob('Trying a draft');
    let isCancelled = false;
    const run = async (): Promise<void> => {
      await before;
      let hasEnded = false;
      const taking: TakeDraftEvent = async (event) => {
        hasEnded ||= event.stage === 'ended';
        await take(event);
      };
      try {
        if (isCancelled) throw new CancelledError();
        await engine.draft(id, request, taking);
      } catch (error) {
        const isStopped = error instanceof Error && error.name === 'CancelledError';
        const sentence = isStopped ? 'The run was stopped.' : asSentence(sentenceOf(error));
        if (!hasEnded) await take({ stage: 'ended', ok: false, sentence });
      }
    };
    const started: DraftRun = {
      done: run(),
      cancel() {
        isCancelled = true;
        void engine.cancel(id).catch(context.fail);
      },
    };
    last = started;
    return started;
  };
}
