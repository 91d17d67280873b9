import { derivedStory } from '../../../core/declared/story/index.ts';
import { encoding } from '../encoding.ts';
import { codeOf, quotes } from './code.ts';
import { questions } from './questions.ts';

/** The story of the bitmask format on a window, loaded when the format is chosen. */
export const story = derivedStory(encoding, {
  title: 'bitmask',
  // Follows the sentence about the zeros that are left out.
  keeps: 'Bitmask keeps the others, and one bit per place.',
  questions,
  quotes,
  code: (_, step) => codeOf(step),
});
