import { numberChoice, oneOf } from '../../../kit/browser/choices.ts';

/** Models whose shapes are shown. */
export const LARGE_MODELS = ['Llama-2-7B', 'Llama-3.1-8B'] as const;

/** What is chosen about speed. */
export const SPEED_FIELDS = {
  large: oneOf(LARGE_MODELS, 'Llama-2-7B'),
  /** share that is left of the large model's weights */
  left: numberChoice(0.05, 1, 0.5),
};
