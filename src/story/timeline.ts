import { type Frame, type FrameContext, frameWords, restMs } from './frames.ts';
import { joinStories, type JoinedFrame, type JoinedStories } from './joined-stories.ts';
import { isUnusual, frameSteps } from './frame-steps.ts';
import type { Scene } from './scene.ts';
import { groupEnds, stopsOf } from './step-groups.ts';
import type { TracedStory } from './step-kind.ts';
import type { Chapter, Trace } from './trace.ts';

/** A tick (an instant of the player's clock) at which the player stops, unless the player shows every step. */
export interface TimelineFrame {
  /** the tick; never below the tick of the previous frame */
  readonly at: number;
  /** title of its chapter */
  readonly chapter: string;
  /** the frame of the story's script; null without a script: the player runs through the ticks up to this one */
  readonly scriptFrame: Frame | null;
}

/**
 * The course of one story (the animation of a format), or of two at once, A and B: at tick t, A has done `a[t]` of its
 * steps and B `b[t]`; at tick 0 none. Neither number ever falls, and at the end both stories have done all steps.
 */
export interface Timeline {
  readonly a: Uint32Array;
  /** null where A plays alone; where B plays alone, `a` stays 0 */
  readonly b: Uint32Array | null;
  /** counted in ticks */
  readonly chapters: readonly Chapter[];
  /** the first shows the state before anything happens, or begins the script */
  readonly frames: readonly TimelineFrame[];
  /** the ticks at which the player stops while it shows every step: at the ends of groups of steps, ascending from 0 */
  readonly stops: readonly number[];
}

/** A trace whose story may have a script (`frames`), or at least a first and a last frame (`ends`). */
interface ScriptedStory extends TracedStory {
  readonly story: TracedStory['story'] & {
    frames?(t: Trace): readonly Frame[];
    ends?(t: Trace): readonly [first: Frame, last: Frame];
  };
}

/** The timeline of one story: its steps are the ticks, its frames come from its script, or else are chosen. */
export function timelineOf(traced: ScriptedStory, side: 'a' | 'b' = 'a'): Timeline {
  const { story, trace } = traced;
  const { steps, chapters } = trace;
  const stepAtTick = Uint32Array.from({ length: steps.length + 1 }, (_, step) => step);
  const scriptedFrame = (frame: Frame): TimelineFrame => ({
    at: frame.step,
    chapter: frame.chapter,
    scriptFrame: frame,
  });
  const chosenFrames = (max: number): readonly TimelineFrame[] =>
    framesOf(
      frameSteps(traced).map((candidate) => ({
        at: candidate.steps.to + 1,
        chapter: chapters[candidate.chapter].title,
        isUnusual: isUnusual(candidate),
        isAgain: candidate.isAgain,
      })),
      max,
    );
  const [first, last] = story.ends?.(trace).map(scriptedFrame) ?? [];
  const frames =
    story.frames?.(trace).map(scriptedFrame) ??
    (first && last ? [first, ...chosenFrames(MAX_CHOSEN_FRAMES - 1).slice(1), last] : chosenFrames(MAX_CHOSEN_FRAMES));
  const shared = { chapters, frames, stops: stopsOf(groupEnds(traced), chapters) };
  return side === 'a'
    ? { a: stepAtTick, b: null, ...shared }
    : { a: stepAtTick.map(() => 0), b: stepAtTick, ...shared };
}

/** Maximum number of frames of a story without a script, besides the one before anything happens. */
export const MAX_CHOSEN_FRAMES = 9;

/** A tick that may become a frame. */
interface CandidateFrame extends Pick<TimelineFrame, 'at' | 'chapter'> {
  readonly isUnusual: boolean;
  /** whether an earlier step has the same name; absent for two joined stories */
  readonly isAgain?: boolean;
}

/**
 * A frame before anything happens, and those chosen from the candidates. Of more than `max`: the last one, the first of
 * each chapter, those at which something unusual happens, those with a step of a new name, and the earliest others.
 */
function framesOf(candidates: readonly CandidateFrame[], max = MAX_CHOSEN_FRAMES): readonly TimelineFrame[] {
  const rank = ({ chapter, isUnusual, isAgain }: CandidateFrame, i: number): number => {
    if (i === candidates.length - 1) return 0;
    return chapter !== candidates[i - 1]?.chapter ? 1 : isUnusual ? 2 : isAgain ? 4 : 3;
  };
  const kept = candidates
    .map((candidate, i) => ({ ...candidate, rank: rank(candidate, i) }))
    .toSorted((x, y) => x.rank - y.rank)
    .slice(0, max)
    .toSorted((x, y) => x.at - y.at);
  const opening = { at: 0, chapter: candidates[0]?.chapter ?? '' };
  return [opening, ...kept].map(({ at, chapter }) => ({ at, chapter, scriptFrame: null }));
}

/**
 * Two stories of one window (part of a matrix), joined by its cells. On the way to a frame, steps of equal progress
 * share ticks; the story with fewer steps shows each for several ticks. Throws RangeError if the windows have different
 * shapes.
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
  const candidates = joined.frames.map(({ isUnusual: unusual }, i) => {
    const from = i === 0 ? 0 : ends[i - 1];
    const { side, index } = chapterOf[i];
    if (!current || keyOf(current) !== keyOf(chapterOf[i])) {
      const { id, title } = (side === 'a' ? a : b).trace.chapters[index];
      // Both stories may have a chapter of the same name.
      chapters.push({ id: side === 'a' ? id : `b-${id}`, title, firstStep: from, stepCount: 0 });
      current = chapterOf[i];
    }
    const chapter = chapters.length - 1;
    const { firstStep } = chapters[chapter];
    chapters[chapter] = { ...chapters[chapter], stepCount: ends[i] - firstStep };
    return { at: ends[i], chapter: chapters[chapter].title, isUnusual: unusual };
  });
  const inTicks = { a: Uint32Array.from(ticks.a), b: Uint32Array.from(ticks.b) };
  const groups = new Set([...ticksOf(inTicks.a, groupEnds(a)), ...ticksOf(inTicks.b, groupEnds(b)), ...ends.slice(-1)]);
  const stops = stopsOf(
    [...groups].toSorted((x, y) => x - y),
    chapters,
  );
  return { ...inTicks, chapters, frames: framesOf(candidates), stops };
}

/** The last tick at which a story has done each of these numbers of steps, or else the first at which it has done more. */
function ticksOf(steps: Uint32Array, ends: readonly number[]): readonly number[] {
  let tick = 0;
  return ends.map((end) => {
    while (tick + 1 < steps.length && (steps[tick + 1] <= end || steps[tick] < end)) tick++;
    return tick;
  });
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
  if (scriptFrame) return restMs(scriptFrame.narration(UNKNOWN), scriptFrame.pause);
  const before = index === 0 ? 0 : frames[index - 1].at;
  // As in the player: a frame in which only B advances has the words of B.
  const isOfB = stories.b !== null && (stories.a === null || (a[at] === a[before] && b?.[at] !== b?.[before]));
  const [narrated, step] = isOfB ? [stories.b, b?.[at] ?? 0] : [stories.a, a[at]];
  if (!narrated) return restMs({ text: '' });
  const scene = narrated.story.scene(narrated.trace, step);
  const words = stories.a && stories.b ? scene.narration : frameWords(scene);
  return restMs({ text: words.map(({ text }) => text).join('') });
}

/** The context in which the words of a text are counted: any other context has about as many. */
const UNKNOWN: FrameContext = { layout: 'wide', wholeMatrix: null, recordedTimes: null };

/** Adds the ticks of a frame. Steps of equal `progress` in both stories share as many ticks as the longer needs. */
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

/** The chapter of every frame. No chapter ends and comes again: inside a chapter of A, frames of B belong to it. */
function orderedChapters(frames: readonly JoinedFrame[]): readonly JoinedFrame['chapter'][] {
  /** by frame, the chapter of A that it is in or that follows */
  const nextOfA: JoinedFrame['chapter'][] = [];
  for (let i = frames.length - 1, next = frames[i]?.chapter; i >= 0; i--) {
    if (frames[i].chapter.side === 'a') next = frames[i].chapter;
    nextOfA[i] = next;
  }
  const ended = new Set<string>();
  let current: JoinedFrame['chapter'] | null = null;
  let lastOfA: JoinedFrame['chapter'] | null = null;
  return frames.map(({ chapter }, i) => {
    const isWithin = chapter.side === 'b' && lastOfA !== null && keyOf(nextOfA[i]) === keyOf(lastOfA);
    const frameChapter = current !== null && (isWithin || ended.has(keyOf(chapter))) ? current : chapter;
    if (current && keyOf(current) !== keyOf(frameChapter)) ended.add(keyOf(current));
    if (frameChapter.side === 'a') lastOfA = frameChapter;
    current = frameChapter;
    return frameChapter;
  });
}
