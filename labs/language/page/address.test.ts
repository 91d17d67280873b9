// The address of Language, and the model that it opens.

import { expect, test } from 'vitest';
import { CATALOG } from '../../../test/offers.ts';
import { decodeHash } from '../../../src/state/index.ts';
import { LANGUAGE, DEFAULT_SOURCE } from './address.ts';

const catalog = { ...CATALOG, pages: [LANGUAGE] };

test('an address of Language without a matrix opens the shipped model, unless it names another model', () => {
  const sourceOf = (hash: string) => decodeHash(hash, catalog).document.source;
  expect(sourceOf('#2/language')).toEqual(DEFAULT_SOURCE);
  // A model that was chosen on the page is visible there, for any selection.
  expect(sourceOf('#2/language/quality?x.model=tales-small')).toEqual(catalog.start.source);
  expect(sourceOf('#2/language?model=llama-3.1-8b')).toEqual({ kind: 'model', model: 'llama-3.1-8b' });
});
