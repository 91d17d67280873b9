/**
 * Reads the arithmetic that a text states: checks its equations, and lists its numbers with the text before and after them.
 * Nothing here depends on a format or a story.
 */

/** The text with plain minus signs and decimal fractions, without digit-group separators and emphasis. */
export function plainText(text: string): string {
  return text
    .replaceAll(/(?<=\d)\u202f(?=\d)/g, '')
    .replaceAll('\u00a0', ' ')
    .replaceAll(/[*\u202f]/g, '')
    .replaceAll('\u2212', '-')
    .replaceAll('\u00bd', '0.5')
    .replaceAll('\u00bc', '0.25')
    .replaceAll(/(^|[^\d\w])(-?)\.(\d)/g, '$1$20.$3');
}

/**
 * A number, a word, an operator, a bracket, or any other character: '2 × 1.5 bytes' is '2', '×', '1.5', 'bytes'. The
 * lookbehind makes a minus an operator after a letter, a digit or a dot: '4-3' is '4', '-', '3', but '4 × -3' ends with
 * '-3'. The lookahead splits a number before a colon, the name of a pattern, into characters: '16:8' is '1', '6', ':', '8'.
 */
const TOKEN = /(?<![\w.])-?\d+(?:\.\d+)?(?:e-?\d+)?(?![\d:])|[a-z\u2019\u201c\u201d'"?%]+|[+\u00d7/()]|-|\[|\]|,|\S/giu;

/** The largest rounding error of a printed number: half a unit of its last decimal; 0 for a whole number. */
const roundingErrorOf = (printed: string): number => {
  const decimals = /\.(\d+)/.exec(printed)?.[1].length;
  return decimals === undefined ? 0 : 0.5 * 10 ** -decimals;
};

/** The value of an expression, and the largest error that rounded operands may cause. */
interface Value {
  readonly value: number;
  readonly maxError: number;
}

/** Numbers, words and operators of a part of a text. Words are units, which do not change a value. */
type Tokens = readonly string[];

const isNumber = (token: string | undefined): boolean => token !== undefined && /^-?\d/.test(token);
const isUnit = (token: string | undefined): boolean => token !== undefined && /^[a-z\u2019%]+$/i.test(token);

/** The value of tokens that are one expression, with units after its numbers; null if they are no expression. */
function valueOf(tokens: Tokens): Value | null {
  let position = 0;
  const skipUnits = (): void => {
    while (isUnit(tokens[position])) position++;
  };
  const factor = (): Value | null => {
    if (tokens[position] === '(') {
      position++;
      const inner = sum();
      if (inner === null || tokens[position] !== ')') return null;
      position++;
      skipUnits();
      return inner;
    }
    const token = tokens[position];
    if (!isNumber(token)) return null;
    position++;
    skipUnits();
    return { value: Number(token), maxError: roundingErrorOf(token) };
  };
  const product = (): Value | null => {
    let result = factor();
    while (result && (tokens[position] === '\u00d7' || tokens[position] === '/')) {
      const divides = tokens[position] === '/';
      position++;
      const operand = factor();
      if (!operand) return null;
      // A division is a product with the reciprocal.
      const multiplier = divides
        ? { value: 1 / operand.value, maxError: operand.maxError / operand.value ** 2 }
        : operand;
      const maxError = Math.abs(result.value) * multiplier.maxError + Math.abs(multiplier.value) * result.maxError;
      result = { value: result.value * multiplier.value, maxError };
    }
    return result;
  };
  const sum = (): Value | null => {
    let total = product();
    while (total && (tokens[position] === '+' || tokens[position] === '-')) {
      const sign = tokens[position] === '+' ? 1 : -1;
      position++;
      const summand = product();
      if (!summand) return null;
      total = { value: total.value + sign * summand.value, maxError: total.maxError + summand.maxError };
    }
    return total;
  };
  const value = sum();
  return position === tokens.length ? value : null;
}

/** The end of a clause. */
const CLAUSE_END = /[.;:,](?=\s|$)|\?/;

const tokensOf = (text: string): Tokens => [...text.matchAll(TOKEN)].map(([token]) => token);

/** The longest expression at the end or at the start of a text, with its units. */
function expressionIn(text: string, side: 'end' | 'start'): { readonly tokens: Tokens; readonly value: Value } | null {
  const clauses = text.split(CLAUSE_END);
  const tokens = tokensOf((side === 'end' ? clauses.at(-1) : clauses[0]) ?? '');
  for (let i = 0; i < tokens.length; i++) {
    const part = side === 'end' ? tokens.slice(i) : tokens.slice(0, tokens.length - i);
    // Words before the first number are no units of it.
    const start = side === 'start' ? part.findIndex((token) => !isUnit(token)) : 0;
    const expression = part.slice(Math.max(0, start));
    const value = isNumber(expression[0]) || expression[0] === '(' ? valueOf(expression) : null;
    if (value) return { tokens: expression, value };
  }
  return null;
}

const hasUnit = (tokens: Tokens, unit: RegExp): boolean => tokens.some((token) => unit.test(token));

/** Messages about the equations of a text that are false, and the number of all its equations. */
export function falseEquations(text: string): { readonly messages: readonly string[]; readonly count: number } {
  const cleanText = plainText(text);
  const parts = cleanText.split(/[=\u2248]/);
  const signs = cleanText.match(/[=\u2248]/g) ?? [];
  let count = 0;
  const messages = signs.flatMap((sign, i): string[] => {
    const [before, after] = [parts[i], parts[i + 1]];
    // 'indices[3] = 5' and '1.5 × x[3] = 3' name elements of arrays.
    if (/\]\s*$/.test(before)) return [];
    const leftSide = expressionIn(before, 'end');
    const rightSide = expressionIn(after, 'start');
    // 'time, dense = 1' defines a unit.
    if (!leftSide || !rightSide) return [];
    count++;
    // 8 if the left side is in bits and the right side in bytes.
    const bitsPerByte = hasUnit(leftSide.tokens, /^bits?$/) && hasUnit(rightSide.tokens, /^(B|bytes?)$/) ? 8 : 1;
    const difference = Math.abs(leftSide.value.value / bitsPerByte - rightSide.value.value);
    // Only '≈' allows for the rounding of printed numbers.
    const maxError = sign === '=' ? 0 : leftSide.value.maxError / bitsPerByte + rightSide.value.maxError;
    return difference <= maxError + 1e-9 * Math.abs(rightSide.value.value)
      ? []
      : [`${cleanText}: found ${leftSide.value.value / bitsPerByte}`];
  });
  return { messages, count };
}

/** A number of a text, and the text around it. */
export interface StatedNumber {
  /** as printed, without digit-group separators, with a sign `<` or `>` directly before it */
  readonly printed: string;
  /** all text before it */
  readonly before: string;
  /** all text after it */
  readonly after: string;
}

/** All numbers of a text, but for parts of names such as '6:8' and 'i8'. */
export function numbersIn(text: string): readonly StatedNumber[] {
  const cleanText = plainText(text);
  // The lookbehind excludes a number after a letter, digit, dot, colon, bracket or minus: 8 in 'i8' and '6:8', 3 in 'x[3]'.
  // The lookaheads exclude a number before a colon or '-bit': 6 in '6:8', 4 in '4-bit'.
  return [...cleanText.matchAll(/(?<![\w.:[-])[<>]?-?\d+(?:\.\d+)?(?:e-?\d+)?(?![:\d]\d?)(?!-bit)/g)].map((match) => ({
    printed: match[0],
    before: cleanText.slice(0, match.index),
    after: cleanText.slice(match.index + match[0].length),
  }));
}
