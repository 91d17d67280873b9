import { createStore } from 'zustand/vanilla';
import { formats } from '../formats/registry.ts';
import { patterns } from '../generate/patterns.ts';
import {
  bindHistory,
  connectEngine,
  type Catalog,
  createDocumentStore,
  createPlayer,
  createPreferences,
  createSession,
  decodeHash,
} from '../state/index.ts';
import type { App } from './app-context.ts';
import { createBenchForm } from './bench/bench-form.ts';

const catalog: Catalog = {
  formats,
  patterns,
  examples: [
    { id: 'fc2', title: 'fc2 of a trained MLP, pruned', url: 'x' },
    { id: 'macko-fig-3', title: 'MACKO paper, Fig. 3', url: 'x' },
  ],
  start: {
    source: { kind: 'generated', spec: { pattern: 'magnitude', rows: 512, cols: 512, density: 0.3, seed: 1 } },
    format: 'macko',
  },
};

export function createStores(window: Window): Omit<App, 'announce'> {
  const decoded = decodeHash(window.location.hash, catalog, new Set());
  const document = createDocumentStore(decoded.document);
  const player = createPlayer();
  const preferences = createPreferences(() => window.localStorage);
  const session = createSession({ engine: connectEngine(), catalog, formats, document, player, resolveUrl: (u) => u });
  bindHistory(document, catalog, session.openFileNames, (d) => session.restore(d.document, d.problems), window);
  void session.start(decoded.problems);
  return {
    document,
    session,
    player,
    preferences,
    catalog,
    formats,
    hover: createStore(() => ({ mark: null })),
    benchForm: createBenchForm(formats),
  };
}
