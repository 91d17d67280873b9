import { countText } from '../../../../core/story/words.ts';
import type { StorageLedger } from '../../../../core/encoded/ledger.ts';
import type { CsrMatrix } from '../../../../core/matrix/index.ts';
import { givesBack } from '../../../../own/asking.ts';
import type { LawReport } from '../../../../own/laws.ts';
import type { ToldStory } from '../desk/desk-state.ts';
import type { Goal } from './own-exercises.ts';

/** How far an answer to an exercise is, as a sentence. */
export interface OwnVerdict {
  readonly isDone: boolean;
  readonly sentence: string;
}

/** The verdict on a module: its laws, and what it takes. Null laws: they are being tried. */
export function bytesVerdict(
  goal: Goal & { readonly kind: 'bytes' },
  laws: LawReport | null,
  judged: StorageLedger | null,
): OwnVerdict {
  if (laws === null) return { isDone: false, sentence: 'It is being tried.' };
  const broken = laws.laws.filter((law) => law.broken !== null);
  if (broken.length > 0) {
    const [first] = broken;
    return { isDone: false, sentence: `Not yet: “${first.title}” does not hold.` };
  }
  if (judged === null) return { isDone: false, sentence: `All laws hold; ${goal.of}: refused, or not weighed yet.` };
  const { totalBytes } = judged;
  const takes = `${goal.of} take${goal.of.startsWith('the ') ? 's' : ''} ${countText(totalBytes)} bytes`;
  if (totalBytes > goal.most) {
    return { isDone: false, sentence: `All laws hold, and ${takes}. The goal is ${countText(goal.most)}.` };
  }
  return { isDone: true, sentence: `Done: all laws hold, and ${takes}. The goal was ${countText(goal.most)}.` };
}

/** The verdict on a matrix that somebody thinks a module does not give back. Null: none has been tried. */
export function matrixVerdict(matrix: CsrMatrix | null, story: ToldStory | null): OwnVerdict | null {
  if (!matrix || story?.trace.window.data !== matrix.data) return null;
  const { chosen, decoding } = story.trace.run;
  const found = givesBack(matrix, chosen, decoding);
  return found === null
    ? { isDone: false, sentence: 'It came back as it was stored. Look at the values in the picture.' }
    : { isDone: true, sentence: 'Done: it does not come back. The story shows where decode stops.' };
}
