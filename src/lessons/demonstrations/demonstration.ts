import type { FormatStory } from '../../story/format-story.ts';
import { checksum } from '../../core/encoded/checksum.ts';
import type { AnyListedFormat, ParamSpec } from '../../core/format.ts';
import { rowBuffer, type Matrix } from '../../core/matrix/index.ts';
import { Random } from '../../core/number/random.ts';
import type { Computed } from '../../story/computed.ts';
import type { Answer, Misconception } from '../../story/question.ts';
import type { Panel, Label, Mark, Tone } from '../../story/scene.ts';
import { type Trace, TraceBuilder, traceVector } from '../../story/trace.ts';
import { say, strong, type Words } from '../../core/text/words.ts';
import mistakes from './mistakes.json';
import { largest } from '../../core/number/statistics.ts';
import { box, note } from '../../story/marks.ts';

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
 * runs when its figure is built, and has the same steps for the same matrix on every machine.
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

/** A bar of `barsPanel`, followed by `words`. */
export interface Bar {
  readonly id: string;
  readonly label: string;
  readonly value: number;
  readonly words: string;
  readonly tone: Tone;
  readonly focus: boolean;
  /** not measured yet: dashed */
  readonly isPending: boolean;
}

/** The bar that step `i` adds: dashed until the current step `upTo` reaches it, in focus when it does. */
export function barAt(
  i: number,
  upTo: number,
  label: string,
  value: number,
  words: string,
  tone: Tone = 'format',
): Bar {
  return { id: label, label, value, words, tone, focus: i === upTo, isPending: i > upTo };
}

/** What `barsPanel` draws. */
interface Bars {
  readonly id: string;
  readonly title: string;
  readonly caption: string;
  readonly bars: readonly Bar[];
  /** the value of a bar of full length, equal in panels that are compared; default: the largest of `bars` and `line` */
  readonly max?: number;
  /** a value marked by a line across all bars, and its name */
  readonly line?: { readonly value: number; readonly label: string };
}

/** Width of every panel of bars, in columns. */
export const PANEL_WIDTH = 100;
/** Length of the longest bar, as a share of WIDTH. */
const LONGEST = 0.5;
/** Distance from one bar to the next, in rows. */
const PITCH = 1.15;

/** A panel of bars below each other, on a scale from 0. */
export function barsPanel({ id, title, caption, bars, line, max: shared }: Bars): Panel {
  const max = shared ?? largest([...bars.map(({ value }) => value), line?.value ?? 0], 1e-9);
  const widthOf = (value: number): number => Math.max(0.2, (value / max) * PANEL_WIDTH * LONGEST);
  const marks = bars.flatMap((bar, i): Mark[] => {
    const name = `${id} ${bar.id}`;
    const w = widthOf(bar.value);
    if (bar.isPending) return [box(name, 0, i * PITCH, { w, state: 'ghost', label: `${bar.label}: not measured yet` })];
    const filled = { w, tone: bar.tone, level: 1, label: `${bar.label}: ${bar.words}` };
    const x = Math.max(w, line ? widthOf(line.value) : 0) + 1;
    return [
      box(name, 0, i * PITCH, bar.focus ? { ...filled, focus: true } : filled),
      note(`${name} words`, x, i * PITCH, PANEL_WIDTH * (1 - LONGEST), bar.words),
    ];
  });
  const rows = Math.max(1, (bars.length - 1) * PITCH + 1);
  if (line) marks.push(box(`${id} line`, widthOf(line.value), 0, { w: 0.3, h: rows, level: 1, label: line.label }));
  return {
    id,
    title,
    caption,
    unit: 'bar',
    columns: PANEL_WIDTH,
    rows,
    rowLabels: bars.map(({ label, focus }, i): Label => ({
      at: i * PITCH,
      text: label,
      ...(focus && { strong: true }),
    })),
    marks,
  };
}

/** A number with three significant digits: 12.3, 0.41, 128. */
export function shortNumber(value: number): string {
  return String(Number(value.toPrecision(3)));
}
