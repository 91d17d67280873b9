import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allParams, buildMatrix, matrixRecipe, turnOf } from '../../../test/arbitraries.ts';
import { layoutProblems, spaceOf } from '../../../test/laid-out.ts';
import { textOf, unnamedNumbers } from '../../../test/frames.ts';
import { cases } from '../../../test/scheduled.ts';
import { shippedMatrices } from '../../../test/shipped.ts';
import { formatsWithStories, type FormatWithStory, traceOf } from '../../../test/stories.ts';
import { resolvedParams, storyParams, storyExample } from '../../core/format.ts';
import { subMatrix } from '../../core/matrix/index.ts';
import { type FrameSteps, frameSteps, isUnusual } from '../../story/frame-steps.ts';
import { type Frame, type FrameContext, frameWords, MAX_WORDS, wordCount } from '../../story/frames.ts';
import type { Drawing } from '../../story/scene.ts';
import { timelineOf } from '../../story/timeline.ts';
import type { Trace } from '../../story/trace.ts';
import { formats } from '../registry.ts';

/** Checks the frames of every story, on any window: short texts, every number a fact, and steps in the order of the trace. */

const everyFormat = await formatsWithStories();
const shipped = await shippedMatrices();

/** The numbers of frames of a story, without its questions. */
const MIN_FRAMES = 3;
const MAX_FRAMES = 12;
const MAX_CHAPTERS = 7;
/** The longest time in which a picture may move, ms. */
const MAX_MOVE_MS = 5000;

type Params = Readonly<Record<string, unknown>>;

const LAYOUTS = ['wide', 'narrow'] as const;

/** Contexts of frames in each layout: without recorded times, with a device without matrices, and with a device with matrices. */
function allContexts(): readonly FrameContext[] {
  const time = (ns: number, timesDense: number, bytes: number) => ({ ns, timesDense, bytes });
  const matrix = {
    rows: 4096,
    cols: 4096,
    pattern: 'uniform',
    operation: 'spmv',
    tokens: 1,
    date: '31 January 2026',
  } as const;
  const recorded = {
    device: 'Made Up 1',
    matrices: [0.1, 0.3, 0.5, 0.7].map((density) => ({
      ...matrix,
      density,
      format: time(10_000 + 40_000 * density, 30_000 / (10_000 + 40_000 * density), 33_554_432 * density * 1.25),
      dense: time(30_000, 1, 33_554_432),
      dense4: time(16_000, 1.875, 9_437_184),
    })),
  };
  return LAYOUTS.flatMap((layout) =>
    [null, { ...recorded, matrices: [] }, recorded].map((recordedTimes) => ({
      layout,
      wholeMatrix: null,
      recordedTimes,
    })),
  );
}

/** All frames get the same context objects, so that data that is derived from a context is computed once. */
const CONTEXTS = allContexts();

const STAGE_SIZES = { wide: spaceOf(1000, 560), narrow: spaceOf(358, 520) } as const;

const PLURALS =
  'bytes|bits|columns|rows|weights|zeros|numbers|lists|words|neurons|tokens|places|cells|tiles|blocks|times|are|have';
/** A plural after 1, such as '1 bytes'; but not in '2 + 1 bytes' or '1 of 1 bytes'. */
const PLURAL_AFTER_ONE = new RegExp(
  String.raw`(?<![+\u2212\u00d7=] |of |[\d.,\u202f])\b(?:1|one) (?:${PLURALS})\b`,
  'i',
);

/** Messages about a text that contains a value of JavaScript or a plural after 1. */
const textProblems = (text: string): string[] =>
  /undefined|\[object|Infinity/.test(text) || PLURAL_AFTER_ONE.test(text) ? [`the text is: ${text}`] : [];

/** Messages about problems of a picture. */
function drawingProblems({ inSpace }: Drawing, layout: FrameContext['layout']): string[] {
  const available = STAGE_SIZES[layout];
  if (!inSpace) return ['is not laid out for its layout box'];
  const drawing = inSpace(available);
  return [...layoutProblems(drawing, available), ...drawing.marks.map(textOf).flatMap(textProblems)];
}

/** Messages about problems of the frames of a window, in these contexts. */
function problems({ format, story }: FormatWithStory, trace: Trace, contexts = CONTEXTS): string[] {
  if (!story.frames) return problemsWithoutScript({ format, story }, trace, contexts);
  const frames = story.frames(trace);
  const messages = frameProblems(format, frames, trace, contexts);
  const withoutQuestions = frames.filter(({ question }) => question === undefined);
  if (withoutQuestions.length < MIN_FRAMES || withoutQuestions.length > MAX_FRAMES)
    messages.push(`${withoutQuestions.length} frames`);
  if (frames[0]?.moves.length !== 1) messages.push('the first frame moves');
  if (frames[0]?.question || frames.at(-1)?.question) messages.push('a question at the first or last frame');
  if (new Set(frames.map(({ id }) => id)).size !== frames.length) messages.push('two frames of one id');
  const chapters = frames.map(({ chapter }) => chapter).filter((chapter, i, perFrame) => chapter !== perFrame[i - 1]);
  if (chapters.length > MAX_CHAPTERS || new Set(chapters).size !== chapters.length)
    messages.push(`chapters ${chapters.join(', ')}`);
  return messages;
}

/**
 * Messages about problems of the frames of a story without a script. Its first and last frame come from the format; the
 * frames between them are chosen steps of the trace, each with the short text of its scene.
 */
function problemsWithoutScript(
  { format, story }: FormatWithStory,
  trace: Trace,
  contexts: readonly FrameContext[],
): string[] {
  const { frames } = timelineOf({ story, trace });
  const scriptFrames = frames.flatMap(({ scriptFrame }) => scriptFrame ?? []);
  const messages = frameProblems(format, scriptFrames, trace, contexts);
  if (frames.length > MAX_FRAMES) messages.push(`${frames.length} frames`);
  if (
    scriptFrames.length !== 2 ||
    scriptFrames[0] !== frames[0]?.scriptFrame ||
    scriptFrames[1] !== frames.at(-1)?.scriptFrame
  )
    messages.push(`${scriptFrames.map(({ id }) => id).join(', ')} instead of a first and a last frame`);
  if (scriptFrames[0]?.moves.length !== 1) messages.push('the first frame moves');
  // If there are more candidates than frames, repetitions are omitted before steps that are the first of their name.
  const candidates = frameSteps({ story, trace });
  const frameStepNumbers = new Set(frames.map(({ at }) => at));
  const hasFrame = ({ steps }: FrameSteps): boolean => frameStepNumbers.has(steps.to + 1);
  const mayBeOmitted = (candidate: FrameSteps, i: number): boolean =>
    !isUnusual(candidate) && candidate.chapter === candidates[i - 1]?.chapter && i < candidates.length - 1;
  const omitted = candidates.find((candidate) => !candidate.isAgain && !hasFrame(candidate));
  if (
    omitted &&
    candidates.some((candidate, i) => candidate.isAgain && hasFrame(candidate) && mayBeOmitted(candidate, i))
  )
    messages.push(`step ${omitted.steps.to + 1}, the first of its name, is omitted in favour of a repetition`);
  for (const { at: step, scriptFrame } of frames) {
    if (scriptFrame) continue;
    const text = frameWords(story.scene(trace, step))
      .map((words) => words.text)
      .join('');
    if (wordCount({ text }) > MAX_WORDS) messages.push(`step ${step}: ${wordCount({ text })} words: ${text}`);
    if (!/[.?!]$/.test(text)) messages.push(`step ${step}: an incomplete text: ${text}`);
  }
  return [...messages, ...openingProblems(scriptFrames[0], trace, contexts)];
}

/** Messages about marks that the first picture lacks: cells, the counter of bytes with its meaning, and y. */
function openingProblems(
  first: Frame | undefined,
  { window: { rows, cols } }: Trace,
  contexts: readonly FrameContext[],
): string[] {
  if (rows * cols === 0) return [];
  return contexts.flatMap((context) => {
    const ids = new Set(first?.draw(0, context).marks.map(({ id }) => id));
    const needed = ['cell ', 'counter after', 'means', 'y['];
    return needed.filter((name) => ![...ids].some((id) => id.startsWith(name))).map((name) => `no '${name}' at first`);
  });
}

/** Messages about problems of each frame: its step, its moves, its texts, its pictures and its question. */
function frameProblems(
  format: FormatWithStory['format'],
  frames: readonly Frame[],
  trace: Trace,
  contexts: readonly FrameContext[],
): string[] {
  const messages: string[] = [];
  const otherTitles = formats.filter(({ id }) => id !== format.id && id !== 'dense').map(({ title }) => title);
  let stepBefore = 0;
  for (const frame of frames) {
    const withFrame = (text: string): string => `${frame.id}: ${text}`;
    if (frame.step < stepBefore || frame.step > trace.steps.length)
      messages.push(withFrame(`step ${frame.step} after ${stepBefore}`));
    stepBefore = frame.step;
    if (frame.moves.length === 0 || frame.moves.some((ms) => !(ms >= 0 && ms <= MAX_MOVE_MS)))
      messages.push(withFrame('moves'));
    if (frame.question && frame.moves.length !== 2) messages.push(withFrame('a question has two pictures'));
    for (const context of contexts) {
      const narration = frame.narration(context);
      const also = frame.also?.(context);
      const texts = [narration, ...(also ? [also] : []), ...(frame.question ? [frame.question.because] : [])];
      if (wordCount(narration) > MAX_WORDS)
        messages.push(withFrame(`${wordCount(narration)} words: ${narration.text}`));
      if (narration.text.includes('NaN')) messages.push(withFrame(narration.text));
      messages.push(...texts.flatMap(({ text }) => textProblems(text)).map(withFrame));
      messages.push(...texts.flatMap(unnamedNumbers).map(withFrame));
      messages.push(
        ...otherTitles
          .filter((title) => narration.text.replaceAll(format.title, '').includes(title))
          .map((title) => withFrame(`names ${title}`)),
      );
      for (let picture = 0; picture < frame.moves.length; picture++) {
        const drawing = frame.draw(picture, context);
        // The layout is the same in all pictures of a frame and, except in the last frame, for all recorded times.
        if (picture < frame.moves.length - 1 || (context.recordedTimes && frame !== frames.at(-1))) continue;
        messages.push(
          ...drawingProblems(drawing, context.layout).map((problem) =>
            withFrame(`${context.layout} ${picture}: ${problem}`),
          ),
        );
      }
    }
    const { options = [], answer = 0 } = frame.question ?? {};
    if (frame.question) {
      if (options.length < 2 || options.length > 4 || new Set(options).size !== options.length)
        messages.push(withFrame('options'));
      if (options[answer] === undefined) messages.push(withFrame(`answer ${answer}`));
    }
  }
  return messages;
}

describe.each(everyFormat)('frames of $format.id', (formatWithStory) => {
  const { format, story } = formatWithStory;

  it('have no problems on the example of the format', () => {
    const example = storyExample(format);
    const [entry, m] = [...shipped].find(([{ id }]) => id === example.id) ?? [];
    if (!entry || !m) throw new Error(`found no example ${example.id}`);
    const window = subMatrix(
      m,
      entry.window ?? { row: 0, col: 0, rows: Math.min(8, m.rows), cols: Math.min(32, m.cols) },
    );
    const params = storyParams(format.params, resolvedParams(format.params, example.params, m));
    const trace = story.trace(window, params);
    expect(problems(formatWithStory, trace)).toEqual([]);
    const withoutQuestions = (story.frames?.(trace) ?? []).filter(({ question }) => !question);
    // The story of a paper has at least eight frames; a declared format with `frames` has at least one between a first and a last.
    if (story.frames) expect(withoutQuestions.length).toBeGreaterThanOrEqual('frames' in format ? 3 : 8);
  });

  it('have no problems on random windows', () => {
    const anyParams = fc.constantFrom(...allParams(format));
    let count = 0;
    fc.assert(
      fc.property(matrixRecipe(9, 40), anyParams, (recipe, chosen) => {
        const m = buildMatrix(recipe);
        const params = storyParams<Params>(format.params, chosen);
        const trace = traceOf(story, m, params);
        if (!trace) return;
        // Each window is tested in one wide and one narrow context, which change from window to window.
        const contexts = turnOf(CONTEXTS, count++, CONTEXTS.length / LAYOUTS.length);
        expect(problems(formatWithStory, trace, contexts)).toEqual([]);
      }),
      { numRuns: cases(28, 600), seed: 43 },
    );
    expect(count).toBeGreaterThan(0);
  });
});
