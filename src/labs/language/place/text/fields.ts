import { numberChoice, wordChoice, textChoice } from '../../../../kit/browser/choices.ts';

/** Maximum characters of a prompt; a longer one would leave no space in the context. */
export const LONGEST_PROMPT = 400;

/** Maximum written tokens; this project's tales have fewer. */
export const MAX_WRITTEN = 480;

/** The same for a model that a person brought, which may be much larger. */
export const MAX_WRITTEN_BROUGHT = 160;

/** The choices of the tab Text. */
export const TEXT_FIELDS = {
  prompt: textChoice(LONGEST_PROMPT),
  seed: numberChoice(0, 2 ** 32 - 1, 10, true),
  temperature: numberChoice(0, 2, 0.8),
  /** the pruned model is held to the dense text, which it reads ('held'), or writes by itself ('free') */
  mode: wordChoice(['held', 'free'], 'free'),
  /** the pinned token, counted after the prompt; -1: where the pruned model's own text departs, or lost most bits */
  at: numberChoice(-1, 10_000, -1, true),
};
