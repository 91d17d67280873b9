// Sessions with the real engine and formats, for tests.

import { formats } from '../src/formats/registry.ts';
import { patterns } from '../src/generate/patterns.ts';
import type { GenerateSpec } from '../src/generate/generate.ts';
import { type Catalog, createDocumentStore } from '../src/state/document.ts';
import { createPlayer } from '../src/state/player.ts';
import { createSession } from '../src/state/session/session.ts';
import { decodeHash } from '../src/state/url.ts';
import { testEngine } from './engine.ts';
import { fakeOrigins, memoryRunStore } from './fake-engine.ts';
import { PAGES } from './pages.ts';

/** A catalog without examples, which starts with a matrix of 96 columns pruned by magnitude. */
export const startingWith = (
  shape: Pick<GenerateSpec, 'rows' | 'density'>,
  format: string,
  formatB: string | null,
): Catalog => ({
  formats,
  patterns,
  pages: PAGES,
  examples: [],
  start: {
    source: { kind: 'generated', spec: { pattern: 'magnitude', cols: 96, seed: 1, ...shape } },
    format,
    formatB,
  },
});

/** A session at an address with the real engine and the real formats, on this thread; `start` starts it. */
export function realSession(catalog: Catalog, hash = '#2/watch', listed = formats) {
  const { document: doc, problems } = decodeHash(hash, catalog);
  const document = createDocumentStore(doc);
  const player = createPlayer(document);
  const engine = testEngine();
  const session = createSession({
    engine,
    catalog,
    formats: listed,
    document,
    player,
    origins: fakeOrigins(),
    runStore: async () => memoryRunStore(),
    resolveUrl: (url) => url,
  });
  const start = async (): Promise<void> => {
    await session.loadStories();
    await session.start(problems);
  };
  return { session, document, player, engine, start };
}
