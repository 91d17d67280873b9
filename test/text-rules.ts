import { expect } from 'vitest';
import { wordsOf } from '../src/story/frames.ts';
import type { Words } from '../src/core/text/words.ts';
import type { Stated } from '../src/core/text/stated.ts';

/*
 * Parses the sentences of pages by rules, and compares each number in them with a fact, which the test computes from a
 * recording or from encoded arrays. Shares no code with the page's rounding.
 */

/** The kind of a number, by which its units are parsed: times are in ns, rates in bytes per ns. */
type Unit = 'time' | 'bytes' | 'rate' | 'flop' | 'work' | 'intensity' | 'number' | 'percent';

export interface NumberFact {
  readonly value: number;
  readonly unit: Unit;
  /** minimum number of digits in the text */
  readonly digits: number;
  /** allowed relative error, for numbers about random matrices; default: none */
  readonly slack?: number;
}

/** Facts by the names of a rule: an exact text, or a number in base units. */
export type Facts = Readonly<Record<string, NumberFact | string>>;

export const ns = (value: number): NumberFact => ({ value, unit: 'time', digits: 3 });
export const bytes = (value: number): NumberFact => ({ value, unit: 'bytes', digits: 3 });
export const times = (value: number): NumberFact => ({ value, unit: 'number', digits: 2 });
export const percent = (share: number): NumberFact => ({ value: 100 * share, unit: 'percent', digits: 2 });
/** Bytes per nanosecond, which are gigabytes per second. */
export const rate = (value: number): NumberFact => ({ value, unit: 'rate', digits: 3 });
export const flop = (value: number): NumberFact => ({ value, unit: 'flop', digits: 3 });
/** Operations per nanosecond: flop, multiply-adds or whole numbers, by the unit. */
export const work = (value: number): NumberFact => ({ value, unit: 'work', digits: 3 });
export const intensity = (value: number): NumberFact => ({ value, unit: 'intensity', digits: 2 });
/** A number without a unit, with at least `digits` digits; 0 for a whole or rounded number. */
export const number = (value: number, digits = 0): NumberFact => ({ value, unit: 'number', digits });

const UNITS: Readonly<Record<Unit, Readonly<Record<string, number>>>> = {
  time: { ns: 1, µs: 1e3, ms: 1e6, s: 1e9 },
  bytes: { B: 1, byte: 1, bytes: 1, kB: 1e3, MB: 1e6, GB: 1e9 },
  rate: { 'GB/s': 1, 'TB/s': 1e3 },
  flop: { flop: 1, kflop: 1e3, Mflop: 1e6, Gflop: 1e9, Tflop: 1e12 },
  work: Object.fromEntries(
    ['flop', 'FMA', 'op'].flatMap((of) => [
      [`G${of}/s`, 1],
      [`T${of}/s`, 1e3],
    ]),
  ),
  intensity: { 'flop/B': 1 },
  number: { '': 1 },
  percent: { '%': 1 },
};

/** A number and its unit, in a text. */
const NUMBER =
  '(−?\\d[\\d.\u202f]*?(?:[\u202f ](?:ns|µs|ms|s|[GT](?:B|flop|FMA|op)/s|flop/B|B|bytes?|kB|MB|GB|%|[kMGT]?flop(?!/)))?)(?![\\w.]*\\d)';

/** A text without its formatting; thin spaces stay. */
export function plainText(words: readonly Words[] | Stated | null): string {
  return (words && 'text' in words ? wordsOf(words) : (words ?? [])).map(({ text }) => text).join('');
}

/** Nouns that texts count, except tokens and reports, which the keys of snapshots count, too. */
const COUNTED =
  'byte|bit|entry|entrie|value|row|column|cell|field|line|name|tensor|number|step|product|copie|weight|round|run|result|question|matrice|part|character|comment|file|frame|answer|slot|block|non-zero|operation|dimension';
const PLURAL_AFTER_ONE = new RegExp(
  `(?<![\\w.,×−:/-])(?<!\\d[ \u202f]|× )1 (?:(?:${COUNTED})s\\b|(?:${COUNTED})\\b[^.;:]{0,30} (?:were|are|have)\\b)[^.;:]{0,20}`,
  'g',
);

/** The parts of a text in which one thing is counted as several: '1 steps', '1 byte after the array were'. */
export function pluralsAfterOne(text: string): readonly string[] {
  return text.match(PLURAL_AFTER_ONE) ?? [];
}

/** Reads texts by rules, and counts the texts of each rule: a rule that no text matches checks nothing. */
export class Read {
  readonly #met = new Map<string, number>();

  /** Parses a text by a rule with fields such as {bytes}, and compares every field with its fact. */
  sentence(text: string, rule: string, facts: Facts, where: string): void {
    const escaped = (words: string): string => words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    const names = [...rule.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    // First with the expected names, which may contain spaces; if that fails, with any names, to report the wrong one.
    const read = (nameOf: (fact: string) => string): RegExpExecArray | null => {
      const parts = rule.split(/\{(\w+)\}/).map((part, i) => {
        const fact = i % 2 === 1 ? facts[part] : undefined;
        return i % 2 === 0 ? escaped(part) : typeof fact === 'string' ? nameOf(fact) : NUMBER;
      });
      return new RegExp(`^${parts.join('')}$`, 'u').exec(text);
    };
    const found = read((fact) => `(${escaped(fact)})`) ?? read(() => '(.+?)');
    if (found === null) expect.fail(`${where}: '${text}' is not '${rule}'`);
    this.#met.set(rule, 1 + (this.#met.get(rule) ?? 0));
    let unit = '';
    for (const [i, name] of names.entries()) {
      const written = found[i + 1];
      const fact = facts[name];
      if (fact === undefined) throw new Error(`${rule}: found no fact '${name}'`);
      if (typeof fact === 'string') {
        // `expect` is called only for differences, since it is slow and there are a hundred thousand comparisons.
        if (written !== fact) expect(written, `${where}: ${name} of '${text}'`).toBe(fact);
      } else unit = expectNumber(written, fact, unit, `${where}: ${name} of '${text}'`) || unit;
    }
    // Text outside the fields of the rule contains no number.
    const words = rule.replaceAll(/\{\w+\}/g, '');
    if (/\d(?![\d]*-bit)/.test(words)) expect.fail(`${where}: a number without a name in '${words}'`);
  }

  met(rule: string): number {
    return this.#met.get(rule) ?? 0;
  }
}

/** Expects a number to equal its fact to within half of its last digit. Returns its unit, which the next number may omit. */
function expectNumber(written: string, fact: NumberFact, before: string, where: string): string {
  const [, digits = '', unit = ''] = /^(−?[\d.\u202f]+?)\u202f?\s?([a-zµ%/]*)$/iu.exec(written) ?? [];
  const plain = digits.replaceAll('\u202f', '').replace('−', '-');
  const named = unit === '' && fact.unit !== 'number' ? before : unit;
  const scale = UNITS[fact.unit][named];
  if ((scale as number | undefined) === undefined) expect.fail(`${where}: found the unit '${named}'`);
  const decimals = plain.split('.')[1]?.length ?? 0;
  const step = 10 ** -decimals * scale;
  const value = Number(plain) * scale;
  const space = 0.5000001 * step + (fact.slack ?? 1e-9) * Math.abs(fact.value);
  // Written so that NaN fails, too.
  if (!(Math.abs(value - fact.value) <= space)) expect.fail(`${where}: found ${written}, expected ${fact.value}`);
  const significant = plain.replace(/[.-]/g, '').replace(/^0+/, '').length;
  const isWhole = value === fact.value && (value === 0 || decimals === 0);
  if (!isWhole && significant < fact.digits)
    expect.fail(`${where}: found ${significant} digits of ${written}, expected ${fact.digits}`);
  return named;
}
