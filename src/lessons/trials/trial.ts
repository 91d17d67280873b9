import { checksum } from '../../core/encoded/checksum.ts';
import type { AnyListedFormat, FormatStory } from '../../core/format.ts';
import { rowBuffer, type Matrix } from '../../core/matrix/index.ts';
import { largest } from '../../core/number/statistics.ts';
import { Random } from '../../core/number/random.ts';
import { box, note } from '../../core/story/marks.ts';
import type { Label, Mark, Panel, Tone, Words } from '../../core/story/scene.ts';
import { type Trace, type TraceBuilder, traceVector } from '../../core/story/trace.ts';

/** The source of a story in a lesson: a format, or a trial. */
export type StorySource = Pick<AnyListedFormat, 'id' | 'title' | 'params' | 'story' | 'sandboxed'>;

/**
 * A simulation about measuring, shown step by step like the story of a format, so that it has the same stage, player,
 * questions and print. It runs on the page when its figure is made: either a real product, or a simulated device, whose
 * properties are therefore known. The same matrix gives the same trial on every machine.
 */
export interface TrialTrace<D, E> extends Trace<D> {
  readonly encoded: E;
}

/** The trial's trace; `numbers` are those that the sentences of a lesson may use. */
export function trialTrace<D, E>(
  id: string,
  window: Matrix,
  numbers: E,
  { steps, chapters }: TraceBuilder<D>,
): TrialTrace<D, E> {
  return { format: id, window, params: {}, encoded: numbers, x: traceVector(window.cols), chapters, steps };
}

/** A trial in the form that lessons use. It has no parameters: another matrix is another trial. */
export function trial<D>(id: string, title: string, parts: Omit<FormatStory<object, D>, 'admits'>): StorySource {
  const story: FormatStory<object, D> = { admits: () => ({ ok: true, notes: [] }), ...parts };
  return { id, title, params: {}, story: () => Promise.resolve(story) };
}

/** Random numbers that follow from the values of a matrix. O(rows x cols). */
export function randomOf(m: Matrix): Random {
  const buffer = rowBuffer(m.cols);
  let seed = m.rows * 65_537 + m.cols;
  for (let row = 0; row < m.rows; row++) {
    const n = m.readRow(row, buffer);
    seed = (Math.imul(seed, 31) + checksum(buffer.values.slice(0, n)) + row) >>> 0;
  }
  return new Random(seed);
}

/** A value as a bar followed by its words. */
export interface Bar {
  readonly id: string;
  readonly label: string;
  readonly value: number;
  readonly words: string;
  readonly tone?: Tone;
  readonly focus?: boolean;
  /** not measured yet */
  readonly coming?: boolean;
}

export interface Bars {
  readonly id: string;
  readonly title: string;
  readonly caption: string;
  readonly bars: readonly Bar[];
  /** the value of a bar of full length, if several panels are compared; default: the largest of these */
  readonly max?: number;
  /** a value marked by a line across all bars, and its name */
  readonly line?: { readonly value: number; readonly label: string };
}

/** Width of every panel of a trial. */
export const WIDTH = 100;
/** Share of it for the longest bar; the words come after it. */
const LONGEST = 0.5;
/** From one bar to the next. */
const LINE = 1.15;

/** Bars below each other, from 0 to the largest value. */
export function barsPanel({ id, title, caption, bars, line, max: shared }: Bars): Panel {
  const max = shared ?? largest([...bars.map(({ value }) => value), line?.value ?? 0], 1e-9);
  const widthOf = (value: number): number => Math.max(0.2, (value / max) * WIDTH * LONGEST);
  const marks = bars.flatMap((bar, i): Mark[] => {
    const name = `${id} ${bar.id}`;
    const w = widthOf(bar.value);
    if (bar.coming) return [box(name, 0, i * LINE, { w, state: 'ghost', label: `${bar.label}: not measured yet` })];
    const look = { w, tone: bar.tone ?? 'neutral', level: 1, label: `${bar.label}: ${bar.words}` } as const;
    return [
      box(name, 0, i * LINE, bar.focus ? { ...look, focus: true } : look),
      note(
        `${name} words`,
        Math.max(w, line ? widthOf(line.value) : 0) + 1,
        i * LINE,
        WIDTH * (1 - LONGEST),
        bar.words,
      ),
    ];
  });
  const rows = Math.max(1, (bars.length - 1) * LINE + 1);
  if (line) marks.push(box(`${id} line`, widthOf(line.value), 0, { w: 0.3, h: rows, level: 1, label: line.label }));
  return {
    id,
    title,
    caption,
    unit: 'bar',
    columns: WIDTH,
    rows,
    rowLabels: bars.map(({ label, focus }, i): Label => ({
      at: i * LINE,
      text: label,
      ...(focus ? { strong: true } : {}),
    })),
    marks,
  };
}

/** A number in the format of lessons: 12.3, 0.41, 128. */
export function shortNumber(value: number): string {
  return String(Number(value.toPrecision(3)));
}

/** A scene of panels without links or code. */
export function trialScene(
  panels: readonly Panel[],
  narration: readonly Words[],
): {
  readonly panels: readonly Panel[];
  readonly links: readonly never[];
  readonly narration: readonly Words[];
  readonly code: null;
} {
  return { panels, links: [], narration, code: null };
}
