// An independent reading of WGSL, with which the fuzzer checks the kernel editor's count of loops.

/** Whether a character is blankspace in WGSL: ASCII white space, or Unicode's Pattern_White_Space. */
const isBlank = (letter: string): boolean => ' \t\n\v\f\r\u0085\u200e\u200f\u2028\u2029'.includes(letter);
const isLineEnd = (letter: string): boolean => '\n\v\f\r\u0085\u2028\u2029'.includes(letter);
/**
 * Whether a character can be part of a name. It accepts more letters than WGSL: that may join two words to one name, but only
 * where a compiler rejects the program anyway, so no loop is missed.
 */
const isNamePart = (letter: string): boolean =>
  /[A-Za-z0-9_]/.test(letter) || (letter > '\u007f' && /[\p{L}\p{M}\p{N}\p{Pc}]/u.test(letter));

/** Counts the words 'for', 'while' and 'loop' in a program, character by character, without comments, which may nest. */
export function loopWords(program: string): number {
  let count = 0;
  let position = 0;
  while (position < program.length) {
    const nextTwo = program.slice(position, position + 2);
    if (nextTwo === '//') {
      while (position < program.length && !isLineEnd(program[position])) position++;
    } else if (nextTwo === '/*') {
      let depth = 0; // of nested comments
      do {
        const mark = program.slice(position, position + 2);
        if (mark === '/*') depth++;
        if (mark === '*/') depth--;
        position += mark === '/*' || mark === '*/' ? 2 : 1;
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
