/* Messages between this page and the page that embeds it, which requests steps and gets a report of each step. */

import { type Pace, threadPace } from '../../core/pace.ts';
import type { AnyListedFormat } from '../../core/format.ts';
import { clip, quotedValue } from '../../core/bounds/quote.ts';
import { type Frame, type FrameContext, frameWords, wordsOf } from '../../story/frames.ts';
import { plainWords } from '../../core/text/words.ts';
import type { App } from '../../kit/app-context.ts';
import type { PageStory } from '../../kit/page-parts.ts';
import {
  chapterAt,
  chapterStart,
  type Player,
  visibleStory,
  lastTick,
  countedFrames,
  frameOfNumber,
  numberOfFrame,
  type PlayerState,
} from '../../state/index.ts';
import { stageScenesOf } from '../../kit/stage/use-scene.ts';

/** The `sparsescope` field of every message: the version of the protocol in docs/embedding.md. */
const PROTOCOL = 1;

/** A message from the embedding page. */
type Request =
  /** goes to a step, from 0 to the last, or to a frame, from 1; pauses */
  | { readonly type: 'go'; readonly step: number }
  | { readonly type: 'go'; readonly frame: number }
  /** goes to the beginning of a chapter, by its id */
  | { readonly type: 'go'; readonly chapter: string }
  | { readonly type: 'play' }
  | { readonly type: 'pause' };

/** Where the player is, in every report. */
interface Position {
  readonly step: number;
  readonly steps: number;
  readonly chapter: string;
  readonly playing: boolean;
  /** number of the frame (a picture at which the story rests), from 1; a question has the number of the frame before it */
  readonly frame?: number;
  /** how many frames there are, without questions */
  readonly frames?: number;
  readonly words: string;
}

/** A message to the embedding page. */
type Report =
  /** a story has been loaded */
  | ({ readonly type: 'ready'; readonly format: string; readonly chapters: readonly ChapterReport[] } & Position)
  | ({ readonly type: 'step' } & Position)
  /** a request could not be fulfilled */
  | { readonly type: 'problem'; readonly message: string };

interface ChapterReport {
  readonly id: string;
  readonly title: string;
  /** its first step */
  readonly step: number;
}

const REQUEST_TYPES = ['go', 'play', 'pause'] as const;

/** Parses a message. Returns a request, an error message if it is malformed, or null if it is not of this protocol. */
export function readRequest(data: unknown): Request | string | null {
  if (typeof data !== 'object' || data === null || !('sparsescope' in data)) return null;
  if (data.sparsescope !== PROTOCOL)
    return `sparsescope: found ${quotedValue(data.sparsescope)}, expected ${PROTOCOL}.`;
  const type = 'type' in data ? data.type : undefined;
  if (type === 'play' || type === 'pause') return { type };
  if (type !== 'go') return `type: found ${quotedValue(type)}, expected one of ${REQUEST_TYPES.join(', ')}.`;
  if ('step' in data) {
    const { step } = data;
    if (typeof step === 'number' && Number.isInteger(step) && step >= 0) return { type, step };
    return `step: found ${quotedValue(step)}, expected a whole number from 0.`;
  }
  if ('frame' in data) {
    const { frame } = data;
    if (typeof frame === 'number' && Number.isInteger(frame) && frame >= 1) return { type, frame };
    return `frame: found ${quotedValue(frame)}, expected a whole number from 1.`;
  }
  if ('chapter' in data && typeof data.chapter === 'string') return { type, chapter: data.chapter };
  return 'go: found no step, frame or chapter, expected one of them.';
}

/** The part of this page's window that is used here; `parent` is the window of the embedding page. */
export interface EmbeddedWindow {
  readonly parent: { postMessage(message: unknown, targetOrigin: string): void };
  addEventListener(type: 'message', listener: (event: MessageLike) => void): void;
  removeEventListener(type: 'message', listener: (event: MessageLike) => void): void;
}

export interface MessageLike {
  readonly data: unknown;
  readonly origin: string;
  readonly source: unknown;
}

/** The story as reports to the embedding page describe it. */
interface Narration {
  /** identifies the story: another story is another object */
  readonly story: object;
  readonly format: string;
  readonly steps: number;
  /** the text of a step, or of the frame `scriptFrame` if it is shown instead */
  words(step: number, scriptFrame: Frame | null): string;
}

/** The current narration, null before the first story, and a signal whenever it may have changed. */
export interface StoryReporter {
  narration(): Narration | null;
  subscribe(listener: () => void): () => void;
}

/** The part of the application that `stageReporter` reads. */
interface ReportedApp extends Pick<App, 'player'> {
  readonly session: Pick<App['session'], 'store'>;
  readonly formats: readonly Pick<AnyListedFormat, 'id' | 'title'>[];
}

/** Reports the story on the stage, with its texts. A tick is a step of one story, or of the timeline that two share. */
export function stageReporter(
  { session: { store }, player, formats }: ReportedApp,
  contextOf: () => FrameContext,
): StoryReporter {
  return {
    narration() {
      const { trace, storyB, timeline, joinScenes } = store.getState();
      const [a, b] = [visibleStory(trace), visibleStory(storyB)];
      const loaded = a ?? b;
      if (!loaded) return null;
      const wordsOfTick = (tick: number): string => {
        const everyStep = player.store.getState().frame === null;
        const scenes = stageScenesOf({ a, b, timeline, joinScenes, everyStep }, formats);
        if (!scenes) return '';
        const scene = scenes.source.at(tick);
        return plainWords(everyStep ? scene.narration : frameWords(scene));
      };
      return {
        story: timeline ?? loaded.trace,
        format: loaded.trace.format,
        steps: timeline ? lastTick(timeline) : loaded.trace.steps.length,
        words: (step, scriptFrame) =>
          scriptFrame ? plainWords(wordsOf(scriptFrame.narration(contextOf()))) : wordsOfTick(step),
      };
    },
    subscribe: (listener) => store.subscribe(listener),
  };
}

/** Reports the story of another page, such as Write, under the format that the address names. */
export function pageReporter(story: PageStory, format: string): StoryReporter {
  const narration: Narration = {
    story,
    format,
    steps: story.stepCount,
    words: (step) => plainWords(story.words(step)),
  };
  return { narration: () => narration, subscribe: () => () => {} };
}

/** Minimum time between two redraws for the embedding page, which may request thousands of steps, ms. */
const MIN_REDRAW_MS = 16;

/** Requests since the last redraw, merged into the fewest moves with the same outcome. */
interface Pending {
  /** the target of the last `go`, which pauses; null if there was none */
  readonly target: Target | null;
  /** whether play was requested after that; at the last step, play restarts the story */
  readonly plays: boolean;
  /** whether pause was requested last */
  readonly pauses: boolean;
}

type Target = { readonly step: number } | { readonly frame: number };

const NO_REQUEST: Pending = { target: null, plays: false, pauses: false };

/**
 * Exchanges messages with the embedding page: reports each step, and fulfils its requests, at most once per
 * redraw. Messages from other origins than `origin` are ignored. Runs until the returned function is called.
 */
export function serveEmbedder(
  embedded: EmbeddedWindow,
  origin: string,
  { player, reporter }: { readonly player: Player; readonly reporter: StoryReporter },
  pace: Pace = threadPace,
): () => void {
  const report = (message: Report): void => embedded.parent.postMessage({ sparsescope: PROTOCOL, ...message }, origin);
  /** the last reported story and position */
  let lastReport: (Pick<PlayerState, 'step' | 'frame' | 'playing'> & { readonly story: unknown }) | null = null;

  /** whether requests are being carried out: only their outcome is reported */
  let isRunning = false;

  const reportChange = (): void => {
    if (isRunning) return;
    const narration = reporter.narration();
    const { step, stepCount, chapters, playing, frame, frames } = player.store.getState();
    // The player gets the story slightly later than the stage.
    if (!narration || stepCount !== narration.steps) return;
    const { story, format } = narration;
    const isNewStory = lastReport?.story !== story;
    const isSamePosition = lastReport?.step === step && lastReport.frame === frame && lastReport.playing === playing;
    if (!isNewStory && isSamePosition) return;
    lastReport = { story, step, frame, playing };
    const position: Position = {
      step,
      steps: stepCount,
      chapter: chapters[chapterAt(chapters, step)]?.id ?? '',
      playing,
      ...(frame !== null && { frame: numberOfFrame(frames, frame), frames: countedFrames(frames) }),
      words: narration.words(step, frame === null ? null : (frames[frame - 1]?.scriptFrame ?? null)),
    };
    if (!isNewStory) return report({ type: 'step', ...position });
    const chapterReports = chapters.map(({ id, title }, i) => ({ id, title, step: chapterStart(chapters, i) }));
    report({ type: 'ready', format, chapters: chapterReports, ...position });
  };

  let pending = NO_REQUEST;
  let isWaiting = false;
  let isOver = false;
  let nextRedraw = pace.now();

  const runPending = (): void => {
    const { target, plays, pauses } = pending;
    pending = NO_REQUEST;
    nextRedraw = pace.now() + MIN_REDRAW_MS;
    isRunning = true;
    if (target !== null) {
      player.pause();
      player.setEveryStep('step' in target);
      if ('step' in target) player.seek(target.step);
      else player.goTo(target.frame);
    }
    if (plays) player.play();
    if (pauses) player.pause();
    isRunning = false;
    reportChange();
  };
  const scheduleRun = async (): Promise<void> => {
    if (isWaiting) return;
    const wait = nextRedraw - pace.now();
    if (wait > 0) {
      isWaiting = true;
      await pace.pause(wait);
      isWaiting = false;
    }
    if (!isOver) runPending();
  };

  /** The target of a request, or an error message. */
  const targetOf = (request: Request & { readonly type: 'go' }): Target | string => {
    const { stepCount, chapters, frames } = player.store.getState();
    if ('step' in request) {
      const { step } = request;
      return step <= stepCount ? { step } : `step: found ${step}, expected at most ${stepCount}.`;
    }
    if ('frame' in request) {
      const { frame } = request;
      const last = countedFrames(frames);
      if (frame > last) return `frame: found ${frame}, expected at most ${last}.`;
      return { frame: frameOfNumber(frames, frame) };
    }
    const chapter = chapters.findIndex(({ id }) => id === request.chapter);
    if (chapter >= 0) return { step: chapterStart(chapters, chapter) };
    return `chapter: found '${clip(request.chapter)}', expected one of ${chapters.map(({ id }) => id).join(', ')}.`;
  };

  const accept = (request: Request): void => {
    if (request.type === 'play') pending = { ...pending, plays: true, pauses: false };
    else if (request.type === 'pause') pending = { ...pending, pauses: true };
    else {
      const target = targetOf(request);
      if (typeof target === 'string') return report({ type: 'problem', message: target });
      pending = { ...NO_REQUEST, target };
    }
    void scheduleRun();
  };

  const onMessage = (event: MessageLike): void => {
    if (event.origin !== origin || event.source !== embedded.parent) return;
    const request = readRequest(event.data);
    if (request === null) return;
    if (typeof request === 'string') report({ type: 'problem', message: request });
    else accept(request);
  };

  const unsubscribes = [player.store.subscribe(reportChange), reporter.subscribe(reportChange)];
  embedded.addEventListener('message', onMessage);
  reportChange();
  return () => {
    isOver = true;
    for (const unsubscribe of unsubscribes) unsubscribe();
    embedded.removeEventListener('message', onMessage);
  };
}
