import { describe, expect, it } from 'vitest';
import { frameOf, NOWHERE, textOf } from '../../../../test/frames.ts';
import { describeSpaces, drawn, spaceOf, texts as textsWith, USUAL_WINDOWS, upTo } from '../../../../test/laid-out.ts';
import { columnsMatrix, matrixOf } from '../../../../test/matrices.ts';
import { shippedMatrices } from '../../../../test/shipped.ts';
import { defaultParams, storyParams } from '../../../core/format.ts';
import { type LedgerEntry, ledger } from '../../../core/encoded/ledger.ts';
import type { Matrix } from '../../../core/matrix/index.ts';
import { playerFrames } from '../../../story/flow/story-frames.ts';
import { type Frame, type FrameContext, type RecordedMatrix, wordCount } from '../../../story/frames.ts';
import type { DrawnMark } from '../../../story/scene.ts';
import sharedPairs from '../../../theory/shared-pairs.json';
import { ecCsr } from '../index.ts';
import { type EcCsrParams, params } from '../params.ts';
import { story as formatStory } from './index.ts';
import type { EcCsrTrace } from './levels.ts';
import { story } from './story.ts';

const onStage = storyParams(params, defaultParams(params));
const trace = (m: Matrix, p: EcCsrParams): EcCsrTrace => formatStory.trace(m, p) as EcCsrTrace;
const framesOf = (m: Matrix, changedParams: Partial<EcCsrParams> = {}): readonly Frame[] =>
  playerFrames(story(trace(m, { ...onStage, ...changedParams })));

const time = (ns: number, timesDense: number, bytes: number) => ({ ns, timesDense, bytes });
const vectors = 8 * 8192;
const dense = 2 * 8192 ** 2;
const PLANTED: RecordedMatrix = {
  rows: 8192,
  cols: 8192,
  density: 0.3,
  pattern: 'planted-blocks',
  operation: 'spmv',
  tokens: 1,
  date: '25 November 2026',
  format: time(16_994, 1.9692, 45_946_704 + vectors),
  dense: time(33_442, 1, dense + vectors),
  dense4: time(18_366, 1.8194, dense / 4),
};
const RANDOM: RecordedMatrix = {
  ...PLANTED,
  pattern: 'uniform',
  date: '22 November 2026',
  format: time(27_077, 1.2347, 57_139_432 + vectors),
  dense4: null,
};
const SMALLER: RecordedMatrix = {
  ...RANDOM,
  rows: 4096,
  cols: 4096,
  format: time(10_892, 1.0103, 15_063_976),
  dense: time(10_972, 1, 33_587_200),
  dense4: time(8008, 1.3697, 9_469_952),
};
const contextWith = (...matrices: readonly RecordedMatrix[]): FrameContext => ({
  layout: 'wide',
  wholeMatrix: null,
  recordedTimes: { device: 'Card', matrices },
});

const message = (frame: Frame, context = NOWHERE): string => frame.narration(context).text.replaceAll('*', '');
const idsOf = (all: readonly Frame[]): readonly string[] => all.map(({ id }) => id);

const NOT_TIMED = 'nothing';
/** The texts of the marks of a picture whose id begins with a prefix, without empty ones. */
const texts = (...args: Parameters<typeof textsWith>): readonly string[] =>
  textsWith(...args).filter((text) => text !== '');

/** Positions ('row,column') of the cells whose marks fulfil a condition. */
function cellsThat(frame: Frame, fits: (mark: DrawnMark) => boolean, picture?: number): readonly string[] {
  return drawn(frame, picture).marks.flatMap((mark) => {
    const index = /^(?:gone )?cell (.*)$/.exec(mark.id);
    return index && fits(mark) ? [index[1]] : [];
  });
}

const isLit = ({ level }: DrawnMark): boolean => level === 1;
const isGone = ({ id }: DrawnMark): boolean => id.startsWith('gone');
const isRinged = ({ focus }: DrawnMark): boolean => focus === true;

const eightRows = [...(await shippedMatrices())].find(([{ id }]) => id === 'ec-spmv-eight-rows')?.[1];
if (!eightRows) throw new Error('found no example ec-spmv-eight-rows');
const EIGHT_ROWS: Matrix = eightRows;

/** Two rows without a column in common. */
const DISTINCT = matrixOf([0.25, 0.5, 0, 0, 0, 0, 0, 0], [0, 0, 0.75, 1, 0, 0, 0, 0]);

/** Whole numbers from the first to the last. */
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);

describe('the frames of the eight rows', () => {
  const frames = framesOf(EIGHT_ROWS);
  const context = contextWith(PLANTED, RANDOM, SMALLER);

  it('explain who shares, what leaves, what that makes, and what it is worth', () => {
    expect(frames.map((frame) => [frame.chapter, message(frame, context)])).toEqual([
      ['Who shares?', 'Each row stores its own column numbers. Eight columns are in every row.'],
      ['Who shares?', 'Row 0 pairs with row 1, because they share 13 columns.'],
      ['Who shares?', 'Two GPU threads each read half of a list, two numbers at a time.'],
      ['Who shares?', 'A list has a multiple of four columns; 13 are shared. How many stay out?'],
      ['Take out', 'Two rows share one list: 12 column numbers instead of 24.'],
      ['Take out', 'Other pairs do the same. Eight weights are left over.'],
      ['Again, larger', 'Pairs pair up as rows did: four rows, one list.'],
      ['Again, larger', 'Two lists of four rows join. Where do 7, 14, 22 and 30 go?'],
      ['Again, larger', 'Eight rows, one list: 8 numbers instead of 64.'],
      ['Store', 'Threads store a first column, then steps of one byte: longer lists gain.'],
      ['Store', 'These rows take 84 bytes more than plain lists; a large matrix needs fewer.'],
      ['Multiply', 'In the first read, 4 fetches of x serve eight rows.'],
      ['So what', 'This region takes 98.4\u202f% of the bytes of dense.'],
    ]);
    for (const frame of frames) expect(wordCount(frame.narration(context)), frame.id).toBeLessThanOrEqual(15);
  });

  it('says which frames a matrix without four rows that share columns leaves out, and why', () => {
    const words = (m: Matrix) => texts(frameOf(framesOf(m), 'many numbers'), 'left out');
    expect(
      words(
        columnsMatrix(8, [
          [0, 1, 2, 3],
          [4, 5, 6, 7],
        ]),
      ),
    ).toEqual(['Not shown for this matrix: \u201cAgain, larger\u201d needs four rows that share columns.']);
    expect(words(EIGHT_ROWS)).toEqual([]);
  });

  it('count column numbers, then bytes', () => {
    const counterText = (frame: Frame): string =>
      [...texts(frame, 'counter after'), ...texts(frame, 'counter bytes'), ...texts(frame, 'counter note')].join(' | ');
    const numbers = (kept: number, note: string): string =>
      `${192 + 2 * kept} of 512 bytes | weights 192 B | column numbers ${2 * kept} B | ${note}`;
    expect(
      frames
        .filter(
          ({ question, id }) => !question && !['in fours', 'steps', 'against plain lists', 'fetched once'].includes(id),
        )
        .slice(0, -1)
        .map(counterText),
    ).toEqual([
      numbers(96, '96 weights and 96 column numbers take 2 bytes each. All 256 cells would take 512.'),
      numbers(96, '96 column numbers in plain lists, one list for each row.'),
      numbers(84, '96 \u2212 12 = 84 column numbers.'),
      numbers(52, '12 + 12 + 12 + 8 shared + 8 left over = 52 column numbers.'),
      numbers(32, '12 + 8 + 4 shared + 8 left over = 32 column numbers.'),
      numbers(24, '8 + 4 + 4 shared + 8 left over = 24 column numbers.'),
    ]);
  });

  it('the frames of the eight rows have questions: what stays, and where columns of four rows go', () => {
    const questions = frames.flatMap(({ question }) => (question ? [question] : []));
    expect(questions.map(({ options, answer, because }) => [options, answer, because.text])).toEqual([
      [['0', '1', '5', '9'], 1, 'The first 12 = 3 \u00d7 4 go into the list, one is left over.'],
      [
        ['the list of eight rows', 'a list of four rows', 'no list'],
        1,
        'They stay in a list of four rows, because the other four would store zeros.',
      ],
    ]);
  });

  it('draw no answer before it is given', () => {
    const [stays, where] = frames.filter(({ question }) => question);
    const words = [0, 1].map((picture) => [...texts(stays, 'list', picture), ...texts(stays, 'stays', picture)]);
    expect(words).toEqual([[], ['3 \u00d7 4', 'left over']]);
    expect(texts(where, 'title list', 0)).toEqual(['rows 0 to 3', 'rows 4 to 7', 'rows 4, 5']);
    expect(texts(where, 'title list', 1)).toEqual(['rows 0 to 7', 'rows 0 to 3', 'rows 4, 5']);
    const litNumbers = [0, 1].map((picture) =>
      drawn(where, picture)
        .marks.filter((mark) => mark.id.startsWith('number ') && isLit(mark))
        .map(textOf)
        .join(' '),
    );
    expect(litNumbers).toEqual(['7 14 22 30', '7 14 22 30']);
  });

  it('highlight the cells that the text is about, and dash the ones that left', () => {
    const columns = (frame: Frame, fits: typeof isLit): string =>
      [...new Set(cellsThat(frame, fits).map((index) => Number(index.split(',')[1])))]
        .toSorted((a, b) => a - b)
        .join(' ');
    expect(cellsThat(frames[0], isLit)).toHaveLength(64);
    expect(columns(frames[0], isLit)).toBe('2 5 9 12 17 20 26 29');
    const pair = frameOf(frames, 'first pair');
    expect(texts(pair, 'rule')).toEqual([
      'Each row pairs with the unpaired row below that shares most columns, at least four. Other rows stay alone.',
    ]);
    const tied = columnsMatrix(
      8,
      [0, 1, 2].map(() => [0, 1, 2, 3]),
    );
    expect(texts(frameOf(framesOf(tied), 'first pair'), 'rule')[0]).toMatch(
      / Of several equal ones, it takes the first\. Other rows stay alone\.$/,
    );
    expect(texts(pair, 'after row').join(' ')).toBe('13 shared 12 12 8 8 9 8');
    // The list keeps to the columns of the matrix, next to which more is written.
    const [cell, number] = ['cell 0,31', 'outline number 0,31'].map((id) =>
      drawn(pair).marks.find((mark) => mark.id === id),
    );
    expect(number?.x).toBeCloseTo((cell?.x ?? 0) + 1, 5);
    expect(columns(pair, isLit)).toBe('2 5 7 9 12 14 17 20 22 26 29 30 31');
    expect(cellsThat(pair, isLit)).toHaveLength(26);
    const out = frameOf(frames, 'take out');
    expect(cellsThat(out, isGone)).toHaveLength(24);
    expect(cellsThat(out, isRinged)).toEqual([]);
    const leftOverCells = '0,4 0,31 1,16 1,31 4,6 4,21 6,13 6,31'.split(' ');
    expect(cellsThat(frameOf(frames, 'other pairs'), isRinged)).toEqual(leftOverCells);
    // Not highlighted in these frames, since they were counted before.
    for (const id of ['pairs pair up', 'largest block'])
      expect(cellsThat(frameOf(frames, id), isRinged), id).toEqual([]);
    // Weights whose column numbers are the answer are ringed where they were.
    const where = frameOf(frames, 'where to');
    const askedCells = [0, 1, 2, 3].flatMap((r) => [7, 14, 22, 30].map((c) => `${r},${c}`));
    expect(cellsThat(where, isLit, 0)).toEqual([]);
    const [joined, larger] = ['pairs pair up', 'largest block'].map((id) => cellsThat(frameOf(frames, id), isGone));
    expect(larger).toEqual(joined);
    for (const picture of [0, 1]) expect(cellsThat(where, isRinged, picture)).toEqual(askedCells);
    expect(cellsThat(where, isGone, 0)).toEqual(joined);
    expect(cellsThat(where, isLit, 1)).toEqual([]);
    expect([0, 1].map((picture) => texts(where, 'number 0,', picture).length)).toEqual([12, 12]);
    expect(columns(frameOf(frames, 'fetched once'), isLit)).toBe('2 5 17 20');
  });

  it('name the rows of every list, and what stayed behind', () => {
    const titles = (id: string): readonly string[] => texts(frameOf(frames, id), 'title list');
    expect(titles('other pairs')).toEqual(['rows 0, 1', 'rows 2, 3', 'rows 4, 5', 'rows 6, 7']);
    const pairs = frameOf(frames, 'pairs pair up');
    expect(titles('pairs pair up')).toEqual(['rows 0 to 3', 'rows 4 to 7', 'rows 4, 5']);
    const written = (frame: Frame, prefix: string): string => texts(frame, prefix).join(' ');
    expect(written(pairs, 'number 0,')).toBe('2 5 7 9 12 14 17 20 22 26 29 30');
    expect(written(pairs, 'number 4,').split(' ')).toHaveLength(12);
    expect(texts(pairs, 'more lists')).toEqual(['A number that only one pair has stays in that pair\u2019s list.']);
    // The last two of ten rows have no pair to join.
    const ten = columnsMatrix(32, [...range(0, 7).map(() => range(0, 7)), ...range(8, 9).map(() => range(20, 27))]);
    expect(texts(frameOf(framesOf(ten), 'pairs pair up'), 'more lists')).toEqual([
      'Rows 8, 9 stay a pair: no other pair is left.',
    ]);
    const twelve = columnsMatrix(32, [
      ...range(0, 7).map(() => range(0, 7)),
      ...range(8, 9).map(() => range(20, 27)),
      ...range(10, 11).map(() => range(12, 15)),
    ]);
    expect(texts(frameOf(framesOf(twelve), 'pairs pair up'), 'more lists')[0]).toMatch(
      /2 pairs stay pairs: no two of them share four columns\.$/,
    );
    const largest = frameOf(frames, 'largest block');
    expect(titles('largest block')).toEqual(['rows 0 to 7', 'rows 0 to 3', 'rows 4, 5']);
    expect(written(largest, 'number 0,')).toBe('2 5 9 12 17 20 26 29');
    expect([0, 4].map((r) => written(largest, `plain number ${r},`))).toEqual(['7 14 22 30', '3 8 15 27']);
    expect(texts(frameOf(frames, 'take out'), 'moved')).toEqual([
      'The dashed weights moved into the list, while column 31 stays in both rows.',
    ]);
  });

  it('show the parts of the largest list: a column in full, then steps', () => {
    const frame = frameOf(frames, 'steps');
    const laneText = (lane: number): string =>
      [`first of ${lane}`, `step ${lane}`, `column of ${lane}`].flatMap((prefix) => texts(frame, prefix)).join(' ');
    expect(laneText(0)).toBe('2 +0 +3 +4 +3 2 5 9 12');
    expect(laneText(1)).toBe('17 +0 +3 +6 +3 17 20 26 29');
    expect(texts(frame, 'bytes of').join(' ')).toBe('2 1 1 1 1 2 1 1 1 1');
    expect(texts(frame, 'lane')).toEqual(['thread 1: 6 bytes', 'thread 2: 6 bytes']);
    expect(texts(frame, 'parts')).toEqual(['The first step is +0, so that every column has a step.']);
    // What the shared lists save, the left-over lists cost: the bars of all lists add up to the bar of bytes.
    expect(['title', 'full', 'steps', 'after'].map((part) => texts(frame, `all lists ${part}`))).toEqual([
      ['full numbers', 'with steps'],
      ['shared 32 B', 'left over 16 B'],
      ['shared 28 B', 'left over 24 B'],
      ['48 bytes', '52 bytes  4 more'],
    ]);
    expect(texts(frame, 'changes')).toEqual([
      'Shared lists shrink, left-over lists grow. Each list stores two first columns.',
    ]);
    expect(texts(frame, 'counter note')).toEqual(['Column numbers: 52 bytes, without steps 48.']);
    expect(texts(frame, 'one list')).toEqual(['2 \u00d7 6 = 12 bytes are stored, instead of 8 \u00d7 2 = 16.']);
    // What threads read first is marked in the product.
    const lit = (anyFrame: Frame, prefix: string): string =>
      drawn(anyFrame)
        .marks.filter((mark) => mark.id.startsWith(prefix) && isLit(mark))
        .map(textOf)
        .join(' ');
    expect(lit(frameOf(frames, 'fetched once'), 'fetched')).toBe('2 5 17 20');
    expect(texts(frame, 'read 1')).toEqual([]);
    expect(texts(frameOf(frames, 'fetched once'), 'read 1')).toEqual(['read 1', 'read 1']);
  });

  it('draw the left-over columns of a row as a list, with the zeros that fill it', () => {
    // Eight weights are left over, two in each of four rows: no zero is added.
    expect(idsOf(frames)).not.toContain('left over');
    // One row of nine: a list of ten, whose last turn reads one number a lane.
    const nine = columnsMatrix(32, [[2, 5, 10, 11, 15, 17, 24, 25, 29], [3], []]);
    const filled = frameOf(framesOf(nine), 'left over');
    expect(message(filled)).toBe('A row in no shared list keeps its own. Two zeros are added in all.');
    expect(texts(filled, 'column of').join(' ')).toBe('2 5 10 11 15 17 24 25 29 29');
    expect(texts(filled, 'weight of ').at(-1)).toBe('0');
    expect(texts(filled, 'filled')).toEqual([
      'Each thread has equally many columns, so a zero, hatched, fills up the list.',
    ]);
    expect(texts(filled, 'counter note')).toEqual(['All stored zeros: 2 \u00d7 2 = 4 bytes.']);
    // Zeros are explained before their steps are counted.
    const ids = idsOf(framesOf(nine));
    expect(ids.indexOf('steps') - ids.indexOf('left over')).toBe(1);
    // A row with one column in a list of two rows, and one that is left over.
    const five = columnsMatrix(32, [
      [2, 5, 10, 11, 15],
      [2, 5, 10, 11],
    ]);
    expect(message(frameOf(framesOf(five), 'left over'))).toBe(
      'The rest of row 0 has its own list. One zero is added.',
    );
    expect(texts(frameOf(framesOf(five), 'steps'), 'changes')).toEqual([
      'The shared list stays as large, the left-over list grows. Each list stores two first columns, and steps of zeros.',
    ]);
    // A row of which something is left is drawn, not the whole row whose list comes first.
    const both = columnsMatrix(32, [[2, 5, 10, 11, 15], [2, 5, 10, 11], range(20, 28)]);
    const rest = frameOf(framesOf(both), 'left over');
    expect([message(rest), texts(rest, 'column of').join(' ')]).toEqual([
      'The rest of row 0 has its own list. Two zeros are added in all.',
      '15 15',
    ]);
  });

  it('show bytes by purpose, and what the whole matrix gains', () => {
    const comparison = frameOf(frames, 'against plain lists');
    expect(texts(comparison, 'cut after')).toEqual(['384 + 36 = 420 bytes', '504 bytes  84 more']);
    expect(['cut alone', 'cut own'].map((bar) => texts(comparison, bar))).toEqual([
      ['weights 192 B', 'column numbers 192 B', 'bookkeeping 36 B'],
      ['weights 192 B', 'column numbers 52 B', 'bookkeeping 260 B'],
    ]);
    expect(texts(comparison, 'bookkeeping')).toEqual([
      'Bookkeeping says which rows a list is for, and where it begins. Lists of eight, four, two and one row: four kinds. Each kind has nine numbers: sizes, and where its arrays begin.',
      'Together: 65 numbers \u00d7 4 = 260 bytes. Plain lists: 9 starts and ends \u00d7 4 = 36 bytes.',
    ]);
    expect(texts(comparison, 'kinds title')).toEqual(['rows of lists', 'starts of lists', 'kinds']);
    expect(texts(comparison, 'kinds after')).toEqual([
      '8 + 4 + 2 + 4 = 18 numbers',
      '7 lists + 4 ends = 11 numbers',
      '4 kinds \u00d7 9 = 36 numbers',
    ]);
    // Equal weights are equally long.
    const { marks } = drawn(comparison);
    const weightBars = ['cut alone', 'cut own'].map((bar) =>
      marks.find(({ id, tone }) => id.startsWith(bar) && tone === 'values'),
    );
    expect(weightBars[0]?.w).toBe(weightBars[1]?.w);
    const entry = (array: string, bytes: number): LedgerEntry => {
      const bits = { values: 0, indices: 0, metadata: 8 * bytes, padding: 0 };
      return { array, dtype: 'u32', length: bytes / 4, bytes, bits };
    };
    const stored = ledger([entry('values', 9600), entry('sets', 400)], 64 * 64 * 16);
    const wholeMatrix = { rows: 64, cols: 64, nnz: 4000, params: {}, ledger: stored, reason: null };
    // 4000 weights and column numbers of 2 bytes each, and 65 marks of 4.
    expect(message(comparison, { ...NOWHERE, wholeMatrix })).toBe(
      'This region takes 84 bytes more than plain lists. The whole matrix: 6\u202f260 bytes less.',
    );
    expect(texts(comparison, 'whole own', 0, { ...NOWHERE, wholeMatrix })).toContain('bookkeeping 400 B');
    expect(
      ['whole means', 'whole after'].map((part) => texts(comparison, part, 0, { ...NOWHERE, wholeMatrix })),
    ).toEqual([['larger: the whole matrix, 64 \u00d7 64'], ['16\u202f260 bytes', '10\u202f000 bytes']]);
    const fewerNonZeros = { ...NOWHERE, wholeMatrix: { ...wholeMatrix, nnz: 2000 } };
    // Lists for as many threads as a GPU has: the captions of the bars say so.
    const onGpu = { ...NOWHERE, wholeMatrix: { ...wholeMatrix, params: { lanes: 32 } } };
    expect(message(comparison, onGpu)).toBe(
      'This region takes 84 bytes more than plain lists. The whole matrix: 6\u202f260 bytes less.',
    );
    expect(texts(comparison, 'whole means', 0, onGpu)).toEqual([
      'larger: the whole matrix, 64 \u00d7 64, for 32 threads as on a GPU',
    ]);
    const same = { ...onGpu, wholeMatrix: { ...onGpu.wholeMatrix, rows: 8, cols: 32, nnz: 96 } };
    expect(texts(comparison, 'whole means', 0, same)).toEqual(['the same cells, for 32 threads as on a GPU']);
    expect(texts(comparison, 'cut means')).toEqual(['bytes as drawn, for 2 threads']);
    expect(message(comparison, fewerNonZeros)).toBe(
      'This region takes 84 bytes more than plain lists. The whole matrix: 1\u202f740 bytes more.',
    );
  });

  it('say what sharing and steps save, and why the first step is 0', () => {
    expect(frames.filter((frame) => texts(frame, 'saves what').length > 0).map(({ id }) => id)).toEqual([
      'largest block',
    ]);
    expect(texts(frameOf(frames, 'largest block'), 'saves what')).toEqual([
      'Sharing saves (96 \u2212 24) \u00d7 2 = 144 of 192 bytes of column numbers.',
    ]);
    expect(texts(frameOf(frames, 'steps'), 'parts')).toEqual([
      'The first step is +0, so that every column has a step.',
    ]);
    // No list gains here: one that would is computed.
    expect(texts(frameOf(framesOf(DISTINCT), 'steps'), 'parts')[0]).toMatch(
      / A list of 16 columns takes 2 \u00d7 2 \+ 16 \u00d7 1 = 20 bytes instead of 16 \u00d7 2 = 32\.$/,
    );
  });

  it('show the x that lanes fetch first', () => {
    const frame = frameOf(frames, 'fetched once');
    expect(texts(frame, 'x ')).toEqual(['.5', '.5', '2.5', '\u22122']);
    expect(texts(frame, 'lane')).toEqual(['thread 1', 'thread 2']);
    expect(texts(frame, 'one product')).toEqual([
      'x is the input vector, and row 0 begins with 0.1 \u00d7 0.5 = 0.05.',
    ]);
    expect(texts(frame, 'alone')).toEqual(['Plain lists would need 8 \u00d7 4 = 32 fetches.']);
  });

  it('write out the lists of two rows first, and lists of one to three reads', () => {
    expect(texts(frames[0], 'title list')).toEqual(['row 0', 'row 1']);
    expect(texts(frames[0], 'number 1,').join(' ')).toBe('2 5 7 9 12 14 16 17 20 22 26 29 30 31');
    const fours = frameOf(frames, 'in fours');
    const wholeMatrix = {
      rows: 8,
      cols: 32,
      nnz: 96,
      params: defaultParams(params),
      ledger: ledger([], 4096),
      reason: null,
    };
    expect(fours.also?.({ ...NOWHERE, wholeMatrix })?.text).toBe(
      'The drawing is smaller. In the whole matrix, on a GPU: 32 threads, 4 numbers at a time.',
    );
    expect(message(fours, { ...NOWHERE, wholeMatrix })).toBe(
      'Drawn with two threads: each reads half of a list, two numbers at a time.',
    );
    const drawnAsRead = { ...wholeMatrix, params: { lanes: 2, vectorSize: 2 } };
    expect(fours.also?.({ ...NOWHERE, wholeMatrix: drawnAsRead }) ?? null).toBe(null);
    expect(fours.also?.(NOWHERE) ?? null).toBe(null);
    // The rows and columns of the frames before and after; of any list, how it is read.
    expect(cellsThat(fours, isLit)).toEqual(cellsThat(frameOf(frames, 'first pair'), isLit));
    expect(texts(fours, 'title any')).toEqual(['any list']);
    expect(texts(fours, 'lane')).toEqual(['thread 1', 'thread 2']);
    expect(texts(fours, 'read')).toEqual(['read 1', 'read 2', 'read 1', 'read 2']);
    expect(texts(fours, 'threads')).toEqual([
      'A shared list is made of whole fours, 2 threads \u00d7 2 = 4, so that every read is full.',
    ]);
    const boxes = (frame: Frame): number => drawn(frame).marks.filter(({ id }) => id.startsWith('place ')).length;
    // Of many threads, four are drawn.
    expect(boxes(frameOf(framesOf(EIGHT_ROWS, { lanes: 32, vectorSize: 4 }), 'in fours'))).toBe(32);
  });

  it('explain the colours and the unit of the weights, which cells contain on a phone, too', () => {
    expect(texts(frames[0], 'key')[0].split(/\s{3}/)).toEqual([
      '\u25a0\u00a0weight,\u00a0in\u00a0tenths',
      '\u25a0\u00a0column\u00a0number',
      '',
    ]);
    expect(texts(frames[0], 'reads all')).toEqual([
      'Multiplying by a vector reads every byte, the column numbers, too.',
    ]);
    // On a phone, cells are close together.
    const { marks } = drawn(frameOf(frames, 'take out'), 1, spaceOf(358, 520));
    expect(marks.filter(({ id }) => id.startsWith('cell 0,2')).map(textOf)).toContain('1');
  });

  it('move numbers from the matrix into a list', () => {
    const pair = frameOf(frames, 'first pair');
    const { marks } = drawn(pair);
    // An outline: this list is not stored yet.
    expect(marks.find(({ id }) => id === 'outline number 0,12')).toMatchObject({ from: 'cell 0,12', text: '12' });
    expect(texts(pair, 'outline number').join(' ')).toBe('2 5 7 9 12 14 17 20 22 26 29 30 31');
    expect([texts(pair, 'title list'), texts(pair, 'number ')]).toEqual([['in both'], []]);
    expect(drawn(frameOf(frames, 'take out')).marks.some(({ id }) => id === 'number 0,12')).toBe(true);
  });

  it('name the numbers that rows and columns have in the matrix, where the window is placed', () => {
    const placed = playerFrames(story({ ...trace(EIGHT_ROWS, onStage), origin: { row: 464, col: 1000 } }));
    expect(message(frameOf(placed, 'first pair'))).toBe('Row 464 pairs with row 465, because they share 13 columns.');
    expect(texts(frameOf(placed, 'where to'), 'title list', 1)[1]).toBe('rows 464 to 467');
    expect(texts(frameOf(placed, 'largest block'), 'number').join(' ')).toBe('1002 1005 1009 1012 1017 1020 1026 1029');
    expect(texts(frameOf(placed, 'steps'), 'first of')).toEqual(['1002', '1017']);
  });
});

describe('the last frame', () => {
  const verdict = frameOf(framesOf(EIGHT_ROWS), 'verdict');

  it.each([
    [
      'of rows that share and random ones, with 4 bits between',
      contextWith(PLANTED, RANDOM, SMALLER),
      'Not worth it with 30\u202f% kept, unless rows were made to share columns.',
    ],
    [
      'of random rows that plain lists are faster with',
      contextWith(PLANTED, { ...RANDOM, otherFormats: { csr: time(25_118, 1.33, 80_714_824) } }),
      'Random rows with 30\u202f% kept: plain lists are faster. Rows made to share columns: EC-SpMV is faster than 4-bit weights.',
    ],
    [
      'of plain lists of rows that share, too',
      contextWith(
        { ...PLANTED, otherFormats: { csr: time(25_000, 1.33, 80_714_824) } },
        { ...RANDOM, otherFormats: { csr: time(25_118, 1.33, 80_714_824) } },
      ),
      'Random rows with 30\u202f% kept: plain lists are faster. Rows made to share columns: EC-SpMV takes 17.0 \u00b5s, plain lists 25.0 \u00b5s.',
    ],
    [
      'without planted blocks',
      contextWith(SMALLER),
      'Random rows lose to 4-bit weights with 30\u202f% kept. Rows that share: not timed.',
    ],
    [
      'without random weights',
      contextWith(PLANTED),
      'Faster than 4-bit weights if rows share columns. Others were not timed.',
    ],
    [
      'without the rival, where random rows are faster than dense',
      contextWith({ ...PLANTED, dense4: null }, RANDOM),
      'Faster than dense with 30\u202f% kept, even if rows share columns by chance.',
    ],
    [
      'where it loses',
      contextWith({ ...PLANTED, format: time(40_000, 0.84, 46e6) }, RANDOM),
      'Not worth it here: rows that share columns lose to 4-bit weights, too.',
    ],
    ['of other densities', contextWith({ ...PLANTED, density: 0.5 }), NOT_TIMED],
    ['of other operations', contextWith({ ...PLANTED, operation: 'gemm' }), NOT_TIMED],
    ['without a device', NOWHERE, NOT_TIMED],
  ])('%s', (_, context, text) => {
    expect(message(verdict, context)).toBe('This region takes 98.4\u202f% of the bytes of dense.');
    const [timed] = texts(verdict, 'timed', 1, context);
    expect(timed?.replace(/^Other matrices, .*?\. /, '') ?? NOT_TIMED).toBe(text);
  });

  it('says of a matrix that was not timed what others show, in the headline', () => {
    const wholeMatrix = { rows: 8, cols: 32, nnz: 96, params: {}, ledger: ledger([], 512), reason: null };
    const otherFormats = { csr: time(25_118, 1.33, 80_714_824) };
    const sparse = { ...RANDOM, density: 0.1, format: time(11_673, 2.86, 21e6) };
    const headline = (context: FrameContext): string => message(verdict, { ...context, wholeMatrix });
    expect(headline(contextWith(PLANTED, { ...RANDOM, otherFormats }))).toMatch(
      /of dense\. Random rows, 30\u202f% kept: plain lists are faster\.$/,
    );
    expect(headline({ ...contextWith(PLANTED, RANDOM, sparse), point: '10\u202f%' })).toMatch(
      / Random rows, 10\u202f% kept, gain, too\.$/,
    );
    // A text next to the bars says that it is too small to time.
    expect(headline(contextWith(PLANTED, RANDOM))).toMatch(/of the bytes of dense\.$/);
    for (const context of [contextWith(PLANTED, { ...RANDOM, otherFormats }), contextWith(PLANTED)])
      expect(wordCount(verdict.narration({ ...context, wholeMatrix }))).toBeLessThanOrEqual(15);
  });

  it('the last frame has a slider over the densities at which its shape was timed, and names what was not timed', () => {
    const sparse = { ...RANDOM, density: 0.1, format: time(11_673, 2.86, 21e6) };
    const context = contextWith(PLANTED, RANDOM, SMALLER, sparse);
    expect(verdict.slider?.(context)).toEqual({
      label: 'other matrices, kept',
      points: ['10\u202f%', '30\u202f%'],
      index: 1,
    });
    const moved = { ...context, point: '10\u202f%' };
    expect(texts(verdict, 'timed', 1, moved)[0]).toMatch(
      /\. Faster than 4-bit weights with 10\u202f% kept, even if rows share columns by chance\.$/,
    );
    expect(texts(verdict, 'times after', 1, moved).slice(2, 4)).toEqual([
      '11.7 \u00b5s  2.85 times the speed of dense',
      'not timed',
    ]);
    expect(texts(verdict, 'source', 1, moved)[0]).toContain('10\u202f% of the weights kept');
    expect([verdict.slider?.(contextWith(PLANTED)), verdict.slider?.(NOWHERE)]).toEqual([null, null]);
  });

  it('the last frame has the bytes of a large matrix if the region is the whole matrix', () => {
    const comparison = frameOf(framesOf(EIGHT_ROWS), 'against plain lists');
    expect(message(comparison)).toBe('These rows take 84 bytes more than plain lists; a large matrix needs fewer.');
    expect(['title', 'after', 'means'].flatMap((part) => texts(comparison, `whole ${part}`))).toEqual([
      'plain lists',
      'EC-SpMV',
      '81\u202fMB',
      '56\u202fMB',
      'larger: 8\u202f192 × 8\u202f192, random rows, 30\u202f% kept',
    ]);
    expect(texts(comparison, 'whole alone')).toEqual(['bookkeeping']);
    expect(texts(comparison, 'whole own')).toEqual(['bookkeeping']);
    expect(texts(comparison, 'saved by')).toEqual([
      'Lists are long here: most is saved by steps of one byte, little by sharing.',
    ]);
  });

  it('states what sharing is worth, and that rows of real weights share little', () => {
    const textHere = (...matrices: readonly RecordedMatrix[]): string | undefined =>
      texts(verdict, 'here', 1, contextWith(...matrices))[0];
    const real = 'Rows of a real model share hardly more than random ones.';
    expect(textHere(PLANTED, RANDOM)).toBe(real);
    const otherFormats = { csr: time(25_118, 1.33, 80_714_824) };
    expect(textHere(PLANTED, { ...RANDOM, otherFormats })).toBe(
      `Fewer bytes are read, but a row in several lists has several sums to add. Random rows share too little to pay for that. ${real}`,
    );
    const { paired, random, nnz } = sharedPairs.wanda.all;
    expect((paired - random) / nnz).toBeLessThan(0.05);
    // The text does not appear if random rows are faster, too.
    const sparse = { ...RANDOM, density: 0.1, format: time(11_673, 2.86, 21e6) };
    expect(texts(verdict, 'here', 1, { ...contextWith(PLANTED, RANDOM, sparse), point: '10\u202f%' })).toEqual([]);
  });

  it('draws times of one shape, shorter is better, and of all weights in 4 bits', () => {
    const bars = (context: FrameContext): readonly string[] =>
      ['title', 'after'].flatMap((part) => texts(verdict, `times ${part}`, 1, context));
    // Planted blocks are dimmed, since their matrix is artificial.
    expect(bars(contextWith(PLANTED, RANDOM, SMALLER))).toEqual([
      'dense, all weights',
      'dense, 4-bit weights',
      'EC-SpMV, random rows',
      'EC-SpMV, rows made to share',
      '33.4 \u00b5s',
      '18.4 \u00b5s  1.82 times the speed of dense',
      '27.1 \u00b5s  1.23 times the speed of dense',
      '17.0 \u00b5s  1.96 times the speed of dense',
    ]);
    // Plain lists, where these were timed on the same random weights.
    const otherFormats = { csr: time(25_118, 1.33, 80_714_824), macko: time(20_000, 1.67, 60e6) };
    const all = bars(contextWith(PLANTED, { ...RANDOM, otherFormats }));
    expect(all.slice(2)).toEqual([
      'plain lists, random rows',
      'EC-SpMV, random rows',
      'plain lists, rows made to share',
      'EC-SpMV, rows made to share',
      '33.4 \u00b5s',
      '18.4 \u00b5s  1.82 times the speed of dense',
      '25.1 \u00b5s  1.33 times the speed of dense',
      '27.1 \u00b5s  1.23 times the speed of dense',
      'not timed',
      '17.0 \u00b5s  1.96 times the speed of dense',
    ]);
    expect(bars(contextWith({ ...PLANTED, otherFormats }, { ...RANDOM, otherFormats }))).toEqual(
      all.map((text) => (text === 'not timed' ? '25.1 \u00b5s  1.33 times the speed of dense' : text)),
    );
    expect(bars(contextWith({ ...PLANTED, dense4: null }, SMALLER))).toEqual([
      'dense, all weights',
      'EC-SpMV, rows made to share',
      '33.4 \u00b5s',
      '17.0 \u00b5s  1.96 times the speed of dense',
    ]);
    expect(bars(NOWHERE)).toEqual([]);
    expect(texts(verdict, 'own bytes after', 1, NOWHERE)).toEqual(['512\u202fB', '504\u202fB']);
    const [source] = texts(verdict, 'source', 1, contextWith(PLANTED));
    expect(source).toContain('30\u202f% of the weights kept, empty cache, 25 November 2026.');
  });
});

describe('the frames of a window without what the eight rows show', () => {
  const text = (m: Matrix, changedParams: Partial<EcCsrParams> = {}): readonly string[] =>
    framesOf(m, changedParams).map((frame) => `${frame.id}: ${message(frame)}`);
  /** rows with the same columns */
  const equalRowsOf = (rows: number, columns: readonly number[], cols = 32): Matrix =>
    columnsMatrix(cols, Array<readonly number[]>(rows).fill(columns));

  it.each([
    [
      'a window without weights',
      columnsMatrix(8, [[], []]),
      {},
      [
        'many numbers: There is no weight here: no row has a column to share.',
        'nothing to store: No weight, no list: 0 bytes of 32 are stored.',
      ],
    ],
    [
      'one row',
      columnsMatrix(8, [[1, 2]]),
      {},
      [
        'many numbers: One row stores its column numbers: there is no other row to share with.',
        'nothing leaves: One row has no partner. It keeps its own list.',
        'fetched once: In the first read, 2 fetches of x serve one row.',
      ],
    ],
    [
      'rows without a column in common',
      DISTINCT,
      {},
      [
        'many numbers: Each row stores its own column numbers. No column is there twice: nothing to share.',
        'nothing leaves: No two rows share a column. Every row keeps its list.',
      ],
    ],
    [
      'rows that share too little',
      columnsMatrix(8, [[0, 1, 2, 7], [0, 1, 2], [5]]),
      {},
      [
        'many numbers: Each row stores its own column numbers. These 8 name only 5 columns.',
        'first pair: Rows 0 and 1 share 3 columns, and no two share more.',
        'nothing leaves: The best two rows share three, fewer than four. Every row keeps its list.',
      ],
    ],
    [
      'columns too far apart',
      equalRowsOf(2, [0, 20, 40, 60], 64),
      { deltaBits: 4 },
      ['nothing leaves: No two paired rows share four columns close enough together. Every row keeps its list.'],
    ],
    [
      'blocks of one row',
      equalRowsOf(2, range(0, 7)),
      { maxGranularity: 1 },
      ['nothing leaves: Blocks of one row: sharing is switched off. Every row keeps its list.'],
    ],
    [
      'a pair that is not the best',
      columnsMatrix(32, [range(0, 3), range(0, 8), range(0, 9)]),
      {},
      ['first pair: Row 0 pairs with row 1, because they share 4 columns.'],
    ],
    [
      'nothing that stays, and one pair',
      equalRowsOf(2, range(0, 3)),
      {},
      [
        'take out: Two rows share one list: 4 column numbers instead of 8.',
        'other pairs: No other pair shares enough. No weight is left over.',
        'largest block: Two rows, one list: 4 numbers instead of 8.',
      ],
    ],
    [
      'two lists of one pair',
      equalRowsOf(2, [...range(0, 8), ...range(32, 35)], 64),
      { deltaBits: 4 },
      ['take out: Two rows share two lists: 12 column numbers instead of 24.'],
    ],
    [
      'one weight that is left over',
      columnsMatrix(32, [range(0, 4), range(0, 3)]),
      {},
      ['other pairs: No other pair shares enough. One weight is left over.'],
    ],
    [
      'four rows',
      equalRowsOf(4, range(0, 7)),
      {},
      [
        'other pairs: One other pair does the same. No weight is left over.',
        'largest block: Four rows, one list: 8 numbers instead of 32.',
      ],
    ],
    [
      'eight rows with nothing else',
      equalRowsOf(8, range(0, 3)),
      {},
      ['largest block: Eight rows, one list: 4 numbers instead of 32.'],
    ],
    [
      'steps of half a byte',
      EIGHT_ROWS,
      { deltaBits: 4 },
      ['steps: Threads store a first column, then steps of four bits: as many bytes here.'],
    ],
    [
      'a loss',
      columnsMatrix(4, [[0], [1], [2]]),
      {},
      ['verdict: This region takes 400\u202f% of the bytes of dense: here it loses.'],
    ],
  ] as const)('%s', (_, m, changedParams, expected) => {
    const output = text(m, changedParams);
    expect(output).toEqual(expect.arrayContaining([...expected]));
    expect(output[0].startsWith('many numbers')).toBe(true);
    expect(output.at(-1)?.startsWith('verdict')).toBe(true);
  });

  it('states whether the region gains', () => {
    const output = (m: Matrix): string => message(frameOf(framesOf(m), 'against plain lists'));
    const equalRows = equalRowsOf(16, range(0, 3), 64);
    expect(output(equalRows)).toBe('These rows take 68 bytes less than plain lists.');
    // 16 + 8 + 13 * 4 bytes, not 16 + 16 + 3 * 4.
    expect(output(equalRowsOf(2, range(0, 3)))).toBe(
      'These rows take 32 bytes more than plain lists; a large matrix needs fewer.',
    );
    expect(output(equalRowsOf(1, range(0, 3)))).toMatch(/^This row takes \d+ bytes more than plain lists; a/);
  });

  it('counts the lists, lanes and rows that do not fit in a picture', () => {
    const rows = [...range(0, 7).map(() => range(0, 7)), range(20, 27), range(20, 27)];
    const pairs = frameOf(framesOf(columnsMatrix(64, rows)), 'other pairs');
    expect(texts(pairs, 'more lists')).toEqual(['And 1 more list with 8 numbers.']);
    expect(texts(frameOf(framesOf(EIGHT_ROWS), 'other pairs'), 'more lists')).toEqual([
      'Left-over weights, ringed, stay in their own rows. Their columns are not in the partner row, or did not fill a four.',
    ]);
    const unusual = frameOf(framesOf(columnsMatrix(32, [range(0, 3), range(0, 3), [9]])), 'other pairs');
    expect(texts(unusual, 'more lists')).toEqual([
      'The left-over weight, ringed, stays in its own row. Its column is not in a partner row, or did not fill a four.',
    ]);
    const lanes = framesOf(EIGHT_ROWS, { lanes: 8, vectorSize: 1 });
    expect(message(frameOf(lanes, 'in fours'))).toBe(
      'Eight GPU threads each read a part of a list, one number at a time.',
    );
    expect(texts(frameOf(lanes, 'in fours'), 'threads')[0]).toMatch(/ 4 of the 8 threads are drawn\.$/);
    expect(texts(framesOf(WINDOWS['24 rows'])[0], 'hidden rows')).toEqual(['16 of 24 rows are shown.']);
  });

  it('says that one row of several is drawn, and how many of the other rows have lists', () => {
    const frames = framesOf(columnsMatrix(8, [[1, 2]]));
    const wholeMatrix = { rows: 5, cols: 8, nnz: 9, params: {}, ledger: ledger([], 640), reason: null };
    expect(
      ['many numbers', 'nothing leaves'].map((id) => message(frameOf(frames, id), { ...NOWHERE, wholeMatrix })),
    ).toEqual([
      'One row is drawn with its column numbers, and no other to share with.',
      'The one row that is drawn has no partner here. It keeps its own list.',
    ]);
    const otherLists = (...rows: readonly (readonly number[])[]): readonly string[] =>
      texts(framesOf(columnsMatrix(8, rows))[0], 'more lists');
    expect([
      otherLists([1], [2]),
      otherLists([1], [2], []),
      otherLists([1], [2], [3]),
      otherLists([1], [2], [3], []),
    ]).toEqual([
      ['The other row has a list, too.'],
      ['One other row has a list, too.'],
      ['The other 2 rows have lists, too.'],
      ['2 other rows have lists, too.'],
    ]);
  });

  it('multiplies weights as stored', () => {
    const product = (weight: number): string =>
      texts(frameOf(framesOf(matrixOf([weight, 0], [0, 1])), 'fetched once'), 'one product')[0].replace(
        /.*begins with /,
        '',
      );
    expect(product(70_000)).toMatch(/^\u221e \u00d7 \u22122 = \u2212\u221e\. 70\u202f000 is too large for f16\.$/);
    expect(product(0.236)).toBe('0.236 \u00d7 \u22122 = \u22120.472. The weight is drawn rounded.');
    expect(product(1.25)).toBe('1.25 \u00d7 \u22122 = \u22122.5.');
  });

  it('has no question that cannot be answered', () => {
    // With steps of 4 bits, columns stay for another reason than that four leave at a time.
    const far = equalRowsOf(2, [...range(0, 8), 32, 50, 63], 64);
    expect(idsOf(framesOf(far, { deltaBits: 4 }))).not.toContain('what stays');
    expect(idsOf(framesOf(far))).toContain('what stays');
    // Column 20 of rows 0 to 3 is also in row 4: it would be no zero there.
    const four = [0, 1, 2, 3, 20, 21, 22, 23];
    const rows = [four, four, four, four, [0, 1, 2, 3, 20], ...[1, 2, 3].map(() => [0, 1, 2, 3])];
    expect(idsOf(framesOf(columnsMatrix(32, rows)))).not.toContain('where to');
    expect(
      idsOf(framesOf(columnsMatrix(32, [four, four, four, four, ...[1, 2, 3, 4].map(() => [0, 1, 2, 3])]))),
    ).toContain('where to');
  });
});

const WINDOWS = {
  example: EIGHT_ROWS,
  ...USUAL_WINDOWS,
  'a long row': columnsMatrix(180, [[], [19, 20, 178, 179], [19, 20, 178, 179]]),
  planted: columnsMatrix(
    44,
    upTo(16).map((r) => upTo(44).filter((column) => (column * 5 + (r >> 3)) % 7 < 2 || (column + r) % 13 === 0)),
  ),
};

describeSpaces<EcCsrParams>({
  format: ecCsr,
  context: NOWHERE,
  windows: WINDOWS,
  framesOf,
  // The titles of the matrix rows and of the counter stay in place.
  fixedCoordinates: ({ id }, _, fits) =>
    id.startsWith('title row ') || (fits && id.startsWith('counter title')) ? 'in place' : null,
  random: (m, chosen) => framesOf(m, storyParams(params, chosen)),
});
