// Checks of the messages that the page shows to users.

import type { Fault } from './target.ts';

/** Maximum length of a message. The longest messages quote the user's input and list the alternatives. */
const LONGEST = 700;

/** Checks a message for users; null if it is fine. */
export function messageFault(text: string): Fault | null {
  const broken = (why: string): Fault => ({
    law: 'messages are sentences',
    message: `${why}: ${JSON.stringify(text)}`,
  });
  if (text.trim() === '') return broken('empty');
  if (text.length > LONGEST) return broken(`${text.length} letters`);
  // oxlint-disable-next-line no-control-regex -- the search is for these
  if (/[\u0000-\u0008\u000a-\u001f\u007f]/.test(text)) return broken('control characters');
  if (/\[object |\bundefined\b/.test(text)) return broken('not written for users');
  return null;
}

/** Checks an error that is shown to users: it must be of the given class, with a valid message. */
export function errorFault(error: unknown, kind: abstract new (...args: never[]) => Error): Fault | null {
  if (!(error instanceof kind)) {
    const text =
      error instanceof Error ? (error.stack ?? error.message).split('\n').slice(0, 6).join('\n') : String(error);
    return { law: `errors are ${kind.name}s`, message: text };
  }
  return messageFault(error.message);
}
