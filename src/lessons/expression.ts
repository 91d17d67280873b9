import { countText } from '../core/text/words.ts';
import { LessonError } from './lesson.ts';

/** Returns the number of a name: 'rows', 'bytes.values', 'indptr[3]'. Throws LessonError for an unknown name. */
export type Lookup = (name: string) => number;

/** A number, a name, or an operator or parenthesis. */
const TOKEN = /\s*(?:(\d+(?:\.\d+)?)|([A-Za-z][\w-]*(?:\.[A-Za-z]\w*)*(?:\[\d+\])?)|([-+−*×/^()]))/y;

/**
 * The value of an expression in a lesson's text, formatted: 'rows × cols × 2', '2 ^ deltaBits', 'bytes / dense : 2'
 * with two decimals. Without decimals, a fraction is an error, so that rounding is always explicit. Throws LessonError.
 */
export function numberText(text: string, lookup: Lookup): string {
  const [, expression, decimals] = /^(.*?)(?:\s*:\s*(\d))?$/.exec(text) ?? ['', text];
  const value = evaluate(expression, lookup);
  if (decimals !== undefined && decimals !== '0') return value.toFixed(Number(decimals));
  if (decimals === undefined && !Number.isInteger(value)) {
    throw new LessonError(`{${text}}: found ${value}, expected a whole number, or ': 2' behind it for two decimals`);
  }
  return countText(value);
}

/** The names in an expression. */
export function namesIn(text: string): readonly string[] {
  return tokensOf(text.replace(/\s*:\s*\d$/, '')).filter((token) => /^[A-Za-z]/.test(token));
}

/** The value of an expression of + − × / ^ and parentheses, with the usual precedence. Throws LessonError. */
export function evaluate(text: string, lookup: Lookup): number {
  const tokens = tokensOf(text);
  let at = 0;
  const fail = (found: string | undefined): never => {
    throw new LessonError(
      `{${text}}: found ${found === undefined ? 'its end' : `'${found}'`}, expected a number or a name`,
    );
  };
  const atom = (): number => {
    const token = tokens[at++];
    if (token === '(') {
      const inner = sum();
      if (tokens[at++] !== ')') fail(tokens[at - 1]);
      return inner;
    }
    if (token === undefined || /^[+−×/^)]/.test(token)) return fail(token);
    return /^\d/.test(token) ? Number(token) : lookup(token);
  };
  const power = (): number => {
    const base = atom();
    if (tokens[at] !== '^') return base;
    at++;
    return base ** power();
  };
  const product = (): number => {
    let value = power();
    for (let operator = tokens[at]; operator === '×' || operator === '/'; operator = tokens[at]) {
      at++;
      const right = power();
      value = operator === '×' ? value * right : value / right;
    }
    return value;
  };
  const sum = (): number => {
    let value = product();
    for (let operator = tokens[at]; operator === '+' || operator === '−'; operator = tokens[at]) {
      at++;
      const right = product();
      value = operator === '+' ? value + right : value - right;
    }
    return value;
  };
  const value = sum();
  if (at < tokens.length) fail(tokens[at]);
  return value;
}

/** Operators by their characters. */
const TYPED: Readonly<Record<string, string>> = { '-': '−', '*': '×' };

function tokensOf(text: string): readonly string[] {
  const tokens: string[] = [];
  const token = new RegExp(TOKEN);
  while (token.lastIndex < text.trimEnd().length) {
    const from = token.lastIndex;
    const match = token.exec(text);
    if (!match) throw new LessonError(`{${text}}: found '${text.slice(from)}', expected names, numbers and + − × / ^`);
    tokens.push(match[1] ?? match[2] ?? TYPED[match[3]] ?? match[3]);
  }
  return tokens;
}
