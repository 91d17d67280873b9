/* Models that the user imports to the page Language as files, and the text to measure them with. */

/** The prefix of the ids and addresses of imported models. */
export const IMPORTED_ID_PREFIX = 'brought:';

/** Whether this is the id of an imported model. */
export function isImported(id: string): boolean {
  return id.startsWith(IMPORTED_ID_PREFIX);
}

/** Least and greatest length, in characters, of the user's text for measuring a model's quality. */
export const USER_TEXT_LENGTH = { min: 200, max: 20_000 };
