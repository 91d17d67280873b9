import { describe, expect, it } from 'vitest';
import { finish } from '../../core/job.ts';
import { textOf } from '../../../test/frames.ts';
import { layoutProblems, marksOf, spaceOf } from '../../../test/laid-out.ts';
import type { StoredWhole } from '../../core/encoded/ledger.ts';
import type { Frame, FrameContext, RecordedMatrix, TimedTogether } from '../frames.ts';
import type { DrawnMark } from '../scene.ts';
import { drawPicture, fitSteps } from './picture.ts';
import { playerFrames } from './story-frames.ts';
import { againstDense, verdict } from './verdict.ts';

const HERE: FrameContext = { layout: 'wide', wholeMatrix: null, recordedTimes: null };
const SPACE = spaceOf(1000, 560);

const NO_BITS = { values: 0, indices: 0, metadata: 0, padding: 0 } as const;
/** A whole matrix, as a format stores it. */
const WHOLE: StoredWhole = {
  rows: 1,
  cols: 1,
  nnz: 1,
  params: {},
  ledger: { entries: [], totalBits: NO_BITS, totalBytes: 1, effectiveDensity: 0.5 },
  reason: null,
};

/** The last frame of a story of a window with the share `kept` of its cells (null: a window without cells). */
const frame = (keptShare: number | null = 0.34, storedBytes = 140, slowedBy?: string): Frame =>
  playerFrames([
    verdict({
      title: 'MACKO',
      step: 3,
      timedProduct: 'one matrix \u00d7 vector',
      isRelevant: ({ pattern, operation }) => pattern === 'uniform' && operation === 'spmv',
      window:
        keptShare === null
          ? { rows: 0, cols: 4, nnz: 0, stored: storedBytes, dense: 0 }
          : { rows: 1, cols: 128, nnz: 128 * keptShare, stored: storedBytes, dense: 256 },
      published: 'Its authors timed 1.33.',
      ...(slowedBy !== undefined && { slowedBy }),
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

const contextWith = (...matrices: readonly RecordedMatrix[]): FrameContext => ({
  ...HERE,
  recordedTimes: { device: 'NVIDIA H200', matrices },
});

/** Times at five densities of one shape, and at one density of a larger shape. */
const TIMED = contextWith(
  matrix(4096, 14_336, 0.1, 9540, 3.154),
  matrix(4096, 14_336, 0.3, 16_539, 1.818),
  matrix(4096, 14_336, 0.5, 23_857, 1.259, 16_653),
  matrix(4096, 14_336, 0.7, 30_705, 0.978),
  matrix(4096, 14_336, 0.9, 36_000, 0.834),
  matrix(128_256, 4096, 0.5, 183_240, 1.27, 88_253),
);

function marks(context: FrameContext, prefix: string, drawnFrame = frame(), state = 1): readonly DrawnMark[] {
  return (
    drawnFrame
      .draw(state, context)
      .inSpace?.(SPACE)
      .marks.filter(({ id }) => id.startsWith(prefix)) ?? []
  );
}
const texts = (context: FrameContext, prefix: string, drawnFrame = frame()): readonly string[] =>
  marks(context, prefix, drawnFrame).map(textOf);

const contextAt = (point: string): FrameContext => ({ ...TIMED, point });
/**
 * A small matrix that was timed: a format took `ns`, `timesDense` times as fast as dense; dense in 4 bits took `ns4`.
 */
const small = (density: number, ns: number, timesDense: number, ns4 = 0): RecordedMatrix =>
  matrix(64, 64, density, ns, timesDense, ns4);

/** The contexts of a verdict, by the times that are recorded and by the matrix of the story. */
const CASES: Readonly<Record<string, readonly [context: FrameContext, caseFrame?: Frame]>> = {
  'a matrix that is refused': [{ ...TIMED, wholeFacts: [] }],
  'of the shape of which most was timed': [TIMED],
  'with 80 % kept': [TIMED, frame(0.8)],
  'with 5 % kept': [TIMED, frame(0.05)],
  'without cells': [TIMED, frame(null)],
  'at 10 %': [contextAt('10\u202f%')],
  'at 33 %, which was not timed': [contextAt('33\u202f%')],
  'at 90 %': [contextAt('90\u202f%')],
  'slower everywhere': [contextWith(small(0.5, 20, 0.8, 15))],
  '4 bits not timed': [contextWith(small(0.5, 20, 1.2))],
  '4 bits always faster': [contextWith(small(0.5, 20, 1.2, 10))],
  '4 bits never faster': [contextWith(small(0.5, 20, 1.2, 30))],
  '4 bits slower up to a share': [contextWith(small(0.3, 10, 2.4), small(0.5, 20, 1.2, 15))],
  'nothing timed': [HERE],
  'nothing of this kind': [contextWith({ ...small(0.5, 20, 1.2), operation: 'gemm' })],
  'nothing timed, and more bytes than dense': [HERE, frame(1, 300)],
  'nothing timed, and no cells': [HERE, frame(null)],
};

describe('the verdict', () => {
  it('the verdict states what was timed, and how fast it is', async () => {
    const blocks = Object.entries(CASES).map(([caseTitle, [context, caseFrame = frame()]]) => {
      const { text, facts } = caseFrame.narration(context);
      const slider = caseFrame.slider?.(context);
      const prefixes = ['times title', 'times after', 'times means', 'source', 'here', 'published'];
      return [
        `${caseTitle}: ${text}`,
        ...facts.map(({ name, value }) => `  ${name} ${value}`),
        ...(slider ? [`  ${slider.label} ${slider.points.join(', ')}: ${slider.index}`] : []),
        ...prefixes
          .map((prefix) => [prefix, texts(context, prefix, caseFrame)] as const)
          .flatMap(([prefix, lines]) => (lines.length > 0 ? [`  ${prefix}: ${lines.join(' | ')}`] : [])),
        '',
      ].join('\n');
    });
    await expect(blocks.join('\n')).toMatchFileSnapshot('words/verdicts.txt');
  });

  it('the verdict draws recorded times as bars: dense, dense in 4 bits, and the format at the nearest density', () => {
    const bars = marks(TIMED, 'times').filter(({ shape }) => shape === 'box');
    const scale = (bars[0].w + 1) / 30_036;
    expect(bars.map(({ w }) => Math.round((w + 1) / scale / 100))).toEqual([300, 167, 165]);
  });

  it('the verdict draws bars that grow from nothing, and their numbers only at the end', () => {
    const before = marks(TIMED, 'times', frame(), 0);
    expect(before.filter(({ shape }) => shape === 'box').map(({ w }) => w)).toEqual(Array(3).fill(1));
    expect(before.filter(({ id }) => id.startsWith('times after'))).toEqual([]);
  });

  it('the verdict begins with the open matrix: its bytes, and its time or the reason why it has none', () => {
    const storedMatrix = (rows: number, cols: number, effectiveDensity = 0.5): StoredWhole => ({
      ...WHOLE,
      rows,
      cols,
      nnz: (rows * cols) / 4,
      ledger: { ...WHOLE.ledger, totalBytes: 2 * rows * cols * effectiveDensity, effectiveDensity },
    });
    const timesOf = (formatNs: number, more: Partial<TimedTogether> = {}): TimedTogether => ({
      rows: 4096,
      cols: 4096,
      device: 'this GPU',
      date: '30 November 2026',
      formatNs,
      denseNs: 20_000,
      ...more,
    });
    const textsFor = (wholeMatrix: StoredWhole, own: TimedTogether | null, larger: TimedTogether | null = null) => {
      const context = { ...TIMED, wholeMatrix, ownTimes: { device: 'NVIDIA H200', own, larger } };
      const ids = ['own', 'own bytes after', 'own time', 'larger'];
      return [
        frame().narration(context).text,
        ...ids.map((id) =>
          texts(context, id)
            .filter((t) => t !== '')
            .join(' | '),
        ),
      ];
    };
    expect(textsFor(storedMatrix(64, 64), null)).toMatchInlineSnapshot(`
      [
        "*This matrix takes 50 % of the bytes of dense.*",
        "This matrix: 64 × 64, 25 % left | bytes: fewer is better | dense, all cells | 8 192 B | MACKO | 4 096 B | Too small to time: most of the time would be spent starting the kernel.",
        "8 192 B | 4 096 B",
        "Too small to time: most of the time would be spent starting the kernel.",
        "",
      ]
    `);
    expect(textsFor(storedMatrix(4096, 4096), null)).toMatchInlineSnapshot(`
      [
        "*This matrix takes 50 % of the bytes of dense.*",
        "This matrix: 4 096 × 4 096, 25 % left | bytes: fewer is better | dense, all cells | 33.6 MB | MACKO | 16.8 MB | Not timed on NVIDIA H200.",
        "33.6 MB | 16.8 MB",
        "Not timed on NVIDIA H200.",
        "",
      ]
    `);
    expect(textsFor(storedMatrix(4096, 4096), timesOf(10_000))).toMatchInlineSnapshot(`
      [
        "*This matrix takes 50 % of the bytes of dense*, and is 2.00 times as fast.",
        "This matrix: 4 096 × 4 096, 25 % left | bytes: fewer is better | dense, all cells | 33.6 MB | MACKO | 16.8 MB | time on this GPU, 30 November 2026: shorter is better | dense, all cells | 20.0 µs | MACKO | 10.0 µs  2.00 times the speed",
        "33.6 MB | 16.8 MB",
        "time on this GPU, 30 November 2026: shorter is better | dense, all cells | 20.0 µs | MACKO | 10.0 µs  2.00 times the speed",
        "",
      ]
    `);
    expect(textsFor(storedMatrix(4096, 4096, 1.2), timesOf(25_000))).toMatchInlineSnapshot(`
      [
        "*This matrix takes 120 % of the bytes of dense*, but has 0.80 times its speed.",
        "This matrix: 4 096 × 4 096, 25 % left | bytes: fewer is better | dense, all cells | 33.6 MB | MACKO | 40.3 MB | time on this GPU, 30 November 2026: shorter is better | dense, all cells | 20.0 µs | MACKO | 25.0 µs  0.80 times the speed",
        "33.6 MB | 40.3 MB",
        "time on this GPU, 30 November 2026: shorter is better | dense, all cells | 20.0 µs | MACKO | 25.0 µs  0.80 times the speed",
        "",
      ]
    `);
    expect(textsFor(storedMatrix(64, 64), null, timesOf(10_000))).toMatchInlineSnapshot(`
      [
        "*This matrix takes 50 % of dense*; repeated, it is 2.00 times as fast.",
        "This matrix: 64 × 64, 25 % left | bytes: fewer is better | dense, all cells | 8 192 B | MACKO | 4 096 B | Too small to time: most of the time would be spent starting the kernel.",
        "8 192 B | 4 096 B",
        "Too small to time: most of the time would be spent starting the kernel.",
        "The same pattern at 4 096 × 4 096, the matrix repeated | time on this GPU, 30 November 2026: shorter is better | dense, all cells | 20.0 µs | MACKO | 10.0 µs  2.00 times the speed",
      ]
    `);
    expect(textsFor(storedMatrix(64, 64), null, timesOf(10_000, { isSoftware: true }))[3]).toContain(
      'Too small to time',
    );
    expect(textsFor(storedMatrix(64, 64, 1.3), null)[0]).toContain('here it loses');
    for (const available of [SPACE, spaceOf(700, 400), spaceOf(358, 500)]) {
      const context = {
        ...TIMED,
        wholeMatrix: storedMatrix(64, 64),
        ownTimes: { device: 'X', own: null, larger: timesOf(9000) },
      };
      const drawing = frame().draw(1, context);
      expect(layoutProblems(drawing.inSpace?.(available) ?? drawing, available)).toEqual([]);
    }
  });

  it('the verdict compares the speed with the speed that the bytes alone would allow, if that is higher', () => {
    const bytes = (format: number, dense: number): FrameContext => {
      const { recordedTimes } = TIMED;
      const matrices = (recordedTimes?.matrices ?? []).map((recorded) => ({
        ...recorded,
        format: recorded.format && { ...recorded.format, bytes: format },
        dense: recorded.dense && { ...recorded.dense, bytes: dense },
      }));
      return { ...TIMED, recordedTimes: { device: 'NVIDIA H200', matrices } };
    };
    const why = (context: FrameContext, slowedBy?: string): readonly string[] =>
      texts(context, 'why', frame(0.34, 140, slowedBy));
    // The bars show 1.82 times the speed of dense: 100 / 38 = 2.63, 100 / 56 = 1.79.
    expect(why(bytes(380, 1000), 'Reading x takes time.')).toEqual([
      'With 30\u202f% kept, 38\u202f% of the bytes alone would allow 2.63 times the speed. Reading x takes time.',
    ]);
    expect(why(bytes(560, 1000), 'Reading x takes time.')).toEqual([]);
    expect(why(bytes(380, 1000))).toEqual([]);
    const drawing = frame(0.34, 140, 'Reading x takes time.').draw(1, bytes(380, 1000));
    for (const available of [SPACE, spaceOf(700, 400), spaceOf(310, 500)])
      expect(layoutProblems(drawing.inSpace?.(available) ?? drawing, available)).toEqual([]);
  });

  it('the verdict has no layout problems in any space', () => {
    for (const context of [
      HERE,
      TIMED,
      { ...TIMED, point: '90\u202f%' },
      contextWith(matrix(64, 64, 0.5, 20, 1.2, 10)),
    ])
      for (const available of [SPACE, spaceOf(1904, 700), spaceOf(700, 400), spaceOf(358, 500), spaceOf(310, 500)])
        for (const state of [0, 1]) {
          const drawing = frame().draw(state, context);
          expect(layoutProblems(drawing.inSpace?.(available) ?? drawing, available)).toEqual([]);
        }
  });
});

it('againstDense draws a speed relative to dense as a time', () => {
  const body = againstDense('times', [
    { id: 'dense', title: 'dense', times: 1, text: 'all' },
    { id: 'fast', title: 'fast', times: 1.34, text: 'some', isOwn: true },
    { id: 'slow', title: 'slow', times: 0.8, text: 'it loses', isBad: true },
  ]);
  const picture = { body };
  const drawing = drawPicture(picture, SPACE, finish(fitSteps(SPACE, [[picture]])), 1);
  const marks = marksOf(drawing);
  const label = (id: string): string => (marks.get(`times after ${id}`)?.runs ?? []).map(({ text }) => text).join('');
  expect(['dense', 'fast', 'slow'].map(label)).toEqual(['1  all', '0.75  some', '1.25  it loses']);
  const end = (id: string): number =>
    (marks.get(id)?.x ?? 0) + (marks.get(id)?.w ?? 0) - (marks.get(id.replace(/.$/, '0'))?.x ?? 0) + 1;
  expect(end('times fast 0') / end('times dense 0')).toBeCloseTo(1 / 1.34);
  expect(layoutProblems(drawing, SPACE)).toEqual([]);
});
