import { CancelledError } from '../../../../core/errors.ts';
import { Newest } from '../../../../engine/bridge/newest.ts';
import type { ServiceOf } from '../../../../engine/bridge/service.ts';
import type { Session } from '../../../../state/index.ts';
import { asSentence } from '../../../../state/sentence.ts';
import { isCancelled, sentenceOf } from '../../../../state/session/session-context.ts';
import type { DraftRequest, OnDraftEvent } from '../service/drafts/draft-types.ts';
import type { drafts } from '../service/drafts/service.ts';

/** A draft's run. */
interface DraftRun {
  /** Resolves after the event 'ended', which always comes. Rejects only with what `onEvent` throws. */
  readonly done: Promise<void>;
  /** Stops it; events so far stay. */
  cancel(): void;
}

/** Tries a draft of a kernel on the open matrix. */
export type TryDraft = (request: DraftRequest, onEvent: OnDraftEvent) => DraftRun;

/** Tries drafts of kernels one at a time: starting one stops the run before it. */
export function createDraftRuns(
  service: Pick<ServiceOf<typeof drafts>, 'draft'>,
  session: Pick<Session, 'withQuietMachine'>,
): TryDraft {
  const newest = new Newest();
  let last: Promise<void> = Promise.resolve();
  return (request, onEvent) => {
    const turn = newest.begin();
    const run = async (): Promise<void> => {
      let hasEnded = false;
      const forward: OnDraftEvent = async (event) => {
        hasEnded ||= event.stage === 'ended';
        await onEvent(event);
      };
      try {
        if (turn.signal.aborted) throw new CancelledError();
        await session.withQuietMachine('Trying a draft', () =>
          service.draft({ signal: turn.signal }, request, forward),
        );
      } catch (error) {
        if (hasEnded) throw error;
        const sentence = isCancelled(error) ? 'The run was stopped.' : asSentence(sentenceOf(error));
        await onEvent({ stage: 'ended', ok: false, sentence });
      }
    };
    const done = last.then(run);
    last = done.catch(() => {});
    return {
      done,
      cancel() {
        if (turn.isNewest) newest.cancel();
      },
    };
  };
}
