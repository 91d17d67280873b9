import { derivedStory } from '../../../story/declared/index.ts';
import { playerFrames } from '../../../story/flow/story-frames.ts';
import { encoding } from '../encoding.ts';
import { codeOf, quotes } from './code.ts';
import { questions } from './questions.ts';
import { story as framesOf } from './story.ts';

/** The story of MACKO: an animation of how a small matrix is encoded and multiplied, with its code. */
export const story = derivedStory(encoding, {
  title: 'MACKO',
  quotes,
  questions,
  code: codeOf,
  frames: (t) => playerFrames(framesOf(t), t.window),
});
