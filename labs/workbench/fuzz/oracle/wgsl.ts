/** Whether a character is blankspace in WGSL: ASCII's, and Unicode's pattern white space. */
const isBlank = (letter: string): boolean => ' \t\n\v\f\r\u0085\u200e\u200f\u2028\u2029'.includes(letter);
const isLineEnd = (letter: string): boolean => '\n\v\f\r\u0085\u2028\u2029'.includes(letter);
/** Characters that continue a name. More letters than Unicode's only make more names: none of them hides a loop. */
const isNamePart = (letter: string): boolean =>
  /[A-Za-z0-9_]/.test(letter) || (letter > '\u007f' && /[\p{L}\p{M}\p{N}\p{Pc}]/u.test(letter));

/**
 * The words 'for', 'while' and 'loop' in a program, as a compiler reads it: character by character, without comments.
 */
export function loopWords(program: string): number {
  let count = 0;
  let at = 0;
  while (at < program.length) {
    const two = program.slice(at, at + 2);
    if (two === '//') {
      while (at < program.length && !isLineEnd(program[at])) at++;
    } else if (two === '/*') {
      let depth = 0;
      do {
        const here = program.slice(at, at + 2);
        if (here === '/*') depth++;
        if (here === '*/') depth--;
        at += here === '/*' || here === '*/' ? 2 : 1;
      } while (depth > 0 && at < program.length);
    } else if (isBlank(program[at]) || !isNamePart(program[at])) at++;
    else {
      const from = at;
      while (at < program.length && isNamePart(program[at])) at++;
      if (/^(?:for|while|loop)$/.test(program.slice(from, at))) count++;
    }
  }
  return count;
}
