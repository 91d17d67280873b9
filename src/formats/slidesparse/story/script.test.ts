import { describe, expect, it } from 'vitest';
import { shippedMatrices } from '../../../../test/shipped.ts';
import type { StoredWhole } from '../../../core/encoded/ledger.ts';
import { type Matrix, subMatrix } from '../../../core/matrix/index.ts';
import type { Frame, FrameContext, RecordedMatrix } from '../../../core/story/frames.ts';
import type { Drawing } from '../../../core/story/scene.ts';
import { assignGreedily, HARDWARE_2_4, slidingOf } from '../../../theory/sliding-windows.ts';
import { slideSparse } from '../index.ts';
import type { SlideSparseParams } from '../params.ts';
import { story } from './index.ts';

const PARAMS: SlideSparseParams = { halfGroup: 4, valueType: 'f16' };

/** Made up, but for its shape: the product that the last frame looks for. */
const PRODUCT: RecordedMatrix = {
  rows: 2048,
  cols: 2048,
  density: 0.75,
  pattern: 'n-of-m',
  operation: 'gemm',
  tokens: 2048,
  date: '31 January 2026',
  format: { ns: 584_140, timesDense: 0.814, bytes: 40_632_320 },
  dense: null,
  dense4: null,
};
const recordedOf = (...matrices: readonly RecordedMatrix[]): FrameContext['recorded'] => ({
  device: 'Made Up 1',
  matrices,
});
const NOTHING: FrameContext = { layout: 'wide', whole: null, recorded: null };

const framesOf = (m: Matrix, params: SlideSparseParams): readonly Frame[] =>
  story.frames?.(story.trace(m, params)) ?? [];

const frameOf = (frames: readonly Frame[], id: string): Frame => {
  const found = frames.find((frame) => frame.id === id);
  if (!found) throw new Error(`found ${frames.map((frame) => frame.id).join(', ')}, expected '${id}'`);
  return found;
};

const lastPicture = (frame: Frame, context: FrameContext = NOTHING): Drawing =>
  frame.draw(frame.moves.length - 1, context);

/** The words of a mark. */
function textOf({ marks }: Drawing, id: string): string | undefined {
  const mark = marks.find((one) => one.id === id);
  return mark?.text ?? mark?.runs?.map(({ text }) => text).join('');
}

const sentencesOf = (frames: readonly Frame[], context: FrameContext = NOTHING): Record<string, string> =>
  Object.fromEntries(frames.map((frame) => [frame.id, frame.sentence(context).text]));

describe('frames of slidesparse on the data of its board', async () => {
  const [, matrix] = [...(await shippedMatrices())].find(([{ id }]) => id === 'digits-fc1-6-8') ?? [];
  if (!matrix) throw new Error('found no example digits-fc1-6-8');
  const { rows, cols, nnz } = matrix;
  const ledger = slideSparse.storage(slideSparse.encode(matrix, PARAMS));
  const whole: StoredWhole = { rows, cols, nnz, params: PARAMS, ledger, reason: null };
  const known: FrameContext = { layout: 'wide', whole, recorded: recordedOf(PRODUCT) };
  const cut = subMatrix(matrix, { row: 166, col: 0, rows: 1, cols: 64 });
  const frames = framesOf(cut, PARAMS);

  it('says what the board says', () => {
    expect(sentencesOf(frames, known)).toEqual({
      problem: 'Forcing 2 zeros into every 4 weights: right answers fall from 54 to *15\u202f%*.',
      'question answers': '2 zeros in every 8: how many answers stay right?',
      neighbours: '2 zeros in every 8 keep *51.6\u202f%*. But four neighbours may hold three weights.',
      overlap: 'Three windows overlap. Each holds two weights: room for *all six*.',
      'first window': 'Window 0 takes its first two weights and notes their *places*.',
      'does not fit': 'The third *does not fit*: the window has room for two.',
      'second window': 'Window 1 takes it. Places count inside the window: *column 3 is place 1*.',
      'last windows': 'Window 2 takes the last two. *Six weights, none lost*.',
      'question ways': '6 weights can lie in 8 columns in 28 ways. How many do not fit?',
      'whole row': '32 groups, the same way: *432 bytes instead of 512*.',
      product: 'Each window gets its own four x: four of eight are *copied twice*.',
      verdict: 'With a 2:4 unit *1.18 to 1.34* times as fast as dense; without, *0.81*.',
    });
    expect([...new Set(frames.map(({ chapter }) => chapter))]).toEqual([
      'The problem',
      'The idea',
      'One group, slowly',
      'The rest, fast',
      'The product',
      'So what',
    ]);
  });

  it('counts bytes from the first window on, and then x', () => {
    const counted = frames.flatMap((frame) => {
      const number = textOf(lastPicture(frame, known), 'counter number');
      return number === undefined ? [] : [[frame.id, number]];
    });
    expect(Object.fromEntries(counted)).toEqual({
      'first window': '4.5 of 16 bytes',
      'does not fit': '4.5 of 16 bytes',
      'second window': '9 of 16 bytes',
      'last windows': '13.5 of 16 bytes',
      'whole row': '432 of 512 bytes',
      product: '12 numbers of x instead of 8',
    });
    const first = frameOf(frames, 'first window');
    expect([0, 1, 2].map((picture) => textOf(first.draw(picture, NOTHING), 'counter number'))).toEqual([
      '2 of 16 bytes',
      '4 of 16 bytes',
      '4.5 of 16 bytes',
    ]);
    // One group of eight first; the cut has eight of the row's 32.
    const row = frameOf(frames, 'whole row');
    expect(row.moves).toHaveLength(8);
    expect(textOf(row.draw(0, known), 'counter number')).toBe('13.5 of 512 bytes');
    expect(textOf(lastPicture(row, known), 'caption')).toBe('8 of 32 groups; 24 more like them');
    expect(textOf(lastPicture(row, known), 'sum')).toBe(
      '96 windows, 2 weights each: 192 weights × 2 bytes + 192 places × ¼ byte = 384 + 48.',
    );
  });

  it('says in the picture what the sentence leaves out: what x is, where bytes come from, what cannot be reached', () => {
    const said = (id: string, mark: string) =>
      textOf(lastPicture(frameOf(frames, id), known), mark)?.replaceAll('\u00a0', ' ');
    expect(said('problem', 'opening 0')).toBe('A row of weights times x, the input, gives one number. ');
    expect(said('neighbours', 'answers 6:8')).toBe('51.6\u202f%');
    expect(said('overlap', 'room')).toContain('Each fits the unit: four columns, two weights.');
    expect(said('first window', 'note')).toBe(
      'Each place, 0 to 3, takes 2 bits: ¼ byte. 2 × 2 bytes + 2 × ¼ byte = 4.5 bytes.',
    );
    const inThreeLines = framesOf(cut, { ...PARAMS, halfGroup: 8 });
    const onPhone = lastPicture(frameOf(inThreeLines, 'first window'), { ...known, layout: 'narrow' });
    expect(textOf(onPhone, 'note')?.replaceAll('\u00a0', ' ')).toBe('2 × 2 bytes + 2 × ¼ byte = 4.5 bytes.');
    expect(said('last windows', 'counter note')).toBe('dense: 16, for this group of 8 columns');
    expect(said('verdict', 'differs 3.2')).toBe('here: WebGPU cannot reach the unit');
  });

  it('frames a group in its row without touching the next', () => {
    const { marks } = lastPicture(frameOf(frames, 'whole row'), known);
    const at = (id: string) => marks.find((mark) => mark.id === id) ?? { x: NaN, w: NaN };
    const [frame, last, next] = ['slow group', 'cell 0,7', 'cell 0,8'].map(at);
    expect(frame.x + frame.w).toBeGreaterThan(last.x + last.w);
    expect(frame.x + frame.w).toBeLessThan(next.x);
  });

  it('stores what the encoder stores, in boxes that light up with their cells', () => {
    const drawn = lastPicture(frameOf(frames, 'last windows'));
    const stored = [0, 1, 2, 3, 4, 5].map((i) => [
      textOf(drawn, `values[${i}]`),
      textOf(drawn, `place of values[${i}]`),
    ]);
    expect(stored).toEqual([
      ['0.04', '0'],
      ['0.03', '1'],
      ['0.22', '1'],
      ['\u22120.15', '2'],
      ['0.18', '2'],
      ['0.05', '3'],
    ]);
    expect(drawn.marks.find(({ id }) => id === 'values[2]')?.about).toEqual(['values[2]', 'cell 0,3']);
    expect(drawn.marks.find(({ id }) => id === 'place of values[2]')?.about).toEqual(['metadata[0]', 'cell 0,3']);
  });

  it('keeps the eight weights the same marks from frame to frame', () => {
    for (const id of ['neighbours', 'overlap', 'first window', 'does not fit', 'second window', 'last windows']) {
      const ids = new Set(lastPicture(frameOf(frames, id)).marks.map((mark) => mark.id));
      expect(
        [0, 1, 2, 3, 4, 5, 6, 7].filter((c) => !ids.has(`cell 0,${c}`)),
        id,
      ).toEqual([]);
    }
  });

  it('draws the third weight between its cell and its slot until it has a place', () => {
    const odd = frameOf(frames, 'does not fit');
    const at = (drawing: Drawing) => drawing.marks.find(({ id }) => id === 'cell 0,3');
    const [before, after] = [at(lastPicture(frameOf(frames, 'first window'))), at(lastPicture(odd))];
    expect(after?.y).toBeGreaterThan((before?.y ?? 0) + 44);
    expect(textOf(lastPicture(odd), 'lost')).toBe('the largest: it must not be lost');
    expect(lastPicture(odd).marks.some(({ id }) => id === 'left behind')).toBe(true);
  });

  it('adds the products of each window, and all of them', () => {
    const drawn = lastPicture(frameOf(frames, 'product'));
    expect([0, 1, 2].map((w) => textOf(drawn, `sum ${w}`))).toEqual(['\u22120.04', '\u22120.63', '\u22120.06']);
    expect(textOf(drawn, 'total')).toBe('= \u22120.73');
    expect(textOf(drawn, 'multiplies')).toBe('the unit multiplies 6 times, not 8');
    expect(textOf(drawn, 'values[3]')).toBe('\u22120.1456');
  });

  it('says that it loses, on what, and that it is not timed where nothing is recorded', () => {
    const last = frameOf(frames, 'verdict');
    expect(textOf(lastPicture(last, known), 'bar text without')).toBe('0.81×: it loses');
    expect(textOf(lastPicture(last, known), 'source')).toContain(
      'Measured: Made Up 1, 31 January 2026, 2\u202f048 × 2\u202f048 weights, 2\u202f048 tokens.',
    );
    const wins = { ...PRODUCT, format: { ns: 1, timesDense: 1.25, bytes: 1 } };
    const winning = { ...known, recorded: recordedOf(wins) };
    expect(last.sentence(winning).text).toContain('without, *1.25*.');
    expect(textOf(lastPicture(last, winning), 'bar text without')).toBe('1.25×');
    const others = [
      { ...PRODUCT, operation: 'spmv' },
      { ...PRODUCT, pattern: 'uniform' },
      { ...PRODUCT, density: 0.5 },
      { ...PRODUCT, format: null },
    ];
    for (const recorded of [null, recordedOf(), recordedOf(...others)]) {
      expect(last.sentence({ ...known, recorded }).text).toContain('without, *not timed*.');
      const drawn = lastPicture(last, { ...known, recorded });
      expect(textOf(drawn, 'bar text without')).toBe('not timed here');
      expect(textOf(drawn, 'why')).toBe('Bytes either way: 0.84 of dense.');
      expect(textOf(drawn, 'source')).not.toContain('Measured');
    }
  });

  it('counts the row in the cut where the whole matrix has empty boxes, other parameters, or is not known', () => {
    const row = frameOf(frames, 'whole row');
    const padded = { ...ledger, totalBits: { ...ledger.totalBits, padding: 1 } };
    for (const other of [null, { ...whole, params: { ...PARAMS, halfGroup: 8 } }, { ...whole, ledger: padded }])
      expect(row.sentence({ ...known, whole: other }).text).toBe('8 groups, the same way: *108 bytes instead of 128*.');
  });

  it('asks what its next pictures answer, and shows nothing of it before', () => {
    const [answers, ways] = ['question answers', 'question ways'].map((id) => frameOf(frames, id));
    expect(answers.question?.options[answers.question.answer]).toBe('52\u202f%');
    expect(ways.question?.options[ways.question.answer]).toBe('none');
    const shownIn = (frame: Frame, picture: number): string =>
      frame
        .draw(picture, NOTHING)
        .marks.map(({ id }) => textOf(frame.draw(picture, NOTHING), id) ?? '')
        .join(' ');
    expect(shownIn(answers, 0)).not.toContain('51.6');
    expect(shownIn(answers, 1)).toContain('51.6\u202f%');
    const tones = (picture: number): Set<string> => new Set(ways.draw(picture, NOTHING).marks.map(({ tone }) => tone));
    expect([...tones(0)]).toEqual(['neutral']);
    expect(tones(1)).toContain('format');
  });

  it.each([3, 4, 5, 6, 7, 8] as const)('finds by another search that no placement fails, N = %d', (halfGroup) => {
    const width = 2 * halfGroup;
    const sliding = slidingOf({ kept: width - 2, group: width }, HARDWARE_2_4);
    if (typeof sliding === 'string') throw new Error(sliding);
    const all = Array.from({ length: width }, (_, c) => c);
    const placements = all.flatMap((a) => all.slice(a + 1).map((b) => all.filter((c) => c !== a && c !== b)));
    const failing = placements.filter((columns) => assignGreedily(sliding, columns).placed < width - 2);
    const asked = frameOf(framesOf(cut, { ...PARAMS, halfGroup }), 'question ways');
    expect(asked.question?.options[asked.question.answer]).toBe(failing.length === 0 ? 'none' : `${failing.length}`);
    expect(asked.sentence(NOTHING).text).toContain(`in ${placements.length} ways`);
  });
});
