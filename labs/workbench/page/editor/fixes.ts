/* Messages of WGSL compilers in the editor: their text, their range, and fixes. */

/** An edit: replaces the text from `from` to `to` by `insert`. */
interface Edit {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/** A fix for a compiler's message: an edit with its label. */
export interface Fix {
  /** label of its button: 'write &sum' */
  readonly title: string;
  readonly edit: Edit;
}

/** A message and its range: `source` from `from` to `to`. */
interface LocatedMessage {
  readonly message: string;
  readonly source: string;
  readonly from: number;
  readonly to: number;
  /** the text in the range */
  readonly text: string;
}

const NAME = /^[A-Za-z_]\w*$/;

/** Functions that each know one kind of compiler message, and offer a fix only if it is unambiguous. */
const FIXES: readonly ((located: LocatedMessage) => Fix | null)[] = [
  pointerTo,
  semicolonBefore,
  missingEnable,
  varForLet,
  misspelledName,
];

/** The unambiguous fix for a message about `source` from `from` to `to`; null if there is none. */
export function fixOf(message: string, source: string, from: number, to: number): Fix | null {
  const located: LocatedMessage = { message, source, from, to, text: source.slice(from, to) };
  for (const find of FIXES) {
    const fix = find(located);
    if (fix !== null) return fix;
  }
  return null;
}

/** A variable where a pointer to it is expected. */
function pointerTo({ message, text, from, to }: LocatedMessage): Fix | null {
  if (!/expected 'ptr<function, (.+), read_write>', got '\1'/.test(message) || !NAME.test(text)) return null;
  return { title: `write &${text}`, edit: { from, to, insert: `&${text}` } };
}

/** A missing semicolon: the compiler reports the start of the next line. */
function semicolonBefore({ message, source, from }: LocatedMessage): Fix | null {
  if (!message.startsWith("expected ';'")) return null;
  const lines = source.slice(0, from).split('\n');
  if (lines.length < 2 || lines[lines.length - 1].trim() !== '') return null;
  for (let i = lines.length - 2; i >= 0; i--) {
    const code = lines[i].replace(/\/\/.*$/, '').trimEnd();
    if (code.trim() === '') continue;
    const offset = lines.slice(0, i).join('\n').length + (i === 0 ? 0 : 1) + code.length;
    return { title: `write ; after line ${i + 1}`, edit: { from: offset, to: offset, insert: ';' } };
  }
  return null;
}

/** A missing `enable` directive for a type or function; directives come first in a file. */
function missingEnable({ message, source }: LocatedMessage): Fix | null {
  const [, name] = /without '(\w+)' extension enabled/.exec(message) ?? /without extension '(\w+)'/.exec(message) ?? [];
  if (name === undefined || new RegExp(`^[ \\t]*enable\\b[^;\\n]*\\b${name}\\b`, 'm').test(source)) return null;
  const [comments = ''] = /^(?:\/\/.*\n)*/.exec(source) ?? [];
  return {
    title: `write enable ${name};`,
    edit: { from: comments.length, to: comments.length, insert: `enable ${name};\n` },
  };
}

/** An assignment to a constant: `let` becomes `var` at its declaration. */
function varForLet({ message, source, from, to, text }: LocatedMessage): Fix | null {
  const [, name] = /^'let (\w+)' declared here/.exec(message) ?? [];
  const [declaration] = /let\s+$/.exec(source.slice(0, from)) ?? [];
  if (name === undefined || text !== name || declaration === undefined) return null;
  return { title: `write var ${name}`, edit: { from: from - declaration.length, to, insert: `var ${name}` } };
}

/** A name that is one typo away from exactly one other name in the file. */
function misspelledName({ message, source, from, to, text }: LocatedMessage): Fix | null {
  if (!/^unresolved (?:value|call target|type) '/.test(message) || !NAME.test(text) || text.length < 3) return null;
  const code = source.replaceAll(/\/\/.*$/gm, '');
  const similar = [...new Set(code.match(/[A-Za-z_]\w*/g))].filter((name) => name !== text && isOneTypo(name, text));
  return similar.length === 1 ? { title: `write ${similar[0]}`, edit: { from, to, insert: similar[0] } } : null;
}

/** Whether inserting, deleting or replacing one letter, or swapping two neighbours, turns `b` into `a`. */
function isOneTypo(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start++;
  const [restA, restB] = [a.slice(start), b.slice(start)];
  if (restA.slice(1) === restB || restA === restB.slice(1) || restA.slice(1) === restB.slice(1)) return true;
  return restA.slice(0, 2) === `${restB[1] ?? ''}${restB[0] ?? ''}` && restA.slice(2) === restB.slice(2);
}

/** The first line of a message: compilers append candidates, for which there is no space. */
export function firstLineOf(message: string): string {
  return message.split('\n')[0];
}

/** The line and columns of a compiler's message: the whole identifier if the compiler marks only its first letter. */
export function rangeOfMessage(
  lines: readonly string[],
  { line, column, length }: { readonly line: number; readonly column: number; readonly length: number },
): { readonly line: number; readonly from: number; readonly to: number } {
  const lineNumber = Math.min(Math.max(1, line), Math.max(1, lines.length));
  const text = lines[lineNumber - 1] ?? '';
  if (column < 1 || column > text.length) {
    // The whole line without surrounding spaces.
    const from = text.length - text.trimStart().length;
    return { line: lineNumber, from, to: Math.max(from, text.trimEnd().length) };
  }
  const from = column - 1;
  const word = /^[A-Za-z_]\w*/.exec(text.slice(from));
  const to = length > 0 ? from + length : from + (word?.[0].length ?? 1);
  return { line: lineNumber, from, to: Math.min(to, text.length) };
}
