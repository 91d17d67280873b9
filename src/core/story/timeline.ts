import { type Frame, type FrameContext, frameWords, restMs } from './frames.ts';
import { joinStories, type JoinedFrame, type JoinedStories } from './joined-stories.ts';
import { isUnusual, frameSteps } from './frame-steps.ts';
import type { Scene } from './scene.ts';
import type { TracedStory } from './step-kind.ts';
import type { Chapter, Trace } from './trace.ts';

/** A tick (an instant of the player's clock) at which the player stops, unless it shows every step. */
export interface TimelineFrame {
  /** the tick; never below that of the previous frame */
  readonly at: number;
  /** title of its chapter */
  readonly chapter: string;
  /** the frame of the script; null without one: the picture of the tick, after those before it without a stop */
  readonly scriptFrame: Frame | null;
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
  /** from the state before anything happened, or the first of a script, to the end */
  readonly frames: readonly TimelineFrame[];
}

/** A trace whose story may have a script (`frames`), or at least a first and a last frame (`ends`). */
interface ScriptedStory extends TracedStory {
  readonly story: TracedStory['story'] & {
    frames?(t: Trace): readonly Frame[];
    ends?(t: Trace): readonly [first: Frame, last: Frame];
  };
}

/** The timeline of one story: its steps are the ticks, its frames those of its script, or else chosen. */
export function timelineOf(traced: ScriptedStory, side: 'a' | 'b' = 'a'): Timeline {
  const { story, trace } = traced;
  const { steps, chapters } = trace;
  const own = Uint32Array.from({ length: steps.length + 1 }, (_, step) => step);
  const directedAt = (frame: Frame): TimelineFrame => ({ at: frame.step, chapter: frame.chapter, scriptFrame: frame });
  const chosen = (max: number): readonly TimelineFrame[] =>
    framesOf(
      frameSteps(traced).map((one) => ({
        at: one.steps.to + 1,
        chapter: chapters[one.chapter].title,
        isUnusual: isUnusual(one),
        isAgain: one.isAgain,
      })),
      max,
    );
  const [first, last] = story.ends?.(trace).map(directedAt) ?? [];
  const frames =
    story.frames?.(trace).map(directedAt) ??
    (first && last ? [first, ...chosen(MAX_RESTS - 1).slice(1), last] : chosen(MAX_RESTS));
  return side === 'a' ? { a: own, b: null, chapters, frames } : { a: own.map(() => 0), b: own, chapters, frames };
}

/** The most frames of a story without a script, besides the one before anything happened. */
export const MAX_RESTS = 9;

/** A tick that may become a frame. */
interface Rest extends Pick<TimelineFrame, 'at' | 'chapter'> {
  readonly isUnusual: boolean;
  /** whether an earlier step has the same name; absent for two joined stories */
  readonly isAgain?: boolean;
}

/**
 * Frames of rests, after one before anything happened. Of more than `max`: the last one, the first of each chapter,
 * those at which something unusual happens, those with a step of a new name, and the earliest of the others.
 */
function framesOf(rests: readonly Rest[], max = MAX_RESTS): readonly TimelineFrame[] {
  const rank = ({ chapter, isUnusual, isAgain }: Rest, i: number): number => {
    if (i === rests.length - 1) return 0;
    return chapter !== rests[i - 1]?.chapter ? 1 : isUnusual ? 2 : isAgain ? 4 : 3;
  };
  const kept = rests
    .map((rest, i) => ({ ...rest, rank: rank(rest, i) }))
    .toSorted((x, y) => x.rank - y.rank)
    .slice(0, max)
    .toSorted((x, y) => x.at - y.at);
  const opening = { at: 0, chapter: rests[0]?.chapter ?? '' };
  return [opening, ...kept].map(({ at, chapter }) => ({ at, chapter, scriptFrame: null }));
}

/**
 * Two stories of one window, joined by its cells. On the way to a frame, steps of equal progress share ticks; the story
 * with fewer of them shows each for several ticks. Throws RangeError if the windows have different shapes.
 */
export function joinedTimeline(a: TracedStory, b: TracedStory): Timeline {
  const joined = joinStories(a, b);
  const ticks = { a: [0], b: [0] };
  const ends = joined.frames.map((frame) => {
    addTicks(ticks, frame, joined);
    return ticks.a.length - 1;
  });
  const chapterOf = orderedChapters(joined.frames);
  const chapters: Chapter[] = [];
  let current: JoinedFrame['chapter'] | null = null;
  const rests = joined.frames.map(({ isUnusual: unusual }, i) => {
    const from = i === 0 ? 0 : ends[i - 1];
    const own = chapterOf[i];
    if (!current || keyOf(current) !== keyOf(own)) {
      const { id, title } = (own.side === 'a' ? a : b).trace.chapters[own.index];
      // Both stories may have a chapter of the same name.
      chapters.push({ id: own.side === 'a' ? id : `b-${id}`, title, firstStep: from, stepCount: 0 });
      current = own;
    }
    const chapter = chapters.length - 1;
    const { firstStep } = chapters[chapter];
    chapters[chapter] = { ...chapters[chapter], stepCount: ends[i] - firstStep };
    return { at: ends[i], chapter: chapters[chapter].title, isUnusual: unusual };
  });
  return { a: Uint32Array.from(ticks.a), b: Uint32Array.from(ticks.b), chapters, frames: framesOf(rests) };
}

/** A story whose pictures a frame shows. */
interface PicturedStory {
  readonly story: { scene(t: Trace, step: number): Scene };
  readonly trace: Trace;
}

/** How long a frame, by its index, rests at speed 1: until its words can have been read. */
export function pauseAfterFrameMs(
  { a, b, frames }: Timeline,
  index: number,
  stories: { readonly a: PicturedStory | null; readonly b: PicturedStory | null },
): number {
  const { at, scriptFrame } = frames[index];
  if (scriptFrame) return restMs(scriptFrame.sentence(UNKNOWN), scriptFrame.pause);
  const before = index === 0 ? 0 : frames[index - 1].at;
  // As in the player: a frame in which only B advances has the words of B.
  const isOfB = stories.b !== null && (stories.a === null || (a[at] === a[before] && b?.[at] !== b?.[before]));
  const [narrated, step] = isOfB ? [stories.b, b?.[at] ?? 0] : [stories.a, a[at]];
  if (!narrated) return restMs({ text: '' });
  const scene = narrated.story.scene(narrated.trace, step);
  const words = stories.a && stories.b ? scene.narration : frameWords(scene);
  return restMs({ text: words.map(({ text }) => text).join('') });
}

/** The context in which the words of a sentence are counted: they are about as many in any other. */
const UNKNOWN: FrameContext = { layout: 'wide', whole: null, recordedTimes: null };

/** Adds the ticks of a frame. Steps of equal `progress` in both stories share ticks: as many as the longer needs. */
function addTicks(
  ticks: { readonly a: number[]; readonly b: number[] },
  frame: Pick<JoinedFrame, 'a' | 'b'>,
  { progress }: Pick<JoinedStories, 'progress'>,
): void {
  let a = ticks.a[ticks.a.length - 1];
  let b = ticks.b[ticks.b.length - 1];
  const [endOfA, endOfB] = [frame.a ? frame.a.to + 1 : a, frame.b ? frame.b.to + 1 : b];
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

function keyOf({ side, index }: JoinedFrame['chapter']): string {
  return `${side}${index}`;
}

/** The chapter of every frame, so that none ends and comes again: where B's would, it is part of the one around. */
function orderedChapters(frames: readonly JoinedFrame[]): readonly JoinedFrame['chapter'][] {
  const nextOfA: JoinedFrame['chapter'][] = [];
  for (let i = frames.length - 1, next = frames[i]?.chapter; i >= 0; i--) {
    if (frames[i].chapter.side === 'a') next = frames[i].chapter;
    nextOfA[i] = next;
  }
  const ended = new Set<string>();
  let current: JoinedFrame['chapter'] | null = null;
  let ofA: JoinedFrame['chapter'] | null = null;
  return frames.map(({ chapter }, i) => {
    const isWithin = chapter.side === 'b' && ofA !== null && keyOf(nextOfA[i]) === keyOf(ofA);
    const own = current !== null && (isWithin || ended.has(keyOf(chapter))) ? current : chapter;
    if (current && keyOf(current) !== keyOf(own)) ended.add(keyOf(current));
    if (own.side === 'a') ofA = own;
    current = own;
    return own;
  });
}
