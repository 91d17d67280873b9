import { frameWords } from '../../story/frames.ts';
import type { Scene } from '../../story/scene.ts';
import {
  type AppDocument,
  baseOf,
  chapterAt,
  encodeHash,
  numberOfFrame,
  isQuestion,
  type PlayerState,
  visibleStory,
  withFrame,
  withStep,
} from '../../state/index.ts';
import type { App } from '../app-context.ts';
import type { Caption } from '../../render/index.ts';

// What a saved picture says besides its drawing: its text, the formats and the matrix, and the address of the page.

/** Characters of an address that a picture shows in full: four lines of a picture of 960 px. */
const SHOWN_ADDRESS = 600;

/** The formats on the stage, as 'EC-SpMV' or 'MACKO and dense'. */
export function formatsOnStage({ session, formats, document }: App): string {
  const { trace, storyB, timeline } = session.store.getState();
  const ids = [visibleStory(trace), timeline?.b ? visibleStory(storyB) : null].flatMap((story) =>
    story ? [story.trace.format] : [],
  );
  // A lesson's figure may be a computation without a format.
  const titles = ids.flatMap((id) => formats.find((format) => format.id === id)?.title ?? []);
  return titles.join(' and ') || (ids[0] ?? document.getState().format);
}

/** The matrix on the stage, with the shape of the part that is shown: 'my.mtx, 4 × 4 cells'. */
function matrixOnStage({ session, document, typedMatrixCaption }: App): string {
  const { source } = document.getState();
  const { summary, trace } = session.store.getState();
  const window = visibleStory(trace)?.trace.window;
  const generated = source.kind === 'generated' ? `${source.spec.pattern}, seed ${source.spec.seed}` : null;
  const name = typedMatrixCaption?.() ?? generated ?? summary?.name ?? '';
  const shape = window ? `${window.rows} × ${window.cols} cells` : '';
  return [name, shape].filter((part) => part !== '').join(', ');
}

/** The lines below a saved picture: formats and matrix, then the address of the page at a position of the story. */
export function pictureFooter(app: App, doc: AppDocument): readonly string[] {
  const { href } = new URL(encodeHash(doc, app.catalog), location.href);
  const [page] = href.split('#');
  const address =
    href.length <= SHOWN_ADDRESS ? href : `${page} (its link has ${href.length} characters: copy it there)`;
  return [
    `${formatsOnStage(app)} · ${matrixOnStage(app)}`,
    baseOf(doc.source).kind === 'file' ? `${address} (without the file)` : address,
  ];
}

/** The document at another position of its story. */
export function documentAt(doc: AppDocument, { frame, step }: Pick<AppDocument, 'frame' | 'step'>): AppDocument {
  return frame === null ? withStep(doc, step) : withFrame(doc, frame);
}

/** The text and the footer of the picture on the stage. */
export function captionOf(app: App, scene: Scene): Caption {
  const isByFrames = app.player.store.getState().frame !== null;
  return {
    words: scene.drawing || !isByFrames ? scene.narration : frameWords(scene),
    footer: pictureFooter(app, app.document.getState()),
  };
}

type PlayedPosition = Pick<PlayerState, 'frame' | 'frames' | 'step' | 'chapters'>;

/** The name of a picture's file, of words of the page: 'ec-spmv-frame-8-eight-rows'. */
export function pictureName(title: string, { frame, frames, step, chapters }: PlayedPosition): string {
  if (frame === null) return slugOf(`${title} step ${step} ${chapters[chapterAt(chapters, step)]?.title ?? ''}`);
  const current = frames[frame - 1];
  const what = isQuestion(current) ? 'question after frame' : 'frame';
  return slugOf(`${title} ${what} ${numberOfFrame(frames, frame)} ${current?.chapter ?? ''}`);
}

/** A title as a part of a file's name: small letters and digits, with hyphens in between. */
export function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');
}
