// Quotes text in error messages, and names its characters that are invisible or look like others.

/** Characters that programs and users write instead of ASCII, with their names. */
const NAMES: Readonly<Record<string, string>> = {
  '\0': 'null',
  '\u000b': 'vertical tab',
  '\f': 'form feed',
  '\u001a': 'end-of-file mark of DOS',
  '\u0085': 'next line',
  '\u00a0': 'no-break space',
  '\u00ad': 'soft hyphen',
  '\u00b7': 'middle dot',
  '\u066b': 'Arabic decimal separator',
  '\u066c': 'Arabic thousands separator',
  '\u2009': 'thin space',
  '\u200b': 'zero-width space',
  '\u200c': 'zero-width non-joiner',
  '\u200d': 'zero-width joiner',
  '\u200e': 'left-to-right mark',
  '\u200f': 'right-to-left mark',
  '\u2010': 'hyphen',
  '\u2011': 'no-break hyphen',
  '\u2012': 'figure dash',
  '\u2013': 'en dash',
  '\u2014': 'em dash',
  '\u2019': 'apostrophe',
  '\u2028': 'line separator',
  '\u2029': 'paragraph separator',
  '\u202f': 'narrow no-break space',
  '\u2060': 'word joiner',
  '\u2212': 'minus sign',
  '\u221e': 'infinity sign',
  '\u3000': 'ideographic space',
  '\ufeff': 'byte order mark',
  '\uff0b': 'full-width plus sign',
  '\uff0c': 'full-width comma',
  '\uff0d': 'full-width hyphen',
  '\uff0e': 'full-width full stop',
  '\uff1b': 'full-width semicolon',
  '\ufffd': 'which replaces bytes that are no text',
};

/** Characters that are invisible or look like a space: displayed as a code point. */
const UNSEEN = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Maximum number of characters in a quotation, and of those that are named after it. */
const MAX_QUOTED = 40;
const MAX_NAMED = 3;

/** The code point of a character as Unicode writes it: 'U+2212'. */
function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** A character in words: 'U+2212, minus sign'; without a name only its code point. */
function namedText(character: string): string {
  const name = NAMES[character] ?? kindOf(character);
  return name === null ? codePoint(character) : `${codePoint(character)}, ${name}`;
}

/** A description of a character that has no entry in NAMES; null for one that needs none. */
function kindOf(character: string): string | null {
  if (/\p{Nd}/u.test(character)) return `the digit ${digitOf(character)} in ${scriptOf(character)}`;
  if (/\p{Zs}/u.test(character)) return 'a space';
  if (/\p{Pd}/u.test(character)) return 'a dash';
  if (/\p{Cc}/u.test(character)) return 'a control character';
  return UNSEEN.test(character) ? 'invisible' : null;
}

/** The value of a decimal digit: in Unicode, the digits of a script are consecutive, from 0. */
function digitOf(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before++;
  return before % 10;
}

function scriptOf(character: string): string {
  const isFullWidth = character >= '\uff10' && character <= '\uff19';
  return isFullWidth ? 'full width' : 'another script';
}

/** Bytes as text: UTF-8, or else Windows-1252. */
export function textOf(bytes: Uint8Array): string {
  try {
    // An incomplete last character is dropped.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: true });
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Text in quotes, shortened to 40 characters; every character that is not ASCII, or is invisible, is named after it. */
export function quotedText(text: string): string {
  // A character has at most two UTF-16 units.
  const characters = Array.from(text.slice(0, 2 * MAX_QUOTED + 2));
  const quoted = characters.slice(0, MAX_QUOTED);
  const isNotable = (character: string): boolean => character < ' ' || character > '~';
  const notable = [...new Set(quoted.filter(isNotable))];
  const displayed = quoted.map((c) => (isNotable(c) && UNSEEN.test(c) ? `<${codePoint(c)}>` : c)).join('');
  const names = notable.slice(0, MAX_NAMED).map(namedText).join('; ');
  return `'${displayed}${characters.length > MAX_QUOTED ? '...' : ''}'${notable.length > 0 ? ` (${names})` : ''}`;
}

/** A control character in words: 'the control character U+000C (form feed)'. */
export function controlText(character: string): string {
  const name = NAMES[character];
  return `the control character ${codePoint(character)}${name === undefined ? '' : ` (${name})`}`;
}
