import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildMatrix, matrixRecipe } from '../../../../test/arbitraries.ts';
import { lastPicture, textOf, wordsAt } from '../../../../test/frames.ts';
import { cases } from '../../../../test/scheduled.ts';
import { type Matrix, rowBuffer } from '../../../core/matrix/index.ts';
import { playerFrames } from '../../../story/flow/story-frames.ts';
import type { Frame, FrameContext } from '../../../story/frames.ts';
import type { Stated } from '../../../core/text/stated.ts';
import { COMPRESSIONS, TILE_WIDTHS, type TwellParams } from '../params.ts';
import { story } from './index.ts';
import type { TwellTrace } from './facts.ts';
import { framesOf } from './story.ts';

/**
 * Checks the frames: every number of a text is a named fact, and each fact equals what this file counts by its name in
 * the cells of the window and in the encoded arrays, with no code of the story.
 */

const trace = (m: Matrix, p: TwellParams): TwellTrace => story.trace(m, p) as TwellTrace;
const NOWHERE: FrameContext = { layout: 'wide', wholeMatrix: null, recordedTimes: null };

/** How many neurons fired in every tile of every token. */
function countsOf(m: Matrix, { tileWidth }: TwellParams): readonly (readonly number[])[] {
  const buffer = rowBuffer(m.cols);
  return Array.from({ length: m.rows }, (_, row) => {
    const counts = Array.from({ length: Math.ceil(m.cols / tileWidth) }, () => 0);
    const n = m.readRow(row, buffer);
    for (let i = 0; i < n; i++) counts[Math.floor(buffer.columns[i] / tileWidth)]++;
    return counts;
  });
}

/**
 * The token that the frames show (`lead`, -1 if there is none), its counts by tile, the first tile that overflows, and the
 * stored tokens: those without such tiles.
 */
function tokensOf(counts: readonly (readonly number[])[], capacity: number) {
  const storedTokens = counts.flatMap((tiles, row) => (tiles.every((count) => count <= capacity) ? [row] : []));
  // The story shows the token with most to explain: foremost values after the first tile, then any values at all, then
  // tiles with one value, empty tiles and full tiles.
  const points = (row: number): number => {
    const tiles = counts[row];
    const kinds = [1, 0, capacity].filter((count) => tiles.includes(count)).length;
    return kinds + (tiles.some((count) => count > 0) ? 5 : 0) + (tiles.slice(1).some((count) => count > 0) ? 10 : 0);
  };
  const most = Math.max(0, ...storedTokens.map(points));
  const lead = storedTokens.find((row) => points(row) === most) ?? -1;
  const tiles = counts.flatMap((rowCounts, row) => rowCounts.map((count, tile) => ({ row, tile, count })));
  return { storedTokens, lead, leadTiles: counts[lead] ?? [], overflow: tiles.find(({ count }) => count > capacity) };
}

/** Every number of the texts by its name, counted in the cells and the encoded arrays. */
function factsOf(m: Matrix, { encoded: e }: TwellTrace, p: TwellParams): ReadonlyMap<string, number> {
  const counts = countsOf(m, p);
  const slots = p.tileWidth / p.compression;
  const capacity = p.layout === 'packed' ? slots - 1 : slots;
  const { storedTokens, lead, leadTiles, overflow } = tokensOf(counts, capacity);
  const tiles = Math.ceil(m.cols / p.tileWidth);
  // The counts in the encoded arrays.
  const counters = p.layout === 'packed' ? e.words.filter((_, i) => i % slots === 0) : e.counts;
  const storedValues = counters.reduce((sum, count) => sum + count, 0);
  const numbers = storedTokens.length * m.cols;
  return new Map<string, number>([
    ['nothing', 0],
    ['non-zeros', counts.flat().reduce((sum, count) => sum + count, 0)],
    ['numbers', m.rows * m.cols],
    ['cells of a tile', slots],
    ['values that fit', capacity],
    ['bytes', storedTokens.length * tiles * (p.layout === 'packed' ? 4 * slots : 4 + 6 * slots)],
    ['dense bytes', 2 * numbers],
    ['one too many', capacity + 1],
    ['refused token', overflow?.row ?? -1],
    ['refused tile', overflow?.tile ?? -1],
    ['fired in the refused tile', overflow?.count ?? -1],
    ['stored values', storedValues],
    ['token that is drawn', lead],
    ['stored values of it', leadTiles.reduce((sum, count) => sum + count, 0)],
    ['neurons of a token', m.cols],
    ['zeros', numbers - storedValues],
    ['stored numbers', numbers],
    ['numbers that are computed', numbers + 2 * storedValues],
    ['numbers of three products', 3 * numbers],
    ['share of dense', (tiles * (p.layout === 'packed' ? 4 * slots : 4 + 6 * slots)) / (2 * m.cols)],
  ]);
}

/** All texts of a frame. */
const textsBy = ({ narration, question }: Frame): readonly Stated[] => [
  narration(NOWHERE),
  ...(question ? [question.because] : []),
];

/** The arrays as the steps up to this one leave them, by name and index. */
function storedBy({ steps }: TwellTrace, step: number): ReadonlyMap<string, number> {
  const elements = new Map<string, number>();
  for (const { effects } of steps.slice(0, step))
    for (const effect of effects)
      if (effect.kind === 'store') elements.set(`${effect.array}[${effect.index}]`, effect.value);
  return elements;
}

const anyParams = fc.record<TwellParams>({
  layout: fc.constantFrom('packed', 'split'),
  tileWidth: fc.constantFrom(...TILE_WIDTHS),
  compression: fc.constantFrom(...COMPRESSIONS),
  valueType: fc.constant('bf16'),
});

/** Runs a check on the frames of random windows with all parameters; returns the number of windows. */
function onWindows(check: (t: TwellTrace, frames: readonly Frame[], m: Matrix, p: TwellParams) => void): number {
  let windows = 0;
  fc.assert(
    fc.property(matrixRecipe(7, 40), anyParams, (recipe, p) => {
      const m = buildMatrix(recipe);
      if (!story.admits(m, p).ok && story.tracesRejected?.(m, p) !== true) return;
      windows++;
      const t = trace(m, p);
      check(t, playerFrames(framesOf(t)), m, p);
    }),
    { numRuns: cases(100, 1500), seed: 20 },
  );
  return windows;
}

describe('facts in the texts of the TwELL story', () => {
  it('equal the numbers counted in the cells and in the arrays', () => {
    const names = new Set<string>();
    const windows = onWindows((t, frames, m, p) => {
      const facts = factsOf(m, t, p);
      for (const { name, value } of frames.flatMap(textsBy).flatMap((text) => text.facts)) {
        names.add(name);
        expect(value, name).toBeCloseTo(facts.get(name) ?? Number.NaN, 9);
      }
    });
    expect(windows).toBeGreaterThan(60);
    // Every fact occurs on some window.
    expect(names.size).toBe(factsOf(buildMatrix(ANY), trace(buildMatrix(ANY), P), P).size);
  });

  it('include the right answer of the question about the remaining work', () => {
    let questionCount = 0;
    onWindows((t, frames, m, p) => {
      const question = frames.find(({ id }) => id === 'what is left?')?.question;
      if (!question) return;
      questionCount++;
      const facts = factsOf(m, t, p);
      const [done, all] = ['numbers that are computed', 'numbers of three products'].map(
        (name) => facts.get(name) ?? 0,
      );
      const left = (100 * done) / all;
      expect(question.options[question.answer]).toBe(`${Math.round(left)}\u202f%`);
      expect(question.options.length).toBeGreaterThan(1);
      const sorted = question.options.map((text) => Number.parseInt(text, 10));
      expect(sorted).toEqual(sorted.toSorted((a, b) => a - b));
    });
    expect(questionCount).toBeGreaterThan(40);
  });
});

/** The words of all pictures at rest. */
const wordsOf = (frames: readonly Frame[]): readonly string[] =>
  frames.flatMap((frame) => lastPicture(frame).marks.map(textOf)).filter((text) => text !== '');

it('tiles have the numbers that they have in the matrix, or the text says that they are counted from the region', () => {
  onWindows((t, _, m, p) => {
    for (const col of [2 * p.tileWidth, 43]) {
      const frames = playerFrames(framesOf({ ...t, origin: { row: 3, col } }));
      const words = wordsOf(frames);
      const isAligned = col % p.tileWidth === 0;
      const all = Array.from({ length: Math.ceil(m.cols / p.tileWidth) }, (_, tile) => tile * p.tileWidth + col);
      const named = words.flatMap((text) => [...text.matchAll(/\btile (from )?(\d+)/g)]);
      for (const [text, from, number] of named) {
        expect(from === undefined, text).toBe(isAligned);
        expect(
          all.map((column) => (isAligned ? column / p.tileWidth : column)),
          text,
        ).toContain(Number(number));
      }
      const texts = words.filter((text) => text.startsWith('This region begins within a tile'));
      expect(texts.length > 0).toBe(!isAligned && m.rows * m.cols > 0);
      for (const text of texts) expect(text).toContain(`column ${col}.`);
      const slots = p.tileWidth / p.compression - (p.layout === 'packed' ? 1 : 0);
      const first = (tokensOf(countsOf(m, p), slots).overflow?.tile ?? -1) * p.tileWidth + col;
      for (const { name, value } of frames.flatMap(textsBy).flatMap((text) => text.facts)) {
        if (name === 'refused tile') expect(value).toBe(isAligned ? first / p.tileWidth : Number.NaN);
        if (name === 'first neuron of the refused tile') expect([isAligned, value]).toEqual([false, first]);
      }
    }
  });
});

it('bytes of the parts of a bar add up to the stored bytes, and the imagined cases are named', () => {
  onWindows((t, frames, m, p) => {
    const bytesFrame = frames.find(({ id }) => id === 'empty and full');
    if (bytesFrame) {
      const parts = lastPicture(bytesFrame).marks.flatMap(({ id, label }) =>
        /^sizes small \d+$/.test(id) ? [label ?? ''] : [],
      );
      const bytes = parts.map((text) => Number(/ ([\d\u202f]+) B$/.exec(text)?.[1].replaceAll('\u202f', '')));
      expect(bytes.reduce((sum, one) => sum + one, 0)).toBe(factsOf(m, t, p).get('bytes'));
    }
    const waits = frames.find(({ id }) => id === 'who waits');
    if (!waits) return;
    const picture = lastPicture(waits);
    const worker = /worker ([A-Z]) must/.exec(waits.narration(NOWHERE).text)?.[1] ?? '';
    const before = countsOf(m, p)
      [factsOf(m, t, p).get('token that is drawn') ?? 0].slice(0, worker.charCodeAt(0) - 'A'.charCodeAt(0))
      .reduce((sum, count) => sum + count, 0);
    const titles = picture.marks.flatMap((mark) => (mark.id.startsWith('title list') ? [textOf(mark)] : []));
    const real = titles.filter((text) => text.startsWith('here'));
    expect(real).toEqual(before <= 12 ? [`here ${before} before ${worker}`] : []);
    expect(titles).toHaveLength(3);
    expect(wordsAt(picture, 'imagined')).toContain(
      `${before} value${before === 1 ? ' fires' : 's fire'} before ${worker}`,
    );
  });
});

it('of a wide region some tiles are drawn, and the text says how many neurons of how many', () => {
  fc.assert(
    fc.property(fc.integer({ min: 65, max: 700 }), fc.integer({ min: 0, max: 40 }), anyParams, (cols, seed, p) => {
      const m = buildMatrix({ ...ANY, shape: [3, cols], density: 0.04, seed });
      if (!story.admits(m, p).ok && story.tracesRejected?.(m, p) !== true) return;
      for (const frame of playerFrames(framesOf(trace(m, p)))) {
        const picture = lastPicture(frame);
        const columns = new Set(
          picture.marks.flatMap(({ id }) => {
            const [, column] = /^cell \d+,(\d+)$/.exec(id) ?? [];
            return column === undefined ? [] : [Number(column)];
          }),
        );
        expect(columns.size, frame.id).toBeLessThanOrEqual(Math.max(32, p.tileWidth));
        const drawn = wordsAt(picture, 'drawn');
        const count = Number(/^(\d+) of /.exec(drawn)?.[1]);
        if (drawn !== '') expect(drawn).toBe(`${count} of ${cols} neurons are drawn.`);
        // A tile of more than 64 neurons has runs of empty cells as counts.
        if (drawn !== '' && columns.size > 0 && p.tileWidth <= 64) expect(count, frame.id).toBe(columns.size);
        expect(picture.marks.map(textOf).filter((text) => /\b([A-Z])\1+\b/.test(text))).toEqual([]);
      }
    }),
    { numRuns: cases(20, 300), seed: 7 },
  );
});

it('each frame of the TwELL story is at a step at which everything that it shows is stored', () => {
  onWindows((t, frames) => {
    const stepOf = (id: string): number | undefined => frames.find((frame) => frame.id === id)?.step;
    const { encoded: e } = t;
    const allElements = storedBy(t, t.steps.length);
    const [firstStored, allStored] = ['cells of its own', 'empty and full'].map(stepOf);
    const countsBy = (step: number): readonly (number | undefined)[] => {
      const elements = storedBy(t, step);
      return Array.from({ length: e.rows * e.tiles }, (_, i) =>
        elements.get(e.layout === 'packed' ? `words[${i * e.slots}]` : `counts[${i}]`),
      );
    };
    const isStored = (step: number): boolean => countsBy(step).some((count) => (count ?? 0) > 0);
    expect(firstStored !== undefined && isStored(firstStored)).toBe(isStored(t.steps.length));
    if (allStored !== undefined) {
      expect(storedBy(t, allStored)).toEqual(allElements);
      expect(t.steps.slice(allStored).every(({ effects }) => effects.every(({ kind }) => kind !== 'store'))).toBe(true);
      expect(allStored).toBe(t.chapters[0].stepCount);
    }
    expect(frames.at(-1)?.step).toBe(t.steps.length);
    expect(frames[0].step).toBe(0);
  });
});

const ANY = { shape: [3, 20], pattern: 'uniform', values: 'normal', density: 0.2, seed: 1, storage: 'cells' } as const;
const P: TwellParams = { layout: 'packed', tileWidth: 8, compression: 2, valueType: 'bf16' };
