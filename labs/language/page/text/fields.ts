// The choices of the tab Text in addresses, with their limits.

import { numberChoice, wordChoice, textChoice } from '../../../../src/kit/browser/choices.ts';

/** Maximum characters of a prompt; a longer prompt would leave no space in the context. */
export const LONGEST_PROMPT = 400;

/** Maximum tokens that a shipped model writes; tales, the texts that it was trained on, have fewer. */
export const MAX_WRITTEN = 480;

/** Maximum tokens that an imported model writes, which may be much larger. */
export const MAX_WRITTEN_BROUGHT = 160;

/** The choices in the tab Text, as fields of the address. */
export const TEXT_FIELDS = {
  prompt: textChoice(LONGEST_PROMPT),
  seed: numberChoice(0, 2 ** 32 - 1, 10, true),
  temperature: numberChoice(0, 2, 0.8),
  /** 'held': the pruned model reads the dense model's text; 'free': it writes its own */
  mode: wordChoice(['held', 'free'], 'free'),
  /**
   * index of the selected token after the prompt; -1: the token where the pruned model's own text departs, or else the
   * token that the pruned model predicts worse than the dense model by the most bits
   */
  at: numberChoice(-1, 10_000, -1, true),
};
