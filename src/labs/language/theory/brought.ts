/** The prefix of ids and addresses of brought models, which a person opened from files of their own. */
export const BROUGHT = 'brought:';

/** Whether the id is of a model that a person brought. */
export function isBrought(id: string): boolean {
  return id.startsWith(BROUGHT);
}

/** Least and greatest length, in characters, of a text that a person brings to measure the quality of a model on it. */
export const USER_TEXT_LENGTH = { min: 200, max: 20_000 };
