/** A word or a sign of WGSL that is no comment and no white space. */
export interface WgslToken {
  readonly text: string;
  /** offset in the text, in UTF-16 units */
  readonly at: number;
}

/** A loop: its body's opening brace is a token. */
export interface WgslLoop {
  readonly keyword: 'for' | 'while' | 'loop';
  /** tokens: of the keyword, and of the body's braces */
  readonly start: number;
  readonly open: number;
  readonly close: number;
}

/** A function that is declared at module scope. */
export interface WgslFunction {
  readonly name: string;
  /** tokens: the parentheses of its parameters, and the braces of its body */
  readonly paramsOpen: number;
  readonly paramsClose: number;
  readonly open: number;
  readonly close: number;
  /** the type that it returns as it is written; null for none */
  readonly returns: string | null;
  readonly isEntry: boolean;
  readonly loops: readonly WgslLoop[];
}

/** The functions of a text, with the tokens that their places count in. */
export interface WgslFunctions {
  readonly code: string;
  readonly tokens: readonly WgslToken[];
  readonly functions: readonly WgslFunction[];
}

const WORD = /[\p{XID_Start}_]\p{XID_Continue}*/uy;
/** A number with its suffix: no word begins inside it. */
const NUMBER = /(?:0[xX][\da-fA-F.]+(?:[pP][+-]?\d+)?|\d[\d.]*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)[iufh]?/y;

/** The tokens of a text: words, numbers, and every other sign by itself. Line comments, and block comments, which nest, are left out. */
export function wgslTokens(code: string): readonly WgslToken[] {
  const tokens: WgslToken[] = [];
  let at = 0;
  while (at < code.length) {
    if (code.startsWith('//', at)) {
      at = lineEnd(code, at);
    } else if (code.startsWith('/*', at)) {
      at = commentEnd(code, at);
    } else if (/\s/.test(code[at])) {
      at++;
    } else {
      const text = match(WORD, code, at) ?? match(NUMBER, code, at) ?? code[at];
      tokens.push({ text, at });
      at += text.length;
    }
  }
  return tokens;
}

/** WGSL ends a line at any of these. */
const LINE_END = /[\n\v\f\r\u0085\u2028\u2029]/g;

function lineEnd(code: string, at: number): number {
  LINE_END.lastIndex = at;
  return LINE_END.exec(code)?.index ?? code.length;
}

function commentEnd(code: string, at: number): number {
  let depth = 0;
  for (let i = at; i < code.length; i++) {
    if (code.startsWith('/*', i)) {
      depth++;
      i++;
    } else if (code.startsWith('*/', i)) {
      depth--;
      i++;
      if (depth === 0) return i + 1;
    }
  }
  return code.length;
}

function match(pattern: RegExp, code: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(code)?.[0] ?? null;
}

/**
 * The functions of a text with their loops. The text is one that a WGSL compiler has accepted: of any other, what is not
 * closed is left out.
 */
export function wgslFunctions(code: string): WgslFunctions {
  const tokens = wgslTokens(code);
  const partner = partners(tokens);
  const functions: WgslFunction[] = [];
  let begin = 0;
  for (let i = 0; i < tokens.length; i++) {
    const { text } = tokens[i];
    if (text === 'fn') {
      const found = functionAt(code, tokens, partner, i, begin);
      if (!found) break;
      functions.push(found);
      i = found.close;
      begin = i + 1;
    } else if (text === ';' || text === '}') begin = i + 1;
  }
  return { code, tokens, functions };
}

/** For every opening parenthesis, bracket and brace the token that closes it. */
function partners(tokens: readonly WgslToken[]): ReadonlyMap<number, number> {
  const closing: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };
  const open: number[] = [];
  const found = new Map<number, number>();
  for (const [i, { text }] of tokens.entries()) {
    if (text === '(' || text === '[' || text === '{') open.push(i);
    const opener = closing[text];
    if (opener === undefined) continue;
    const last = open.pop();
    if (last !== undefined && tokens[last].text === opener) found.set(last, i);
  }
  return found;
}

function functionAt(
  code: string,
  tokens: readonly WgslToken[],
  partner: ReadonlyMap<number, number>,
  fn: number,
  attributesFrom: number,
): WgslFunction | null {
  const paramsOpen = fn + 2;
  const paramsClose = partner.get(paramsOpen);
  if (paramsClose === undefined) return null;
  const open = firstBrace(tokens, partner, paramsClose + 1);
  const close = open === null ? undefined : partner.get(open);
  if (open === null || close === undefined) return null;
  const isEntry = tokens
    .slice(attributesFrom, fn)
    .some(({ text }, i, all) => text === 'compute' && all[i - 1]?.text === '@');
  return {
    name: tokens[fn + 1].text,
    paramsOpen,
    paramsClose,
    open,
    close,
    returns: returnType(code, tokens, partner, paramsClose + 1, open),
    isEntry,
    loops: loopsIn(tokens, partner, open, close),
  };
}

/** The type behind '->', without its attributes. */
function returnType(
  code: string,
  tokens: readonly WgslToken[],
  partner: ReadonlyMap<number, number>,
  from: number,
  open: number,
): string | null {
  if (tokens[from]?.text !== '-') return null;
  let first = from + 2;
  while (tokens[first].text === '@') {
    first += 2;
    const end = partner.get(first);
    if (end !== undefined) first = end + 1;
  }
  return code.slice(tokens[first].at, tokens[open].at).trim();
}

/** The first brace that is not inside parentheses or brackets. */
function firstBrace(tokens: readonly WgslToken[], partner: ReadonlyMap<number, number>, from: number): number | null {
  for (let i = from; i < tokens.length; i++) {
    if (tokens[i].text === '{') return i;
    if (tokens[i].text === '(' || tokens[i].text === '[') i = partner.get(i) ?? tokens.length;
  }
  return null;
}

function loopsIn(
  tokens: readonly WgslToken[],
  partner: ReadonlyMap<number, number>,
  from: number,
  to: number,
): readonly WgslLoop[] {
  const loops: WgslLoop[] = [];
  for (let start = from; start < to; start++) {
    const keyword = tokens[start].text;
    if (keyword !== 'for' && keyword !== 'while' && keyword !== 'loop') continue;
    const open = firstBrace(tokens, partner, start + 1);
    const close = open === null ? undefined : partner.get(open);
    if (open !== null && close !== undefined) loops.push({ keyword, start, open, close });
  }
  return loops;
}
