/* The pictures of an exported story or chapter: every step, or only the frames at which the player rests. */

import { plainWords } from '../../core/text/words.ts';
import { type FrameContext, frameScene, frameWords, restMs, wordsOf } from '../../story/frames.ts';
import { type Scene } from '../../story/scene.ts';
import type { Timeline } from '../../story/timeline.ts';
import {
  type AppDocument,
  atStep,
  chapterAt,
  frameReference,
  isQuestion,
  lastTick,
  type PlayerState,
  QUESTION_MS,
  STEP_MS,
} from '../../state/index.ts';
import type { Heading } from '../../render/index.ts';
import type { SceneSource } from '../../kit/stage/use-scene.ts';

/** Maximum number of steps that a film (an exported GIF) shows between two frames, and the time for each, ms. */
const SWEPT_STEPS = 12;
const SWEPT_STEP_MS = 160;

/** Maximum number of pictures in an export; a message rejects more before anything is drawn. */
export const MAX_PICTURES = 1000;

/** What is exported: frames or every step, of a chapter or of the whole story. */
export interface ExportScope {
  readonly unit: 'frames' | 'steps';
  readonly part: 'chapter' | 'story';
}

/** A picture of a story with its text, and the pictures before it in a film. */
export interface ExportedPicture extends Heading {
  readonly scene: Scene;
  /** similar scenes, by which its scale is chosen; empty: not enlarged */
  readonly sizeGroup: readonly Scene[];
  /** pictures of the transition, each with the duration of the movement to it; the movement to `scene` takes `ms` */
  readonly transition: readonly { readonly scene: Scene; readonly ms: number }[];
  readonly ms: number;
  /** how long it rests in a film, ms */
  readonly restMs: number;
  readonly chapter: string;
  /** where it is in the story, as an address has it: a frame without questions, or a step */
  readonly position: Pick<AppDocument, 'frame' | 'step'>;
}

/** The open story and the position of its player. */
export interface StoryOnStage {
  readonly source: SceneSource;
  readonly timeline: Timeline;
  readonly context: FrameContext;
  readonly player: Pick<PlayerState, 'frame' | 'frames' | 'step'>;
}

/** The number of pictures in an export. A question has two: before and after its answer. O(frames + chapters). */
export function pictureCount(story: StoryOnStage, scope: ExportScope): number {
  if (scope.unit === 'steps') return ticksOf(story, scope).length;
  return framesOf(story, scope).reduce((sum, i) => sum + (isQuestion(story.player.frames[i]) ? 2 : 1), 0);
}

/** The title of the current chapter; '' if there is none. */
export function chapterOnStage({ timeline, player }: StoryOnStage, { unit }: ExportScope): string {
  if (unit === 'steps') return timeline.chapters[chapterAt(timeline.chapters, player.step)]?.title ?? '';
  return player.frames[currentFrame(player)]?.chapter ?? '';
}

/** Yields the pictures of an export one by one. */
export function* exportedPictures(story: StoryOnStage, scope: ExportScope): Generator<ExportedPicture, void, void> {
  const { source, timeline, context, player } = story;
  const atTick = (tick: number): Pick<ExportedPicture, 'scene' | 'sizeGroup' | 'words'> => {
    const scene = source.at(tick);
    return { scene, sizeGroup: source.sizeGroup(tick), words: scene.narration };
  };
  if (scope.unit === 'steps') {
    for (const tick of ticksOf(story, scope)) {
      const chapter = timeline.chapters[chapterAt(timeline.chapters, tick)]?.title ?? '';
      yield { ...atTick(tick), transition: [], ms: STEP_MS / 3, restMs: STEP_MS, chapter, position: atStep(tick) };
    }
    return;
  }
  for (const i of framesOf(story, scope)) {
    const { at, chapter, scriptFrame: frame } = player.frames[i];
    const location = { chapter, position: { frame: frameReference(player.frames, i + 1), step: 0 } };
    // A frame of the story's script has its own text and pictures; any other frame shows a step.
    if (!frame) {
      const words = frameWords(source.at(at));
      const rest = restMs({ text: plainWords(words) });
      yield {
        ...atTick(at),
        words,
        ...sweptTransition(source, player.frames[i - 1]?.at ?? at, at),
        restMs: rest,
        ...location,
      };
      continue;
    }
    const sceneAt = (picture: number): Scene => frameScene(frame, picture, context);
    const words = wordsOf(frame.narration(context));
    // A question: a picture with its options, then one with the answer.
    if (frame.question) {
      const { options, answer, because } = frame.question;
      const [before, after] = [sceneAt(0), sceneAt(1)];
      const [questionMs, answerMs] = frame.moves;
      yield {
        scene: before,
        sizeGroup: [],
        words,
        options,
        transition: [],
        ms: questionMs,
        restMs: QUESTION_MS,
        ...location,
      };
      const answered = { words: wordsOf(because), options, answer };
      yield {
        scene: after,
        sizeGroup: [],
        ...answered,
        transition: [],
        ms: answerMs,
        restMs: QUESTION_MS,
        ...location,
      };
      continue;
    }
    // A frame with several pictures rests at the last; the others are its transition.
    const last = frame.moves.length - 1;
    const transition = frame.moves.slice(0, last).map((ms, picture) => ({ scene: sceneAt(picture), ms }));
    const rest = restMs(frame.narration(context), frame.pause);
    yield { scene: sceneAt(last), sizeGroup: [], words, transition, ms: frame.moves[last], restMs: rest, ...location };
  }
}

/** The transition of a film between two frames: at most `SWEPT_STEPS` of the steps between them. */
function sweptTransition(source: SceneSource, from: number, to: number): Pick<ExportedPicture, 'transition' | 'ms'> {
  const between = Math.max(0, to - from - 1);
  const count = Math.min(between, SWEPT_STEPS);
  const transition = Array.from({ length: count }, (_, i) => {
    return { scene: source.at(from + Math.ceil(((i + 1) * between) / count)), ms: SWEPT_STEP_MS };
  });
  return { transition, ms: SWEPT_STEP_MS };
}

/** The index of the current frame; if every step is played, the index of the last frame reached. */
function currentFrame({ frame, frames, step }: StoryOnStage['player']): number {
  return frame === null
    ? Math.max(
        0,
        frames.findLastIndex(({ at }) => at <= step),
      )
    : frame - 1;
}

/** The indexes of the frames to export. */
function framesOf({ player }: StoryOnStage, { part }: ExportScope): readonly number[] {
  const indexes = player.frames.map((_, i) => i);
  if (part === 'story') return indexes;
  const chapter = player.frames[currentFrame(player)]?.chapter;
  return indexes.filter((i) => player.frames[i].chapter === chapter);
}

/** The player's positions (ticks) to export: 0 is before the first step; any other shows a step of each story. */
function ticksOf({ timeline, player }: StoryOnStage, { part }: ExportScope): readonly number[] {
  const ticks = Array.from({ length: lastTick(timeline) + 1 }, (_, tick) => tick);
  const chapter = chapterAt(timeline.chapters, player.step);
  return part === 'story' || chapter < 0
    ? ticks
    : ticks.filter((tick) => chapterAt(timeline.chapters, tick) === chapter);
}
