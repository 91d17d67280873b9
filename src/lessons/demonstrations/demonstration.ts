import { checksum } from '../../core/encoded/checksum.ts';
import type { AnyListedFormat, FormatStory, ParamSpec } from '../../core/format.ts';
import { rowBuffer, type Matrix } from '../../core/matrix/index.ts';
import { Random } from '../../core/number/random.ts';
import type { Answer, Misconception } from '../../core/story/question.ts';
import type { Panel, Words } from '../../core/story/scene.ts';
import { type Trace, TraceBuilder, traceVector } from '../../core/story/trace.ts';
import { say, strong } from '../../core/story/words.ts';
import mistakes from './mistakes.json';

/** What a lesson's figure shows step by step: a format or, with the same properties, a demonstration. */
export type StorySource = Pick<AnyListedFormat, 'id' | 'title' | 'params' | 'story' | 'sandboxed'>;

/** The steps of a demonstration, with data D each. `encoded`: its numbers E, which a lesson's text can print. */
export interface DemoTrace<D, E> extends Trace<D> {
  readonly encoded: E;
}

/** The definition of a demonstration: how it runs, how a step is drawn, and the questions about it. */
interface Demo<D, E, P extends object> extends Pick<FormatStory<P, D>, 'questions'> {
  readonly id: string;
  readonly title: string;
  /** default: none. Numbers that are not parameters are random, seeded by the matrix. */
  readonly params?: ParamSpec<P>;
  /** Runs the demonstration and reports its steps to `builder`; `random` is seeded by the matrix. */
  run(window: Matrix, random: Random, builder: TraceBuilder<D>, params: P): E;
  panels(trace: DemoTrace<D, E>, detail: D | null): readonly Panel[];
  narrate(trace: DemoTrace<D, E>, detail: D | null): readonly Words[];
}

/**
 * Makes a demonstration: a small experiment on measuring or on sizes, shown step by step like the story of a format. It
 * runs when its figure is built, and gives the same steps for the same matrix on every machine.
 */
export function demo<D, E, P extends object = object>(parts: Demo<D, E, P>): StorySource {
  const { id, title, params = {}, questions = [] } = parts;
  const story: FormatStory<P, D> = {
    admits: () => ({ ok: true, notes: [] }),
    trace(window, given): DemoTrace<D, E> {
      const builder = new TraceBuilder<D>();
      const encoded = parts.run(window, randomOf(window), builder, given);
      const { steps, chapters } = builder;
      return { format: id, window, params: {}, encoded, x: traceVector(window.cols), chapters, steps };
    },
    scene(anyTrace, step) {
      const trace = anyTrace as DemoTrace<D, E>;
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
  answer: (subject: S) => Answer,
  falseAt: (subject: S) => number = () => ONE_STEP.shows,
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
