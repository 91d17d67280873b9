import { derivedStory } from '../../../story/declared/index.ts';
import { playerFrames } from '../../../story/flow/story-frames.ts';
import { encoding } from '../encoding.ts';
import { codeOf, quotes } from './code.ts';
import { levelsPanel, rowsStoredBy } from './levels.ts';
import { questions } from './questions.ts';
import { story as framesOf } from './story.ts';

/**
 * The story of EC-CSR, the format of EC-SpMV: an animation of how a small matrix is encoded and multiplied, with its
 * code.
 */
export const story = derivedStory(encoding, {
  title: 'EC-SpMV',
  code: codeOf,
  // 'differs': here EC-CSR does what CSR does not: it stores a list that several rows share.
  eventOf: (t, step) =>
    step.kind === 'stored' && step.reason !== null && rowsStoredBy(t, step).size > 1 ? 'differs' : null,
  quotes,
  questions,
  panels: levelsPanel, // the levels of the search for blocks: which rows joined at which level
  frames: (t) => playerFrames(framesOf(t), t.window),
});
