import { f16Value } from '../src/core/number/index.ts';
import { valueText } from '../src/core/text/words.ts';

/**
 * Checks narrations: a test of a format computes the text of every step of its story a second time, from rules and facts. A
 * rule is a text with named fields. Its facts are computed from the window and the encoded arrays, without the story's code.
 */

/** A value in a text: a whole number, or a text with its rounding, made by the functions below. */
export type Fact = number | { readonly text: string };

export type Facts = Readonly<Record<string, Fact>>;

/** A rule with its facts. A step has one or several of them. */
export type Statement = readonly [rule: string, facts?: Facts];

/** A value in at most six characters. */
export const value = (number: number): Fact => ({ text: valueText(number) });

/** A number with `digits` decimals. */
export const decimals = (number: number, digits: number): Fact => ({ text: number.toFixed(digits) });

/** A share in per cent, rounded to a whole one. */
export const percent = (part: number, whole: number): Fact => ({ text: String(Math.round((100 * part) / whole)) });

/** Values or names as a list in a text: a, b and c. */
export const listed = (items: readonly (number | Fact)[]): Fact => {
  const texts = items.map((item) => (typeof item === 'object' ? item.text : whole(item)));
  return {
    text: texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} and ${texts[texts.length - 1]}`,
  };
};

/** Numbers in brackets or in a formula, one after the other. */
export const joined = (items: readonly (number | Fact)[], between: string): Fact => ({
  text: items.map((item) => (typeof item === 'object' ? item.text : whole(item))).join(between),
});

/** A name that a rule gets from a parameter: 'f16'. */
export const name = (text: string): Fact => ({ text });

function whole(number: number): string {
  if (!Number.isInteger(number)) throw new Error(`found ${number}, expected a whole number or a rounding`);
  return String(number);
}

/** A field of a rule: {name}, {name noun}, {name noun|nouns}, or {name:is|are} for a word that depends on the number. */
const FIELD = /\{(\w+)(?:([ :])([^}|]+)(?:\|([^}]+))?)?\}/g;

/** Digits that are part of a name. */
const NAMES = /\b(?:b?f16|f32|i8|i4|M = 1|[Tt]heorem [12]|[Aa]lgorithm 1|Qwen3-1\.7B|L1)\b|\b[1-9]:[1-9]\b/g;

/** The text of a rule with its facts inserted. Throws if a field lacks its fact, or a fact its field. */
export function sentenceOf([rule, facts = {}]: Statement): string {
  const usedFacts = new Set<string>();
  const text = rule.replace(FIELD, (_, fact: string, mark?: string, singular?: string, plural?: string) => {
    const factValue = facts[fact] as Fact | undefined;
    if (factValue === undefined) throw new Error(`${rule}: found no fact '${fact}'`);
    usedFacts.add(fact);
    const number = typeof factValue === 'object' ? factValue.text : whole(factValue);
    if (mark === undefined || singular === undefined) return number;
    const word = number === '1' ? singular : (plural ?? `${singular}s`);
    return mark === ':' ? word : `${number} ${word}`;
  });
  const unusedFacts = Object.keys(facts).filter((fact) => !usedFacts.has(fact));
  if (unusedFacts.length > 0) throw new Error(`${rule}: found facts that it does not name: ${unusedFacts.join(', ')}`);
  const ruleWithoutFields = rule.replace(FIELD, '').replace(NAMES, '');
  if (/\d/.test(ruleWithoutFields)) throw new Error(`${rule}: found a number without a fact`);
  return text;
}

/** A number for a comparison: without the narrow spaces between groups of digits. */
const withoutGroupSpaces = (text: string): string => text.replace(/(?<=\d)\u202f(?=\d)/g, '');

/** Compares the text of a step with the expected text; null if they agree. If only facts differ, the message names them. */
export function mismatch(text: string, expected: readonly Statement[]): string | null {
  const expectedText = expected.map(sentenceOf).join('');
  if (withoutGroupSpaces(text) === withoutGroupSpaces(expectedText)) return null;
  const names: string[] = [];
  const escaped = (words: string): string => words.replace(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
  // The rule 'Row {row} has {n slot}' becomes the pattern 'Row ([^ ].*?) has ([^ ].*?) (?:slot|slots)'.
  let pattern = '';
  for (const [rule] of expected) {
    let end = 0;
    for (const match of rule.matchAll(FIELD)) {
      const [field, fact, mark, singular, plural] = match;
      pattern += escaped(rule.slice(end, match.index));
      end = match.index + field.length;
      const words = mark === undefined ? '' : `(?:${escaped(singular)}|${escaped(plural ?? `${singular}s`)})`;
      if (mark !== ':') names.push(fact);
      pattern += mark === ':' ? words : `([^ ].*?)${words && ` ${words}`}`;
    }
    pattern += escaped(rule.slice(end));
  }
  const textMatch = new RegExp(`^${pattern}$`).exec(withoutGroupSpaces(text));
  if (!textMatch) return `follows no rule: found '${text}', expected '${expectedText}'`;
  const expectedMatch = new RegExp(`^${pattern}$`).exec(withoutGroupSpaces(expectedText));
  const differences = names.flatMap((fact, i) => {
    const [foundPart, expectedPart] = [textMatch[i + 1], expectedMatch?.[i + 1]];
    return foundPart === expectedPart ? [] : [`${fact}: found ${foundPart}, expected ${expectedPart}`];
  });
  return `${differences.join('; ') || 'a word differs'}, in '${text}', expected '${expectedText}'`;
}

/** Element of an array of values: 16 bits are an f16. */
export function storedValue(array: ArrayLike<number> & { readonly BYTES_PER_ELEMENT: number }, index: number): number {
  return array.BYTES_PER_ELEMENT === 2 ? f16Value(array[index]) : array[index];
}
