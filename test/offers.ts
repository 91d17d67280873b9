// What the lessons of the app can refer to, for tests of their texts.

import { formats } from '../src/formats/catalog.ts';
import { patterns } from '../src/generate/patterns.ts';
import type { FactsByPage } from '../src/lessons/prepare.ts';
import type { Catalog } from '../src/state/index.ts';
import { PAGES } from './pages.ts';

/** The figures and facts that pages provide to lessons, without components: `OFFERS` of all offers.ts in test and labs. */
export const OFFERS: FactsByPage = new Map(
  Object.values(
    import.meta.glob<FactsByPage>(['./*/offers.ts', '../labs/*/test/offers.ts'], { eager: true, import: 'OFFERS' }),
  ).flatMap((offers) => [...offers]),
);

/** The catalog in which the figures of lessons are opened: all formats, patterns and pages, without examples. */
export const CATALOG: Catalog = {
  formats,
  patterns,
  pages: PAGES,
  examples: [],
  start: {
    source: { kind: 'generated', spec: { pattern: 'uniform', rows: 4, cols: 4, density: 0.5, seed: 1 } },
    format: formats[0].id,
    formatB: null,
  },
};
