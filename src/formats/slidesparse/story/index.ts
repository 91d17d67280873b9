import { derivedStory } from '../../../story/declared/index.ts';
import { checkValues } from '../../../core/encoded/admission.ts';
import { finish } from '../../../core/job.ts';
import { pruneToPatternSteps } from '../../../core/matrix/prune-pattern.ts';
import { playerFrames } from '../../../story/flow/story-frames.ts';
import { encoding, firstOverfullGroup, slidesOn } from '../encoding.ts';
import { nibbleAt } from '../layout.ts';
import { KEPT, type SlideSparseParams } from '../params.ts';
import { codeOf, quotes } from './code.ts';
import { liftPanels } from './lift.ts';
import { questions } from './questions.ts';
import { story as framesOf } from './story.ts';

/** The story of SlideSparse: an animation of how a small matrix is encoded and multiplied, with its code. */
export const story = derivedStory(encoding, {
  title: 'SlideSparse',
  // A region with a group that is too full is pruned to the pattern; one with NaN or infinities in i8 has no story.
  tracesRejected: (m, p) =>
    firstOverfullGroup(m, p as SlideSparseParams) !== null && checkValues(m, (p as SlideSparseParams).valueType).ok,
  replacement(m, p) {
    const group = 2 * (p as SlideSparseParams).halfGroup;
    return finish(pruneToPatternSteps(m, group - 2, group));
  },
  quotes,
  questions,
  code: codeOf,
  eventOf({ encoded: e }, step) {
    if (step.kind !== 'stored' || step.what !== 'weight') return null;
    const index = step.elements[0][1]; // in `values`
    // Counted over all rows, which is the same as counted from row 0.
    const window = Math.floor(index / KEPT);
    // The slot of the window that the metadata name for this value.
    const slot = (nibbleAt(e, 0, window) >>> (2 * (index % KEPT))) & 3;
    return slidesOn(window % e.windowsPerRow, slot, e) ? 'overflow' : null;
  },
  panels: liftPanels,
  frames: (t) => playerFrames(framesOf(t), t.window),
});
