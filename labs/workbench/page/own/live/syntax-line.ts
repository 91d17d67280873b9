/** Whether an error is about the syntax of a text. */
export function isSyntaxError(message: string): boolean {
  return message.startsWith('SyntaxError');
}

/**
 * Finds the line, from 1, of the first syntax error in a module, since browsers do not report the line. A parser stops
 * at the first error, so the text up to that line, or to any later line, has the same error `message` as the whole
 * text. `rejection`: returns the error of a part of the text, null for none; called O(log lines) times.
 */
export async function syntaxLine(
  text: string,
  message: string,
  rejection: (text: string) => Promise<string | null>,
): Promise<number> {
  const lines = text.split('\n');
  const isRefused = async (count: number): Promise<boolean> =>
    (await rejection(lines.slice(0, count).join('\n'))) === message;
  let low = 1;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (await isRefused(middle)) high = middle;
    else low = middle + 1;
  }
  // An error only at the end: a bracket was left open.
  return low === lines.length ? (openBracketLine(text) ?? low) : low;
}

const CLOSING: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** The line of the last unclosed bracket; null if there is none. Strings and comments are ignored. O(characters). */
function openBracketLine(text: string): number | null {
  const code = text.replaceAll(/\/\*[^]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g, (ignored) =>
    ignored.replaceAll(/[^\n]/g, ' '),
  );
  const open: { readonly bracket: string; readonly line: number }[] = [];
  let line = 1;
  for (const character of code) {
    if (character === '\n') line++;
    else if ('([{'.includes(character)) open.push({ bracket: character, line });
    else if (CLOSING[character] !== undefined && open.at(-1)?.bracket === CLOSING[character]) open.pop();
  }
  return open.at(-1)?.line ?? null;
}
