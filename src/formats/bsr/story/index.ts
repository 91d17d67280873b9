import { derivedStory } from '../../../core/declared/story/index.ts';
import { encoding } from '../encoding.ts';
import { codeOf, quotes } from './code.ts';

/** The story of BSR on a window, loaded when the format is chosen. */
export const story = derivedStory(encoding, {
  title: 'BSR',
  keeps: 'BSR keeps whole blocks, with one column number each.',
  questions: [],
  quotes,
  code: (_, step) => codeOf(step),
});
