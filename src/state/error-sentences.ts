import { withGroups } from '../core/story/words.ts';

/** A sentence about something that could not be loaded; by default because of the network. */
export function notLoaded(what: string, why = 'is there a network? Try again once there is.'): string {
  return asSentence(`${what} could not be loaded: ${why}`);
}

/** A sentence about something that this browser cannot store; `why` is a clause. */
export function notKept(what: string, why: string): string {
  return `This browser cannot keep ${what} (${why.replace(/\.$/, '')}): save them as files.`;
}

/** A first word that is not part of a file's name: 'line 3: found ...' but not 'my file.mtx: found ...'. */
const PLAIN_START = /^[a-z]+ (?![^:]*\.\w+:)/;

/** A message as a sentence: a capital, a full stop, numbers as the page writes them. */
export function asSentence(message: string): string {
  const text = withGroups(message.trim());
  if (text === '') return 'Something failed without a message.';
  const begun = PLAIN_START.test(text) ? text[0].toUpperCase() + text.slice(1) : text;
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
