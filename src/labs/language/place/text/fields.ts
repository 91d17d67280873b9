import { numberChoice, oneOf, textChoice } from '../../../../kit/browser/choices.ts';

/** Longer prompts would leave the models no room. */
export const LONGEST_PROMPT = 400;

/** Tokens written at most; a tale of ours has fewer. */
export const MAX_WRITTEN = 480;

/** The same of a model that a person brought, which may be much larger. */
export const MAX_WRITTEN_BROUGHT = 160;

/** What is chosen about the texts. */
export const TEXT_FIELDS = {
  prompt: textChoice(LONGEST_PROMPT),
  seed: numberChoice(0, 2 ** 32 - 1, 10, true),
  temperature: numberChoice(0, 2, 0.8),
  /** the pruned model reads the dense text, or writes by itself */
  mode: oneOf(['held', 'free'], 'free'),
  /** the pinned token, counted behind the prompt; -1: the costliest one */
  at: numberChoice(-1, 10_000, -1, true),
};
