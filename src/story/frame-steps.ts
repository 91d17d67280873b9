import { ENDING_EVENTS, type SurveyedStep, surveySteps, type TracedStory } from './step-kind.ts';
import type { Chapter } from './trace.ts';

/** Consecutive steps of a trace, counted from 0: from the first to the last, both included. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * Consecutive steps that may become one frame of a story without a script (frames written one by one): the player runs
 * through them and stops at the last. All `FrameSteps` of a story together are all its steps.
 */
export interface FrameSteps {
  readonly steps: Span;
  /** 'fold': many steps, none worth a frame; otherwise the event of the last step, or 'step' without one */
  readonly kind: string;
  /** index into the chapters of the trace */
  readonly chapter: number;
  /** whether an earlier step has the name of the last one */
  readonly isAgain: boolean;
}

/**
 * The most `FrameSteps` of a story, and the fewest if it has enough steps. timeline.ts makes up to 9 frames of them.
 */
export const MAX_FRAME_STEPS = 18;
export const MIN_FRAME_STEPS = 9;

/** How many steps with the same name are worth a frame. */
const MAX_OF_SAME_NAME = 3;
/** The most steps that run on the way to the next frame; more of them are a fold, one frame for all. */
const MAX_ON_THE_WAY = 3;

/**
 * The steps of a story that are worth a frame: the first three of each name, the first of each event, such as a row
 * end, a padding or a sum, and the first and last of each chapter. They are added in the order of `candidatesByImportance` as
 * long as there are at most 18; further row ends and the like only if there are fewer than 9 otherwise. Every chapter
 * has a frame. What lies between two of them runs on the way to the second, or is a fold. O(effects + steps log steps).
 */
export function frameSteps(traced: TracedStory): readonly FrameSteps[] {
  const range = { max: MAX_FRAME_STEPS, min: MIN_FRAME_STEPS };
  return chooseFrameSteps(surveySteps(traced), traced.trace.chapters, range);
}

/** The most and the fewest `FrameSteps` of a story. */
export interface FrameCountRange {
  readonly max: number;
  readonly min: number;
}

/** `frameSteps` of steps that were surveyed before. */
export function chooseFrameSteps(
  steps: readonly SurveyedStep[],
  chapters: readonly Chapter[],
  { max, min }: FrameCountRange,
): readonly FrameSteps[] {
  const stopsByChapter = chapters.flatMap(({ firstStep, stepCount }, chapter) =>
    stepCount === 0 ? [] : [new ChapterStops(chapter, { from: firstStep, to: firstStep + stepCount - 1 })],
  );
  let count = stopsByChapter.length;
  const add = (step: number, stops: ChapterStops, countsFolds: boolean): void => {
    if (!stops.has(step)) count = stops.tryAdd(step, count, max, countsFolds);
  };
  const candidates = candidatesByImportance(steps, stopsByChapter);
  // Strong candidates may take the place of folds; from then on each long run between stops counts as a fold.
  for (const { step, stops } of candidates.strong) add(step, stops, false);
  count = stopsByChapter.reduce((sum, stops) => sum + stops.count(true), 0);
  for (const { step, stops } of candidates.weak) {
    if (count >= max) break;
    add(step, stops, true);
  }
  const enough = Math.min(max, min);
  for (const { step, stops } of count < enough ? furtherCandidates(steps, stopsByChapter) : []) {
    if (count >= enough) break;
    add(step, stops, true);
  }
  const folds = chosenFolds(stopsByChapter, max);
  return stopsByChapter.flatMap((stops) =>
    stops.frameSteps(folds).map((sweep) => frameStepsOf(steps, stops.chapter, sweep)),
  );
}

/** Steps through which the player runs without a stop, before their kind is known. */
interface Sweep {
  readonly steps: Span;
  readonly isFold: boolean;
}

/** Whether the last of these steps is unusual: not done for every non-zero, such as a padding. */
export function isUnusual({ kind }: Pick<FrameSteps, 'kind'>): boolean {
  return kind !== 'fold' && kind !== 'step' && !ENDING_EVENTS.includes(kind);
}

/** The kind of the steps of a sweep, by the last of them. */
function frameStepsOf(steps: readonly SurveyedStep[], chapter: number, { steps: span, isFold }: Sweep): FrameSteps {
  const last = steps[span.to];
  const kind = isFold && span.to > span.from ? 'fold' : (last.kind.event ?? 'step');
  return { steps: span, kind, chapter, isAgain: last.earlierOfSameKind > 0 };
}

/** The stops of one chapter, in order: its steps that are worth a frame. */
class ChapterStops {
  readonly chapter: number;
  readonly span: Span;
  #stops: readonly number[] = [];

  constructor(chapter: number, span: Span) {
    this.chapter = chapter;
    this.span = span;
  }

  has(step: number): boolean {
    return this.#stops.includes(step);
  }

  /** Adds a stop unless the story would have more than `max`. Returns how many it has now. */
  tryAdd(step: number, count: number, max: number, countsFolds: boolean): number {
    const before = this.#stops;
    const others = count - this.count(countsFolds);
    this.#stops = [...before, step].toSorted((x, y) => x - y);
    const now = others + this.count(countsFolds);
    if (now <= max) return now;
    this.#stops = before;
    return count;
  }

  /** How many frames: the stops, one for steps after the last, and, if `countsFolds`, one for each long run. */
  count(countsFolds: boolean): number {
    const runs = countsFolds ? this.longRuns().length : 0;
    const last = this.#stops.at(-1) ?? this.span.from - 1;
    return this.#stops.length + runs + (last < this.span.to ? 1 : 0);
  }

  /** The runs of steps between two stops that are too long to run on the way. */
  longRuns(): readonly Span[] {
    return this.#runs().filter(({ from, to }) => to - from + 1 > MAX_ON_THE_WAY);
  }

  /** The steps before each stop. */
  #runs(): readonly Span[] {
    return this.#stops.map((stop, i) => ({ from: (this.#stops[i - 1] ?? this.span.from - 1) + 1, to: stop - 1 }));
  }

  /** The sweeps of the chapter; `folds`: the first steps of the runs that are folds. */
  frameSteps(folds: ReadonlySet<number>): readonly Sweep[] {
    const sweeps: Sweep[] = [];
    this.#runs().forEach(({ from, to }, i) => {
      const isFold = folds.has(from);
      if (isFold) sweeps.push({ steps: { from, to }, isFold });
      sweeps.push({ steps: { from: isFold ? to + 1 : from, to: this.#stops[i] }, isFold: false });
    });
    const after = (this.#stops.at(-1) ?? this.span.from - 1) + 1;
    if (after <= this.span.to) sweeps.push({ steps: { from: after, to: this.span.to }, isFold: true });
    return sweeps;
  }
}

/** First steps of the runs that become folds: the longest runs, as long as there are at most `max` frames. */
function chosenFolds(stopsByChapter: readonly ChapterStops[], max: number): ReadonlySet<number> {
  const space = max - stopsByChapter.reduce((sum, stops) => sum + stops.count(false), 0);
  const runs = stopsByChapter.flatMap((stops) => stops.longRuns()).toSorted((x, y) => y.to - y.from - (x.to - x.from));
  return new Set(runs.slice(0, Math.max(0, space)).map(({ from }) => from));
}

interface Candidate {
  readonly step: number;
  readonly stops: ChapterStops;
}

/**
 * Candidates by importance. strong, chosen even instead of folds: first steps of chapters; the first step of each name
 * that is an event such as a padding, then the first step of each name that ends or stores something, by most bytes;
 * then last steps of chapters, if of a new name. weak: second and third steps of a name that stores something, by most
 * bytes; then the first steps of names that store nothing, one chapter after another.
 */
function candidatesByImportance(steps: readonly SurveyedStep[], stopsByChapter: readonly ChapterStops[]) {
  const chapterStarts: Candidate[] = [];
  const firstEvents: Candidate[] = [];
  const firstOfName: Candidate[] = [];
  const chapterEnds: Candidate[] = [];
  const again: Candidate[] = [];
  const storesNothing: (Candidate & { readonly turn: number })[] = [];
  for (const stops of stopsByChapter) {
    const { from, to } = stops.span;
    let turn = 0;
    for (let step = from; step <= to; step++) {
      const { kind, earlierOfSameKind, kindTotals } = steps[step];
      if (earlierOfSameKind >= MAX_OF_SAME_NAME && step > from) continue;
      const candidate = { step, stops };
      if (step === from) chapterStarts.push(candidate);
      else if (earlierOfSameKind > 0) {
        if (kindTotals.bytes > 0 && !isEnd(steps[step])) again.push(candidate);
      } else if (kind.event && !isEnd(steps[step])) firstEvents.push(candidate);
      else if (kind.event || kindTotals.bytes > 0) firstOfName.push(candidate);
      else if (step === to) chapterEnds.push(candidate);
      else storesNothing.push({ ...candidate, turn: turn++ });
    }
  }
  const byBytes = (x: Candidate, y: Candidate): number =>
    steps[y.step].kindTotals.bytes - steps[x.step].kindTotals.bytes || x.step - y.step;
  firstEvents.sort(byBytes);
  firstOfName.sort(byBytes);
  again.sort(byBytes);
  storesNothing.sort((x, y) => x.turn - y.turn || x.step - y.step);
  return {
    strong: [...chapterStarts, ...firstEvents, ...firstOfName, ...chapterEnds],
    weak: [...again, ...storesNothing],
  };
}

/**
 * All steps as candidates of a story with too few, in this order: second and third steps of each name, further paddings
 * and the like, row ends and sums, last steps of chapters, and the others.
 */
function furtherCandidates(
  steps: readonly SurveyedStep[],
  stopsByChapter: readonly ChapterStops[],
): readonly Candidate[] {
  const byRank: Candidate[][] = [[], [], [], [], []];
  for (const stops of stopsByChapter) {
    const { from, to } = stops.span;
    for (let step = from; step <= to; step++) {
      const { kind, earlierOfSameKind } = steps[step];
      const again = earlierOfSameKind < MAX_OF_SAME_NAME && !isEnd(steps[step]);
      const ranks = [again, kind.event && !isEnd(steps[step]), kind.event, step === to, true];
      byRank[ranks.findIndex(Boolean)].push({ step, stops });
    }
  }
  return byRank.flat();
}

/** Whether a step ends a row in memory, or the sums of rows of y. */
function isEnd({ kind: { event } }: SurveyedStep): boolean {
  return event !== undefined && ENDING_EVENTS.includes(event);
}
