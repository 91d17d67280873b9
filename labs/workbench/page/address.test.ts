// The address of the page Code.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fakeApp } from '../../../test/page.ts';
import { PAGES } from '../../../test/pages.ts';
import type { BaseSource, MatrixSource } from '../../../src/engine/matrix/source-types.ts';
import { decodeHash, encodeHash, pageState, withPage } from '../../../src/state/index.ts';
import { KERNEL_PARTS, WORKBENCH_FIELDS } from './address.ts';

it('an address restores the state of the page Code, also of a draft, with the file and line', () => {
  const { catalog: known, document } = fakeApp();
  // Absent: as in version 0.2, whose addresses do not contain it.
  const inFile = fc
    .record({ as: fc.constantFrom('entries', 'table') }, { requiredKeys: [] })
    .map((state) => ({ ...state }));
  const base = fc.oneof(
    inFile.map((lines): BaseSource => ({ kind: 'file', name: 'edges.txt', ...lines })),
    inFile.map((lines): BaseSource => ({ kind: 'remote', link: 'https://far.example/edges.txt', ...lines })),
  );
  const source = fc.oneof(
    base,
    base.map((source): MatrixSource => ({ kind: 'pruned', base: source, pruning: { way: 'magnitude', density: 0.5 } })),
  );
  const catalog = { ...known, pages: PAGES };
  const working = fc.record({
    kernel: fc.string(),
    file: fc.string(),
    line: fc.nat(9999),
    draft: fc.string(),
    code: fc.string(),
    module: fc.string(),
    part: fc.constantFrom(...KERNEL_PARTS),
    choices: fc.dictionary(fc.string(), fc.string({ minLength: 1 })).map((choices) => ({ ...choices })),
  });
  fc.assert(
    fc.property(working, source, (state, from) => {
      const doc = withPage({ ...document.getState(), source: from }, WORKBENCH_FIELDS, state);
      const read = decodeHash(encodeHash(doc, catalog), catalog, new Set(['edges.txt']));
      expect(read).toMatchObject({ problems: [] });
      expect(read.document.source).toEqual(from);
      expect(pageState(read.document, WORKBENCH_FIELDS)).toEqual(state);
    }),
  );
});
