// Finds where a WGSL text reads and writes arrays in buffers and in workgroup memory.

import type { AccessSite } from '../theory/access-steps.ts';
import type { WgslFunction, WgslFunctions, WgslToken } from './wgsl-functions.ts';

/** An array that a WGSL text declares outside of its functions. */
export interface DeclaredArray {
  readonly name: string;
  readonly space: AccessSite['space'];
  /** the name of its buffer in the kernel's plan; null for workgroup memory */
  readonly buffer: string | null;
  /** the element type as written, without spaces */
  readonly element: string;
}

/** The arrays that a text declares. `bindings`: the names of the kernel's buffers, by binding. */
export function declaredArrays(
  { tokens, functions }: WgslFunctions,
  bindings: readonly string[],
): readonly DeclaredArray[] {
  const arrays: DeclaredArray[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const body = functions.find(({ open, close }) => i > open && i < close);
    // Declarations inside functions are skipped.
    if (body) i = body.close;
    const space = tokens.at(i + 2)?.text;
    if (tokens[i].text !== 'var' || (space !== 'storage' && space !== 'workgroup')) continue;
    let nameToken = i + 3;
    while (tokens[nameToken - 1].text !== '>') nameToken++;
    let end = nameToken;
    while (end < tokens.length && tokens[end].text !== ';') end++;
    const type = tokens.slice(nameToken + 2, end).map(({ text }) => text);
    if (type[0] !== 'array') continue;
    const buffer = space === 'storage' ? (bindings[bindingBefore(tokens, i)] ?? null) : null;
    arrays.push({ name: tokens[nameToken].text, space, buffer, element: elementOf(type.slice(2)) });
  }
  return arrays;
}

/** The element type at the beginning of these tokens, up to the comma or bracket that ends it. */
function elementOf(type: readonly string[]): string {
  let depth = 0;
  let end = 0;
  for (; end < type.length; end++) {
    if (type[end] === '<') depth++;
    if (type[end] === '>' && --depth < 0) break;
    if (type[end] === ',' && depth === 0) break;
  }
  return type.slice(0, end).join('');
}

/** The n of '@binding(n)' before the declaration at token `declaration`; -1 without one. */
function bindingBefore(tokens: readonly WgslToken[], declaration: number): number {
  for (let i = declaration - 1; i > 0 && tokens[i].text !== ';' && tokens[i].text !== '}'; i--) {
    if (tokens[i].text === 'binding') return Number.parseInt(tokens[i + 2].text, 10);
  }
  return -1;
}

/**
 * The index expressions on `arrays` in a function; `open`, `close`: the tokens of their brackets. Local variables of
 * the same name are excluded.
 */
export function indexExpressions(
  { tokens }: WgslFunctions,
  fn: WgslFunction,
  arrays: ReadonlyMap<string, unknown>,
): readonly { readonly open: number; readonly close: number; readonly name: string }[] {
  const shadowed = shadowedRanges(tokens, fn, arrays);
  const expressions: { readonly open: number; readonly close: number; readonly name: string }[] = [];
  for (let i = fn.open + 1; i < fn.close; i++) {
    const { text } = tokens[i];
    if (!arrays.has(text) || tokens[i + 1].text !== '[' || tokens[i - 1].text === '.') continue;
    if (shadowed.some(({ name, from, to }) => name === text && i > from && i < to)) continue;
    expressions.push({ open: i + 1, close: closingToken(tokens, i + 1), name: text });
  }
  return expressions;
}

/**
 * Where a variable or parameter of the function shadows an array of the same name: from the end of its declaration to
 * the end of its block.
 */
function shadowedRanges(
  tokens: readonly WgslToken[],
  fn: WgslFunction,
  names: ReadonlyMap<string, unknown>,
): readonly { readonly name: string; readonly from: number; readonly to: number }[] {
  const shadowed: { readonly name: string; readonly from: number; readonly to: number }[] = [];
  for (let i = fn.paramsOpen + 1; i < fn.paramsClose; i++) {
    const { text } = tokens[i];
    if (names.has(text) && tokens[i + 1].text === ':') shadowed.push({ name: text, from: fn.open, to: fn.close });
  }
  const blocks: number[] = [];
  for (let i = fn.open; i < fn.close; i++) {
    const { text } = tokens[i];
    if (text === '{') blocks.push(i);
    if (text === '}') blocks.pop();
    if ((text !== 'let' && text !== 'var' && text !== 'const') || !names.has(tokens[i + 1].text)) continue;
    let from = i;
    while (from < fn.close && tokens[from].text !== ';') from++;
    shadowed.push({ name: tokens[i + 1].text, from, to: closingToken(tokens, blocks.at(-1) ?? fn.open) });
  }
  return shadowed;
}

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** The index of the token that closes the bracket at token `open`. */
function closingToken(tokens: readonly WgslToken[], open: number): number {
  const [opens, closes] = [tokens[open].text, CLOSING[tokens[open].text]];
  let depth = 0;
  for (let i = open; i < tokens.length; i++) {
    if (tokens[i].text === opens) depth++;
    if (tokens[i].text === closes && --depth === 0) return i;
  }
  return tokens.length - 1;
}

/**
 * Whether the element whose index ends at token `close` is assigned to: after it and its components comes '=', or an
 * operator such as '+='.
 */
export function isWritten(tokens: readonly WgslToken[], close: number): boolean {
  let i = close + 1;
  for (;;) {
    if (tokens[i].text === '.') i += 2;
    else if (tokens[i].text === '[') i = closingToken(tokens, i) + 1;
    else break;
  }
  const [a, b, c] = [tokens[i], tokens[i + 1], tokens[i + 2]].map((token) => token?.text ?? '');
  if (a === '=') return b !== '=';
  return (/^[-+*/%&|^]$/.test(a) && b === '=') || ((a === '<' || a === '>') && a === b && c === '=');
}
