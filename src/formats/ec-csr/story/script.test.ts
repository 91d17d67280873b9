import { describe, expect, it } from 'vitest';
import { columnsMatrix } from '../../../../test/matrices.ts';
import { shippedMatrices } from '../../../../test/shipped.ts';
import { defaultParams, stageParams } from '../../../core/format.ts';
import type { Matrix } from '../../../core/matrix/index.ts';
import type { Frame, FrameContext, RecordedMatrix } from '../../../core/story/frames.ts';
import type { Drawing } from '../../../core/story/scene.ts';
import { generate } from '../../../generate/generate.ts';
import { ecCsr } from '../index.ts';
import { type EcCsrParams, params } from '../params.ts';
import { frames } from './script.ts';
import { trace } from './trace.ts';

const onStage = stageParams(params, defaultParams(params));
const framesOf = (m: Matrix, given: Partial<EcCsrParams> = {}): readonly Frame[] =>
  frames(trace(m, { ...onStage, ...given }));

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
const on = (...matrices: readonly RecordedMatrix[]): FrameContext => ({
  layout: 'wide',
  whole: null,
  recorded: { device: 'Card', matrices },
});
const NOWHERE: FrameContext = { layout: 'wide', whole: null, recorded: null };

const sentence = (frame: Frame, context = NOWHERE): string => frame.sentence(context).text.replaceAll('*', '');
const idsOf = (all: readonly Frame[]): readonly string[] => all.map(({ id }) => id);

function frameOf(all: readonly Frame[], id: string): Frame {
  const found = all.find((frame) => frame.id === id);
  if (!found) throw new Error(`found ${idsOf(all).join(', ')}, expected '${id}'`);
  return found;
}

/** The words of a mark. */
function wordsAt({ marks }: Drawing, id: string): string {
  const found = marks.find((mark) => mark.id === id);
  return found?.runs?.map(({ text }) => text).join('') ?? found?.text ?? '';
}

const NOT_TIMED = 'Not timed on this device: 504 bytes here, where dense takes 512.';

const last = (frame: Frame, context = NOWHERE): Drawing => frame.draw(frame.moves.length - 1, context);

/** What a counter says at the end of a frame: its number, its parts, and the note below. */
function counted(frame: Frame, context = NOWHERE): readonly string[] {
  const drawing = last(frame, context);
  const labels = [0, 1, 2, 3].map((i) => wordsAt(drawing, `counter label ${i}`)).filter((text) => text !== '');
  return [wordsAt(drawing, 'counter number'), ...labels, wordsAt(drawing, 'counter note')];
}

const board = [...(await shippedMatrices())].find(([{ id }]) => id === 'ec-spmv-eight-rows')?.[1];
if (!board) throw new Error('found no example ec-spmv-eight-rows');
const BOARD: Matrix = board;

describe('the frames of the eight rows', () => {
  const all = framesOf(BOARD);
  const context = on(PLANTED, RANDOM, SMALLER);

  it('say who shares, what leaves, what that makes, and what it is worth', () => {
    expect(all.map((frame) => [frame.chapter, sentence(frame, context)])).toEqual([
      ['Who shares?', 'Eight rows store 96 column numbers. Eight of these repeat in every row.'],
      ['Who shares?', 'Rows 0 and 1 have 13 columns in common, the best pair.'],
      ['Who shares?', 'Columns leave four at a time. How many of the 13 stay behind?'],
      ['Take out', 'Two rows, one list: 12 column numbers instead of 24. One column stays.'],
      ['Take out', 'The other pairs do the same. Eight single weights are left over.'],
      ['Again, larger', 'Pairs pair up: one list serves four rows. Four columns serve only two.'],
      ['Again, larger', 'Eight rows, one list: 8 column numbers where 64 stood.'],
      ['Again, larger', 'Rows 0 to 3 share four more columns. Where do these go?'],
      ['Put in order', 'Rows 0 to 3 use four more columns: a block of their own.'],
      ['Put in order', 'First column in full, then steps. So small a matrix gains almost nothing.'],
      ['Multiply', 'Each fetched x serves eight rows: 4 fetches, 32 multiplications.'],
      ['So what', 'Rows made to share: 1.97 times as fast. Random weights: 1.23. 4 bits, unpruned: 1.82.'],
    ]);
  });

  it('count column numbers, then bytes, then fetches', () => {
    const counters = all.filter(({ question }) => !question).map((frame) => counted(frame, context));
    const numbers = (kept: number, note: string): readonly string[] => [
      `${kept} column numbers`,
      'weights 192',
      `columns ${2 * kept}`,
      note,
    ];
    expect(counters).toEqual([
      numbers(96, '2 bytes each'),
      numbers(96, ''),
      numbers(84, '96 \u2212 12'),
      numbers(52, '12 + 12 + 12 + 8 in lists, 8 single'),
      numbers(32, '12 + 8 + 4 in lists, 8 single'),
      numbers(24, '96 at the start'),
      numbers(24, '8 + 4 + 4 + 8; 96 at the start'),
      ['504 of 512 bytes', 'weights 192', 'columns 52', 'bookkeeping 260', '192 + 52 + 260'],
      ['4 of 32 fetches of x', ''],
      ['45.95 of 134.22 MB', 'weights 40.27', 'columns and the rest 5.68', '34 % of dense'],
    ]);
  });

  it('ask what stays, and where columns of four rows go', () => {
    const asked = all.flatMap(({ question }) => (question ? [question] : []));
    expect(asked.map(({ options, answer, because }) => [options, answer, because.text])).toEqual([
      [['0', '1', '5', '9'], 1, 'Two workers read two columns each: 12 = 3 × 4, one stays.'],
      [
        ['into the block of eight rows', 'into a block of four rows', 'back to single weights'],
        1,
        'Into a block of four rows: in the other four rows they would be zeros to store.',
      ],
    ]);
  });

  it('draw no answer before it is given', () => {
    const [stays, where] = all.filter(({ question }) => question);
    expect(stays.draw(0, NOWHERE).marks.filter(({ id }) => /^group|^stays/.test(id))).toEqual([]);
    expect(stays.draw(1, NOWHERE).marks.filter(({ id }) => /^group \d/.test(id))).toHaveLength(3);
    expect(where.draw(0, NOWHERE).marks.filter(({ id }) => id.startsWith('cell'))).toEqual([]);
    expect(where.draw(1, NOWHERE).marks.filter(({ id }) => id.startsWith('cell'))).toHaveLength(16);
  });

  it('show x, and the four columns that are fetched first, with the sums so far', () => {
    const drawing = last(frameOf(all, 'fetched once'));
    const fetched = drawing.marks.filter(({ id }) => /^fetch \d/.test(id)).map(({ text }) => text);
    expect(fetched).toEqual(['\u00d7 0.5', '\u00d7 0.5', '\u00d7 2.5', '\u00d7 \u22122']);
    expect(drawing.links?.map(({ from }) => from)).toEqual(['x 2', 'x 5', 'x 17', 'x 20']);
    const sums = [-1.3, 0.8, -2.65, 0.15, -2.15, -1, -0.05, 0.95];
    expect(sums.map((_, row) => wordsAt(drawing, `y ${row}`))).toEqual(
      sums.map((y) => (y < 0 ? '\u2212' : '') + Math.abs(y).toFixed(2)),
    );
    const first = last(all[0]);
    expect([0, 7].map((row) => wordsAt(first, `y ${row}`))).toEqual(['\u22120.65', '1.10']);
  });

  it('show the lanes of the largest block: a column in full, then steps', () => {
    const drawing = last(frameOf(all, 'steps'));
    const of = (lane: number, columns: readonly number[]): readonly string[] => [
      wordsAt(drawing, `first of ${lane}`),
      ...columns.map((column) => wordsAt(drawing, `number 0,${column}`)),
    ];
    expect(of(0, [2, 5, 9, 12])).toEqual(['2', '0', '+3', '+4', '+3']);
    expect(of(1, [17, 20, 26, 29])).toEqual(['17', '0', '+3', '+6', '+3']);
    expect([0, 1, 2, 3].map((i) => wordsAt(drawing, `cost now ${i}`))).toEqual([
      '4 + 8 = 12',
      '4 + 4 = 8',
      '4 + 4 = 8',
      '16 + 8 = 24',
    ]);
    expect([0, 1, 2, 3].map((i) => wordsAt(drawing, `cost before ${i}`))).toEqual(['16', '8', '8', '16']);
  });

  it('say why steps take more bytes here, and how little bookkeeping is in the matrix that was timed', () => {
    const frame = frameOf(all, 'steps');
    expect(wordsAt(last(frame), 'gain 0')).toBe('Long lists gain: 12, not 16. Short lists lose: 24, not 16.');
    expect(wordsAt(last(frame, context), 'bookkeeping 1')).toBe('In the matrix of the last frame, it is under 1 %.');
    for (const none of [on(SMALLER), NOWHERE]) expect(wordsAt(last(frame, none), 'bookkeeping 1')).toBe('');
    // With fewer rows than the timed matrices have, less is shared, and the share of bookkeeping is larger.
    for (const pattern of ['planted-blocks', 'uniform']) {
      const m = generate({ pattern, rows: 256, cols: 8192, density: 0.3, seed: 1 });
      const { entries, totalBytes } = ecCsr.storage(ecCsr.encode(m, defaultParams(params)));
      const books = entries.filter(({ array }) => ['rowIndices', 'blockPtr', 'sets'].includes(array));
      expect(books.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(0.01 * totalBytes);
    }
  });

  it('say in the frame itself why one column stays, and which lane takes which columns', () => {
    expect(wordsAt(last(frameOf(all, 'take out')), 'dashed')).toBe(
      'Columns leave four at a time. Dashed: left the matrix.',
    );
    const drawing = last(frameOf(all, 'fetched once'));
    const centre = (id: string): number => drawing.marks.find((mark) => mark.id === id)?.x ?? NaN;
    for (const lane of [0, 1])
      expect(centre(`lane ${lane}`)).toBeCloseTo((centre(`column ${2 * lane}`) + centre(`column ${2 * lane + 1}`)) / 2);
    expect(drawing.marks.filter(({ id }) => id.startsWith('lane'))).toHaveLength(2);
  });

  it('say why a column stayed', () => {
    expect(wordsAt(last(frameOf(all, 'pairs pair up')), 'why 0')).toBe(
      'Lists of 12, 12, 12 and 8 become 12, 8 and 4. Column 31 stayed: rows 2 and 3 lack it.',
    );
  });

  it('move every weight of the largest block from the matrix into it', () => {
    const at = (id: string): readonly string[] =>
      last(frameOf(all, id))
        .marks.filter((mark) => /^cell \d,(2|5|9|12|17|20|26|29)$/.test(mark.id))
        .map((mark) => mark.id);
    expect(new Set(at('largest block'))).toEqual(new Set(at('many numbers')));
    expect(at('largest block')).toHaveLength(64);
  });
});

describe('the last frame', () => {
  const verdict = frameOf(framesOf(BOARD), 'verdict');

  it.each([
    [
      'of planted and random weights of one size, with the rival of another',
      on(PLANTED, RANDOM),
      'Rows made to share: 1.97 times as fast. Random weights: 1.23. 4 bits, unpruned: 1.82.',
    ],
    ['without planted blocks', on(SMALLER), 'Random weights: 1.01 times as fast. 4 bits, unpruned: 1.37.'],
    ['without random weights', on(PLANTED), 'Rows made to share: 1.97 times as fast. 4 bits, unpruned: 1.82.'],
    [
      'without the rival',
      on({ ...PLANTED, dense4: null }, RANDOM),
      'Rows made to share: 1.97 times as fast. Random weights: 1.23. 4 bits: not timed.',
    ],
    [
      'where it loses',
      on({ ...PLANTED, format: time(40_000, 0.84, 46e6) }, RANDOM),
      'Rows made to share: 0.84 times as fast: it loses. Random weights: 1.23. 4 bits, unpruned: 1.82.',
    ],
    ['of other densities', on({ ...PLANTED, density: 0.5 }), NOT_TIMED],
    ['of other operations', on({ ...PLANTED, operation: 'gemm' }), NOT_TIMED],
    ['without a device', NOWHERE, NOT_TIMED],
  ])('%s', (_, context, text) => {
    expect(sentence(verdict, context)).toBe(text);
  });

  it('has at most three bars, of one size of matrix', () => {
    const bars = (context: FrameContext): readonly string[] =>
      last(verdict, context).marks.flatMap(({ id }) => (/^bar (?!title|note|text|more|mark)/.test(id) ? [id] : []));
    expect(bars(on(PLANTED, RANDOM, SMALLER))).toEqual(['bar dense', 'bar format', 'bar rival']);
    expect(bars(on({ ...PLANTED, dense4: null }, SMALLER))).toEqual(['bar dense', 'bar format']);
    expect(bars(NOWHERE)).toEqual(['bar reference', 'bar format']);
  });

  it('says what random weights come to, and what was not measured', () => {
    const drawing = last(verdict, on(PLANTED, RANDOM, SMALLER));
    expect([0, 1].map((i) => wordsAt(drawing, `also ${i}`))).toEqual([
      'Random weights: 27.1 µs, 1.23 times as fast.',
      'Sharing in real networks: not measured.',
    ]);
    expect(wordsAt(drawing, 'device')).toContain('Card, 25 November 2026');
    const other = last(verdict, on({ ...PLANTED, dense4: null }, SMALLER));
    expect(wordsAt(other, 'also 1')).toBe('4 bits, 4\u202f096 × 4\u202f096: 1.37 times as fast.');
  });
});

/** Windows on which something does not occur, and what is said instead. */
describe('where it does not occur', () => {
  const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);
  const says = (m: Matrix, given: Partial<EcCsrParams> = {}): readonly string[] =>
    framesOf(m, given).map((frame) => `${frame.id}: ${sentence(frame)}`);
  const alike = (rows: number, columns: readonly number[]): Matrix =>
    columnsMatrix(
      32,
      range(1, rows).map(() => columns),
    );

  it.each([
    [
      'a window without weights',
      columnsMatrix(8, [[], []]),
      {},
      [
        'many numbers: No weight is left here: no row has a column to share.',
        'nothing to store: No weight, no block: 0 bytes of 32 are stored.',
      ],
    ],
    [
      'one row',
      columnsMatrix(8, [[1, 2]]),
      {},
      [
        'many numbers: One row stores 2 column numbers. None of these is there twice.',
        'nothing leaves: One row has no partner. It keeps its own list.',
        'fetched once: Each fetched x serves one row: 2 fetches, 2 multiplications.',
      ],
    ],
    [
      'rows without a column in common',
      columnsMatrix(8, [
        [0, 1],
        [2, 3],
      ]),
      {},
      [
        'many numbers: Two rows store 4 column numbers. None of these is there twice.',
        'first pair: No two rows have a column in common.',
        'nothing leaves: Four columns are needed; no two rows share one. Every row keeps its list.',
      ],
    ],
    [
      'rows that share too little',
      columnsMatrix(8, [[0, 1, 2, 7], [0, 1, 2], [5]]),
      {},
      [
        'many numbers: Three rows store 8 column numbers. Only 5 of these are different.',
        'nothing leaves: Four columns are needed; the best two rows share 3. Every row keeps its list.',
      ],
    ],
    [
      'columns too far apart',
      columnsMatrix(64, [
        [0, 20, 40, 60],
        [0, 20, 40, 60],
      ]),
      { deltaBits: 4 },
      ['nothing leaves: No pair shares four columns close enough together. Every row keeps its list.'],
    ],
    [
      'blocks of one row',
      alike(2, range(0, 7)),
      { maxGranularity: 1 },
      ['nothing leaves: Blocks of one row: sharing is switched off. Every row keeps its list.'],
    ],
    [
      'a pair that is not the best',
      columnsMatrix(32, [range(0, 3), range(0, 8), range(0, 9)]),
      {},
      ['first pair: Rows 0 and 1 have 4 columns in common: they become a pair.'],
    ],
    [
      'nothing that stays, and one pair',
      alike(2, range(0, 3)),
      {},
      [
        'take out: Two rows, one list: 4 column numbers instead of 8.',
        'other pairs: No other pair shares enough. No weight is left over.',
        'largest block: Blocks stay with two rows: here 4 column numbers where 8 stood.',
        'all blocks: Every block and its list: the largest starts first.',
      ],
    ],
    [
      'two lists of one pair',
      columnsMatrix(64, [
        [...range(0, 8), ...range(32, 35)],
        [...range(0, 8), ...range(32, 35)],
      ]),
      { deltaBits: 4 },
      ['take out: Two rows, two lists: 12 column numbers instead of 24. One column stays.'],
    ],
    [
      'one weight that is left over',
      columnsMatrix(32, [range(0, 4), range(0, 3)]),
      {},
      ['other pairs: No other pair shares enough. One single weight is left over.'],
    ],
    [
      'four rows',
      alike(4, range(0, 7)),
      {},
      [
        'other pairs: The other pairs do the same. No weight is left over.',
        'largest block: Four rows, one list: 8 column numbers where 32 stood.',
      ],
    ],
    [
      'eight rows with nothing else',
      alike(8, range(0, 3)),
      {},
      [
        'pairs pair up: Pairs pair up: one list serves four rows.',
        'largest block: Eight rows, one list: 4 column numbers where 32 stood.',
      ],
    ],
    [
      'blocks as they were found',
      alike(2, range(0, 3)),
      { order: 'as-found' },
      ['all blocks: Every block and its list, as they were found.'],
    ],
    [
      'a large saving',
      columnsMatrix(
        64,
        range(1, 16).map(() => range(0, 3)),
      ),
      {},
      ['steps: First column in full, then steps. 256 bytes instead of 2\u202f048.'],
    ],
    [
      'as many bytes as dense',
      BOARD,
      { lanes: 4, maxGranularity: 4 },
      ['steps: First column in full, then steps. So small a matrix gains nothing.'],
    ],
    [
      'a loss',
      columnsMatrix(4, [[0], [1], [2]]),
      {},
      ['steps: First column in full, then steps. Here it loses: 96 bytes, dense 24.'],
    ],
  ] as const)('%s', (_, m, given, expected) => {
    const said = says(m, given);
    expect(said).toEqual(expect.arrayContaining([...expected]));
    expect(said[0].startsWith('many numbers')).toBe(true);
    expect(said.at(-1)?.startsWith('verdict')).toBe(true);
  });

  it('says how many blocks and columns a picture has no room for', () => {
    const eight = [0, 1, 2, 3, 4, 5, 6, 7];
    const rows = [...eight.map(() => range(0, 7)), range(20, 27), range(20, 27)];
    const pairs = last(frameOf(framesOf(columnsMatrix(64, rows)), 'pairs pair up'));
    expect(wordsAt(pairs, 'hidden blocks')).toBe('and 1 more block');
    expect(wordsAt(last(frameOf(framesOf(BOARD), 'pairs pair up')), 'hidden blocks')).toBe('');
    const wide = last(frameOf(framesOf(BOARD, { lanes: 4, maxGranularity: 4 }), 'fetched once'));
    expect(wordsAt(wide, 'counter note')).toBe('6 of 8 drawn');
  });

  it('asks nothing that cannot be answered', () => {
    // With steps of 4 bits, columns stay for another reason than that four leave at a time.
    const far = columnsMatrix(64, [
      [...range(0, 8), 32, 50, 63],
      [...range(0, 8), 32, 50, 63],
    ]);
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
