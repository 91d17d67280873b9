/** What ids and addresses of models begin with that do not come with the page. */
export const BROUGHT = 'brought:';

/** Whether an id is of a model that somebody brought. */
export function isBrought(id: string): boolean {
  return id.startsWith(BROUGHT);
}

/** Characters of a text that somebody gives to measure a model on. */
export const OWN_TEXT = { min: 200, max: 20_000 };
