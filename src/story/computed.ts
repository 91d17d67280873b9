import { countText } from '../core/text/words.ts';

/** A number with the arithmetic that gives it, as text: { value: 48, text: '3 × 8 cells × 2 bytes' }. */
export interface Computed {
  readonly value: number;
  readonly text: string;
  /** what its text is: one number, a product, or a sum, which is set in brackets inside a product */
  readonly kind: 'one' | 'product' | 'sum';
}

/** A number, or a result of `of`, `times`, `plus` or `minus`. */
export type Term = number | Computed;

/** A number of things: `of(8, 'cells')` is '8 cells'. */
export function of(value: number, noun: string): Computed {
  const name = value === 1 ? (SINGULARS[noun] ?? noun.replace(/s$/, '')) : noun;
  return { value, text: `${numberText(value)} ${name}`, kind: 'one' };
}

/** Nouns whose singular is not the plural without its last letter. */
const SINGULARS: Readonly<Record<string, string>> = { entries: 'entry' };

/** The product of the terms: '3 × 8 cells × 2 bytes'. */
export function times(...terms: readonly Term[]): Computed {
  return {
    value: terms.reduce<number>((product, term) => product * valueOf(term), 1),
    text: joined(terms, '×'),
    kind: 'product',
  };
}

/** The sum of the terms: '4 + 3 × 2'. */
export function plus(...terms: readonly Term[]): Computed {
  return { value: terms.reduce<number>((sum, term) => sum + valueOf(term), 0), text: joined(terms, '+'), kind: 'sum' };
}

/** The difference of two terms: '32 − 6 weights'. */
export function minus(from: Term, subtracted: Term): Computed {
  // A sum that is subtracted is set in brackets.
  const right = isSum(subtracted) ? `(${textOf(subtracted)})` : textOf(subtracted);
  return { value: valueOf(from) - valueOf(subtracted), text: `${textOf(from)} − ${right}`, kind: 'sum' };
}

/** Text with the result: '3 × 8 cells × 2 bytes = 48'; of one number only the number: '6 weights'. */
export function workingOf({ value, text, kind }: Computed): string {
  return kind === 'one' ? text : `${text} = ${numberText(value)}`;
}

const valueOf = (term: Term): number => (typeof term === 'number' ? term : term.value);
const isSum = (term: Term): boolean => typeof term !== 'number' && term.kind === 'sum';
const textOf = (term: Term): string => (typeof term === 'number' ? numberText(term) : term.text);
const numberText = (value: number): string =>
  Number.isInteger(value) ? countText(value) : String(Number(value.toPrecision(3)));

function joined(terms: readonly Term[], sign: '×' | '+'): string {
  return terms.map((term) => (sign === '×' && isSum(term) ? `(${textOf(term)})` : textOf(term))).join(` ${sign} `);
}
