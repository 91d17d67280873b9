// Whether a reader's kernel solves its exercise.

import type { Exercise } from '../../exercises/index.ts';
import { useSession } from '../../../../src/kit/app-context.ts';
import { visibleRun, type VisibleRun } from '../drafts/draft-words.ts';
import { type Draft, originOf, sameText } from '../kernel-drafts/draft.ts';
import { ExerciseVerdict, type Verdict } from './ExerciseVerdict.tsx';
import { percent } from '../../../../src/kit/words/quantity.ts';

/** Bytes below which a run ends before the GPU is busy, so that its speed says little. */
const MIN_BYTES = 2 ** 24;

/** The verdict on a run of a draft, a reader's kernel for an exercise. `isSoftware`: it ran on a software GPU. */
export function verdictOf(exercise: Exercise, draft: Draft, run: VisibleRun | null, isSoftware: boolean): Verdict {
  if (run === null) return { kind: 'open', share: null, sentence: 'It has not run.' };
  const { ended, timed } = run.result;
  if (ended === null) return { kind: 'open', share: null, sentence: 'Checking it.' };
  if (!ended.ok) {
    const isStart = draft.versions.some(
      (version) => version.number === run.number && sameText(version, originOf(draft)),
    );
    return { kind: 'wrong', share: null, sentence: isStart ? exercise.unfinished : 'Not right yet.' };
  }
  const draftTime = timed?.rows.find(({ who }) => who === 'draft');
  const readGBps = timed?.readBandwidthGBps ?? null;
  if (isSoftware) {
    const sentence = 'Done: it is right on every matrix. A software GPU cannot show how fast it is.';
    return { kind: 'done', share: null, sentence };
  }
  if (!draftTime || draftTime.GBps === null || readGBps === null) {
    return { kind: 'right', share: null, sentence: 'It is right, but it was not timed.' };
  }
  const share = draftTime.GBps / readGBps;
  const reached = percent(share, share < 0.1 ? 1 : 0);
  if (share >= exercise.goal) {
    return { kind: 'done', share, sentence: `Done: it is right, at ${reached} of the read speed.` };
  }
  const sizeHint =
    draftTime.GBps * draftTime.medianNs < MIN_BYTES ? ' This matrix is too small: open the one of the exercise.' : '';
  return { kind: 'right', share, sentence: `It is right, but only at ${reached} of the read speed.${sizeHint}` };
}

/** Shows the verdict on the shown run of a reader's kernel. */
export function KernelVerdict({ exercise, draft }: { readonly exercise: Exercise; readonly draft: Draft }) {
  const device = useSession((s) => s.device);
  const isSoftware = device?.kind === 'ready' && device.environment.isFallback;
  return <ExerciseVerdict progress={exercise.id} {...verdictOf(exercise, draft, visibleRun(draft), isSoftware)} />;
}
