import { failureOf, isOwnError, messageOf, quotedWords } from '../core/error-messages.ts';
import { withGroups } from '../core/text/words.ts';

/** A message about something that could not be loaded; by default because of the network. */
export function notLoaded(what: string, why = 'is there a network? Try again once there is.'): string {
  return asMessage(`${what} could not be loaded: ${why}`);
}

/** The message why `what` failed: see `failureOf`. */
export function failureText(error: unknown, what: string): string {
  return asMessage(failureOf(error, what));
}

/** A message about something that this browser cannot store. */
export function notSavedText(what: string, error: unknown): string {
  return `This browser cannot save ${what} (${storageText(error)}): save them as files.`;
}

/** Why storage failed, for use in brackets. */
function storageText(error: unknown): string {
  if (error instanceof Error && error.name === 'QuotaExceededError') return 'its storage is full';
  return isOwnError(error) ? messageOf(error).replace(/\.$/, '') : `it answered: ${quotedWords(error)}`;
}

/** A first word that is not part of a file's name: 'line 3: found ...' but not 'my file.mtx: found ...'. */
const PLAIN_START = /^[a-z]+ (?![^:]*\.\w+:)/;

/** A message as a sentence: a capital, a full stop, numbers as the page writes them. */
export function asMessage(message: string): string {
  const text = withGroups(message.trim());
  if (text === '') return 'Something failed without a message.';
  const begun = PLAIN_START.test(text) ? text[0].toUpperCase() + text.slice(1) : text;
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
