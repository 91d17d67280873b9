import { type Pace, threadPace } from '../../core/pace.ts';
import { clip, inWords } from '../../core/bounds/check.ts';
import { narrationText } from '../../core/story/scene.ts';
import type { PlaceStory } from '../../kit/place-show.ts';
import { chapterAt, chapterStart, type Player, type Session, shownStory } from '../../state/index.ts';
import { sceneOf } from '../../kit/stage/use-scene.ts';

/** The `sparsescope` field of every message: the version of the protocol in docs/embedding.md. */
const PROTOCOL = 1;

/** A request of the embedding page. */
type Request =
  /** goes to a step, from 0 to the last; pauses */
  | { readonly type: 'go'; readonly step: number }
  /** goes to the beginning of a chapter, by its id */
  | { readonly type: 'go'; readonly chapter: string }
  | { readonly type: 'play' }
  | { readonly type: 'pause' };

/** Position in the story. */
interface Position {
  readonly step: number;
  readonly steps: number;
  /** id of the chapter; '' if there is none */
  readonly chapter: string;
  readonly playing: boolean;
  /** the sentence of the step */
  readonly words: string;
}

/** A message to the embedding page. */
type Report =
  /** another story has been loaded */
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

/**
 * Parses a message from the embedding page: a request, a sentence if it is malformed, and null if it is not ours, such
 * as messages that browser extensions send to every page.
 */
export function readRequest(data: unknown): Request | string | null {
  if (typeof data !== 'object' || data === null || !('sparsescope' in data)) return null;
  if (data.sparsescope !== PROTOCOL) return `sparsescope: found ${inWords(data.sparsescope)}, expected ${PROTOCOL}.`;
  const type = 'type' in data ? data.type : undefined;
  if (type === 'play' || type === 'pause') return { type };
  if (type !== 'go') return `type: found ${inWords(type)}, expected one of ${REQUEST_TYPES.join(', ')}.`;
  if ('step' in data) {
    const { step } = data;
    if (typeof step === 'number' && Number.isInteger(step) && step >= 0) return { type, step };
    return `step: found ${inWords(step)}, expected a whole number from 0.`;
  }
  if ('chapter' in data && typeof data.chapter === 'string') return { type, chapter: data.chapter };
  return 'go: found neither a step nor a chapter, expected one of them.';
}

/** The part of Window used here. */
export interface FramedWindow {
  readonly parent: { postMessage(message: unknown, targetOrigin: string): void };
  addEventListener(type: 'message', listener: (event: MessageLike) => void): void;
  removeEventListener(type: 'message', listener: (event: MessageLike) => void): void;
}

export interface MessageLike {
  readonly data: unknown;
  readonly origin: string;
  readonly source: unknown;
}

/** What is told in the frame. */
interface Narration {
  /** another object where another story is told */
  readonly story: object;
  /** of the story, in `ready` */
  readonly format: string;
  readonly steps: number;
  /** the sentence of a step */
  words(step: number): string;
}

/** Says what is told now, null while there is nothing yet, and when that may have changed. */
export interface StoryReporter {
  now(): Narration | null;
  subscribe(listener: () => void): () => void;
}

/** The stage as a teller. */
export function stageReporter({ store }: Pick<Session, 'store'>): StoryReporter {
  return {
    now() {
      const loaded = shownStory(store.getState().trace);
      if (!loaded) return null;
      const { trace } = loaded;
      return {
        story: trace,
        format: trace.format,
        steps: trace.steps.length,
        words: (step) => narrationText(sceneOf(loaded, step)),
      };
    },
    subscribe: (listener) => store.subscribe(listener),
  };
}

/** A story of a place as a teller, in the format that the address names. */
export function placeReporter(story: PlaceStory, format: string): StoryReporter {
  const narration: Narration = {
    story,
    format,
    steps: story.stepCount,
    words: (step) =>
      story
        .words(step)
        .map(({ text }) => text)
        .join(''),
  };
  return { now: () => narration, subscribe: () => () => {} };
}

/** Least time between two redraws for the embedding page, which may request thousands of steps. Milliseconds. */
const FRAME_MS = 16;

/** Requests since the last frame, merged into the fewest moves with the same outcome. */
interface Pending {
  /** step of the last `go`, which pauses; null if there was none */
  readonly step: number | null;
  /** play was requested since: at the last step, that restarts from the first */
  readonly plays: boolean;
  /** pause was requested last */
  readonly pauses: boolean;
}

const NOTHING: Pending = { step: null, plays: false, pauses: false };

/**
 * Talks to the embedding page: reports each step, and fulfils its requests, at most once per frame. Only a page of
 * `origin` is heard, and only such a page receives messages: the browser drops what is posted to another. Runs until
 * the returned function is called.
 */
export function talk(
  framed: FramedWindow,
  origin: string,
  { player, reporter }: { readonly player: Player; readonly reporter: StoryReporter },
  pace: Pace = threadPace,
): () => void {
  const report = (message: Report): void => framed.parent.postMessage({ sparsescope: PROTOCOL, ...message }, origin);
  /** the reported story, and its position then */
  let known: { readonly story: unknown; readonly step: number; readonly playing: boolean } | null = null;

  const look = (): void => {
    const narration = reporter.now();
    const { step, stepCount, chapters, playing } = player.store.getState();
    // The player gets the story slightly later than the stage.
    if (!narration || stepCount !== narration.steps) return;
    const { story, format } = narration;
    if (known?.story === story && known.step === step && known.playing === playing) return;
    const isNew = known?.story !== story;
    known = { story, step, playing };
    const position: Position = {
      step,
      steps: stepCount,
      chapter: chapters[chapterAt(chapters, step)]?.id ?? '',
      playing,
      words: narration.words(step),
    };
    if (!isNew) return report({ type: 'step', ...position });
    const listed = chapters.map(({ id, title }, i) => ({ id, title, step: chapterStart(chapters, i) }));
    report({ type: 'ready', format, chapters: listed, ...position });
  };

  let pending = NOTHING;
  let isWaiting = false;
  let isOver = false;
  let nextFrame = pace.now();

  const follow = (): void => {
    const { step, plays, pauses } = pending;
    pending = NOTHING;
    nextFrame = pace.now() + FRAME_MS;
    if (step !== null) {
      player.pause();
      player.seek(step);
    }
    if (plays) player.play();
    if (pauses) player.pause();
  };
  const followInTime = async (): Promise<void> => {
    if (isWaiting) return;
    const wait = nextFrame - pace.now();
    if (wait > 0) {
      isWaiting = true;
      await pace.pause(wait);
      isWaiting = false;
    }
    if (!isOver) follow();
  };

  /** The requested step, or what is wrong with the request, in one sentence. */
  const stepOf = (request: Request & { readonly type: 'go' }): number | string => {
    const { stepCount, chapters } = player.store.getState();
    if ('step' in request) {
      const { step } = request;
      return step <= stepCount ? step : `step: found ${step}, expected at most ${stepCount}.`;
    }
    const chapter = chapters.findIndex(({ id }) => id === request.chapter);
    if (chapter >= 0) return chapterStart(chapters, chapter);
    return `chapter: found '${clip(request.chapter)}', expected one of ${chapters.map(({ id }) => id).join(', ')}.`;
  };

  const accept = (request: Request): void => {
    if (request.type === 'play') pending = { ...pending, plays: true, pauses: false };
    else if (request.type === 'pause') pending = { ...pending, pauses: true };
    else {
      const step = stepOf(request);
      if (typeof step === 'string') return report({ type: 'problem', message: step });
      pending = { ...NOTHING, step };
    }
    void followInTime();
  };

  const hear = (event: MessageLike): void => {
    if (event.origin !== origin || event.source !== framed.parent) return;
    const request = readRequest(event.data);
    if (request === null) return;
    if (typeof request === 'string') report({ type: 'problem', message: request });
    else accept(request);
  };

  const ends = [player.store.subscribe(look), reporter.subscribe(look)];
  framed.addEventListener('message', hear);
  look();
  return () => {
    isOver = true;
    for (const end of ends) end();
    framed.removeEventListener('message', hear);
  };
}
