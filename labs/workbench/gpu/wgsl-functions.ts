/* Finds the functions, loops and calls in a WGSL text, and inserts text there. */

/** A token of WGSL: a word, a number or a sign, without comments and white space. */
export interface WgslToken {
  readonly text: string;
  /** offset in the text, in UTF-16 units */
  readonly offset: number;
}

/** A loop, by the indices of the tokens of its keyword and of its body's braces. */
export interface WgslLoop {
  readonly keyword: 'for' | 'while' | 'loop';
  readonly start: number;
  readonly open: number;
  readonly close: number;
}

/** A function that is declared at module scope. */
export interface WgslFunction {
  readonly name: string;
  /** indices of tokens: the parentheses of its parameters, and the braces of its body */
  readonly paramsOpen: number;
  readonly paramsClose: number;
  readonly open: number;
  readonly close: number;
  /** the return type as written; null for none */
  readonly returns: string | null;
  readonly isEntry: boolean;
  readonly loops: readonly WgslLoop[];
}

/** The functions of a WGSL text, with the tokens that their positions refer to. */
export interface WgslFunctions {
  readonly code: string;
  readonly tokens: readonly WgslToken[];
  readonly functions: readonly WgslFunction[];
}

const WORD = /[\p{XID_Start}_]\p{XID_Continue}*/uy;
/** WGSL's white space, including two direction marks, and every other blank, which a compiler rejects. */
const BLANK = /[\s\u0085\u200e\u200f]/;
/** A number with its suffix: no word begins inside it. */
const NUMBER = /(?:0[xX][\da-fA-F.]+(?:[pP][+-]?\d+)?|\d[\d.]*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)[iufh]?/y;

export const OPEN_COMMENT = '/*';

/**
 * Returns the tokens of a text: words, numbers, and every other sign as a single character. Line comments, and block
 * comments, which nest, are skipped.
 */
export function wgslTokens(code: string): readonly WgslToken[] {
  const tokens: WgslToken[] = [];
  let position = 0;
  while (position < code.length) {
    if (code.startsWith('//', position)) {
      position = lineEnd(code, position);
    } else if (code.startsWith('/*', position)) {
      const end = commentEnd(code, position);
      // Only the beginning of an unterminated comment is a token: no valid program has it.
      if (end === null) tokens.push({ text: OPEN_COMMENT, offset: position });
      position = end ?? code.length;
    } else if (BLANK.test(code[position])) {
      position++;
    } else {
      const text = match(WORD, code, position) ?? match(NUMBER, code, position) ?? code[position];
      tokens.push({ text, offset: position });
      position += text.length;
    }
  }
  return tokens;
}

/** WGSL ends a line at any of these. */
const LINE_END = /[\n\v\f\r\u0085\u2028\u2029]/g;

/** The end of the line that contains a position. */
function lineEnd(code: string, position: number): number {
  LINE_END.lastIndex = position;
  return LINE_END.exec(code)?.index ?? code.length;
}

/** The end of the block comment that starts at a position; comments nest. null: it does not end. */
function commentEnd(code: string, position: number): number | null {
  let depth = 0;
  for (let i = position; i < code.length; i++) {
    if (code.startsWith('/*', i)) {
      depth++;
      i++;
    } else if (code.startsWith('*/', i)) {
      depth--;
      i++;
      if (depth === 0) return i + 1;
    }
  }
  return null;
}

/** What a sticky pattern matches at a position, or null. */
function match(pattern: RegExp, code: string, position: number): string | null {
  pattern.lastIndex = position;
  return pattern.exec(code)?.[0] ?? null;
}

/**
 * The functions of a text with their loops. The text must have been accepted by a WGSL compiler: in any other, unclosed
 * constructs are skipped.
 */
export function wgslFunctions(code: string): WgslFunctions {
  const tokens = wgslTokens(code);
  const closings = closingTokens(tokens);
  const functions: WgslFunction[] = [];
  let begin = 0;
  for (let i = 0; i < tokens.length; i++) {
    const { text } = tokens[i];
    if (text === 'fn') {
      const fn = functionAt(tokens, closings, i, begin);
      if (!fn) break;
      functions.push(fn);
      i = fn.close;
      begin = i + 1;
    } else if (text === ';' || text === '}') begin = i + 1;
  }
  return { code, tokens, functions };
}

/** Returns the index of the closing token for each opening parenthesis, bracket or brace, by its index. */
function closingTokens(tokens: readonly WgslToken[]): ReadonlyMap<number, number> {
  const openers: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };
  const open: number[] = [];
  const closings = new Map<number, number>();
  for (const [i, { text }] of tokens.entries()) {
    if (text === '(' || text === '[' || text === '{') open.push(i);
    const opener = openers[text];
    if (opener === undefined) continue;
    const last = open.pop();
    if (last !== undefined && tokens[last].text === opener) closings.set(last, i);
  }
  return closings;
}

/** Returns the function whose keyword `fn` is token number `fn`; null if it has no parameters or body. */
function functionAt(
  tokens: readonly WgslToken[],
  closings: ReadonlyMap<number, number>,
  fn: number,
  attributesFrom: number,
): WgslFunction | null {
  const paramsOpen = fn + 2;
  const paramsClose = closings.get(paramsOpen);
  if (paramsClose === undefined) return null;
  const open = firstBrace(tokens, closings, paramsClose + 1);
  const close = open === null ? undefined : closings.get(open);
  if (open === null || close === undefined) return null;
  const isEntry = tokens
    .slice(attributesFrom, fn)
    .some(({ text }, i, attributes) => text === 'compute' && attributes[i - 1]?.text === '@');
  return {
    name: tokens[fn + 1].text,
    paramsOpen,
    paramsClose,
    open,
    close,
    returns: returnType(tokens, closings, paramsClose + 1, open),
    isEntry,
    loops: loopsIn(tokens, closings, open, close),
  };
}

/** The type after '->', without its attributes and comments, in one line. */
function returnType(
  tokens: readonly WgslToken[],
  closings: ReadonlyMap<number, number>,
  from: number,
  open: number,
): string | null {
  if (tokens[from]?.text !== '-') return null;
  let first = from + 2;
  while (tokens[first].text === '@') {
    first += 2;
    const end = closings.get(first);
    if (end !== undefined) first = end + 1;
  }
  return tokens
    .slice(first, open)
    .map(({ text }) => text)
    .join('');
}

/** The opening brace of a function or loop, after the parentheses of its head; null if there is none. */
function firstBrace(tokens: readonly WgslToken[], closings: ReadonlyMap<number, number>, from: number): number | null {
  for (let i = from; i < tokens.length; i++) {
    const { text } = tokens[i];
    if (text === '{') return i;
    if (text === ';' || text === '}' || isLoop(text)) return null;
    if (text === '(' || text === '[') i = closings.get(i) ?? tokens.length;
  }
  return null;
}

/** The loops among the tokens from `from` up to `to`, outer and inner ones, in the order of their keywords. */
function loopsIn(
  tokens: readonly WgslToken[],
  closings: ReadonlyMap<number, number>,
  from: number,
  to: number,
): readonly WgslLoop[] {
  const loops: WgslLoop[] = [];
  for (let start = from; start < to; start++) {
    const keyword = tokens[start].text;
    if (!isLoop(keyword)) continue;
    const open = firstBrace(tokens, closings, start + 1);
    const close = open === null ? undefined : closings.get(open);
    // A later loop cannot have a body either, since the text does not compile.
    if (open === null || close === undefined) break;
    loops.push({ keyword, start, open, close });
  }
  return loops;
}

/** Whether a word begins a loop; WGSL allows none of these words as a name. */
export function isLoop(word: string): word is WgslLoop['keyword'] {
  return word === 'for' || word === 'while' || word === 'loop';
}

/** The calls in a function or loop, each by the index of its token. */
export function callsIn(
  { tokens }: WgslFunctions,
  { open, close }: Pick<WgslFunction, 'open' | 'close'>,
): readonly { readonly at: number; readonly name: string }[] {
  const calls: { readonly at: number; readonly name: string }[] = [];
  for (let index = open + 1; index < close; index++) {
    if (tokens[index + 1].text === '(' && /^[\p{XID_Start}_]/u.test(tokens[index].text))
      calls.push({ at: index, name: tokens[index].text });
  }
  return calls;
}

/** Text that is inserted into a file at an offset. */
export interface Insertion {
  readonly offset: number;
  readonly text: string;
  /** number of characters after the offset that it replaces; absent: none */
  readonly drop?: number;
}

/** The code with all insertions. */
export function withInsertions(code: string, insertions: readonly Insertion[]): string {
  let result = '';
  let from = 0;
  for (const { offset, text, drop = 0 } of insertions.toSorted((a, b) => a.offset - b.offset)) {
    result += code.slice(from, offset) + text;
    from = offset + drop;
  }
  return result + code.slice(from);
}

/** The line of an offset in a text, from 1. */
export function lineOf(code: string, position: number): number {
  return code.slice(0, position).split('\n').length;
}
