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
  let position = 0;
  while (position < program.length) {
    const two = program.slice(position, position + 2);
    if (two === '//') {
      while (position < program.length && !isLineEnd(program[position])) position++;
    } else if (two === '/*') {
      let depth = 0;
      do {
        const twoCharacters = program.slice(position, position + 2);
        if (twoCharacters === '/*') depth++;
        if (twoCharacters === '*/') depth--;
        position += twoCharacters === '/*' || twoCharacters === '*/' ? 2 : 1;
      } while (depth > 0 && position < program.length);
    } else if (isBlank(program[position]) || !isNamePart(program[position])) position++;
    else {
      const from = position;
      while (position < program.length && isNamePart(program[position])) position++;
      if (/^(?:for|while|loop)$/.test(program.slice(from, position))) count++;
    }
  }
  return count;
}
