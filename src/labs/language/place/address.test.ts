import { expect, test } from 'vitest';
import { formats } from '../../../formats/catalog.ts';
import { patterns } from '../../../generate/patterns.ts';
import { type Catalog, decodeHash } from '../../../state/index.ts';
import { LANGUAGE, DEFAULT_SOURCE } from './address.ts';

const catalog: Catalog = {
  formats,
  patterns,
  places: [LANGUAGE],
  examples: [],
  start: {
    source: { kind: 'generated', spec: { pattern: 'uniform', rows: 4, cols: 4, density: 0.5, seed: 1 } },
    format: formats[0].id,
    against: null,
  },
};

test('an address without a matrix is about a model that comes with the page, unless another was chosen there', () => {
  const sourceOf = (hash: string) => decodeHash(hash, catalog).document.source;
  expect(sourceOf('#2/language')).toEqual(DEFAULT_SOURCE);
  // A model that was chosen at the place is shown there, whatever the sentence is about.
  expect(sourceOf('#2/language/quality?x.model=tales-small')).toEqual(catalog.start.source);
  expect(sourceOf('#2/language?model=llama-3.1-8b')).toEqual({ kind: 'model', model: 'llama-3.1-8b' });
});
