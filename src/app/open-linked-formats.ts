import { decodeHash, type LinkedFormat } from '../state/index.ts';
import type { App } from '../kit/app-context.ts';
import { openWithProvider } from '../kit/format-provider.ts';

/** Opens the formats that an address names and the catalog lacks, then restores the address; reports missing formats. */
export async function openLinkedFormats(
  app: Pick<App, 'session' | 'document' | 'engine' | 'formats' | 'catalog' | 'provider'>,
  wanted: readonly LinkedFormat[],
  hash: string,
): Promise<void> {
  const { session, catalog } = app;
  const missing = await openWithProvider(app, wanted);
  const found = decodeHash(hash, catalog, session.openFileNames());
  if ((found.missingFormats?.length ?? 0) < wanted.length)
    await session.restore(found.document, [...found.problems, ...missing]);
  else session.store.setState(({ problems }) => ({ problems: [...problems, ...missing] }));
}
