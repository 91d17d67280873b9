import { derivedStory } from '../../../core/declared/story/index.ts';
import { encoding } from '../encoding.ts';
import { codeOf, quotes } from './code.ts';
import { questions } from './questions.ts';

/** The story of CSR on a window, loaded when the format is chosen. */
export const story = derivedStory(encoding, {
  title: 'CSR',
  keeps: 'CSR keeps the others, each with its column number.',
  questions,
  quotes,
  code: (_, step) => codeOf(step),
});
