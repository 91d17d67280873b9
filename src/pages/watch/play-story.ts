import type { App } from '../../kit/app-context.ts';
import {
  type AppDocument,
  choiceWith,
  withChoiceA,
  isDefaultSource,
  sameStory,
  sourceNeededBy,
  withFormat,
  withSource,
} from '../../state/index.ts';
import { type AnyListedFormat, storyExample } from '../../core/format.ts';

/** A story (the animation of a format) that needs longer than this to load does not start by itself. */
const PATIENCE_MS = 20_000;

/** The document (page state) with the story of this format alone, from its first frame, on the story's own matrix. */
export function withStoryExample(
  { catalog }: Pick<App, 'catalog'>,
  doc: AppDocument,
  format: AnyListedFormat,
): AppDocument {
  const { id, params } = storyExample(format);
  const isListed = catalog.examples.some((example) => example.id === id);
  const source = isListed ? ({ kind: 'example', id } as const) : doc.source;
  const chosen = withChoiceA(doc, choiceWith(catalog, format.id, isListed ? params : {}));
  return { ...withSource(chosen, source), isSideBySide: false };
}

/** Opens a format's story on the matrix that the story is written for, and plays it. */
export async function playStory(app: App, format: AnyListedFormat): Promise<void> {
  const { document, session } = app;
  await session.restore(withStoryExample(app, document.getState(), format));
  if (document.getState().format === format.id) playOnceReady(app);
}

/** Shows a format as A, the first of two; on the matrix that its story needs, unless the user chose a matrix. */
export function chooseFormat({ document, session, catalog }: App, { id }: AnyListedFormat): void {
  const doc = document.getState();
  const source = isDefaultSource(catalog, doc.source) ? sourceNeededBy(catalog, id) : null;
  if (source === null) session.setFormat(id);
  else void session.restore(withSource(withFormat(doc, id), source));
}

/** Plays the story of the document, now or once it is loaded, unless something else is chosen meanwhile. */
export function playOnceReady({
  document,
  session,
  player,
}: Pick<App, 'document' | 'player'> & { readonly session: Pick<App['session'], 'store'> }): void {
  const before = document.getState();
  const isUnchanged = (now: AppDocument): boolean =>
    sameStory(now, before) && now.view === before.view && now.frame === before.frame && now.step === before.step;
  const isReady = (): boolean => {
    const { trace, storyB } = session.store.getState();
    // Until the new story is loaded, the player has the previous one.
    if (trace.kind === 'loading' || storyB.kind === 'loading') return false;
    return player.isOfDocument() && player.store.getState().stepCount > 0;
  };
  let isOver = false;
  const playIfReady = (): void => {
    if (isOver) return;
    const isCurrent = isUnchanged(document.getState());
    if (isCurrent && !isReady()) return;
    end();
    if (isCurrent) player.play(true);
  };
  // The session has a story slightly before the player.
  const unsubscribe = session.store.subscribe(() => queueMicrotask(playIfReady));
  const timer = setTimeout(() => end(), PATIENCE_MS);
  const end = (): void => {
    isOver = true;
    unsubscribe();
    clearTimeout(timer);
  };
  playIfReady();
}
