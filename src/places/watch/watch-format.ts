import type { App } from '../../kit/app-context.ts';
import { type AppDocument, storedAs, withStored } from '../../state/index.ts';
import { isUnchosen, sameStory, sourceNeededBy, withFormat, withUnopened } from '../../state/document.ts';
import { type AnyListedFormat, storyExample } from '../../core/format.ts';

/** A story that has not come by then is loaded when someone presses play. */
const PATIENCE_MS = 20_000;

/** Plays a format's animation alone, from its first frame, on the matrix that its story is written for. */
export async function watchFormat(app: App, format: AnyListedFormat): Promise<void> {
  const { document, session, catalog } = app;
  const doc = document.getState();
  const worked = storyExample(format);
  const isListed = catalog.examples.some((example) => example.id === worked.id);
  const source = isListed ? ({ kind: 'example', id: worked.id } as const) : doc.source;
  const chosen = withStored(doc, storedAs(catalog, format.id, isListed ? worked.params : {}));
  await session.restore({ ...withUnopened(chosen, source), beside: false });
  if (document.getState().format === format.id) playOnceReady(app);
}

/** Makes a format A; where nobody chose a matrix and this one would show nothing of it, with one that does. */
export function chooseFormat({ document, session, catalog }: App, { id }: AnyListedFormat): void {
  const doc = document.getState();
  const source = isUnchosen(catalog, doc.source) ? sourceNeededBy(catalog, id) : null;
  if (source === null) session.setFormat(id);
  else void session.restore(withUnopened(withFormat(doc, id), source));
}

/** Plays the document's animation, now or once it is there, unless something else is chosen meanwhile. */
export function playOnceReady({ document, session, player }: App): void {
  const asked = document.getState();
  const isElsewhere = ({ frame, step }: AppDocument): boolean => frame !== asked.frame || step !== asked.step;
  const begin = (): boolean => {
    if (!player.isOfDocument() || player.store.getState().stepCount === 0) return false;
    player.play(true);
    return true;
  };
  if (begin()) return;
  const stop = session.store.subscribe(() => {
    const now = document.getState();
    if (!sameStory(now, asked) || now.view !== asked.view || isElsewhere(now) || begin()) end();
  });
  const timer = setTimeout(() => end(), PATIENCE_MS);
  const end = (): void => {
    stop();
    clearTimeout(timer);
  };
}
