import { describe, expect, it } from 'vitest';
import { textOf } from '../../../../test/frames.ts';
import { layoutProblems, marksOf, roomOf } from '../../../../test/laid-out.ts';
import type { Frame, FrameContext, RecordedMatrix } from '../frames.ts';
import type { DrawnMark } from '../scene.ts';
import { drawPicture, fitStory } from './picture.ts';
import { playerFrames } from './story-frames.ts';
import { againstDense, verdict } from './verdict.ts';

const HERE: FrameContext = { layout: 'wide', whole: null, recorded: null };
const ROOM = roomOf(1000, 560);

const frame = (kept: number | null = 0.34, stored = 140): Frame =>
  playerFrames([
    verdict({
      title: 'MACKO',
      step: 3,
      what: 'random weights',
      among: ({ pattern, operation }) => pattern === 'uniform' && operation === 'spmv',
      cut:
        kept === null
          ? { rows: 0, cols: 4, nnz: 0, stored, dense: 0 }
          : { rows: 1, cols: 128, nnz: 128 * kept, stored, dense: 256 },
      published: 'Its authors timed 1.33.',
    }),
  ])[0];

/** A recorded product of random weights. */
function matrix(rows: number, cols: number, density: number, ns: number, timesDense: number, ns4 = 0): RecordedMatrix {
  const dense = ns * timesDense;
  return {
    rows,
    cols,
    density: density + 0.0001,
    pattern: 'uniform',
    operation: 'spmv',
    tokens: 1,
    date: '22 November 2026',
    format: { ns, timesDense, bytes: 1 },
    dense: { ns: dense, timesDense: 1, bytes: 2 },
    dense4: ns4 === 0 ? null : { ns: ns4, timesDense: dense / ns4, bytes: 1 },
  };
}

const on = (...matrices: readonly RecordedMatrix[]): FrameContext => ({
  ...HERE,
  recorded: { device: 'NVIDIA H200', matrices },
});

/** Five shares of one shape, one of a larger shape. */
const TIMED = on(
  matrix(4096, 14_336, 0.1, 9540, 3.154),
  matrix(4096, 14_336, 0.3, 16_539, 1.818),
  matrix(4096, 14_336, 0.5, 23_857, 1.259, 16_653),
  matrix(4096, 14_336, 0.7, 30_705, 0.978),
  matrix(4096, 14_336, 0.9, 36_000, 0.834),
  matrix(128_256, 4096, 0.5, 183_240, 1.27, 88_253),
);

const said = (context: FrameContext, own = frame()): string => own.sentence(context).text;

function marks(context: FrameContext, prefix: string, own = frame(), picture = 1): readonly DrawnMark[] {
  return (
    own
      .draw(picture, context)
      .inRoom?.(ROOM)
      .marks.filter(({ id }) => id.startsWith(prefix)) ?? []
  );
}
const texts = (context: FrameContext, prefix: string, own = frame()): readonly string[] =>
  marks(context, prefix, own).map(textOf);

describe('the verdict', () => {
  it('promise nothing for a matrix that cannot be stored', () => {
    const refused = { ...TIMED, wholeFacts: [] };
    expect(said(refused)).toBe('*Nothing is gained here*: this matrix is refused. The times are of others.');
    const words = frame().draw(1, refused).marks.map(textOf);
    expect(words.join(' ')).toContain('The bars are of matrices that can be stored.');
    expect(words.join(' ')).not.toContain('The nearest that was timed');
  });

  it('is of the shape of which most was timed, in words: up to which share 4 bits are not faster', () => {
    expect(said(TIMED)).toBe('*Level with 4-bit weights at 30\u202f% kept*: faster below, slower above.');
    expect(
      frame()
        .sentence(TIMED)
        .facts.map(({ name, value }) => [name, value]),
    ).toEqual([['level with 4 bits', 0.3]]);
    expect(texts(TIMED, 'source')).toEqual([
      '4\u202f096 \u00d7 14\u202f336, random weights, NVIDIA H200, empty cache, timed 22 November 2026. 4-bit weights, the usual rival: all are kept, each rounded to 4 bits. Bytes: with x, y and scales. Ratios are of exact figures, before rounding.',
    ]);
  });

  it('has times as bars, shorter is better: dense, the share that loses, half, the level one, 4 bits', () => {
    expect(texts(TIMED, 'times title')).toEqual([
      'dense, all weights',
      'MACKO, 70\u202f% kept',
      'MACKO, 50\u202f% kept',
      'MACKO, 30\u202f% kept',
      'dense, 4-bit weights',
    ]);
    expect(texts(TIMED, 'times after')).toEqual([
      '30.0 \u00b5s',
      '30.7 \u00b5s  0.98 times the speed of dense',
      '23.9 \u00b5s  1.26 times the speed of dense',
      '16.5 \u00b5s  1.82 times the speed of dense',
      '16.7 \u00b5s  1.80 times the speed of dense',
    ]);
    const bars = marks(TIMED, 'times').filter(
      ({ id, shape }) => (shape === 'box' || shape === 'frame') && !id.startsWith('times under'),
    );
    const scale = (bars[0].w + 1) / 30_036;
    expect(bars.map(({ shape, w }) => Math.round((w + (shape === 'box' ? 1 : 3)) / scale / 100))).toEqual([
      300, 307, 239, 165, 167,
    ]);
    expect(texts(TIMED, 'times means')).toEqual(['time; thin: bytes. Shorter is better']);
  });

  it('grows from nothing, and says numbers when it has grown', () => {
    const before = marks(TIMED, 'times', frame(), 0);
    expect(before.filter(({ shape }) => shape === 'box').map(({ w }) => w)).toEqual(Array(9).fill(1));
    expect(before.filter(({ id }) => id.startsWith('times after'))).toEqual([]);
  });

  it('says of the example what was timed nearest to it', () => {
    expect(texts(TIMED, 'here')).toEqual([
      'This cut keeps 34\u202f%. The nearest that was timed, 30\u202f%: level with 4-bit weights. Finding columns takes time, too: fewer bytes do not always win.',
    ]);
    expect(texts(TIMED, 'here', frame(0.8))[0]).toContain('70\u202f%: slower than 4-bit weights.');
    expect(texts(TIMED, 'here', frame(0.05))[0]).toContain('10\u202f%: faster than 4-bit weights.');
    expect(texts(TIMED, 'here', frame(null))[0]).toMatch(/^This cut has no cells\./);
  });

  it('is moved through what was timed, with its bytes; it begins at what is nearest to the example', () => {
    const at = (point?: string): FrameContext => (point === undefined ? TIMED : { ...TIMED, point });
    const own = frame();
    const points = ['10\u202f%', '30\u202f%', '50\u202f%', '70\u202f%', '90\u202f%'];
    expect(own.slider?.(at())).toEqual({ label: 'weights kept', points, at: 1 });
    expect(own.slider?.(at('90\u202f%'))?.at).toBe(4);
    expect(own.slider?.(at('33\u202f%'))?.at).toBe(1);
    expect(frame(0.8).slider?.(at())?.at).toBe(3);
    expect(own.slider?.(HERE)).toBeNull();
    expect(own.slider?.(on(matrix(64, 64, 0.5, 20, 1.2)))).toBeNull();
    // The nearest of the three bars gives way.
    const titles = (point: string): readonly string[] => texts(at(point), 'times title').slice(1, 4);
    expect(titles('90\u202f%')).toEqual(['MACKO, 90\u202f% kept', 'MACKO, 50\u202f% kept', 'MACKO, 30\u202f% kept']);
    expect(titles('10\u202f%')).toEqual(['MACKO, 70\u202f% kept', 'MACKO, 50\u202f% kept', 'MACKO, 10\u202f% kept']);
    expect(texts(at('10\u202f%'), 'times after')[3]).toBe('9.54 \u00b5s  3.15 times the speed of dense');
    expect(texts(at('10\u202f%'), 'here')[0]).toMatch(/^With 10\u202f% kept: faster than 4-bit weights\./);
    expect(texts(at('90\u202f%'), 'here')[0]).toMatch(/^With 90\u202f% kept: slower than 4-bit weights\./);
    // What a sentence says of all shares does not change with one.
    expect(said(at('90\u202f%'))).toBe(said(TIMED));
    const level = (point: string): readonly (number | undefined)[] =>
      [0, 1, 2].map((i) => marks(at(point), `times share ${i} 0`)[0].level);
    expect([level('90\u202f%'), level('10\u202f%')]).toEqual([
      [1, 0.12, 0.12],
      [0.12, 0.12, 1],
    ]);
    expect(marks(at('30\u202f%'), 'times under share 2')[0].w + 1).toBeCloseTo(
      (marks(at('30\u202f%'), 'times reference 0')[0].w + 1) / 2,
    );
    expect(texts(at('30\u202f%'), 'times under share 2')[1]).toBe('1\u202fB, 50\u202f% of the bytes of dense');
  });

  it.each([
    [
      'slower everywhere',
      on(matrix(64, 64, 0.5, 20, 0.8, 15)),
      '*Not worth it here*: slower than dense at every share that was timed.',
    ],
    [
      '4 bits not timed',
      on(matrix(64, 64, 0.5, 20, 1.2)),
      '*Faster than dense at 50\u202f% kept or less.* 4-bit weights were not timed.',
    ],
    [
      '4 bits always faster',
      on(matrix(64, 64, 0.5, 20, 1.2, 10)),
      '*Not worth it here*: 4-bit weights, nothing removed, are faster at every share.',
    ],
    [
      '4 bits never faster',
      on(matrix(64, 64, 0.5, 20, 1.2, 30)),
      '*Worth it at every share that was timed*, up to 50\u202f% kept.',
    ],
    [
      '4 bits slower up to a share',
      on(matrix(64, 64, 0.3, 10, 2.4), matrix(64, 64, 0.5, 20, 1.2, 15)),
      '*Worth it only at 30\u202f% kept or less*: above, 4-bit weights are faster.',
    ],
    ['nothing timed', HERE, '*Not timed on this device.* It takes *55\u202f%* of the bytes of dense.'],
    [
      'nothing of this kind',
      on({ ...matrix(64, 64, 0.5, 20, 1.2), operation: 'gemm' }),
      '*Not timed on this device.* It takes *55\u202f%* of the bytes of dense.',
    ],
  ])('%s', (_, context, text) => {
    expect(said(context)).toBe(text);
  });

  it('has bytes where no time is known', () => {
    expect(texts(HERE, 'times means')).toEqual(['bytes to read: fewer is better']);
    expect(texts(HERE, 'times after')).toEqual(['256\u202fB', '140\u202fB']);
    expect(texts(HERE, 'published')).toEqual(['Its authors timed 1.33.']);
    expect(said(HERE, frame(1, 300))).toBe(
      '*Not timed on this device.* It takes *117.2\u202f%* of dense: here it loses.',
    );
    expect(said(HERE, frame(null))).toBe('*Not timed on this device*, and this cut has no cells.');
  });

  it('keeps the laws of pictures in every room', () => {
    for (const context of [HERE, TIMED, { ...TIMED, point: '90\u202f%' }, on(matrix(64, 64, 0.5, 20, 1.2, 10))])
      for (const room of [ROOM, roomOf(1904, 700), roomOf(700, 400), roomOf(358, 500), roomOf(310, 500)])
        for (const picture of [0, 1]) {
          const drawing = frame().draw(picture, context);
          expect(layoutProblems(drawing.inRoom?.(room) ?? drawing, room)).toEqual([]);
        }
  });
});

it('draws what is so many times as fast as a time, and how far its times are spread', () => {
  const body = againstDense('times', [
    { id: 'dense', title: 'dense', times: 1, said: 'all' },
    { id: 'fast', title: 'fast', times: 1.34, minTimes: 1.18, said: 'some', isOwn: true },
    { id: 'slow', title: 'slow', times: 0.8, said: 'it loses', isBad: true },
  ]);
  const drawing = drawPicture({ body }, ROOM, fitStory(ROOM, [{ body }]), 1);
  const marks = marksOf(drawing);
  const said = (id: string): string => (marks.get(`times after ${id}`)?.runs ?? []).map(({ text }) => text).join('');
  expect(['dense', 'fast', 'slow'].map(said)).toEqual(['1  all', '0.75 to 0.85  some', '1.25  it loses']);
  const end = (id: string): number =>
    (marks.get(id)?.x ?? 0) + (marks.get(id)?.w ?? 0) - (marks.get(id.replace(/.$/, '0'))?.x ?? 0) + 1;
  expect(end('times fast 0') / end('times dense 0')).toBeCloseTo(1 / 1.34);
  expect(end('times fast 1') / end('times dense 0')).toBeCloseTo(1 / 1.18);
  expect(layoutProblems(drawing, ROOM)).toEqual([]);
});
