/**
 * The arithmetic that a text states: its equations, and its numbers with the noun that follows or the name before them.
 * It knows no format and no story.
 */

/** The text with plain minus signs and decimal fractions, without digit-group separators, emphasis, and the note on filled words of memory. */
export function plainText(text: string): string {
  return text
    .replaceAll(/(?<=\d)\u202f(?=\d)/g, '')
    .replaceAll('\u00a0', ' ')
    .replaceAll(/[*\u202f]/g, '')
    .replaceAll('\u2212', '-')
    .replaceAll('\u00bd', '0.5')
    .replaceAll('\u00bc', '0.25')
    .replaceAll(/(^|[^\d\w])(-?)\.(\d)/g, '$1$20.$3')
    .replaceAll('to fill words of 4 bytes', '');
}

const TOKEN = /(?<![\w.])-?\d+(?:\.\d+)?(?:e-?\d+)?(?![\d:])|[a-z\u2019\u201c\u201d'"?%]+|[+\u00d7/()]|-|\[|\]|,|\S/giu;

/** The largest rounding error of a printed number: half a unit of its last decimal; 0 for a whole number. */
const slackOf = (printed: string): number => {
  const decimals = /\.(\d+)/.exec(printed)?.[1].length;
  return decimals === undefined ? 0 : 0.5 * 10 ** -decimals;
};

/** The value of an expression, and the largest error that rounded operands may cause. */
interface Value {
  readonly value: number;
  readonly slack: number;
}

/** Numbers, words and operators of a part of a text; words are units, and only separate. */
type Tokens = readonly string[];

const isNumber = (token: string | undefined): boolean => token !== undefined && /^-?\d/.test(token);
const isUnit = (token: string | undefined): boolean => token !== undefined && /^[a-z\u2019%]+$/i.test(token);

/** The value of tokens that are one expression, with units after its numbers; null if they are none. */
function valueOf(tokens: Tokens): Value | null {
  let at = 0;
  const units = (): void => {
    while (isUnit(tokens[at])) at++;
  };
  const factor = (): Value | null => {
    if (tokens[at] === '(') {
      at++;
      const inner = sum();
      if (inner === null || tokens[at] !== ')') return null;
      at++;
      units();
      return inner;
    }
    const token = tokens[at];
    if (!isNumber(token)) return null;
    at++;
    units();
    return { value: Number(token), slack: slackOf(token) };
  };
  const product = (): Value | null => {
    let left = factor();
    while (left && (tokens[at] === '\u00d7' || tokens[at] === '/')) {
      const divides = tokens[at] === '/';
      at++;
      const divisor = factor();
      if (!divisor) return null;
      const right = divides ? { value: 1 / divisor.value, slack: divisor.slack / divisor.value ** 2 } : divisor;
      const slack = Math.abs(left.value) * right.slack + Math.abs(right.value) * left.slack;
      left = { value: left.value * right.value, slack };
    }
    return left;
  };
  const sum = (): Value | null => {
    let left = product();
    while (left && (tokens[at] === '+' || tokens[at] === '-')) {
      const sign = tokens[at] === '+' ? 1 : -1;
      at++;
      const right = product();
      if (!right) return null;
      left = { value: left.value + sign * right.value, slack: left.slack + right.slack };
    }
    return left;
  };
  const whole = sum();
  return at === tokens.length ? whole : null;
}

/** Where clauses end. */
const ENDS = /[.;:,](?=\s|$)|\?/;

const tokensOf = (text: string): Tokens => [...text.matchAll(TOKEN)].map(([token]) => token);

/** The longest expression at the end of a text, or at its beginning, with the words of its units. */
function expressionIn(text: string, side: 'end' | 'start'): { readonly tokens: Tokens; readonly value: Value } | null {
  const clauses = text.split(ENDS);
  const tokens = tokensOf((side === 'end' ? clauses.at(-1) : clauses[0]) ?? '');
  for (let i = 0; i < tokens.length; i++) {
    const part = side === 'end' ? tokens.slice(i) : tokens.slice(0, tokens.length - i);
    const from = side === 'start' ? part.findIndex((token) => !isUnit(token)) : 0;
    const expression = part.slice(Math.max(0, from));
    const value = isNumber(expression[0]) || expression[0] === '(' ? valueOf(expression) : null;
    if (value) return { tokens: expression, value };
  }
  return null;
}

const hasUnit = (tokens: Tokens, unit: RegExp): boolean => tokens.some((token) => unit.test(token));

/** The equations of a text that are false, as texts, and how many there are. */
export function falseEquations(text: string): { readonly wrong: readonly string[]; readonly count: number } {
  const plain = plainText(text);
  const parts = plain.split(/[=\u2248]/);
  const signs = plain.match(/[=\u2248]/g) ?? [];
  let count = 0;
  const wrong = signs.flatMap((sign, i): string[] => {
    const [before, after] = [parts[i], parts[i + 1]];
    // 'indices[3] = 5' and '1.5 × x[3] = 3' name elements of arrays.
    if (/\]\s*$/.test(before)) return [];
    const left = expressionIn(before, 'end');
    const right = expressionIn(after, 'start');
    // 'time, dense = 1' defines a unit.
    if (!left || !right) return [];
    count++;
    const perUnit = hasUnit(left.tokens, /^bits?$/) && hasUnit(right.tokens, /^(B|bytes?)$/) ? 8 : 1;
    const difference = Math.abs(left.value.value / perUnit - right.value.value);
    const slack = sign === '=' ? 0 : left.value.slack / perUnit + right.value.slack;
    return difference <= slack + 1e-9 * Math.abs(right.value.value)
      ? []
      : [`${plain}: found ${left.value.value / perUnit}`];
  });
  return { wrong, count };
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
  const plain = plainText(text);
  return [...plain.matchAll(/(?<![\w.:[-])[<>]?-?\d+(?:\.\d+)?(?:e-?\d+)?(?![:\d]\d?)(?!-bit)/g)].map((match) => ({
    printed: match[0],
    before: plain.slice(0, match.index),
    after: plain.slice(match.index + match[0].length),
  }));
}
