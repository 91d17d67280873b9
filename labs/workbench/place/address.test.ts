import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fakeApp } from '../../../test/page.ts';
import { PLACES } from '../../../test/places.ts';
import { decodeHash, encodeHash, placeState, withPlace } from '../../../src/state/index.ts';
import { KERNEL_PARTS, WORKBENCH_FIELDS } from './address.ts';

it('an address brings back what Code shows', () => {
  const { catalog: known, document } = fakeApp();
  const catalog = { ...known, places: PLACES };
  const working = fc.record({
    kernel: fc.string(),
    file: fc.string(),
    line: fc.nat(9999),
    draft: fc.string(),
    code: fc.string(),
    module: fc.string(),
    part: fc.constantFrom(...KERNEL_PARTS),
    choices: fc.dictionary(fc.string(), fc.string({ minLength: 1 })).map((own) => ({ ...own })),
  });
  fc.assert(
    fc.property(working, (state) => {
      const doc = withPlace(document.getState(), WORKBENCH_FIELDS, state);
      const read = decodeHash(encodeHash(doc, catalog), catalog);
      expect(placeState(read.document, WORKBENCH_FIELDS)).toEqual(state);
    }),
  );
});
