import { describe, expect, it } from 'vitest';
import { denseMatrix } from '../core/matrix/index.ts';
import { frameSteps, MAX_FRAME_STEPS } from './frame-steps.ts';
import { type StepKind, surveySteps, type TracedStory } from './step-kind.ts';
import { type Effect, TraceBuilder } from './trace.ts';

const VALUES = new Uint16Array(1000);

/** A story of named steps: '*' after a name marks a step that pads, '+' a step that stores an element. */
function storyOf(chapters: readonly (readonly string[])[]): TracedStory {
  const builder = new TraceBuilder<string>();
  let index = 0;
  chapters.forEach((steps, c) => {
    builder.chapter(`${c}`, `chapter ${c}`);
    for (const name of steps) {
      const store: Effect = { kind: 'store', array: 'values', index: index++, value: 1 };
      builder.step(name, name.endsWith('+') ? [store] : []);
    }
  });
  const kindOf = (_: unknown, name: unknown): StepKind => ({
    name: String(name),
    code: null,
    ...(String(name).endsWith('*') ? { event: 'padding' } : {}),
  });
  const window = denseMatrix(1, 1, new Float32Array(1));
  const { steps, chapters: tracedChapters } = builder;
  const trace = {
    format: 'none',
    window,
    params: {},
    encoded: { values: VALUES },
    x: new Float32Array(1),
    chapters: tracedChapters,
    steps,
  };
  return { story: { kindOf }, trace };
}

const times = (count: number, name: string): string[] => Array.from({ length: count }, () => name);

/** 'name from-to' of every step worth a frame: the name of its last step. */
function frameStepsOf(story: TracedStory): string[] {
  const nameOf = (step: number): string => String(story.trace.steps[step].detail);
  return frameSteps(story).map(
    ({ kind, steps: { from, to } }) => `${kind === 'fold' ? 'fold' : nameOf(to)} ${from}-${to}`,
  );
}

describe('frameSteps', () => {
  it('shows up to three steps of a kind; others run before the next frame, or are a fold if they are more than three', () => {
    const many = storyOf([[...times(9, 'w+'), 'pad*', ...times(3, 'w+'), 'end'], times(6, 'a'), times(6, 'b'), ['c']]);
    expect(frameStepsOf(many)).toEqual(
      'w+ 0-0, w+ 1-1, w+ 2-2, fold 3-8, pad* 9-9, end 10-13, a 14-14, fold 15-19, b 20-20, fold 21-25, c 26-26'.split(
        ', ',
      ),
    );
  });

  it('shows every step of a short story', () => {
    expect(frameStepsOf(storyOf([['a', 'a', 'a', 'a', 'b']]))).toHaveLength(5);
    expect(frameStepsOf(storyOf([]))).toEqual([]);
  });

  it('chooses at most eighteen, and omits the kinds with the fewest bytes first', () => {
    const silent = Array.from({ length: 30 }, (_, i) => `step ${i}`);
    const chosen = frameStepsOf(
      storyOf([[...silent.slice(0, 15), 'pad*', 'v+', 'v+', 'v+', ...silent.slice(15), 'last']]),
    );
    expect(chosen).toHaveLength(MAX_FRAME_STEPS);
    const kept = chosen.map((text) => text.replace(/ [-\d]+$/, ''));
    expect(kept.filter((name) => /pad|v|last/.test(name))).toEqual(['pad*', 'v+', 'v+', 'v+', 'last']);
  });

  it('chooses a step of each chapter, however many there are', () => {
    const chapters = Array.from({ length: 25 }, (_, i) => [`a ${i}`, `b ${i}`]);
    const chosen = frameSteps(storyOf(chapters));
    expect(chosen.map(({ chapter }) => chapter)).toEqual(chapters.map((_, i) => i));
  });

  it('calls steps by their effects where a story does not name them', () => {
    const builder = new TraceBuilder<null>();
    builder.chapter('all', 'All');
    builder.step(null, [{ kind: 'visit', row: 0, col: 0 }]);
    builder.step(null, [{ kind: 'store', array: 'values', index: 0, value: 1 }]);
    builder.step(null, [{ kind: 'accumulate', row: 0, value: 1 }]);
    builder.step(null);
    const { trace } = storyOf([]);
    const steps = surveySteps({ story: {}, trace: { ...trace, chapters: builder.chapters, steps: builder.steps } });
    expect(steps.map(({ kind }) => kind.name)).toEqual(['non-zero', 'values', 'products', 'step']);
  });
});
