import { type Matrix, rowBuffer } from '../core/matrix/index.ts';

import {
  chooseFrameSteps,
  isUnusual,
  MIN_FRAME_STEPS,
  type FrameSteps,
  MAX_FRAME_STEPS,
  type FrameCountRange,
  type Span,
} from './frame-steps.ts';
import { type SurveyedStep, surveySteps, type TracedStory } from './step-kind.ts';
import type { Trace } from './trace.ts';

/** A frame (steps between two stops) of a player that shows two stories (animations of formats) at once, a and b. */
export interface JoinedFrame {
  /** the steps of each story that run before the player stops; null: none */
  readonly a: Span | null;
  readonly b: Span | null;
  /** whether a format does something that it does not do for every non-zero, such as padding */
  readonly isUnusual: boolean;
  /** the chapter of a; or the chapter of b if this frame, like that whole chapter, has steps of b alone */
  readonly chapter: { readonly side: 'a' | 'b'; readonly index: number };
}

/** Two stories of one window on one player. */
export interface JoinedStories {
  readonly frames: readonly JoinedFrame[];
  /** how far each story is after each of its steps, on one scale for both; never falls */
  readonly progress: { readonly a: Float64Array; readonly b: Float64Array };
}

/**
 * The frames of two stories of one window (part of a matrix). Each advances both to the same non-zero while rows are
 * encoded, or to as many finished rows while rows are multiplied; formats that visit non-zeros in another order than
 * row by row are compared by how many they have visited. A row end or a sum in both stories is one frame; an event of
 * only one story stays a frame, so that there are at most twice as many frames as in one story. Throws RangeError if
 * the windows have different shapes. O(effects + steps log steps).
 *
 * An example: a row with two non-zeros. A visits one per step; B visits both, and then stores a padding that A does not have.
 *
 *   A: visit 1 | visit 2 | row end            B: visit 1 | visit 2 | padding | row end
 *
 *   frame   steps of A   steps of B
 *   1       visit 1      visit 1        both have visited one non-zero
 *   2       visit 2      visit 2
 *   3       none         padding        an event of B alone: A waits
 *   4       row end      row end        the same event in both
 */
export function joinStories(a: TracedStory, b: TracedStory): JoinedStories {
  const [first, second] = [a.trace.window, b.trace.window];
  if (first.rows !== second.rows || first.cols !== second.cols) {
    throw new RangeError(
      `two stories: found windows of ${first.rows} × ${first.cols} and ${second.rows} × ${second.cols}`,
    );
  }
  const sides = [sideOf(a), sideOf(b)] as const;
  const progress = { a: sides[0].progress, b: sides[1].progress };
  const frames = joinSides(sides, { max: MAX_FRAME_STEPS, min: 0 });
  if (frames.length >= MIN_FRAME_STEPS) return { frames, progress };
  // Two short stories: repeated steps become frames, too.
  return { frames: joinSides(sides, { max: MAX_FRAME_STEPS, min: MIN_FRAME_STEPS }), progress };
}

/** One of the two stories. */
interface Side {
  readonly trace: Trace;
  readonly steps: readonly SurveyedStep[];
  /** per step: how far the story is after it, on one scale for both; never falls */
  readonly progress: Float64Array;
  /** per step: 1 if it visits a non-zero or completes a row */
  readonly advances: Uint8Array;
  /** per step: how many steps with its event precede it at the same progress, as happens with empty rows */
  readonly repeats: Uint32Array;
}

/** Surveys the steps of a story, and how far it is after each of them. */
function sideOf(traced: TracedStory): Side {
  const steps = surveySteps(traced);
  const { trace } = traced;
  const { progress, advances } = progressOf(trace, steps);
  return { trace, steps, progress, advances, repeats: repeatsOf(steps, progress) };
}

/** The `repeats` of a side. */
function repeatsOf(steps: readonly SurveyedStep[], progress: Float64Array): Uint32Array {
  const counts = new Map<string, number>();
  return Uint32Array.from(steps, (step, i) => {
    if (i > 0 && progress[i] !== progress[i - 1]) counts.clear();
    const repeats = counts.get(eventOf(step)) ?? 0;
    counts.set(eventOf(step), repeats + 1);
    return repeats;
  });
}

/**
 * How far a story is after each step. While rows are encoded: the number of the non-zero visited last, or prepared by
 * the step. Then, for N non-zeros, N + 1 plus the number of rows whose sums are complete; after
 * the chapter with the last sum, a number beyond both. Steps after a row end or a sum are a half further.
 */
function progressOf({ window, steps, chapters }: Trace, surveyed: readonly SurveyedStep[]) {
  const progress = new Float64Array(steps.length);
  const advances = Uint8Array.from(surveyed, ({ visits }) => (visits ? 1 : 0));
  const rankOf = rowMajorRanks(window, steps);
  let visited = 0;
  let lastVisit = -1;
  const rowsWithNonZeros = new Set<number>();
  const lastProductOf = new Map<number, number>();
  steps.forEach(({ effects }, i) => {
    for (const effect of effects) {
      if (effect.kind === 'visit') {
        visited = rankOf ? rankOf(effect.row, effect.col) : visited + 1;
        rowsWithNonZeros.add(effect.row);
        lastVisit = i;
      } else if (effect.kind === 'accumulate') lastProductOf.set(effect.row, i);
    }
    const { cell } = surveyed[i].kind;
    progress[i] = cell && rankOf ? rankOf(cell.row, cell.col) : visited;
  });
  addHalves(progress, surveyed, 'row end');
  const rowSums = [...lastProductOf].filter(([row]) => rowsWithNonZeros.has(row)).map(([, step]) => step);
  if (rowSums.length === 0) return { progress, advances };
  /** per step: number of rows whose sum it completes */
  const completed = new Uint32Array(steps.length);
  for (const step of rowSums) completed[step]++;
  const firstProduct = steps.findIndex(({ effects }) => effects.some(({ kind }) => kind === 'accumulate'));
  const lastProduct = rowSums.reduce((last, step) => Math.max(last, step), 0);
  const firstChapter = chapters[steps[firstProduct].chapter];
  const lastChapter = chapters[steps[lastProduct].chapter];
  const begin = Math.max(firstChapter.firstStep, lastVisit + 1);
  const end = lastChapter.firstStep + lastChapter.stepCount;
  let rows = 0;
  for (let i = begin; i < steps.length; i++) {
    rows += completed[i];
    if (completed[i] > 0) advances[i] = 1;
    progress[i] = window.nnz + 1 + (i < end ? rows : window.rows + 1);
  }
  addHalves(progress, surveyed, 'sum');
  return { progress, advances };
}

/** Adds a half to the progress of the steps after an event, until the progress rises. */
function addHalves(progress: Float64Array, surveyed: readonly SurveyedStep[], event: string): void {
  let progressAtEvent = -1;
  for (let i = 0; i < progress.length; i++) {
    const whole = progress[i];
    if (whole === progressAtEvent) progress[i] += 0.5;
    if (surveyed[i].kind.event === event) progressAtEvent = whole;
  }
}

/** The number of every non-zero in the order of rows, from 1; null if the steps visit them in another order. */
function rowMajorRanks(window: Matrix, steps: Trace['steps']): ((row: number, col: number) => number) | null {
  const ranks = new Uint32Array(window.rows * window.cols);
  const buffer = rowBuffer(window.cols);
  let count = 0;
  for (let row = 0; row < window.rows; row++) {
    const n = window.readRow(row, buffer);
    for (let i = 0; i < n; i++) ranks[row * window.cols + buffer.columns[i]] = ++count;
  }
  let last = 0;
  for (const { effects } of steps) {
    for (const effect of effects) {
      if (effect.kind !== 'visit') continue;
      const rank = ranks[effect.row * window.cols + effect.col];
      if (rank < last) return null;
      last = rank;
    }
  }
  return (row, col) => ranks[row * window.cols + col];
}

/** How far one of the two stories has run while they are joined, and which of its frames comes next. */
class Cursor {
  readonly side: Side;
  readonly frames: readonly FrameSteps[];
  /** the last step that has run */
  step = -1;
  #next = 0;

  constructor(side: Side, range: FrameCountRange) {
    this.side = side;
    this.frames = chooseFrameSteps(side.steps, side.trace.chapters, range);
  }

  get next(): FrameSteps | null {
    return this.frames[this.#next] ?? null;
  }

  /** Runs to a step, and returns the steps on the way. */
  run(to: number): Span | null {
    const span = to > this.step ? { from: this.step + 1, to } : null;
    this.step = Math.max(this.step, to);
    while (this.next && this.next.steps.to <= this.step) this.#next++;
    return span;
  }

  /** The step to which this story follows when the other one rests at step `i`. */
  follow(other: Side, i: number): number {
    const { progress, advances, repeats, steps } = this.side;
    const target = other.progress[i];
    const reached = firstAtLeast(progress, target);
    const event = eventOf(other.steps[i]);
    for (let step = reached; step < steps.length && progress[step] === target; step++) {
      if (eventOf(steps[step]) === event && repeats[step] === other.repeats[i]) return step;
    }
    // A block contains several non-zeros: it is stored with the first of them.
    if (event === 'visit' && steps[reached]?.visits) return reached;
    // Otherwise as far as the non-zeros or rows that the other one has done; the step with the last
    // product of a row has another name in each format.
    const isDone = progress[reached] === target && advances[reached] === 1;
    return isDone ? reached : reached - 1;
  }
}

/** A key for a step that formats share: an event, a visit, or else its name. */
function eventOf({ kind, visits }: SurveyedStep): string {
  return kind.event ?? (visits ? 'visit' : kind.name);
}

/** The first index whose number is at least `min`; the length if there is none. O(log n). */
function firstAtLeast(ascending: Float64Array, min: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle] < min) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Of two frames that coincide, the one with the higher priority leads. A fold, many steps in one frame, has the lowest. */
function priority({ kind }: Pick<FrameSteps, 'kind'>): number {
  return kind === 'fold' ? 0 : kind === 'step' ? 1 : 2;
}

type FrameSpans = Omit<JoinedFrame, 'chapter'>;

function joinSides(sides: readonly [a: Side, b: Side], range: FrameCountRange): readonly JoinedFrame[] {
  const a = new Cursor(sides[0], range);
  const b = new Cursor(sides[1], range);
  const joined: FrameSpans[] = [];
  while (a.next || b.next) joined.push(aLeads(a, b) ? runToFrame('a', a, b) : runToFrame('b', b, a));
  return withChapters(joined, sides[0].trace, sides[1].trace);
}

/** Whether the next joined frame is the next frame of A, which B follows, rather than the next of B, which A follows. */
function aLeads(a: Cursor, b: Cursor): boolean {
  if (!a.next || !b.next) return a.next !== null;
  // The step to which each story would follow the other one's next frame.
  const bFollows = b.follow(a.side, a.next.steps.to);
  const aFollows = a.follow(b.side, b.next.steps.to);
  // A story waits if the other one would have to run past its own next frame to follow: that frame comes first.
  const aWaits = bFollows > b.next.steps.to;
  const bWaits = aFollows > a.next.steps.to;
  if (aWaits !== bWaits) return bWaits;
  // If the frames coincide, the higher priority leads, and otherwise the story that is less far.
  if (bFollows === b.next.steps.to || aFollows === a.next.steps.to) return priority(b.next) <= priority(a.next);
  return a.side.progress[a.next.steps.to] <= b.side.progress[b.next.steps.to];
}

/** Runs one story to its next frame, and the other one after it, but not beyond its own next frame. */
function runToFrame(which: 'a' | 'b', leader: Cursor, follower: Cursor): FrameSpans {
  const next = leader.next;
  if (!next) throw new RangeError('a story: found no further frame');
  const to = Math.min(follower.follow(leader.side, next.steps.to), follower.next?.steps.to ?? follower.step);
  const led = leader.run(next.steps.to) ?? next.steps;
  const followed = follower.run(to);
  const spans = which === 'a' ? { a: led, b: followed } : { a: followed, b: led };
  return { ...spans, isUnusual: isUnusual(next) };
}

/** The frames, each with its chapter. */
function withChapters(joined: readonly FrameSpans[], traceA: Trace, traceB: Trace): readonly JoinedFrame[] {
  const shared = new Set(joined.flatMap(({ a, b }) => (a && b ? [traceB.steps[b.to].chapter] : [])));
  let current = 0;
  return joined.map((frame): JoinedFrame => {
    const { a, b } = frame;
    if (a) current = traceA.steps[a.to].chapter;
    const chapterOfB = b ? traceB.steps[b.to].chapter : current;
    const isOfB = a === null && b !== null && !shared.has(chapterOfB);
    return { ...frame, chapter: isOfB ? { side: 'b', index: chapterOfB } : { side: 'a', index: current } };
  });
}
