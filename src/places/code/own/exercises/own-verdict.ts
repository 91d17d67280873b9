import { countText } from '../../../../core/story/words.ts';
import type { StorageLedger } from '../../../../core/encoded/ledger.ts';
import type { CsrMatrix } from '../../../../core/matrix/index.ts';
import { givesBack } from '../../../../own/asking.ts';
import type { LawReport } from '../../../../own/laws.ts';
import type { Verdict } from '../../exercises/ExerciseVerdict.tsx';
import type { NarratedStory } from '../live/module-state.ts';
import type { Goal } from './own-exercises.ts';

/** The verdict on a module: its laws, and what it takes. Null laws: they are being tried. */
export function bytesVerdict(
  goal: Goal & { readonly kind: 'bytes' },
  laws: LawReport | null,
  judged: StorageLedger | null,
): Verdict {
  if (laws === null) return { kind: 'open', share: null, sentence: 'It is being tried.' };
  const broken = laws.laws.filter((law) => law.broken !== null);
  if (broken.length > 0) {
    const [first] = broken;
    return { kind: 'open', share: null, sentence: `Not yet: “${first.title}” does not hold.` };
  }
  if (judged === null)
    return { kind: 'open', share: null, sentence: `All laws hold; ${goal.of}: refused, or not weighed yet.` };
  const { totalBytes } = judged;
  const takes = `${goal.of} take${goal.of.startsWith('the ') ? 's' : ''} ${countText(totalBytes)} bytes`;
  if (totalBytes > goal.max) {
    return { kind: 'open', share: null, sentence: `All laws hold, and ${takes}. The goal is ${countText(goal.max)}.` };
  }
  return {
    kind: 'done',
    share: null,
    sentence: `Done: all laws hold, and ${takes}. The goal was ${countText(goal.max)}.`,
  };
}

/** The verdict on a matrix that somebody thinks a module does not give back. Null: none has been tried. */
export function matrixVerdict(matrix: CsrMatrix | null, story: NarratedStory | null): Verdict | null {
  if (!matrix || story?.trace.window.data !== matrix.data) return null;
  const { chosen, decoding } = story.trace.run;
  const found = givesBack(matrix, chosen, decoding);
  return found === null
    ? { kind: 'open', share: null, sentence: 'It came back as it was stored. Look at the values in the picture.' }
    : { kind: 'done', share: null, sentence: 'Done: it does not come back. The story shows where decode stops.' };
}
