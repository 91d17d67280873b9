import { derivedStory } from '../../../core/declared/story/index.ts';
import { admits, encodeSteps } from '../encode.ts';
import { encoding } from '../encoding.ts';
import { sizeReason, storage } from '../storage.ts';
import { codeOf, quotes } from './code.ts';
import { questions } from './questions.ts';

/** The story of the dense format on a window, loaded when the format is chosen. */
export const story = derivedStory(
  { ...encoding, admits, encodeSteps, storage, sizeReason },
  {
    title: 'dense',
    keeps: 'Dense stores them too, and so needs no indices.',
    questions,
    quotes,
    code: ({ encoded }, step) => codeOf(step, encoded.valueType),
  },
);
