import { describe, expect, it } from 'vitest';
import { frameOf, NOWHERE, textOf } from '../../../../test/frames.ts';
import {
  describeSpaces,
  drawn,
  expectFixedCoordinates,
  marksOf,
  spaceOf,
  STAGE_SIZES,
  texts,
  USUAL_WINDOWS,
  upTo,
} from '../../../../test/laid-out.ts';
import { columnsMatrix, matrixOf, uniformMatrix } from '../../../../test/matrices.ts';
import { shippedMatrices } from '../../../../test/shipped.ts';
import { denseMatrix, type Matrix, subMatrix } from '../../../core/matrix/index.ts';
import { playerFrames } from '../../../story/flow/story-frames.ts';
import { type Frame, type FrameContext, MAX_WORDS, type RecordedMatrix, wordCount } from '../../../story/frames.ts';
import { fact } from '../../../core/text/stated.ts';
import { twell } from '../index.ts';
import type { TwellParams } from '../params.ts';
import { story } from './index.ts';
import type { TwellTrace } from './facts.ts';
import { framesOf } from './story.ts';

const P: TwellParams = { layout: 'packed', tileWidth: 8, compression: 2, valueType: 'bf16' };
const SPACE = spaceOf(1000, 560);
const trace = (m: Matrix, p: TwellParams): TwellTrace => story.trace(m, p) as TwellTrace;

const digits = [...(await shippedMatrices())].find(([{ id }]) => id === 'digits-gate-l1-1e-2')?.[1];
if (!digits) throw new Error('found no example digits-gate-l1-1e-2');
const FIVE_TOKENS = subMatrix(digits, { row: 64, col: 672, rows: 5, cols: 32 });
/** A window whose last token has four non-zeros in a tile, one more than fit. */
const OVERFLOWING = subMatrix(digits, { row: 0, col: 672, rows: 6, cols: 32 });

const framesOn = (m: Matrix, changedParams: Partial<TwellParams> = {}): readonly Frame[] =>
  playerFrames(framesOf(trace(m, { ...P, ...changedParams })));
const message = (frame: Frame, context = NOWHERE): string => frame.narration(context).text;

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
const contextWith = (...matrices: readonly RecordedMatrix[]): FrameContext => ({
  ...NOWHERE,
  recordedTimes: { device: 'Card', matrices },
});
const RECORDED = contextWith(block(0.0213, 2.5555), block(0.0053, 2.8597), block(0.071, 1.9), {
  ...block(0.001, 36),
  operation: 'up-down',
});

const WHOLE: FrameContext['wholeMatrix'] = {
  rows: 128,
  cols: 1024,
  nnz: 3000,
  params: { ...P, tileWidth: 256, compression: 8 },
  ledger: {
    entries: [],
    totalBytes: 65_536,
    totalBits: { values: 0, indices: 0, metadata: 0, padding: 0 },
    effectiveDensity: 0.25,
  },
  reason: null,
};

describe('the frames of five tokens', () => {
  const frames = framesOn(FIVE_TOKENS);

  it('explain who waits, what TwELL stores instead, what is not computed, and what it is worth', () => {
    expect(frames.map((frame) => `${frame.id}: ${message(frame, RECORDED)}`)).toEqual([
      'what ReLU leaves: ReLU turns everything below 0 into 0: only *11 of 160* stay.',
      'who waits: The obvious way, one shared list: worker C must *wait* for A and B.',
      'cells of its own: In TwELL, every tile has *four cells: one count, three values*. Nobody waits.',
      'empty and full: *Same bytes as dense*: TwELL saves work, not bytes.',
      'gate in full: *All 160 gate values* are computed, because no zero is known in advance.',
      'up and down: Up and down *read the tiles*: of token 0 they compute 4 of 32 neurons.',
      'one more?: Suppose a fourth neuron fires in one tile. What happens?',
      'one too many: If four fire in one tile, *the token is computed densely*.',
      'what is left?: 149 of 160 gate values are 0. How much of the work remains?',
      'only what fired: *A third of the work always remains*: gate values. Up and down: 11 of 160.',
      'one block: Another block, in which 7.1\u202f% fire, is *1.90 times as fast* as dense.',
      'verdict: *This region takes 100\u202f% of the bytes of dense.*',
    ]);
    for (const frame of frames) expect(wordCount(frame.narration(NOWHERE)), frame.id).toBeLessThanOrEqual(MAX_WORDS);
  });

  it('the frames of five tokens are at the steps that go on from there', () => {
    expect(frames.map(({ step }) => step)).toEqual([0, 0, 3, 50, 50, 50, 50, 50, 50, 67, 67, 67]);
  });

  it('ask what happens to a fourth, and how much of the work remains', () => {
    const questions = frames.flatMap(({ question }) => (question ? [question] : []));
    expect(
      questions.map(({ options, answer, because }) => [options.join(' | '), options[answer], because.text]),
    ).toEqual([
      [
        'the next tile stores it | it is lost | nothing of the token is skipped',
        'nothing of the token is skipped',
        'The next tile belongs to another worker, and nothing may be lost.',
      ],
      ['7\u202f% | 38\u202f% | 93\u202f%', '38\u202f%', '160 + 11 + 11 = 182 of 480.'],
    ]);
  });

  it('draw no answer before it is given', () => {
    const fourth = frameOf(frames, 'one more?');
    const tones = (picture: number): readonly string[] =>
      drawn(fourth, picture).marks.flatMap(({ tone }) => (tone === 'danger' ? [tone] : []));
    expect(tones(0)).toEqual([]);
    expect(tones(1).length).toBeGreaterThan(0);
    expect([0, 1].map((picture) => texts(fourth, 'tile values asked 0', picture))).toEqual([['4'], ['4']]);
    expect(texts(fourth, 'made up')).toEqual(['Neuron 23, marked ?, is made up.']);
    const work = frameOf(frames, 'what is left?');
    const five = [0, 1, 2, 3, 4].map((token) => `token ${token}`);
    expect([0, 1].map((picture) => texts(work, 'title token', picture))).toEqual([five, five]);
    expect(texts(work, 'work means', 1)).toEqual(['work for all 5 tokens, counted in neurons']);
    expect(texts(work, 'work after twell', 0)).toEqual(['?']);
    expect(texts(work, 'work after twell', 1)).toEqual(['182']);
    const before = frames.slice(0, frames.indexOf(work)).flatMap((frame) => drawn(frame).marks.map(textOf));
    expect(before.filter((text) => /\b(38|182|480)\b/.test(text))).toEqual([]);
  });

  it('show a worker that waits for those before it, and one that stores at once in its own cells', () => {
    const waits = frameOf(frames, 'who waits');
    // The possible positions at which the list of C begins: after none, one or two elements of the lists before.
    const lists = texts(waits, 'list ').map((text) => text || '_');
    expect(lists.join(' ')).toBe('35 46 13 41 35 46 13 _ _ 35 46 13');
    expect(texts(waits, 'title list')).toEqual(['if 0 before C', 'here 1 before C', 'if 2 before C']);
    expect(texts(waits, 'imagined')).toEqual([
      'In this region 1 value fires before C; the two other cases are imagined.',
    ]);
    expect([0, 1].map((picture) => texts(waits, 'time C', picture).length)).toEqual([0, 2]);
    const marks = marksOf(drawn(waits));
    const names = [0, 1, 2, 3].map((tile) => textOf(marks.get(`tile ${tile} words`) ?? {}));
    expect(names).toEqual(['worker A: tile 0', 'B: tile 1', 'C: tile 2', 'D: tile 3']);
    const idea = frameOf(frames, 'cells of its own');
    const values = [0, 1, 2].map((picture) => texts(idea, 'values words', picture).join(' '));
    expect(values).toEqual(['', '35 46 13', '41 35 46 13']);
  });

  it('draw the stored tile: a count, the values, and their neurons', () => {
    const slowly = drawn(frameOf(frames, 'cells of its own'));
    const textAt = (id: string): string => textOf(marksOf(slowly).get(id) ?? {});
    const stored = ['words[0]', 'values words[1]', 'indices words[1]', 'words[8]', 'indices words[11]'].map(textAt);
    expect(stored.join(' ')).toBe('1 41 6 3 21');
    expect(marksOf(slowly).get('values words[1]')).toMatchObject({
      from: 'cell 0,6',
      highlightNames: ['cell 0,6', 'words[1]'],
    });
    expect(slowly.links).toHaveLength(1);
    const frame = frameOf(frames, 'cells of its own');
    const ofRealTiles = frame.also?.({ ...NOWHERE, wholeMatrix: WHOLE })?.text;
    expect(ofRealTiles).toBe('Tiles are small here: real ones have 256 neurons and store up to 31 values.');
    expect(texts(frame, 'colours')).toEqual([
      '\u25a0\u00a0how\u00a0many\u00a0fired   \u25a0\u00a0value   \u25a0\u00a0number\u00a0of\u00a0its\u00a0neuron   \u25a8\u00a0empty   ',
    ]);
    const hatched = slowly.marks.filter(({ id, tone }) => tone === 'padding' && id.startsWith('values'));
    expect(hatched).toHaveLength(8);
  });

  it('count bytes of all tokens, and of the whole matrix where these are fewer', () => {
    const frame = frameOf(frames, 'empty and full');
    const parts = drawn(frame).marks.flatMap(({ id, label }) => (/^sizes small \d+$/.test(id) ? (label ?? '') : []));
    expect(parts).toEqual(['counts 80 B', 'values 22 B', 'neurons 22 B', 'empty 196 B']);
    expect(texts(frame, 'sizes after')).toEqual(['320 bytes', '320 bytes']);
    expect(texts(frame, 'sizes dense')).toEqual(['160 values \u00d7 2 bytes']);
    expect(texts(frame, 'sizes under small words')).toEqual([
      '5 tokens \u00d7 4 tiles \u00d7 4 cells \u00d7 4 B = 320 B',
    ]);
    const split = frameOf(framesOn(FIVE_TOKENS, { layout: 'split' }), 'empty and full');
    expect(texts(split, 'sizes under small words')).toEqual([
      '5 tokens \u00d7 4 tiles \u00d7 (4 \u00d7 6 + 4) B = 560 B',
    ]);
    expect(texts(frame, 'sizes title')).toEqual(['dense', 'TwELL']);
    const context = { ...NOWHERE, wholeMatrix: WHOLE };
    expect(message(frame, context)).toBe('Tiles of 256 take *25\u202f% of the bytes of dense*.');
    expect(texts(frame, 'sizes after', 1, context)[1]).toBe('25\u202f% of dense, the whole matrix');
    expect(texts(frame, 'sizes title', 1, context)).toEqual(['dense', 'tiles of 256', 'tiles of 8']);
    const drawnTiles = (tilesFrame: Frame): readonly string[] => texts(tilesFrame, 'drawn tiles', 1, context);
    expect(drawnTiles(frame)).toEqual(['The tiles of 8 drawn here are too small to save.']);
    const saving = frameOf(framesOn(FIVE_TOKENS, { compression: 4 }), 'empty and full');
    expect(drawnTiles(saving)).toEqual(['The tiles of 8 drawn here take 96 bytes instead of 192.']);
    expect(texts(frame, 'drawn tiles')).toEqual([]);
    expect(marksOf(drawn(frame, 1, SPACE, context)).get('sizes large 0')?.tone).toBe('format');
    expect(texts(frame, 'cells', 1, context)).toEqual([
      'Tiles of 8 have one cell for 2 neurons, tiles of 256 one for 8.',
    ]);
    expect(texts(frame, 'sizes under large words', 1, context)).toEqual([
      'Each tile: 32 cells \u00d7 4 B = 128 B; dense: 256 values \u00d7 2 B = 512 B',
    ]);
  });

  it('draw the work of all tokens, and what it comes to', () => {
    const frame = frameOf(frames, 'only what fired');
    const lit = (name: string): number =>
      drawn(frame).marks.filter(({ id, tone }) => new RegExp(`^${name} \\d+,`).test(id) && tone === 'format').length;
    expect(['gate', 'up', 'down'].map(lit)).toEqual([160, 11, 11]);
    const message = ['gate', 'up', 'down'].flatMap((name) => texts(frame, `all ${name} words`));
    expect(message).toEqual(['gate 160', 'up 11', 'down 11']);
    // The answer before it has the sum.
    expect(texts(frame, 'sum')).toEqual([]);
    expect(frame.also?.(NOWHERE)).toBeNull();
    expect(frame.also?.({ ...NOWHERE, wholeMatrix: WHOLE })?.text).toBe(
      'In the whole matrix, 2.3\u202f% fire, so 35\u202f% of the work remains. With tiles of 256, no token is computed densely.',
    );
    expect(frame.also?.({ ...NOWHERE, wholeMatrix: { ...WHOLE, rows: 5, cols: 32 } })).toBeNull();
  });

  it('begin with what dense computes', () => {
    const first = frameOf(frames, 'what ReLU leaves');
    expect(['block', 'row', 'gate', 'fires'].map((id) => texts(first, id)[0].replaceAll('\u00a0', ' ').trim())).toEqual(
      [
        'A block of a model: input \u2192 gate and up weights \u2192 gate values \u00d7 up values \u2192 down weights \u2192 output.',
        'These are gate values: a row per token (a piece of the input), a column per neuron. 8 neurons make a tile.',
        'A neuron fires where its gate value is not 0. Elsewhere, gate value \u00d7 up value is 0.',
        '\u25a0 neuron that fires, value in hundredths',
      ],
    );
    expect(texts(first, 'zeros')).toEqual(['Dense, the usual way, goes on computing with all the zeros.']);
    expect(texts(first, 'counter numbers').filter((text) => text !== '')).toEqual(['11 fire', '149 are 0']);
    expect(texts(first, 'counter after')).toEqual(['160 values']);
    expect(texts(frameOf(framesOn(uniformMatrix(2, 16, 1, 1)), 'what ReLU leaves'), 'zeros')).toEqual([]);
  });

  it('keep both boxes of a cell together on a phone, below their title', () => {
    const phone = marksOf(drawn(frameOf(frames, 'cells of its own'), 2, spaceOf(358, 520)));
    const [count, value, neuron] = ['words[0]', 'values words[1]', 'indices words[1]'].map((id) => phone.get(id));
    expect(value?.y).toBe(count?.y);
    expect((neuron?.y ?? 0) - (value?.y ?? 0) - (value?.h ?? 0)).toBeCloseTo(1, 9);
    expect(phone.get('title values')?.y).toBeLessThan(value?.y ?? 0);
  });

  it('show all that is read in full colour', () => {
    const marks = marksOf(drawn(frameOf(frames, 'up and down')));
    expect(['words[8]', 'values words[9]', 'indices words[9]'].map((id) => marks.get(id)?.level)).toEqual([1, 1, 1]);
  });

  it('name tiles over the small rows of a phone, all of whose cells have one size', () => {
    const marks = marksOf(drawn(frameOf(frames, 'what ReLU leaves'), 0, spaceOf(358, 520)));
    const names = [0, 1, 2, 3].map((tile) => textOf(marks.get(`tile ${tile} words`) ?? {}));
    expect(names).toEqual(['tile 0', 'tile 1', 'tile 2', 'tile 3']);
    const [name, before, first] = ['tile 3 words', 'cell 1,23', 'cell 1,24'].map(
      (id) => marks.get(id)?.x ?? Number.NaN,
    );
    expect(before).toBeLessThan(first);
    expect(first).toBeLessThan(name);
  });

  it('draw what a rejected token costs', () => {
    const frame = frameOf(frames, 'one too many');
    expect(texts(frame, 'means')).toEqual([
      'Densely: all neurons, also those that are 0. TwELL\u2019s hybrid form has no tiles. It stores tokens that fire often as dense rows, in a second array. Here the row takes 32 values \u00d7 2 bytes = 64 bytes. Up and down compute all 32 neurons here, though only 5 fired.',
    ]);
    expect(drawn(frame).marks.filter(({ id }) => /^dense (up|down) \d+$/.test(id))).toHaveLength(64);
    const denseOnly = frameOf(framesOn(uniformMatrix(2, 8, 1, 1)), 'one too many');
    expect(texts(denseOnly, 'means')).toEqual([
      'Densely: all neurons, also those that are 0. TwELL\u2019s hybrid form has no tiles. It stores tokens that fire often as dense rows, in a second array. Here the row takes 8 values \u00d7 2 bytes = 16 bytes. Dense computes all 8 neurons here.',
    ]);
    expect(frame.also?.(NOWHERE)?.text).toBe('In this region no stored tile has more than three.');
    const contextOf = (fullest: number, over: number): FrameContext => ({
      ...NOWHERE,
      wholeFacts: [fact('fullest tile', fullest), fact('tiles that overflow', over), fact('tiles', 16_384)],
    });
    const fittingContext = contextOf(3, 0);
    const also = (context: FrameContext) => frame.also?.(context)?.text;
    expect(also(fittingContext)).toBe('No tile of 8 in the matrix has more than 3, so no token is computed densely.');
    expect(also({ ...fittingContext, wholeMatrix: WHOLE })).toBe(
      'In this matrix no tile of 8 or of 256 neurons is too full.',
    );
    expect(also(contextOf(5, 1))).toBe('In the whole matrix, 1 of 16\u202f384 tiles of 8 is too full.');
    expect(also({ ...contextOf(5, 20), wholeMatrix: WHOLE })).toBe(
      'In the whole matrix, 20 of 16\u202f384 tiles of 8 are too full. With tiles of 256, none is.',
    );
  });

  it('explain the purpose of a value and a count', () => {
    expect(texts(frameOf(frames, 'up and down'), 'read')).toEqual([
      'The output is down weights \u00d7 (gate values \u00d7 up values). Where a gate value is 0, the product is 0, so up and down skip the neuron. The count of a tile is the number of its cells to read.',
    ]);
    // Names of tiles are below the cells; on a phone, below the strip without cells.
    const frame = frameOf(frames, 'up and down');
    const marks = marksOf(drawn(frame));
    const phone = marksOf(drawn(frame, 2, spaceOf(358, 520)));
    for (const tile of [0, 1, 2, 3]) {
      const name = marks.get(`stored ${tile} words`);
      expect(textOf(name ?? {})).toBe(`tile ${tile}`);
      expect(name?.y).toBeGreaterThan(marks.get(`words[${4 * tile}]`)?.y ?? Infinity);
      const below = phone.get(`below ${tile} words`);
      expect(textOf(below ?? {})).toBe(`tile ${tile}`);
      expect(below?.y).toBeGreaterThan(phone.get(`down 0,${8 * tile}`)?.y ?? Infinity);
    }
  });

  it('name the numbers that tokens and neurons have in the matrix, where the window is placed', () => {
    const placed = playerFrames(framesOf({ ...trace(FIVE_TOKENS, P), origin: { row: 64, col: 672 } }));
    expect(texts(frameOf(placed, 'cells of its own'), 'title token')).toEqual(['token 64']);
    expect(texts(frameOf(placed, 'cells of its own'), 'indices words[1]')).toEqual(['678']);
  });
});

describe('the special case', () => {
  it('names the token and the tile that are rejected, and who computes it', () => {
    const frames = framesOn(OVERFLOWING);
    const frame = frameOf(frames, 'one too many');
    expect(message(frame)).toBe('Token 5, tile 3: *four fired*, three fit. It *is computed densely*.');
    const storedContext = { ...NOWHERE, wholeMatrix: WHOLE };
    expect(message(frame, storedContext)).toBe(
      'Token 5, tile 3: *four fired*, three fit. It *would be computed densely*.',
    );
    // The gate computes all tokens. Frames about stored tokens state how many tokens they are about.
    expect(message(frameOf(frames, 'gate in full'))).toContain(
      `All ${OVERFLOWING.rows * OVERFLOWING.cols} gate values`,
    );
    expect(texts(frameOf(frames, 'empty and full'), 'sizes means')).toEqual([
      `bytes of ${OVERFLOWING.rows - 1} of ${OVERFLOWING.rows} tokens: 1 has too full a tile`,
    ]);
    expect(message(frameOf(frames, 'what is left?'))).toMatch(/^Of the stored tokens, /);
    expect(texts(frameOf(frames, 'only what fired'), 'with dense')[0]).toMatch(
      new RegExp(`^With the token that is computed densely: .* of ${3 * OVERFLOWING.rows * OVERFLOWING.cols}\\.$`),
    );
    expect(texts(frame, 'tile neurons refused').filter((text) => text !== '')).toEqual(['25', '27', '28', '31']);
    expect(texts(frame, 'title token')).toEqual(['token 5']);
  });

  const zeroMatrix = denseMatrix(2, 16, new Float32Array(32));
  const oneNonZero = columnsMatrix(16, [[1]]);
  const TEXTS_BY_FRAME: Readonly<Record<string, readonly (readonly [Matrix, Partial<TwellParams>, string])[]>> = {
    'what ReLU leaves': [
      [denseMatrix(0, 8, new Float32Array()), {}, 'No value here: *nothing* to store.'],
      [zeroMatrix, {}, 'All *32* values here are 0: nothing has to be computed.'],
      [uniformMatrix(2, 16, 1, 1), {}, 'None of *32* values here is 0: nothing to leave out.'],
      [matrixOf([1, 1, 0]), {}, 'ReLU turns everything below 0 into 0: *2 of 3* stay.'],
      [matrixOf([1, 0, 0]), {}, 'ReLU turns everything below 0 into 0: only *1 of 3* stays.'],
      [matrixOf([-1, 0, 2]), {}, '*2 of 3* values here are not 0.'],
    ],
    'cells of its own': [
      [zeroMatrix, { layout: 'split' }, 'In TwELL, every tile has *four cells, and a count elsewhere*. Nobody waits.'],
      [zeroMatrix, { compression: 8 }, 'In TwELL, every tile has *one cell: one count, no values*. Nobody waits.'],
    ],
    'empty and full': [
      [oneNonZero, { compression: 4 }, '*16 bytes* instead of 32. Above all, TwELL saves work.'],
      [columnsMatrix(9, [[1]]), {}, '*More bytes than dense*: 32 instead of 18. TwELL saves work, not bytes.'],
    ],
    'one too many': [
      [oneNonZero, { compression: 4 }, 'If two fire in one tile, *the token is computed densely*.'],
      [oneNonZero, { compression: 8 }, 'Token 0, tile 0: *one fired*, none fits. It *is computed densely*.'],
    ],
    'what is left?': [[matrixOf([1, 1, 0]), {}, '1 of 3 gate values is 0. How much of the work remains?']],
    'up and down': [
      [zeroMatrix, {}, 'No neuron fired for token 0: up and down are *not needed at all*.'],
      [matrixOf([1, 1]), {}, 'Every neuron of token 0 fired: up and down are computed *in full*.'],
    ],
    'only what fired': [
      [zeroMatrix, {}, '*A third of the work always remains*: gate values. Up and down: 0 of 32.'],
      [matrixOf([1, 1]), {}, '*All of the work* remains: every neuron fired.'],
      [matrixOf([1, 0]), {}, '*A third of the work always remains*: gate values. Up and down: 1 of 2.'],
    ],
  };

  it.each(Object.entries(TEXTS_BY_FRAME))('has its own texts in the frame: %s', (id, expected) => {
    const found = expected.map(([m, changedParams]) => message(frameOf(framesOn(m, changedParams), id)));
    expect(found).toEqual(expected.map(([, , text]) => text));
  });

  it('leaves frames out', () => {
    const ids = (m: Matrix, changedParams: Partial<TwellParams> = {}): string =>
      framesOn(m, changedParams)
        .map(({ id }) => id)
        .join(', ');
    const end = 'one block, verdict';
    expect(ids(denseMatrix(3, 0, new Float32Array()))).toBe(`what ReLU leaves, cells of its own, ${end}`);
    expect(ids(uniformMatrix(2, 8, 1, 1), { compression: 8 })).toBe(
      `what ReLU leaves, cells of its own, one too many, ${end}`,
    );
    expect(ids(matrixOf([0.5]))).toBe(
      `what ReLU leaves, cells of its own, empty and full, gate in full, up and down, only what fired, ${end}`,
    );
  });
});

describe('the frame of one block', () => {
  const blockFrame = frameOf(framesOn(FIVE_TOKENS), 'one block');

  it('the frame of one block has bars of time without tensor cores, and names whose block it is', () => {
    expect(texts(blockFrame, 'times after', 1, RECORDED)).toEqual(['1.90 times as fast']);
    expect(texts(blockFrame, 'cores', 1, RECORDED)).toEqual([
      'Neither dense nor TwELL used tensor cores, the GPU\u2019s units for dense matrices.',
    ]);
    expect(texts(blockFrame, 'with cores', 1, RECORDED)).toEqual([
      'With them, dense would gain more than TwELL, and 1.90 would shrink.',
    ]);
    // (1 + 2 * 0.071) / 3 = 38.1 % of the work, or 1 / 0.381 = 2.62 times as fast, and 1.90 was measured.
    expect(texts(blockFrame, 'predicted', 1, RECORDED)).toEqual([
      'Its work: 38.1\u202f% of dense, which alone would be 2.62 times as fast. Writing and reading tiles takes time, too.',
    ]);
    expect(message(blockFrame, { ...RECORDED, wholeFacts: [] })).toBe(
      '*This matrix cannot be stored*; another, of which 7.1\u202f% fire, is 1.90 times as fast.',
    );
    expect(texts(blockFrame, 'source', 1, RECORDED)).toEqual([
      'The other block: random values, 2\u202f048 tokens and 5\u202f632 neurons.',
    ]);
    expect(texts(blockFrame, 'when', 1, RECORDED)).toEqual(['Timed on Card, 22 November 2026.']);
    const { marks } = drawn(blockFrame, 1, SPACE, RECORDED);
    const widthOf = (id: string): number => marks.find((mark) => mark.id === `times ${id} 0`)?.w ?? 0;
    // Bars end 1 px before their length.
    expect((widthOf('twell') + 1) / (widthOf('dense') + 1)).toBeCloseTo(1 / 1.9, 2);
  });

  it('shows how many fire in the region, and its slider moves, with its text, through the blocks from the nearest on', () => {
    // The density is about the same as in the timed block, so no text mentions it.
    expect(texts(blockFrame, 'here', 1, RECORDED)).toEqual([]);
    const inAll = { ...RECORDED, wholeMatrix: WHOLE };
    expect(texts(blockFrame, 'here', 1, inAll)).toEqual(['This matrix: 2.3\u202f% fire, so expect less.']);
    expect(blockFrame.slider?.(inAll)?.index).toBe(1);
    const points = ['0.5\u202f%', '2.1\u202f%', '7.1\u202f%'];
    expect(blockFrame.slider?.(RECORDED)).toEqual({ label: 'drag: neurons that fire in the block', points, index: 2 });
    const moved = { ...RECORDED, point: '0.5\u202f%' };
    expect(message(blockFrame, moved)).toBe(
      'Another block, in which 0.5\u202f% fire, is *2.86 times as fast* as dense.',
    );
    expect(texts(blockFrame, 'times after', 1, moved)).toEqual(['2.86 times as fast']);
    expect(texts(blockFrame, 'here', 1, moved)).toEqual(['This region: 6.9\u202f% fire, so expect less.']);
    expect([blockFrame.slider?.(contextWith(block(0.0053, 2.86))), blockFrame.slider?.(NOWHERE)]).toEqual([null, null]);
  });

  it('counts the work where no block was timed', () => {
    expect(message(blockFrame)).toBe('One block of a model was *not timed on this device*: Measure times it.');
    expect(texts(blockFrame, 'work after')).toEqual(['480', '182']);
    expect(texts(blockFrame, 'times')).toEqual([]);
  });

  it('draws a block that loses longer than dense', () => {
    const { marks } = drawn(blockFrame, 1, SPACE, contextWith(block(0.0053, 0.81), block(0.001, null)));
    const [dense, twellWidth] = ['dense', 'twell'].map(
      (id) => marks.find((mark) => mark.id === `times ${id} 0`)?.w ?? 0,
    );
    expect(dense).toBeGreaterThan(0);
    expect(twellWidth).toBeGreaterThan(dense);
  });
});

describe('the last frame', () => {
  const verdict = frameOf(framesOn(FIVE_TOKENS), 'verdict');

  it('the last frame has the times of whole models, with any times of this device, and names whom they are for', () => {
    expect(texts(verdict, 'times after', 1, RECORDED)).toEqual(['1.17 to 1.21 times as fast']);
    expect(['models', 'who'].map((id) => texts(verdict, id)[0])).toEqual([
      'Four whole models, not this matrix: under 1\u202f% of neurons fire.',
      'Timed by TwELL\u2019s authors on NVIDIA H100, with tensor cores.',
    ]);
    expect(verdict.slider?.(RECORDED)).toBeNull();
    expect(texts(verdict, 'times', 1, RECORDED)).toEqual(texts(verdict, 'times'));
    const { marks } = drawn(verdict, 1, SPACE, RECORDED);
    const widthOf = (id: string): number => marks.find((mark) => mark.id === `times ${id}`)?.w ?? 0;
    // Bars end 1 px before their length.
    expect((widthOf('twell 0') + widthOf('twell 1') + 2) / (widthOf('dense 0') + 1)).toBeCloseTo(1 / 1.17, 2);
  });

  it('promises nothing for a rejected matrix, and something if only the region is rejected', () => {
    const last = frameOf(framesOn(OVERFLOWING), 'verdict');
    const rejectedContext = { ...RECORDED, wholeFacts: [] };
    expect(message(last, rejectedContext)).toBe('*No gain here*: this matrix cannot be stored.');
    expect(message(last, { ...RECORDED, wholeMatrix: WHOLE })).toBe(
      '*This matrix takes 25\u202f% of dense.* A block is 2.56 times as fast, models 1.17\u20131.21.',
    );
    expect(message(last, { ...NOWHERE, wholeMatrix: WHOLE })).toBe(
      '*This matrix takes 25\u202f% of the bytes of dense.*',
    );
    expect(texts(last, 'times twell', 1, RECORDED)).toContain('range');
  });
});

const WINDOWS = {
  example: FIVE_TOKENS,
  'a tile that overflows': OVERFLOWING,
  '64 tokens, one overflows': columnsMatrix(
    64,
    upTo(64).map((r) => (r === 40 ? [16, 17, 19, 22, 50] : [(r * 13) % 64])),
  ),
  ...USUAL_WINDOWS,
  'a wide row': columnsMatrix(130, [[], [19, 128, 129], []]),
};

describeSpaces<Partial<TwellParams>>({
  format: twell,
  context: RECORDED,
  windows: WINDOWS,
  framesOf: framesOn,
  otherParams: {
    params: [
      { layout: 'split' },
      { layout: 'split', tileWidth: 256, compression: 8 },
      { tileWidth: 16, compression: 4 },
      { tileWidth: 32, compression: 2 },
      { compression: 8 },
    ],
    windows: ['example', 'one row', 'full'],
  },
  random: (m, params) => {
    const hasStory = story.admits(m, params as never).ok || story.tracesRejected?.(m, params as never) === true;
    return hasStory ? framesOn(m, params) : null;
  },
  randomContext: NOWHERE,
});

it.each(STAGE_SIZES.slice(0, 3))(
  'a stored tile is as wide as its neurons, and below them, at %i \u00d7 %i',
  (width, height) => {
    const marks = marksOf(drawn(frameOf(framesOn(FIVE_TOKENS), 'cells of its own'), 2, spaceOf(width, height)));
    for (const tile of [0, 1, 2, 3]) {
      // A phone has two lines of tiles.
      const [neurons, storedTile] = [`tile ${tile}`, `stored ${tile}`].map(
        (id) => marks.get(id) ?? marks.get(`${id} line 1`),
      );
      expect(storedTile?.x).toBeCloseTo(neurons?.x ?? Number.NaN, 6);
      // A gap follows each cell.
      expect(Math.abs((storedTile?.w ?? 0) - (neurons?.w ?? 0))).toBeLessThan(2);
    }
  },
);

it.each(STAGE_SIZES.slice(0, 3))('what stays has one position at %i \u00d7 %i', (width, height) => {
  // The token at the top stays in place; what it stores is as large as there is space. Names of tiles do not stay: they
  // are centred, and longer where the worker is named.
  const stayed = expectFixedCoordinates(framesOn(FIVE_TOKENS), spaceOf(width, height), {
    fixedCoordinates: ({ id }, frame) => {
      // Where other tokens are drawn, all are as high as there is space; a question has less of it.
      if (/ReLU|gate in full/.test(frame.id) || frame.question) return null;
      if (!/^(cell 0,\d+|title token 0|tile \d+ words)/.test(id)) return null;
      return id.endsWith('words') ? 'at its height' : 'in place';
    },
    context: NOWHERE,
    title: 'example',
  });
  expect(stayed).toBeGreaterThan(35);
});
