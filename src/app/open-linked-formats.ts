import { decodeHash, type LinkedFormat } from '../state/index.ts';
import type { App } from '../kit/app-context.ts';
import { openWithProvider } from '../kit/lab.ts';

/** Opens a link's user-written formats and, if any opens, the rest of the link; `problems` names those that do not. */
export async function openLinkedFormats(
  app: Pick<App, 'session' | 'document' | 'engine' | 'formats' | 'catalog' | 'provider'>,
  linked: readonly LinkedFormat[],
  hash: string,
): Promise<void> {
  const { session, catalog } = app;
  const failures = await openWithProvider(app, linked);
  const decoded = decodeHash(hash, catalog, session.openFileNames());
  if ((decoded.missingFormats?.length ?? 0) < linked.length)
    await session.restore(decoded.document, [...decoded.problems, ...failures]);
  else session.store.setState(({ problems }) => ({ problems: [...problems, ...failures] }));
}
