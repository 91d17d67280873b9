import type { AnyStory } from '../src/story/format-story.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { type AnyFormat, type EncodedMatrix, namedArrays } from '../src/core/format.ts';
import { csrMatrix, type Matrix, subMatrix, toCsr, toDense } from '../src/core/matrix/index.ts';
import { bf16Value, f16Value } from '../src/core/number/index.ts';
import { narrationText } from '../src/story/scene.ts';
import type { Trace } from '../src/story/trace.ts';
import { valueText, type Words } from '../src/core/text/words.ts';
import { RECIPE_PATTERNS, RECIPE_VALUES } from '../src/generate/awkward/matrices.ts';
import { allParams, AWKWARD_SHAPES, buildMatrix, type MatrixRecipe, paramsTitle } from './arbitraries.ts';
import { cases } from './scheduled.ts';
import { shippedMatrices } from './shipped.ts';
import { traceOf } from './stories.ts';

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

/** A window of a matrix and its encoding, as the tests of formats use them. */
export interface EncodedWindow {
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
  /** columns of every row, ascending */
  readonly columns: readonly (readonly number[])[];
  /** every cell of the window, row by row */
  readonly cells: Float32Array;
  /** the parameters of the story, and the requested ones */
  readonly params: Readonly<Record<string, number | string>>;
  readonly requestedParams: Readonly<Record<string, number | string>>;
  readonly arrays: Readonly<Record<string, NumberArray>>;
  /** the vector of the multiply chapters */
  readonly x: ArrayLike<number>;
}

type NumberArray = ArrayLike<number> & { readonly BYTES_PER_ELEMENT: number; readonly byteLength: number };

/** Element of an array of values: 16 bits are an f16. */
export function storedValue(array: NumberArray, index: number): number {
  return array.BYTES_PER_ELEMENT === 2 ? f16Value(array[index]) : array[index];
}

/** Element of an array of activations in bf16, the upper half of an f32. */
export const activation = (array: NumberArray, index: number): number => bf16Value(array[index]);

/** The largest magnitude in a row. */
export const largestOf = ({ cells, cols }: EncodedWindow, row: number): number =>
  cells.subarray(row * cols, (row + 1) * cols).reduce((max, cell) => Math.max(max, Math.abs(cell)), 0);

/** The number by which the largest magnitude of a row was divided for its scale in f32. */
export const divisorOf = (magnitude: number, scale: number): number =>
  Math.fround(magnitude / 127) === scale ? 127 : Math.round(magnitude / scale);

/** The texts about a scale of i8 or i4 values. */
export const SCALE_RULES = {
  noScale: 'Row {row} has no non-zeros to scale; its scale is {scale}.',
  tooSmall:
    'The values of row {row} are too small for a scale of their own. It is {scale}, and they are stored as {zero}.',
  scale:
    'Row {row} gets one scale for its i8 values: a step is worth {scale}. That is its largest magnitude over {divisor}.',
  groupScale:
    ': one scale in f16 for the group, {scale}. It is the value of the largest magnitude over {divisor}, so that {bits} bits reach from {bottom} to {top}.',
  groupOfZeros:
    ': every value is {zero}, or nearly. A scale in f16 cannot be that small: that of this group is {zero}.',
} as const;

/** The scale of a row in i8. */
export function rowScaleText(window: EncodedWindow, row: number): Statement {
  const scale = window.arrays.scales[row];
  const largest = largestOf(window, row);
  if (window.columns[row].length === 0) return [SCALE_RULES.noScale, { row, scale: value(scale) }];
  if (Math.fround(largest / 127) === 0) return [SCALE_RULES.tooSmall, { row, scale: value(scale), zero: 0 }];
  return [SCALE_RULES.scale, { row, scale: value(scale), divisor: divisorOf(largest, scale) }];
}

/** The scale of a group in i4, after the name of the group. */
export function groupScaleText(scale: number): Statement {
  if (scale === 0) return [SCALE_RULES.groupOfZeros, { zero: 0 }];
  const reach = { bits: 4, bottom: value(-8 * scale), top: value(7 * scale) };
  return [SCALE_RULES.groupScale, { scale: value(scale), divisor: name('−8'), ...reach }];
}

function encodedWindow(m: Matrix, t: Trace, requestedParams: object): EncodedWindow {
  const { indptr, indices } = toCsr(m);
  const columns = Array.from({ length: m.rows }, (_, r) => [...indices.subarray(indptr[r], indptr[r + 1])]);
  const arrays: Record<string, NumberArray> = {};
  for (const [array, data] of namedArrays(t.encoded as EncodedMatrix)) arrays[array] = data;
  const { rows, cols, nnz } = m;
  const storyParams = {
    params: t.params as EncodedWindow['params'],
    requestedParams: requestedParams as EncodedWindow['params'],
  };
  return { rows, cols, nnz, columns, cells: toDense(m), ...storyParams, arrays, x: t.x };
}

const VALUE_BITS: Readonly<Record<string, number>> = { f32: 32, f16: 16, bf16: 16, i8: 8, i4: 4 };

/** Bits of a stored value. */
export const bitsOfValue = ({ params }: Pick<EncodedWindow, 'params'>): number => VALUE_BITS[params.valueType];

/** Bytes of all arrays. */
export const totalBytes = ({ arrays }: Pick<EncodedWindow, 'arrays'>): number =>
  Object.values(arrays).reduce((sum, { byteLength }) => sum + byteLength, 0);

/** The statement about the size of the window by kinds of bits, which add up to the bytes of its arrays. */
export function sizeText(
  window: EncodedWindow,
  bits: Readonly<Partial<Record<'values' | 'indices' | 'metadata' | 'padding', number>>>,
): Statement {
  const total = totalBytes(window);
  const classes = (['values', 'indices', 'metadata', 'padding'] as const).filter((c) => (bits[c] ?? 0) > 0);
  const sum = classes.reduce((bitSum, c) => bitSum + (bits[c] ?? 0), 0);
  if (sum !== 8 * total) throw new Error(`found ${sum} bits in classes, expected those of ${total} bytes`);
  const facts: Record<string, Fact> = { total };
  const parts = classes.map((c) => {
    const inClass = bits[c] ?? 0;
    if (classes.length > 1) facts[c] = inClass % 8 === 0 ? inClass / 8 : inClass;
    return inClass % 8 === 0 ? `{${c}} B of ${c}` : `{${c} bit} of ${c}`;
  });
  const list = parts.length < 2 ? '' : `: ${parts.slice(0, -1).join(', ')} and ${parts[parts.length - 1]}`;
  const dense = window.rows * window.cols * bitsOfValue(window);
  if (dense === 0 || total === 0) return [`That is {total} B${list}.`, facts];
  const type = name(String(window.params.valueType));
  if (8 * total === dense) return [`That is {total} B${list}; exactly what dense takes in {type}.`, { ...facts, type }];
  const times = decimals((8 * total) / dense, 2);
  return [`That is {total} B${list}; {times} times what dense takes in {type}.`, { ...facts, times, type }];
}

/** The first text of step 0 if there is something to read. */
export function openingTexts(window: EncodedWindow, contents: 'weights' | 'activations'): readonly Statement[] {
  if (window.rows * window.cols * totalBytes(window) === 0) return [];
  return contents === 'weights'
    ? [['To write one token, the GPU reads every weight once. Fewer bytes, less time. ']]
    : [['Each zero activation saves weights. Fewer bytes, less time. ']];
}

/** The expected text of every step of a story, from step 0 on. The trace is only used for values that the story chooses, such as inputs. */
export type Narration = (window: EncodedWindow, t: never) => Iterable<readonly Statement[]>;

/** A matrix of unusual rows: one entry, none, all, the last column only, and the first with a distant one. */
function oddRows(cols: number): Matrix {
  const rows = [[0], [], Array.from({ length: cols }, (_, c) => c), [cols - 1], [0, cols - 1], [cols >> 1]];
  const indices = rows.flatMap((row) => [...new Set(row)]);
  const ends = rows.map((row) => new Set(row).size);
  const indptr = Uint32Array.from({ length: rows.length + 1 }, (_, r) => ends.slice(0, r).reduce((a, b) => a + b, 0));
  return csrMatrix({
    rows: rows.length,
    cols,
    indptr,
    indices: Uint32Array.from(indices),
    data: Float32Array.from(indices, (_, i) => (i % 9) / 4 - 1.125),
  });
}

const SHAPES = [
  [9, 40],
  [5, 33],
  [12, 24],
  [4, 64],
] as const;

const VALUES = Object.keys(RECIPE_VALUES) as MatrixRecipe['values'][];

/** Rows whose values are at the ends of f32, where the step of a row in 8 bits rounds to 0 or is not the exact quotient. */
function extremeRows(): Matrix {
  const values = [2 ** -149, 2 ** -140, 2 ** -126, 65504, (2 - 2 ** -23) * 2 ** 127, 3];
  return csrMatrix({
    rows: values.length,
    cols: 9,
    indptr: Uint32Array.from({ length: values.length + 1 }, (_, r) => r),
    indices: Uint32Array.from(values, (_, r) => r),
    data: Float32Array.from(values),
  });
}

/** Windows of all patterns, kinds of values and awkward shapes, with fixed seeds. */
function* windows(): Generator<readonly [title: string, m: Matrix]> {
  for (const [i, pattern] of (Object.keys(RECIPE_PATTERNS) as MatrixRecipe['pattern'][]).entries()) {
    for (const density of [0.08, 0.4]) {
      const shape = SHAPES[(i + (density < 0.1 ? 0 : 1)) % SHAPES.length];
      const values = density < 0.1 ? 'normal' : VALUES[i % VALUES.length];
      const recipe = { shape, pattern, values, density, seed: 7 + i, storage: 'entries' } as const;
      yield [`${pattern}, ${values}, ${shape.join(' × ')}`, buildMatrix(recipe)];
    }
  }
  for (const shape of AWKWARD_SHAPES) {
    for (const pattern of ['one entry', 'full', 'uniform'] as const) {
      if (shape[0] * shape[1] > 300 && pattern !== 'one entry') continue;
      const values = pattern === 'full' ? 'small integers' : 'normal';
      const recipe = { shape, pattern, values, density: 0.2, seed: 3, storage: 'cells' } as const;
      yield [`${pattern}, ${shape.join(' × ')}`, buildMatrix(recipe)];
    }
  }
  yield ['values at the ends of f32', extremeRows()];
  for (const cols of [1, 2, 8, 9, 31, 64]) yield [`odd rows of ${cols} columns`, oddRows(cols)];
}

/** Windows of the shipped examples: the one that the page shows first, and one further down. */
async function* shippedWindows(): AsyncGenerator<readonly [title: string, m: Matrix]> {
  for (const [{ id, window }, m] of await shippedMatrices()) {
    for (const [row, col] of [
      [window?.row ?? 0, window?.col ?? 0],
      [m.rows >> 1, m.cols >> 1],
    ]) {
      const region = { row, col, rows: Math.min(8, m.rows - row), cols: Math.min(32, m.cols - col) };
      yield [`${id} at ${row}, ${col}`, subMatrix(m, region)];
    }
  }
}

interface StoryInWords {
  readonly format: AnyFormat;
  readonly story: AnyStory;
  /** the words of a step; null for step 0 */
  // oxlint-disable-next-line typescript/no-explicit-any -- traces of different formats meet here, as in the registry
  readonly narrate: (t: any, detail: any, step: number) => readonly Words[];
  /** by name, the texts of its rules; each has to occur at least once */
  readonly rules: Readonly<Record<string, string>>;
  readonly tell: Narration;
  /** further windows; with parameters if they are only for these */
  readonly more?: readonly (readonly [title: string, m: Matrix, params?: object])[];
}

/** One step in this many is also drawn, and its text is read from the scene: drawing is 100 times as slow as the text alone. */
const SCENES = 64;

/** Declares the tests of a format's narrations. */
export function describeNarrations({ format, story, narrate, rules, tell, more = [] }: StoryInWords): void {
  const paramSets = allParams(format);
  /** rules that some step used */
  const usedRules = new Set<string>();
  /** rules that were found broken once */
  const brokenRules = new Set<string>();
  let steps = 0;

  const mismatches = (title: string, m: Matrix, params: object): readonly string[] => {
    const t = traceOf(story, m, params);
    if (!t) return [];
    const where = `${title}, ${paramsTitle(params as never)}`;
    const problems: string[] = [];
    let step = 0;
    const textOf = (): string =>
      step % SCENES === 0
        ? narrationText(story.scene(t, step))
        : narrate(t, t.steps[step - 1].detail, step)
            .map(({ text }) => text)
            .join('');
    for (const sentences of tell(encodedWindow(m, t, params), t as never)) {
      if (step > t.steps.length) break;
      for (const [rule] of sentences) usedRules.add(rule);
      const problem = mismatch(textOf(), sentences);
      const rulesText = sentences.map(([rule]) => rule).join('');
      if (problem && !brokenRules.has(rulesText)) problems.push(`${where}, step ${step}: ${problem}`);
      if (problem) brokenRules.add(rulesText);
      step++;
      steps++;
    }
    if (step !== t.steps.length + 1)
      problems.push(`${where}: found ${t.steps.length + 1} texts, expected another number`);
    return problems;
  };

  describe(`the narrations of ${format.id}`, () => {
    let allWindows: (readonly [string, Matrix, object?])[] = [];
    beforeAll(async () => {
      allWindows = [...windows(), ...more];
      for await (const titledWindow of shippedWindows()) allWindows.push(titledWindow);
    });

    it('narrations state the facts of the window and its encoding, with all parameters', () => {
      const problems: string[] = [];
      const turns = Math.ceil(paramSets.length / cases(3, paramSets.length));
      for (const [i, [title, m, windowParams]] of allWindows.entries()) {
        // Small windows are tried with all parameters, the others with some of them, alternately.
        const isQuick = m.rows * m.cols <= 100;
        const triedParams = windowParams
          ? [windowParams]
          : paramSets.filter((_, p) => isQuick || p % turns === i % turns);
        for (const params of triedParams) for (const problem of mismatches(title, m, params)) problems.push(problem);
      }
      expect(problems).toEqual([]);
      expect(steps).toBeGreaterThan(1000);
    });

    it('every rule of the narrations is used by some step', () => {
      const unusedRules = Object.entries(rules).filter(([, rule]) => !usedRules.has(rule));
      expect(unusedRules.map(([rule]) => rule)).toEqual([]);
    });
  });
}
