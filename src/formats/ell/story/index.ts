import { derivedStory } from '../../../core/declared/story/index.ts';
import { encoding } from '../encoding.ts';
import { codeOf, quotes } from './code.ts';
import { questions } from './questions.ts';

/** The story of ELL on a window, loaded when the format is chosen. */
export const story = derivedStory(encoding, {
  title: 'ELL',
  keeps: 'ELL keeps the others in rows of equal length.',
  questions,
  quotes,
  code: (_, step) => codeOf(step),
});
