import type { FormatStory } from '../../story/format-story.ts';
import { checksum } from '../../core/encoded/checksum.ts';
import type { AnyListedFormat, ParamSpec } from '../../core/format.ts';
import { rowBuffer, type Matrix } from '../../core/matrix/index.ts';
import { Random } from '../../core/number/random.ts';
import type { Computed } from '../../story/computed.ts';
import type { Answer, Misconception } from '../../story/question.ts';
import type { Panel } from '../../story/scene.ts';
import { type Trace, TraceBuilder, traceVector } from '../../story/trace.ts';
import { say, strong, type Words } from '../../core/text/words.ts';
import mistakes from './mistakes.json';

/** What a lesson's figure shows step by step: a format or, with the same properties, a demonstration. */
export type StorySource = Pick<AnyListedFormat, 'id' | 'title' | 'params' | 'story' | 'sandboxed'>;

/**
 * The steps of a demonstration, with data D each. `encoded`, where a format's trace has its encoded matrix, is the result R of
 * the demonstration: numbers, which a lesson's text can print.
 */
export interface DemoTrace<D, R> extends Trace<D> {
  readonly encoded: R;
}

/** The definition of a demonstration: how it runs, how a step is drawn, and the questions about it. */
interface Demo<D, R, P extends object> extends Pick<FormatStory<P, D>, 'questions'> {
  readonly id: string;
  readonly title: string;
  /** default: none. Numbers that are not parameters are random, seeded by the matrix. */
  readonly params?: ParamSpec<P>;
  /** Runs the demonstration, reports its steps to `builder` and returns its result; `random` is seeded by the matrix. */
  run(window: Matrix, random: Random, builder: TraceBuilder<D>, params: P): R;
  panels(trace: DemoTrace<D, R>, detail: D | null): readonly Panel[];
  narrate(trace: DemoTrace<D, R>, detail: D | null): readonly Words[];
}

/**
 * Makes a demonstration: a small experiment on measuring or on sizes, shown step by step like the story of a format. It
 * runs when its figure is built, and has the same steps for the same matrix on every machine.
 */
export function demo<D, R, P extends object = object>(parts: Demo<D, R, P>): StorySource {
  const { id, title, params = {}, questions = [] } = parts;
  const story: FormatStory<P, D> = {
    admits: () => ({ ok: true, notes: [] }),
    trace(window, chosenParams): DemoTrace<D, R> {
      const builder = new TraceBuilder<D>();
      const result = parts.run(window, randomOf(window), builder, chosenParams);
      const { steps, chapters } = builder;
      return { format: id, window, params: {}, encoded: result, x: traceVector(window.cols), chapters, steps };
    },
    scene(anyTrace, step) {
      const trace = anyTrace as DemoTrace<D, R>;
      const detail = step === 0 ? null : trace.steps[step - 1].detail;
      return { panels: parts.panels(trace, detail), links: [], narration: parts.narrate(trace, detail), code: null };
    },
    questions,
  };
  return { id, title, params, story: () => Promise.resolve(story) };
}

/** For a question on a demonstration of one step: the step before the answer, and the step that shows it. */
export const ONE_STEP = { before: 0, shows: 1 };

/** The misconception `id` of mistakes.json. `answer`: the wrong answer; `falseAt`: the step that contradicts it. */
export function mistake<S>(
  id: keyof typeof mistakes,
  answer: (questionCase: S) => Answer | Computed,
  falseAt: (questionCase: S) => number = () => ONE_STEP.shows,
): Misconception<S> {
  const { title, reply } = mistakes[id];
  const [before, emphasised, after] = reply.split('**');
  return { id, title, answer, reply: () => say`${before}${strong(emphasised)}${after}`, falseAt };
}

/** Random numbers seeded by the values of a matrix. O(rows x cols). */
function randomOf(m: Matrix): Random {
  const buffer = rowBuffer(m.cols);
  let seed = m.rows * 65_537 + m.cols;
  for (let row = 0; row < m.rows; row++) {
    const n = m.readRow(row, buffer);
    seed = (Math.imul(seed, 31) + checksum(buffer.values.slice(0, n)) + row) >>> 0;
  }
  return new Random(seed);
}

/** A number with three significant digits: 12.3, 0.41, 128. */
export function shortNumber(value: number): string {
  return String(Number(value.toPrecision(3)));
}
