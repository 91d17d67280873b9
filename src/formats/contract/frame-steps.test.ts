import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { supportedRecipe, allParams, buildMatrix, matrixRecipe, recipeFor } from '../../../test/arbitraries.ts';
import { oracleOf } from '../../../test/oracles.ts';
import { formatsWithStories, type FormatWithStory, partnersOf } from '../../../test/stories.ts';
import { defaultParams, storyParams } from '../../core/format.ts';
import { type Matrix, rowBuffer } from '../../core/matrix/index.ts';
import { joinStories } from '../../story/joined-stories.ts';
import { frameSteps, MIN_FRAME_STEPS, MAX_FRAME_STEPS, type Span } from '../../story/frame-steps.ts';
import { MAX_STOPS } from '../../story/step-groups.ts';
import { type StepKind, surveySteps, type TracedStory } from '../../story/step-kind.ts';
import { joinedTimeline, MAX_CHOSEN_FRAMES, type Timeline, timelineOf } from '../../story/timeline.ts';
import type { Trace } from '../../story/trace.ts';
import { cases } from '../../../test/scheduled.ts';

/* Checks which steps of a story become frames (frameSteps), for every format alone and joined with a second one. */

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
  const hasStory = story.admits(m, params).ok || story.tracesRejected?.(m, params);
  return hasStory ? { story, trace: story.trace(m, params) } : null;
}

/** The parameters of the format's animation. */
const paramsFor = ({ format }: FormatWithStory): Params =>
  storyParams<Params>(format.params, defaultParams(format.params));

/** The story without its script (`frames`), so that frames are chosen from its trace. */
function withoutScript({ story, trace }: TracedStory): TracedStory {
  const { kindOf } = story;
  return { story: { ...(kindOf && { kindOf }) }, trace };
}

/** Errors of spans, which have to cover the steps of a story one after the other. */
function uncovered(spans: readonly Span[], steps: number): string[] {
  const errors: string[] = [];
  let next = 0;
  for (const { from, to } of spans) {
    if (from !== next || to < from) errors.push(`steps ${from} to ${to}, expected them from ${next}`);
    next = to + 1;
  }
  if (next !== steps) errors.push(`ends at step ${next} of ${steps}`);
  return errors;
}

/** Errors of the steps that are chosen for frames. */
function problems(story: TracedStory): string[] {
  const { trace } = story;
  const steps = surveySteps(story);
  const chosenSteps = frameSteps(story);
  const errors = uncovered(
    chosenSteps.map((choice) => choice.steps),
    steps.length,
  );
  const chapters = trace.chapters.filter(({ stepCount }) => stepCount > 0).length;
  const max = Math.max(MAX_FRAME_STEPS, chapters);
  if (chosenSteps.length > max) errors.push(`${chosenSteps.length} chosen`);
  if (chosenSteps.length < Math.min(MIN_FRAME_STEPS, steps.length))
    errors.push(`only ${chosenSteps.length} chosen of ${steps.length} steps`);
  // The last steps of frames. A fold is many steps in one frame, none of them worth a frame of its own.
  const lastSteps = new Set(chosenSteps.filter(({ kind }) => kind !== 'fold').map(({ steps: { to } }) => to));
  for (const { steps: span, kind, chapter } of chosenSteps) {
    const where = `steps ${span.from} to ${span.to}`;
    if (trace.steps[span.from].chapter !== chapter || trace.steps[span.to].chapter !== chapter)
      errors.push(`${where}: not within chapter ${chapter}`);
    if (kind === 'fold' && span.from === span.to) errors.push(`${where}: a fold of one step`);
    if (kind !== 'fold' && kind !== (steps[span.to].kind.event ?? 'step')) errors.push(`${where}: ${kind}`);
  }
  // A further step may need two frames: its own, and a fold for the steps before it. Without space for two, any may be omitted.
  if (chosenSteps.length > MAX_FRAME_STEPS - 2) return errors;
  steps.forEach(({ kind, earlierOfSameKind, kindTotals }, i) => {
    if (lastSteps.has(i)) return;
    const isEnd = kind.event === 'row end' || kind.event === 'sum';
    if (earlierOfSameKind === 0) errors.push(`the first ${kind.name}, step ${i}, is not chosen`);
    if (earlierOfSameKind < 3 && kindTotals.bytes > 0 && !isEnd)
      errors.push(`${kind.name}, step ${i}, is one of the first three`);
  });
  return errors;
}

/** Errors of a timeline: its step per tick never falls, leaves out no step, and ends with the last step. */
function wrongSteps(stepByTick: Uint32Array, steps: number): string[] {
  const errors: string[] = [];
  stepByTick.forEach((step, tick) => {
    const before = tick === 0 ? 0 : stepByTick[tick - 1];
    if (step !== before && step !== before + 1) errors.push(`tick ${tick}: step ${step} after ${before}`);
  });
  if (stepByTick.at(-1) !== steps) errors.push(`ends at step ${stepByTick.at(-1)} of ${steps}`);
  return errors;
}

/** Errors of the frames and chapters of a timeline without a script. */
function wrongFrames({ a, b, frames, chapters, stops }: Timeline): string[] {
  const last = a.length - 1;
  const errors = frames.length > MAX_CHOSEN_FRAMES + 1 ? [`${frames.length} frames`] : [];
  if (b && b.length !== a.length) errors.push(`${b.length} ticks of B`);
  if (frames[0]?.at !== 0) errors.push(`the first frame is at ${frames[0]?.at}`);
  frames.forEach(({ at, chapter }, i) => {
    if (i > 0 && at <= frames[i - 1].at) errors.push(`frame ${i} at ${at} after ${frames[i - 1].at}`);
    const sameTitle = chapters.filter(({ title }) => title === chapter);
    const isInside = sameTitle.some(({ firstStep, stepCount }) => firstStep <= at && at <= firstStep + stepCount);
    if (!isInside) errors.push(`frame ${i} at ${at}, not in chapter ${chapter}`);
  });
  if ((frames.at(-1)?.at ?? 0) !== last) errors.push(`the last frame is at ${frames.at(-1)?.at} of ${last}`);
  const ends = [0, ...chapters.map(({ firstStep, stepCount }) => firstStep + stepCount)];
  chapters.forEach(({ firstStep, title }, i) => {
    if (firstStep !== ends[i]) errors.push(`${title} begins at ${firstStep}, expected ${ends[i]}`);
  });
  if (ends.at(-1) !== last) errors.push(`the chapters end at ${ends.at(-1)} of ${last}`);
  const inOrder = stops.every((stop, i) => i === 0 || stop > stops[i - 1]);
  const isOfChapters = ends.every((end) => stops.includes(end));
  if (
    !inOrder ||
    !isOfChapters ||
    stops.length > Math.max(MAX_STOPS, chapters.length + 1) ||
    (last > 0 && stops.at(-1) !== last)
  )
    errors.push(`stops at ${stops.join(', ')} of ${last}, chapters end at ${ends.join(', ')}`);
  if (new Set(chapters.map(({ id }) => id)).size < chapters.length) errors.push('a chapter comes twice');
  return errors;
}

describe.each(everyStory.map((narrated) => [narrated.format.id, narrated] as const))(
  'the steps worth a frame of %s',
  (_, narrated) => {
    const { format, story } = narrated;

    it('cover every step once, in order, and are neither too many nor too few', () => {
      for (const params of allParams(format)) {
        fc.assert(
          fc.property(recipeFor(format, params, 7, 64), (recipe) => {
            const m = buildMatrix(recipe);
            const traceOfWindow = traced(narrated, m, params);
            if (traceOfWindow) expect(problems(traceOfWindow)).toEqual([]);
          }),
          { numRuns: cases(1, 5) },
        );
      }
    });

    it('have the lines of code that the scenes quote', () => {
      expect(story.kindOf).toBeDefined();
      for (const params of [paramsFor(narrated), ...allParams(format)]) {
        fc.assert(
          fc.property(smallWindow, (recipe) => {
            const { trace } = traced(narrated, buildMatrix(recipe), params) ?? {};
            if (!trace) return;
            const stride = Math.ceil(trace.steps.length / 8);
            for (let step = 0; step < trace.steps.length; step += stride) {
              const kind = story.kindOf?.(trace, trace.steps[step].detail);
              expect(['step', 'fold'], `${kind?.name}, step ${step}`).not.toContain(kind?.event);
              expect(kind?.code, `${kind?.name}, step ${step}`).toEqual(story.scene(trace, step + 1).code);
            }
          }),
          { numRuns: cases(1, 3) },
        );
      }
    });

    it('cover every step of a large window as well, and the kind of each step is read only once', () => {
      let windows = 0;
      for (const recipe of LARGE_WINDOWS) {
        const tracedWindow = traced(narrated, buildMatrix(recipe), paramsFor(narrated));
        if (!tracedWindow) continue;
        expect(problems(tracedWindow)).toEqual([]);
        windows++;
        let calls = 0;
        const { trace } = tracedWindow;
        const countedKindOf = (t: Trace, step: unknown): StepKind => {
          calls++;
          if (!story.kindOf) throw new Error(`${format.id}: found no kinds of steps`);
          return story.kindOf(t, step);
        };
        frameSteps({ trace, story: { ...story, kindOf: countedKindOf } });
        expect(calls).toBe(trace.steps.length);
      }
      expect(windows).toBeGreaterThan(0);
    });

    it('are the steps of the timeline, alone and joined with another format, and both stories run to their ends', () => {
      const windowWith = (partner: FormatWithStory): fc.Arbitrary<Matrix> =>
        fc
          .oneof(
            smallWindow,
            supportedRecipe(format, paramsFor(narrated), 7, 40),
            supportedRecipe(partner.format, paramsFor(partner), 7, 40),
          )
          .map(buildMatrix);
      for (const partner of partnersOf(narrated, everyStory)) {
        fc.assert(
          fc.property(windowWith(partner), (window) => {
            const [a, b] = [traced(narrated, window, paramsFor(narrated)), traced(partner, window, paramsFor(partner))];
            if (!a) return;
            const aloneTimeline = timelineOf(withoutScript(a));
            expect([...aloneTimeline.a.keys()], 'the ticks of a story alone are its steps').toEqual([
              ...aloneTimeline.a,
            ]);
            expect([...wrongSteps(aloneTimeline.a, a.trace.steps.length), ...wrongFrames(aloneTimeline)]).toEqual([]);
            expect(aloneTimeline.chapters).toBe(a.trace.chapters);
            if (!b) return;
            const { frames } = joinStories(a, b);
            const max = Math.max(2 * MAX_FRAME_STEPS, a.trace.chapters.length + b.trace.chapters.length);
            const joined = joinedTimeline(a, b);
            const errors = [
              ...[a, b].flatMap(({ trace }, index) =>
                uncovered(
                  frames.flatMap((frame) => (index === 0 ? frame.a : frame.b) ?? []),
                  trace.steps.length,
                ),
              ),
              ...frames.flatMap((frame, i) => (frame.a || frame.b ? [] : [`frame ${i} has no steps`])),
              ...(frames.length > max ? [`${frames.length} frames`] : []),
              ...wrongSteps(joined.a, a.trace.steps.length),
              ...wrongSteps(joined.b ?? joined.a, b.trace.steps.length),
              ...wrongFrames(joined),
            ];
            expect(errors).toEqual([]);
          }),
          { numRuns: cases(1, 12) },
        );
      }
    });

    it('are the same on both sides if the story is joined with itself', () => {
      fc.assert(
        fc.property(supportedRecipe(format, paramsFor(narrated), 7, 40), (recipe) => {
          const single = traced(narrated, buildMatrix(recipe), paramsFor(narrated));
          if (!single) return;
          const joined = joinStories(single, single).frames;
          expect(joined.map(({ a }) => a)).toEqual(joined.map(({ b }) => b));
          const both = joinedTimeline(single, single);
          expect(both.a).toEqual(both.b);
          expect(both.a).toEqual(timelineOf(withoutScript(single)).a);
        }),
        { numRuns: cases(8, 20) },
      );
    });
  },
);

it('joinStories rejects two stories of windows of different shapes', () => {
  const csr = everyStory.find(({ format }) => format.id === 'csr') ?? everyStory[0];
  const [a, b] = [5, 6].map((rows) => {
    const m = buildMatrix({ ...LARGE_WINDOWS[0], shape: [rows, 32] });
    return { story: csr.story, trace: csr.story.trace(m, paramsFor(csr)) };
  });
  expect(() => joinStories(a, b)).toThrow('two stories: found windows of 5 × 32 and 6 × 32');
});

describe('the highlight (the window that shows best what is special about a format)', () => {
  /** Columns of the rows of a window. */
  function columnsOf(m: Matrix): readonly Uint32Array[] {
    const buffer = rowBuffer(m.cols);
    return Array.from({ length: m.rows }, (_, row) => buffer.columns.slice(0, m.readRow(row, buffer)));
  }

  /** The events in the story of a format, one of which the highlighted window contains. */
  const SHOWN_AS: Readonly<Record<string, readonly string[]>> = {
    macko: ['padding'],
    hybrid: ['overflow'],
    'ec-csr': ['differs'],
    slidesparse: ['overflow', 'clip'],
    twell: ['differs', 'refusal'],
  };

  it.each(
    everyStory.filter(({ format }) => format.highlight).map((narrated) => [narrated.format.id, narrated] as const),
  )('of %s contains such an event of its story', (id, narrated) => {
    const shownAs = oracleOf(SHOWN_AS, id, 'SHOWN_AS in src/formats/contract/frame-steps.test.ts', 'its events');
    let highlights = 0;
    fc.assert(
      fc.property(matrixRecipe(5, 32), (recipe) => {
        const m = buildMatrix(recipe);
        if (m.rows === 0 || m.cols === 0) return;
        const highlight = narrated.format.highlight?.(paramsFor(narrated), m)(columnsOf(m)) ?? null;
        const tracedWindow = highlight?.hasCase ? traced(narrated, m, paramsFor(narrated)) : null;
        if (!highlight || !tracedWindow) return;
        highlights++;
        expect(highlight.from).toBeGreaterThanOrEqual(0);
        expect(highlight.to).toBeGreaterThanOrEqual(highlight.from);
        const events = new Set(surveySteps(tracedWindow).map(({ kind }) => kind.event));
        expect(shownAs.filter((event) => events.has(event))).not.toEqual([]);
      }),
      { numRuns: cases(100, 200) },
    );
    expect(highlights).toBeGreaterThan(5);
  });

  it('the highlight of MACKO ends at a column that most paddings of the first row lead to', () => {
    const macko = everyStory.find(({ format }) => format.id === 'macko') ?? everyStory[0];
    fc.assert(
      fc.property(matrixRecipe(5, 32), (recipe) => {
        const m = buildMatrix(recipe);
        const tracedWindow = m.rows > 0 ? traced(macko, m, paramsFor(macko)) : null;
        if (!tracedWindow) return;
        const paddings = surveySteps(tracedWindow).flatMap(({ kind: { cell } }) => (cell?.row === 0 ? [cell.col] : []));
        const highlight = macko.format.highlight?.(paramsFor(macko), m)(columnsOf(m)) ?? null;
        expect(highlight?.hasCase ?? false).toBe(paddings.length > 0);
        const timesAt = (column: number): number => paddings.filter((target) => target === column).length;
        if (highlight?.hasCase) expect(timesAt(highlight.to)).toBe(Math.max(...paddings.map(timesAt)));
      }),
      { numRuns: cases(50, 100) },
    );
  });
});
