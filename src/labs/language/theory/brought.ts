/** The prefix of ids and addresses of models that a person brought. */
export const BROUGHT = 'brought:';

/** Whether the id is of a model that a person brought. */
export function isBrought(id: string): boolean {
  return id.startsWith(BROUGHT);
}

/** Characters of a person's own text to measure a model on. */
export const USER_TEXT_LENGTH = { min: 200, max: 20_000 };
