import type { App } from '../../kit/app-context.ts';
import { type AppDocument, storedAs, withStored } from '../../state/index.ts';
import { isDefaultSource, sameStory, sourceNeededBy, withFormat, withUnopened } from '../../state/document.ts';
import { type AnyListedFormat, storyExample } from '../../core/format.ts';

/** A story that has not come by then is loaded when someone presses play. */
const PATIENCE_MS = 20_000;

/** A format's animation alone, from its first frame, on the matrix that its story is written for. */
export function withStoryExample(
  { catalog }: Pick<App, 'catalog'>,
  doc: AppDocument,
  format: AnyListedFormat,
): AppDocument {
  const worked = storyExample(format);
  const isListed = catalog.examples.some((example) => example.id === worked.id);
  const source = isListed ? ({ kind: 'example', id: worked.id } as const) : doc.source;
  const chosen = withStored(doc, storedAs(catalog, format.id, isListed ? worked.params : {}));
  return { ...withUnopened(chosen, source), beside: false };
}

/** Plays it. */
export async function playStory(app: App, format: AnyListedFormat): Promise<void> {
  const { document, session } = app;
  await session.restore(withStoryExample(app, document.getState(), format));
  if (document.getState().format === format.id) playOnceReady(app);
}

/** Makes a format A; where nobody chose a matrix and this one would show nothing of it, with one that does. */
export function chooseFormat({ document, session, catalog }: App, { id }: AnyListedFormat): void {
  const doc = document.getState();
  const source = isDefaultSource(catalog, doc.source) ? sourceNeededBy(catalog, id) : null;
  if (source === null) session.setFormat(id);
  else void session.restore(withUnopened(withFormat(doc, id), source));
}

/** Plays the document's animation, now or once it is there, unless something else is chosen meanwhile. */
export function playOnceReady({
  document,
  session,
  player,
}: Pick<App, 'document' | 'player'> & { readonly session: Pick<App['session'], 'store'> }): void {
  const asked = document.getState();
  const isAsked = (now: AppDocument): boolean =>
    sameStory(now, asked) && now.view === asked.view && now.frame === asked.frame && now.step === asked.step;
  const isReady = (): boolean => {
    const { trace, against } = session.store.getState();
    // Until its code has arrived, the player has the story before.
    if (trace.kind === 'loading' || against.kind === 'loading') return false;
    return player.isOfDocument() && player.store.getState().stepCount > 0;
  };
  let isOver = false;
  const look = (): void => {
    if (isOver) return;
    const goesOn = isAsked(document.getState());
    if (goesOn && !isReady()) return;
    end();
    if (goesOn) player.play(true);
  };
  // The session tells of a story before the player has it.
  const stop = session.store.subscribe(() => queueMicrotask(look));
  const timer = setTimeout(() => end(), PATIENCE_MS);
  const end = (): void => {
    isOver = true;
    stop();
    clearTimeout(timer);
  };
  look();
}
