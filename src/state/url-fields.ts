import { LINK_BOUNDS, MAX_EXTENT } from '../core/bounds/bounds.ts';
import { excessProblem } from '../core/bounds/check.ts';
import { clip } from '../core/bounds/quote.ts';

/**
 * The parameters of an address, 'format=macko&tokens=8': reads their values by key, and collects a message for each
 * problem, such as 'Link, tokens: found '0', expected a whole number from 1 to 64; 1 is used.'
 */
export class AddressFields {
  readonly problems: string[] = [];
  /** the first value of each key: a map keeps the last of several, so they are set in reverse; a link may have 100 000 keys */
  readonly #values: ReadonlyMap<string, string>;

  constructor(search: URLSearchParams) {
    this.#values = new Map([...search].toReversed());
  }

  has(key: string): boolean {
    return this.#values.has(key);
  }

  /**
   * The value decoded by `decode`; null if the key is missing, or the value too long. `isLong`: the length is not checked
   * here, since the value may be long, such as a custom format.
   */
  read<T>(key: string, decode: (value: string) => T | null, isLong = false): T | null {
    const value = this.#values.get(key);
    if (value === undefined) return null;
    const fault = isLong ? null : excessProblem(value.length, LINK_BOUNDS.value, 'characters');
    if (fault === null) return decode(value);
    this.problems.push(`Link, ${key}: ${fault}; it is ignored.`);
    return null;
  }

  /** The keys in the order of the address. */
  keys(): readonly string[] {
    return [...this.#values.keys()].toReversed();
  }

  /** Reports an invalid value, and what the page does instead. Returns null, the value of an invalid field. */
  problem(key: string, found: string, expected: string, instead: string): null {
    this.problems.push(`Link, ${key}: found '${clip(found)}', expected ${expected}; ${instead}.`);
    return null;
  }

  /** A number in decimal or scientific notation within a range; anything else is reported and `instead` is used. */
  number(key: string, text: string, min: number, max: number, instead: number): number {
    const value = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    this.problem(key, text, `a number from ${min} to ${max}`, `${instead} is used`);
    return instead;
  }

  /** A whole number within a range; anything else is reported and `instead` is used. */
  whole(key: string, text: string, min: number, max: number, instead: number): number {
    const value = wholeNumber(text);
    if (value !== null && value >= min && value <= max) return value;
    const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
    this.problem(key, text, `a whole number ${range}`, `${instead} is used`);
    return instead;
  }
}

/** Whether `AddressFields` reported this problem. */
export function isLinkProblem(problem: string): boolean {
  return problem.startsWith('Link, ');
}

/** The note for a link of an old version, which numbered the steps of each format under the key 'step'; now it is 'moment'. */
export const stepCountNote = (step: number): string =>
  `Link, step: steps are numbered differently since it was made; step ${step} may show something else.`;

/** Whether a problem is only a note: the link was read correctly, and nothing has to be done. */
export function isLinkNote(problem: string): boolean {
  const [step] = /\d+(?= may show)/.exec(problem) ?? [];
  return step !== undefined && problem === stepCountNote(Number(step));
}

/** A whole number that a double represents exactly; null for anything else. */
export function wholeNumber(text: string): number | null {
  return /^-?\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) + 0 : null; // + 0: -0 becomes 0
}

/** Whether a matrix can have this many rows or columns. */
export function isExtent(n: number | null | undefined): n is number {
  return typeof n === 'number' && n >= 0 && n <= MAX_EXTENT;
}

/** The ids of formats, pages or the like as a list in a message: 'csr, macko'. */
export function idsText(items: readonly { readonly id: string }[]): string {
  return items.map(({ id }) => id).join(', ');
}
