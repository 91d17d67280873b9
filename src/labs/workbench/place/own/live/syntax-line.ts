/** Whether an error is about the syntax of a text. */
export function isSyntaxError(sentence: string): boolean {
  return sentence.startsWith('SyntaxError');
}

/**
 * The line, from 1, of the first syntax error in a text; 0 if unknown. Browsers do not report it for a module, but a parser
 * stops at the first error: the text up to that line, or to any later one, is refused with the same message. `sentence`: that
 * message of the whole text. `refusal`: the message of a part, null without an error; called O(log lines) times.
 */
export async function syntaxLine(
  text: string,
  sentence: string,
  refusal: (text: string) => Promise<string | null>,
): Promise<number> {
  const lines = text.split('\n');
  const isRefused = async (count: number): Promise<boolean> =>
    (await refusal(lines.slice(0, count).join('\n'))) === sentence;
  let low = 1;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (await isRefused(middle)) high = middle;
    else low = middle + 1;
  }
  // The text ends too early: a bracket was left open.
  return low === lines.length ? (openBracketLine(text) ?? low) : low;
}

const CLOSING: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** The line of the last unclosed bracket; null if there is none. Strings and comments are ignored. O(characters). */
function openBracketLine(text: string): number | null {
  const code = text.replaceAll(/\/\*[^]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g, (ignored) =>
    ignored.replaceAll(/[^\n]/g, ' '),
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
