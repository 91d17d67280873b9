import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildMatrix, matrixRecipe } from '../../../../test/arbitraries.ts';
import { extractLevels, type Level } from '../../../../test/plain-extraction.ts';
import { cases } from '../../../../test/scheduled.ts';
import { defaultParams, storyParams } from '../../../core/format.ts';
import { type Matrix, rowBuffer } from '../../../core/matrix/index.ts';
import { texts } from '../../../../test/laid-out.ts';
import { playerFrames } from '../../../story/flow/story-frames.ts';
import type { Frame, FrameContext } from '../../../story/frames.ts';
import type { Stated } from '../../../core/text/stated.ts';
import { valueAt } from '../layout.ts';
import { type EcCsrParams, params } from '../params.ts';
import { story as formatStory } from './index.ts';
import type { EcCsrTrace } from './levels.ts';
import { story } from './story.ts';

/* Checks every number in the EC-SpMV story against numbers computed independently from the matrix. */

const baseParams = storyParams(params, defaultParams(params));
const NOWHERE: FrameContext = { layout: 'wide', wholeMatrix: null, recordedTimes: null };

/** Every number of the texts by its name, from the cells, the plain extraction and the encoded arrays. */
function factsOf(m: Matrix, { encoded, x }: EcCsrTrace, p: EcCsrParams): ReadonlyMap<string, number> {
  const buffer = rowBuffer(m.cols);
  const columns = Array.from({ length: m.rows }, (_, row) => [...buffer.columns.subarray(0, m.readRow(row, buffer))]);
  const facts = new Map<string, number>();
  const counts = new Map<number, number>();
  for (const col of columns.flat()) counts.set(col, (counts.get(col) ?? 0) + 1);
  facts.set('rows', m.rows);
  facts.set('column numbers at first', m.nnz);
  facts.set('columns of every row', [...counts.values()].filter((n) => n === m.rows).length);
  facts.set('columns that are used', counts.size);
  const shared = (a: number, b: number): readonly number[] => columns[a].filter((col) => columns[b].includes(col));
  const pairs = columns.flatMap((_, a) =>
    columns.slice(a + 1).map((__, i) => ({ a, b: a + 1 + i, n: shared(a, a + 1 + i).length })),
  );
  const best = pairs.toSorted((p1, p2) => p2.n - p1.n)[0] as (typeof pairs)[number] | undefined;
  facts.set('columns of the best two rows', best?.n ?? 0);
  const levels: readonly Level[] = extractLevels(columns, p);
  const largest = levels[levels.length - 1].units.toSorted((a, b) => b.columns.length - a.columns.length)[0];
  // Pairs of the rows of the largest block, if there are any; of these the one with the most columns.
  const joined = (levels[0].rounds[0] ?? []).filter(({ blocks }) => blocks.length > 0);
  const within = joined.filter(({ unit, partner }) => [unit, partner].every((row) => largest.rows.includes(row)));
  const [first] = (within.length > 0 ? within : joined).toSorted((a, b) => b.shared.length - a.shared.length);
  const pair = first ? { a: first.unit, b: first.partner, n: first.shared.length } : best;
  facts.set('row', pair?.a ?? 0);
  facts.set('other row', pair?.b ?? 1);
  facts.set('columns of both rows', pair?.n ?? 0);
  const takenCount = first?.blocks.flat().length ?? 0;
  const min = p.lanes * p.vectorSize;
  facts.set('columns that leave together', min);
  facts.set('columns that leave', takenCount);
  facts.set('times', takenCount / min);
  facts.set('column numbers of both rows', 2 * takenCount);
  facts.set('columns that stay', (pair?.n ?? 0) - takenCount);
  facts.set('lists of the pair', first?.blocks.length ?? 0);
  const restOf = (level: number): number =>
    levels[level]?.rest.reduce((sum, unit) => sum + unit.columns.length, 0) ?? 0;
  facts.set('single weights', restOf(0));
  // Of the nine fields of a set, the first two are the rows and the number of its blocks, the fifth is the position of their ends.
  const columnsOfSingleRows = Array.from({ length: encoded.sets.length / 9 }, (_, i) =>
    encoded.sets.subarray(9 * i, 9 * i + 9),
  )
    .filter(([rows]) => rows === 1)
    .reduce(
      (sum, [, blocks, , , blockPtrAt]) => sum + encoded.blockPtr[blockPtrAt + blocks] - encoded.blockPtr[blockPtrAt],
      0,
    );
  facts.set('zeros in lists of one row', columnsOfSingleRows - restOf(0));
  facts.set('rows of the largest block', 2 ** (levels.length - 1));
  facts.set('columns of the largest block', largest?.columns.length ?? 0);
  facts.set('weights of the largest block', 2 ** (levels.length - 1) * (largest?.columns.length ?? 0));
  const { baseIndices } = encoded;
  const columnsOfLargest = largest
    ? columns[largest.rows[0]].filter((col) => largest.rows.every((row) => columns[row].includes(col)))
    : [];
  facts.set('columns of these rows', columnsOfLargest.length);
  // The rows and columns that remain at each level, then the largest blocks.
  const lists = [...levels.slice(0, -1).flatMap(({ rest }) => rest), ...levels[levels.length - 1].units];
  const columnsInLists = lists.reduce((sum, list) => sum + list.columns.length, 0);
  const { deltaIndices } = encoded;
  facts.set(
    'bytes that steps save',
    baseIndices.BYTES_PER_ELEMENT * (columnsInLists - encoded.baseIndices.length) - deltaIndices.byteLength,
  );
  facts.set('bits of a step', p.deltaBits);
  facts.set('bytes of a step', p.deltaBits / 8);
  const arrays = [
    encoded.sets,
    encoded.rowIndices,
    encoded.blockPtr,
    encoded.baseIndices,
    encoded.deltaIndices,
    encoded.values,
  ];
  facts.set(
    'bytes',
    arrays.reduce((sum, array) => sum + array.byteLength, 0),
  );
  const valueBytes = p.valueType === 'f16' ? 2 : 4;
  const plainBytes = m.nnz * (valueBytes + baseIndices.BYTES_PER_ELEMENT) + 4 * (m.rows + 1);
  facts.set('bytes against a list for each row', Math.abs(plainBytes - (facts.get('bytes') ?? 0)));
  facts.set('share of dense', (facts.get('bytes') ?? 0) / (m.rows * m.cols * valueBytes));
  facts.set('bytes of dense', m.rows * m.cols * valueBytes);
  // The first block of the table of sets: its rows, and what its lanes load first.
  const perLane = (encoded.blockPtr[1] ?? 0) / p.lanes;
  const fetches = p.lanes * (perLane >= p.vectorSize ? p.vectorSize : 1);
  facts.set('rows of the block', encoded.sets[0] ?? 0);
  facts.set('lanes', p.lanes);
  facts.set('columns of a lane at once', p.vectorSize);
  facts.set('fetches of x', fetches);
  expect(x).toHaveLength(m.cols);
  return facts;
}

/** Whether the facts of the "smaller block" describe a block of some of the largest block's rows. */
function smallerBlock(levels: readonly Level[], output: Stated): boolean {
  const largest = levels[levels.length - 1].units.toSorted((a, b) => b.columns.length - a.columns.length)[0];
  const columns = output.facts.find(({ name }) => name === 'columns of the smaller block')?.value;
  const named = output.facts.flatMap(({ name, value }) => (/^row \d|^(first|last) row/.test(name) ? [value] : []));
  return levels
    .slice(1, -1)
    .some(({ rest }) =>
      rest.some(
        (unit) =>
          unit.columns.length === columns &&
          unit.rows.every((row) => largest.rows.includes(row)) &&
          named.every((row) => unit.rows.includes(row)),
      ),
    );
}

/** The numbers of a text, in order. */
const numbersIn = (text: string): readonly number[] =>
  Array.from(text.replaceAll(/(?<=\d)\u202f(?=\d)/g, '').matchAll(/\d+(?:\.\d+)?/g), ([digits]) => Number(digits));

/** A sum or product of numbers, with words between them. */
const valueOf = (sum: string): number =>
  sum.split(' + ').reduce((total, term) => total + numbersIn(term).reduce((product, n) => product * n, 1), 0);

/** Checks the sums in the notes of a frame: they add up, and equal the bytes of the arrays that the bar next to them shows. */
function expectSums(frame: Frame, m: Matrix, { encoded, x }: EcCsrTrace, facts: ReadonlyMap<string, number>): void {
  const { rowIndices, blockPtr, sets, baseIndices, deltaIndices, valueType, deltaBits } = encoded;
  const note = (id: string): string => texts(frame, id)[0] ?? '';
  const columnBytes = baseIndices.byteLength + deltaIndices.byteLength;
  const saved = facts.get('bytes that steps save') ?? 0;
  // The third field of a set: its columns, whose steps are filled up to words.
  const columns = Array.from({ length: sets.length / 9 }, (_, i) => sets[9 * i + 2]).reduce((sum, n) => sum + n, 0);
  const fill = deltaIndices.byteLength - (columns * deltaBits) / 8;
  if (frame.id === 'largest block') {
    const numberBytes = baseIndices.BYTES_PER_ELEMENT;
    const [before, after] = [numberBytes * m.nnz, columnBytes + saved];
    expect(numbersIn(note('saves what')), note('saves what')).toEqual([
      m.nnz,
      after / numberBytes,
      numberBytes,
      before - after,
      before,
    ]);
  }
  if (frame.id === 'steps') {
    const all = note('counter note');
    expect(numbersIn(all).slice(0, 2), all).toEqual([columnBytes, columnBytes + saved]);
    expect(Number(/(\d+) bytes? fills? up words of 4 bytes\.$/.exec(all)?.[1] ?? 0), all).toBe(fill);
    // The parts of each bar add up to the text after it, and these to what the headline says.
    const [fullBytes, stepBytes] = ['full', 'steps'].map((bar) => texts(frame, `all lists ${bar}`).flatMap(numbersIn));
    const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, n) => sum + n, 0);
    const totals = texts(frame, 'all lists after').map((text) => numbersIn(text)[0]);
    expect([sumOf(fullBytes), sumOf(stepBytes)], all).toEqual(totals);
    expect(totals, all).toEqual([columnBytes + saved, columnBytes]);
    // The bars confirm which lists grow or shrink according to the text, which names the shared lists first.
    const text = note('changes').split('. ')[0];
    const changes = text.startsWith('Shared and') ? [text, text] : text.split(', ');
    for (const [i, change] of changes.entries()) {
      const more = stepBytes[i] - fullBytes[i];
      const word = more > 0 ? /grows?$/ : more < 0 ? /shrinks?$/ : /stays? as large/;
      expect(change.replace(/\.$/, ''), `${fullBytes.join(' ')} and ${stepBytes.join(' ')}`).toMatch(word);
    }
  }
  if (frame.id === 'left over') {
    const [product, bytes] = note('counter note').split(' = ');
    expect([valueOf(product), numbersIn(bytes)[0]], note('counter note')).toEqual(
      Array(2).fill(encoded.values.byteLength - m.nnz * (valueType === 'f16' ? 2 : 4)),
    );
  }
  if (frame.id === 'against plain lists') {
    const bookkeeping = [rowIndices, blockPtr, sets];
    const [product, bytes] = note('bookkeeping sum').split(/ = |\. /);
    const all = bookkeeping.reduce((sum, { length }) => sum + length, 0);
    expect([numbersIn(product)[0], valueOf(product), numbersIn(bytes)[0]], note('bookkeeping sum')).toEqual([
      all,
      4 * all,
      4 * all,
    ]);
    // Each of the three lines is a sum of what it names.
    expect(
      texts(frame, 'kinds after').map((text) => {
        const [sum, total = sum] = text.split(' = ');
        return [valueOf(sum), numbersIn(total)[0]];
      }),
    ).toEqual(bookkeeping.map(({ length }) => [length, length]));
    expect(note('bookkeeping sum')).toMatch(
      new RegExp(`Plain lists: ${m.rows + 1} .* = ${4 * (m.rows + 1)} bytes\\.$`),
    );
  }
  if (frame.id === 'fetched once') {
    const [, a = '', b = '', product] =
      / (\u2212?[\d.]+) \u00d7 (\u2212?[\d.]+) (?:=|\u2248) (\u2212?[\d.]+)\.(?: The weight is drawn rounded\.)?$/.exec(
        note('one product'),
      ) ?? [];
    const number = (text: string): number => Number(text.replace('\u2212', '-'));
    const value = valueAt(encoded, 0) * x[encoded.baseIndices[0]];
    if (product !== undefined && Math.abs(value) >= 0.001) {
      expect(number(product), note('one product')).toBeCloseTo(value, 3);
      // The product follows from the two numbers as they are printed.
      expect(Math.abs(number(a) * number(b) - number(product)), note('one product')).toBeLessThan(0.0006);
    }
  }
}

/** The kind of step at which each frame stops; 'nothing': before the first step. */
const STEPS: Readonly<Record<string, readonly string[]>> = {
  'many numbers': ['nothing'],
  'first pair': ['nothing'],
  'in fours': ['nothing'],
  'what stays': ['nothing'],
  'take out': ['nothing'],
  'nothing leaves': ['nothing'],
  'other pairs': ['nothing'],
  'pairs pair up': ['nothing'],
  'largest block': ['nothing'],
  'where to': ['nothing'],
  'nothing to store': ['encoded'],
  steps: ['stored'],
  'left over': ['nothing'],
  'against plain lists': ['encoded'],
  'fetched once': ['product', 'zeros', 'multiplied'],
};

describe('the story of any window', () => {
  const paramsArbitrary = fc.record({
    lanes: fc.constantFrom(2, 4),
    vectorSize: fc.constantFrom(1, 2),
    deltaBits: fc.constantFrom(4, 8),
    maxGranularity: fc.constantFrom(1, 2, 4, 8),
    maxRounds: fc.constantFrom(0, 1, 2),
    witnesses: fc.constantFrom('two', 'none'),
    remainder: fc.constantFrom('same-block', 'short-block'),
    order: fc.constantFrom('longest-first', 'as-found'),
  });

  it('contains only numbers that equal the fact of their name, and every frame is at its step', () => {
    const seenFrames = new Set<string>();
    fc.assert(
      fc.property(matrixRecipe(12, 40), paramsArbitrary, (recipe, chosen) => {
        const m = buildMatrix(recipe);
        const p = { ...baseParams, ...chosen } as EcCsrParams;
        const t = formatStory.trace(m, p) as EcCsrTrace;
        const facts = factsOf(m, t, p);
        const buffer = rowBuffer(m.cols);
        const columns = Array.from({ length: m.rows }, (_, row) => [
          ...buffer.columns.subarray(0, m.readRow(row, buffer)),
        ]);
        const levels = extractLevels(columns, p);
        for (const frame of playerFrames(story(t))) {
          seenFrames.add(frame.id);
          expectSums(frame, m, t, facts);
          const texts = [frame.narration(NOWHERE), ...(frame.question ? [frame.question.because] : [])];
          for (const { name, value } of texts.flatMap((text) => text.facts)) {
            if (/^row \d|^(first|last) row|of the smaller block$|^rows without|^row with zeros$/.test(name)) continue;
            expect([frame.id, name, value]).toEqual([frame.id, name, facts.get(name)]);
          }
          if (texts[0].facts.some(({ name }) => name === 'columns of the smaller block'))
            expect(smallerBlock(levels, texts[0])).toBe(true);
          const right = frame.question?.options[frame.question.answer];
          if (frame.id === 'what stays') expect(right).toBe(String(facts.get('columns that stay')));
          if (frame.id in STEPS)
            expect(STEPS[frame.id]).toContain(frame.step === 0 ? 'nothing' : t.steps[frame.step - 1].detail.kind);
          if (frame.id === 'verdict') expect(frame.step).toBe(t.steps.length);
        }
      }),
      { numRuns: cases(40, 800), seed: 43 },
    );
    expect(Object.keys(STEPS).filter((id) => !seenFrames.has(id))).toEqual([]);
  });
});
