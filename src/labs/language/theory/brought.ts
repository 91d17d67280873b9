/** The prefix of ids and addresses of brought models, which a person opened from files of their own. */
export const BROUGHT = 'brought:';

/** Whether the id is of a model that a person brought. */
export function isBrought(id: string): boolean {
  return id.startsWith(BROUGHT);
}

/** The length of a person's text on which a model is measured, in characters. */
export const USER_TEXT_LENGTH = { min: 200, max: 20_000 };
