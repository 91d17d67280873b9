import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { admittedRecipe, allParams, buildMatrix, matrixRecipe, recipeFor } from '../../test/arbitraries.ts';
import { formatsWithStories, type FormatWithStory } from '../../test/stories.ts';
import { defaultParams, namedArrays, stageParams } from '../core/format.ts';
import { type Matrix, rowBuffer } from '../core/matrix/index.ts';
import { floatAt, type FloatArray } from '../core/number/index.ts';
import { firstDifference } from '../core/story/first-difference.ts';
import { joinMoments } from '../core/story/joined-moments.ts';
import { keyMoments, MIN_MOMENTS, MAX_MOMENTS, type Span } from '../core/story/moments.ts';
import { type StepEvent, type StepKind, surveySteps, type TracedStory } from '../core/story/step-kind.ts';
import { joinedTimeline, type Timeline, timelineOf } from '../core/story/timeline.ts';
import type { Trace } from '../core/story/trace.ts';
import { cases } from '../../test/scheduled.ts';

/** Key moments of every registered format: what is chosen of its story, alone and with another one. */

const everyStory = await formatsWithStories();

const smallWindow = matrixRecipe(7, 40);

const LARGE_WINDOWS = [
  { shape: [64, 64], pattern: 'uniform', values: 'normal', density: 0.3, seed: 7, storage: 'entries' },
  { shape: [64, 64], pattern: 'full', values: 'small integers', density: 1, seed: 8, storage: 'cells' },
  { shape: [64, 64], pattern: 'one of sixteen', values: 'normal', density: 0, seed: 13, storage: 'entries' },
] as const;

type Params = Readonly<Record<string, unknown>>;

/** The story of a window; null if it has none. */
function traced({ story }: FormatWithStory, m: Matrix, params: Params): TracedStory | null {
  const hasStory = story.admits(m, params).ok || story.tracesRefused?.(m, params);
  return hasStory ? { story, trace: story.trace(m, params) } : null;
}

function stage({ format }: FormatWithStory): Params {
  return stageParams<Params>(format.params, defaultParams(format.params));
}

/** What is wrong with spans that should cover the steps of a story one after the other. */
function uncovered(spans: readonly Span[], steps: number): string[] {
  const wrong: string[] = [];
  let next = 0;
  for (const { from, to } of spans) {
    if (from !== next || to < from) wrong.push(`steps ${from} to ${to}, expected them from ${next}`);
    next = to + 1;
  }
  if (next !== steps) wrong.push(`ends at step ${next} of ${steps}`);
  return wrong;
}

/** What is wrong with the moments of a story. */
function problems(story: TracedStory): string[] {
  const { trace } = story;
  const steps = surveySteps(story);
  const moments = keyMoments(story);
  const wrong = uncovered(
    moments.map((moment) => moment.steps),
    steps.length,
  );
  const chapters = trace.chapters.filter(({ stepCount }) => stepCount > 0).length;
  const max = Math.max(MAX_MOMENTS, chapters);
  if (moments.length > max) wrong.push(`${moments.length} moments`);
  if (moments.length < Math.min(MIN_MOMENTS, steps.length)) {
    wrong.push(`only ${moments.length} moments of ${steps.length} steps`);
  }
  const rests = new Set(moments.filter(({ kind }) => kind !== 'fold').map(({ steps: { to } }) => to));
  for (const { steps: span, kind, name, chapter } of moments) {
    const where = `${name}, steps ${span.from} to ${span.to}`;
    if (trace.steps[span.from].chapter !== chapter || trace.steps[span.to].chapter !== chapter) {
      wrong.push(`${where}: not within chapter ${chapter}`);
    }
    if (kind === 'fold' && span.from === span.to) wrong.push(`${where}: a fold of one step`);
    if (kind !== 'fold' && kind !== (steps[span.to].kind.event ?? 'step')) wrong.push(`${where}: ${kind}`);
    if (!/^\S.{2,33}$/.test(name) || /undefined|\[object/.test(name)) wrong.push(`${where}: name`);
    const isAlike = steps.slice(span.from, span.to + 1).every(({ namesakes }) => namesakes > 0);
    if (kind === 'fold' && isAlike !== name.endsWith(' more alike')) wrong.push(`${where}: name of a fold`);
  }
  // What is left out would not have fitted: a moment, and the fold before it.
  if (moments.length > MAX_MOMENTS - 2) return wrong;
  steps.forEach(({ kind, namesakes, ofKind }, i) => {
    if (rests.has(i)) return;
    const isEnd = kind.event === 'row end' || kind.event === 'sum';
    if (namesakes === 0) wrong.push(`the first ${kind.name}, step ${i}, is no moment`);
    if (namesakes < 3 && ofKind.bytes > 0 && !isEnd) wrong.push(`${kind.name}, step ${i}, is one of the first three`);
  });
  return wrong;
}

/** What is wrong with the way of one story: it never falls, leaves out no step, and ends with the last one. */
function wrongSteps(shown: Uint32Array, steps: number): string[] {
  const wrong: string[] = [];
  shown.forEach((step, tick) => {
    const before = tick === 0 ? 0 : shown[tick - 1];
    if (step !== before && step !== before + 1) wrong.push(`tick ${tick}: step ${step} after ${before}`);
  });
  if (shown.at(-1) !== steps) wrong.push(`ends at step ${shown.at(-1)} of ${steps}`);
  return wrong;
}

/** What is wrong with the stops and chapters of a timeline. */
function wrongStops({ a, b, stops, chapters }: Timeline): string[] {
  const last = a.length - 1;
  const max = Math.max(MAX_MOMENTS, chapters.length);
  const wrong = stops.length > max ? [`${stops.length} stops`] : [];
  if (b && b.length !== a.length) wrong.push(`${b.length} ticks of B`);
  stops.forEach(({ at, from, chapter, name }, i) => {
    if (from !== (stops[i - 1]?.at ?? 0) || at <= from) wrong.push(`${name}: from ${from} to ${at}`);
    const { firstStep, stepCount } = chapters[chapter];
    if (from < firstStep || at > firstStep + stepCount) wrong.push(`${name}: at ${at}, not in chapter ${chapter}`);
  });
  if ((stops.at(-1)?.at ?? 0) !== last) wrong.push(`the last stop is at ${stops.at(-1)?.at} of ${last}`);
  const ends = [0, ...chapters.map(({ firstStep, stepCount }) => firstStep + stepCount)];
  chapters.forEach(({ firstStep, title }, i) => {
    if (firstStep !== ends[i]) wrong.push(`${title} begins at ${firstStep}, expected ${ends[i]}`);
  });
  if (ends.at(-1) !== last) wrong.push(`the chapters end at ${ends.at(-1)} of ${last}`);
  if (new Set(chapters.map(({ id }) => id)).size < chapters.length) wrong.push('a chapter comes twice');
  return wrong;
}

describe.each(everyStory.map((narrated) => [narrated.format.id, narrated] as const))(
  'the moments of %s',
  (_, narrated) => {
    const { format, story } = narrated;

    it('cover every step once, in order, and are neither too many nor too few', () => {
      for (const params of allParams(format)) {
        fc.assert(
          fc.property(recipeFor(format, params, 7, 64), (recipe) => {
            const m = buildMatrix(recipe);
            const own = traced(narrated, m, params);
            if (own) expect(problems(own)).toEqual([]);
          }),
          { numRuns: cases(2, 5) },
        );
      }
      for (const recipe of LARGE_WINDOWS) {
        const own = traced(narrated, buildMatrix(recipe), stage(narrated));
        if (own) expect(problems(own)).toEqual([]);
      }
    });

    it('know the lines that the scenes quote', () => {
      expect(story.kindOf).toBeDefined();
      for (const params of [stage(narrated), ...allParams(format)]) {
        fc.assert(
          fc.property(smallWindow, (recipe) => {
            const own = traced(narrated, buildMatrix(recipe), params);
            if (!own) return;
            const { trace } = own;
            const stride = Math.ceil(trace.steps.length / 8);
            for (let step = 0; step < trace.steps.length; step += stride) {
              const kind = story.kindOf?.(trace, trace.steps[step].detail);
              expect(kind?.code, `${kind?.name}, step ${step}`).toEqual(story.scene(trace, step + 1).code);
            }
          }),
          { numRuns: cases(1, 3) },
        );
      }
    });

    it('are found by one look at the kind of each step', () => {
      let found = 0;
      for (const recipe of LARGE_WINDOWS) {
        const own = traced(narrated, buildMatrix(recipe), stage(narrated));
        if (!own) continue;
        found++;
        let looks = 0;
        const { trace } = own;
        const counted = (t: Trace, step: unknown): StepKind => {
          looks++;
          if (!story.kindOf) throw new Error(`${format.id}: found no kinds of steps`);
          return story.kindOf(t, step);
        };
        keyMoments({ trace, story: { ...story, kindOf: counted } });
        expect(looks).toBe(trace.steps.length);
      }
      expect(found).toBeGreaterThan(0);
    });

    it('join those of every other format: both stories run to their ends', () => {
      const m = (other: FormatWithStory): fc.Arbitrary<Matrix> =>
        fc
          .oneof(
            smallWindow,
            admittedRecipe(format, stage(narrated), 7, 40),
            admittedRecipe(other.format, stage(other), 7, 40),
          )
          .map(buildMatrix);
      for (const other of everyStory) {
        fc.assert(
          fc.property(m(other), (window) => {
            const [a, b] = [traced(narrated, window, stage(narrated)), traced(other, window, stage(other))];
            if (!a || !b) return;
            const joined = joinMoments(a, b);
            const chapters = a.trace.chapters.length + b.trace.chapters.length;
            const wrong = [
              ...uncovered(
                joined.flatMap((moment) => moment.a ?? []),
                a.trace.steps.length,
              ),
              ...uncovered(
                joined.flatMap((moment) => moment.b ?? []),
                b.trace.steps.length,
              ),
              ...joined.flatMap((moment, i) => (moment.a || moment.b ? [] : [`moment ${i} has no steps`])),
            ];
            if (joined.length > Math.max(MAX_MOMENTS, chapters)) wrong.push(`${joined.length} moments`);
            for (const { a: ofA, b: ofB, alone, name } of joined) {
              if ((alone === 'a' && !ofA) || (alone === 'b' && !ofB)) wrong.push(`${name} is not of ${alone}`);
            }
            const carrying = joined.filter(({ difference }) => difference !== undefined).length;
            if (carrying !== (firstDifference(a, b) ? 1 : 0)) wrong.push(`${carrying} moments with the difference`);
            expect(wrong).toEqual([]);
          }),
          { numRuns: cases(2, 6) },
        );
      }
    });

    it('are the stops of a timeline on which both stories run from step to step', () => {
      for (const other of everyStory) {
        fc.assert(
          fc.property(
            fc.oneof(smallWindow, admittedRecipe(format, stage(narrated), 7, 40)).map(buildMatrix),
            (window) => {
              const [a, b] = [traced(narrated, window, stage(narrated)), traced(other, window, stage(other))];
              if (!a) return;
              const alone = timelineOf(a);
              expect([...alone.a.keys()], 'the ticks of a story alone are its steps').toEqual([...alone.a]);
              expect([...wrongSteps(alone.a, a.trace.steps.length), ...wrongStops(alone)]).toEqual([]);
              expect(alone.chapters).toBe(a.trace.chapters);
              if (!b) return;
              const joined = joinedTimeline(a, b);
              const wrong = [
                ...wrongSteps(joined.a, a.trace.steps.length),
                ...wrongSteps(joined.b ?? joined.a, b.trace.steps.length),
                ...wrongStops(joined),
              ];
              expect(wrong).toEqual([]);
              expect(joined.stops.map(({ name }) => name)).toEqual(joinMoments(a, b).map(({ name }) => name));
            },
          ),
          { numRuns: cases(3, 12) },
        );
      }
    });

    it('with itself, are shared and without a difference', () => {
      fc.assert(
        fc.property(admittedRecipe(format, stage(narrated), 7, 40), (recipe) => {
          const own = traced(narrated, buildMatrix(recipe), stage(narrated));
          if (!own) return;
          const joined = joinMoments(own, own);
          expect(joined.filter(({ alone, difference }) => alone !== null || difference !== undefined)).toEqual([]);
          expect(joined.map(({ a }) => a)).toEqual(joined.map(({ b }) => b));
          const both = joinedTimeline(own, own);
          expect(both.a).toEqual(both.b);
          expect(both.a).toEqual(timelineOf(own).a);
        }),
        { numRuns: cases(8, 20) },
      );
    });
  },
);

describe('the first difference', () => {
  const of = (id: string): FormatWithStory => everyStory.find(({ format }) => format.id === id) ?? everyStory[0];

  /** Numbers of two arrays up to the first unlike one; null if they agree as far as both go. */
  function expected(x: FloatArray, y: FloatArray): number | null {
    for (let i = 0; i < Math.min(x.length, y.length); i++) if (!Object.is(floatAt(x, i), floatAt(y, i))) return i;
    return null;
  }

  it('of MACKO and CSR is the first padding, and where there is none, the first gap that is no column', () => {
    const [macko, csr] = [of('macko'), of('csr')];
    let [paddings, gaps] = [0, 0];
    fc.assert(
      fc.property(admittedRecipe(macko.format, stage(macko), 5, 64), (recipe) => {
        // A value that rounds to 0 would be no difference from a padding.
        const m = buildMatrix({ ...recipe, values: 'normal' });
        const [a, b] = [traced(macko, m, stage(macko)), traced(csr, m, stage(csr))];
        if (!a || !b) return;
        const [ofA, ofB] = [a, b].map(({ trace }) => namedArrays(Object(trace.encoded)));
        const index = expected(ofA.get('values') as FloatArray, ofB.get('data') as FloatArray);
        const found = firstDifference(a, b);
        if (index === null) {
          gaps++;
          const buffer = rowBuffer(m.cols);
          const columns: number[] = [];
          const deltas: number[] = [];
          for (let row = 0; row < m.rows; row++) {
            const n = m.readRow(row, buffer);
            for (let i = 0; i < n; i++) {
              columns.push(buffer.columns[i]);
              deltas.push(buffer.columns[i] - (i === 0 ? 0 : buffer.columns[i - 1] + 1));
            }
          }
          const unlike = columns.findIndex((column, i) => column !== deltas[i]);
          expect(found?.a.index ?? -1).toBe(unlike);
          if (found) expect([found.a.array, found.b.array]).toEqual(['deltas', 'indices']);
          return;
        }
        paddings++;
        expect(found).toMatchObject({ a: { array: 'values', index }, b: { array: 'data', index } });
        const padding = surveySteps(a).findIndex(({ kind }) => kind.event === 'padding');
        expect(found?.a.step).toBe(padding);
        const stop = joinMoments(a, b).find(({ difference }) => difference);
        expect(stop).toMatchObject({ alone: 'a', name: 'first padding' });
        expect(stop?.b?.to).toBe(found?.b.step);
      }),
      { numRuns: 60 },
    );
    expect(Math.min(paddings, gaps)).toBeGreaterThan(5);
  });

  it('of CSR and the bitmask is in what says where the values are', () => {
    const m = buildMatrix({ ...LARGE_WINDOWS[0], shape: [5, 32] });
    const [a, b] = [traced(of('csr'), m, stage(of('csr'))), traced(of('bitmask'), m, stage(of('bitmask')))];
    if (!a || !b) throw new Error('found no story of this window');
    expect(firstDifference(a, b)).toMatchObject({ a: { array: 'indices' }, b: { array: 'mask' } });
  });

  it('of CSR and dense is the first zero before a value', () => {
    const m = buildMatrix({ ...LARGE_WINDOWS[0], shape: [5, 32] });
    const [a, b] = [traced(of('csr'), m, stage(of('csr'))), traced(of('dense'), m, stage(of('dense')))];
    if (!a || !b) throw new Error('found no story of this window');
    const found = firstDifference(a, b);
    const data = namedArrays(Object(b.trace.encoded)).get('data');
    expect(found).toMatchObject({ a: { array: 'data' }, b: { array: 'data' } });
    expect(data?.findIndex((value: number) => value === 0)).toBe(found?.b.index);
  });

  it('is refused for stories of different windows', () => {
    const csr = of('csr');
    const [a, b] = [5, 6].map((rows) => {
      const m = buildMatrix({ ...LARGE_WINDOWS[0], shape: [rows, 32] });
      return { story: csr.story, trace: csr.story.trace(m, stage(csr)) };
    });
    expect(() => joinMoments(a, b)).toThrow('two stories: found windows of 5 × 32 and 6 × 32, expected the same one');
  });
});

describe('what is unusual', () => {
  /** Bits of the rows of a window, as `unusualAt` gets them. */
  function bitsOf(m: Matrix): Uint32Array {
    const buffer = rowBuffer(m.cols);
    return Uint32Array.from({ length: m.rows }, (_, row) => {
      const n = m.readRow(row, buffer);
      return buffer.columns.slice(0, n).reduce((bits, column) => bits | (1 << column), 0);
    });
  }

  /** The event with which the story of a format shows it. */
  const SHOWN_AS: Readonly<Record<string, readonly StepEvent[]>> = {
    macko: ['padding'],
    ell: ['padding'],
    bsr: ['padding'],
    hybrid: ['overflow'],
    'ec-csr': ['differs'],
    slidesparse: ['overflow', 'clip'],
    twell: ['differs', 'refusal'],
  };

  it.each(everyStory.filter(({ story }) => story.unusualAt).map((narrated) => [narrated.format.id, narrated] as const))(
    'about %s is an event of its story',
    (id, narrated) => {
      let found = 0;
      fc.assert(
        fc.property(matrixRecipe(5, 32), (recipe) => {
          const m = buildMatrix(recipe);
          const own = m.rows > 0 && m.cols > 0 ? traced(narrated, m, stage(narrated)) : null;
          if (!own) return;
          const column = narrated.story.unusualAt?.(bitsOf(m), m.cols, stage(narrated)) ?? null;
          if (column === null) return;
          found++;
          expect(column).toBeGreaterThanOrEqual(0);
          expect(column).toBeLessThanOrEqual(m.cols);
          const events = new Set(surveySteps(own).map(({ kind }) => kind.event));
          expect(SHOWN_AS[id].filter((event) => events.has(event))).not.toEqual([]);
        }),
        { numRuns: 200 },
      );
      expect(found).toBeGreaterThan(5);
    },
  );

  it('about MACKO is the column that its first padding leads to', () => {
    const macko = everyStory.find(({ format }) => format.id === 'macko') ?? everyStory[0];
    fc.assert(
      fc.property(matrixRecipe(5, 32), (recipe) => {
        const m = buildMatrix(recipe);
        const own = m.rows > 0 ? traced(macko, m, stage(macko)) : null;
        if (!own) return;
        const paddings = surveySteps(own).flatMap(({ kind: { cell } }) => (cell?.row === 0 ? [cell.col] : []));
        expect(macko.story.unusualAt?.(bitsOf(m), m.cols, stage(macko))).toBe(paddings[0] ?? null);
      }),
      { numRuns: 100 },
    );
  });
});
