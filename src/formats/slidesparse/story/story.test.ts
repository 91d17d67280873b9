import { describe, expect, it } from 'vitest';
import { frameOf, NOWHERE, textOf } from '../../../../test/frames.ts';
import {
  describeSpaces,
  drawn as drawnWith,
  marksOf,
  spaceOf,
  texts as textsWith,
  USUAL_WINDOWS,
  upTo,
} from '../../../../test/laid-out.ts';
import { columnsMatrix, matrixOf } from '../../../../test/matrices.ts';
import { shippedMatrices } from '../../../../test/shipped.ts';
import { traceOf } from '../../../../test/stories.ts';
import { fact } from '../../../core/text/stated.ts';
import type { StoredWhole } from '../../../core/encoded/ledger.ts';
import { Random } from '../../../core/number/random.ts';
import { type Matrix, subMatrix } from '../../../core/matrix/index.ts';
import { playerFrames } from '../../../story/flow/story-frames.ts';
import { type Frame, type FrameContext } from '../../../story/frames.ts';
import { type Drawing, narrationText } from '../../../story/scene.ts';
import type { DrawingSpace } from '../../../story/drawing-space.ts';
import { assignGreedily, HARDWARE_2_4, slidingOf } from '../../../theory/sliding-windows.ts';
import { slideSparse } from '../index.ts';
import type { SlideSparseParams } from '../params.ts';
import type { SlideSparseTrace } from './facts.ts';
import { story as formatStory } from './index.ts';
import { questions } from './questions.ts';
import { story } from './story.ts';

const trace = (m: Matrix, params: SlideSparseParams): SlideSparseTrace =>
  formatStory.trace(m, params) as SlideSparseTrace;

const PARAMS: SlideSparseParams = { halfGroup: 4, valueType: 'f16' };
const SPACE = spaceOf(1000, 560);

const [, example] = [...(await shippedMatrices())].find(([{ id }]) => id === 'digits-fc1-6-8') ?? [];
if (!example) throw new Error('found no example digits-fc1-6-8');
const ledger = slideSparse.storage(slideSparse.encode(example, PARAMS));
const wholeMatrix: StoredWhole = {
  rows: example.rows,
  cols: example.cols,
  nnz: example.nnz,
  params: PARAMS,
  ledger,
  reason: null,
};
const KNOWN: FrameContext = { layout: 'wide', wholeMatrix, recordedTimes: null };
const exampleRow = subMatrix(example, { row: 166, col: 0, rows: 1, cols: 64 });

const framesOf = (m: Matrix, params = PARAMS): readonly Frame[] => playerFrames(story(trace(m, params)));

const drawingOf = (frame: Frame, picture?: number, available?: DrawingSpace, context = KNOWN): Drawing =>
  drawnWith(frame, picture, available, context);
const texts = (frame: Frame, prefix: string, picture?: number): readonly string[] =>
  textsWith(frame, prefix, picture, KNOWN);

describe('on the window of the example', () => {
  const t = trace(exampleRow, PARAMS);
  const frames = playerFrames(story(t));

  it('has questions with three answers each, and their reasons', () => {
    const questionsOfFrames = frames.flatMap(({ question }) => question ?? []);
    expect(
      questionsOfFrames.map(({ options, answer, because }) => [options.join(' '), options[answer], because.text]),
    ).toEqual([
      ['15\u202f% 35\u202f% 52\u202f%', '52\u202f%', 'In 6:8, 52\u202f% are right, almost the 54\u202f% of dense.'],
      ['1 6 none', 'none', 'All *28 ways fit*: the three windows always take all six.'],
    ]);
  });

  it('counts bytes, by weights and slots', () => {
    const counterText = (id: string, picture?: number): string =>
      ['counter after', 'counter bytes', 'counter note']
        .flatMap((prefix) => texts(frameOf(frames, id), prefix, picture))
        .filter((text) => text !== '')
        .join(' | ');
    expect(counterText('overlap')).toBe('');
    const sizeNote = 'A weight takes 2 bytes, its slot \u00bc byte, dense 8 \u00d7 2 = 16.';
    expect(counterText('first window', 0)).toBe(`0 of 16 bytes | ${sizeNote}`);
    expect(counterText('first window')).toBe(`4.5 of 16 bytes | weights 4 B | slots 0.5 B | ${sizeNote}`);
    expect(counterText('second window', 0)).toMatch(/^9 of 16 bytes/);
    expect(counterText('second window')).toBe(
      '13.5 of 16 bytes | weights 12 B | slots 1.5 B | 6 \u00d7 2 + 6 \u00d7 \u00bc = 13.5 bytes.',
    );
    expect(counterText('whole row')).toBe(
      '432 of 512 bytes | weights 384 B | slots 48 B | 32 groups \u00d7 13.5 bytes = 432 bytes.',
    );
  });

  it('stores what the encoder stores, in boxes that light up with their cells', () => {
    const last = frameOf(frames, 'second window');
    expect(texts(last, 'values[').join(' ')).toBe('4 3 22 \u221215 18 5');
    expect(texts(last, 'place of').join(' ')).toBe('00 01 01 10 10 11');
    const marks = marksOf(drawingOf(last));
    expect(marks.get('values[2]')).toMatchObject({
      highlightNames: ['values[2]', 'cell 0,3'],
      from: 'cell 0,3',
      level: 1,
    });
    expect(marks.get('place of values[2]')?.highlightNames).toEqual(['metadata[0]', 'cell 0,3']);
  });

  it('shows the weight that does not fit, with its window, until the next one stores it', () => {
    const before = marksOf(drawingOf(frameOf(frames, 'does not fit')));
    expect(before.get('cell 0,3')).toMatchObject({ text: '22', focus: true });
    expect(before.get('window 0 3')).toMatchObject({ text: '11', tone: 'danger', focus: true });
    expect(texts(frameOf(frames, 'does not fit'), 'slides')).toEqual([
      'It slides on to window 1, which covers this column, too.',
    ]);
    const after = marksOf(drawingOf(frameOf(frames, 'second window'), 0));
    expect(after.get('window 1 3')).toMatchObject({ text: '01', tone: 'indices', focus: true });
    expect(['window 1 3', 'window 2 4'].map((id) => textOf(before.get(id) ?? {}))).toEqual(['', '']);
    expect(textOf(after.get('window 2 4') ?? {})).toBe('');
  });

  it('fills every placement, by the window that stores each weight', () => {
    const question = frameOf(frames, 'question ways');
    expect(texts(question, 'way 0.', 0).join('')).toBe('');
    const wayText = (i: number): string =>
      Array.from({ length: 8 }, (_, c) => texts(question, `way ${i}.${c}`, 1)[0] || '-').join('');
    expect([wayText(0), wayText(27)]).toEqual(['001122--', '--001122']);
    for (const available of [SPACE, spaceOf(358, 560)])
      for (const picture of [0, 1])
        expect(drawingOf(question, picture, available).marks.filter(({ id }) => /^way \d/.test(id))).toHaveLength(
          28 * 8,
        );
  });

  it('multiplies the input of the unit, and describes it', () => {
    const frame = frameOf(frames, 'product');
    expect(texts(frame, 'copy').join(' ')).toBe('\u22122 1.5 .5 \u22121.5 .5 \u22121.5 2 .5 2 .5 \u22121 2.5');
    const lit = drawingOf(frame).marks.filter(({ id, tone }) => id.startsWith('copy') && tone === 'format');
    expect(lit.map(textOf).join(' ')).toBe('\u22122 1.5 \u22121.5 2 \u22121 2.5');
    // Cells show hundredths: 22 · −1.5 − 15 · 2 = −63; the weights themselves give −0.6265.
    expect(texts(frame, 'x of window 1 words')).toEqual(['window 1 adds \u22120.6265']);
    expect(texts(frame, 'sum')).toEqual([
      'The drawn weights are rounded, these sums are not. The windows add up to \u22120.0408 + \u22120.6265 + \u22120.0649 = \u22120.7322, as in dense.',
    ]);
    // −2.25 is written as −23 tenths, 3 as 30; their sum is of the weights themselves.
    const rounded = frameOf(framesOf(matrixOf([0, 0, 0, 0, 0, 0, -2.25, 3])), 'product');
    const x = ['x[6]', 'x[7]'].map((id) => Number(texts(rounded, id)[0].replace('\u2212', '-')));
    expect(texts(rounded, 'sum')[0]).toContain(` = ${String(-2.25 * x[0] + 3 * x[1]).replace('-', '\u2212')},`);
    expect(texts(frame, 'copies')).toEqual(['Columns 2 to 5 are in two windows, so their x is copied.']);
  });

  it('states the bytes of the whole row next to those drawn, where the region has a part of it', () => {
    const window = matrixOf([1, 0, 2, 0, 0, 0, 0, 3]);
    const frame = frameOf(framesOf(window), 'whole row');
    const withEmptyBoxes = { ...ledger, totalBits: { ...ledger.totalBits, padding: 8 } };
    const params = { halfGroup: 4, valueType: 'f16' };
    const widerMatrix = { rows: 24, cols: 96, nnz: 700, params, ledger: withEmptyBoxes, reason: null };
    const context = { ...NOWHERE, wholeMatrix: widerMatrix };
    // 96 columns: 12 groups of 3 windows, filled up to 40 windows of 2 x (2 + 1/4) bytes.
    expect([frame.narration(context).text, frame.also?.(context)?.text]).toEqual([
      'The one group drawn takes *36 bytes*, where dense takes 16.',
      'The whole row has 12 groups: 180 bytes, and 192 in dense.',
    ]);
    expect(textsWith(frame, 'whole matrix', 0, context)).toEqual([
      'The whole row has 12 groups: 180 bytes, and 192 in dense.',
    ]);
    expect(frame.also?.(NOWHERE)).toBeNull();
    // A rejected matrix is not stored, so its width is unknown: the group may be a part of the row.
    const rejected = { ...NOWHERE, wholeFacts: [fact('groups that are refused', 3)] };
    expect([frame.narration(rejected).text, frame.also?.(rejected)]).toEqual([
      'The one group drawn takes *36 bytes*, where dense takes 16.',
      null,
    ]);
  });

  it('shows which of three weights a unit for 2 of 4 cannot take', () => {
    const frame = frameOf(frames, 'neighbours');
    // The first four columns are 4, 3 and 22, the last four \u221215, 18 and 5: each has one too many.
    expect(texts(frame, 'fours ').join('')).toBe('\u2713\u2713\u00d7\u2713\u2713\u00d7');
    expect(texts(frame, 'four ')).toEqual(['', '3 weights in four', '', '3 weights in four']);
    expect(texts(frame, 'group words')).toEqual(['one group: columns 0 to 7']);
    expect(texts(frame, 'means')).toEqual([
      '\u25a0\u00a0weight,\u00a0in\u00a0hundredths   \u25a0\u00a0fits\u00a0the\u00a0unit   \u25a0\u00a0does\u00a0not\u00a0fit   ',
    ]);
    expect(texts(frame, 'zeros')).toEqual([
      'Every eight columns form a group, and at least two of them are zero. If more are zero, it still stores six numbers, some of them zeros.',
    ]);
  });

  it('hides the answer to a question until the reader has answered', () => {
    const answers = frameOf(frames, 'question answers');
    expect(drawingOf(answers, 0).marks.map(textOf).join(' ')).not.toContain('52');
    expect(texts(answers, 'answers after 6:8', 1)).toEqual(['52\u202f%']);
  });

  it('shows each window below its own columns on a phone, and dense next to the unit', () => {
    const marks = marksOf(drawingOf(frameOf(frames, 'product'), 1, spaceOf(358, 560)));
    for (const [copy, x] of [
      [0, 0],
      [4, 2],
      [11, 7],
    ])
      expect(marks.get(`copy ${copy}`)?.x).toBe(marks.get(`x[${x}]`)?.x);
    expect(texts(frameOf(frames, 'product'), 'multiplications').filter((text) => /\d/.test(text))).toEqual([
      '8 multiplications',
      '6 multiplications',
    ]);
  });

  it('mentions that a free box stores a zero only where a box is free', () => {
    const rule = (cells: readonly number[]): readonly string[] =>
      texts(frameOf(framesOf(matrixOf([...cells])), 'second window'), 'rule');
    expect(texts(frameOf(frames, 'second window'), 'rule')).toEqual([
      'Window 1 also takes column 4, into slot 2. Window 2 then takes what is left: columns 6 and 7.',
    ]);
    expect(rule([1, 2, 3, 0, 0, 0, 0, 8])).toEqual([
      'Window 2 then takes what is left: column 7. A free box stores a 0.',
    ]);
    expect(rule([0, 0, 0, 0, 5, 6, 0, 0])).toEqual(['Window 2 then finds no weight left. A free box stores a 0.']);
  });

  it('names the numbers that rows and columns have in the matrix, where the window is placed', () => {
    const placed = playerFrames(story({ ...t, origin: { row: 166, col: 64 } }));
    expect(frameOf(placed, 'second window').narration(NOWHERE).text).toContain('*column 67 goes into slot 1*');
    expect(texts(frameOf(placed, 'overlap'), 'axis group').toSorted()).toEqual('64 65 66 67 68 69 70 71'.split(' '));
    expect(texts(frameOf(placed, 'overlap'), 'title group')).toEqual(['row 166']);
  });

  it('counts the row in the region where the whole matrix has empty boxes, other parameters, or is not known', () => {
    const row = frameOf(frames, 'whole row');
    const padded = { ...ledger, totalBits: { ...ledger.totalBits, padding: 1 } };
    for (const otherMatrix of [
      null,
      { ...wholeMatrix, params: { ...PARAMS, halfGroup: 8 } },
      { ...wholeMatrix, ledger: padded },
    ])
      expect(row.narration({ ...KNOWN, wholeMatrix: otherMatrix }).text).toBe(
        `The 8 groups ${otherMatrix?.ledger === padded ? 'drawn' : 'of the row'} take *108 bytes* instead of 128.`,
      );
  });

  it('the story has published times of whole models in 8 bits, all on one GPU', () => {
    const last = frameOf(frames, 'verdict');
    expect(texts(last, 'times after')).toEqual(['1  ', '0.78  faster']);
    expect(texts(last, 'times title')).toEqual(['dense', '6:8 with the unit']);
    expect(['why', 'end', 'timed', 'published'].flatMap((id) => texts(last, id))).toEqual([
      'It multiplies 6 / 8 = 0.75 as often. It saves less time than that: reading x takes as long as before, and copying x is added.',
      '6:8 is faster, and 52\u202f% of answers are right; with dense, 54\u202f%.',
      'SlideSparse\u2019s authors timed whole models with 8-bit weights (the bytes above: 16-bit), reading a prompt, on an A100.',
    ]);
  });

  it('names the bits of weights of the bytes above, where these are other weights than the timed ones', () => {
    const timed = texts(frameOf(framesOf(exampleRow, { ...PARAMS, valueType: 'i8' }), 'verdict'), 'timed');
    expect(timed).toEqual([
      'SlideSparse\u2019s authors timed whole models with 8-bit weights, reading a prompt, on an A100.',
    ]);
  });

  it('names the columns that a frame draws: those of its cells', () => {
    for (const frame of frames) {
      const all = drawingOf(frame).marks.flatMap(({ id }) => {
        const column = /^(?:row )?cell \d+,(\d+)$/.exec(id)?.[1];
        return column === undefined ? [] : [Number(column)];
      });
      const expected = all.length === 0 ? undefined : { from: Math.min(...all), count: new Set(all).size };
      expect(frame.drawnColumns, frame.id).toEqual(expected);
    }
  });

  it('marks the bytes of every group of a row, and splits no group, on a phone too', () => {
    const frame = frameOf(frames, 'whole row');
    for (const available of [SPACE, spaceOf(358, 560)]) {
      const { marks } = drawingOf(frame, 0, available);
      const weights = marks.filter(({ id }) => /^row cell \d+,\d+$/.test(id));
      expect(weights).toHaveLength(4 * 8);
      for (let group = 0; group < 4; group++)
        expect(new Set(weights.slice(8 * group, 8 * group + 8).map(({ y }) => y)).size, `group ${group}`).toBe(1);
      const sizes = marks.filter(({ id }) => /^size \d+ words/.test(id));
      expect(sizes.map(textOf)).toEqual(Array.from({ length: 4 }, () => '6 weights: 13.5 bytes'));
      expect(marks.filter(({ id }) => id === 'shown').map(textOf)).toEqual(['4 of its 32 groups are shown.']);
    }
  });

  it('has a slider over the patterns with timed whole models', () => {
    const last = frameOf(frames, 'verdict');
    expect(last.slider?.(KNOWN)).toEqual({ label: 'show times of', points: ['2:4', '6:8'], index: 1 });
    const moved = { ...KNOWN, point: '2:4' };
    expect(last.slider?.(moved)?.index).toBe(0);
    const marks = marksOf(drawingOf(last, 1, SPACE, moved));
    const markText = (id: string): string => textOf(marks.get(id) ?? {});
    expect(['times title with', 'times after with', 'why', 'end'].map(markText)).toEqual([
      '2:4 with the unit',
      '0.59  faster',
      'It multiplies 2 / 4 = 0.5 as often. It saves less time than that: reading x takes as long as before.',
      '2:4 is faster still, but only 15\u202f% of answers are right; with dense, 54\u202f%.',
    ]);
  });

  it.each([3, 4, 5, 6, 7, 8] as const)(
    'says that no placement fails, as an independent search finds, N = %d',
    (halfGroup) => {
      const width = 2 * halfGroup;
      const sliding = slidingOf({ kept: width - 2, group: width }, HARDWARE_2_4);
      if (typeof sliding === 'string') throw new Error(sliding);
      const columns = Array.from({ length: width }, (_, c) => c);
      // Placements of the weights: all columns but two.
      const placements = columns.flatMap((a) =>
        columns.slice(a + 1).map((b) => columns.filter((c) => c !== a && c !== b)),
      );
      const failing = placements.filter(
        (weightColumns) => assignGreedily(sliding, weightColumns).placedCount < width - 2,
      );
      const frame = frameOf(framesOf(exampleRow, { ...PARAMS, halfGroup }), 'question ways');
      expect(texts(frame, 'proof', 1)[0]).toContain(
        'In the first strip, both zeros come last. In others, they move a weight right by at most two columns. So the third and fourth weight stay in the third to sixth column, which window 1 covers.',
      );
      const firstStrip = marksOf(drawingOf(frame, 1));
      for (const c of columns)
        expect(textOf(firstStrip.get(`way 0.${c}`) ?? {}) === '', `column ${c}`).toBe(c >= width - 2);
      for (const weightColumns of placements)
        for (const column of weightColumns.slice(2, 4)) expect([2, 3, 4, 5]).toContain(column);
      // Weight `i` of a placement moves right by at most two columns, and its window covers its column.
      for (const [c, i] of placements.flatMap((weightColumns) =>
        weightColumns.map((column, index) => [column, index] as const),
      )) {
        expect(c - i).toBeLessThanOrEqual(2);
        expect(Math.floor(i / 2)).toBeGreaterThanOrEqual(Math.max(0, Math.ceil((c - 3) / 2)));
      }
      expect(frame.question?.options[frame.question.answer]).toBe(failing.length === 0 ? 'none' : `${failing.length}`);
      expect(frame.narration(NOWHERE).text).toContain(`in ${placements.length} ways`);
    },
  );
});

const WINDOWS: Readonly<Record<string, Matrix>> = {
  example: exampleRow,
  ...USUAL_WINDOWS,
  full: columnsMatrix(
    64,
    upTo(64).map(() => upTo(64)),
  ),
  '2:4': columnsMatrix(
    64,
    upTo(8).map((row) => upTo(64).filter((column) => (column + row) % 4 < 2)),
  ),
  '6:8': columnsMatrix(
    64,
    upTo(8).map((row) => upTo(64).filter((column) => ![row, (row + 5) % 8].includes(column % 8))),
  ),
  'large and small': matrixOf([1e-30, 2, 3, 0, 1e30, 0, 6, 8, 0.333, 0, -128]),
};

const sentenceOf = (title: string, id: string): string => frameOf(framesOf(WINDOWS[title]), id).narration(NOWHERE).text;

it('has texts for a rejected region, for one where nothing slides, and for an empty one', () => {
  expect(sentenceOf('full', 'neighbours')).toBe(
    'Row 0, columns 0 to 7 contain 8 weights: *rejected*. At most 6 may stay.',
  );
  expect(texts(frameOf(framesOf(WINDOWS.full), 'neighbours'), 'pruned')).toEqual([
    'From here on the smallest weights are set to zero: 2 here, 1\u202f024 in this region.',
  ]);
  // The rest is about the remaining weights.
  expect(
    framesOf(WINDOWS.full).flatMap((frame) => texts(frame, 'title group').map((title) => `${frame.id}: ${title}`)),
  ).toEqual([
    'neighbours: row 0',
    ...['overlap', 'first window', 'does not fit', 'second window', 'question ways', 'whole row', 'product'].map(
      (id) => `${id}: row 0, pruned`,
    ),
  ]);
  const t = trace(WINDOWS.full, PARAMS);
  const [before, after] = [0, 1].map((step) => formatStory.scene(t, step));
  expect(narrationText(before)).toContain('Refused: 1\u202f024 of 4\u202f096 are set to zero.');
  const cellsOf = ({ panels: [{ marks }] }: typeof before): number =>
    marks.filter(({ id }) => id.startsWith('cell 0,')).length;
  expect([cellsOf(before), cellsOf(after)]).toEqual([64, 48]);
  expect(sentenceOf('2:4', 'does not fit')).toBe('*Nothing slides on* in this region: no window meets a third weight.');
  const ofMatrix = (slides: number, rejectedGroups: number): FrameContext => {
    const named = { slides, 'groups that are refused': rejectedGroups, 'groups with weights': 512 };
    return { ...NOWHERE, wholeFacts: Object.entries(named).map(([name, value]) => fact(name, value)) };
  };
  const frame = frameOf(framesOf(WINDOWS.full), 'does not fit');
  const textsIn = (context: FrameContext) => [frame.narration(context).text, frame.also?.(context)?.text];
  expect(textsIn(ofMatrix(0, 512))).toEqual([
    '*Nothing slides on* in this region: no window meets a third weight.',
    'Whole matrix: 0 weights slid on; 512 groups are rejected.',
  ]);
  expect(textsIn(ofMatrix(0, 0))).toEqual(['*No weights of the matrix slide on*: no window meets a third.', undefined]);
  expect(textsIn(ofMatrix(9, 0))[1]).toBe('Whole matrix: 9 weights slid on, 0.02 for each group that has weights.');
  expect(sentenceOf('6:8', 'does not fit')).toBe('The third weight *does not fit*, because a window takes only two.');
  expect(sentenceOf('zeros', 'nothing')).toBe('*No weights* here, but each group stores six zeros all the same.');
});

describeSpaces<SlideSparseParams>({
  format: slideSparse,
  context: KNOWN,
  windows: WINDOWS,
  framesOf,
  // While weights are stored, the group at the top, its windows and the stored list stay in place; in all frames, the counter.
  fixedCoordinates: ({ id }, frame, fits) => {
    const isSlow = /window/.test(frame.id) && /^(cell \d+,\d+$|title group|window \d+ \d+|title stored)/.test(id);
    // A picture that is higher than the space for it has the counter at its end.
    return isSlow || (fits && id.startsWith('counter title')) ? 'in place' : null;
  },
  otherParams: {
    params: [
      { halfGroup: 2, valueType: 'i8' },
      { halfGroup: 3, valueType: 'f16' },
      { halfGroup: 8, valueType: 'i8' },
    ],
    windows: ['example', 'one row', 'full', '2:4', 'one column'],
    checksCoordinates: true,
  },
  random: (m, params) => {
    const t = traceOf(formatStory as never, m, { ...params }) as SlideSparseTrace | null;
    return t && playerFrames(story(t));
  },
});

it('asks how many weights have to go only in 2:4, the pattern of the question', () => {
  const question = questions.find(({ id }) => id === 'pruned-to-fit');
  const row = columnsMatrix(16, [[0, 1, 2, 3, 4, 5, 6, 8]]);
  const answerFor = (halfGroup: SlideSparseParams['halfGroup']) => {
    const t = trace(row, { halfGroup, valueType: 'f16' });
    expect(t.rejected).toBeDefined();
    const questionCase = question?.findCase(t, new Random(1));
    return questionCase ? question?.answer(questionCase) : null;
  };
  expect(answerFor(2)).toBe(3);
  expect(answerFor(4)).toBeNull();
});
