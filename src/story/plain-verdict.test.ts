import { describe, expect, it } from 'vitest';
import { layoutProblems, spaceOf } from '../../test/laid-out.ts';
import { columnsMatrix, uniformMatrix } from '../../test/matrices.ts';
import { type AnyFormat, defaultParams, storyParams } from '../core/format.ts';
import type { Matrix } from '../core/matrix/index.ts';
import { valueText } from '../core/text/words.ts';
import { formatById } from '../formats/registry.ts';
import type { Frame, FrameContext, RecordedMatrix } from './frames.ts';
import { MAX_CHOSEN_FRAMES, timelineOf } from './timeline.ts';
import { loadStory } from './format-story.ts';
import type { DrawnMark } from './scene.ts';

const WINDOW = uniformMatrix(6, 24, 0.3, 1);
const HERE: FrameContext = { layout: 'wide', wholeMatrix: null, recordedTimes: null };

const time = (ns: number, dense: number) => ({ ns, timesDense: dense / ns, bytes: ns * 1000 });
function recordedAt(density: number, ns: number, more: Partial<RecordedMatrix> = {}): RecordedMatrix {
  const matrix = { rows: 4096, cols: 4096, density, pattern: 'uniform', operation: 'spmv', tokens: 1 };
  const times = { format: time(ns, 30_000), dense: time(30_000, 30_000), dense4: time(16_000, 30_000) };
  return { ...matrix, date: '31 January 2026', ...times, ...more };
}
const contextWith = (...matrices: readonly RecordedMatrix[]): FrameContext => ({
  ...HERE,
  recordedTimes: { device: 'Made Up 1', matrices },
});

async function framesOf(id: string, window: Matrix = WINDOW) {
  const format: AnyFormat = formatById(id);
  const story = await loadStory(format);
  const params = storyParams<object>(format.params, defaultParams(format.params));
  return timelineOf({ story, trace: story.trace(window, params) }).frames;
}
async function verdictOf(id: string, window = WINDOW): Promise<Frame> {
  const last = (await framesOf(id, window)).at(-1)?.scriptFrame;
  if (!last) throw new Error(`${id}: found no verdict`);
  return last;
}
const barsOf = (frame: Frame, context: FrameContext): readonly string[] =>
  frame
    .draw(1, context)
    .marks.flatMap(({ id, runs }) =>
      id.startsWith('times after') ? [runs?.map(({ text }) => text).join('') ?? ''] : [],
    );

const wordsOf = ({ text, runs }: Pick<DrawnMark, 'text' | 'runs'>): string =>
  runs?.map((run) => run.text).join('') ?? text ?? '';

const textOf = (frame: Frame, context: FrameContext, id: string): string | undefined => {
  const mark = frame.draw(1, context).marks.find((candidate) => candidate.id === id);
  return mark?.text ?? mark?.runs?.map(({ text }) => text).join('');
};

describe('the first and the last frame of a story without a script', () => {
  it('they are a row times x and the verdict, with at most eight other frames between them', async () => {
    for (const id of ['csr', 'bitmask', 'dense']) {
      const frames = await framesOf(id);
      expect(frames.length, id).toBeLessThanOrEqual(MAX_CHOSEN_FRAMES + 1);
      expect(
        frames.filter(({ scriptFrame }) => scriptFrame).map(({ chapter }) => chapter),
        id,
      ).toEqual(['Why', 'So what']);
    }
  });

  it('the first frame describes the zeros and how the format treats them', async () => {
    const first = async (id: string, window: Matrix): Promise<string> =>
      (await framesOf(id, window))[0].scriptFrame?.narration(HERE).text ?? '';
    expect(await first('csr', WINDOW)).toBe(
      'Most weights here are zero. CSR keeps the others, each with its column number.',
    );
    expect(
      await first(
        'hybrid',
        columnsMatrix(4, [
          [0, 1],
          [0, 1],
        ]),
      ),
    ).toBe('Half the activations here are zero. Rows with few non-zeros are packed, others stay dense.');
    expect(await first('csr', columnsMatrix(4, [[0, 1, 2], [0]]))).toMatch(/^Half the weights/);
    expect(
      await first(
        'csr',
        columnsMatrix(4, [
          [0, 1, 2],
          [0, 1],
        ]),
      ),
    ).toMatch(/^Some weights/);
    expect(await first('ell', columnsMatrix(2, [[], []]))).toBe(
      'All weights here are zero, and the stored bytes record only that.',
    );
    expect(await first('bsr', columnsMatrix(2, [[0, 1]]))).toBe(
      'No weight here is zero: there is nothing to leave out.',
    );
    const none = columnsMatrix(0, [[], []]);
    expect(await first('csr', none)).toBe('This region has no cells: there is nothing to store.');
    expect((await verdictOf('csr', none)).narration(HERE).text).toContain('This region has no cells');
  });

  it('the first frame has the sums y with which the story ends', async () => {
    for (const valueType of ['f16', 'i4']) {
      const format: AnyFormat = formatById('dense');
      const story = await loadStory(format);
      const trace = story.trace(uniformMatrix(4, 24, 0.3, 1), {
        ...storyParams<object>(format.params, defaultParams(format.params)),
        valueType,
      });
      const marks = story.ends?.(trace)[0].draw(0, HERE).marks ?? [];
      const { y } = trace as unknown as { readonly y: Float64Array };
      expect(marks.find(({ id }) => id === 'y[0]')?.label).toBe(`y[0]: ${valueText(y[0])}`);
    }
  });

  const totalBits = { values: 0, indices: 0, metadata: 0, padding: 0 };
  const ledger = { entries: [], totalBytes: 1000, totalBits, effectiveDensity: 0.4 };
  const wholeMatrix = { rows: 2000, cols: 2000, nnz: 400_000, params: {}, ledger, reason: null };
  const matrixTimes = {
    rows: 2000,
    cols: 2000,
    density: 0.1,
    source: 'random weights',
    device: 'Made Up 1',
    date: '31 January 2026',
    formatNs: 20_000,
    denseNs: 30_000,
  };

  it('the verdict has the bytes and the time of the reader\u2019s matrix', async () => {
    const verdict = await verdictOf('csr');
    expect(verdict.hasOwnTimes).toBe(true);
    const measuredContext = { ...HERE, wholeMatrix, ownTimes: { device: 'Made Up 1', own: matrixTimes, larger: null } };
    expect(verdict.narration(measuredContext).text).toBe(
      '*This matrix takes 40\u202f% of the bytes of dense*, and is 1.50 times as fast.',
    );
    const barsIn = (context: FrameContext, id: string) =>
      verdict.draw(1, context).marks.flatMap((mark) => (mark.id.startsWith(id) ? [wordsOf(mark)] : []));
    expect(barsIn(measuredContext, 'own bytes after')).toEqual(['2\u202f500\u202fB', '1\u202f000\u202fB']);
    expect(barsIn(measuredContext, 'own time after')).toEqual(['30.0 \u00b5s', '20.0 \u00b5s  1.50 times the speed']);
    expect(verdict.narration({ ...HERE, wholeMatrix }).text).toBe(
      '*This matrix takes 40\u202f% of the bytes of dense.*',
    );
    const small = { ...wholeMatrix, rows: 100, cols: 100, nnz: 1000 };
    // The reason is given once, next to the bars.
    const smallContext = { ...HERE, wholeMatrix: small };
    const texts = [verdict.narration(smallContext).text, ...verdict.draw(1, smallContext).marks.map(wordsOf)];
    expect(texts.filter((text) => /too small to time/i.test(text))).toHaveLength(1);
    const larger = { ...wholeMatrix, ledger: { ...ledger, effectiveDensity: 1.25 } };
    expect(verdict.narration({ ...HERE, wholeMatrix: larger }).text).toContain(
      '125\u202f% of the bytes of dense*: here it loses',
    );
    expect(verdict.narration(HERE).text).toMatch(/^\*This region takes \d+\u202f% of the bytes of dense\.\*$/);
  });

  it('the verdict shows recorded times of other matrices of random weights, from the nearest density on', async () => {
    const verdict = await verdictOf('csr');
    const context = contextWith(
      recordedAt(0.1, 9000),
      recordedAt(0.3, 20_000),
      recordedAt(0.31, 1000, { pattern: 'planted-blocks' }),
      recordedAt(0.32, 1000, { operation: 'gemm' }),
    );
    expect(barsOf(verdict, context)).toEqual([
      '30.0 \u00b5s',
      '16.0 \u00b5s  1.88 times the speed of dense',
      '20.0 \u00b5s  1.50 times the speed of dense',
    ]);
    expect(textOf(verdict, context, 'timed')).toBe(
      'SparseScope timed other matrices, of random weights, 4\u202f096 × 4\u202f096, on Made Up 1:',
    );
  });

  it('the verdict of dense compares it with nothing, and states that others are compared with it', async () => {
    const verdict = await verdictOf('dense');
    expect(verdict.hasOwnTimes).toBeUndefined();
    const measuredContext = { ...HERE, wholeMatrix, ownTimes: { device: 'Made Up 1', own: matrixTimes, larger: null } };
    expect(verdict.narration(measuredContext).text).toBe(
      '*Others are compared with dense*: this matrix takes 1\u202f000 bytes.',
    );
    const marks = verdict.draw(1, measuredContext).marks.filter(({ id }) => /^own (bytes|time) after/.test(id));
    expect(marks.map(wordsOf)).toEqual(['2\u202f500\u202fB', '30.0 \u00b5s']);
    expect(barsOf(verdict, contextWith(recordedAt(0.3, 30_000)))).toEqual([]);
  });

  it('the verdict notes below the times if one is of a simple kernel', async () => {
    const verdict = await verdictOf('ell');
    const sourceOf = (context: FrameContext) => textOf(verdict, context, 'source');
    expect(sourceOf(contextWith(recordedAt(0.3, 40_000)))).toMatch(/, 31 January 2026\./);
    const simple = recordedAt(0.3, 40_000, { format: { ...time(40_000, 30_000), isSimple: true } });
    expect(sourceOf(contextWith(simple))).toMatch(/, 31 January 2026, one simple kernel\./);
  });

  it('the verdict explains the bytes by purpose: of the matrix, or of the region if the matrix is unknown', async () => {
    const verdict = await verdictOf('bitmask');
    expect(textOf(verdict, { ...HERE, wholeMatrix }, 'counter note')).toBe('40\u202f% of dense.');
    expect(textOf(verdict, { ...HERE, wholeMatrix }, 'counter title bytes')).toBe('matrix');
    expect(textOf(verdict, HERE, 'counter note')).toMatch(/bits per non-zero store its position\.$/);
    expect(textOf(verdict, HERE, 'counter title bytes')).toBe('region');
  });

  it('both frames count the zeros that dense stores as zeros, not as weights', async () => {
    const frames = (await framesOf('dense')).flatMap(({ scriptFrame }) => scriptFrame ?? []);
    const parts = frames.map((frame) =>
      frame
        .draw(frame.moves.length - 1, HERE)
        .marks.flatMap(({ id, label }) => (/^counter bytes \d$/.test(id) ? [label] : [])),
    );
    const weightBytes = 2 * WINDOW.nnz;
    const expected = [`weights ${weightBytes} B`, `zeros ${288 - weightBytes} B`];
    expect(parts).toEqual([expected, expected]);
  });

  it.each([
    ['wide', 1100, 560],
    ['narrow', 358, 560],
  ] as const)('both frames have no layout problems in a %s space', async (layout, width, height) => {
    const available = spaceOf(width, height);
    const wideWindow = uniformMatrix(32, 64, 0.3, 1);
    for (const window of [WINDOW, wideWindow, uniformMatrix(3, 200, 0.02, 1), columnsMatrix(0, [[], []])])
      for (const id of ['csr', 'dense'])
        for (const context of [HERE, contextWith(recordedAt(0.3, 20_000))])
          for (const end of [0, -1]) {
            const frame = (await framesOf(id, window)).at(end)?.scriptFrame;
            const picture = frame?.draw(frame.moves.length - 1, { ...context, layout }).inSpace?.(available);
            expect(picture && layoutProblems(picture, available), `${id} ${window.cols} ${end}`).toEqual([]);
          }
  });
});

it('the verdict promises nothing for a matrix that is refused', async () => {
  const verdict = await verdictOf('csr');
  const recorded = contextWith(recordedAt(0.3, 10_000));
  expect(verdict.narration({ ...recorded, wholeFacts: [] }).text).toBe('*No gain here*: this matrix cannot be stored.');
  expect(verdict.narration(recorded).text).toContain('of the bytes of dense');
});
