import { decodeHash, type LinkedFormat, sameSource } from '../state/index.ts';
import type { App } from '../kit/app-context.ts';
import { openWithProvider } from '../kit/format-provider.ts';

/**
 * Opens the custom formats of a link: `linked`, the address's formats, and `hash`, the whole address. If at least one opens
 * and the user has not opened another matrix meanwhile, the rest of the link is opened too, except the page, tokens and
 * device, which stay as the user may have changed them. The session's `problems` then name the formats that did not open.
 * `isCurrent`: whether no other link was followed since; otherwise nothing changes.
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
  const { source, view, tokens, deviceChoice } = document.getState();
  if (!isCurrent()) return;
  const opened = linked.length - (decoded.missingFormats?.length ?? 0);
  if (opened > 0 && sameSource(source, decoded.document.source))
    await session.restore({ ...decoded.document, view, tokens, deviceChoice }, [...decoded.problems, ...failures]);
  else session.store.setState(({ problems }) => ({ problems: [...problems, ...failures] }));
}
