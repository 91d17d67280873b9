import { narrationText } from '../../core/story/scene.ts';
import { chapterAt, chapterStart, type Player, type Session, shownStory } from '../../state/index.ts';
import { sceneOf } from '../stage/use-scene.ts';
import { type Position, PROTOCOL, readRequest, type Report, type Request } from './protocol.ts';

/** The part of a window that is used. */
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

/**
 * Talks with the page around: tells it each step, and does what it asks for. Only a page of `origin` is heard, and only
 * such a page is told anything: the browser drops what is posted to another. Until the returned function is called.
 */
export function talk(
  framed: FramedWindow,
  origin: string,
  { player, session }: { readonly player: Player; readonly session: Session },
): () => void {
  const tell = (report: Report): void => framed.parent.postMessage({ sparsescope: PROTOCOL, ...report }, origin);
  /** the story that was told of, and its position then */
  let known: { readonly trace: unknown; readonly step: number; readonly playing: boolean } | null = null;

  const look = (): void => {
    const told = shownStory(session.store.getState().trace);
    const { step, stepCount, chapters, playing } = player.store.getState();
    // The player gets the story a moment after the stage.
    if (!told || stepCount !== told.trace.steps.length) return;
    const { trace } = told;
    if (known?.trace === trace && known.step === step && known.playing === playing) return;
    const isNew = known?.trace !== trace;
    known = { trace, step, playing };
    const position: Position = {
      step,
      steps: stepCount,
      chapter: chapters[chapterAt(chapters, step)]?.id ?? '',
      playing,
      words: narrationText(sceneOf(told, step)),
    };
    if (!isNew) return tell({ type: 'step', ...position });
    const listed = chapters.map(({ id, title }, i) => ({ id, title, step: chapterStart(chapters, i) }));
    tell({ type: 'ready', format: trace.format, chapters: listed, ...position });
  };

  const follow = (request: Request): void => {
    const { stepCount, chapters } = player.store.getState();
    if (request.type === 'play') return player.play();
    if (request.type === 'pause') return player.pause();
    player.pause();
    if ('step' in request) {
      if (request.step <= stepCount) return player.seek(request.step);
      return tell({ type: 'problem', message: `step: found ${request.step}, expected at most ${stepCount}.` });
    }
    const chapter = chapters.findIndex(({ id }) => id === request.chapter);
    if (chapter >= 0) return player.seek(chapterStart(chapters, chapter));
    const ids = chapters.map(({ id }) => id).join(', ');
    tell({ type: 'problem', message: `chapter: found '${request.chapter.slice(0, 40)}', expected one of ${ids}.` });
  };

  const hear = (event: MessageLike): void => {
    if (event.origin !== origin || event.source !== framed.parent) return;
    const request = readRequest(event.data);
    if (request === null) return;
    if (typeof request === 'string') tell({ type: 'problem', message: request });
    else follow(request);
  };

  const ends = [player.store.subscribe(look), session.store.subscribe(look)];
  framed.addEventListener('message', hear);
  look();
  return () => {
    for (const end of ends) end();
    framed.removeEventListener('message', hear);
  };
}
