import { describe, expect, it } from 'vitest';
import { wordProblems } from '../../../../test/drawn-words.ts';
import { columnsMatrix } from '../../../../test/matrices.ts';
import { shippedMatrices } from '../../../../test/shipped.ts';
import { type Matrix, subMatrix } from '../../../core/matrix/index.ts';
import { type Frame, type FrameContext, type RecordedMatrix, wordCount } from '../../../core/story/frames.ts';
import type { DrawnMark } from '../../../core/story/scene.ts';
import type { MackoParams } from '../params.ts';
import { storage } from '../storage.ts';
import { frames } from './script.ts';
import { trace } from './trace.ts';

const DEFAULTS: MackoParams = { deltaBits: 4, valueType: 'f16' };
const HERE: FrameContext = { layout: 'wide', whole: null, recorded: null };

const board = await boardWindow();

async function boardWindow(): Promise<Matrix> {
  const [, matrix] = [...(await shippedMatrices())].find(([{ id }]) => id === 'digits-fc2-70') ?? [];
  if (!matrix) throw new Error('found no example digits-fc2-70');
  return subMatrix(matrix, { row: 464, col: 261, rows: 4, cols: 32 });
}

function framesOf(m: Matrix, params = DEFAULTS): readonly Frame[] {
  return frames(trace(m, params));
}

function frameOf(all: readonly Frame[], id: string): Frame {
  const found = all.find((frame) => frame.id === id);
  if (!found) throw new Error(`found ${all.map((frame) => frame.id).join(', ')}, expected ${id}`);
  return found;
}

function said(frame: Frame, context = HERE): string {
  return frame.sentence(context).text;
}

function textOf({ text, runs }: Pick<DrawnMark, 'text' | 'runs'>): string {
  return text ?? runs?.map((run) => run.text).join('') ?? '';
}

/** The words of the marks of a picture whose id is this or begins with it. */
function drawnTexts(frame: Frame, prefix: string, picture = frame.moves.length - 1, context = HERE): readonly string[] {
  return frame
    .draw(picture, context)
    .marks.filter(({ id }) => id.startsWith(prefix))
    .map(textOf);
}

function counterText(frame: Frame, picture?: number, context = HERE): string {
  const [number, note] = ['counter number', 'counter note'].map(
    (id) => drawnTexts(frame, id, picture, context)[0] ?? '',
  );
  return `${number} | ${note} | ${drawnTexts(frame, 'counter label', picture, context).join(', ')}`;
}

describe('on the window of the board', () => {
  const all = framesOf(board);
  const t = trace(board, DEFAULTS);

  it('has the sentences of the board', () => {
    expect(all.slice(0, -1).map((frame) => `${frame.id}: ${said(frame)}`)).toEqual([
      'zeros: Most weights here are zero. Keep the others, and say where each one is.',
      'column numbers: The obvious way: 16 bits for the weight, 16 more for its column number.',
      'skips: Count the empty columns before each weight: mostly a small number.',
      'first weight: One empty column before 13: store 13 and the skip 1.',
      'next weights: No empty column: skip 0. Two: skip 2. Each weight costs 20 bits.',
      'longest skip: What is the longest skip that 4 bits can write?',
      'too far: 18 columns are too many for 4 bits: *skip 15, store a zero, skip 2*.',
      'one list: All rows follow in one list. Row marks say where each row begins.',
      'bytes: *140 bytes* hold what took 256.',
      'start of a lane: Lanes 0 and 1 pass 7 and 14 columns. Where does lane 2 begin?',
      'lanes: Lane 1 starts after *7* columns, lane 2 after 7 + 14 = *21*.',
    ]);
    expect(all.map((frame) => wordCount(frame.sentence(HERE))).slice(0, -1)).toEqual([
      14, 14, 11, 11, 13, 10, 15, 13, 6, 14, 12,
    ]);
  });

  it('asks with four answers each, and says why', () => {
    const questions = all.flatMap(({ question }) => question ?? []);
    expect(questions.map(({ options, answer, because }) => [options.join(' '), options[answer], because.text])).toEqual(
      [
        [
          '8 15 16 31',
          '15',
          '15: 16 patterns, from 0 to 15. But before the next weight of row 0 lie 18 empty columns.',
        ],
        [
          'column 10 column 14 column 21 column 31',
          'column 21',
          '7 + 14 = 21. Nobody stored 21: the lanes before tell it.',
        ],
      ],
    );
  });

  it('counts bytes', () => {
    const at = (id: string, picture?: number): string => counterText(frameOf(all, id), picture);
    expect(at('zeros')).toBe('256 of 256 bytes | dense: two bytes a number | weights 88, zeros 168');
    expect(at('column numbers')).toBe(
      '20 of 64 bytes | 5 \u00d7 4 bytes: half of it says where | weights 10, column numbers 10',
    );
    expect(at('column numbers', 1)).toContain('8 of 64 bytes');
    expect(at('skips')).toBe(' |  | ');
    expect([0, 1, 2].map((picture) => at('first weight', picture).split(' | ')[0])).toEqual([
      '0 of 64 bytes',
      '2 of 64 bytes',
      '2.5 of 64 bytes',
    ]);
    expect(at('next weights')).toBe('7.5 of 64 bytes | row 0 so far: 3 \u00d7 20 bits | weights 6, skips 1.5');
    expect(at('next weights', 0)).toContain('5 of 64 bytes | row 0 so far: 2 \u00d7 20 bits');
    expect(at('too far')).toBe(
      '12.5 of 64 bytes | the zero: 20 bits, stored but useless | weights 8, zeros 2, skips 2.5',
    );
    expect(at('one list')).toBe('140 of 256 bytes | 88 + 8 + 24 + 20 | weights 88, zeros 8, skips 24, row marks 20');
    expect(at('bytes')).toContain('140 of 256 bytes | 55\u202f% of dense');
    expect(at('lanes')).toContain('140 of 256 bytes | no column is stored');
  });

  it('has the drawings of the board', () => {
    expect(drawnTexts(frameOf(all, 'zeros'), 'y[')).toEqual(['0.4', '0.6', '0.4', '0.8']);
    expect(drawnTexts(frameOf(all, 'zeros'), 'unit')).toEqual([
      'Weights in hundredths: 13 means 0.13. 66\u202f% of these 4 \u00d7 32 numbers are 0.',
    ]);
    const obvious = frameOf(all, 'column numbers');
    expect(drawnTexts(obvious, 'values[')).toEqual(['0.129', '0.087', '0.076', '0.091', '0.093']);
    expect(drawnTexts(obvious, 'weight bit 0.').join('')).toBe((12_321).toString(2).padStart(16, '0'));
    expect(drawnTexts(obvious, 'column bit 4.').join('')).toBe((24).toString(2).padStart(16, '0'));
    expect(drawnTexts(obvious, 'alike')).toEqual(['One digit more than above: the three 9s are different numbers.']);
    expect(drawnTexts(frameOf(all, 'skips'), 'skip means')).toEqual([
      'Skip: empty columns before the weight. 43 of the 44 are 6 or less.',
    ]);
    expect(drawnTexts(frameOf(all, 'skips'), 'strip text')).toEqual(['20 bits instead of 32']);
    expect(drawnTexts(frameOf(all, 'too far'), 'sum').join('')).toBe('15 + 1 + 2 = 18');
    expect(drawnTexts(frameOf(all, 'next weights'), 'byte means')).toEqual(['two skips, one byte: low half first']);
    const list = frameOf(all, 'one list');
    expect(drawnTexts(list, 'deltas[').join(' ').trim()).toBe(
      '1 0 2 15 2 4 4 1 6 2 1 1 3 0 2 1 0 2 6 0 2 1 1 3 2 0 1 0 0 1 1 0 1 0 1 0 2 0 2 0 0 2 0 0 3',
    );
    expect(drawnTexts(list, 'values[').slice(0, 8)).toEqual(['13', '9', '8', '0', '9', '9', '11', '\u22127']);
    expect(drawnTexts(list, 'mark ').filter((text) => text !== '')).toEqual([
      'row 0 starts at 0',
      'row 1 starts at 6',
      'row 2 starts at 17',
      'row 3 starts at 27',
      'ends at 45',
    ]);
    expect(drawnTexts(list, 'tail means')).toEqual(['three zeros fill the last eight: the GPU reads eight at a time']);
    expect(drawnTexts(frameOf(all, 'bytes'), 'gap')).toEqual(['116 bytes not read any more']);
    expect(
      frameOf(all, 'bytes')
        .draw(2, HERE)
        .marks.filter(({ id }) => id.startsWith('stored ')),
    ).toHaveLength(26);
    const lanes = frameOf(all, 'lanes');
    expect(drawnTexts(lanes, 'column of').join(' ')).toBe('0 1 3 5 6 8 9 11 12 15 16 19 20 21 24 25 26 30');
    expect(drawnTexts(lanes, 'y[3]')).toEqual(['0.8']);
  });

  it('goes on by every step from where it is', () => {
    const kinds = all.map(({ id, step }) => {
      const detail = step === 0 ? null : t.steps[step - 1].detail;
      return `${id}: ${detail ? `${detail.kind}${'entry' in detail ? ` ${detail.entry}` : 'row' in detail ? ` of row ${detail.row}` : ''}` : 'nothing'}`;
    });
    expect(kinds).toEqual([
      'zeros: nothing',
      'column numbers: nothing',
      'skips: nothing',
      'first weight: emit 0',
      'next weights: emit 2',
      'longest skip: emit 2',
      'too far: emit 4',
      'one list: row-end of row 3',
      'bytes: word',
      'start of a lane: sum of row 3',
      'lanes: reduce of row 3',
      'verdict: reduce of row 3',
    ]);
  });

  it('shows no answer before it is given', () => {
    expect(drawnTexts(frameOf(all, 'longest skip'), 'pattern ', 0).join(' ')).not.toMatch(/15/);
    expect(drawnTexts(frameOf(all, 'longest skip'), 'pattern ', 1).join(' ')).toMatch(/15/);
    const question = frameOf(all, 'start of a lane');
    expect(question.draw(0, HERE).marks.map(textOf).join(' ')).not.toMatch(/\b21\b/);
    expect(drawnTexts(question, 'begin ', 1)).toContain('21');
  });

  it('moves the same marks: a stored value comes from its cell and keeps its name', () => {
    const first = frameOf(all, 'first weight')
      .draw(1, HERE)
      .marks.find(({ id }) => id === 'values[0]');
    expect(first).toMatchObject({ from: 'cell 0,1', text: '13' });
    expect(first?.about).toEqual(expect.arrayContaining(['values[0]', 'entry 0', 'cell 0,1']));
    for (const id of ['next weights', 'too far', 'one list', 'bytes'])
      expect(drawnTexts(frameOf(all, id), 'values[0]')).toEqual(['13']);
  });
});

/** A device with the results of two shapes: of the larger one only half was recorded. */
const RECORDED = recordedOn(
  matrix(4096, 14_336, 0.1, 9540, 3.154),
  matrix(4096, 14_336, 0.3, 16_539, 1.818),
  matrix(4096, 14_336, 0.5, 23_857, 1.259, 16_653),
  matrix(4096, 14_336, 0.7, 30_705, 0.978),
  matrix(128_256, 4096, 0.5, 183_240, 1.27, 88_253),
);

function recordedOn(...matrices: readonly RecordedMatrix[]): NonNullable<FrameContext['recorded']> {
  return { device: 'NVIDIA H200', matrices };
}

/** A recorded matrix of random weights; kernels read x and y as well. */
function matrix(rows: number, cols: number, density: number, ns: number, timesDense: number, ns4 = 0): RecordedMatrix {
  const vectors = 4 * (rows + cols);
  const cells = rows * cols;
  const dense = ns * timesDense;
  return {
    rows,
    cols,
    density: density + 0.0001,
    pattern: 'uniform',
    operation: 'spmv',
    tokens: 1,
    date: '22 November 2026',
    format: { ns, timesDense, bytes: cells * density * 2.5 + vectors },
    dense: { ns: dense, timesDense: 1, bytes: 2 * cells + vectors },
    dense4: ns4 === 0 ? null : { ns: ns4, timesDense: dense / ns4, bytes: cells * 0.5625 + vectors },
  };
}

describe('the verdict', () => {
  const verdict = frameOf(framesOf(board), 'verdict');
  const timed: FrameContext = { ...HERE, recorded: RECORDED };

  it('has the recorded times of the shape with the most results', () => {
    expect(said(verdict, timed)).toBe(
      'Half kept: *1.26 times as fast* as dense. 4-bit weights, nothing pruned: *1.80*.',
    );
    expect(drawnTexts(verdict, 'bar text', 3, timed)).toEqual([
      '30.0 \u00b5s',
      '23.9 \u00b5s  1.26 times as fast',
      '16.7 \u00b5s  1.80 times as fast',
    ]);
    expect(drawnTexts(verdict, 'bar note', 3, timed)).toEqual(['117.4 MB', '73.4 MB', '33.0 MB']);
    expect(drawnTexts(verdict, 'note', 3, timed)).toEqual([
      'Our example keeps 34\u202f%. At 30\u202f%: 16.5 \u00b5s, 1.82×, level with 4-bit weights. At 70\u202f% it loses: 0.98.',
      'By bytes alone: 1.60 times as fast. Half kept in 4 bits, MACKO would take 21.7 % of dense; 4-bit weights take 28.1 %.',
    ]);
    expect(drawnTexts(verdict, 'source', 3, timed)[0]).toContain('NVIDIA H200, empty cache, timed 22 November 2026.');
    expect(counterText(verdict, 3, timed)).toBe('73.4 of 117.4 MB | 62.5 % of dense | weights 58.7, skips 14.7');
  });

  it('lets all bars grow at one speed', () => {
    const widths = [0, 1, 2, 3].map((picture) =>
      verdict
        .draw(picture, timed)
        .marks.filter(({ id }) => /^bar (reference|dense|format|dense 4)$/.test(id))
        .map(({ w }) => w),
    );
    expect(widths[0]).toEqual([0, 0, 0]);
    expect(new Set(widths[1]).size).toBe(1);
    expect(widths[2][0]).toBeCloseTo(2 * widths[1][0]);
    expect(widths[2][2]).toBe(widths[3][2]);
    expect(widths[3][0]).toBeCloseTo(3 * widths[1][0]);
  });

  it('says that it loses where it does', () => {
    const recorded = recordedOn(matrix(1024, 4096, 0.5, 6678, 0.789, 4613));
    expect(said(verdict, { ...HERE, recorded })).toBe(
      'Half kept it loses: *0.79 times as fast* as dense. 4-bit weights, nothing pruned: *1.14*.',
    );
  });

  it('has bytes alone where nothing is recorded', () => {
    for (const recorded of [null, recordedOn(), recordedOn(matrix(64, 64, 0.5, 5, 1))])
      expect(said(verdict, { ...HERE, recorded })).toBe(
        '*Not timed on this device.* It takes *55\u202f%* of the bytes of dense.',
      );
    const full = frameOf(
      framesOf(
        columnsMatrix(4, [
          [0, 1, 2, 3],
          [0, 1, 2, 3],
        ]),
      ),
      'verdict',
    );
    expect(said(full)).toBe('*Not timed on this device.* It takes *200.0\u202f%* of dense: here it loses.');
    expect(drawnTexts(verdict, 'note 1', 3)).toEqual([
      'Half kept, its authors timed 1.33 times the speed of dense on RTX 4090.',
    ]);
  });

  it('takes the bytes of the whole matrix where they are known', () => {
    const ledger = { ...storage(trace(board, DEFAULTS).encoded), totalBytes: 1000, effectiveDensity: 0.4 };
    const whole = { rows: 100, cols: 100, nnz: 1, params: DEFAULTS, ledger, reason: null };
    expect(said(verdict, { ...HERE, whole })).toContain('*40\u202f%* of the bytes');
    expect(drawnTexts(verdict, 'bar text', 3, { ...HERE, whole })).toEqual(['2\u202f500\u202fB', '1\u202f000\u202fB']);
  });
});

describe('words of all pictures', () => {
  const upTo = (n: number): readonly number[] => Array.from({ length: n }, (_, i) => i);
  const scattered = columnsMatrix(
    64,
    upTo(64).map((row) => upTo(64).filter((column) => (column * 7 + row) % 9 === 0)),
  );
  const windows = [
    board,
    scattered,
    columnsMatrix(0, [[], []]),
    columnsMatrix(8, [[], []]),
    columnsMatrix(1, [[0]]),
    columnsMatrix(40, [[0, 2, 4], [20]]),
    columnsMatrix(64, [[0, 1, 2, 60], upTo(64)]),
  ];

  it.each([DEFAULTS, { deltaBits: 1, valueType: 'i8' }, { deltaBits: 8, valueType: 'f32' }] as const)(
    'neither overlap nor leave the drawing with %o',
    (params) => {
      for (const m of windows)
        for (const frame of framesOf(m, params))
          for (const layout of ['wide', 'narrow'] as const)
            for (const picture of new Set([0, frame.moves.length - 1]))
              expect(
                wordProblems(frame.draw(picture, { ...HERE, layout, recorded: RECORDED })),
                `${m.rows} \u00d7 ${m.cols}, ${layout}, ${frame.id} ${picture}`,
              ).toEqual([]);
    },
  );
});
