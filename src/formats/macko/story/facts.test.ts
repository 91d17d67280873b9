import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allParams, buildMatrix, matrixRecipe } from '../../../../test/arbitraries.ts';
import { texts } from '../../../../test/laid-out.ts';
import { columnsMatrix } from '../../../../test/matrices.ts';
import { storedValue } from '../../../../test/narrations.ts';
import { cases } from '../../../../test/scheduled.ts';
import { type Matrix, toCsr } from '../../../core/matrix/index.ts';
import { cellUnit } from '../../../story/cell-unit.ts';
import { playerFrames } from '../../../story/flow/story-frames.ts';
import type { Frame, FrameContext } from '../../../story/frames.ts';
import { macko } from '../index.ts';
import type { MackoParams } from '../params.ts';
import type { MackoTrace } from './facts.ts';
import { story as formatStory } from './index.ts';
import { bytesNumber } from '../../../core/text/words.ts';
import { story as storyOfTrace } from './story.ts';

/*
 * Checks each number in the texts of MACKO's story: an oracle computes it again from the cells and the encoded arrays.
 * `formatStory` runs a matrix into a trace; `storyOfTrace` returns the script of a trace, whose frames are checked.
 */

const trace = (m: Matrix, params: MackoParams): MackoTrace => formatStory.trace(m, params) as MackoTrace;
/** A wide page, the matrix alone, no recorded times. */
const CONTEXT: FrameContext = { layout: 'wide', wholeMatrix: null, recordedTimes: null };

/** A stored entry: a weight, or a zero that bridges a wide gap. */
interface Entry {
  readonly column: number;
  readonly skip: number;
  readonly isZero: boolean;
}

/** A trace with the data from which the oracles count: columns of the weights and stored entries, row by row. */
interface CountedTrace {
  readonly t: MackoTrace;
  /** bits of a stored value */
  readonly valueBits: number;
  /** bits of a skip (a delta) */
  readonly deltaBits: number;
  readonly columns: readonly (readonly number[])[];
  readonly entries: readonly (readonly Entry[])[];
}

const BITS = { f16: 16, f32: 32, i8: 8, i4: 4 } as const;

function countedTrace(t: MackoTrace): CountedTrace {
  const { indptr, indices } = toCsr(t.window);
  const columns = Array.from({ length: t.window.rows }, (_, row) => [
    ...indices.subarray(indptr[row], indptr[row + 1]),
  ]);
  const { deltas, deltaBits, indptr: starts } = t.encoded;
  const entries = columns.map((weightColumns, row) => {
    let column = -1;
    return Array.from({ length: starts[row + 1] - starts[row] }, (_, i): Entry => {
      // Deltas are packed into words of 32 bits, low bits first; none crosses a word.
      const bit = (starts[row] + i) * deltaBits;
      const skip = Math.floor(deltas[Math.floor(bit / 32)] / 2 ** (bit % 32)) % 2 ** deltaBits;
      column += skip + 1;
      return { column, skip, isZero: !weightColumns.includes(column) };
    });
  });
  return { t, valueBits: BITS[t.encoded.valueType], deltaBits, columns, entries };
}

/** Columns skipped before each weight of a row. */
const skipsOf = (columns: readonly number[]): readonly number[] =>
  columns.map((column, i) => column - (i === 0 ? 0 : columns[i - 1] + 1));

/** The row in which the most of the first three weights need no stored zero, and the skips of these weights. */
function leadOf({ columns, deltaBits }: CountedTrace): { row: number; skips: readonly number[] } {
  const leads = columns.map((rowColumns) => {
    const skips = skipsOf(rowColumns).slice(0, 3);
    const firstLong = skips.findIndex((skip) => skip >= 2 ** deltaBits);
    return firstLong < 0 ? skips : skips.slice(0, firstLong);
  });
  const longest = leads.reduce((max, { length }) => Math.max(max, length), 0);
  const row = leads.findIndex(({ length }, i) => length === longest && columns[i].length > 0);
  return { row, skips: leads[row] };
}

/** The longest skip of the window if it needs a stored zero; otherwise null. */
function longSkipOf({ columns, deltaBits }: CountedTrace): number | null {
  const longest = columns.flatMap(skipsOf).reduce((max, skip) => Math.max(max, skip), 0);
  return longest >= 2 ** deltaBits ? longest : null;
}

/** The row with the most weights, and how many columns each of its first three lanes passes. */
function lanesOf({ t, entries }: CountedTrace): { row: number; passes: readonly number[] } {
  const weights = entries.map((rowEntries) => rowEntries.filter(({ isZero }) => !isZero).length);
  const row = weights.indexOf(weights.reduce((max, n) => Math.max(max, n), 0));
  const start = t.encoded.indptr[row];
  const passes: number[] = [];
  for (const [i, { skip }] of entries[row].entries()) {
    const lane = Math.floor((start + i) / 8) - Math.floor(start / 8); // a lane reads 8 entries
    passes[lane] = (passes[lane] ?? 0) + skip + 1;
  }
  return { row, passes: passes.slice(0, 3) };
}

function bytesOf({ t }: CountedTrace): number {
  const { values, deltas, indptr, scales } = t.encoded;
  return values.byteLength + deltas.byteLength + indptr.byteLength + scales.byteLength;
}

/** The sum of the first `count` numbers. */
const sumOfFirst = (numbers: readonly number[], count: number): number =>
  numbers.slice(0, count).reduce((sum, n) => sum + n, 0);

/** The first column of the last lane of `lanesOf`. */
function lastLaneStart(source: CountedTrace): number {
  const { passes } = lanesOf(source);
  return sumOfFirst(passes, passes.length - 1);
}

/** By the name of a fact: a function that computes its expected value. */
const ORACLES: Readonly<Record<string, (source: CountedTrace) => number>> = {
  'bits of a column number': () => 16,
  'share of column numbers': (s) => 16 / (16 + s.valueBits),
  'bits of a skip': (s) => s.deltaBits,
  weight: (s) => {
    const { values, scales, indptr } = s.t.encoded;
    const numbers = s.entries.map((rowEntries, row) =>
      rowEntries.flatMap(({ isZero }, i) => {
        const index = indptr[row] + i;
        const raw = storedValue(values, index);
        if (isZero) return [];
        if (values instanceof Int8Array) return [Math.fround(raw * scales[row])];
        if (!(values instanceof Uint8Array)) return [raw];
        const half = Math.floor(values[Math.floor(index / 2)] / 16 ** (index % 2)) % 16;
        return [(half - 8) * storedValue(scales, Math.floor(index / 32))];
      }),
    );
    return Math.round(Math.abs(numbers[leadOf(s).row][0]) * cellUnit(numbers.flat()).perOne);
  },
  skip: (s) => leadOf(s).skips[0],
  'longest skip': (s) => 2 ** s.deltaBits - 1,
  numbers: (s) => 2 ** s.deltaBits,
  'first number': () => 0,
  'long skip': (s) => longSkipOf(s) ?? -1,
  'stored zeros': (s) => Math.floor((longSkipOf(s) ?? 0) / 2 ** s.deltaBits),
  rest: (s) => (longSkipOf(s) ?? 0) % 2 ** s.deltaBits,
  places: (s) => s.entries.flat().length,
  bytes: bytesOf,
  'dense bytes': (s) => (s.t.window.rows * s.t.window.cols * s.valueBits) / 8,
  'columns of lane 0': (s) => lanesOf(s).passes[0],
  'columns of lane 1': (s) => lanesOf(s).passes[1],
  'columns of lane 2': (s) => lanesOf(s).passes[2],
  'start of the last lane': lastLaneStart,
  'first column': () => 0,
  'column before the last lane': (s) => lastLaneStart(s) - 1,
  'row of the lanes': (s) => lanesOf(s).row,
  'places of a lane': () => 8,
  'column of the weight itself': () => 1,
  'share of dense': (s) => (8 * bytesOf(s)) / (s.t.window.rows * s.t.window.cols * s.valueBits),
};

/** Texts for windows without what the example shows; each occurs on the windows below. */
const ALTERNATIVE_TEXTS = {
  'no cells': /^This region has no cells/,
  'all zero': /^All weights here are zero/,
  'no zero': /^No weight here is zero/,
  'some zeros': /^Some weights/,
  'half zeros': /^Half the weights/,
  'all skips small': /^These are small numbers/,
  'most skips long': /often too long for/,
  'no long skip': /^No skip here is longer than/,
  'more zeros': /^\*Skip \d+ and store a zero \d+ times, then/,
  'empty list': /^There is nothing to store: all row starts are 0\.$/,
  'it loses': /^Here it loses/,
  'it saves nothing': /^Here it saves nothing/,
  'one lane': /^One \*worker\* of the GPU reads row \d+,/,
  'two lanes': /^The worker before it passes \d+ columns/,
} as const;

/** Further checks of a frame, beyond the facts of its texts, by the frame's id. */
const FRAME_CHECKS: Readonly<Record<string, (frame: Frame, source: CountedTrace) => void>> = {
  'too far': (frame, source) => {
    const zeros = Math.floor((longSkipOf(source) ?? 0) / 2 ** source.deltaBits);
    const { text } = frame.narration(CONTEXT);
    if (zeros > 0) expect(ALTERNATIVE_TEXTS['more zeros'].test(text)).toBe(zeros > 1);
  },
  'longest skip': (frame, { deltaBits }) => expect(rightOption(frame)).toBe(String(2 ** deltaBits - 1)),
  'start of a lane': (frame, source) => {
    expect(rightOption(frame)).toBe(`column ${lastLaneStart(source) - 1}`);
    const { row, passes } = lanesOf(source);
    const start = source.t.encoded.indptr[row];
    expect(frame.narration(CONTEXT).text).toContain(` the ${['first', 'second', 'third'][passes.length - 1]} begin?`);
    const block = 8 * Math.floor(start / 8);
    expect(texts(frame, 'passes').at(-1)).toContain(
      ` from entry ${start} on. The first reads entries ${block} to ${block + 7} of the list.`,
    );
  },
  'one list': (frame, source) => {
    expectList(frame, source);
    const { encoded, window } = source.t;
    if (window.nnz === 0) return;
    // With column numbers of 16 bits instead of skips, and no stored zeros.
    const bytes = (window.nnz * (source.valueBits + 16)) / 8 + encoded.indptr.byteLength + encoded.scales.byteLength;
    const [counterText] = texts(frame, 'counter under bytes words');
    expect(counterText).toBe(`with column numbers ${bytesNumber(bytes)} B`);
  },
  // 'This is a small number' of one skip, 'These are small numbers' and 'Most are ...' of several.
  skips: (frame) => {
    const [skipsText] = texts(frame, 'skips are');
    const skipCount = texts(frame, 'skipped').length;
    if (/^(This|These|Most) /.test(skipsText) && !skipsText.startsWith('Most skips'))
      expect(skipsText.startsWith('This'), skipsText).toBe(skipCount === 1);
  },
  lanes: (frame, { t }) => expectProduct(frame, t),
};

/** The text of the right answer to a frame's question. */
function rightOption({ question }: Frame): string | undefined {
  return question?.options[question.answer];
}

/** Checks the texts of all frames of a trace, and adds the alternative texts that occur to `occurred`. */
function expectTrue(t: MackoTrace, occurred: Set<string>): void {
  const source = countedTrace(t);
  for (const frame of playerFrames(storyOfTrace(t))) {
    const narration = frame.narration(CONTEXT);
    const narrations = [narration, ...(frame.question ? [frame.question.because] : [])];
    for (const { name, value } of narrations.flatMap(({ facts }) => facts)) {
      const oracle = Object.entries(ORACLES).find(([key]) => key === name)?.[1];
      expect(value, `${frame.id}, ${name}: ${narration.text}`).toBeCloseTo(Number(oracle?.(source)), 9);
    }
    const allTexts = [
      ...narrations.map(({ text }) => text),
      ...(frame.id === 'skips' ? texts(frame, 'skips are') : []),
    ];
    for (const [name, pattern] of Object.entries(ALTERNATIVE_TEXTS))
      if (allTexts.some((text) => pattern.test(text))) occurred.add(name);
    if (Object.hasOwn(FRAME_CHECKS, frame.id)) FRAME_CHECKS[frame.id](frame, source);
  }
}

/** Number of entries that are always drawn completely, in the smallest picture too. */
const DRAWN_ENTRIES = 24;

/** Checks that the product in the text equals the row's element of y. Texts about the sum of only some workers are skipped. */
function expectProduct(frame: Frame, t: MackoTrace): void {
  const [, total, row] = /(?:gives|=|\u2248) (\u2212?[\d.]+) for row (\d+)/.exec(texts(frame, 'sum')[0]) ?? [];
  if (total === undefined) return;
  const decimals = (total.split('.')[1] ?? '').length;
  expect(Number(total.replace('\u2212', '-')), texts(frame, 'sum')[0]).toBeCloseTo(t.y[Number(row)], decimals);
}

/** Checks that the entries and row starts that are drawn are the encoded ones. */
function expectList(frame: Frame, { entries, t }: CountedTrace): void {
  const marksById = new Map(frame.draw(frame.moves.length - 1, CONTEXT).marks.map((mark) => [mark.id, mark]));
  for (const [i, { skip, isZero }] of entries.flat().slice(0, DRAWN_ENTRIES).entries()) {
    expect(marksById.get(`deltas[${i}]`)?.label).toBe(String(skip));
    expect(marksById.get(`values[${i}]`)?.tone).toBe(isZero ? 'padding' : 'values');
  }
  for (const [i, start] of [...t.encoded.indptr].slice(0, 8).entries())
    expect(marksById.get(`indptr[${i}]`)?.text).toBe(String(start));
}

const upTo = (n: number): readonly number[] => Array.from({ length: n }, (_, i) => i);

const SPECIAL: readonly Matrix[] = [
  columnsMatrix(0, [[], []]),
  columnsMatrix(8, [[], []]),
  columnsMatrix(4, [upTo(4), upTo(4)]),
  columnsMatrix(4, [[0, 1, 2]]),
  columnsMatrix(4, [[1, 2]]),
  columnsMatrix(40, [[0, 2, 4], [20]]),
  columnsMatrix(40, [[18]]),
  columnsMatrix(40, [[0, 1, 2, 35]]),
  columnsMatrix(64, [[0, 1, 2, 60]]),
  columnsMatrix(64, [[20], [40], [60]]),
  columnsMatrix(64, [upTo(64)]),
  columnsMatrix(16, [upTo(12)]),
  columnsMatrix(64, [[3, 5, 20, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49]]),
];

describe('the story of any window', () => {
  it('has only numbers that follow from its cells and arrays, and every alternative text occurs', () => {
    const occurred = new Set<string>();
    for (const m of SPECIAL)
      for (const params of allParams(macko)) expectTrue(trace(m, params as unknown as MackoParams), occurred);
    fc.assert(
      fc.property(matrixRecipe(9, 64), fc.constantFrom(...allParams(macko)), (recipe, params) => {
        const m = buildMatrix(recipe);
        if (m.cols <= 64 && macko.admits(m, params as unknown as MackoParams).ok)
          expectTrue(trace(m, params as unknown as MackoParams), occurred);
      }),
      { numRuns: cases(30, 400) },
    );
    expect(Object.keys(ALTERNATIVE_TEXTS).filter((name) => !occurred.has(name))).toEqual([]);
  });
});
