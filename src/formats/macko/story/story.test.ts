import { describe, expect, it } from 'vitest';
import { frameOf, NOWHERE, textOf } from '../../../../test/frames.ts';
import { describeSpaces, drawn, marksOf, spaceOf, texts, USUAL_WINDOWS, upTo } from '../../../../test/laid-out.ts';
import { columnsMatrix } from '../../../../test/matrices.ts';
import { shippedMatrices } from '../../../../test/shipped.ts';
import { fact } from '../../../core/text/stated.ts';
import { type Matrix, subMatrix } from '../../../core/matrix/index.ts';
import { playerFrames } from '../../../story/flow/story-frames.ts';
import { type Frame, wordCount } from '../../../story/frames.ts';
import { macko } from '../index.ts';
import type { MackoParams } from '../params.ts';
import type { MackoTrace } from './facts.ts';
import { story as formatStory } from './index.ts';
import { story as storyOfTrace } from './story.ts';

const DEFAULTS: MackoParams = { deltaBits: 4, valueType: 'f16' };
const trace = (m: Matrix, params: MackoParams): MackoTrace => formatStory.trace(m, params) as MackoTrace;

const example = await exampleWindow();

/** The window of the gallery's matrix with which the story is shown at first. */
async function exampleWindow(): Promise<Matrix> {
  const [, matrix] = [...(await shippedMatrices())].find(([{ id }]) => id === 'digits-fc2-70') ?? [];
  if (!matrix) throw new Error('found no example digits-fc2-70');
  return subMatrix(matrix, { row: 464, col: 261, rows: 4, cols: 32 });
}

const framesOf = (m: Matrix, params = DEFAULTS): readonly Frame[] => playerFrames(storyOfTrace(trace(m, params)));

describe('the story of MACKO on the window of the example', () => {
  const frames = framesOf(example);
  const t = trace(example, DEFAULTS);

  it('has texts of at most 15 words', () => {
    expect(frames.slice(0, -1).map((frame) => `${frame.id}: ${frame.narration(NOWHERE).text}`)).toEqual([
      'zeros: Most weights here are zero, but dense storage keeps them all.',
      'column numbers: The obvious way stores column numbers. Then *50\u202f% of the bytes* only say where.',
      'skips: Store the *skip* instead: how many empty columns come before each weight.',
      'first weight: Store 13 and its skip 1. *The skip takes 4 bits* instead of 16.',
      'next weights: To read it back, add *1 + skip* to the column of the weight before.',
      'longest skip: What is the longest skip that 4 bits can write?',
      'too far: 18 does not fit in 4 bits, so *skip 15, store a zero, skip 2*.',
      'one list: All rows in one list, plus where each begins: *140 bytes* instead of 256.',
      'start of a lane: *Workers* of the GPU read eight entries each. After which column does the third begin?',
      'lanes: Each weight now has its column, so it multiplies the *input x* of that column.',
    ]);
    for (const frame of frames) expect(wordCount(frame.narration(NOWHERE)), frame.id).toBeLessThanOrEqual(15);
  });

  it('has questions with four answers each, and their reasons', () => {
    const questions = frames.flatMap(({ question }) => question ?? []);
    expect(questions.map(({ options, answer, because }) => [options.join(' '), options[answer], because.text])).toEqual(
      [
        ['8 15 16 31', '15', 'Each bit doubles the numbers, so there are 16 numbers: 0 to 15.'],
        [
          'column 9 column 13 column 20 column 30',
          'column 20',
          'The workers before it pass 7 + 14 = 21 columns. They are columns 0 to 20.',
        ],
      ],
    );
  });

  it('has a counter of bytes with their purposes', () => {
    const counter = (id: string): string =>
      [
        ...texts(frameOf(frames, id), 'counter after'),
        ...texts(frameOf(frames, id), 'counter bytes').filter((text) => text !== ''),
        ...texts(frameOf(frames, id), 'counter note'),
      ].join(' | ');
    expect(counter('zeros')).toBe(
      '256 of 256 bytes | weights 88 B | zeros 168 B | Each of these 128 cells takes 2 bytes, even a zero.',
    );
    expect(counter('column numbers')).toBe(
      '20 of 64 bytes | weights 10 B | column numbers 10 B | 5 \u00d7 (16 + 16) bits = 20 bytes.',
    );
    expect(counter('skips')).toBe('');
    expect(counter('first weight')).toBe('2.5 bytes so far | weights 2 B | skips 0.5 B | 16 + 4 bits = 2.5 bytes.');
    expect(counter('next weights')).toBe(
      '7.5 bytes so far | weights 6 B | skips 1.5 B | 3 \u00d7 (16 + 4) bits = 7.5 bytes.',
    );
    expect(counter('too far')).toBe(
      '15 of 64 bytes | weights 10 B | stored zeros 2 B | skips 3 B | A stored zero costs as much as a weight, yet with column numbers the row took 20 bytes.',
    );
    expect(counter('one list')).toMatch(
      /^140 of 256 bytes \| weights 88 B \| stored zeros 8 B \| skips 24 B \| row starts 20 B/,
    );
  });

  it('draws the stored arrays', () => {
    const list = frameOf(frames, 'one list');
    const labels = (prefix: string): readonly string[] =>
      drawn(list).marks.flatMap(({ id, label }) => (id.startsWith(prefix) && label !== undefined ? [label] : []));
    expect(labels('deltas[').slice(0, -3).join(' ')).toBe(
      '1 0 2 15 2 4 4 1 6 2 1 1 3 0 2 1 0 2 6 0 2 1 1 3 2 0 1 0 0 1 1 0 1 0 1 0 2 0 2 0 0 2 0 0 3',
    );
    expect(labels('values[').slice(2, 5)).toEqual(['row 0, column 5: 0.08', 'a stored zero', 'row 0, column 24: 0.09']);
    expect(texts(list, 'indptr[')).toEqual(['0', '6', '17', '27', '45']);
    expect(texts(frameOf(frames, 'too far'), 'bits ')).toEqual(['0001', '0000', '0010', '1111', '0010', '0100']);
    expect(texts(frameOf(frames, 'next weights'), 'sum ')).toEqual([
      '\u22121 + 1 + 1 = column 1',
      '1 + 1 + 0 = column 2',
      '2 + 1 + 2 = column 5',
    ]);
    expect(texts(frameOf(frames, 'next weights'), 'start')).toEqual([
      'A whole row counts from \u22121: its first column is 0.',
    ]);
    expect(texts(frameOf(frames, 'start of a lane'), 'passes').slice(-1)).toEqual([
      'They share row 3, the fullest here, from entry 27 on. The first reads entries 24 to 31 of the list. Dashed boxes are of other rows, or fill the list up.',
    ]);
    const lanes = frameOf(frames, 'lanes');
    expect(texts(lanes, 'read')).toEqual([]);
    expect(texts(lanes, 'column of').join(' ')).toBe('0 1 3 5 6 8 9 11 12 15 16 19 20 21 24 25 26 30');
    expect(texts(lanes, 'sum')).toEqual([
      'The drawn weights are rounded, these sums are not. Adding up the products of each worker gives 0.2486 + 0.0557 + 0.4957 = 0.8000 for row 3 here.',
    ]);
  });

  it('keeps the skip of 18 on one line of a phone, and leaves space for answers there', () => {
    const available = spaceOf(358, 520);
    const { marks } = drawn(frameOf(frames, 'skips'), 1, available);
    const brackets = marks.filter(({ id, shape }) => shape === 'bracket' && id.startsWith('skip 3'));
    expect(brackets.map(({ id }) => id)).toEqual(['skip 3']);
    for (const picture of [0, 1])
      expect(drawn(frameOf(frames, 'longest skip'), picture, available).height).toBeLessThanOrEqual(520 - 140);
  });

  it('has frames after so many stored values and computed products', () => {
    const done = frames.map(({ id, step }) => {
      const effects = t.steps.slice(0, step).flatMap((traceStep) => traceStep.effects);
      const values = effects.filter((effect) => effect.kind === 'store' && effect.array === 'values').length;
      return `${id}: ${values} values, ${effects.filter(({ kind }) => kind === 'accumulate').length} products`;
    });
    expect(done).toEqual([
      'zeros: 0 values, 0 products',
      'column numbers: 0 values, 0 products',
      'skips: 0 values, 0 products',
      'first weight: 1 values, 0 products',
      'next weights: 3 values, 0 products',
      'longest skip: 3 values, 0 products',
      'too far: 6 values, 0 products',
      'one list: 48 values, 0 products',
      'start of a lane: 48 values, 0 products',
      'lanes: 48 values, 44 products',
      'verdict: 48 values, 44 products',
    ]);
  });

  it('shows the answer of a question only in the picture after it', () => {
    const [before, after] = [0, 1].map((picture) => texts(frameOf(frames, 'longest skip'), 'numbers after', picture));
    expect(before.join(' ')).not.toMatch(/1[56]/);
    expect(after).toContain('16 numbers: 0 to 15');
    const question = frameOf(frames, 'start of a lane');
    expect(drawn(question, 0).marks.map(textOf).join(' ')).not.toMatch(/\b21\b|passed/);
    expect(texts(question, 'passed', 0)).toEqual([]);
    // The page calls the lanes of a GPU workers.
    const columnsBefore = (sum: string): readonly string[] =>
      ['0', '7', sum].map((count) => `columns before it: ${count}`);
    expect([0, 1].map((picture) => texts(question, 'before ', picture))).toEqual([
      columnsBefore('?'),
      columnsBefore('7 + 14 = 21'),
    ]);
    expect(texts(question, 'passed', 1).filter((text) => text !== '')).toEqual([
      'first worker: 7',
      'second worker: 14',
      'third worker: 10',
    ]);
  });

  it('moves the same marks: a stored value comes from its cell and keeps its name', () => {
    const first = marksOf(drawn(frameOf(frames, 'first weight'))).get('values[0]');
    expect(first).toMatchObject({ from: 'cell 0,1', text: '13' });
    expect(first?.highlightNames).toEqual(expect.arrayContaining(['entry 0', 'cell 0,1']));
    for (const id of ['next weights', 'too far']) expect(texts(frameOf(frames, id), 'values[0]')).toEqual(['13']);
    expect(marksOf(drawn(frameOf(frames, 'one list'))).get('values[0]')).toMatchObject({ level: 1 });
  });

  it('compares the stored zeros of the region and of the matrix with their weights', () => {
    const zeros = (padding: number, nonZeros: number, on: readonly Frame[]): string | undefined => {
      const wholeFacts = [fact('padding', padding), fact('non-zeros', nonZeros)];
      return frameOf(on, 'too far').also?.({ ...NOWHERE, wholeFacts })?.text;
    };
    expect(zeros(275, 78_643, frames)).toBe(
      'These 4 rows need 1 zero for 44 weights, the whole matrix 275 for 78\u202f643.',
    );
    const row = framesOf(columnsMatrix(32, [[0, 31]]));
    expect(zeros(9, 20, row)).toBe('This row needs 1 zero for 2 weights, the whole matrix 9 for 20.');
    expect(zeros(1, 2, row)).toBe('The matrix needs 1 zero for 2 weights.');
    expect(zeros(0, 20, row)).toBeUndefined();
  });

  it('names rows and columns by their numbers in the matrix, if the window has an origin', () => {
    const placed = playerFrames(storyOfTrace({ ...t, origin: { row: 464, col: 261 } }));
    expect(texts(frameOf(placed, 'start of a lane'), 'passes').at(-1)).toMatch(
      /^They share row 467, the fullest here, /,
    );
    expect(texts(frameOf(placed, 'skips'), 'first skip')).toEqual([
      'The first skip counts from column 261, where the drawn part of the row begins.',
    ]);
    expect(texts(frameOf(frames, 'skips'), 'first skip')).toEqual([]);
    expect(texts(frameOf(placed, 'next weights'), 'sum ')).toEqual([
      '260 + 1 + 1 = column 262',
      '262 + 1 + 0 = column 263',
      '263 + 1 + 2 = column 266',
    ]);
    expect(texts(frameOf(placed, 'next weights'), 'start')).toEqual([
      'A whole row counts from \u22121: its first column is 0. This part begins with column 261, so it counts from 260.',
    ]);
    const { options = [], answer = 0 } = frameOf(placed, 'start of a lane').question ?? {};
    expect(options[answer]).toBe('column 281');
  });
});

const WINDOWS = {
  example,
  ...USUAL_WINDOWS,
  'a long row': columnsMatrix(400, [[], [19, 398, 399], []]),
  'a late long skip': columnsMatrix(64, [[0, 1, 2, 60], upTo(64)]),
};

describeSpaces<MackoParams>({
  format: macko,
  context: NOWHERE,
  windows: WINDOWS,
  framesOf,
  // The cells and the title of the row at the top, and the counter; lists are as large as there is space for them.
  fixedCoordinates: ({ id }, frame, fits) => {
    const isRow = /^(cell \d+,\d+|title row \d+)$/.test(id);
    const isKept = isRow && /weight|skips|column/.test(frame.id);
    if (!isKept && !(fits && id.startsWith('counter title'))) return null;
    return id.startsWith('cell') ? 'in its column' : 'in place';
  },
  otherParams: {
    params: [
      { deltaBits: 1, valueType: 'i8' },
      { deltaBits: 8, valueType: 'f32' },
    ],
    windows: ['example', 'a long row', 'one row', 'diagonal', 'a late long skip'],
  },
  random: (m, params) => (macko.admits(m, params).ok ? framesOf(m, params) : null),
});
