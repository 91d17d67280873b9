import { derivedStory } from '../../../core/declared/story/index.ts';
import { playerFrames } from '../../../core/story/flow/story-frames.ts';
import { encoding } from '../encoding.ts';
import { codeOf, quotes } from './code.ts';
import { questions } from './questions.ts';
import { story as framesOf } from './story.ts';

/** The story of MACKO: pictures of how it stores and multiplies a window, a part of a matrix. */
export const story = derivedStory(encoding, {
  title: 'MACKO',
  quotes,
  questions,
  code: codeOf,
  frames: (t) => playerFrames(framesOf(t)),
});
