import { describe, expect, it } from 'vitest';
import { finish } from '../../core/job.ts';
import { textOf } from '../../../test/frames.ts';
import { layoutProblems, marksOf, spaceOf } from '../../../test/laid-out.ts';
import type { Frame, FrameContext, RecordedMatrix } from '../frames.ts';
import type { DrawnMark } from '../scene.ts';
import { drawPicture, fitSteps } from './picture.ts';
import { playerFrames } from './story-frames.ts';
import { againstDense, verdict } from './verdict.ts';

const HERE: FrameContext = { layout: 'wide', whole: null, recordedTimes: null };
const SPACE = spaceOf(1000, 560);

const frame = (kept: number | null = 0.34, stored = 140): Frame =>
  playerFrames([
    verdict({
      title: 'MACKO',
      step: 3,
      what: 'one matrix \u00d7 vector',
      isRelevant: ({ pattern, operation }) => pattern === 'uniform' && operation === 'spmv',
      window:
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
  recordedTimes: { device: 'NVIDIA H200', matrices },
});

/** Times at five densities of one shape, and at one density of a larger shape. */
const TIMED = on(
  matrix(4096, 14_336, 0.1, 9540, 3.154),
  matrix(4096, 14_336, 0.3, 16_539, 1.818),
  matrix(4096, 14_336, 0.5, 23_857, 1.259, 16_653),
  matrix(4096, 14_336, 0.7, 30_705, 0.978),
  matrix(4096, 14_336, 0.9, 36_000, 0.834),
  matrix(128_256, 4096, 0.5, 183_240, 1.27, 88_253),
);

function marks(context: FrameContext, prefix: string, own = frame(), picture = 1): readonly DrawnMark[] {
  return (
    own
      .draw(picture, context)
      .inSpace?.(SPACE)
      .marks.filter(({ id }) => id.startsWith(prefix)) ?? []
  );
}
const texts = (context: FrameContext, prefix: string, own = frame()): readonly string[] =>
  marks(context, prefix, own).map(textOf);

const at = (point: string): FrameContext => ({ ...TIMED, point });
/**
 * A small matrix that was timed: a format took `ns`, `timesDense` times as fast as dense; dense in 4 bits took `ns4`.
 */
const small = (density: number, ns: number, timesDense: number, ns4 = 0): RecordedMatrix =>
  matrix(64, 64, density, ns, timesDense, ns4);

/** The contexts of a verdict, by the times that are recorded and by the matrix of the story. */
const CASES: Readonly<Record<string, readonly [context: FrameContext, own?: Frame]>> = {
  'a matrix that is refused': [{ ...TIMED, wholeFacts: [] }],
  'of the shape of which most was timed': [TIMED],
  'with 80 % kept': [TIMED, frame(0.8)],
  'with 5 % kept': [TIMED, frame(0.05)],
  'without cells': [TIMED, frame(null)],
  'at 10 %': [at('10\u202f%')],
  'at 33 %, which was not timed': [at('33\u202f%')],
  'at 90 %': [at('90\u202f%')],
  'slower everywhere': [on(small(0.5, 20, 0.8, 15))],
  '4 bits not timed': [on(small(0.5, 20, 1.2))],
  '4 bits always faster': [on(small(0.5, 20, 1.2, 10))],
  '4 bits never faster': [on(small(0.5, 20, 1.2, 30))],
  '4 bits slower up to a share': [on(small(0.3, 10, 2.4), small(0.5, 20, 1.2, 15))],
  'nothing timed': [HERE],
  'nothing of this kind': [on({ ...small(0.5, 20, 1.2), operation: 'gemm' })],
  'nothing timed, and more bytes than dense': [HERE, frame(1, 300)],
  'nothing timed, and no cells': [HERE, frame(null)],
};

describe('the verdict', () => {
  it('states what was timed, and how fast it is', async () => {
    const blocks = Object.entries(CASES).map(([about, [context, caseFrame = frame()]]) => {
      const { text, facts } = caseFrame.narration(context);
      const slider = caseFrame.slider?.(context);
      const prefixes = ['times title', 'times after', 'times means', 'source', 'here', 'published'];
      return [
        `${about}: ${text}`,
        ...facts.map(({ name, value }) => `  ${name} ${value}`),
        ...(slider ? [`  ${slider.label} ${slider.points.join(', ')}: ${slider.at}`] : []),
        ...prefixes
          .map((prefix) => [prefix, texts(context, prefix, caseFrame)] as const)
          .flatMap(([prefix, lines]) => (lines.length > 0 ? [`  ${prefix}: ${lines.join(' | ')}`] : [])),
        '',
      ].join('\n');
    });
    await expect(blocks.join('\n')).toMatchFileSnapshot('words/verdicts.txt');
  });

  it('draws times as bars: dense, dense in 4 bits, and the format at a density that is slower, equal and faster', () => {
    const bars = marks(TIMED, 'times').filter(({ shape }) => shape === 'box');
    const scale = (bars[0].w + 1) / 30_036;
    expect(bars.map(({ w }) => Math.round((w + 1) / scale / 100))).toEqual([300, 167, 307, 165, 95]);
  });

  it('draws bars that grow from nothing, and their numbers only at the end', () => {
    const before = marks(TIMED, 'times', frame(), 0);
    expect(before.filter(({ shape }) => shape === 'box').map(({ w }) => w)).toEqual(Array(5).fill(1));
    expect(before.filter(({ id }) => id.startsWith('times after'))).toEqual([]);
  });

  it('draws the bar of the chosen density, and the others pale', () => {
    const level = (point: string): readonly (number | undefined)[] =>
      [0, 1, 2].map((i) => marks(at(point), `times share ${i} 0`)[0].level);
    expect([level('90\u202f%'), level('10\u202f%')]).toEqual([
      [1, 0.12, 0.12],
      [0.12, 0.12, 1],
    ]);
  });

  it('obeys the layout rules in every space', () => {
    for (const context of [HERE, TIMED, { ...TIMED, point: '90\u202f%' }, on(matrix(64, 64, 0.5, 20, 1.2, 10))])
      for (const available of [SPACE, spaceOf(1904, 700), spaceOf(700, 400), spaceOf(358, 500), spaceOf(310, 500)])
        for (const picture of [0, 1]) {
          const drawing = frame().draw(picture, context);
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
  const drawing = drawPicture({ body }, SPACE, finish(fitSteps(SPACE, [{ body }])), 1);
  const marks = marksOf(drawing);
  const label = (id: string): string => (marks.get(`times after ${id}`)?.runs ?? []).map(({ text }) => text).join('');
  expect(['dense', 'fast', 'slow'].map(label)).toEqual(['1  all', '0.75  some', '1.25  it loses']);
  const end = (id: string): number =>
    (marks.get(id)?.x ?? 0) + (marks.get(id)?.w ?? 0) - (marks.get(id.replace(/.$/, '0'))?.x ?? 0) + 1;
  expect(end('times fast 0') / end('times dense 0')).toBeCloseTo(1 / 1.34);
  expect(layoutProblems(drawing, SPACE)).toEqual([]);
});
