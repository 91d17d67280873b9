/** Whether a sentence is about the syntax of a text. */
export function isSyntaxError(sentence: string): boolean {
  return sentence.startsWith('SyntaxError');
}

/**
 * The line, from 1, at which a text stops being right; 0 where it cannot be told. Browsers do not say it of a module, but a
 * parser stops at the first fault: the text up to that line, or up to any later one, is refused with the same sentence.
 * `refusal`: with what sentence a text is refused; null if it is not. Asks it O(log lines) times.
 */
export async function syntaxLine(
  text: string,
  sentence: string,
  refusal: (text: string) => Promise<string | null>,
): Promise<number> {
  const lines = text.split('\n');
  const isThere = async (count: number): Promise<boolean> =>
    (await refusal(lines.slice(0, count).join('\n'))) === sentence;
  let low = 1;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (await isThere(middle)) high = middle;
    else low = middle + 1;
  }
  // It ends too early: what was left open is the place.
  return low === lines.length ? (openBracketLine(text) ?? low) : low;
}

const CLOSING: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** The line of the last bracket that is never closed; null if all are. Strings and comments are left out. O(letters). */
function openBracketLine(text: string): number | null {
  const code = text.replaceAll(/\/\*[^]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g, (found) =>
    found.replaceAll(/[^\n]/g, ' '),
  );
  const open: { readonly sign: string; readonly line: number }[] = [];
  let line = 1;
  for (const sign of code) {
    if (sign === '\n') line++;
    else if ('([{'.includes(sign)) open.push({ sign, line });
    else if (CLOSING[sign] !== undefined && open.at(-1)?.sign === CLOSING[sign]) open.pop();
  }
  return open.at(-1)?.line ?? null;
}
