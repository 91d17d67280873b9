/** A change of one place that mends what a message is about. */
export interface Fix {
  /** on its button: 'write &walked' */
  readonly title: string;
  /** of the text of the message's place; pure */
  readonly change: (text: string) => string;
}

/** Only what cannot be meant otherwise is offered: each reads a message of the compiler, and the text that it points at. */
const FIXES: readonly ((message: string, text: string) => Fix | null)[] = [
  (message, text) =>
    /expected 'ptr<function, (.+), read_write>', got '\1'/.test(message) && /^[A-Za-z_]\w*$/.test(text)
      ? { title: `write &${text}`, change: () => `&${text}` }
      : null,
  (message, text) => {
    const [, wanted] = /did you mean '(\w+)'/i.exec(message) ?? [];
    return wanted !== undefined && /^[A-Za-z_]\w*$/.test(text)
      ? { title: `write ${wanted}`, change: () => wanted }
      : null;
  },
];

/** The change that mends it for certain; null where there is none, or where it is one of several. */
export function fixOf(message: string, text: string): Fix | null {
  for (const find of FIXES) {
    const fix = find(message, text);
    if (fix !== null) return fix;
  }
  return null;
}

/** Where a message stands in a text, and what it covers: an identifier where the compiler names only its first letter. */
export function placeOfMessage(
  lines: readonly string[],
  { line, column, length }: { readonly line: number; readonly column: number; readonly length: number },
): { readonly line: number; readonly from: number; readonly to: number } {
  const at = Math.min(Math.max(1, line), Math.max(1, lines.length));
  const text = lines[at - 1] ?? '';
  if (column < 1 || column > text.length) {
    // The whole line without what stands before and after it.
    const from = text.length - text.trimStart().length;
    return { line: at, from, to: Math.max(from, text.trimEnd().length) };
  }
  const from = column - 1;
  const word = /^[A-Za-z_]\w*/.exec(text.slice(from));
  const to = length > 0 ? from + length : from + (word?.[0].length ?? 1);
  return { line: at, from, to: Math.min(to, text.length) };
}
