import { numberChoice, oneOf } from '../../../kit/browser/choices.ts';

/** What is chosen about neurons. The pen is at the token that is pinned in the text. */
export const NEURON_FIELDS = {
  layer: numberChoice(0, 255, 0, true),
  order: oneOf(['stored', 'frequency'], 'stored'),
  /** counted behind the prompt; -1: the token being written */
  at: numberChoice(-1, 10_000, -1, true),
};
