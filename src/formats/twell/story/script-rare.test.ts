import { describe, expect, it } from 'vitest';
import { frameOf, lastPicture, NOWHERE, outside, wordsAt } from '../../../../test/frames.ts';
import { columnsMatrix, matrixOf, uniformMatrix } from '../../../../test/matrices.ts';
import { denseMatrix, type Matrix } from '../../../core/matrix/index.ts';
import type { Frame, FrameContext, RecordedMatrix } from '../../../core/story/frames.ts';
import type { TwellParams } from '../params.ts';
import { frames } from './script.ts';
import { trace } from './trace.ts';

const P: TwellParams = { layout: 'packed', tileWidth: 8, compression: 2, valueType: 'bf16' };
const framesOf = (m: Matrix, given: Partial<TwellParams> = {}): readonly Frame[] =>
  frames(trace(m, { ...P, ...given }));
const sentence = (frame: Frame, context = NOWHERE): string => frame.sentence(context).text;

const block = (density: number, timesDense: number | null): RecordedMatrix => ({
  rows: 2048,
  cols: 5632,
  density,
  pattern: 'activations',
  operation: 'forward',
  tokens: 1,
  date: '22 November 2026',
  format: timesDense === null ? null : { ns: 3_900_400 / timesDense, timesDense, bytes: 94_380_032 },
  dense: { ns: 3_900_400, timesDense: 1, bytes: 94_371_840 },
  dense4: null,
});
const on = (...matrices: readonly RecordedMatrix[]): FrameContext => ({
  layout: 'wide',
  whole: null,
  recorded: { device: 'Card', matrices },
});
const RECORDED = on(block(0.0213, 2.5555), block(0.0053, 2.8597), { ...block(0.001, 36), operation: 'up-down' });

/** Five tokens of 32 neurons. */
const FIVE = columnsMatrix(32, [[6, 16, 18, 21], [28], [], [31], [1, 31]]);

describe('what does not occur', () => {
  const empty = denseMatrix(2, 16, new Float32Array(32));
  const full = uniformMatrix(2, 16, 1, 1);

  it.each<[string, Matrix, Partial<TwellParams>, string, string]>([
    [
      'no number',
      denseMatrix(0, 8, new Float32Array()),
      {},
      'what ReLU leaves',
      'No number here: *nothing* for ReLU to turn into 0.',
    ],
    ['nothing fired', empty, {}, 'what ReLU leaves', 'ReLU turns everything below 0 into 0: here, *none of 32* stays.'],
    ['all fired', full, {}, 'what ReLU leaves', 'ReLU turns everything below 0 into 0: here, *all 32* stay.'],
    ['most fired', matrixOf([1, 1, 0]), {}, 'what ReLU leaves', 'ReLU turns everything below 0 into 0: *2 of 3* stay.'],
    [
      'one fired',
      matrixOf([1, 0, 0]),
      {},
      'what ReLU leaves',
      'ReLU turns everything below 0 into 0: only *1 of 3* stays.',
    ],
    [
      'a number below 0',
      matrixOf([-1, 0, 2]),
      {},
      'what ReLU leaves',
      '*2 of 3* numbers are not 0: ReLU would turn 1 of them into 0.',
    ],
    [
      'one value of B',
      columnsMatrix(16, [[9]]),
      {},
      'who waits',
      'B has one value to store. Where? *It must wait for A.*',
    ],
    [
      'counts elsewhere',
      empty,
      { layout: 'split' },
      'cells of its own',
      'Every tile owns *four cells, and a count elsewhere*. Nobody waits.',
    ],
    [
      'one cell',
      empty,
      { compression: 8 },
      'cells of its own',
      'Every tile owns *one cell: one count, no values*. Nobody waits.',
    ],
    [
      'two fired at least',
      columnsMatrix(8, [[1, 2]]),
      {},
      'one fired',
      'Tile 0: two fired. It stores *how many, the values, which neurons*.',
    ],
    [
      'no full tile',
      columnsMatrix(16, [[1]]),
      {},
      'empty and full',
      'Tile 1: nobody fired, *three cells stay empty*. No tile is full.',
    ],
    [
      'no empty tile',
      columnsMatrix(16, [[1, 8, 9, 10]]),
      {},
      'empty and full',
      'Tile 1: three fired, *full*. No tile is empty.',
    ],
    ['one that fits', columnsMatrix(16, [[1]]), { compression: 4 }, 'one too many', 'One fits. A second *would not*.'],
    ['31 that fit', columnsMatrix(64, [[1]]), { tileWidth: 64 }, 'one too many', '31 fit. One more *would not*.'],
    [
      'none that fit',
      columnsMatrix(16, [[1]]),
      { compression: 8 },
      'one too many',
      'One fired, none fits: TwELL *refuses the matrix* and names the tile.',
    ],
    ['one tile', columnsMatrix(8, [[1]]), {}, 'all tiles', 'The only tile packs by itself: *1 value* is stored.'],
    [
      'one other tile',
      columnsMatrix(8, [[1], [0, 1, 2, 3]]),
      {},
      'all tiles',
      'The only other tile packs by itself: *1 value* is stored.',
    ],
    ['one zero', matrixOf([1, 1, 0]), {}, 'what is left?', '1 of 3 numbers is 0. How much of the whole work is left?'],
    ['nobody fired', empty, {}, 'only what fired', 'Nobody fired: up and down read *no weights at all*.'],
    [
      'all of them fired',
      matrixOf([1, 1]),
      {},
      'only what fired',
      'All fired: up and down *read all weights*, as dense does.',
    ],
    [
      'no recording',
      FIVE,
      {},
      'verdict',
      'Not timed on this device. Whole models with tensor cores: about *1.2* times as fast.',
    ],
  ])('is replaced: %s', (_, m, given, id, said) => {
    expect(sentence(frameOf(framesOf(m, given), id))).toBe(said);
  });

  it.each<[string, Matrix, Partial<TwellParams>, readonly string[]]>([
    ['without numbers', denseMatrix(3, 0, new Float32Array()), {}, ['what ReLU leaves', 'cells of its own', 'verdict']],
    [
      'where nothing fits',
      uniformMatrix(2, 8, 1, 1),
      { compression: 8 },
      ['what ReLU leaves', 'cells of its own', 'one too many', 'verdict'],
    ],
    [
      'of one number',
      matrixOf([0.5]),
      {},
      ['what ReLU leaves', 'cells of its own', 'one fired', 'all tiles', 'gate in full', 'only what fired', 'verdict'],
    ],
  ])('is left out %s', (_, m, given, ids) => {
    expect(framesOf(m, given).map(({ id }) => id)).toEqual(ids);
  });
});

describe('the last frame', () => {
  const verdict = frameOf(framesOf(FIVE), 'verdict');

  it('takes the recorded block of which the fewest neurons fire, with its source', () => {
    const drawing = lastPicture(verdict, RECORDED);
    expect([wordsAt(drawing, 'bar text ours'), wordsAt(drawing, 'bar text theirs')]).toEqual([
      '2.86  times as fast',
      '1.17 to 1.21  times as fast',
    ]);
    expect(wordsAt(drawing, 'source')).toBe(
      'Card, timed 22 November 2026: 2\u202f048 tokens, 30 of 5\u202f632 neurons fire. The paper: NVIDIA H100.',
    );
  });

  it('says where it loses', () => {
    expect(sentence(verdict, on(block(0.0053, 0.81), block(0.001, null)))).toBe(
      'Without tensor cores it loses, *0.81* times; whole models with them about *1.2*.',
    );
  });

  it('shows bytes where no time was recorded: of the window, or of its matrix', () => {
    const texts = (context: FrameContext): readonly string[] =>
      ['bar text reference', 'bar text format'].map((id) => wordsAt(lastPicture(verdict, context), id));
    expect(texts(NOWHERE)).toEqual(['320\u202fB', '320\u202fB']);
    const totalBits = { values: 0, indices: 0, metadata: 0, padding: 0 };
    const ledger = { entries: [], totalBytes: 65_536, totalBits, effectiveDensity: 0.25 };
    const whole = { rows: 128, cols: 1024, nnz: 3000, params: P, ledger, reason: null };
    expect(texts({ ...on(), whole })).toEqual(['262\u202f144\u202fB', '65\u202f536\u202fB']);
  });
});

describe('large windows', () => {
  it.each([
    [64, 64, 0.03, {}],
    [64, 64, 1, {}],
    [64, 64, 0.3, { layout: 'split', tileWidth: 64 }],
    [64, 64, 0.02, { tileWidth: 16, compression: 4 }],
    [1, 64, 0.4, { layout: 'split', tileWidth: 256 }],
  ] as const)('of %d × %d at %d with %o stay inside of their pictures', (rows, cols, density, given) => {
    const wrong: string[] = [];
    for (const frame of framesOf(uniformMatrix(rows, cols, density, 1), given))
      for (const layout of ['wide', 'narrow'] as const)
        for (let picture = 0; picture < frame.moves.length; picture++)
          for (const found of outside(frame.draw(picture, { ...RECORDED, layout })))
            wrong.push(`${frame.id} ${layout} ${picture}: ${found}`);
    expect(wrong).toEqual([]);
  });
});
