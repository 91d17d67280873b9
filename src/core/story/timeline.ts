import type { FirstDifference } from './first-difference.ts';
import { joinStories, type JoinedMoment, type JoinedStories } from './joined-moments.ts';
import { keyMoments, type Moment } from './moments.ts';
import type { TracedStory } from './step-kind.ts';
import type { Chapter } from './trace.ts';

/** A place where the player rests: a key moment. */
export interface Stop {
  /** the tick that it rests at */
  readonly at: number;
  /** the tick of the stop before; more than one before `at`, the way is swept */
  readonly from: number;
  /** a few words on its mark */
  readonly name: string;
  readonly kind: Moment['kind'];
  /** whose it is, if the other story has nothing like it here */
  readonly alone: 'a' | 'b' | null;
  /** index into the chapters of the timeline */
  readonly chapter: number;
  /** where the first slot that differs has been stored by both */
  readonly difference?: FirstDifference;
}

/**
 * One player's way through one story, or two at once: after tick t, from 0 (before anything happened), it shows step
 * `a[t]` of the one and `b[t]` of the other. Neither ever falls, and both end at the last step.
 */
export interface Timeline {
  readonly a: Uint32Array;
  /** null where A plays alone; where B does, a stays 0 */
  readonly b: Uint32Array | null;
  /** counted in ticks */
  readonly chapters: readonly Chapter[];
  readonly stops: readonly Stop[];
}

/** A story alone: its steps are the ticks. */
export function timelineOf(story: TracedStory, side: 'a' | 'b' = 'a'): Timeline {
  const { steps, chapters } = story.trace;
  const own = Uint32Array.from({ length: steps.length + 1 }, (_, step) => step);
  const stops = keyMoments(story).map(({ steps: { from, to }, name, kind, chapter }): Stop => ({
    at: to + 1,
    from,
    name,
    kind,
    alone: null,
    chapter,
  }));
  return side === 'a' ? { a: own, b: null, chapters, stops } : { a: own.map(() => 0), b: own, chapters, stops };
}

/**
 * Two stories of one window, joined by its cells. Each joined moment is a stop. On the way to it, steps that are as far
 * run together, and the story with fewer of them is shown to its next one last. Throws RangeError if the windows have
 * different shapes.
 */
export function joinedTimeline(a: TracedStory, b: TracedStory): Timeline {
  const joined = joinStories(a, b);
  const ticks = { a: [0], b: [0] };
  const ends = joined.moments.map((moment) => {
    addTicks(ticks, moment, joined);
    return ticks.a.length - 1;
  });
  const chapterOf = orderedChapters(joined.moments);
  const chapters: Chapter[] = [];
  let current: JoinedMoment['chapter'] | null = null;
  const stops = joined.moments.map(({ name, kind, alone, difference }, i): Stop => {
    const from = i === 0 ? 0 : ends[i - 1];
    const of = chapterOf[i];
    if (!current || keyOf(current) !== keyOf(of)) {
      const { id, title } = (of.of === 'a' ? a : b).trace.chapters[of.index];
      // Both stories may have a chapter of the same name.
      chapters.push({ id: of.of === 'a' ? id : `b-${id}`, title, firstStep: from, stepCount: 0 });
      current = of;
    }
    const chapter = chapters.length - 1;
    const { firstStep } = chapters[chapter];
    chapters[chapter] = { ...chapters[chapter], stepCount: ends[i] - firstStep };
    return { at: ends[i], from, name, kind, alone, chapter, ...(difference && { difference }) };
  });
  return { a: Uint32Array.from(ticks.a), b: Uint32Array.from(ticks.b), chapters, stops };
}

/** Adds the ticks of a moment: for every number of progress as many as the longer of the two stories has steps. */
function addTicks(
  ticks: { readonly a: number[]; readonly b: number[] },
  moment: Pick<JoinedMoment, 'a' | 'b'>,
  { progress }: Pick<JoinedStories, 'progress'>,
): void {
  let a = ticks.a[ticks.a.length - 1];
  let b = ticks.b[ticks.b.length - 1];
  const [endOfA, endOfB] = [moment.a ? moment.a.to + 1 : a, moment.b ? moment.b.to + 1 : b];
  while (a < endOfA || b < endOfB) {
    const reached = Math.min(a < endOfA ? progress.a[a] : Infinity, b < endOfB ? progress.b[b] : Infinity);
    const [stepsOfA, stepsOfB] = [runTo(progress.a, a, endOfA, reached), runTo(progress.b, b, endOfB, reached)];
    const count = Math.max(stepsOfA, stepsOfB);
    for (let k = 1; k <= count; k++) {
      ticks.a.push(a + Math.floor((k * stepsOfA) / count));
      ticks.b.push(b + Math.floor((k * stepsOfB) / count));
    }
    a += stepsOfA;
    b += stepsOfB;
  }
}

/** How many steps from `from` are not further than `reached`. */
function runTo(progress: Float64Array, from: number, end: number, reached: number): number {
  let to = from;
  while (to < end && progress[to] <= reached) to++;
  return to - from;
}

function keyOf({ of, index }: JoinedMoment['chapter']): string {
  return `${of}${index}`;
}

/** The chapter of every moment, so that none is left and comes again: where B's would, it is part of the one around. */
function orderedChapters(moments: readonly JoinedMoment[]): readonly JoinedMoment['chapter'][] {
  const nextOfA: JoinedMoment['chapter'][] = [];
  for (let i = moments.length - 1, next = moments[i]?.chapter; i >= 0; i--) {
    if (moments[i].chapter.of === 'a') next = moments[i].chapter;
    nextOfA[i] = next;
  }
  const left = new Set<string>();
  let current: JoinedMoment['chapter'] | null = null;
  let ofA: JoinedMoment['chapter'] | null = null;
  return moments.map(({ chapter }, i) => {
    const isWithin = chapter.of === 'b' && ofA !== null && keyOf(nextOfA[i]) === keyOf(ofA);
    const own = current !== null && (isWithin || left.has(keyOf(chapter))) ? current : chapter;
    if (current && keyOf(current) !== keyOf(own)) left.add(keyOf(current));
    if (own.of === 'a') ofA = own;
    current = own;
    return own;
  });
}
