import { decodeHash, type LinkedFormat, sameSource } from '../state/index.ts';
import type { App } from '../kit/app-context.ts';
import { openWithProvider } from '../kit/format-provider.ts';

/**
 * Opens a link's user-written formats and, if any opens, the rest of the link; `problems` names those that do not. Matrix,
 * page, tokens and device that the user chose meanwhile stay. `isCurrent`: whether no other link was followed since.
 */
export async function openLinkedFormats(
  app: Pick<App, 'session' | 'document' | 'engine' | 'formats' | 'catalog' | 'provider'>,
  linked: readonly LinkedFormat[],
  hash: string,
  isCurrent: () => boolean = () => true,
): Promise<void> {
  const { session, document, catalog } = app;
  const failures = await openWithProvider(app, linked);
  const decoded = decodeHash(hash, catalog, session.openFileNames());
  const { source, view, tokens, on } = document.getState();
  if (!isCurrent()) return;
  const isAnyOpen = (decoded.missingFormats?.length ?? 0) < linked.length;
  if (isAnyOpen && sameSource(source, decoded.document.source))
    await session.restore({ ...decoded.document, view, tokens, on }, [...decoded.problems, ...failures]);
  else session.store.setState(({ problems }) => ({ problems: [...problems, ...failures] }));
}
